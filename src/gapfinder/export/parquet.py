"""The gaps of each GPU with their slices, as Parquet: what `gapfinder gaps --format parquet` lists."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapfinder.trace import Trace


def write(trace: "Trace", path: Path) -> None:
    """Write the columns of the view `gaps`, and `slices`, a list of structs; times in ns since the session began."""
    from gapfinder.gaps import listed

    listed(trace, by="device", slices=True).write_parquet(path)
