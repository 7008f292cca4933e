"""Bits that turned on a disk: SQLite notices, or a value is another one. Either is one line, or a diagnosis that adds up."""

import random

import pytest
from outcome import outcome
from samples import BROKEN, full

PAGE_BYTES = 4096


def flipped(content, page, mask):
    start = page * PAGE_BYTES
    return content[:start] + bytes(byte ^ mask for byte in content[start : start + PAGE_BYTES]) + content[start + PAGE_BYTES :]


@pytest.mark.parametrize(("trace", "mask"), list(zip(BROKEN, (0xFF, 0x01, 0x80, 0x10), strict=False)))
def test_flipped_page_gives_no_traceback(tmp_path, trace, mask):
    """All bits of it, or one of each byte; of each trace another one."""
    content = trace.read_bytes()
    path = tmp_path / "t.sqlite"
    page = random.Random(trace.stem).randrange(1, len(content) // PAGE_BYTES)
    path.write_bytes(flipped(content, page, mask))
    assert getattr(outcome(path), "verdict", None) != "gpu_bound"


@pytest.mark.parametrize("seed", range(3))
def test_flipped_bits_give_no_traceback(tmp_path, seed):
    """Twenty in one trace."""
    chosen = random.Random(seed)
    path = full().write(tmp_path / "t.sqlite")
    content = bytearray(path.read_bytes())
    for _ in range(20):
        content[chosen.randrange(100, len(content))] ^= 1 << chosen.randrange(8)
    path.write_bytes(content)
    assert getattr(outcome(path), "verdict", None) != "gpu_bound"


def test_swapped_pages_give_no_traceback(tmp_path):
    path = full().write(tmp_path / "t.sqlite")
    content = path.read_bytes()
    pages = [content[start : start + PAGE_BYTES] for start in range(0, len(content), PAGE_BYTES)]
    path.write_bytes(b"".join([pages[0], *reversed(pages[1:])]))
    assert getattr(outcome(path), "verdict", None) != "gpu_bound"
