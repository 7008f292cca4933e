"""How often the verdict is right: what is diagnosed of each labelled trace, as Markdown.

`python tests/accuracy.py` diagnoses them all, and writes the list of them to `fixtures/accuracy.md` and the table that sums it
up into the README. The tests hold both to what is diagnosed.
"""

import re
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from statistics import mean
from typing import NamedTuple

from traces import FIXTURES, LABELS, diagnosis

from gapfinder.errors import TraceError

README = FIXTURES.parent / "README.md"
PLACE = FIXTURES / "accuracy.md"
REFUSED = "refused"  # what a trace deserves that cannot be diagnosed
MARKS = ("<!-- by tests/accuracy.py -->\n", "<!-- end -->\n")
HEAD = """# What is diagnosed of these traces

Written by `python tests/accuracy.py`; a test of each trace holds its line to what is diagnosed. Times are per step: without the
cause that the label names, as predicted, and as measured where it was mended.

"""


class Line(NamedTuple):
    """One trace. Of several verdicts that are right, the truth is the one that was given."""

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
    verdict = found.verdict if found else REFUSED
    right = [REFUSED] if label.get("unusable") else label["cause"]
    truth = verdict if verdict in right else right[0]
    exact = [device.compute_ns + sum(device.causes.values()) == device.window_ns for device in found.devices] if found else []
    ledgers = f"{sum(exact)} of {len(exact)}" if found else ""
    if "whatif" not in label or not found:
        return Line(label["file"], truth, verdict, ledgers)
    predicted_ms = next(cause.predicted_step_ns for cause in found.causes if cause.cause == label["whatif"]) / 1e6
    measured_ms = label["fixed_ms"]
    error = f"{100 * (predicted_ms / measured_ms - 1):+.1f} %"
    return Line(label["file"], truth, verdict, ledgers, f"{predicted_ms:.2f} ms", f"{measured_ms:.2f} ms", error)


def kept():
    """The lines of the list as it is, by trace."""
    rows = re.findall(r"^\| (.*) \|$", PLACE.read_text(), re.MULTILINE)[2:]
    return {found.trace: found for found in (Line(*re.split(r" ?\| ?", row)) for row in rows)}


def listed(lines):
    """The whole list, as Markdown."""
    return HEAD + "".join(f"| {' | '.join(each)} |\n" for each in [TITLES, Line(*["---"] * len(TITLES)), *lines])


def matrix(lines):
    """Verdicts by truth, with the ledgers and the predictions of each row, as Markdown."""
    counts = defaultdict(int)
    for each in lines:
        counts[each.truth, each.verdict] += 1
    names = sorted({name for pair in counts for name in pair})
    rows = [["", "truth", *(str(number) for number, _ in enumerate(names, 1)), "ledgers exact", "fixes", "mean error", "worst"]]
    rows.append(["--:", "---", *["--:"] * (len(names) + 4)])
    for number, truth in enumerate(names, 1):
        of_it = [each for each in lines if each.truth == truth]
        cells = [str(counts[truth, verdict] or "") for verdict in names]
        rows.append([str(number), f"`{truth}`", *cells, *summed(of_it)])
    rows.append(["", "all", *(str(sum(counts[truth, verdict] for truth in names)) for verdict in names), *summed(lines)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def summed(lines):
    """Ledgers that are exact, fixes that were predicted, and how far off: on average and at worst."""
    exact, all_ = (sum(int(each.ledgers.split(" of ")[part]) for each in lines if each.ledgers) for part in (0, 1))
    errors = [abs(float(each.error.removesuffix(" %"))) for each in lines if each.error]
    found = [f"{exact} of {all_}" if all_ else "", str(len(errors) or "")]
    return [*found, *(f"{how(errors):.1f} %" if errors else "" for how in (mean, max))]


def in_readme(lines):
    """What the README has between its marks."""
    return matrix(lines).join(MARKS)


def _diagnosed(label):
    try:
        return line(label, diagnosis(FIXTURES / label["file"]))
    except TraceError:
        return line(label, None)


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        made = list(pool.map(_diagnosed, LABELS))
    PLACE.write_text(listed(made))
    before, first, rest = README.read_text().partition(MARKS[0])
    README.write_text(before + in_readme(made) + rest.partition(MARKS[1])[2] if first else before)
