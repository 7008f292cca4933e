"""Names in a trace are anybody's: none may steer a terminal or a runner of CI, or become markup."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from synthetic import MS, US, Synthetic, thread

from gapfinder.comparison.compare import compare
from gapfinder.diagnosis.measured import measure
from gapfinder.gates.expression import parse
from gapfinder.job.in_trace import diagnose_trace
from gapfinder.pipeline.causes import built_in
from gapfinder.render import renderer, rows_renderer
from gapfinder.report.comparison import page_of as comparison_page
from gapfinder.report.frame import framed

CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
COMMANDS = re.compile(r"##(?:vso)?\[|::(?:error|stop-commands)\b")  # to a runner of CI, which sees what is printed
EVIL = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "one\ntwo\r\nthree\ttab\x0b\x0c",
    "\x9b2J \x85 \x90 C1",
    "\u202etxet desrever \u2066 \u200b \ufeff",
    "<script>alert(1)</script> <img src=x onerror=y>",
    "\\<b> \\\\<i> &lt;",
    "# title | cell | `code` **bold** [link](http://x) ![i](y) ~~~ ```",
    "[bold red]rich[/] [/nothing] [link=http://x]y[/link]",
    "'; DROP TABLE segments; -- {} {0} %s",
    "::error file=x,line=1::pwned ::stop-commands::x ##[error]y ##vso[task.setvariable variable=PATH]z ##teamcity[x]",
    "long " * 2000,
    "",
]


@pytest.fixture(scope="module")
def measured():
    """Of a trace in which every name there is is evil, and every cause is met."""
    trace = Synthetic()
    for number, name in enumerate(EVIL):
        trace.thread(tid=number + 1, name=name, process=name)
    trace.tables["TARGET_INFO_GPU"].append({"id": 0, "name": "H200\x1b[31m\n<b>|"})
    for number, name in enumerate(EVIL * 3):
        start, on = number * 10 * MS, thread(tid=number % len(EVIL) + 1)
        trace.nvtx("step", start, start + 9 * MS)
        trace.nvtx(name, start + US, start + 9 * MS)
        trace.kernel(start + MS, start + 2 * MS, (start, start + 5 * US), name=name)
        trace.kernel(start + 2 * MS, start + 3 * MS, (start, start + 5 * US), name=f"nccl{name}", thread=on)
        trace.call(f"cudaMalloc{name}", start + 4 * MS, start + 5 * MS)
        trace.os("write", start + 6 * MS, start + 7 * MS)
        trace.sample(start + 8 * MS, (f"/home/{name}.py", name, 3))
        trace.overhead(start + 7 * MS, start + 7500 * US, name=name)
    with trace.analysed() as analysis:
        return measure(analysis, diagnose_trace(analysis))


@pytest.fixture(scope="module")
def diagnosis(measured):
    return measured.diagnosis


@pytest.fixture(scope="module")
def comparison(measured):
    """With a trace that has none of these names, and as a trend; its own name is evil too."""
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.kernel(start, start + MS, (start, start + 5 * US))
    with trace.analysed() as analysis:
        plain = measure(analysis, diagnose_trace(analysis))
    evil = replace(measured, diagnosis=replace(measured.diagnosis, trace=f"{EVIL[0]}{EVIL[4]}"))
    gates = [parse("lost>+1%", built_in(), changes=True), parse("lost>1%", built_in(), changes=True)]
    return compare([evil, plain, evil, plain], gates)


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_no_control_character_is_written(diagnosis, format_):
    shown = renderer("diagnosis", format_).render(diagnosis, width=80, color=False)
    assert not CONTROLS.findall(shown) + COMMANDS.findall(shown)


def test_colours_are_our_own(diagnosis):
    """Escape sequences are of the form that sets a style, and no other."""
    shown = renderer("diagnosis", "text").render(diagnosis, width=80, color=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert not CONTROLS.findall(plain) + COMMANDS.findall(plain)


def test_markdown_shows_markup_as_it_is(diagnosis):
    """A character counts as escaped after an odd number of backslashes."""
    lines = renderer("diagnosis", "markdown").render(diagnosis, width=80, color=False).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("    "))  # but for the command, which is code
    assert not re.findall(r"[<>`\[\]]", re.sub(r"\\[\\`*_{}\[\]<>()#+\-.!|~&@:$]", "", text))


def test_markdown_tables_keep_their_columns(diagnosis):
    for line in renderer("diagnosis", "markdown").render(diagnosis, width=80, color=False).splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line.replace("\\\\", ""))) in {4, 5}


@pytest.mark.parametrize("format_", ["text", "markdown", "junit"])
def test_no_control_character_is_written_of_a_comparison(comparison, format_):
    shown = renderer("comparison", format_).render(comparison, width=80, color=False)
    assert not CONTROLS.findall(shown) + COMMANDS.findall(shown)
    assert max(map(len, shown.splitlines())) <= 80 or format_ != "text"


def test_markdown_of_a_comparison_shows_markup_as_it_is(comparison):
    text = renderer("comparison", "markdown").render(comparison, width=80, color=False)
    assert not re.findall(r"[<>`\[\]]", re.sub(r"\\[\\`*_{}\[\]<>()#+\-.!|~&@:$]", "", text))
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line.replace("\\\\", ""))) in {4, 6, 7}


def test_json_and_xml_of_a_comparison_can_be_read(comparison):
    shown = {name: renderer("comparison", name).render(comparison, width=80, color=False) for name in ("json", "junit")}
    assert json.loads(shown["json"])["schema"] == "gapfinder.comparison/2"
    assert ET.fromstring(shown["junit"]).get("tests") == "2"


def test_json_is_json(diagnosis):
    """Control characters are escaped in it, and so none reaches a terminal."""
    shown = renderer("diagnosis", "json").render(diagnosis, width=80, color=False)
    assert json.loads(shown)["schema"] == "gapfinder.diagnosis/2"
    assert not CONTROLS.findall(shown) + COMMANDS.findall(shown)


def test_rows_as_json_keep_their_texts(tmp_path):
    frame = pl.DataFrame({"name": EVIL})
    with (tmp_path / "rows.json").open("wb") as file:
        rows_renderer("rows", "json").write([frame], file, width=None, color=False)
    shown = (tmp_path / "rows.json").read_text()
    assert not CONTROLS.findall(shown) + COMMANDS.findall(shown)
    assert [row["name"] for row in json.loads(shown)] == EVIL


def test_text_keeps_to_its_width(diagnosis):
    """In characters; the names of this trace hold none that are wider."""
    assert max(map(len, renderer("diagnosis", "text").render(diagnosis, width=80, color=False).splitlines())) <= 80


@pytest.mark.parametrize("charts", [False, True])
@pytest.mark.parametrize("kind", ["diagnosis", "comparison"])
def test_html_for_notebooks_shows_markup_as_it_is(kind, charts, request):
    """The only tags are our own, and control characters are none."""
    result = replace(request.getfixturevalue(kind))
    if charts:
        result = result.with_charts(lambda: framed(comparison_page(request.getfixturevalue("comparison"))))
    page = result._repr_html_()
    assert set(re.findall(r"<(/?\w*)", page)) == {"pre", "/pre", "span", "/span"} | ({"iframe", "/iframe"} if charts else set())
    assert set(re.findall(r"<(?:pre|span|iframe) (\w+)=", page)) == {"style"} | ({"sandbox"} if charts else set())
    assert ('sandbox="allow-scripts"' in page) is charts
    assert not CONTROLS.findall(page)
