"""Bounds with another number than the computed one."""

from dataclasses import replace

from dpviz.accounting import Bracket
from dpviz.planning import ProvenCurve


def with_bracket(side, low, high):
    """Return a proven number, or a curve, whose epsilon at the delta lies elsewhere."""
    if isinstance(side, ProvenCurve):
        return replace(side, at_delta=with_bracket(side.at_delta, low, high))
    return replace(side, bracket=Bracket(low=low, high=high))
