"""Relations are made once, after what they read, only when somebody asks, and never change."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import duckdb
import pytest
from jobs import data_parallel
from synthetic import MS
from traces import FIXTURES, analysis
from variations import some

from gapfinder.pipeline.relations import Relation, closure
from gapfinder.pipeline.runner import Runner, mentions

QUESTIONS = (
    lambda trace: of_diagnosis(trace.diagnose()),
    lambda trace: trace.whatif(without=["rank_imbalance"]).together_step_ns,
    lambda trace: trace.whatif(speed_up=["copy=2"]).together_step_ns,
    lambda trace: trace.gaps().height,
    lambda trace: trace.sql("SELECT cause, sum(length_ns) FROM segments GROUP BY cause ORDER BY ALL").rows(),
    lambda trace: trace.sql("DESCRIBE gaps").rows(),
    lambda trace: trace.sql("SUMMARIZE steps").rows(),
    lambda trace: trace.sql("FROM page_steps").rows(),
    lambda trace: trace.ledger().rows(),
)


def of_diagnosis(found):
    lost = [(cause.cause, cause.lost_ns, cause.predicted_step_ns) for cause in found.causes]
    return found.verdict, lost, found.job.predicted_step_ns


def relation(name, *reads, sql=None):
    return Relation(name, "test", frozenset(reads), sql or f"CREATE TABLE {name} AS SELECT 1 AS x")


@pytest.fixture
def runner_of():
    """Makes a runner on a database of its own."""
    opened = []

    def make(*relations):
        connection = duckdb.connect()
        opened.append(connection)
        return Runner(connection, {found.name: found for found in relations})

    yield make
    for connection in opened:
        connection.close()


def test_what_was_made_while_an_interrupt_came_is_not_made_again(runner_of, monkeypatch):
    """As in a notebook, where Ctrl-C ends a question and the next one is asked."""
    runner = runner_of(relation("a"), relation("b", "a"))

    def interrupted(running):
        for future in running:
            future.result()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("gapfinder.pipeline.runner.first_done", interrupted)
        with pytest.raises(KeyboardInterrupt):
            runner.make(["b"])
    assert runner.made == {"a"}
    runner.make(["b"])
    assert runner.made == {"a", "b"}


@pytest.mark.parametrize("seed", range(5))
def test_each_relation_is_made_once_and_after_what_it_reads(runner_of, seed):
    random = Random(seed)
    names = [f"r{number}" for number in range(30)]
    relations = []
    for place, name in enumerate(names):
        reads = random.sample(names[:place], min(place, random.randint(0, 3)))
        counts = "".join(f", (SELECT count(*) FROM {read})" for read in reads)
        relations.append(relation(name, *reads, sql=f"CREATE TABLE {name} AS SELECT 1 AS x{counts}"))
    random.shuffle(relations)
    runner = runner_of(*relations)
    asked = random.sample(names, 5)
    runner.make(asked)
    assert runner.made == {*closure(runner.relations, asked)}
    runner.make_all()  # a second CREATE of the same name would fail
    assert runner.made == {*names}


def test_only_what_is_asked_for_is_made(runner_of):
    runner = runner_of(relation("a"), relation("b", "a"), relation("c"))
    runner.make_for("SELECT * FROM b", main_first=False)
    assert runner.made == {"a", "b"}


def test_own_query_needs_what_it_reads_not_every_word(runner_of):
    runner = runner_of(relation("a"), relation("b", "a"), relation("c"))
    runner.make_for_own("SELECT count(*) AS c FROM b")
    assert runner.made == {"a", "b"}


def test_several_threads_may_ask_at_once(runner_of):
    runner = runner_of(*(relation(f"r{number}", *([f"r{number - 1}"] if number else [])) for number in range(20)))
    with ThreadPoolExecutor(8) as pool:
        assert [found.result() for found in [pool.submit(runner.make, [f"r{number}"]) for number in range(20)]] == [None] * 20
    assert len(runner.made) == 20


def test_a_relation_that_fails_says_why_and_the_others_stay(runner_of):
    runner = runner_of(relation("good"), relation("bad", "good", sql="CREATE TABLE bad AS SELECT nothing FROM good"))
    with pytest.raises(duckdb.BinderException, match="nothing"):
        runner.make(["bad"])
    runner.make(["good"])
    assert runner.made == {"good"}


def test_a_query_mentions_what_the_parser_says_it_does():
    connection = duckdb.connect()
    assert mentions(connection, "SELECT count(*) AS gaps FROM steps WHERE name = 'segments' ORDER BY gaps") == {
        "steps",
        "count_star",
    }
    assert mentions(connection, "FROM flatten('calls')") == {"flatten", "calls"}
    assert {"gaps", "steps"} <= mentions(connection, "FROM histogram_values(gaps, length_ns), histogram(trace.steps, step)")
    assert mentions(connection, "FROM main.gaps JOIN trace.gaps USING (gap_id)") == {"main.gaps", "gaps"}
    assert mentions(connection, "DESCRIBE gaps") == {"gaps"}
    assert mentions(connection, "SHOW TABLES") is None
    assert mentions(connection, "FROM duckdb_views()") is None
    assert mentions(connection, "EXPLAIN FROM gaps") is None


def test_the_list_of_gaps_makes_no_page_and_no_tracks():
    with analysis(FIXTURES / "rank_imbalance_faulty.sqlite") as trace:
        trace.gaps()
        assert "window_segments" in trace.runner.made
        assert not {name for name in trace.runner.made if name.startswith(("page_", "track", "rank_", "replay_", "evidence_"))}
        trace.diagnose()
        assert not {name for name in trace.runner.made if name.startswith(("page_", "track"))}


@pytest.fixture(scope="module", params=some(1, ["two ranks, one of them late", "rank_imbalance_faulty.sqlite"]))
def asked(request, tmp_path_factory):
    """A trace of two ranks, and the answer to each question, asked of it in order."""
    path = FIXTURES / request.param
    if not path.exists():
        job = data_parallel(lambda _: {1: 9 * MS}, together=True)
        for start in range(20 * MS, 80 * MS, 10 * MS):
            job.traces[0].copy(start, start + MS, (start - 10_000, start - 5_000), thread=job.main(0), stream=9)
        path = job.traces[0].write(tmp_path_factory.mktemp("ranks") / "t.sqlite")
    with analysis(path) as trace:
        return path, [question(trace) for question in QUESTIONS]


@pytest.mark.parametrize("seed", some(1, range(3)))
def test_no_question_changes_the_answer_to_another(asked, seed):
    path, answers = asked
    order = [*range(len(QUESTIONS))] * 2
    Random(seed).shuffle(order)
    with analysis(path) as trace:
        for number in order:
            assert QUESTIONS[number](trace) == answers[number]
