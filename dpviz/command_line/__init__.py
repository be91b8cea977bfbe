"""The command line: the scenarios of the dashboard, in batch.

Nothing is imported here that takes long to load: help and refusals come at once.
"""

from dpviz.command_line.commands import main

__all__ = ["main"]
