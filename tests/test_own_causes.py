"""A cause in the user's config folder counts like a built-in one, and a wrong one is told in one line."""

import json
import tempfile

import pytest
from traces import FIXTURES, diagnosis

import gapfinder

TRACE = FIXTURES / "pysample_tokenize.sqlite"  # 8 of 27 ms a step are lost in an NVTX range `tokenize`
SMALL = FIXTURES / "module_loading_fixed.sqlite"  # any will do to see what is wrong with a cause
CLAIMS = """
-- What the thread that launches does in that range.
CREATE VIEW claims_tokenizer AS
SELECT s.segment_id, 1 AS precedence, 'named' AS basis
FROM segments AS s
INNER JOIN nvtx_paths AS p ON p.event_id = s.range_id
WHERE p.path LIKE '%tokenize';
"""
FIX = "CREATE VIEW fix_tokenizer AS SELECT 'Tokenize in the workers.' AS fix;\n"
COMMENTS = """
COMMENT ON VIEW claims_tokenizer IS 'the batch was tokenized';
COMMENT ON VIEW fix_tokenizer IS 'Tokenize ahead.';
"""
STATE = "CREATE VIEW states_tokenizer AS SELECT '{state}' AS state, {precedence} AS precedence, 'seen' AS basis;\n"
EVERY = "CREATE VIEW claims_tokenizer AS SELECT {segment_id} AS segment_id, {precedence} AS precedence, {basis} AS basis FROM segments;"
STATE_COMMENTS = COMMENTS.replace("claims_", "states_")


def claims(*, segment_id="segment_id", precedence="1", basis="'seen'"):
    return EVERY.format(segment_id=segment_id, precedence=precedence, basis=basis)


@pytest.fixture
def config(tmp_path):
    """A config file with the cause beside it."""
    return teach(tmp_path / "gapfinder", CLAIMS + FIX + COMMENTS)


def teach(folder, sql, name="tokenizer"):
    (folder / "causes").mkdir(parents=True)
    (folder / "causes" / f"{name}.sql").write_text(sql)
    file = folder / "config.toml"
    file.write_text("")
    return file


def test_it_is_the_verdict_and_the_ledger_stays_exact(config):
    with gapfinder.open(TRACE, config=config) as trace:
        found = trace.diagnose()
        lost = {cause.cause: cause.lost_ns for cause in found.causes}
        assert found.verdict == "tokenizer"
        assert found.headline.startswith("7.93 ms of each 27.5 ms step (28.8 %) are lost to tokenizer: the batch was tokenized")
        assert found.causes[0].fix == "Tokenize in the workers."
        assert found.devices[0].compute_ns + sum(lost.values()) == found.window.end_ns - found.window.start_ns
        assert set(trace.gaps(cause="tokenizer")["cause"]) == {"tokenizer"}
    before = {cause.cause: cause.lost_ns for cause in diagnosis(TRACE).causes}
    assert lost["tokenizer"] == before["host_sync"] - lost["host_sync"] > 0
    assert sum(before.values()) == sum(lost.values())


def test_a_state_is_claimed_by_its_name(tmp_path):
    before = {cause.cause: cause.lost_ns for cause in diagnosis(TRACE).causes}
    for precedence, wins in ((1, True), (9999, False)):
        sql = STATE.format(state="sync", precedence=precedence) + FIX + STATE_COMMENTS
        with gapfinder.open(TRACE, config=teach(tmp_path / str(precedence), sql)) as trace:
            lost = {cause.cause: cause.lost_ns for cause in trace.diagnose().causes}
            others = trace.facts("SELECT DISTINCT cause FROM segments WHERE state = 'sync' AND cause <> 'tokenizer'")
        assert ("tokenizer" in lost) == wins == (not others)
        assert sum(lost.values()) == sum(before.values())


def test_the_config_folder_is_found_and_every_format_has_it(config, command_line, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config.parents[1]))
    text = command_line("diagnose", TRACE, "--fail-on", "tokenizer>1%")
    assert text.status == 1
    assert "FAILED  tokenizer>1%: found 28.8" in text.output
    assert "> Tokenize in the workers." in text.output
    shown = json.loads(command_line("diagnose", TRACE, "--format", "json").output)
    assert [shown["verdict"]["cause"], shown["causes"][0]["cause"]] == ["tokenizer", "tokenizer"]
    assert shown["causes"][0]["fix"] == "Tokenize in the workers."


