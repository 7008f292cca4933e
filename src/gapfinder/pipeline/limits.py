"""The limits that both SQL and Python use: constants here, and macros without arguments in SQL."""

from gapfinder.ingest.nsys.load import BOUND, TEXT_CHARS
from gapfinder.pipeline.relations import Relation

LAYER = "10_source"
SOON = 4  # times the usual latency: an activity that starts within it started as soon as it was launched
# what something costs in a replayed step, as a multiple of what it costs in the mean step, if the replayed one is usual
LEAST_USUAL, MOST_USUAL = 0.8, 1.25
ONE_RANK_SHARE = 0.8  # if one rank causes this share of the waiting, it is the late rank; else the late rank changes
# when a capture began, ns since 1970: in the years 2000 to 2099; another time is none
FIRST_START_NS, LAST_START_NS = 946_684_800 * 10**9, 4_102_444_800 * 10**9 - 1
PLACES_OF_A_STEP = 30  # places of lost time that the page lists for a step, those with the most

LIMITS = {
    "first_start_ns": FIRST_START_NS,
    "last_start_ns": LAST_START_NS,
    "least_usual_ratio": LEAST_USUAL,
    "most_usual_ratio": MOST_USUAL,
    "one_rank_share": ONE_RANK_SHARE,
    "places_of_a_step": PLACES_OF_A_STEP,
    "soon_latencies": SOON,
    "text_chars": TEXT_CHARS,
    "time_bound": BOUND,
}


def limits() -> list[Relation]:
    """The macros."""
    return [Relation(name, LAYER, frozenset(), f"CREATE MACRO {name}() AS {value}") for name, value in LIMITS.items()]
