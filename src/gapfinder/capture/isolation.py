"""Keeps what runs beside the program out of its report.

nsys writes the environment of every process that it may look at into the report, tokens among them: 2023.4 and 2025.3
both do. In a PID namespace of its own it sees the program alone.
"""

import os
import shutil
import subprocess

# the namespace has a /proc of its own, and ends with whoever made it
NAMESPACE = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc")
AS_A_USER = ("--user", "--map-current-user")  # makes it where one is not root


def isolation() -> list[str]:
    """The words before a command that give it a PID namespace of its own; none where this machine does not allow it."""
    if shutil.which(NAMESPACE[0]) is None:
        return []
    words = [*NAMESPACE, *(() if os.geteuid() == 0 else AS_A_USER)]
    allowed = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return words if allowed else []
