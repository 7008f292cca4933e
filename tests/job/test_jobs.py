"""Jobs of several ranks: who was late, why, and what the job would take without it."""

import json
import shutil
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from jobs import ALL_REDUCE, LOAD, SEND_RECV, Ranks, data_parallel, pipeline, validating
from synthetic import MS, US
from traces import FIXTURES, diagnosis, opened
from variations import some

import gapfinder
from gapfinder.diagnosis.job import JobCause, LateRank, RankLedger
from gapfinder.job.clock import Clock, Event, fitted, shift
from gapfinder.job.diagnose import first_cause
from gapfinder.job.paths import expanded, in_order, numbers_of
from gapfinder.job.patterns import PIPELINE, by_design
from gapfinder.job.replay import common_steps
from gapfinder.job.words import by_rank
from gapfinder.pipeline.causes import built_in
from gapfinder.render import formats, renderer
from gapfinder.units import duration

STEP = LOAD + 5 * MS + 0.2 * MS  # in which nobody is late: loading, computing, an all-reduce
ALL_GATHER = "ncclDevKernel_AllGather_RING_LL"
BROADCAST = "ncclDevKernel_Broadcast_RING_LL"
REDUCE_SCATTER = "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL"
STRAGGLERS = [FIXTURES / f"straggler_rank{rank}.sqlite" for rank in (0, 1)]


def exact(job):
    for rank in job.ranks:
        assert rank.compute_ns + sum(rank.causes.values()) == rank.window_ns
    assert sum(job.step_lengths_ns) == job.window_ns
    return job


@contextmanager
def opened_copy(job):
    """The one report of all ranks of a job."""
    with job.written() as (path,), gapfinder.open(path) as trace:
        yield trace


@cache
def stragglers():
    return exact(gapfinder.diagnose_job(*STRAGGLERS))


def test_one_rank_is_always_late():
    """It loads for 9 ms longer, on a clock 7 ms apart; mended, the step takes what the other rank lets it."""
    job = exact(data_parallel(lambda _: {1: 9 * MS}).diagnosed())
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert job.late.steps == {1: job.steps}
    assert job.late.waiting_ns == pytest.approx(9 * MS, rel=0.001)
    assert job.ranks[0].causes["rank_imbalance"] == pytest.approx(9 * MS * job.steps, rel=0.001)
    assert "rank_imbalance" not in job.ranks[1].causes
    assert job.alignment.offsets_ns == [0, 7 * MS]
    assert job.step_ns == pytest.approx(STEP + 9 * MS, rel=0.01)
    assert job.predicted_step_ns == pytest.approx(STEP, rel=0.02)
    assert "Rank 1 arrives late in 4 of 4 steps" in job.headline
    assert by_rank(replace(job.late, of_steps=6)) == "rank 1 in 4, no rank in 2"
    assert [one.times for one in job.transfers] == [5]  # of 6 that are recorded
    assert "input_pipeline at /home/user/loader.py:12" in job.headline


def in_layers(layer_of):
    """8 steps of 12 layers. Each rank launches the small kernels of a layer, and then meets the others.

    `layer_of(step, layer, rank)` says how many kernels these are, and how long the rank takes memory before them, ns.
    """
    job = Ranks([0, 7 * MS], together=True)
    for step in range(8):
        begun = list(job.at)
        for layer in range(12):
            for rank in (0, 1):
                kernels, allocates_ns = layer_of(step, layer, rank)
                if allocates_ns:
                    start = job.local(rank, job.at[rank])
                    job.traces[rank].call("cudaMalloc_v3020", start, start + allocates_ns, job.main(rank))
                    job.at[rank] += allocates_ns
                for _ in range(kernels):
                    job.compute(rank, 10 * US)
                    job.at[rank] += 60 * US
            job.collective((0, 1), moving=10 * US)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    return job


def test_ranks_that_launch_slowly_in_turn_are_launch_bound():
    """Each waits for the other, which launches a little longer: without its launches it would wait for the other's."""
    job = exact(in_layers(lambda step, layer, rank: (10 if rank == (step + layer) % 2 else 8, 0)).diagnosed())
    assert (job.verdict, job.late and job.late.rank) == ("launch_bound", None)


