"""Keeps the other processes of the machine out of a report.

nsys 2023.4 and 2025.3 write the environment of every process that they can see into the report, with passwords and tokens. In a
PID namespace of its own, nsys sees only the program.
"""

import os
import shutil
import subprocess

# the namespace has its own /proc, and ends when unshare ends
NAMESPACE = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc")
AS_A_USER = ("--user", "--map-current-user")  # needed by users other than root


def isolation() -> list[str]:
    """The start of a command line that runs a command in its own PID namespace; empty if this machine does not allow it."""
    if shutil.which(NAMESPACE[0]) is None:
        return []
    words = [*NAMESPACE, *(() if os.geteuid() == 0 else AS_A_USER)]
    allowed = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return words if allowed else []
