"""Computations in processes of their own: in turn, within limits, and given up when unwanted."""

from dpviz.jobs.limits import Limits, TooCostlyError
from dpviz.jobs.long_run import LongRun, State
from dpviz.jobs.long_runs import LongRuns, QueueFullError
from dpviz.jobs.outcome import Outcome
from dpviz.jobs.pool import Pool

__all__ = [
    "Limits",
    "LongRun",
    "LongRuns",
    "Outcome",
    "Pool",
    "QueueFullError",
    "State",
    "TooCostlyError",
]
