"""`python -m gapfinder`."""

from gapfinder.cli import main

if __name__ == "__main__":
    main()
