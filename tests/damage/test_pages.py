"""Pages of an SQLite file that stand in the place of others, or that nothing refers to: SQLite reads the file without a word."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from outcome import outcome
from traces import FIXTURES

from gapfinder.ingest.nsys import pages

TRACE = FIXTURES / "host_sync_faulty.sqlite"
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
INTERIOR, LEAF = 0x05, 0x0D


def layout(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        (page_bytes,) = database.execute("PRAGMA page_size").fetchone()
        roots = dict(database.execute("SELECT name, rootpage FROM sqlite_master WHERE type IN ('table', 'index')"))
    return page_bytes, roots


def fault(path):
    page_bytes, roots = layout(path)
    return pages.fault(path, page_bytes, [1, *roots.values()])


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "t.sqlite"
    shutil.copyfile(TRACE, path)
    return path


def children(content, page_bytes, root):
    """Where the numbers of the children of an interior page stand, without the last one."""
    start = (root - 1) * page_bytes
    assert content[start] == INTERIOR
    count = int.from_bytes(content[start + 3 : start + 5], "big")
    cells = content[start + 12 : start + 12 + 2 * count]
    return [start + int.from_bytes(cells[place : place + 2], "big") for place in range(0, len(cells), 2)]


def number_at(content, place):
    return int.from_bytes(content[place : place + 4], "big")


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.sqlite"))[::9], ids=lambda path: path.stem)
def test_sound_file_has_no_fault(path):
    assert fault(path) is None


def test_child_that_stands_twice_is_a_fault(trace):
    """One leaf is read twice, another one not at all."""
    page_bytes, roots = layout(trace)
    content = bytearray(trace.read_bytes())
    first, second, *_ = children(content, page_bytes, roots[KERNELS])
    content[second : second + 4] = content[first : first + 4]
    trace.write_bytes(content)
    assert fault(trace) == f"page {number_at(content, first)} is used twice"
    assert "is used twice" in outcome(trace)


def test_interior_page_that_lost_half_of_its_children_is_a_fault(trace):
    page_bytes, roots = layout(trace)
    content = bytearray(trace.read_bytes())
    lost = children(content, page_bytes, roots[KERNELS])
    start = (roots[KERNELS] - 1) * page_bytes
    content[start + 3 : start + 5] = (len(lost) // 2).to_bytes(2, "big")
    trace.write_bytes(content)
    assert "is not used" in fault(trace)
    assert "is not used" in outcome(trace)


def test_child_that_is_no_page_is_a_fault(trace):
    page_bytes, roots = layout(trace)
    content = bytearray(trace.read_bytes())
    first, *_ = children(content, page_bytes, roots[KERNELS])
    content[first : first + 4] = b"\xff" * 4
    trace.write_bytes(content)
    assert fault(trace) == "a page refers to one that is not there"


def test_copied_leaf_is_told(trace):
    """The file's structure is sound, but the numbers of its rows are not: the rows of one leaf stand there twice."""
    page_bytes, roots = layout(trace)
    content = bytearray(trace.read_bytes())
    first, second, *_ = (number_at(content, place) - 1 for place in children(content, page_bytes, roots[KERNELS]))
    copied = content[first * page_bytes : (first + 1) * page_bytes]
    content[second * page_bytes : (second + 1) * page_bytes] = copied
    trace.write_bytes(content)
    assert fault(trace) is None
    found = outcome(trace)
    assert isinstance(found, str) or found.damage


def test_free_pages_are_no_fault(trace):
    with closing(sqlite3.connect(trace)) as database:
        database.execute("DROP TABLE NVTX_EVENTS")
        database.commit()
        assert database.execute("PRAGMA freelist_count").fetchone() > (0,)
    assert fault(trace) is None


def test_long_text_is_no_fault(trace):
    """What does not fit on its page stands on others, to which only that page refers."""
    with closing(sqlite3.connect(trace)) as database:
        database.execute("INSERT INTO StringIds SELECT max(id) + 1, hex(zeroblob(100000)) FROM StringIds")
        database.commit()
    assert fault(trace) is None


