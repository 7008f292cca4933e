"""The range of a step's time without a cause, where a replay cannot give one number.

The shortest is the step minus all time that the cause lost. The longest is the step minus what certainly goes:
- Where the cause costs more in some steps than in others, such steps are replayed. What goes is the share of the cause's time
  that a replay wins, of several replays the least. If one saves more than the lost time, the shortest step is that of it.
- Else nothing is certain: something that runs at the same time may take as long as the cause did.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gapfinder.pipeline.cause_spec import USUAL_SHARE
from gapfinder.replay.causes import changes
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import ReplayWindow, Timeline, why_not_replayed
from gapfinder.replay.words import WITH_OTHERS
from gapfinder.trace import OpenTrace
from gapfinder.units import duration, percent

MAX_ERROR = 0.05  # with a larger error of the unchanged replay, nothing is predicted
NARROW = 0.02  # of the step: the ends of a narrower range count as equal
ALL = 0.9995  # a larger share is 100.0 % in words
LITTLE_NS = 1000  # less is not worth a word


@dataclass(frozen=True)
class Range:
    """The shortest and the longest step without a cause, ns, and why that is all that can be said.

    `of_single_steps` is true if it comes from replays of single steps.
    """

    low_ns: int
    high_ns: int
    why: str
    of_single_steps: bool = False

    def number_ns(self, step_ns: float) -> int | None:
        """The step without the cause, ns, where both ends hardly differ; else None."""
        return self.high_ns if self.high_ns - self.low_ns < NARROW * step_ns else None


def ranges(trace: OpenTrace, predicted: Iterable[str], error: float | None, step_ns: float) -> dict[str, Range]:
    """The range of each cause that can be removed, costs at least 3 % of the window, and is not among the `predicted` ones."""
    known = set(predicted)
    costly = {cause: shares for cause, shares in _costly(trace).items() if cause not in known}
    return {cause: _range(trace, cause, shares, error, step_ns) for cause, shares in costly.items()}


def range_without(trace: OpenTrace, cause: str, error: float, step_ns: float) -> Range | None:
    """The range of one cause, as `ranges` gives it; None if it cannot be removed or costs less."""
    shares = _costly(trace).get(cause)
    return _range(trace, cause, shares, error, step_ns) if shares else None


def _costly(trace: OpenTrace) -> dict[str, tuple[float, float]]:
    """The causes that can be removed and cost at least 3 %, with the least and the most of the step that goes with each."""
    lost: dict[str, dict[int, float]] = {}
    for cause, gpu, share in trace.tuples(
        "SELECT l.cause, l.gpu, l.lost_ns / d.window_ns FROM ledger AS l INNER JOIN devices AS d ON d.gpu = l.gpu"
    ):
        lost.setdefault(cause, {})[gpu] = share
    ((gpus,),) = trace.tuples("SELECT count(*) FROM devices")
    found = {}
    for cause, spec in trace.config.causes.items():
        shares = lost.get(cause, {0: 0.0}).values()
        most = max(shares)
        # where no rank waits for another, the late one does no more than the others, or all have the mean of the work
        least = sum(shares) / gpus if spec.remove and spec.remove.ranks else most
        if spec.remove is not None and not spec.by_design and least >= USUAL_SHARE:
            found[cause] = (least, most)
    return found


def _range(trace: OpenTrace, cause: str, shares: tuple[float, float], error: float | None, step_ns: float) -> Range:
    """The range of a cause; `shares` are the least and the most of the step that goes with it."""
    without_ns = round((1 - shares[1]) * step_ns)
    if error is None:
        return Range(without_ns, round(step_ns), f"nothing was replayed, because {why_not_replayed(trace)}")
    if abs(error) > MAX_ERROR:
        why = f"the unchanged replay differs by {percent(abs(error))}, so something that it does not know takes part"
        return Range(without_ns, round(step_ns), why)
    won = _won_shares(trace, cause)
    if not won:
        why = "this trace does not show what runs at the same time and may then take as long, such as another process or rank"
        return Range(without_ns, round(step_ns), why)
    least, most = min(won), max(1.0, *won)
    computed = trace.tuples("SELECT max(compute_ns / window_ns) FROM devices")[0][0]
    low_ns = round(max(computed, 1 - most * shares[1]) * step_ns)
    high_ns = round(max(computed, 1 - least * shares[0]) * step_ns)
    saved = _saved(least, without_ns - low_ns)
    why = f"in some steps it costs more than in others; in replays of single ones without it, {saved}"
    return Range(low_ns, high_ns, why, of_single_steps=True)


def _saved(least: float, more_ns: float) -> str:
    """How much of the time of a cause was saved, in words: the least share of it, and what was saved besides, in a step."""
    part = "all" if least > ALL else f"at least {percent(least)}" if least >= 1 - ALL else "not always any"
    more = f", and up to {duration(more_ns)} a step more, {WITH_OTHERS}" if more_ns >= LITTLE_NS else ""
    return f"{part} of its time was saved{more}"


def _won_shares(trace: OpenTrace, cause: str) -> list[float]:
    """The shares of the lost time of a cause that replays of single steps win; none if that is unknown.

    The steps are the one with the most of it, the one in the middle, and the one with the least of those in which it is costly.
    """
    steps = trace.tuples(
        "SELECT s.start_ns, s.end_ns, l.gpu, l.lost_ns FROM step_ledger AS l INNER JOIN window_steps AS s ON s.step = l.step "
        f"WHERE l.cause = '{cause}' AND l.lost_ns >= {USUAL_SHARE} * (s.end_ns - s.start_ns) ORDER BY l.lost_ns DESC, s.start_ns"
    )
    places = {0, len(steps) // 2, len(steps) - 1} if steps else set()
    shares = (_won_in(trace, cause, *steps[place]) for place in sorted(places))
    return [share for share in shares if share is not None]


def _won_in(trace: OpenTrace, cause: str, start_ns: int, end_ns: int, gpu: int, lost_ns: int) -> float | None:
    """What a replay without a cause wins of a step of a GPU, as a share of its lost time; None if it cannot be replayed."""
    ((pid,),) = trace.tuples(f"SELECT mode(pid) FROM replay_activities WHERE gpu = {gpu}")
    if pid is None:
        return None
    timeline = Timeline.of(trace, ReplayWindow(pid, start_ns, end_ns, 1, whole=True))
    change = changes(trace, timeline).get(cause) if timeline else None
    if timeline is None or change is None:
        return None
    replay = Replay(timeline)
    if abs(replay.error) > MAX_ERROR:
        return None
    return max(0.0, (replay.unchanged_ns - replay.length_ns(change)) / lost_ns)
