"""What the pages show of scenarios, shared by all visitors."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpviz.planning import ScenarioCurves, curves_of
from dpviz.planning.budget import BUDGET_TOLERANCE, budget_counts, budget_point, used_up
from dpviz.planning.over_steps import DeltaOverSteps, delta_over_steps
from dpviz.planning.proven_epsilon import proven_epsilon
from dpviz.scenario import Scenario, to_json
from dpviz.ui.shared import RESULTS, Filled, Part, fill_in

# What takes longer than an answer may is first computed with this tolerance.
_COARSE = 1e-2
LONG_SECONDS = 0.08
_LAST_SECONDS = "dpviz_last_seconds"


def curves_part(scenario: Scenario, tolerance: float | None = None) -> Part:
    """Return the part of a page that is a scenario's curves."""
    if tolerance is None:
        return Part(key=f"curves {to_json(scenario)}", compute=partial(curves_of, scenario))
    return Part(
        key=f"curves to {tolerance:g} {to_json(scenario)}",
        compute=partial(curves_of, scenario, tolerance=tolerance),
    )


def steps_parts(scenarios: Sequence[Scenario], epsilon: float, steps: Sequence[int]) -> list[Part]:
    """Return the parts of a page that are delta over training steps."""
    return [
        Part(
            key=f"steps {epsilon!r} {steps!r} {to_json(scenario)}",
            compute=partial(delta_over_steps, scenario, epsilon, steps),
        )
        for scenario in scenarios
    ]


def budget_parts(scenario: Scenario) -> list[Part]:
    """Return the parts of a page that are epsilon over training, those that matter most first."""
    counts = budget_counts(scenario)
    first = {scenario.training.count: 0, counts[0]: 1, counts[-1]: 2}
    return [
        Part(
            key=f"budget {count} {to_json(scenario)}",
            compute=partial(budget_point, scenario, count),
        )
        for count in sorted(counts, key=lambda count: (first.get(count, 3), -count))
    ]


def epsilon_parts(scenarios: Sequence[Scenario], tolerance: float = BUDGET_TOLERANCE) -> list[Part]:
    """Return the parts of a page that are what is proven about epsilon at each scenario's delta.

    Scenarios may be the same: what is equal is computed once.
    """
    return [
        Part(
            key=f"epsilon to {tolerance:g} {to_json(scenario)}",
            compute=partial(proven_epsilon, scenario, tolerance=tolerance),
        )
        for scenario in scenarios
    ]


def used_up_part(scenario: Scenario, target_epsilon: float) -> Part:
    """Return the part of a page that is where a budget ends."""
    return Part(
        key=f"used up {target_epsilon!r} {to_json(scenario)}",
        compute=partial(used_up, scenario, target_epsilon),
    )


@dataclass(frozen=True, kw_only=True)
class Known:
    """Curves of scenarios as far as they are known, and what is still to come.

    Args:
        curves: in the scenarios' order; coarse ones stand in for those to come, else ``None``.
        filled: the exact ones.
    """

    curves: tuple[ScenarioCurves | None, ...]
    filled: Filled


def known_curves(scenarios: Sequence[Scenario], *, first: int = 1) -> Known:
    """Return curves, the heavy ones coarse until there was time for more.

    Args:
        scenarios: of which.
        first: so many have to be there at once, be they coarse.

    Raises:
        ScenarioError: no bound covers one of the scenarios.
    """
    exact = [curves_part(scenario) for scenario in scenarios]
    coarse: list[ScenarioCurves | None] = [None] * len(exact)
    is_new = False
    for at, scenario in enumerate(scenarios[:first]):
        if RESULTS.peek(exact[at].key) is None and _is_heavy(scenario):
            part = curves_part(scenario, _COARSE)
            is_new = is_new or RESULTS.peek(part.key) is None
            coarse[at] = RESULTS.get(part)
    # A new coarse answer is shown before anything else is computed.
    filled = fill_in(exact, only_known=is_new)
    if filled.results[0] is not None:
        st.session_state[_LAST_SECONDS] = filled.results[0].seconds
    curves = (one or other for one, other in zip(filled.results, coarse, strict=True))
    return Known(curves=tuple(curves), filled=filled)


def content(kind: str, inputs: Sequence[Any], make: Callable[[], Any]) -> Any:
    """Return what a page shows, made once for equal inputs.

    Args:
        kind: what it is.
        inputs: all that it is made of: curves, scenarios, and what ``repr`` tells apart.
        make: makes it.
    """
    told = "\n".join(_told(item) for item in inputs)
    return RESULTS.get(
        Part(key=f"{kind} {hashlib.sha256(told.encode()).hexdigest()}", compute=make)
    )


def told_curves(curves: ScenarioCurves) -> str:
    """Return what tells curves from all others; intervals tell coarse ones from the exact."""
    lower = None if curves.lower is None else curves.lower.interval
    return f"{curves.upper.interval!r} {lower!r} {to_json(curves.scenario)}"


def _told(item: Any) -> str:
    if isinstance(item, ScenarioCurves):
        return told_curves(item)
    if isinstance(item, DeltaOverSteps):
        return f"{item.epsilon!r} {item.steps.tolist()} {to_json(item.scenario)}"
    if isinstance(item, Scenario):
        return to_json(item)
    if isinstance(item, list | tuple):
        return "[" + "\n".join(map(_told, item)) + "]"
    return repr(item)


def _is_heavy(scenario: Scenario) -> bool:
    """Guess from the kind of sampling, and from the last scenario, which is mostly a neighbour."""
    sampling = scenario.sampling
    took_long = st.session_state.get(_LAST_SECONDS, 0.0) > LONG_SECONDS
    return took_long or sampling.num_subsequences > 1 or sampling.bottom_level == "poisson"
