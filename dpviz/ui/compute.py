"""What the pages show of scenarios, shared by all visitors."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.accounting import takes_new_directions
from dpviz.accounting.curve import COARSE_TOLERANCE
from dpviz.planning import ScenarioCurves, curves_of
from dpviz.planning.budget import UsedUp, budget_counts, budget_point, used_up
from dpviz.planning.over_steps import DeltaOverSteps
from dpviz.planning.proven import ProvenEpsilon, SweepPoint, proven_epsilon
from dpviz.scenario import Scenario, to_json
from dpviz.ui.filling import (
    WHOLE_SECONDS,
    Filled,
    fill_in,
    first_of_each,
    is_known,
    is_left_out,
    result_of,
    waits_for_all,
)
from dpviz.ui.results import RESULTS, Part, T
from dpviz.ui.turns import is_moving
from dpviz.ui.workers import are_behind, has_workers

# What takes longer than an answer may is first computed roughly: to this tolerance, and nothing
# but what is quoted. What takes less is not: who lets go of a slider would wait for two drawings.
COARSE = 1e-2
# Where visitors queue, or have lately, first answers are to cost still less: the queue is empty for
# a moment again and again.
_COARSER, _BUSY_SECONDS = COARSE_TOLERANCE, 3.0
_LONG_SECONDS = 0.05
# Changes of direction take most of the time: with them it takes so long where what is first told,
# without them, takes long itself.
_LONG_WITH_DIRECTIONS = 1.0
# Of lines of many points that stand below an answer.
_BESIDE_ANSWER_SECONDS = 0.03
# Coarse ones take half of the time of all; on a busy server not all of them are waited for.
_COARSE_SECONDS = 0.15
_LAST_SECONDS = "dpviz_last_seconds"


def part_of(compute: Callable[..., T], *arguments: Any, **options: Any) -> Part[T]:
    """Return the part of a page that a function makes, known by the function and its arguments.

    ``compute`` is outside of ``dpviz.ui``, so that another process can run it. Arguments are
    scenarios and what ``repr`` tells apart, no arrays.
    """
    told = [f"{compute.__module__}.{compute.__qualname__}", *map(_told, arguments)]
    told += [f"{name}={_told(value)}" for name, value in options.items()]
    return Part(key=" ".join(told), compute=partial(compute, *arguments, **options))


def curves_part(scenario: Scenario, *, may_change_direction: bool = True) -> Part[ScenarioCurves]:
    """Return the part of a page that is a scenario's curves.

    Those that :func:`dpviz.accounting.account_for` may compute in another direction are not for
    what draws or tells the lower bound.
    """
    return part_of(curves_of, scenario, **_direction(scenario, may_change_direction))


def curves_ladder(
    scenario: Scenario, *, may_change_direction: bool = True, is_rough: bool = False
) -> list[Part[ScenarioCurves]]:
    """Return the parts of a page that are a scenario's curves, from the exact to the coarsest ones.

    Those behind the first stand in for it for a moment: the second, unless they are to be rough,
    is without changes of direction, where there are any.
    """
    exact = curves_part(scenario, may_change_direction=may_change_direction)
    plain = curves_part(scenario, may_change_direction=False)
    return [
        exact,
        *([] if is_rough or plain.key == exact.key else [plain]),
        *(
            part_of(curves_of, scenario, tolerance=tolerance, only_quoted=True)
            for tolerance in (COARSE, _COARSER)
        ),
    ]


def budget_parts(
    scenario: Scenario, *, may_change_direction: bool = True
) -> list[Part[ProvenEpsilon]]:
    """Return the parts of a page that are epsilon over training, the scenario's own point first."""
    options = _direction(scenario, may_change_direction)
    counts = budget_counts(scenario)
    first = {scenario.training.count: 0, counts[0]: 1, counts[-1]: 2}
    return [
        part_of(budget_point, scenario, count, **options)
        for count in sorted(counts, key=lambda count: (first.get(count, 3), -count))
    ]


def _direction(scenario: Scenario, may_change: bool) -> dict[str, Any]:
    """Return the option of what is computed; where direction is of no matter, it is the same."""
    is_same = may_change or not takes_new_directions(scenario)
    return {} if is_same else {"may_change_direction": False}


