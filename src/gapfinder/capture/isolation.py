"""Keeps the other processes of the machine out of a report, and other captures that run at the same time.

nsys 2023.4 and 2025.3 write the environment of every process that they can see into the report, with passwords and tokens. In a
PID namespace of its own, nsys sees only the program.

All PID namespaces count from 1, and nsys names its files by PIDs: without a folder of its own, it would write into the recording
of an nsys in another namespace.
"""

import os
import secrets
import shutil
import subprocess

# the namespace has its own /proc, and ends when unshare ends
NAMESPACE = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc")
AS_A_USER = ("--user", "--map-current-user", "--keep-caps")  # needed by users other than root, the last one to mount
# Not every nsys puts its files into TMPDIR, so the folder that it uses otherwise becomes TMPDIR's. Files in /dev/shm have to stay
# visible, because ranks talk to each other there: other PIDs give those of nsys other names, where the kernel allows to choose.
PREPARE = """
mkdir -p "$TMPDIR/nvidia"
if mkdir -p -m 777 /tmp/nvidia; then mount --bind "$TMPDIR/nvidia" /tmp/nvidia || exit; fi
(echo "$1" >/proc/sys/kernel/ns_last_pid) 2>/dev/null
shift
exec "$@"
"""
WITHOUT_CAPABILITIES = ("setpriv", "--ambient-caps=-all", "--inh-caps=-all")  # a user's program has none outside either
PIDS = range(1_000, 30_000)  # of which one is the first; a kernel has at least 32,768


def isolation() -> list[str]:
    """The start of a command line that runs nsys in its own PID namespace; empty if this machine does not allow it.

    TMPDIR must name a folder that no other nsys uses.
    """
    if shutil.which(NAMESPACE[0]) is None:
        return []
    is_root = os.geteuid() == 0
    prepare = ["sh", "-c", PREPARE, "sh", str(secrets.choice(PIDS))]
    words = [*NAMESPACE, *prepare] if is_root else [*NAMESPACE, *AS_A_USER, *prepare, *WITHOUT_CAPABILITIES]
    environment = os.environ | {"TMPDIR": "/tmp"}  # noqa: S108  where it writes nothing but the folder of nsys
    allowed = subprocess.run([*words, "true"], capture_output=True, check=False, env=environment).returncode == 0
    return words if allowed else []
