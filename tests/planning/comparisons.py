"""Runs to compare, cheap and with every kind of answer."""

from dataclasses import replace

from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import Scenario
from tests.planning.brackets import with_bracket
from tests.planning.kinds import RUNS, curves_of_kind


def run_of(kind: str, name: str | None = None) -> ComparedRun:
    """Return one of the kinds of runs as a row."""
    curves = curves_of_kind(kind)
    return ComparedRun(name=name or kind, scenario=RUNS[kind], curves=curves)


def run_with(
    name: str, low: float | None, high: float | None, kind: str = "drawn", **changes: object
) -> ComparedRun:
    """Return a row with a made-up bracket of the upper bound, no lower one, and else of a kind."""
    known = curves_of_kind(kind)
    scenario: Scenario = replace(known.scenario, **changes)
    upper = with_bracket(known.upper, low, high)
    curves = replace(known, scenario=scenario, upper=upper, lower=None)
    return ComparedRun(name=name, scenario=scenario, curves=curves)
