"""From a scenario to its upper and lower curve."""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from dpviz.accounting.curve import COARSE_TOLERANCE, DEFAULT_TOLERANCE, Curve, composed_curve
from dpviz.accounting.new_directions import pair_to_turn, with_new_directions
from dpviz.guarantees import Bound, guarantee_for, in_one_direction
from dpviz.guarantees.allocated import draws_one_window
from dpviz.scenario import Scenario, ScenarioError

# Of smaller epsilons a run's backward losses may tell as much, or all.
_FORWARD_TELLS_MOST = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Account:
    """What is proven about a scenario after all its steps."""

    scenario: Scenario
    upper: Curve
    lower: Curve | None


def account_for(
    scenario: Scenario,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
    may_change_direction: bool = True,
) -> Account:
    """Return the privacy curves of a scenario.

    Args:
        tolerance: largest relative gap of the bracket of epsilon at the scenario's delta.
        only_quoted: see :func:`composed_curve`; the lower bound is then that of attacks in one
            direction, and a coarse one mostly by forward losses alone.
        may_change_direction: whether the lower bound is that of Proposition 9 where it is larger;
            it takes many times as long as all else.

    Raises:
        ScenarioError: no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> account = account_for(PRESETS["toy"].scenario)
    >>> f"{account.upper.quoted_epsilon_at(1e-7):.1f}"
    '19.0'
    >>> f"{account.lower.quoted_epsilon_at(1e-7):.1f}"
    '17.6'
    """
    guarantee = guarantee_for(scenario)
    compose = partial(
        composed_curve, at_delta=scenario.delta, tolerance=tolerance, only_quoted=only_quoted
    )
    upper = compose(guarantee.upper)
    # A first answer has one direction.
    is_final = not only_quoted and tolerance <= DEFAULT_TOLERANCE
    lower = guarantee.lower
    if lower is None:
        attained = None
    elif is_final and may_change_direction:
        attained = attained_curve(lower, scenario.delta, tolerance=tolerance)
    else:  # attacks in two directions take longer than all else
        largest = upper.quoted_epsilon_at(scenario.delta)
        is_rough = only_quoted and tolerance >= COARSE_TOLERANCE
        is_large = largest is None or largest > _FORWARD_TELLS_MOST
        attained = compose(
            in_one_direction(lower) if only_quoted else lower, only_forward=is_rough and is_large
        )
    return Account(scenario=scenario, upper=upper, lower=attained)


def best_upper(
    scenario: Scenario,
    *,
    at_delta: float | None = None,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
) -> Curve:
    """Return the upper bound alone, fine around the scenario's own or another delta.

    Other arguments, and errors, as for :func:`account_for`.
    """
    return composed_curve(
        guarantee_for(scenario).upper,
        at_delta=scenario.delta if at_delta is None else at_delta,
        tolerance=tolerance,
        only_quoted=only_quoted,
    )


def takes_new_directions(scenario: Scenario) -> bool:
    """Return whether a scenario's lower bound may be that of Proposition 9.

    >>> from dpviz.scenario import PRESETS
    >>> takes_new_directions(PRESETS["toy"].scenario)
    True
    """
    if scenario.noise.is_on_windows or not draws_one_window(scenario):
        return False  # known without looking at weights, which takes a while
    with suppress(ScenarioError):
        lower = guarantee_for(scenario).lower
        return lower is not None and pair_to_turn(lower) is not None
    return False


def attained_curve(bound: Bound, at_delta: float, *, tolerance: float = DEFAULT_TOLERANCE) -> Curve:
    """Return the curve of an attained bound, with Proposition 9 where that tells more.

    Args:
        bound: from below.
        at_delta: where the tolerance is asked for.
    """
    curve = composed_curve(bound, at_delta=at_delta, tolerance=tolerance)
    return with_new_directions(curve, at_delta)
