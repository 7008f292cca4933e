"""The house has floors: what imports what is as `pyproject.toml` lists it, and nothing imports itself by way of others."""

from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import grimp
import pytest
from importlinter.cli import lint_imports

import gapfinder
from gapfinder import render

ROOT = Path(__file__).parents[1]
ROOMS = [name for _, name, is_package in walk_packages(gapfinder.__path__, "gapfinder.") if is_package]


@pytest.fixture(scope="module")
def imports():
    """What each module imports; also inside of functions and for type checking."""
    graph = grimp.build_graph("gapfinder", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_no_module_imports_from_a_higher_floor(monkeypatch):
    """Where this fails: .venv/bin/lint-imports."""
    monkeypatch.chdir(ROOT)
    assert lint_imports(cache_dir=None, no_cache=True) == 0


def test_no_module_is_in_an_import_cycle(imports):
    assert list(TopologicalSorter(imports).static_order())


def test_no_room_is_in_an_import_cycle(imports):
    rooms = {}
    for module, imported in imports.items():
        rooms.setdefault(room(module), set()).update({room(other) for other in imported} - {room(module)})
    assert list(TopologicalSorter(rooms).static_order())


def room(module):
    return ".".join(module.split(".")[:2])


def test_an_open_trace_knows_nothing_of_what_is_made_of_it(imports):
    known, todo = set(), ["gapfinder.trace"]
    while todo:
        new = imports[todo.pop()] - known
        known |= new
        todo += new
    lower = {"errors", "ingest", "options", "pipeline", "query", "resources", "system", "units"}
    assert {room(module).removeprefix("gapfinder.") for module in known} <= lower


@pytest.mark.parametrize("name", ROOMS)
def test_each_room_says_in_a_sentence_what_it_gives(name):
    said = import_module(name).__doc__
    assert said.endswith(".")
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize("kinds", [("diagnosis", "job")])
def test_what_one_command_shows_has_the_same_formats(kinds):
    """`gapfinder diagnose` shows a trace or a job: a format that one of them lacks would fail where a user asks for it."""
    assert len({tuple(render.formats(kind)) for kind in kinds}) == 1


@pytest.mark.parametrize("kind", [path.name for path in sorted(render.FOLDER.iterdir()) if (path / "__init__.py").exists()])
def test_each_format_has_a_renderer(kind):
    renderer, entry = (render.rows_renderer, "write") if kind in {"rows", "gaps"} else (render.renderer, "render")
    assert render.formats(kind)
    for format_ in render.formats(kind):
        assert callable(getattr(renderer(kind, format_), entry))


@pytest.mark.parametrize("kind", render.KINDS.values())
def test_what_python_returns_shows_itself_in_a_notebook(kind):
    assert callable(render.renderer(kind, "text").html)
