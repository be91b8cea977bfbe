"""The command line: ``python -m dpviz --help``."""

import sys

from dpviz.command_line import main

if __name__ == "__main__":
    sys.exit(main())
