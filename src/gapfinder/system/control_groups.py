"""How much memory the control groups of this process leave it: those of a container, or of a job of Slurm or systemd."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
OF_PROCESS = Path("/proc/self/cgroup")
# By the version of the groups: the files with the limit and with what is in use, bytes.
FILES = {1: ("memory.limit_in_bytes", "memory.usage_in_bytes"), 2: ("memory.max", "memory.current")}


def room_bytes(groups: Path = GROUPS, of_process: Path = OF_PROCESS) -> int | None:
    """The memory that the tightest of the process's groups leaves; None if none has a limit.

    A group's limit holds for all groups in it. Files that were read stay in memory, and count as used until somebody needs it:
    the part of them that was not read again lately is free.
    """
    left = [_left_bytes(folder, version) for folder, version in _groups(groups, of_process)]
    return min((each for each in left if each is not None), default=None)


def _groups(groups: Path, of_process: Path) -> Iterator[tuple[Path, int]]:
    """The folders of the groups of memory that the process is in, from the innermost, each with its version."""
    lines = []
    with suppress(OSError):
        lines = of_process.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    for line in lines:
        _, kinds, place = line.split(":", 2)
        if kinds and "memory" not in kinds.split(","):
            continue
        home = groups / "memory" if kinds else groups
        # in a container, the path may be one of the host, which is not there
        for folder in (home / place.lstrip("/"), *(home / place.lstrip("/")).parents):
            if folder.is_relative_to(home):
                yield folder, 1 if kinds else 2


def _left_bytes(folder: Path, version: int) -> int | None:
    """What one group leaves; None if it has no limit, or does not say."""
    limit, used = FILES[version]
    try:
        # "max" is no limit
        limit_bytes = int((folder / limit).read_text(encoding="ascii"))
        used_bytes = int((folder / used).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    counts: dict[str, str] = {}
    with suppress(OSError, ValueError):
        counts = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
    return limit_bytes - used_bytes + int(counts.get("total_inactive_file", counts.get("inactive_file", 0)))
