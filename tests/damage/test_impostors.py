"""An SQLite file may hold more than tables: nothing in it is run, and nothing but tables is read."""

import hashlib

import pytest
from outcome import assert_not_healthy, outcome
from samples import altered
from variations import some

KERNELS, OS_CALLS = "CUPTI_ACTIVITY_KIND_KERNEL", "OSRT_API"
ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS start, x AS end FROM n"


@pytest.mark.parametrize("table", some(1, [KERNELS, OS_CALLS]))
def test_view_with_the_name_of_a_table_is_not_read(tmp_path, table):
    """Without the table it is missing; the view, which would never end, is not asked."""
    path = altered(tmp_path, f"DROP TABLE {table}", f"CREATE VIEW {table} AS {ENDLESS}")
    found = assert_not_healthy(path)
    assert table != OS_CALLS or any("OS calls" in note for note in found.notes)


def test_triggers_and_indexes_are_not_run(tmp_path):
    """Of the tables, and of their names; the file stays as it is."""
    path = altered(
        tmp_path,
        f"CREATE VIEW {KERNELS}_view AS SELECT * FROM {KERNELS}",
        f"CREATE TRIGGER {OS_CALLS}_ AFTER INSERT ON {OS_CALLS} BEGIN DELETE FROM {KERNELS}; END",
        f"CREATE TRIGGER {KERNELS} INSTEAD OF INSERT ON {KERNELS}_view BEGIN SELECT raise(ABORT, 'no'); END",
        f'CREATE INDEX "export" ON {KERNELS} ("start" DESC)',
        'CREATE TABLE "trace" (x)',
        'CREATE TABLE "x; DROP TABLE y" ("a b", "c""d")',
    )
    before = hashlib.sha256(path.read_bytes()).digest()
    assert outcome(path).verdict == "host_sync"
    assert hashlib.sha256(path.read_bytes()).digest() == before


def test_computed_column_counts_as_missing(tmp_path):
    """They are no column of an export: it is as if they were not there."""
    path = altered(
        tmp_path,
        'CREATE TABLE new ("start", "end", globalTid, nameId AS (zeroblob(1 << 20)))',
        f'INSERT INTO new SELECT "start", "end", globalTid FROM {OS_CALLS}',
        f"DROP TABLE {OS_CALLS}",
        f"ALTER TABLE new RENAME TO {OS_CALLS}",
    )
    assert any("Rows of OSRT_API without a usable nameId" in note for note in assert_not_healthy(path).notes)


def test_tables_that_share_their_pages_give_no_clean_bill(tmp_path):
    """Two tables that share their pages, as a damaged sqlite_master has them."""
    path = altered(
        tmp_path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'StringIds') "
        f"WHERE name = '{KERNELS}'",
    )
    assert_not_healthy(path)


def test_schema_that_is_no_sql_is_refused(tmp_path):
    broken = "UPDATE sqlite_master SET sql = 'CREATE TABLE (' WHERE name = 'OSRT_API'"
    path = altered(tmp_path, "PRAGMA writable_schema = ON", broken)
    assert isinstance(outcome(path), str)


def test_virtual_table_is_not_asked(tmp_path):
    """It would ask the view, which forges rows and never ends."""
    path = altered(
        tmp_path,
        f"ALTER TABLE {KERNELS} RENAME TO kept",
        f"CREATE VIEW forged AS {ENDLESS}",
        f'CREATE VIRTUAL TABLE {KERNELS} USING fts5("start", "end", content=\'forged\')',
    )
    assert "is no export of nsys" in outcome(path)


def test_view_that_says_it_is_a_table_is_not_asked(tmp_path):
    path = altered(
        tmp_path,
        f"DROP TABLE {KERNELS}",
        f"CREATE VIEW {KERNELS} AS {ENDLESS}",
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET type = 'table' WHERE name = '{KERNELS}'",
    )
    assert isinstance(outcome(path), str)
