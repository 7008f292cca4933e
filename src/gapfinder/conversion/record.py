"""Makes the record of a conversion, with a digest that tells whether its relations are up to date, and as they were made."""

import duckdb

from gapfinder.ingest.nsys.converted import EXPORT, MISSING_ROWS, tables_of
from gapfinder.ingest.nsys.load import declaration
from gapfinder.ingest.nsys.record import Record, digest, reading_digest
from gapfinder.options import Options
from gapfinder.pipeline.column_meanings import usual_meanings
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import defined
from gapfinder.pipeline.relations import SCHEMA
from gapfinder.query.statements import quoted
from gapfinder.resources import __version__


def new_record(connection: duckdb.DuckDBPyConnection, source: str, tables: set[str], options: Options, config: Config) -> Record:
    """The record of a new conversion. `source` is the file name of the trace, `tables` are the tables of its export."""
    computing = conversion_digest(connection, "memory", options, config)
    names = sorted({*tables, MISSING_ROWS})
    rows = [connection.table(f"{EXPORT}.{quoted(name)}").shape[0] for name in names]
    return Record(__version__, source, names, rows, reading_digest(), computing)


def conversion_digest(connection: duckdb.DuckDBPyConnection, catalog: str, options: Options, config: Config) -> str:
    """A digest of the tables in a conversion, and of everything that they depend on except the trace.

    Whoever edits a table makes it another one: results that no trace has are not read.
    """
    kept = [
        name.partition(".") for name in sorted(tables_of(connection, catalog)) if name.startswith((f"{SCHEMA}.", f"{EXPORT}."))
    ]
    contents = [
        (schema, table, *map(str, connection.execute(f'SELECT count(*), sum(hash("row")) FROM {place} AS "row"').fetchall()))
        for schema, _, table in kept
        for place in [f"{catalog}.{schema}.{quoted(table)}"]
    ]
    return digest([relations_digest(options, config), contents])


def relations_digest(options: Options, config: Config) -> str:
    """A digest of everything that the relations depend on except the trace: gapfinder's version and SQL, options, config."""
    relations = defined(config, options, ())
    sql = [(name, relations[name].sql, relations[name].comments) for name in sorted(relations)]
    return digest([__version__, declaration(), sql, usual_meanings()])
