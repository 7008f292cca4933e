"""Hands rows from DuckDB to polars as an Arrow stream. This module must import neither of them.

polars keeps every type that it was given until the interpreter ends, and with a type all that its module refers to. Given
a relation of DuckDB, or a class of a module that imports DuckDB, it keeps DuckDB's types for so long that DuckDB 2.0 prints
pages of "nanobind: leaked …" at the exit of the user's program.
"""

from typing import Protocol


class Streamed(Protocol):
    """What speaks Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the rows."""


class Stream:
    """The stream of something else, under a type that refers to nothing."""

    def __init__(self, source: Streamed) -> None:
        self._source = source

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the rows of the source."""
        return self._source.__arrow_c_stream__(requested_schema)
