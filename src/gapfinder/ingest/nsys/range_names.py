"""Finds the names of NVTX ranges that repeat in an SQLite export, fast enough for completion in a shell.

The file may come from anybody: only ordinary tables are read, nothing is written beside it, and not for long.
"""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

LOOKED_AT = 50_000  # ranges: 0.05 s
LONGEST_S = 2.0
STEPS = 10_000  # of SQLite's machine, between two looks at the clock
ORDINARY = """
    SELECT count(*) FROM sqlite_master
    WHERE name IN ('NVTX_EVENTS', 'StringIds') AND type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
"""
REPEATED = f"""
    SELECT coalesce(n.text, s.value) AS name
    FROM (SELECT text, textId FROM NVTX_EVENTS WHERE "end" IS NOT NULL LIMIT {LOOKED_AT}) AS n
    LEFT JOIN StringIds AS s ON s.id = n.textId
    WHERE name IS NOT NULL
    GROUP BY name HAVING count(*) > 1
    ORDER BY count(*) DESC, name
"""


def range_names(path: Path) -> list[str]:
    """The names, most frequent first; empty if the file is not an SQLite export, or has no names."""
    if not path.is_file():
        return []
    until_s = time.monotonic() + LONGEST_S
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = off")
            connection.set_progress_handler(lambda: time.monotonic() > until_s, STEPS)
            if connection.execute(ORDINARY).fetchone() != (2,):
                return []
            return [name for (name,) in connection.execute(REPEATED) if isinstance(name, str)]
    except (sqlite3.Error, ValueError):
        return []
