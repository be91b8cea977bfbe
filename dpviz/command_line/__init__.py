"""The command line: the scenarios of the dashboard, in batch.

Nothing is imported here that takes long to load: help and refusals come at once.
Whatever is missing, or cannot be read or written, raises ``UsageError`` in one sentence; a value
that is not allowed :class:`~dpviz.scenario.ScenarioError`.
"""

from dpviz.command_line.commands import main

__all__ = ["main"]
