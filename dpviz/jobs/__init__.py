"""Computations in processes of their own: in turn, within limits, and given up when unwanted."""

from dpviz.jobs.limits import Limits, TooCostlyError
from dpviz.jobs.outcome import Outcome
from dpviz.jobs.pool import Pool

__all__ = ["Limits", "Outcome", "Pool", "TooCostlyError"]
