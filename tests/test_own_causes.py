"""A cause in the user's config folder counts like a built-in one, and a wrong one is told in one line."""

import json
import os
import tempfile

import pytest
from processes import Sandbox
from traces import FIXTURES, diagnosis
from variations import some

import gapfinder

TRACE = FIXTURES / "pysample_tokenize.sqlite"  # 8 of 27 ms a step are lost in an NVTX range `tokenize`
SMALL = FIXTURES / "module_loading_fixed.sqlite"  # any will do to see what is wrong with a cause
FACTS = """/* cause
meaning = "the batch was tokenized"
usual_fix = "Tokenize ahead."
{more}
*/
"""
RULES = """
-- What the launching thread does in that range.
CREATE VIEW rules_tokenizer AS
SELECT s.segment_id, 1 AS priority, 'named' AS basis
FROM segments AS s
INNER JOIN nvtx_paths AS p ON p.range_id = s.range_id
WHERE p.path LIKE '%tokenize';
"""
FIX = "CREATE VIEW fix_tokenizer AS SELECT 'Tokenize in the workers.' AS fix;\n"
EVERY = (
    "CREATE VIEW rules_tokenizer AS SELECT {segment_id} AS segment_id, {priority} AS priority, {basis} AS basis FROM segments;"
)
STATE = '[[states]]\nstate = "{state}"\npriority = {priority}\n'


def facts(more=""):
    return FACTS.format(more=more)


def state(name="sync", priority=1, more=""):
    return facts(STATE.format(state=name, priority=priority) + more)


def rules(*, segment_id="segment_id", priority="1", basis="'seen'"):
    """A file whose rule explains every segment."""
    return facts() + EVERY.format(segment_id=segment_id, priority=priority, basis=basis)


CAUSE = facts() + RULES + FIX


@pytest.fixture
def config(tmp_path):
    """A config file with the cause beside it."""
    return teach(tmp_path / "gapfinder", CAUSE)


def teach(folder, text, name="tokenizer"):
    (folder / "causes").mkdir(parents=True)
    (folder / "causes" / f"{name}.sql").write_text(text)
    file = folder / "config.toml"
    file.write_text("")
    return file


def test_own_cause_is_the_verdict_and_the_ledger_stays_exact(config):
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


@pytest.mark.parametrize(
    "sql",
    some(
        1,
        [
            RULES.replace("-- What", "-- reads: nvtx_paths, segments\n-- What") + "\n" + FIX,
            (RULES + FIX).replace("CREATE VIEW", "create\n  view").replace("rules_", "Rules_").replace("fix_", "FIX_"),
            RULES + "COMMENT ON VIEW rules_tokenizer IS 'the batch was tokenized';\n" + FIX + "-- the end",
            FIX.replace("fix_tokenizer AS", "fix_tokenizer (fix) AS") + "/* and\nits rules */" + RULES,
        ],
    ),
    ids=["stated reads", "small letters", "comments", "named columns"],
)
def test_sql_of_own_cause_may_be_written_in_any_style(tmp_path, sql):
    with gapfinder.open(TRACE, config=teach(tmp_path, facts() + sql)) as trace:
        assert trace.tuples("SELECT cause FROM cause_totals ORDER BY lost_ns DESC LIMIT 1") == [("tokenizer",)]
        assert trace.tuples("SELECT fix FROM fix_tokenizer") == [("Tokenize in the workers.",)]


INJECTED = """" ) AS SELECT a AS fix FROM query('SELECT 42 AS a') AS \""""  # the name of a column, as DuckDB reads it
ODD = """
CREATE VIEW rules_tokenizer AS SELECT 'x' AS cause, segment_id, 1 AS priority, 'seen' AS basis, 1 AS more FROM segments;
CREATE VIEW lines_tokenizer AS SELECT *
FROM (VALUES (NULL, 1, 'f'), ('a.py', NULL, 'f'), ('a.py', 1, NULL)) AS t (file, line, function);
CREATE VIEW notes_tokenizer AS SELECT unnest([NULL, 7]) AS note;
CREATE VIEW fix_tokenizer AS SELECT [1, 2] AS fix;
"""


