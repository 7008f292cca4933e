"""The gaps of each GPU as CSV, longest first, as `gapfinder gaps --format csv` lists them."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


def write(trace: "OpenTrace", path: Path) -> None:
    """Write all gaps with the columns of the view `gaps`. Times are in ns since the session began."""
    from gapfinder.diagnosis.gaps import list_gaps
    from gapfinder.system.csv import as_csv

    path.write_bytes(as_csv(list_gaps(trace, by="device")))