def test_ranks_that_launch_slowly_in_turn_may_lose_more_to_something_else():
    """What they save without launches is compared with what they save without taking memory, and not with what that takes."""

    def layer_of(step, layer, rank):
        late = rank == (step + layer // 2) % 2
        return (9 if late and layer % 2 else 4), 450 * US + (300 * US if late and not layer % 2 else 0)

    job = exact(in_layers(layer_of).diagnosed())
    assert (job.late.rank, job.late.cause, job.verdict) == (None, "launch_bound", "memory_management")


@pytest.mark.parametrize(
    ("layers", "kernels", "pause", "cause"),
    [
        (12, 8, 120 * US, "host_sync"),
        (2, 48, 720 * US, "launch_bound"),  # a graph can hold the kernels between two waits
        (12, 16, 60 * US, "launch_bound"),  # the waits cost little
    ],
)
def test_waits_that_no_graph_can_hold_come_first(layers, kernels, pause, cause):
    """The GPUs wait longer for launches, which graphs would save. But results are read back after every few kernels, or not."""
    job = Ranks([0, 7 * MS], together=True)
    for _ in range(8):
        begun = list(job.at)
        for _ in range(layers):
            for rank in (0, 1):
                for _ in range(kernels):
                    job.compute(rank, 10 * US)
                    job.at[rank] += 20 * US
                launched = job.at[rank]
                job.compute(rank, 100 * US)
                job.wait(rank, launched)
                job.at[rank] += pause
        job.collective((0, 1), moving=10 * US)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    lost = {each.cause: each.lost_ns for each in found.causes}
    assert lost["launch_bound"] > lost["host_sync"]
    assert found.verdict == cause
    assert ("no CUDA graph can hold its waits" in (found.why_first or "")) == (cause == "host_sync")


def test_broadcasts_match_by_order():
    """The root ends long before the others, since its data is in a buffer."""
    job = Ranks([0, 7 * MS])
    for _ in range(8):
        for rank in (0, 1):
            job.compute(rank, 4 * MS)
        job.collective((0, 1), communicator=7)
        for _ in range(5):
            job.collective(
                (0, 1), moving=20 * US, jitter=(0, 200 * US), name=BROADCAST, communicator=7, calls=[["ncclBroadcast"]] * 2
            )
    alignment = job.diagnosed().alignment
    assert alignment.matched == alignment.collectives
    assert alignment.offsets_ns == pytest.approx([0, 7 * MS], abs=10 * US)


def test_a_late_rank_that_changes():
    job = exact(data_parallel(lambda step: {step % 2: 9 * MS}, steps=8, together=True).diagnosed())
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", None, "input_pipeline")
    assert job.late.steps == {0: 3, 1: 4}  # nothing tells where the first of the eight begins
    assert {charge.rank for charge in job.late.charges if charge.cause == "input_pipeline"} == {0, 1}
    assert "The late rank changes" in job.headline


def test_a_step_has_its_number_in_the_trace():
    with data_parallel(lambda step: {1: 9 * MS} if step == 4 else {}, steps=8).written() as paths:
        job = gapfinder.diagnose_job(*paths)
        with gapfinder.open(paths[0]) as trace:
            steps = trace.rows("SELECT * FROM window_steps")
    (wait,) = job.waits
    (step,) = [row["step"] for row in steps if row["start_ns"] <= job.arrivals[0].last_ns < row["end_ns"]]
    assert wait.step == step
    assert job.step_numbers == [row["step"] for row in steps][1:], "from the last collective of one to that of the next"


def test_a_rank_that_computes_more():
    job = exact(data_parallel(lambda _: {}, compute=[4 * MS, 8 * MS], together=True).diagnosed())
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "compute")
    assert job.late.waiting_ns == pytest.approx(4 * MS, rel=0.001)
    assert any("gemm takes 8.00 ms there, 4.00 ms on the others" in fact.text for fact in job.evidence)


def test_nobody_is_late():
    """A few microseconds, now here and now there, are no finding; what all ranks lose is."""
    noise = {0: 12 * US, 1: 3 * US}
    job = exact(data_parallel(lambda step: {step % 2: noise[step % 2]}, together=True).diagnosed())
    assert job.late is None
    assert job.verdict == "input_pipeline"
    assert job.ranks[0].causes["input_pipeline"] == pytest.approx(LOAD * job.steps, rel=0.02)
    assert job.predicted_step_ns == pytest.approx(STEP - LOAD, rel=0.02)


@pytest.mark.parametrize(
    ("moving", "reached"),
    some(
        1,
        [
            (3 * MS, STEP - 0.2 * MS + 1.5 * MS),  # hidden, it slows compute by half of its time
            (20 * MS, 20 * MS),  # more than there is to hide it behind
        ],
    ),
)
def test_data_that_could_move_behind_compute(moving, reached):
    """All of a step is launched before it runs."""
    job = Ranks([0, 7 * MS])
    for _ in range(6):
        for rank in (0, 1):
            begun = job.at[rank]
            job.host(rank, LOAD)
            launched, trace = job.local(rank, job.at[rank]), job.traces[rank]
            start = launched + 20 * US
            for kernel, length, stream in (("gemm", 4 * MS, 7), (ALL_REDUCE, moving, 20), ("adam", 1 * MS, 7)):
                trace.kernel(
                    start, start + length, (launched, launched + 3 * US), kernel, thread=job.main(rank), stream=stream, gpu=0
                )
                launched, start = launched + 4 * US, start + length
            job.at[rank] += 20 * US + 4 * MS + moving + 1 * MS
            job.wait(rank, begun + LOAD + 10 * US)
            job.step(rank, begun)
    job = exact(job.diagnosed())
    assert (job.verdict, job.late) == ("communication", None)
    assert job.step_ns == pytest.approx(STEP - 0.2 * MS + moving, rel=0.01)
    assert job.predicted_step_ns == pytest.approx(reached, rel=0.01)
    assert f"hidden behind compute, about {duration(job.predicted_step_ns)}" in job.headline