def test_columns_too_many_and_values_of_other_types_or_none_do_no_harm(tmp_path):
    with gapfinder.open(SMALL, config=teach(tmp_path, facts() + ODD)) as trace:
        found = trace.diagnose()
        assert trace.sql("FROM lines WHERE cause = 'tokenizer'").height == 0
    assert (found.causes[0].cause, found.causes[0].fix) == ("tokenizer", "[1, 2]")
    assert "7" in found.notes
    assert None not in found.notes


def test_sql_of_own_cause_runs_once(tmp_path):
    every_second = (
        "CREATE VIEW rules_tokenizer AS SELECT segment_id, 1 AS priority, 'seen' AS basis FROM segments WHERE random() < 0.5;"
    )
    with gapfinder.open(SMALL, config=teach(tmp_path, facts() + every_second)) as trace:
        asked = [trace.sql("FROM rules_tokenizer ORDER BY segment_id") for _ in range(2)]
        assert asked[0].equals(asked[1])
        ((lost_ns,),) = trace.tuples("SELECT sum(lost_ns) FROM ledger")
        assert trace.tuples("SELECT window_ns - compute_ns FROM devices") == [(lost_ns,)]


def test_own_cause_may_call_an_interval_macro_and_name_one_in_a_comment(tmp_path):
    sql = """
    CREATE VIEW rules_tokenizer AS  -- not flatten('nothing')
    SELECT DISTINCT s.segment_id, 1 AS priority, 'seen' AS basis
    FROM segments AS s
    WHERE (SELECT count(*) FROM flatten('thread_events')) >= 0;
    """
    with gapfinder.open(SMALL, config=teach(tmp_path, facts() + sql)) as trace:
        assert trace.tuples("SELECT cause FROM cause_totals") == [("tokenizer",)]


def test_own_cause_that_takes_too_much_memory_is_told(tmp_path):
    sql = "CREATE VIEW notes_tokenizer AS SELECT repeat(i::VARCHAR, 50_000_000) AS note FROM range(1000) AS t (i);"
    config = teach(tmp_path / "gapfinder", facts() + sql)
    peak_bytes, done = Sandbox(tmp_path).peak_of("diagnose", SMALL, "--memory-limit", "500MB", "--config", config)
    assert peak_bytes < 1_000_000_000
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "tokenizer.sql: " in done.errors


def test_own_cause_may_be_written_on_windows_and_without_a_fix_has_its_usual_fix(tmp_path):
    file = teach(tmp_path, "").parent / "causes" / "tokenizer.sql"
    file.write_bytes(b"\xef\xbb\xbf" + (facts() + RULES).replace("\n", "\r\n").encode())
    with gapfinder.open(TRACE, config=tmp_path / "config.toml") as trace:
        found = trace.diagnose()
    assert (found.verdict, found.causes[0].fix) == ("tokenizer", "Tokenize ahead.")


def test_own_cause_explains_a_state_by_its_priority(tmp_path):
    before = {cause.cause: cause.lost_ns for cause in diagnosis(TRACE).causes}
    for priority, wins in ((1, True), (9999, False)):
        with gapfinder.open(TRACE, config=teach(tmp_path / str(priority), state("sync", priority) + FIX)) as trace:
            lost = dict(trace.tuples("SELECT cause, lost_ns FROM cause_totals"))
            others = trace.id_rows("SELECT DISTINCT cause FROM window_segments WHERE state = 'sync' AND cause <> 'tokenizer'")
        assert ("tokenizer" in lost) == wins == (not others)
        assert sum(lost.values()) == sum(before.values())


