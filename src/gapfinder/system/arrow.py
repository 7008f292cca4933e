"""Passes rows from DuckDB to polars as an Arrow stream. This module must import neither of them.

polars keeps the type of every object that it was given until the interpreter ends, with everything that the type's module refers
to. If that includes DuckDB, the types of DuckDB 2.0 live too long, and it prints pages of "nanobind: leaked …" when the user's
program exits.
"""

from collections.abc import Iterator
from ctypes import CFUNCTYPE, PYFUNCTYPE, Structure, addressof, c_char_p, c_int, c_int64, c_void_p, py_object, pythonapi
from typing import Protocol


class Streamed(Protocol):
    """An object with Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the rows."""


class Stream:
    """The Arrow stream of another object. This type refers to nothing else, so that it can be kept."""

    def __init__(self, source: Streamed) -> None:
        self._source = source

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the rows of the source."""
        return self._source.__arrow_c_stream__(requested_schema)


def batches(source: Streamed) -> Iterator["Batch"]:
    """The rows of another object, in parts of about 100,000, so that the memory need not hold all of them at once.

    Raises StreamError if one cannot be made. What the iterator gives must be read before the next part is asked for.
    """
    capsule = source.__arrow_c_stream__()
    address = _pointer(capsule, b"arrow_array_stream")
    stream = _Stream.from_address(address)
    while True:
        schema, array = _Schema(), _Array()
        for get, struct in ((stream.get_schema, schema), (stream.get_next, array)):
            if get(address, addressof(struct)):
                raise StreamError((stream.get_last_error(address) or b"").decode(errors="replace"))
        try:
            if not array.release:
                return
            yield Batch(schema, array)
        finally:
            for struct in (schema, array):
                if struct.release:  # polars took nothing, or is done with it
                    struct.release(addressof(struct))


class StreamError(Exception):
    """Rows could not be made; the message is DuckDB's."""


class Batch:
    """Some rows, with Arrow's PyCapsule interface."""

    def __init__(self, schema: "_Schema", array: "_Array") -> None:
        self._schema, self._array = schema, array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules with the schema and the rows."""
        return _capsule(addressof(self._schema), b"arrow_schema", None), _capsule(addressof(self._array), b"arrow_array", None)


_Release = CFUNCTYPE(None, c_void_p)
_Get = CFUNCTYPE(c_int, c_void_p, c_void_p)


class _Stream(Structure):
    """As in Arrow's C stream interface."""

    _fields_ = (
        ("get_schema", _Get),
        ("get_next", _Get),
        ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
        ("release", _Release),
        ("private_data", c_void_p),
    )


class _Schema(Structure):
    """As in Arrow's C data interface."""

    _fields_ = (
        *((name, c_void_p) for name in ("format", "name", "metadata")),
        *((name, c_int64) for name in ("flags", "n_children")),
        *((name, c_void_p) for name in ("children", "dictionary")),
        ("release", _Release),
        ("private_data", c_void_p),
    )


class _Array(Structure):
    """As in Arrow's C data interface."""

    _fields_ = (
        *((name, c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, c_void_p) for name in ("buffers", "children", "dictionary")),
        ("release", _Release),
        ("private_data", c_void_p),
    )


_pointer = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
_capsule = PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
