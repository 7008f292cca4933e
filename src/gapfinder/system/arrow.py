"""Passes rows from DuckDB to polars as an Arrow stream. This module must import neither of them.

polars keeps the type of every object that it was given until the interpreter ends, with everything that the type's module refers
to. If that includes DuckDB, the types of DuckDB 2.0 live too long, and it prints pages of "nanobind: leaked …" when the user's
program exits.
"""

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
