"""Adding a cause means adding one file: everything else finds it there."""

import json

import pytest
from synthetic import MS, US, Synthetic

import gapfinder
from gapfinder.pipeline.causes import table
from gapfinder.pipeline.config import read_config

GC_PAUSE = """/* cause
meaning = "Python collected garbage"
usual_fix = "Freeze what lives for long (gc.freeze), and collect between steps."
color = "#12ab34"
color_dark = "#34cd56"
names = ["^gc$"]
finding_share = 0.05
*/

-- reads: named_ranges, segments
CREATE VIEW rules_gc_pause AS
SELECT s.segment_id, 20 AS priority, 'named' AS basis
FROM segments AS s
INNER JOIN named_ranges AS n ON n.range_id = s.range_id AND n.cause = 'gc_pause'
WHERE s.state IN ('run', 'launch');

-- reads: rules_gc_pause
CREATE VIEW fix_gc_pause AS
SELECT format('Collect less often: {} pauses.', count(*)) AS fix FROM rules_gc_pause;

-- reads: recorded_tables
CREATE VIEW notes_gc_pause AS
SELECT 'How much was collected is not in a trace.' AS note;
"""


@pytest.fixture
def config(tmp_path):
    """A config with the file of the cause beside it, and nothing else."""
    (tmp_path / "causes").mkdir()
    (tmp_path / "causes" / "gc_pause.sql").write_text(GC_PAUSE)
    file = tmp_path / "config.toml"
    file.write_text("")
    return file


@pytest.fixture
def trace(tmp_path):
    """Eight steps of 10 ms, in each of which a pause of 4 ms keeps the CPU from launching."""
    trace = Synthetic()
    for begin in range(0, 80 * MS, 10 * MS):
        trace.nvtx("step", begin, begin + 9 * MS)
        trace.kernel(begin + 10 * US, begin + 5 * MS, launched=(begin, begin + 5 * US))
        trace.nvtx("gc", begin + 5 * MS, begin + 9 * MS - 100 * US)
        trace.kernel(begin + 9 * MS, begin + 10 * MS, launched=(begin + 9 * MS - 20 * US, begin + 9 * MS - 10 * US))
    return trace.write(tmp_path / "gc.sqlite")


def test_it_is_found_everywhere(config, trace, tmp_path, command_line):
    chosen = ("--config", config)
    with gapfinder.open(trace, config=config) as opened:
        found = opened.diagnose()
        assert found.verdict == "gc_pause"
        assert found.headline.startswith("3.90 ms of each 10.0 ms step")
        assert found.causes[0].fix == "Collect less often: 8 pauses."
        assert "How much was collected is not in a trace." in found.notes
        assert found.causes[0].predicted_step_ns < 7 * MS
        assert opened.gaps(cause="gc_pause").height == 8
        removed = opened.whatif(without=["gc_pause"])
        assert removed.together_step_ns == found.causes[0].predicted_step_ns
    assert command_line("gaps", trace, "--cause", "gc_pause", *chosen).output.count("gc_pause") == 8
    gated = command_line("diagnose", trace, "--fail-on", "gc_pause>10%", *chosen)
    assert gated.status == 1
    assert "FAILED  gc_pause>10%" in gated.output
    page = tmp_path / "page.html"
    assert command_line("report", trace, "-o", page, *chosen).status == 0
    assert {"id": "gc_pause", "color": "#12ab34", "color_dark": "#34cd56"} in theme(page.read_text())
    assert "| `gc_pause` | Python collected garbage | Freeze what lives for long" in table(read_config(config).causes)


def theme(page):
    """The colors that a page holds as data."""
    text = page[page.index('"theme":') + len('"theme":') :]
    return json.JSONDecoder().raw_decode(text.lstrip())[0]["causes"]
