"""The notebook runs from its first cell to its last, in a kernel, and every result shows itself in HTML."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).with_name("first_look.ipynb")


@pytest.fixture(scope="module")
def notebook():
    found = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(found, timeout=60, resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    return found


def test_it_is_kept_without_outputs():
    cells = [cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in cells] == [[]] * len(cells)
    assert {cell.execution_count for cell in cells} == {None}


def test_results_show_themselves(notebook):
    shown = [shown_by(cell) for cell in notebook.cells if cell.cell_type == "code"]
    html = [found["text/html"] for found in shown if "text/html" in found]
    assert [page[:5] for page in html] == ["<code", "<pre ", "<div>", "<div>", "<div>", "<div>", "<pre ", "<pre "]
    assert "pysample_tokenize.sqlite" in html[0]
    assert "are lost to host_sync" in html[1]
    assert "without host_sync" in html[6]
    assert "1.40 times as fast" in html[7]


def test_nothing_else_is_written(notebook):
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert {output.output_type for output in outputs} == {"execute_result"}


def shown_by(cell):
    """What a cell's value is in each format; nothing for a statement."""
    return next((output.data for output in cell.outputs if output.output_type == "execute_result"), {})
