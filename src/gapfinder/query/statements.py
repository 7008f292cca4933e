"""Checks the statements of a user: without `unsafe`, a statement may only read the relations."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise

import duckdb

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.system.texts import SHOWN_CHARS, check_text
from gapfinder.units import shortened

SELECT, SEVERAL = duckdb.StatementType.SELECT, duckdb.StatementType.MULTI
# A PIVOT creates a type before it selects, so DuckDB parses it to several statements. A CREATE TABLE with a PIVOT does, too: the
# first word shows which one it is.
PIVOT_STARTS = {"pivot", "pivot_wider", "from", "select", "with", "("}
# A part of a WITH may be one of these (DuckDB 2.0.1). The statement counts as a SELECT nevertheless.
WRITE_IN_WITH = {"copy", "delete", "insert", "truncate", "update"}
# Table functions that read only the database. All others are refused: some write a log file, run SQL from a string, or read an
# address in memory as a table.
ALLOWED_FUNCTIONS = {
    "duckdb_columns", "duckdb_functions", "duckdb_keywords", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views",
    "generate_series", "json_each", "json_tree", "pragma_version", "range", "repeat", "repeat_row", "summary", "unnest",
}  # fmt: skip
# They follow a nested value as deep as it goes, and 100,000 levels end the process (DuckDB 2.0.1). The last one plans SQL that
# stands in a text, where none of this is checked.
WITHOUT_A_LIMIT = {
    "json_contains", "json_transform", "json_transform_strict", "from_json", "from_json_strict", "json_serialize_plan"
}  # fmt: skip
VARIANT = re.compile(r'"?\w*variant\w*"?')  # the type, and its functions, do so, too
# DuckDB's own limit for expressions. Its parser has none, and 50,000 brackets end the process (DuckDB 2.0.1).
MAX_DEPTH = 1_000
SET_OPERATIONS = {"union", "except", "intersect"}  # it nests them: 1,000 take 3 s, 20,000 three minutes (DuckDB 2.0.1)
QUOTED = re.compile(r'"(?:[^"]|"")*"')  # a name in double quotes, which may have any characters
NO_TABLE = re.compile(r"Table with name (\w+) does not exist")
COMMENT = duckdb.token_type.comment
STRING = duckdb.token_type.string_const


def split(text: str) -> list[str]:
    """The statements of a text, without the semicolons. Raises UsageError if the text is not SQL."""
    check_text(text)
    try:
        return statements_of(text)
    except duckdb.Error as error:
        raise UsageError(message(error)) from error


def statements_of(text: str, connection: duckdb.DuckDBPyConnection | None = None) -> list[str]:
    """As `split`, but raises duckdb.Error if the text is not SQL. Without a connection, DuckDB opens a database to parse it."""
    if sum(map(text.count, "([{")) > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise UsageError(f"the SQL nests brackets more than {MAX_DEPTH:,} deep: name its parts in WITH")
    extract = connection.extract_statements if connection else duckdb.extract_statements
    return [_trimmed(statement.query) for statement in extract(text)]


def _depth(text: str) -> int:
    """How deep brackets nest in a text."""
    return max(accumulate((letter in "([{") - (letter in ")]}") for letter in text))


def _trimmed(statement: str) -> str:
    """A statement without a semicolon, and without the comments around it, which DuckDB 2.0.1 leaves before it."""
    tokens = [(start, start + len(text)) for start, kind, text in _all_tokens(statement) if kind != COMMENT]
    start, end = (tokens[0][0], tokens[-1][1]) if tokens else (0, 0)
    return statement.encode()[start:end].decode().strip().rstrip(";").strip()


def without_comments(statement: str) -> str:
    """A statement with a space in place of each comment."""
    return b"".join(b" " if kind == COMMENT else text for _, kind, text in _all_tokens(statement)).decode()


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def check_reads(connection: duckdb.DuckDBPyConnection, statement: str) -> None:
    """Raise UsageError if a statement does more than read the relations, and duckdb.Error if it is not SQL."""
    (parsed,) = connection.extract_statements(statement)
    tokens = _tokens(statement)
    words = [word for _, word in tokens]
    if sum(word in SET_OPERATIONS for word in words) > MAX_DEPTH:
        raise UsageError(f"the SQL has more than {MAX_DEPTH:,} of UNION, EXCEPT and INTERSECT: select from VALUES or a list")
    if words[0] == "explain":
        check_reads(connection, _explained(connection, statement, [offset for offset, _ in tokens[1:]]))
    elif not (parsed.type == SELECT or (parsed.type == SEVERAL and words[0] in PIVOT_STARTS)):
        raise UsageError(f"without `unsafe`, SQL may only read the trace, and {words[0].upper()} does more")
    if refused := refused_part(connection, statement):
        raise UsageError(f"without `unsafe`, SQL may only read the trace, and {refused}")


def _first_in_with(words: list[str]) -> Iterator[str]:
    """The first word of each part of a WITH, which stands in brackets after AS, NOT MATERIALIZED or MATERIALIZED."""
    for before, bracket, word in zip(words, words[1:], words[2:], strict=False):
        if before in {"as", "materialized"} and bracket == "(":
            yield word


def refused_part(connection: duckdb.DuckDBPyConnection, statement: str) -> str | None:
    """What a part of a statement does beside reading the database, as the end of a sentence; None if it only reads."""
    words = [word for _, word in _tokens(statement)]
    if hidden := next((word for word in words if _may_hide(QUOTED.sub("", word))), None):
        return f"{shortened(hidden, SHOWN_CHARS)!a} may be another name: put names with such characters in double quotes"
    if writes := next((word for word in _first_in_with(words) if word in WRITE_IN_WITH), None):
        return f"{writes.upper()} does more"
    if endless := next((word for word in words if word.strip('"') in WITHOUT_A_LIMIT or VARIANT.fullmatch(word)), None):
        return f"{endless} may end the program"
    called = {word.strip('"') for word, following in pairwise(words) if following == "("} - ALLOWED_FUNCTIONS
    refused = min(called & _table_functions(connection), default=None) if called else None
    return f"{refused}(…) does more" if refused else None


def _may_hide(word: str) -> bool:
    """Whether a word has a backtick, which is a quote to DuckDB, or a character like U+200B, which it may take for a space."""
    return "`" in word or not word.isprintable()


def message(error: Exception, relations: Iterable[str] = ()) -> str:
    """The message of an error in one line, without the excerpt of the query. It names the nearest of these `relations`.

    DuckDB itself knows only those that were made by then.
    """
    text = " ".join(str(error).partition("\n\nLINE ")[0].partition("\nPlease try installing")[0].split())
    unknown = NO_TABLE.search(text)
    if not unknown or not (known := [*relations]):
        return text
    return text[: unknown.end()] + (did_you_mean(unknown[1], known) or ": the view catalogue lists those that there are")


def _tokens(statement: str) -> list[tuple[int, str]]:
    """The offset (in bytes) and the text (in lower case) of each token that is neither a comment nor a string."""
    return [
        (start, text.decode().strip().lower()) for start, kind, text in _all_tokens(statement) if kind not in {COMMENT, STRING}
    ]


def _all_tokens(statement: str) -> Iterator[tuple[int, duckdb.token_type, bytes]]:
    """The offset (in bytes), the kind and the text of each token, with the spaces behind it."""
    text = statement.encode()
    tokens = duckdb.tokenize(statement)
    ends = [offset for offset, _ in tokens[1:]] + [len(text)]
    for (start, kind), end in zip(tokens, ends, strict=True):
        yield start, kind, text[start:end]


def _explained(connection: duckdb.DuckDBPyConnection, statement: str, offsets: list[int]) -> str:
    """The statement in an EXPLAIN: the longest rest of the text, from one of the offsets, that is a statement by itself."""
    text = statement.encode()
    for offset in offsets:
        rest = text[offset:].decode()
        try:
            connection.extract_statements(rest)
        except duckdb.Error:
            continue
        return rest
    raise UsageError("EXPLAIN needs a statement that could run by itself")


def _table_functions(connection: duckdb.DuckDBPyConnection) -> set[str]:
    rows = connection.execute("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'").fetchall()
    return {name for (name,) in rows}
