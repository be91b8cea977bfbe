"""What a sweep answers about each scenario, alike wherever and beside whatever it is computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.accounting import Curve, composed_curve
from dpviz.accounting.composition import SMALLEST_DELTA, WindowTooLargeError
from dpviz.guarantees import Bound, guarantee_for
from dpviz.scenario import Scenario, ScenarioError, from_json

Answer = dict[str, Any]
_KEPT_CURVES = 3
ANSWERED, UNREACHABLE, REFUSED, FAILED = "answered", "no finite epsilon", "refused", "failed"


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Rows that are computed together, in one process.

    Args:
        names: of the rows.
        scenarios: their canonical JSON.
        epsilons: where delta is asked for.
    """

    names: tuple[str, ...]
    scenarios: tuple[str, ...]
    epsilons: tuple[float, ...]


def answered(chunk: Chunk) -> list[tuple[str, Answer]]:
    """Return the answer to each row of a chunk, by its name.

    An answer does not depend on the other rows: only equal work is shared.
    """
    shared = _Shared()
    return [
        (name, _answer(text, chunk.epsilons, shared))
        for name, text in zip(chunk.names, chunk.scenarios, strict=True)
    ]


def refusal(problem: ScenarioError) -> Answer:
    """Return the answer to a row that is not allowed, or that no bound covers."""
    return {"status": REFUSED, "error_field": problem.field, "error": str(problem)}


class _Shared:
    """Curves of the chunk, each computed once for all rows that it answers."""

    def __init__(self) -> None:
        self._uppers: dict[tuple[Bound, float], Curve] = {}
        self._lowers: dict[tuple[Bound, float], Curve] = {}

    def upper(self, bound: Bound, delta: float) -> Curve:
        key = (bound, delta)
        if key not in self._uppers:
            self._uppers = {key: composed_curve(bound, at_delta=delta), **_latest(self._uppers)}
        return self._uppers[key]

    def lower(self, bound: Bound, delta: float) -> Curve:
        # On the first grid, which no larger delta changes: half the work, and as sound.
        delta = min(delta, SMALLEST_DELTA)
        key = (bound, delta)
        if key not in self._lowers:
            curve = composed_curve(bound, at_delta=delta, only_quoted=True)
            self._lowers = {key: curve, **_latest(self._lowers)}
        return self._lowers[key]


def _latest(curves: dict[tuple[Bound, float], Curve]) -> dict[tuple[Bound, float], Curve]:
    """Return the few curves that rows in a chunk's order may still share: they are large."""
    return dict(list(curves.items())[:_KEPT_CURVES])


def _answer(text: str, epsilons: Sequence[float], shared: _Shared) -> Answer:
    try:
        return _proven(from_json(text), epsilons, shared)
    except ScenarioError as problem:
        return refusal(problem)
    except WindowTooLargeError as problem:
        return {"status": FAILED, "error_field": None, "error": str(problem)}
    except Exception as problem:  # one row must not cost the others
        return {
            "status": FAILED,
            "error_field": None,
            "error": f"{type(problem).__name__}: {problem}",
        }


def _proven(scenario: Scenario, epsilons: Sequence[float], shared: _Shared) -> Answer:
    delta = scenario.delta
    guarantee = guarantee_for(scenario)
    upper = shared.upper(guarantee.upper, delta)
    lower = None if guarantee.lower is None else shared.lower(guarantee.lower, delta)
    epsilon = _plain(upper.quoted_epsilon_at(delta))
    asked = np.asarray(epsilons, dtype=np.float64)
    at_most = upper.quoted_delta_at(asked).tolist()
    at_least = [None] * len(asked) if lower is None else lower.quoted_delta_at(asked).tolist()
    return {
        "status": UNREACHABLE if epsilon is None else ANSWERED,
        "epsilon_upper": epsilon,
        "epsilon_lower": None if lower is None else _plain(lower.quoted_epsilon_at(delta)),
        "upper_theorem": upper.bound.theorem,
        "upper_kind": upper.bound.kind_after_composition.value,
        "upper_condition": upper.bound.condition or None,
        "upper_extension": upper.bound.extension or None,
        "lower_theorem": None if lower is None else lower.bound.theorem,
        "unit": upper.bound.unit.value,
        "count": upper.bound.count,
        "delta_upper": at_most,
        "delta_lower": at_least,
    }


def _plain(value: float | None) -> float | None:
    return None if value is None else float(value)