def test_captures_that_begin_apart():
    """One has not the first three collectives, and lacks one in between; its machine's clock is 2 ms wrong."""
    lost = {0: (1,), 1: (1,), 2: (1,), 8: (1,)}
    job = data_parallel(
        lambda step: {1: (5 + step % 3) * MS},
        steps=12,
        host_clock_off=[0, 2 * MS],
        collective=lambda step: {"lost": lost.get(step, ()), "jitter": (0, (step * 7 % 5) * US)},
    ).diagnosed()
    exact(job)
    assert (job.alignment.matched, job.alignment.collectives) == (2 * 8, 12 + 8)
    assert job.alignment.offsets_ns[1] == pytest.approx(7 * MS, abs=5 * US)
    assert 0 < job.alignment.residual_ns < 5 * US
    assert (job.late.rank, job.late.cause) == (1, "input_pipeline")


def test_blame_goes_on_to_the_rank_that_began_it():
    """Rank 0 waits for rank 1, which itself waited for rank 2, in another communicator."""
    job = Ranks([0, 0, 0], together=True)
    for _ in range(6):
        begun = list(job.at)
        for rank in range(3):
            job.host(rank, LOAD + (9 * MS if rank == 2 else 0))
            job.compute(rank, 4 * MS)
        for ranks, communicator, size in (((1, 2), 0xB, 64 << 20), ((0, 1), 0xA, 32 << 20)):
            come = list(job.at)
            job.collective(ranks, communicator=communicator, size=size)
            for rank in ranks:
                job.wait(rank, come[rank])
        for rank in range(3):
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    assert found.alignment.by == "communicator"
    assert (found.late.rank, found.late.cause) == (2, "input_pipeline")
    assert found.late.waiting_ns == pytest.approx(9 * MS, rel=0.01)
    assert found.predicted_step_ns == pytest.approx(LOAD + 4 * MS + 2 * 0.2 * MS, rel=0.01)
    sizes = {one.bytes: one for one in found.transfers}
    assert sizes[64 << 20].bus_gb_per_s == pytest.approx((64 << 20) / (200 * US), rel=0.05)  # 2 (n-1) / n is 1 for two ranks
    assert (sizes[64 << 20].share_of_best, sizes[32 << 20].share_of_best) == (1, pytest.approx(0.5, rel=0.05))


def test_a_pipeline_is_nobodys_fault():
    """A stage waits for its turn, and the bubble has a name of its own."""
    found = exact(pipeline([0, 0], together=True).diagnosed())
    assert (found.verdict, found.late, found.pattern) == ("pipeline_bubble", None, "pipeline parallel")
    assert all("rank_imbalance" not in rank.causes for rank in found.ranks)
    assert found.headline.startswith("No rank is at fault")


@pytest.mark.thorough
def test_a_pipeline_whose_calls_are_known_is_still_one():
    calls = [["ncclSend"], ["ncclRecv"]]
    job = pipeline([0, 0], together=True, communicator=0xA, size=1 << 20, calls=calls)
    assert job.diagnosed().verdict == "pipeline_bubble"


def test_experts_that_exchange_tokens_are_no_pipeline():
    """Each rank sends and receives at once, and one has most of the tokens: it is late for the way back."""
    job = Ranks([0, 0], together=True)
    for _ in range(6):
        begun = list(job.at)
        for tokens in ((1, 4), (1, 1)):
            for rank in (0, 1):
                job.compute(rank, tokens[rank] * MS)
            both = [["ncclSend", "ncclRecv"]] * 2
            job.collective((0, 1), moving=50 * US, name=SEND_RECV, communicator=0xA, size=1 << 20, calls=both)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    assert (found.verdict, found.late.rank, found.pattern) == ("rank_imbalance", 1, None)
    assert all("pipeline_bubble" not in rank.causes for rank in found.ranks)