def test_config_folder_is_found_and_every_format_has_the_own_cause(config, command_line, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config.parents[1]))
    text = command_line("diagnose", TRACE, "--fail-on", "tokenizer>1%")
    assert text.status == 1
    assert "FAILED  tokenizer>1%: found 28.8" in text.output
    assert "> Tokenize in the workers." in text.output
    shown = json.loads(command_line("diagnose", TRACE, "--format", "json").output)
    assert [shown["verdict"]["cause"], shown["causes"][0]["cause"]] == ["tokenizer", "tokenizer"]
    assert shown["causes"][0]["fix"] == "Tokenize in the workers."


@pytest.mark.thorough
def test_own_cause_can_be_left_out_compared_and_gated(config):
    with gapfinder.open(TRACE, config=config) as trace:
        answer = trace.whatif(without=["tokenizer"])
    assert answer.changes[0].predicted_step_ns == pytest.approx(answer.step_ns * (1 - 0.288), rel=0.01)
    comparison = gapfinder.compare(TRACE, FIXTURES / "tokenize_fixed.sqlite", config=config, gates=["tokenizer>-1%"])
    assert [line.change for line in comparison.last.causes if line.name == "tokenizer"] == ["closed"]
    assert comparison.gates[0].passed


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        # the name
        ("copy", CAUSE, "the name 'copy' is taken"),
        ("lost", CAUSE, "the name 'lost' is taken"),
        ("My-Cause", CAUSE, "the name of a cause is made of a-z, 0-9 and _"),
        # the facts
        ("tokenizer", RULES + FIX, "a cause begins with its facts, as TOML between '/* cause' and '*/'"),
        ("tokenizer", facts("by_design = yes") + RULES, "Invalid value (at line 3, column 13)"),
        ("tokenizer", facts().replace("meaning", "means") + RULES, "the facts of a cause need a meaning"),
        ("tokenizer", facts().replace('"the batch was tokenized"', '""') + RULES, "the facts of a cause need a meaning"),
        ("tokenizer", facts().replace('"the batch was tokenized"', "7") + RULES, "meaning is a text"),
        (
            "tokenizer",
            facts("colour = '#ff0000'") + RULES,
            "there is no fact 'colour'; here stand meaning, usual_fix, needs",
        ),
        ("tokenizer", facts("file = 'x'") + RULES, "there is no fact 'file'"),
        ("tokenizer", facts("color = 'red'") + RULES, "color is six hexadecimal digits, as #d03b3b"),
        ("tokenizer", facts("by_design = 'no'") + RULES, "by_design is true or false"),
        ("tokenizer", facts("finding_share = '3%'") + RULES, "finding_share is a share, 0 to 1"),
        ("tokenizer", facts("finding_share = nan") + RULES, "finding_share is a share, 0 to 1"),
        ("tokenizer", facts("finding_gain = -inf") + RULES, "finding_gain is a share, 0 to 1"),
        ("tokenizer", facts("finding_share = 1" + 500 * "0") + RULES, "finding_share is a share, 0 to 1"),
        ("tokenizer", facts().replace("the batch", "\\u001b[31mthe batch") + RULES, "meaning is a text in one line"),
        ("tokenizer", facts().replace("the batch", 200 * "the batch") + RULES, "meaning is a text in one line"),
        ("tokenizer", facts(f"names = {1001 * ['tokenize']}") + RULES, "1,001 regular expressions are more than 1,000"),
        ("tokenizer", facts("names = 'tokenize'") + RULES, "names is a list of texts"),
        ("tokenizer", facts("names = ['(token']") + RULES, "'(token' is no regular expression"),
        ("tokenizer", facts("needs = ['sensors']") + RULES, "a cause cannot need 'sensors'; needs are os_calls,"),
        ("tokenizer", facts("states = ['sync']") + RULES, "states are tables [[states]], each with a state and a priority"),
        ("tokenizer", facts("[[states]]\nstate = 'sync'"), "states are tables [[states]], each with a state and a priority"),
        ("tokenizer", state("syncing"), "there is no state 'syncing'; the states are launch, run, sync"),
        ("tokenizer", state(priority=-1), "a rule has a priority of 0 to 9999"),
        ("tokenizer", state(priority=10_000), "a rule has a priority of 0 to 9999"),
        ("tokenizer", state(priority='"first"'), "priority is a whole number"),
        ("tokenizer", state(more="basis = 'guessed'"), "and a basis: seen, named, inferred"),
        ("tokenizer", facts("remove = true") + RULES, "remove is a table, or false"),
        ("tokenizer", facts("[remove]\nstates = ['lok']") + RULES, "there is no 'lok' to remove; states are run, sync"),
        ("tokenizer", facts("[remove]\nall = true") + RULES, "there is no fact 'all'; here stand segments, states"),
        # the SQL
        ("tokenizer", facts() + "SELEC 1;", "syntax error"),
        ("tokenizer", rules(priority=2_000 * "(" + "1" + 2_000 * ")"), "nests brackets more than 1,000 deep"),
        ("tokenizer", rules(basis="||".join(600 * ["'seen'"])), "the SQL nests too deep"),
        ("tokenizer", CAUSE.replace("path LIKE", "way LIKE"), "way"),
        ("tokenizer", CAUSE.replace("nvtx_paths", "nvtx_ways"), "Table with name nvtx_ways does not exist"),
        ("tokenizer", CAUSE.replace("FROM segments", "FROM window_segments"), "what it reads is made of its own rules"),
        ("tokenizer", rules(segment_id="'one'"), "Could not convert string 'one'"),
        ("tokenizer", rules(segment_id="-1"), "a rule is of segment -1, and the relation segments has none"),
        ("tokenizer", rules(priority="NULL"), "a rule has a segment_id, a priority of 0 to 9999"),
        ("tokenizer", rules(priority="-1"), "a rule has a segment_id, a priority of 0 to 9999"),
        ("tokenizer", rules(priority="10000"), "a rule has a segment_id, a priority of 0 to 9999"),
        ("tokenizer", rules(basis="'guessed'"), "and a basis: seen, named, inferred"),
        ("tokenizer", CAUSE + FIX, "there are two views fix_tokenizer"),
        ("tokenizer", CAUSE.replace(" AS fix;", " AS advice;"), '"fix" not found'),
        ("tokenizer", facts() + "CREATE VIEW lines_tokenizer AS SELECT 1 AS line;", '"file" not found'),
        ("tokenizer", CAUSE.replace("'Tokenize in the workers.'", "repeat('x', 10_001)"), "1 rows, the longest of 10,001"),
        ("tokenizer", CAUSE.replace(" AS fix;", " AS fix FROM range(101);"), "fix_tokenizer has 101 rows"),
        ("tokenizer", rules().replace("FROM segments", "FROM segments, flatten('nothing')"), "nothing does not exist"),
        # its sandbox
        ("tokenizer", rules().replace("segments", "segments, read_csv('/etc/passwd')"), "read_csv(…) does more"),
        ("tokenizer", rules().replace("segments", "segments, `query`('SELECT 1')"), "'`query`' may be another name"),
        ("tokenizer", rules().replace("segments", "segments, /*'*/ query\u200b('SELECT 1')"), "may be another name"),
        ("tokenizer", facts() + f"CREATE VIEW fix_tokenizer ({INJECTED}) AS SELECT 1;" + RULES, '"fix" not found'),
        ("tokenizer", rules().replace("segments", "(WITH s AS (DELETE FROM steps RETURNING *) FROM s)"), "DELETE does more"),
        (
            "tokenizer",
            rules().replace("segments", "segments, enable_logging(storage_path := 'x')"),
            "enable_logging(…) does more",
        ),
        (
            "tokenizer",
            facts() + "CREATE VIEW notes_tokenizer AS SELECT 'x' AS note FROM checkpoint();",
            "checkpoint(…) does more",
        ),
        ("tokenizer", rules().replace("segments", "segments, '/etc/passwd'"), "/etc/passwd"),
        ("tokenizer", facts() + "COPY segments TO 'stolen.csv';" + RULES, "and no more"),
        ("tokenizer", facts() + "DELETE FROM segments;" + RULES, "and no more"),
        ("tokenizer", facts() + "CREATE VIEW ledger AS SELECT 1;" + RULES, "and no more"),
        ("tokenizer", facts() + "CREATE VIEW rules_other AS SELECT 1;" + RULES, "and no more"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, command_line, monkeypatch, name, text, said):
    config = teach(tmp_path / "gapfinder", text, name)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(tempfile, "tempdir", str(work))
    done = command_line("diagnose", SMALL, "--config", config)
    assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
    assert f"{name}.sql: " in done.errors
    assert said in done.errors
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("text", [facts("color = 7"), facts() + "SELEC 1;", facts() + "DELETE FROM segments;" + RULES])
def test_wrong_cause_is_told_before_a_trace_is_read(tmp_path, command_line, text):
    trace = tmp_path / "none.sqlite"
    trace.write_text("no trace")
    done = command_line("diagnose", trace, "--config", teach(tmp_path / "gapfinder", text))
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "tokenizer.sql: " in done.errors


