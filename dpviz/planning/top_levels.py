"""One training run under two ways of choosing series: drawn at random, or walked through."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Curve, account_for
from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import Bound
from dpviz.scenario import Scenario, ScenarioError

COMPARED_TOP_LEVELS = ("without-replacement", "deterministic")
# Smaller deltas are of no use to anybody and would only stretch the tables.
SMALLEST_DELTA = 1e-12
# Epsilons are numbers of so many digits, so that they can be shown as they are.
EPSILON_DIGITS = 6
_POINTS_PER_DECADE = 50
# A fall over less than a factor of 2 in epsilon has fewer than 15 even points.
_STEEP = 2.0
_POINTS_OF_A_STEEP_FALL = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundCurve:
    """delta(epsilon) of one bound as plain arrays, shape (epsilons,).

    Args:
        bound: theorem, direction, unit and count.
        interval: grid distance of the privacy loss, in nats.
        epsilon: bracket of epsilon at the scenario's delta.
        delta_low: lower end of the bracket of delta at each epsilon of the comparison.
        delta_high: upper end of the bracket.
    """

    bound: Bound
    interval: float
    epsilon: Bracket
    delta_low: FloatArray
    delta_high: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class SchemeCurves:
    """What is proven about a run under one top-level scheme."""

    top_level: str
    upper: BoundCurve
    lower: BoundCurve

    @property
    def epsilon_upper(self) -> float | None:
        """Epsilon to quote as an upper bound; ``None`` where no finite one is known."""
        return self.upper.epsilon.high

    @property
    def epsilon_lower(self) -> float | None:
        """Epsilon to quote as a lower bound; ``None`` where it exceeds what is resolved."""
        return self.lower.epsilon.low


@dataclass(frozen=True, kw_only=True, eq=False)
class TopLevelComparison:
    """Curves of the compared schemes over common epsilons, shape (epsilons,), first one 0."""

    scenario: Scenario
    epsilon: FloatArray
    schemes: tuple[SchemeCurves, ...]

    def scheme(self, top_level: str) -> SchemeCurves:
        """Return the curves of one scheme by its name."""
        return next(curves for curves in self.schemes if curves.top_level == top_level)

    @property
    def smallest_delta(self) -> float:
        """Smaller deltas are neither drawn nor told."""
        return min(SMALLEST_DELTA, self.scenario.delta)

    @property
    def chosen(self) -> SchemeCurves:
        """The curves of the scenario's own top level."""
        return self.scheme(self.scenario.sampling.top_level)


def compare_top_levels(
    scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE
) -> TopLevelComparison:
    """Return the curves of a scenario under each compared top-level scheme.

    Args:
        scenario: the training set-up; its own top level must be one of those compared.
        tolerance: largest relative gap of the brackets of epsilon at the scenario's delta.

    Raises:
        ScenarioError: no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> comparison = compare_top_levels(PRESETS["toy"].scenario)
    >>> [round(curves.epsilon_upper) for curves in comparison.schemes]
    [19, 42]
    """
    if scenario.sampling.top_level not in COMPARED_TOP_LEVELS:
        raise ScenarioError(
            "top_level",
            scenario.sampling.top_level,
            "this comparison is between " + " and ".join(COMPARED_TOP_LEVELS),
        )
    accounts = {scenario.sampling.top_level: account_for(scenario, tolerance=tolerance)}
    for top_level in COMPARED_TOP_LEVELS:
        if top_level not in accounts:
            sampling = replace(scenario.sampling, top_level=top_level)
            accounts[top_level] = account_for(
                replace(scenario, sampling=sampling), tolerance=tolerance
            )
    epsilons = _epsilons(
        [
            curve
            for account in accounts.values()
            for curve in (account.upper, account.lower)
            if curve is not None
        ],
        min(SMALLEST_DELTA, scenario.delta),
    )
    schemes = []
    for top_level in COMPARED_TOP_LEVELS:
        account = accounts[top_level]
        if account.lower is None:
            name = "forecast_noise" if scenario.noise.forecast_noise > 0 else "context_noise"
            raise ScenarioError(
                name,
                getattr(scenario.noise, name),
                "this comparison draws a band, and no lower bound is proven with it (0)",
            )
        schemes.append(
            SchemeCurves(
                top_level=top_level,
                upper=_bound_curve(account.upper, epsilons, scenario.delta),
                lower=_bound_curve(account.lower, epsilons, scenario.delta),
            )
        )
    return TopLevelComparison(scenario=scenario, epsilon=epsilons, schemes=tuple(schemes))


def _bound_curve(curve: Curve, epsilons: FloatArray, delta: float) -> BoundCurve:
    brackets = curve.delta_at(epsilons)
    return BoundCurve(
        bound=curve.bound,
        interval=curve.interval,
        epsilon=curve.epsilon_at(delta),
        delta_low=brackets.low,
        delta_high=brackets.high,
    )


def _fall(curve: Curve, last_delta: float) -> list[float]:
    """Return the epsilons at which a steep curve passes evenly spread deltas.

    After many compositions of a large loss delta falls from 1 to nothing within one step of
    any even grid.
    """
    levels = np.logspace(-0.05, np.log10(last_delta), _POINTS_OF_A_STEEP_FALL)
    top, bottom = (curve.quoted_epsilon_at(float(levels[at])) for at in (0, -1))
    if not top or not bottom or bottom / top > _STEEP:
        return []
    passed = [curve.quoted_epsilon_at(float(level)) for level in levels]
    return [epsilon for epsilon in passed if epsilon]


def _epsilons(curves: list[Curve], last_delta: float) -> FloatArray:
    """Return 0, evenly spread powers from 1e-3 (or less, where it matters) on, and 1, 2, 5.

    Each curve's last epsilon, where it reaches ``last_delta``, is among them.
    """
    reached = [curve.quoted_epsilon_at(last_delta) for curve in curves]
    ends = [epsilon for epsilon in reached if epsilon]
    last = int(np.ceil(np.log10(max([1e-3, *ends] if ends else [1.0])) + 0.5))
    first = min(-3, last - 4)
    powers = np.logspace(first, last, _POINTS_PER_DECADE * (last - first) + 1)
    # Round numbers, for tables; as written, since 10**k in floats is not always 1e<k>.
    round_numbers = [
        float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)
    ]
    falls = [epsilon for curve in curves for epsilon in _fall(curve, last_delta)]
    # Rounded to a smaller number, where delta has not yet fallen below the last one.
    smaller = [epsilon * (1.0 - 0.5 * 10.0 ** (1 - EPSILON_DIGITS)) for epsilon in (*ends, *falls)]
    rounded = [float(f"{epsilon:.{EPSILON_DIGITS}g}") for epsilon in (*powers, *smaller)]
    return np.unique([0.0, *round_numbers, *rounded])