def epsilon_parts(scenarios: Sequence[Scenario]) -> list[Part[ProvenEpsilon]]:
    """Return the parts of a page that are what is proven about epsilon at each scenario's delta.

    Scenarios may be the same: what is equal is computed once. They are as fine as curves, which
    tell the same number.
    """
    return [part_of(proven_epsilon, scenario) for scenario in scenarios]


def used_up_part(scenario: Scenario, target_epsilon: float) -> Part[UsedUp]:
    """Return the part of a page that is where a budget ends."""
    return part_of(used_up, scenario, target_epsilon)


def exact_curves(scenario: Scenario) -> ScenarioCurves:
    """Return a scenario's curves, however long they take.

    Raises:
        ScenarioError: no bound covers the scenario.
        TooCostlyError: they would cost too much.
    """
    return result_of(curves_part(scenario))


def budget_points(scenario: Scenario) -> list[ProvenEpsilon]:
    """Return epsilon over all of training, in its order, however long it takes.

    Raises:
        ScenarioError: no bound covers the scenario.
        TooCostlyError: a point would cost too much.
    """
    points = [result_of(part) for part in budget_parts(scenario)]
    return sorted(points, key=lambda point: point.count)


@dataclass(frozen=True, kw_only=True)
class Known:
    """Curves of scenarios as far as they are known, and what is still to come.

    Args:
        at_once: the first of them, be they coarse.
        curves: in the scenarios' order; coarse ones stand in for those to come, else ``None``.
        filled: the exact ones.
        left_out: scenarios of which nothing finer is to come, as it costs too much.
    """

    at_once: tuple[ScenarioCurves, ...]
    curves: tuple[ScenarioCurves | None, ...]
    filled: Filled[ScenarioCurves]
    left_out: frozenset[Scenario] = frozenset()

    @property
    def own(self) -> ScenarioCurves:
        """Those of the first scenario."""
        return self.at_once[0]


def known_curves(
    scenarios: Sequence[Scenario],
    *,
    first: int = 1,
    is_whole: bool = False,
    may_change_direction: bool = True,
) -> Known:
    """Return curves, the heavy ones coarse until there was time for more.

    Curves that would cost too much stay coarse; where even that does, ``None``. The ``first`` so
    many have to be there at once, be they coarse; with ``is_whole``, coarse ones of all others are
    waited for, too, for a moment.

    Raises:
        ScenarioError: no bound covers one of the scenarios.
        TooCostlyError: one of the first would cost too much even as a coarse one.
    """
    is_rough = st.session_state.get(_LAST_SECONDS, 0.0) > _LONG_WITH_DIRECTIONS
    ladders = [
        curves_ladder(one, may_change_direction=may_change_direction, is_rough=is_rough)
        for one in scenarios
    ]
    exact = [ladder[0] for ladder in ladders]
    if waits_for_all():
        every = tuple(map(result_of, exact))
        return Known(at_once=every[:first], curves=every, filled=Filled(results=every))
    is_in_hurry = are_behind(within=_BUSY_SECONDS)
    # The finest that is known, else what is to be computed.
    instead = [
        next(filter(is_known, ladder[1:]), ladder[-1 if is_in_hurry else 1]) for ladder in ladders
    ]
    before = [RESULTS.outcome(part.key) for part in instead]
    # What is mostly there soon is asked for, the rough ones also if it is not.
    at_once = first_of_each(
        [
            (instead[at],)
            if (is_in_hurry or _is_heavy(scenario)) and not is_known(exact[at])
            else (exact[at], instead[at])
            for at, scenario in enumerate(scenarios[:first])
        ]
    )
    shown = range(len(scenarios))[: None if is_whole else first]
    lacking = [at for at in shown if RESULTS.outcome(exact[at].key) is None]
    if is_whole:
        fill_in([instead[at] for at in lacking], budget=_COARSE_SECONDS, awaits=False)
    # A new coarse answer is shown before anything else is computed.
    is_new = any(before[at] is None for at in lacking)
    filled = fill_in(exact, only_known=is_new or is_moving())
    if (own := next(iter(filled.results), None)) is not None:
        st.session_state[_LAST_SECONDS] = own.seconds
    costly = {
        run: ladder[1]
        for run, ladder in zip(scenarios, ladders, strict=True)
        if is_left_out(ladder[0])
    }
    finer = fill_in(list(costly.values()))
    curves = [
        next(filter(None, [found, *(RESULTS.peek(part.key) for part in ladder[1:])]), None)
        for found, ladder in zip(filled.results, ladders, strict=True)
    ]
    at_once = [better or found for found, better in zip(at_once, curves, strict=False)]
    return Known(
        at_once=tuple(at_once),
        curves=(*at_once, *curves[first:]),
        filled=filled,
        left_out=frozenset(run for run, part in costly.items() if part not in finer.to_come),
    )


