"""Checks that every page of an SQLite file is used once.

SQLite does not notice a page that is used twice or never, so rows would be read twice or not at all. Its own check (PRAGMA
quick_check) looks at every cell, and takes a third as long as a diagnosis. Reading only the pages above the leaves, one in 300,
is enough.
"""

import os
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import IO

import numpy as np

HEADER_BYTES = 100  # of the file; the first page's own header follows
INTERIOR_TABLE, INTERIOR_INDEX, LEAF_TABLE, LEAF_INDEX = 0x05, 0x02, 0x0D, 0x0A
INTERIOR = (INTERIOR_TABLE, INTERIOR_INDEX)
KINDS = (*INTERIOR, LEAF_TABLE, LEAF_INDEX)
LOCK_AT = 1 << 30  # SQLite locks the bytes here, and never writes the page that holds them
CELLS_AT = 12  # in an interior page, where the places of its cells begin
Page = np.ndarray[tuple[int], np.dtype[np.uint8]]


class Pages:
    """The pages of a file. They are read, not mapped: a file that is cut off meanwhile would end the process."""

    def __init__(self, file: IO[bytes], page_bytes: int) -> None:
        self.descriptor = file.fileno()
        self.page_bytes = page_bytes
        self.count = os.fstat(self.descriptor).st_size // page_bytes

    def page(self, number: int) -> Page:
        """A page, by its number from 1 on. Raises IndexError if there is none."""
        return np.frombuffer(self._read(number, self.page_bytes), np.uint8)

    def kind(self, number: int) -> int:
        """The first byte of a page, which says of what kind it is. Raises IndexError if there is none."""
        return self._read(number, 1)[0]

    def _read(self, number: int, length: int) -> bytes:
        if not 1 <= number <= self.count:
            raise IndexError(number)
        content = os.pread(self.descriptor, length, (number - 1) * self.page_bytes)
        if len(content) < length:
            raise IndexError(number)
        return content


def fault(file: Path, page_bytes: int, roots: Iterable[int]) -> str | None:
    """What is wrong with the pages of a file, in a few words; None if nothing is. `roots` are the root pages of its tables."""
    with file.open("rb", buffering=0) as opened:
        pages = Pages(opened, page_bytes)
        try:
            roots, free = [*roots], [*_free(pages)]
            if number := _unwritten(pages, {*free, LOCK_AT // page_bytes + 1}):
                return f"page {number} was never written"
            used = np.concatenate([np.array([*roots, *free]), *_below(pages, roots)])
            if used.min(initial=1) < 1 or used.max(initial=1) > pages.count:
                return "a page refers to one that is not there"
            times = np.bincount(used, minlength=pages.count + 1)[1:]
            if times.max(initial=0) > 1:
                return f"page {int(times.argmax()) + 1} is used twice"
            if _number(pages.page(1), 52, 4):  # then there are pages that hold the places of other pages
                return None
            # the others hold the rest of a long text
            lost = (number for number in (np.flatnonzero(times == 0) + 1).tolist() if pages.kind(number) in KINDS)
            return next((f"page {number} is not used" for number in lost), None)
        except IndexError:
            return "a page refers to one that is not there"


def _unwritten(pages: Pages, empty: AbstractSet[int]) -> int | None:
    """A page that takes no space on the disk: a file of 600 KB can claim 512 GB of them. None if only pages of `empty` do.

    In 250 exports no page holds zeros alone, which a copy that saves space would leave out.
    """
    at, size = 0, pages.count * pages.page_bytes
    while at < size and (start := os.lseek(pages.descriptor, at, os.SEEK_HOLE)) < size:
        try:
            at = os.lseek(pages.descriptor, start, os.SEEK_DATA)
        except OSError:  # there is no more data
            at = size
        inside = range(-(-start // pages.page_bytes) + 1, at // pages.page_bytes + 1)
        if (unwritten := next((page for page in inside if page not in empty), None)) is not None:
            return unwritten
    return None


def _below(pages: Pages, roots: Iterable[int]) -> Iterator[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """All pages below these in the tree. All children of a page are of one kind."""
    waiting, seen = [*roots], set[int]()
    while waiting:
        number = waiting.pop()
        page, start = pages.page(number), HEADER_BYTES if number == 1 else 0
        if page[start] not in INTERIOR or number in seen:  # damaged pages may refer to each other
            continue
        seen.add(number)
        cells = page[start + CELLS_AT :][: 2 * _number(page, start + 3, 2)].reshape(-1, 2).astype(np.int64) @ (256, 1)
        children = page[cells[:, None] + np.arange(4)].astype(np.int64) @ (1 << 24, 1 << 16, 1 << 8, 1)
        children = np.append(children, _number(page, start + 8, 4))
        yield children
        if pages.kind(int(children[0])) in INTERIOR:
            waiting += children.tolist()


def _free(pages: Pages) -> Iterator[int]:
    """The free pages."""
    trunk, seen = _number(pages.page(1), 32, 4), set[int]()
    while trunk and trunk not in seen:
        seen.add(trunk)
        yield trunk
        page = pages.page(trunk)
        most = pages.page_bytes // 4 - 2  # a damaged page may claim more
        yield from (_number(page, 8 + 4 * place, 4) for place in range(min(_number(page, 4, 4), most)))
        trunk = _number(page, 0, 4)


def _number(page: Page, at: int, size: int) -> int:
    return int.from_bytes(page[at : at + size].tobytes(), "big")
