"""Checks that every page of an SQLite file is used once.

SQLite does not notice a page that is used twice or never, so rows would be read twice or not at all. Its own check (PRAGMA
quick_check) looks at every cell, and takes a third as long as a diagnosis. Reading only the pages above the leaves, one in 300,
is enough.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

HEADER_BYTES = 100  # of the file; the first page's own header follows
INTERIOR_TABLE, INTERIOR_INDEX, LEAF_TABLE, LEAF_INDEX = 0x05, 0x02, 0x0D, 0x0A
INTERIOR = (INTERIOR_TABLE, INTERIOR_INDEX)
KINDS = (*INTERIOR, LEAF_TABLE, LEAF_INDEX)
CELLS_AT = 12  # in an interior page, where the places of its cells begin
Pages = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


def fault(file: Path, page_bytes: int, roots: Iterable[int]) -> str | None:
    """What is wrong with the pages of a file, in a few words; None if nothing is. `roots` are the root pages of its tables."""
    raw = np.memmap(file, np.uint8, "r")
    pages = raw[: len(raw) // page_bytes * page_bytes].reshape(-1, page_bytes)
    try:
        roots = [*roots]
        found = [np.array([*roots, *_free(pages)]), *_below(pages, roots)]
    except IndexError:
        return "a page refers to one that is not there"
    used = np.concatenate(found)
    if used.min(initial=1) < 1 or used.max(initial=1) > len(pages):
        return "a page refers to one that is not there"
    times = np.bincount(used, minlength=len(pages) + 1)[1:]
    if times.max(initial=0) > 1:
        return f"page {int(times.argmax()) + 1} is used twice"
    moves_pages = bool(_number(pages[0], 52, 4))  # pages of this kind hold the places of other pages
    unused = np.flatnonzero(times == 0)
    lost = unused[np.isin(pages[unused, 0], KINDS)]  # the others hold the rest of a long text
    return f"page {int(lost[0]) + 1} is not used" if len(lost) and not moves_pages else None


def _below(pages: Pages, roots: Iterable[int]) -> Iterator[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """All pages below these in the tree. All children of a page are of one kind."""
    waiting, seen = [*roots], set[int]()
    while waiting:
        number = waiting.pop()
        page, start = pages[number - 1], HEADER_BYTES if number == 1 else 0
        if page[start] not in INTERIOR or number in seen:  # damaged pages may refer to each other
            continue
        seen.add(number)
        cells = page[start + CELLS_AT :][: 2 * _number(page, start + 3, 2)].reshape(-1, 2).astype(np.int64) @ (256, 1)
        children = page[cells[:, None] + np.arange(4)].astype(np.int64) @ (1 << 24, 1 << 16, 1 << 8, 1)
        children = np.append(children, _number(page, start + 8, 4))
        yield children
        if pages[children[0] - 1, 0] in INTERIOR:
            waiting += children.tolist()


def _free(pages: Pages) -> Iterator[int]:
    """The free pages."""
    trunk, seen = _number(pages[0], 32, 4), set[int]()
    while trunk and trunk not in seen:
        seen.add(trunk)
        yield trunk
        page = pages[trunk - 1]
        yield from (_number(page, 8 + 4 * place, 4) for place in range(_number(page, 4, 4)))
        trunk = _number(page, 0, 4)


def _number(page: np.ndarray[tuple[int], np.dtype[np.uint8]], at: int, size: int) -> int:
    return int.from_bytes(page[at : at + size].tobytes(), "big")
