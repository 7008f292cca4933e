"""Which statements a user may run on a trace: those that read the trace, and nothing else."""

from itertools import pairwise

import duckdb

from gapfinder.errors import UsageError

SELECT, SEVERAL = duckdb.StatementType.SELECT, duckdb.StatementType.MULTI
# PIVOT makes a type before it selects. A CREATE TABLE that pivots parses to the same kind, and so its first word tells.
PIVOTING = {"pivot", "pivot_wider", "from", "select", "with", "("}
# Table functions that read what is in the database, or nothing. All others are refused: DuckDB has some that switch on
# logging into a file, that run SQL held in a string, or that take an address in memory for a table.
HARMLESS = {
    "duckdb_columns", "duckdb_functions", "duckdb_keywords", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views",
    "generate_series", "json_each", "json_tree", "pragma_version", "range", "repeat", "repeat_row", "summary", "unnest",
}  # fmt: skip
COMMENT = duckdb.token_type.comment
STRING = duckdb.token_type.string_const


def split(text: str) -> list[str]:
    """The statements of a text, without the semicolons. Raises UsageError where it is no SQL."""
    try:
        return [statement.query.strip().rstrip(";").strip() for statement in duckdb.extract_statements(text)]
    except duckdb.Error as error:
        raise UsageError(message(error)) from error


def check_reads(connection: duckdb.DuckDBPyConnection, statement: str) -> None:
    """Refuse a statement that does more than read the trace. Raises UsageError, or an error of DuckDB where it is no SQL."""
    (parsed,) = connection.extract_statements(statement)
    tokens = _tokens(statement)
    words = [word for _, word in tokens]
    if words[0] == "explain":
        check_reads(connection, _explained(connection, statement, [offset for offset, _ in tokens[1:]]))
    elif not (parsed.type == SELECT or (parsed.type == SEVERAL and words[0] in PIVOTING)):
        raise UsageError(f"a trace is only read here, and {words[0].upper()} does more: --unsafe allows it")
    called = {word.strip('"') for word, following in pairwise(words) if following == "("} - HARMLESS
    if called and (refused := called & _table_functions(connection)):
        raise UsageError(f"{min(refused)}(…) reaches beyond the trace: --unsafe allows it")


def message(error: duckdb.Error) -> str:
    """What DuckDB says, in one line and without the excerpt of the query."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split())


def _tokens(statement: str) -> list[tuple[int, str]]:
    """Each token with its offset, in bytes, in lower case; neither comments nor strings."""
    text = statement.encode()
    found = duckdb.tokenize(statement)
    ends = [offset for offset, _ in found[1:]] + [len(text)]
    return [
        (start, text[start:end].decode().strip().lower())
        for (start, kind), end in zip(found, ends, strict=True)
        if kind not in {COMMENT, STRING}
    ]


def _explained(connection: duckdb.DuckDBPyConnection, statement: str, offsets: list[int]) -> str:
    """What an EXPLAIN is of: the first part up to the end that is a statement by itself."""
    text = statement.encode()
    for offset in offsets:
        rest = text[offset:].decode()
        try:
            connection.extract_statements(rest)
        except duckdb.Error:
            continue
        return rest
    raise UsageError("what is to be explained is no statement by itself")


def _table_functions(connection: duckdb.DuckDBPyConnection) -> set[str]:
    rows = connection.execute("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'").fetchall()
    return {name for (name,) in rows}