def test_what_has_no_end_is_not_read(config, command_line):
    done = command_line("diagnose", TRACE, "--config", "/dev/zero")
    assert (done.status, done.errors) == (2, "gapfinder: /dev/zero cannot be read: it has more than 1,000,000 bytes\n")
    file = config.parent / "causes" / "tokenizer.sql"
    file.unlink()
    os.mkfifo(file)
    done = command_line("diagnose", TRACE, "--config", config)
    assert (done.status, done.errors) == (2, f"gapfinder: {file} cannot be read: it is no regular file\n")


def test_redaction_says_that_the_sql_of_an_own_cause_may_find_less(config, command_line, tmp_path):
    done = command_line("redact", SMALL, "--config", config, "-o", tmp_path / "clean.sqlite")
    assert done.status == 0
    assert "compare the diagnoses: the SQL of tokenizer may look for names that are gone" in done.errors
    assert "compare" not in command_line("redact", SMALL, "-o", tmp_path / "other.sqlite").errors


def test_unknown_setting_is_told(config, command_line):
    config.write_text("[nmaes]\nstorage_io = ['feeder']\n")
    done = command_line("diagnose", TRACE, "--config", config)
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "there is no setting 'nmaes'" in done.errors


def test_a_config_that_nobody_named_is_mentioned(config, command_line, monkeypatch):
    config.rename(config.with_name("gapfinder.toml"))
    monkeypatch.chdir(config.parent)
    done = command_line("diagnose", TRACE)
    assert (done.status, done.errors.count("\n")) == (0, 1)
    assert "using ./gapfinder.toml" in done.errors
    assert "tokenizer" in done.output
    assert command_line("diagnose", TRACE, "--config", "gapfinder.toml").errors == ""