def test_tensor_parallel_layers_are_nobodys_fault():
    """The same ranks gather, too, with no compute between: that is not what their all-reduces do."""
    job = Ranks([0, 0], together=True)
    for _ in range(6):
        begun = list(job.at)
        for _ in range(6):
            for rank in (0, 1):
                job.compute(rank, 1 * MS)
            job.collective([0, 1], moving=150 * US, stream=7, communicator=0xA, size=1 << 20)
        for _ in range(8):
            calls = [["ncclAllGather"]] * 2
            job.collective([0, 1], moving=10 * US, stream=7, name=ALL_GATHER, communicator=0xA, size=1 << 20, calls=calls)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    assert (found.verdict, found.late, found.pattern) == ("communication", None, "tensor parallel")
    moved = next(cause for cause in found.causes if cause.cause == "communication")
    assert (moved.by_design, moved.predicted_step_ns) == (True, None)
    assert not any(stream.own_stream for stream in found.streams)
    assert found.headline.startswith("No rank is at fault")


def meeting(until, **choices):
    """Ranks that meet in the first steps, and then send by other means."""
    job = Ranks([0, 7 * MS], **choices)
    for step in range(20):
        for rank in (0, 1):
            begun = job.at[rank]
            job.host(rank, 5 * MS)
            job.compute(rank, 5 * MS)
            job.step(rank, begun)
        if step < until:
            job.collective([0, 1])
            job.collective([0, 1])
    return job


@pytest.mark.parametrize(("until", "is_job"), [(6, True), (3, False)])
def test_ranks_of_a_report_are_a_job_if_they_meet_while_they_work(until, is_job):
    with meeting(until, together=True).written() as (path,), gapfinder.open(path) as trace:
        found = trace.diagnose()
    assert found.verdict == "input_pipeline"
    assert (found.job is not None) == is_job
    assert any("share collectives in only" in note for note in found.notes) != is_job


@pytest.mark.parametrize(("until", "certain"), [(6, True), (3, False)])
def test_of_ranks_that_seldom_meet_nothing_is_certain(until, certain):
    headline = meeting(until).diagnosed().headline
    assert headline.startswith("Not certain, because the ranks share collectives in only") != certain


def layers_of_two_teams():
    """Two replicas of a model whose layers two GPUs share: a replica is a team, and so are the GPUs with the same half."""
    job = Ranks([0] * 4, together=True)
    for _ in range(8):
        begun = list(job.at)
        for _ in range(6):
            for rank in range(4):
                job.compute(rank, 500 * US if rank < 2 else 530 * US)
            for team in (0, 1):
                job.collective((2 * team, 2 * team + 1), moving=300 * US, communicator=team + 1, size=1 << 20)
        for half in (0, 1):
            job.collective((half, half + 2), moving=100 * US, communicator=half + 3, size=1 << 20, name=REDUCE_SCATTER)
        for rank in range(4):
            job.step(rank, begun[rank])
    return job


def test_tensor_parallel_layers_of_several_replicas():
    """Collectives of a rank count, however many ranks the job has."""
    assert exact(layers_of_two_teams().diagnosed()).pattern == "tensor parallel"


def test_ranks_of_other_communicators_are_not_waited_for():
    with opened_copy(layers_of_two_teams()) as trace:
        peers = trace.tuples("SELECT DISTINCT c.gpu, c.last_gpu FROM collectives AS c ORDER BY ALL")
    assert peers == [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)]


def test_a_rank_that_shares_no_collective():
    """Of the others one computes more: what the third one computes is no part of the job."""
    job = Ranks([0, 7 * MS, 13 * MS])
    for _ in range(8):
        begun = list(job.at)
        for rank in range(3):
            job.host(rank, LOAD)
            job.compute(rank, 8 * MS if rank == 1 else 4 * MS)
        come = list(job.at)
        job.collective((0, 1))
        job.collective((2,), name=REDUCE_SCATTER)
        for rank in range(3):
            job.wait(rank, come[rank])
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    assert (found.verdict, found.late.rank, found.late.cause) == ("rank_imbalance", 1, "compute")
    assert any("their waiting is unknown: 2" in note for note in found.notes)


def test_the_verdict_saves_something():
    """Ranks that exchange data, and compute more in turn: without NCCL's marks, what moves is no fault that can be hidden."""
    job = Ranks([0, 0], together=True)
    for step in range(10):
        begun = list(job.at)
        for rank in (0, 1):
            job.compute(rank, (2 + (step + rank) % 2) * MS)
        job.collective((0, 1), moving=300 * US, name=SEND_RECV)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    found = exact(job.diagnosed())
    assert found.predicted_step_ns is None or found.predicted_step_ns < 0.99 * found.step_ns


