"""The gaps of each GPU as Parquet, with their segments, as `gapfinder gaps --format parquet` lists them."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace


def write(trace: "OpenTrace", path: Path) -> None:
    """Write all gaps: the columns of the view `gaps`, and `segments`, a list of structs. Times are ns since the session began."""
    from gapfinder.diagnosis.gaps import list_gaps

    content = BytesIO()  # polars does not say that a disk is full
    list_gaps(trace, by="device", segments=True).write_parquet(content)
    path.write_bytes(content.getvalue())
