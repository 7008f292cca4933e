"""Reads a folder of Parquet files as `nsys export --type=parquetdir` writes it: one file a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

import duckdb

from gapfinder.ingest.names import check_utf8
from gapfinder.ingest.nsys.load import damaged

# nsys 2023.4 writes 2,048 rows to a row group, as they are; 2025.3 a million, compressed. Of a million kernels in small groups,
# reading each ahead takes a quarter longer, and reading what the file says of them all 15 ms, three times over.
SETTINGS = ("disable_parquet_prefetching = true", "parquet_metadata_cache = true")


class ParquetTables:
    """A Parquet directory export. DuckDB reads the files in place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._types: dict[str, dict[str, str]] = {}  # of the columns by table, once they were asked for

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
        """Tables and their columns."""
        check_utf8(self._path)
        for setting in SETTINGS:
            cursor.execute(f"SET GLOBAL {setting}")
        files = [escape(str(path)) for path in self._path.glob("*.parquet") if path.is_file()]  # DuckDB would wait for a pipe
        try:
            rows = cursor.execute(
                "SELECT file_name, name, duckdb_type FROM parquet_schema($1) WHERE num_children IS NULL", [files]
            ).fetchall()
        except duckdb.Error as error:
            raise damaged(self._path, error) from error
        for file, name, kind in rows:
            self._types.setdefault(Path(file).stem, {})[name] = kind
        return {table: [*kinds] for table, kinds in self._types.items()}

    @contextmanager
    def rows(self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str) -> Iterator[object]:
        """The wanted columns and rows, as a relation of the cursor."""
        # bytes that are called a text would not be read as one, and a payload is no reason to give a trace up
        unread = {name for name, kind in types.items() if kind == "BLOB" != self._types[table][name]}
        wanted = (f'NULL AS "{name}"' if name in unread else f'"{name}"' for name in types)
        file = escape(str(self._path / f"{table}.parquet"))
        yield cursor.sql(f"SELECT {', '.join(wanted)} FROM read_parquet($1) WHERE {where}", params=[file])
