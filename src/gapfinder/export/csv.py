"""The gaps of each GPU, longest first, as CSV: what `gapfinder gaps --format csv` lists."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


def write(trace: "OpenTrace", path: Path) -> None:
    """Write the columns of the view `gaps`; times in ns since the session began."""
    from gapfinder.diagnosis.gaps import list_gaps

    list_gaps(trace, by="device").write_csv(path)