@pytest.mark.parametrize(
    ("saved_by_launches", "verdict"), [(0.29, "launch_bound"), (0.06, "rank_imbalance"), (None, "rank_imbalance")]
)
def test_what_saves_more_than_twice_as_much_comes_first(saved_by_launches, verdict):
    """As measured of FSDP2 with small batches: both ranks launch behind collectives, and one does so more slowly."""
    shares = {"communication": 0.339, "host_compute": 0.057, "launch_bound": 0.033}
    causes = [JobCause(cause, 1, share, True, False, "", None, None) for cause, share in shares.items()]  # noqa: FBT003
    late = LateRank(1, 1, "host_compute", {1: 15}, 16, 16.1 * MS, 0.104, [])
    same = {"window_ns": 100 * MS, "compute_ns": 0, "causes": {}, "trace": "t", "gpu_name": "H200", "verdict": ""}
    ledgers = [RankLedger(rank=rank, gpu=rank, **same) for rank in (0, 1)]
    gains = {"communication": 0.0, "host_compute": 0.033, "rank_imbalance": 0.032}
    gains |= {"launch_bound": saved_by_launches} if saved_by_launches else {}
    excess = {1: {"launch_bound": 5 * MS, "host_compute": 9 * MS}}
    assert first_cause(causes, late, ledgers, built_in(), excess, gains, None) == verdict


@pytest.mark.parametrize("together", [False, True])
def test_a_rank_that_alone_waits_for_messages_is_no_stage_of_a_pipeline(together):
    """As a learner waits for its actor."""
    job = Ranks([0, 7 * MS], together=together)
    for _ in range(10):
        begun = list(job.at)
        job.compute(0, 8 * MS)
        job.host(1, MS)
        job.compute(1, 2 * MS)
        job.collective((0, 1), moving=50 * US, name=SEND_RECV)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    found = job.diagnosed()
    assert (found.verdict, found.pattern, found.late.rank) == ("rank_imbalance", None, 0)


@cache
def late_together():
    """The diagnosis of one report of two ranks, of which the second is late."""
    with opened_copy(data_parallel(lambda _: {1: 9 * MS}, together=True)) as trace:
        return trace.diagnose()


def test_ranks_in_one_report():
    """The same as from a report for each rank, as part of the report's own diagnosis."""
    diagnosis = late_together()
    found = exact(diagnosis.job)
    assert (found.late.rank, found.late.cause) == (1, "input_pipeline")
    assert found.predicted_step_ns == pytest.approx(STEP, rel=0.02)
    assert diagnosis.verdict == "rank_imbalance"


def test_one_story_of_ranks_in_one_report():
    """The verdict, the headline and the prediction of the report are those of the job, and each stands there once."""
    diagnosis = late_together()
    first = diagnosis.causes[0]
    assert (first.cause, first.predicted_step_ns) == ("rank_imbalance", diagnosis.job.predicted_step_ns)
    assert diagnosis.headline.startswith("Rank 1 arrives late")
    assert diagnosis.job.step_ns == diagnosis.window.step_ns
    assert next(cause.why_gain for cause in diagnosis.causes if cause.cause == "input_pipeline") is None, "rank 1 loses it all"
    input_ns = next(cause.share for cause in diagnosis.causes if cause.cause == "input_pipeline") * diagnosis.window.step_ns
    assert diagnosis.why_first.startswith(f"input_pipeline takes more time ({duration(input_ns)}, as the mean of the ranks)")
    for rank, device in zip(diagnosis.job.ranks, diagnosis.devices, strict=True):
        assert (rank.window_ns, rank.compute_ns, rank.causes) == (device.window_ns, device.compute_ns, device.causes)
    for name in ("text", "markdown"):
        text = " ".join(renderer("diagnosis", name).render(diagnosis, width=80, color=False).replace("\\", "").split())
        assert text.count(diagnosis.headline) == 1, name
        assert text.count("by a replay across the ranks") == sum(
            cause.is_finding and cause.predicted_step_ns is not None for cause in diagnosis.causes
        ), name


