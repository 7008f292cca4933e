"""The fixtures as gapfinder reads them: `python tests/unpack.py` unpacks what lies in `fixtures/` as xz to `build/fixtures/`."""

import fcntl
import lzma
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKED = ROOT / "fixtures"
XZ = ".xz"  # a sixth of an export remains


def unpacked(packed=PACKED, folder=ROOT / "build" / "fixtures"):
    """A folder with the files of another one, unpacked: what changed since the last time is written, what is gone is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # processes of one test run come at once
        current = {folder / path.relative_to(packed).with_name(path.name.removesuffix(XZ)): path for path in files(packed)}
        for path in files(folder):
            if path not in current:
                path.unlink()
        for path, source in current.items():
            unpack(source, path)
    return folder


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def unpack(source, path):
    """A file is current if it has the time of its source, which it gets when it is complete."""
    written = source.stat().st_mtime_ns
    if path.exists() and path.stat().st_mtime_ns == written:
        return
    path.parent.mkdir(exist_ok=True)
    with (lzma.open if source.suffix == XZ else open)(source, "rb") as content, path.open("wb") as copy:
        shutil.copyfileobj(content, copy)
    os.utime(path, ns=(written, written))


FIXTURES = unpacked()

if __name__ == "__main__":
    print(FIXTURES)
