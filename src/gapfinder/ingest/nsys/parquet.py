"""Reads a folder of Parquet files that `nsys export --type=parquetdir` wrote: one file for each table."""

from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

import duckdb

from gapfinder.ingest.names import check_utf8
from gapfinder.ingest.nsys.load import TEXT_CHARS, damaged

# nsys 2023.4 writes row groups of 2,048 rows, uncompressed; 2025.3 writes groups of a million rows, compressed. For a million
# kernels in small groups, reading with prefetching takes 25 % longer, and reading the metadata takes 15 ms. Without the cache
# the metadata is read three times.
SETTINGS = ("disable_parquet_prefetching = true", "parquet_metadata_cache = true")
# Every event has a time of its own, which takes a byte or more, however the file is compressed. A file with less was made to fill
# memory and disk: an encoding can repeat one row a billion times in a few bytes. Real traces have 0.1 to 0.3 rows per byte. Rows
# without such a time are more alike: 100 metrics of an idle GPU have 12.
FEW_ROWS, EVENTS_PER_BYTE, ROWS_PER_BYTE = 100_000, 4, 100


class ParquetTables:
    """A Parquet export. DuckDB reads the files in place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._types: dict[str, dict[str, str]] = {}  # by table and column; filled by `columns`

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
        """The columns of each table, by table. Raises TraceError if a file is damaged."""
        check_utf8(self._path)
        for setting in SETTINGS:
            cursor.execute(f"SET GLOBAL {setting}")
        files = [escape(str(path)) for path in self._path.glob("*.parquet") if path.is_file()]  # opening a named pipe would block
        try:
            rows = cursor.execute(
                "SELECT file_name, name, duckdb_type FROM parquet_schema($1) WHERE num_children IS NULL", [files]
            ).fetchall()
            counts = cursor.execute("SELECT file_name, num_rows FROM parquet_file_metadata($1)", [files]).fetchall()
        except duckdb.Error as error:
            raise damaged(self._path, error) from error
        for file, name, kind in rows:
            self._types.setdefault(Path(file).stem, {})[name] = kind
        for file, count in counts:
            size_bytes = Path(file).stat().st_size
            per_byte = EVENTS_PER_BYTE if "start" in self._types[Path(file).stem] else ROWS_PER_BYTE
            if count > max(FEW_ROWS, per_byte * size_bytes):
                raise damaged(self._path, f"{Path(file).name} claims {count:,} rows, and has {size_bytes:,} bytes for them")
        return {table: [*kinds] for table, kinds in self._types.items()}

    @contextmanager
    def rows(self, cursor: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], where: str) -> Iterator[object]:
        """The columns in `types` and the rows that meet `where`, as a relation of the cursor."""
        # Some exports declare binary payloads as text, and DuckDB cannot read them so. They become NULL.
        unread = {name for name, kind in types.items() if kind == "BLOB" != self._types[table][name]}
        values = (f'{_value(name, kind, unread)} AS "{name}"' for name, kind in types.items())
        file = escape(str(self._path / f"{table}.parquet"))
        yield cursor.sql(f"SELECT {', '.join(values)} FROM read_parquet($1) WHERE {where}", params=[file])

    def missing_rows(self, table: str) -> tuple[int, int]:  # noqa: ARG002  part of the protocol
        """(0, 0): the rows have no numbers, and nothing tells."""
        return 0, 0


def _value(name: str, kind: str, unread: set[str]) -> str:
    """The SQL for a value of a file. Long texts are cut."""
    if name in unread:
        return "NULL"
    return f'left(TRY_CAST("{name}" AS VARCHAR), {TEXT_CHARS})' if kind == "VARCHAR" else f'"{name}"'
