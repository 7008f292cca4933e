"""A table of gaps. Start times are in seconds since the session began, as in Nsight's timeline."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl

from gapfinder.display import PLAIN_WIDTH
from gapfinder.render.columns import Column, side_by_side
from gapfinder.units import clean, duration, timestamp

TEXT, COUNTED, WHOLE = True, True, False


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:
    """The rows of the view `gaps` or `stream_gaps`. In a narrow terminal, names are cut."""
    frame = pl.concat(frames)
    columns = [Column("GPU", [str(gpu) for gpu in frame["gpu"]], is_number=True)]
    if streams := "stream" in frame.columns:
        columns.append(Column("stream", [str(stream) for stream in frame["stream"]], is_number=True))
    columns += [
        Column("start", [timestamp(ns) for ns in frame["start_ns"]], is_number=True),
        Column("length", [duration(ns) for ns in frame["length_ns"]], is_number=True),
        Column("computing elsewhere", [duration(ns) for ns in frame["computing_ns"]], is_number=True)
        if streams
        else Column("cause", frame["cause"].to_list()),
        *(Column(side, [clean(name or "") for name in frame[side]], is_text=True) for side in ("before", "after")),
    ]
    file.write(side_by_side(columns, width=width or PLAIN_WIDTH, color=color).encode())