def test_evidence_on_a_late_rank_is_of_it_alone():
    """Both ranks of one report load, one for longer: what the other loads is no evidence on the late one."""
    with opened_copy(data_parallel(lambda _: {1: 9 * MS}, together=True)) as trace:
        diagnosis = trace.diagnose()
        ((lost_ns, samples),) = trace.tuples(
            "SELECT lost_ns, (SELECT count(*) FROM python_samples_in_segments AS p WHERE p.gpu = l.gpu AND p.cause = l.cause) "
            "FROM ledger AS l WHERE l.gpu = 1 AND l.cause = 'input_pipeline'"
        )
        both = trace.tuples("SELECT count(*) FROM python_samples_in_segments WHERE cause = 'input_pipeline'")[0][0]
    assert (diagnosis.verdict, diagnosis.job.late.rank, diagnosis.job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert samples < both
    charge, *facts = diagnosis.job.evidence
    lost = duration(lost_ns / diagnosis.window.in_steps)
    assert "waiting is for rank 1" in charge.text
    assert all(fact.rank == 1 and fact.text.startswith("rank 1: ") and fact.gpu in (None, 1) for fact in facts)
    assert [fact.of_trace for fact in facts][:4] == [
        f"{lost} a step are lost to input_pipeline",
        f"/home/user/loader.py:12 in load ({samples} Python samples)",
        "of this time 100.0 % is named by NVTX ranges",
        f"in NVTX step > data_load: {lost} a step",
    ]
    own = next(cause for cause in diagnosis.causes if cause.cause == "input_pipeline")
    assert f"({both} Python samples)" in own.evidence[0].text, "in the trace, the evidence is of all ranks"


@pytest.mark.thorough
def test_the_report_of_a_pipeline_blames_no_rank():
    with opened_copy(pipeline([0, 0], together=True)) as trace:
        diagnosis = trace.diagnose()
    assert (diagnosis.verdict, diagnosis.causes[0].cause) == ("pipeline_bubble", "pipeline_bubble")
    assert all("rank_imbalance" not in device.causes for device in diagnosis.devices)
    assert "rank_imbalance" not in renderer("diagnosis", "text").render(diagnosis, width=80, color=False)


def test_a_real_straggler():
    """Rank 1 spends 24 ms in data_load; once mended, the program took 10.60 ms."""
    job = stragglers()
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert job.late.charges[0].share > 0.95
    assert job.late.steps == {1: job.steps}
    assert job.alignment.matched == job.alignment.collectives
    assert job.alignment.residual_ns < 5 * US
    assert job.predicted_step_ns / 1e6 == pytest.approx(10.60, rel=0.02)
    predicted = {cause.cause: cause.predicted_step_ns for cause in job.causes}
    assert predicted["communication"] == pytest.approx(job.step_ns, rel=1e-4)  # faster, it would wait longer for rank 1
    assert any(fact.nvtx == "step > data_load" for fact in job.evidence)
    assert "rank 1: its own trace has 11 steps of 30.9 ms: 20.2 ms a step are lost to input_pipeline" in [
        fact.text for fact in job.evidence
    ], "the job has 10"
    assert job.why_gain.startswith("that saves more than the 20.2 ms of waiting")
    assert job.arrivals
    assert {late.rank for late in job.arrivals[:20]} == {job.late.rank}
    assert all(late.last_ns > late.first_ns for late in job.arrivals)


@pytest.mark.thorough
def test_a_real_rank_with_more_to_do():
    """Long texts for rank 1, short ones for rank 0; dealt out evenly, the program took 46.04 ms."""
    job = exact(opened(FIXTURES / "rank_imbalance_faulty.sqlite").diagnose().job)
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "compute")
    assert job.predicted_step_ns / 1e6 == pytest.approx(46.04, rel=0.02)


@pytest.mark.thorough
def test_a_real_job_that_moves_too_much():
    """Gradients that are sent after the backward pass; sent during it, the program took 8.95 ms."""
    job = exact(opened(FIXTURES / "communication_faulty.sqlite").diagnose().job)
    assert (job.verdict, job.late) == ("communication", None)
    assert job.predicted_step_ns / 1e6 == pytest.approx(8.95, rel=0.05)


def test_a_real_job_without_one():
    job = exact(diagnosis(FIXTURES / "ddp_straggler_fixed.sqlite").job)
    assert (job.verdict, job.late, job.pattern) == ("gpu_bound", None, None)
    assert all(stream.own_stream and stream.hidden_share > 0.8 for stream in job.streams)


def test_every_format():
    texts = {
        name: renderer("job", name).render(stragglers(), width=80, color=False) for name in formats("job") if name != "junit"
    }
    assert {"text", "markdown", "json"} <= texts.keys()
    for name, text in texts.items():
        assert "input_pipeline" in text.replace("\\", ""), name
    assert max(map(len, texts["text"].splitlines())) <= 80
    document = json.loads(texts["json"])
    assert document["schema"] == "gapfinder.job/2"
    assert document.keys() >= {"job", "ranks", "traces", "notes", "damage", "gates"}
    assert document["job"]["verdict"].keys() == {"cause", "headline"}
    assert (document["job"]["late"]["rank"], document["job"]["late"]["cause"]) == (1, "input_pipeline")
    for rank in document["ranks"]:
        assert rank["compute_ns"] + sum(cause["lost_ns"] for cause in rank["causes"]) == rank["window_ns"]


def test_commands(tmp_path, command_line, monkeypatch):
    """A gate that fails; and before against after, both as folders of ranks."""
    monkeypatch.chdir(tmp_path)
    for folder, late in (("before", 9 * MS), ("after", 0)):
        (tmp_path / folder).mkdir()
        for rank, trace in enumerate(data_parallel(lambda _, late=late: {1: late}).traces):
            main = trace.thread(1, rank + 1)  # a trace without the tables of every export is damaged, and passes no gate
            trace.overhead(0, US, thread=main)
            trace.write(tmp_path / folder / f"rank{rank}.sqlite")
    gated = command_line("diagnose", "before/rank*.sqlite", "--fail-on", "rank_imbalance>10%", "--format", "json")
    assert (gated.status, gated.errors.split()[0]) == (1, "FAILED")
    assert json.loads(gated.output)["job"]["late"]["rank"] == 1
    compared = command_line("compare", "before", "after", "--format", "json", "--fail-on", "step>-10%")
    assert compared.status == 0, compared.errors
    (pair,) = json.loads(compared.output)["pairs"]
    assert pair["speedup"]["ratio"] == pytest.approx((STEP + 9 * MS) / STEP, rel=0.01)
    assert {line["name"]: line["change"] for line in pair["causes"]}["rank_imbalance"] == "closed"


