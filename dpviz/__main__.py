"""The command line: ``python -m dpviz --help``."""

import sys

from dpviz.command_line import main

if __name__ == "__main__":
    # A terminal without Greek letters shows their numbers.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
