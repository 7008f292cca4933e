"""Which SQL types the columns of a result get, so that polars and Python can hold every value."""

from datetime import date
from typing import Any

import polars as pl

from gapfinder.query.statements import quoted

# Types that polars does not have. Their values become text.
AS_TEXT = {"bignum", "bit", "geometry", "interval", "time", "time with time zone", "time_ns", "uhugeint", "union", "variant"}
NESTED = {"list", "array", "struct", "tuple", "map"}
# Types whose values may be infinite, or beyond the years 1 to 9999, the only ones that Python has. Inside of a list or a struct
# they are text; a column of them is text where such a value is in it.
DATES = {"date", "timestamp", "timestamp with time zone", "timestamp_ms", "timestamp_ns", "timestamp_s"}
FIRST_DAY, LAST_DAY = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))
PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000}
ALWAYS = "count(*) >= 0"


def value_checks(number: int, kind: Any) -> dict[str, str]:
    """What a column of a large result can be held as, by the SQL of whether all of its values can be. The last one always can."""
    column = f"#{number}"
    if kind.id in {"hugeint", "uhugeint"} or (kind.id == "decimal" and not dict(kind.children)["scale"]):
        return {"BIGINT": f"count({column}) = count(TRY_CAST({column} AS BIGINT))", "DOUBLE": ALWAYS}
    if kind.id == "decimal":
        return {"DOUBLE": ALWAYS}
    if kind.id in DATES - {"timestamp_ns"}:
        years = f"isfinite({column}) AND {column} >= '0001-01-01'::{kind} AND {column} < '10000-01-01'::{kind}"
        return {str(kind): f"coalesce(bool_and({years}), true)", "VARCHAR": ALWAYS}
    return {held(kind, dates=True): ALWAYS}


def held(kind: Any, *, dates: bool) -> str:
    """The SQL type in which a value of a type of DuckDB can be held. Without `dates`, dates and times become text."""
    if kind.id not in NESTED:
        return "VARCHAR" if kind.id in AS_TEXT or (kind.id in DATES and not dates) else str(kind)
    parts = dict(kind.children) if kind.id == "array" else {}
    inner = [held(child, dates=False) for name, child in kind.children if name != "size"]
    match kind.id:
        case "list":
            return f"{inner[0]}[]"
        case "array":
            return f"{inner[0]}[{parts['size']}]"
        case "map":  # JSON has only texts as keys
            return f"MAP(VARCHAR, {inner[1]})"
        case "tuple":
            return f"TUPLE({', '.join(inner)})"
    return f"STRUCT({', '.join(f'{quoted(name)} {child}' for (name, _), child in zip(kind.children, inner, strict=True))})"


def has_odd_dates(frame: pl.DataFrame) -> bool:
    """Whether a date or time of a column is infinite, or beyond the years that Python has."""
    return any(_is_odd(column) for column in frame.iter_columns() if isinstance(column.dtype, pl.Date | pl.Datetime))


def _is_odd(column: pl.Series) -> bool:
    unit = column.dtype.time_unit if isinstance(column.dtype, pl.Datetime) else None
    if unit == "ns":  # in 64 bits these are the years 1677 to 2262
        return False
    per_day = PER_DAY[unit] if unit else 1
    values = column.to_physical().drop_nulls()
    return bool(len(values)) and not bool(values.is_between(FIRST_DAY * per_day, (LAST_DAY + 1) * per_day - 1).all())
