"""The ledger of one GPU, and what several ledgers make together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class Ledger:
    """The ledger of a GPU or a rank: `compute_ns` and the lost times in `causes` (ns) add up to `window_ns`."""

    window_ns: int
    compute_ns: int
    causes: dict[str, int]

    @property
    def compute_share(self) -> float:
        """The share of the window in which it computes, 0 to 1."""
        return self.compute_ns / self.window_ns


@dataclass(frozen=True)
class Device(Ledger):
    """The ledger of one GPU."""

    gpu: int
    name: str
    window_ns: int
    compute_ns: int
    causes: dict[str, int]


def compute_share(ledgers: Sequence[Ledger]) -> float:
    """The share of the window in which they compute, 0 to 1: the mean of all."""
    return sum(ledger.compute_ns for ledger in ledgers) / sum(ledger.window_ns for ledger in ledgers)


def lost_by_cause(ledgers: Iterable[Ledger]) -> Counter[str]:
    """The time that all together lose to each cause, ns."""
    lost = Counter[str]()
    for ledger in ledgers:
        lost.update(ledger.causes)
    return lost
