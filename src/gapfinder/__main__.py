"""`python -m gapfinder`."""

from gapfinder.cli import main

main()
