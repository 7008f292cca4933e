"""Rows as JSON: an array of objects, on one line."""

from collections.abc import Iterable
from typing import BinaryIO

import polars as pl
from polars.datatypes import DataType, DataTypeClass

from gapfinder.units import escaped_json

TEXT, COUNTED, WHOLE = True, False, True


def write(frames: Iterable[pl.DataFrame], file: BinaryIO, *, width: int | None, color: bool) -> None:  # noqa: ARG001  of the protocol
    """The array in UTF-8. Bytes are hexadecimal strings."""
    before = b"["
    for frame in frames:
        objects = as_array(frame).encode()[1:-1]
        file.write(before + objects if objects else b"")
        before = b"," if objects else before
    file.write((b"[" if before == b"[" else b"") + b"]\n")


def as_array(frame: pl.DataFrame) -> str:
    """The rows as a JSON array of objects."""
    texts = [_hexadecimal(pl.col(name), kind) for name, kind in frame.schema.items() if _with_texts(kind) != kind]
    return escaped_json(frame.with_columns(texts).write_json())


def _hexadecimal(value: pl.Expr, kind: DataType | DataTypeClass) -> pl.Expr:
    """A value in which bytes are hexadecimal texts: polars cannot write bytes as JSON."""
    match kind:
        case pl.Binary():
            return value.bin.encode("hex")
        case pl.List():
            return value.list.eval(_hexadecimal(pl.element(), kind.inner))
        case pl.Array():
            return _hexadecimal(value.arr.to_list(), pl.List(kind.inner))
        case pl.Struct():
            return value.struct.with_fields(_hexadecimal(pl.field(part.name), part.dtype) for part in kind.fields)
        case pl.Map():
            entries = value.map.entries()
            shown = pl.element().struct.with_fields(_hexadecimal(pl.field("value"), kind.value))
            return entries.list.eval(shown).cast(_with_texts(kind))
    return value


def _with_texts(kind: DataType | DataTypeClass) -> DataType | DataTypeClass:
    """The type of such a value after `_hexadecimal`."""
    match kind:
        case pl.Binary():
            return pl.String()
        case pl.List() | pl.Array():
            return pl.List(_with_texts(kind.inner))
        case pl.Struct():
            return pl.Struct({part.name: _with_texts(part.dtype) for part in kind.fields})
        case pl.Map():
            return pl.Map(kind.key, _with_texts(kind.value))
    return kind
