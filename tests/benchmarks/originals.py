"""The folder of the unpacked fixtures, for the scripts beside this one."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from unpack import FIXTURES

__all__ = ["FIXTURES"]