def test_no_ranks_of_one_job(command_line):
    done = command_line("diagnose", FIXTURES / "item_fixed.sqlite", FIXTURES / "empty_cache.sqlite")
    assert (done.status, done.output) == (3, "")
    assert "no two of these traces share a collective" in done.errors


def test_folders_of_one_name_up_to_the_point_are_traces_of_their_own(tmp_path):
    """And a report is left out where its export is there, too. Tables beside traces are no export."""
    for name in ("train.0_pqtdir", "train.1_pqtdir", "train.2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "CUPTI_ACTIVITY_KIND_KERNEL.parquet").touch()
    for name in ("late.nsys-rep", "late.sqlite", "gaps.parquet"):
        (tmp_path / name).touch()
    assert [path.name for path in expanded(tmp_path)] == ["late.sqlite", "train.0_pqtdir", "train.1_pqtdir", "train.2"]


def test_what_is_by_design_in_every_program_is_so_in_a_job():
    assert "no_demand" in by_design(None, built_in())
    assert by_design(PIPELINE, built_in()) >= {"no_demand", "pipeline_bubble"}


def test_ranks_have_the_numbers_of_their_files():
    paths = [Path(f"run2_rank{number}.nsys-rep") for number in (10, 9, 0)]
    assert [path.stem for path in in_order(paths)] == ["run2_rank0", "run2_rank9", "run2_rank10"]
    assert list(numbers_of(paths).values()) == [10, 9, 0]
    assert numbers_of([Path("a/trace.sqlite"), Path("b/trace.sqlite")]) == {}
    assert numbers_of([Path(f"node_2026010112000{second}.sqlite") for second in (0, 5)]) == {}


def test_a_report_beside_its_export_is_one_trace(tmp_path):
    for name in ("rank0.nsys-rep", "rank0.sqlite", "rank1.nsys-rep", "rank0.toml"):
        (tmp_path / name).touch()
    for path in (tmp_path, tmp_path / "rank*"):
        assert [found.name for found in expanded(path)] == ["rank0.sqlite", "rank1.nsys-rep"]


def test_a_clock_that_drifts():
    """20 parts in a million, and ends that scatter by 2 us."""
    ends = [(at * MS + (at * 13 % 5 - 2) * US, round((at * MS - 3 * MS) / (1 + 20e-6))) for at in range(200)]
    clock = fitted(ends)
    assert clock.drift == pytest.approx(20e-6, rel=0.05)
    assert all(abs(clock.ref(own) - ref) < 3 * US for ref, own in ends)


def test_a_clock_that_is_wrong_by_a_step():
    """Of each ten ends six are alike in every step. Of long sequences not all ends are looked at, at some shifts."""
    late = Random(1)
    ends = [place * MS + (late.randrange(997) * US if place % 10 > 5 else 0) for place in range(1_005)]
    events = [Event(end, ("AllReduce",)) for end in ends]
    assert shift(events, events, 10 * MS) == 0


def test_sequences_that_fit_at_every_shift():
    """One all-reduce like the other, each 1.6 ms after the last: the sessions' start times decide."""
    ends = [place * 1_600 * US + place * 7919 % 9000 for place in range(60)]
    theirs = [Event(end, ("AllReduce",)) for end in ends]
    own = [Event(end - 5 * MS, ("AllReduce",)) for end in ends[4:]]
    assert shift(theirs, own, 5.3 * MS) == 4
    assert fitted([(1.0, 0.0)]) == Clock(1.0)


def steps_in_common(from_step, moved_ns):
    """Of two ranks with steps of 100 ns, three collectives in each; on rank 1 one starts `moved_ns(step, place)` later."""
    steps = [(number * 100, (number + 1) * 100) for number in range(4)]
    replayed = SimpleNamespace(window=SimpleNamespace(start_ns=0, end_ns=400))
    ranks = [SimpleNamespace(number=rank, steps=steps, timeline=replayed) for rank in (0, 1)]
    members = [
        SimpleNamespace(
            rank=rank,
            match_id=step * 3 + place,
            ref_end_ns=step * 100 + 30 * place + 20 + rank,
            collective=SimpleNamespace(start_ns=step * 100 + 10 * place + (moved_ns(step, place) if rank else 0)),
        )
        for step in range(from_step, 4)
        for place in range(3)
        for rank in (0, 1)
    ]
    return common_steps(ranks, SimpleNamespace(members=members))


def test_a_collective_that_one_rank_starts_a_step_ahead():
    """On rank 1, the last of three collectives of each step starts at the end of the step before."""
    assert steps_in_common(1, lambda _, place: -50 if place == 2 else 0) == [(1, 3), (1, 3)]


def test_collectives_of_a_late_step_that_lie_in_the_next():
    """Rank 1 is late at first, and both have the steps of one report: two of three collectives are in its second step."""
    assert steps_in_common(0, lambda step, place: 95 if place and not step else 0) == [(1, 3), (1, 3)]


def saving(apart_ns):
    """Rank 0 copies and writes the weights after every fourth step, while rank 1 waits at a barrier that it leaves later."""
    job = Ranks([0, 7 * MS])
    for step in range(17):
        begun = list(job.at)
        for rank in (0, 1):
            job.compute(rank, 4 * MS)
        job.collective((0, 1), communicator=1, size=1 << 20)
        for rank in (0, 1):
            job.compute(rank, 1 * MS, "adam")
        if step % 4 == 3:
            main, at = job.main(0), job.at[0]
            job.traces[0].copy(
                at + 10 * US, at + 8 * MS, (at, at + 8 * MS), "Device-to-Host", "Pageable", 1 << 26, thread=main, gpu=0
            )
            job.traces[0].os("write", at + 8 * MS, at + 20 * MS, thread=main)
            job.at[0] += 20 * MS
            come = list(job.at)
            job.collective((0, 1), moving=20 * US, jitter=(0, apart_ns), communicator=1, size=4)
            for rank in (0, 1):
                job.wait(rank, come[rank])
        for rank in (0, 1):
            job.step(rank, begun[rank])
    return exact(job.diagnosed())


def test_a_rank_that_is_late_for_two_reasons():
    """Without both of them a step is as long as most are, although the two ranks leave the barrier far apart."""
    job = saving(150 * US)
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 0, "storage_io")
    assert {charge.cause for charge in job.late.charges} >= {"storage_io", "copy"}
    assert job.alignment.matched == job.alignment.collectives
    assert job.predicted_step_ns == pytest.approx(5.3 * MS, rel=0.03)
    assert "mostly because of storage_io" in job.headline


