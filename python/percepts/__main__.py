"""Runs the command line: ``python -m percepts``."""

import sys

from percepts.cli import main

if __name__ == "__main__":
    sys.exit(main())