def test_pages_that_refer_to_each_other_end(tmp_path):
    """An interior page each of whose two children is the next one: they would be read 2^3000 times."""
    page_bytes, count = 512, 3000
    path = tmp_path / "t.sqlite"
    with path.open("wb") as file:
        for number in range(1, count + 1):
            start = pages.HEADER_BYTES if number == 1 else 0
            page = bytearray(page_bytes)
            page[start] = INTERIOR
            page[start + 3 : start + 5] = (1).to_bytes(2, "big")
            page[start + 8 : start + 12] = (number % count + 1).to_bytes(4, "big")
            page[start + 12 : start + 14] = (400).to_bytes(2, "big")
            page[400:404] = (number % count + 1).to_bytes(4, "big")
            file.write(page)
    assert pages.fault(path, page_bytes, [1]) == "page 1 is used twice"


def test_pages_that_take_no_space_are_a_fault(trace):
    """A small file may claim to be larger than the disk."""
    page_bytes, roots = layout(trace)
    count = trace.stat().st_size // page_bytes
    with trace.open("r+b") as file:
        file.truncate(1 << 40)
        file.seek(28)
        file.write(((1 << 40) // page_bytes).to_bytes(4, "big"))
    assert pages.fault(trace, page_bytes, [1, *roots.values()]) == f"page {count + 1} was never written"


@pytest.mark.parametrize("after", [0, 60_000, 65536])
def test_the_page_that_sqlite_locks_is_never_written(tmp_path, monkeypatch, after):
    """Whatever comes after it; a page of which only a part is written counts as written."""
    path, page_bytes = tmp_path / "t.sqlite", 65536
    leaf = bytes([pages.LEAF_TABLE]).ljust(page_bytes, b"\1")
    with path.open("wb") as file:
        file.write(bytes(pages.HEADER_BYTES) + leaf[pages.HEADER_BYTES :])
        file.seek(2 * page_bytes)
        file.write(b"\1" * after)
        file.truncate((2 + (after > 0)) * page_bytes)
    assert pages.fault(path, page_bytes, [1]) == "page 2 was never written"
    monkeypatch.setattr(pages, "LOCK_AT", page_bytes)
    assert pages.fault(path, page_bytes, [1]) is None


def test_a_free_page_may_take_no_space(tmp_path):
    """Some copies leave out what holds zeros, as a page that was deleted."""
    path, page_bytes = tmp_path / "t.sqlite", 4096
    first = bytearray(bytes(pages.HEADER_BYTES) + b"\1" * (page_bytes - pages.HEADER_BYTES))
    first[32:36] = (2).to_bytes(4, "big")
    trunk = b"".join(number.to_bytes(4, "big") for number in (0, 1, 3)).ljust(page_bytes, b"\1")
    with path.open("wb") as file:
        file.write(first + trunk)
        file.truncate(3 * page_bytes)
    assert pages.fault(path, page_bytes, [1]) is None


def test_a_list_of_free_pages_that_claims_more_than_it_holds_ends(trace):
    page_bytes, _ = layout(trace)
    with trace.open("r+b") as file:
        content = file.read(page_bytes)
        count = int.from_bytes(content[28:32], "big")
        file.seek(28)
        file.write((count + 1).to_bytes(4, "big") + (count + 1).to_bytes(4, "big"))
        file.seek(0, 2)
        file.write(((0).to_bytes(4, "big") + (2**32 - 1).to_bytes(4, "big")).ljust(page_bytes, b"\1"))
    assert fault(trace) == "a page refers to one that is not there"


def test_an_index_that_was_not_updated_hides_no_row_that_is_gone(trace):
    """SQLite answers from an index where it can."""
    index = "CREATE INDEX stale ON OSRT_API(nameId)"
    with closing(sqlite3.connect(trace)) as database, database:
        database.execute(index)
        (entry,) = database.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE name = 'stale'")
        database.execute("PRAGMA writable_schema = 1")
        database.execute("DELETE FROM sqlite_master WHERE name = 'stale'")
    with closing(sqlite3.connect(trace)) as database, database:
        (rows,) = database.execute("SELECT count(*) FROM OSRT_API").fetchone()
        database.execute("DELETE FROM OSRT_API WHERE rowid < 20")
        database.execute("PRAGMA writable_schema = 1")
        database.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", entry)
    assert f"Rows of OSRT_API are gone: 19 of {rows}" in str(outcome(trace).damage)
