"""Computations in processes of their own: in turn, within limits, and given up when unwanted."""

from dpviz.jobs.job import Limits, Outcome, TooCostlyError
from dpviz.jobs.long_runs import LongRun, LongRuns, QueueFullError, State
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