def test_it_can_be_left_out_compared_and_gated(config):
    with gapfinder.open(TRACE, config=config) as trace:
        answer = trace.whatif(without=["tokenizer"])
    assert answer.changes[0].predicted_step_ns == pytest.approx(answer.step_ns * (1 - 0.288), rel=0.01)
    comparison = gapfinder.compare(TRACE, FIXTURES / "tokenize_fixed.sqlite", config=config, gates=["tokenizer>-1%"])
    assert [line.change for line in comparison.last.causes if line.name == "tokenizer"] == ["closed"]
    assert comparison.gates[0].passed


@pytest.mark.parametrize(
    ("name", "sql", "said"),
    [
        ("tokenizer", "SELEC 1;" + COMMENTS, "syntax error"),
        ("tokenizer", CLAIMS.replace("path", "way") + FIX + COMMENTS, "way"),
        ("tokenizer", CLAIMS + COMMENTS, "fix_tokenizer"),
        ("tokenizer", CLAIMS + FIX, "there is no COMMENT ON VIEW claims_tokenizer"),
        ("copy", CLAIMS + FIX + COMMENTS, "the name 'copy' is taken"),
        ("lost", CLAIMS + FIX + COMMENTS, "the name 'lost' is taken"),
        ("My-Cause", CLAIMS + FIX + COMMENTS, "the name of a cause is made of a-z, 0-9 and _"),
        ("tokenizer", claims(segment_id="'one'") + FIX + COMMENTS, "Could not convert string 'one'"),
        ("tokenizer", claims(precedence="NULL") + FIX + COMMENTS, "a claim has a segment_id, a precedence of 0 to 9999"),
        ("tokenizer", claims(precedence="-1") + FIX + COMMENTS, "a claim has a segment_id, a precedence of 0 to 9999"),
        ("tokenizer", claims(precedence="10000") + FIX + COMMENTS, "a claim has a segment_id, a precedence of 0 to 9999"),
        ("tokenizer", claims(basis="'guessed'") + FIX + COMMENTS, "guessed"),
        ("tokenizer", STATE.format(state="syncing", precedence=1) + FIX + STATE_COMMENTS, "syncing"),
        ("tokenizer", STATE.format(state="sync", precedence=-1) + FIX + STATE_COMMENTS, "a claim has a state, a precedence of 0"),
        ("tokenizer", CLAIMS + FIX.replace("'Tokenize in the workers.'", "7") + COMMENTS, "the fix in fix_tokenizer is a text"),
        ("tokenizer", claims().replace("segments", "segments, read_csv('/etc/passwd')") + FIX + COMMENTS, "Cannot access file"),
        ("tokenizer", claims().replace("segments", "segments, '/etc/passwd'") + FIX + COMMENTS, "/etc/passwd"),
        ("tokenizer", "COPY segments TO 'stolen.csv';" + CLAIMS + FIX + COMMENTS, "and no more"),
        ("tokenizer", "DELETE FROM segments;" + CLAIMS + FIX + COMMENTS, "and no more"),
        ("tokenizer", "CREATE VIEW ledger AS SELECT 1;" + CLAIMS + FIX + COMMENTS, "and no more"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, command_line, monkeypatch, name, sql, said):
    config = teach(tmp_path / "gapfinder", sql, name)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(tempfile, "tempdir", str(work))
    done = command_line("diagnose", SMALL, "--config", config)
    assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
    assert f"{name}.sql: " in done.errors
    assert said in done.errors
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("sql", ["SELEC 1;" + COMMENTS, "DELETE FROM segments;" + CLAIMS + FIX + COMMENTS])
def test_it_is_told_before_a_trace_is_read(tmp_path, command_line, sql):
    trace = tmp_path / "none.sqlite"
    trace.write_text("no trace")
    done = command_line("diagnose", trace, "--config", teach(tmp_path / "gapfinder", sql))
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "tokenizer.sql: " in done.errors


def test_a_file_that_was_changed_is_read_again(config):
    with gapfinder.open(TRACE, config=config) as trace:
        assert trace.config.causes["tokenizer"].usual_fix == "Tokenize ahead."
    cause = config.parent / "causes" / "tokenizer.sql"
    cause.write_text(cause.read_text().replace("Tokenize ahead", "Tokenize once"))
    with gapfinder.open(TRACE, config=config) as trace:
        assert trace.config.causes["tokenizer"].usual_fix == "Tokenize once."
