"""`python -m gapfinder`."""

from gapfinder.cli.main import main

if __name__ == "__main__":
    main()