@pytest.mark.parametrize("often", [True, False])
def test_a_job_is_told_of_what_costs_as_much_in_its_replayed_steps_as_in_all(often):
    """40 of 60 steps are replayed; rank 0 writes in every other one, or in one for as long as in thirty."""
    job = Ranks([0, 0], together=True)
    for step in range(60):
        begun = list(job.at)
        for rank in (0, 1):
            for _ in range(500):
                job.compute(rank, 50 * US)
        if step % 2 if often else step == 58:
            length = (100 if often else 3000) * MS
            job.traces[0].os("write", job.at[0], job.at[0] + length, thread=job.main(0))
            job.at[0] += length
        come = list(job.at)
        job.collective((0, 1))
        for rank in (0, 1):
            job.wait(rank, come[rank])
            job.step(rank, begun[rank])
    found = job.diagnosed()
    assert (found.verdict, found.late.rank, found.late.cause) == ("rank_imbalance", 0, "storage_io")
    assert (found.predicted_step_ns is not None) == often
    assert (found.predicted_range_ns is None) == often


def test_a_validation_of_all_ranks_is_no_part_of_the_steps():
    job = exact(validating((0, 1)).diagnosed())
    assert job.steps == 35  # 4 * 10, without the warm-up, the first one, and those with a validation before them
    assert job.step_ns == pytest.approx(9.4 * MS, rel=0.01)
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert {rank.window_ns for rank in job.ranks} == {job.window_ns}


@pytest.mark.parametrize("off_ms", some(1, [1_000, 2, 10, 30_000]))
def test_hosts_whose_clocks_differ(tmp_path, off_ms):
    """By milliseconds, as hosts do, and by much more: the collectives tell who waits, as they end together at one shift only."""
    traces = [Path(shutil.copy(trace, tmp_path)) for trace in STRAGGLERS]
    with closing(sqlite3.connect(traces[1])) as connection, connection:
        connection.execute(f"UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + {off_ms * MS}")
    job = exact(gapfinder.diagnose_job(*traces))
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 1, "input_pipeline")
    assert job.alignment.matched == stragglers().alignment.matched


def test_ranks_wait_for_one_that_validates_alone():
    job = exact(validating((0,)).diagnosed())
    assert (job.verdict, job.late.rank, job.late.cause) == ("rank_imbalance", 0, "host_compute")
    assert job.late.share == pytest.approx(0.56, abs=0.02)
    assert {rank.window_ns for rank in job.ranks} == {job.window_ns}