# A line's name, and what is known of it.
Line = tuple[str, list[SweepPoint]]


def known_lines(
    runs: Mapping[str, Sequence[Scenario]],
    own: Sequence[ScenarioCurves],
    at: Callable[[Scenario], tuple[float, str]],
    *,
    form: Callable[[Scenario], Scenario] = lambda run: run,
    at_least: int | None = None,
) -> tuple[list[Line], Filled[ProvenEpsilon]]:
    """Return what is known of epsilon along lines of runs, by their names, and what is to come.

    Lines are filled in from their ends, and then ever more finely.

    Args:
        own: curves of runs on the lines, which are told without computing: the page has them.
        at: returns a run's place on its line, and that in words.
        form: returns a run with the same bounds, which several may share.
        at_least: so many are waited for for a moment, all if absent: without them the chart would
            shrink to a point at each move.
    """
    known = {form(curves.scenario): curves.proven for curves in own}
    ranked = [
        # The largest power of two that divides the place tells how coarse it is.
        ((0 < place < len(line) - 1, -(place & -place), place), form(run))
        for line in runs.values()
        for place, run in enumerate(line)
    ]
    in_order = [run for _, run in sorted(ranked, key=lambda item: item[0])]
    asked = [run for run in dict.fromkeys(in_order) if run not in known]
    parts = epsilon_parts(asked)
    fill_in(parts[:at_least], budget=WHOLE_SECONDS, awaits=False)
    filled = fill_in(parts, budget=_BESIDE_ANSWER_SECONDS)
    known |= filled.by(asked)

    def point(run: Scenario) -> SweepPoint:
        x, name = at(run)
        return SweepPoint(x=x, name=name, proven=replace(known[form(run)], scenario=run))

    lines = [
        (name, [point(run) for run in line if form(run) in known]) for name, line in runs.items()
    ]
    return lines, filled


def content(kind: str, inputs: Sequence[Any], make: Callable[[], T]) -> T:
    """Return what a page shows, made once for equal inputs.

    The inputs are all that it is made of: curves, scenarios, and what ``repr`` tells apart.
    """
    told = "\n".join(_told(item) for item in inputs)
    key = f"{kind} {hashlib.sha256(told.encode()).hexdigest()}"
    return RESULTS.get(Part(key=key, compute=make))


def told_curves(curves: ScenarioCurves) -> str:
    """Return what tells curves from all others."""
    upper, lower = curves.upper, curves.lower
    below = None if lower is None else (lower.of_curve.theorem, lower.interval)
    return f"{upper.only_quoted} {upper.interval} {below} {to_json(curves.scenario)}"


def _told(item: Any) -> str:
    if isinstance(item, ScenarioCurves):
        return told_curves(item)
    if isinstance(item, DeltaOverSteps):
        return f"{item.epsilon!r} {item.steps.tolist()} {to_json(item.scenario)}"
    if isinstance(item, Scenario):
        return to_json(item)
    if isinstance(item, list | tuple):
        return "[" + "\n".join(map(_told, item)) + "]"
    if callable(item):
        return str(item.__qualname__)
    return repr(item)


def is_slow(scenario: Scenario) -> bool:
    """Return whether its kind of sampling takes long to compute."""
    sampling = scenario.sampling
    return sampling.num_subsequences > 1 or sampling.takes_windows_by_coins


def _is_heavy(scenario: Scenario) -> bool:
    """Guess from the kind of sampling, and from the last scenario, which is mostly a neighbour."""
    # Where nobody else computes, a rough one would only come on top of the exact one.
    unknown = _LONG_SECONDS + 1.0 if has_workers() else 0.0
    took_long = st.session_state.get(_LAST_SECONDS, unknown) > _LONG_SECONDS
    return took_long or is_slow(scenario)