def test_changed_file_is_read_again(config):
    with gapfinder.open(TRACE, config=config) as trace:
        assert trace.config.causes["tokenizer"].usual_fix == "Tokenize ahead."
    cause = config.parent / "causes" / "tokenizer.sql"
    cause.write_text(cause.read_text().replace("Tokenize ahead", "Tokenize once"))
    with gapfinder.open(TRACE, config=config) as trace:
        assert trace.config.causes["tokenizer"].usual_fix == "Tokenize once."


def test_own_cause_is_seen_by_the_frames_that_it_states(tmp_path):
    """The batch is tokenized in step() itself, for milliseconds at a time."""
    told = "SELECT segment_id, 1 AS priority, 'seen' AS basis FROM matched_segments WHERE cause = 'tokenizer'"
    sql = facts(r"frames = ['^[^ ]*train\.py:step < ']") + f"CREATE VIEW rules_tokenizer AS {told};"
    with gapfinder.open(TRACE, config=teach(tmp_path, sql)) as trace:
        seen = trace.tuples(
            "SELECT DISTINCT basis, state, path LIKE '%tokenize' "
            "FROM window_segments LEFT JOIN nvtx_paths USING (range_id) WHERE cause = 'tokenizer'"
        )
    assert seen == [("seen", "run", True)]
