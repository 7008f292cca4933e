"""How often the verdict is right: what is diagnosed of each labelled trace, as Markdown.

`python tests/accuracy.py` diagnoses the traces in `fixtures/`, and writes the list of them to `fixtures/accuracy.md` and the
tables that sum it up into the guide. The tests hold both to what is diagnosed. `python tests/accuracy.py FOLDER` prints both for
another folder of traces, each with its truth.
"""

import re
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean
from types import MappingProxyType
from typing import NamedTuple

from traces import FIXTURES, JOBS, LABELS, diagnosis, labels, ranks_of
from unpack import PACKED, ROOT

import gapfinder
from gapfinder.errors import TraceError
from gapfinder.guides import with_generated
from gapfinder.workload.outcome import of_job

GUIDE = ROOT / "src" / "gapfinder" / "guides" / "accuracy.md"
PLACE = PACKED / "accuracy.md"
REFUSED = "refused"  # what a trace deserves that cannot be diagnosed
HEAD = """# What is diagnosed of these traces

Written by `python tests/accuracy.py`; a test of each trace holds its line to what is diagnosed. Times are per step: without the
cause that the label names, as predicted, and as measured where it was fixed.

"""


class Line(NamedTuple):
    """One trace, or one job. Of several verdicts that are right, the truth is the one that was given."""

    trace: str
    truth: str
    verdict: str
    ledgers: str
    predicted: str = ""
    measured: str = ""
    error: str = ""


TITLES = Line("trace", "truth", "verdict", "ledgers exact", "predicted", "measured", "error")


def line(label, found):
    """The line of a trace; `found` is its diagnosis, None where it was refused."""
    if found is None:
        return line_of(label, REFUSED)
    exact = [device.compute_ns + sum(device.causes.values()) == device.window_ns for device in found.devices]
    predicted_ns = {cause.cause: cause.predicted_step_ns for cause in found.causes if cause.predicted_step_ns is not None}
    return line_of(label, found.verdict, exact, predicted_ns)


def line_of_job(label, job):
    """The line of a job. Where ranks wait for a late one, the truth is what that one does instead."""
    exact = [rank.compute_ns + sum(rank.causes.values()) == rank.window_ns for rank in job.ranks]
    found = of_job(job)
    return line_of(label, found.verdict, exact, found.predicted_ns)


def line_of(label, verdict, exact=(), predicted_ns=MappingProxyType({})):
    """The line of a verdict, with whether each ledger is exact, and the predicted steps by cause."""
    right = [REFUSED] if label.get("unusable") else label["cause"]
    truth = verdict if verdict in right else right[0]
    ledgers = f"{sum(exact)} of {len(exact)}" if exact else ""
    if label.get("whatif") not in predicted_ns:
        return Line(label["file"], truth, verdict, ledgers)
    predicted_ms, measured_ms = predicted_ns[label["whatif"]] / 1e6, label["fixed_ms"]
    error = f"{100 * (predicted_ms / measured_ms - 1):+.1f} %"
    return Line(label["file"], truth, verdict, ledgers, f"{predicted_ms:.2f} ms", f"{measured_ms:.2f} ms", error)


def kept():
    """The lines of the list as it is, by trace."""
    rows = re.findall(r"^\| (.*) \|$", PLACE.read_text(), re.MULTILINE)[2:]
    return {found.trace: found for found in (Line(*re.split(r" ?\| ?", row)) for row in rows)}


def listed(lines):
    """The whole list, as Markdown."""
    return HEAD + "".join(f"| {' | '.join(each)} |\n" for each in [TITLES, Line(*["---"] * len(TITLES)), *lines])


def table(lines):
    """How often the verdict was the truth, with the ledgers and the predictions of these traces, as Markdown."""
    titles = [["truth", "right", "ledgers exact", "fixes", "mean error", "worst"], ["---", *["--:"] * 5]]
    truths = sorted({each.truth for each in lines})
    rows = [[f"`{truth}`", *summed([each for each in lines if each.truth == truth])] for truth in truths]
    return "".join(f"| {' | '.join(row)} |\n" for row in [*titles, *rows, ["all", *summed(lines)]])


def summed(lines):
    """Verdicts that are right, ledgers that are exact, fixes that were predicted, and how far off: on average and at worst."""
    right = sum(each.truth == each.verdict for each in lines)
    exact, all_ = (sum(int(each.ledgers.split(" of ")[part]) for each in lines if each.ledgers) for part in (0, 1))
    errors = [abs(float(each.error.removesuffix(" %"))) for each in lines if each.error]
    found = [f"{right} of {len(lines)}", f"{exact} of {all_}" if all_ else "", str(len(errors) or "")]
    return [*found, *(f"{how(errors):.1f} %" if errors else "" for how in (mean, max))]


def in_guide(lines):
    """The guide with the tables of these lines: of programs with a planted fault or its fix, and of whole programs."""
    whole = {label["file"] for label in LABELS if label.get("whole")}
    planted = [each for each in lines if each.trace not in whole]
    text = with_generated(GUIDE.read_text(), "tests/accuracy.py", table(planted))
    return with_generated(text, "tests/accuracy.py, whole programs", table([each for each in lines if each.trace in whole]))


def diagnosed(folder, label):
    """The line of a trace in a folder."""
    try:
        return line(label, diagnosis(folder / label["file"]))
    except TraceError:
        return line(label, None)


def diagnosed_job(label):
    """The line of a job in the fixtures."""
    return line_of_job(label, gapfinder.diagnose_job(*ranks_of(label)))


def lines_of(folder):
    """The lines of all traces in a folder, and of the jobs in the fixtures."""
    with ProcessPoolExecutor(2) as pool:
        of_traces = pool.map(partial(diagnosed, folder), labels(folder))
        return [*of_traces, *(pool.map(diagnosed_job, JOBS) if folder == FIXTURES else [])]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        made = lines_of(Path(sys.argv[1]))
        print(listed(made), table(made), sep="\n", end="")
    else:
        made = lines_of(FIXTURES)
        PLACE.write_text(listed(made))
        GUIDE.write_text(in_guide(made))
