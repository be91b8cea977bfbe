"""What is proven about one scenario, as plain arrays that can be kept, drawn and compared."""

from dataclasses import dataclass
from time import perf_counter, thread_time

import numpy as np

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Brackets, Curve, account_for
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Bound
from dpviz.planning.proven import Proven, ProvenEpsilon, epsilon_of
from dpviz.scenario import Scenario

# Smaller deltas are of no use to anybody and would only stretch charts and tables.
SMALLEST_DELTA = 1e-12
EPSILON_DIGITS = 6  # epsilons can be shown as they are
POINTS_PER_DECADE = 50
_DECADES = (-6, 4)  # the accountant's domain of epsilon, 1e-4 to 1e3, and room beside it
# A fall over less than a factor of 2 in epsilon has fewer than 15 even points.
_STEEP = 2.0
_POINTS_OF_A_STEEP_FALL = 40
SIDES = ("upper", "lower")
_LARGEST_INTERVAL = 1e-3  # what the main paper uses; the library's own default is 1e-4


def _as_shown(epsilon: float) -> float:
    return float(f"{epsilon:.{EPSILON_DIGITS}g}")


# Round numbers, for tables; as written, since 10**k in floats is not always 1e<k>.
_ROUND_NUMBERS = [float(f"{digit}e{power}") for power in range(*_DECADES) for digit in (1, 2, 5)]
_POWERS = np.logspace(*_DECADES, POINTS_PER_DECADE * (_DECADES[1] - _DECADES[0]) + 1)
# Every curve is known here, so that any two can be compared point by point.
EPSILON_GRID = np.unique([0.0, *_ROUND_NUMBERS, *map(_as_shown, _POWERS)])


@dataclass(frozen=True, kw_only=True, eq=False)
class ProvenCurve:
    """delta(epsilon) of one bound as plain arrays, shape (epsilons,).

    Args:
        at_delta: its epsilon at the delta that is quoted, which may have a more special source.
        of_curve: theorem, direction, unit and count of the curve as a whole.
        epsilon: where it is known, increasing from 0; holds ``EPSILON_GRID``.
        delta_low: lower end of the bracket of delta at each epsilon.
        only_quoted: whether nothing but the end to quote was computed: each other end is then the
            trivial one, and how close the quoted one is to the exact value is not known.
    """

    at_delta: Proven
    of_curve: Bound
    interval: float
    epsilon: FloatArray
    delta_low: FloatArray
    delta_high: FloatArray
    only_quoted: bool = False

    @property
    def bound(self) -> Bound:
        """Theorem, direction, unit and count of the epsilon that is quoted."""
        return self.at_delta.bound

    @property
    def bracket(self) -> Bracket:
        """Of epsilon at the delta that is quoted."""
        return self.at_delta.bracket

    @property
    def delta(self) -> FloatArray:
        """Delta to quote at each epsilon, on the side on which it is bounded."""
        return self.delta_high if self.of_curve.bounds_from_above else self.delta_low

    def delta_at(self, epsilons: FloatArray) -> Brackets:
        """Return the brackets of delta at some of the known epsilons, such as ``EPSILON_GRID``."""
        places = np.searchsorted(self.epsilon, epsilons)
        assert np.array_equal(self.epsilon[places], epsilons)
        return Brackets(low=self.delta_low[places], high=self.delta_high[places])

    def place_of(self, epsilon: float) -> int:
        """Return the place of one of the known epsilons; ``ValueError`` for any other."""
        place = int(np.searchsorted(self.epsilon, epsilon))
        if place == len(self.epsilon) or self.epsilon[place] != epsilon:
            raise ValueError(f"epsilon = {epsilon} is none of those where the curve is known")
        return place


@dataclass(frozen=True, kw_only=True, eq=False)
class ScenarioCurves:
    """The best proven bounds on one scenario, at the same epsilons."""

    scenario: Scenario
    upper: ProvenCurve
    lower: ProvenCurve | None
    seconds: float

    @property
    def epsilon(self) -> FloatArray:
        """Where the curves are known, shape (epsilons,)."""
        return self.upper.epsilon

    def delta_at(self, epsilons: FloatArray) -> Brackets:
        """Return between which values delta is proven to lie at some of the known epsilons."""
        high = self.upper.delta_at(epsilons).high
        low = np.zeros_like(high) if self.lower is None else self.lower.delta_at(epsilons).low
        return Brackets(low=low, high=high)

    @property
    def smallest_delta(self) -> float:
        """Smaller deltas are neither drawn nor told."""
        return min(SMALLEST_DELTA, self.scenario.delta)

    @property
    def proven(self) -> ProvenEpsilon:
        """What they say about epsilon at the scenario's delta; coarse ones, too."""
        return ProvenEpsilon(
            scenario=self.scenario,
            upper=self.upper.at_delta,
            lower=None if self.lower is None else self.lower.at_delta,
        )

    @property
    def epsilon_upper(self) -> float | None:
        """Epsilon to quote as an upper bound; ``None`` where no finite one is known."""
        return self.proven.epsilon_upper

    @property
    def epsilon_lower(self) -> float | None:
        """Epsilon to quote as a lower bound; ``None`` where there is none, or none resolved."""
        return self.proven.epsilon_lower


def curves_of(
    scenario: Scenario,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
    may_change_direction: bool = True,
) -> ScenarioCurves:
    """Return what is proven about a scenario.

    >>> from dpviz.scenario import PRESETS
    >>> curves = curves_of(PRESETS["toy"].scenario)
    >>> f"{curves.epsilon_lower:.1f} to {curves.epsilon_upper:.1f}"
    '17.6 to 19.0'
    """
    began = thread_time()
    account = account_for(
        scenario,
        tolerance=tolerance,
        only_quoted=only_quoted,
        may_change_direction=may_change_direction,
    )
    lower = account.lower
    both = [curve for curve in (account.upper, lower) if curve is not None]
    epsilons = epsilons_of(both, min(SMALLEST_DELTA, scenario.delta))
    return ScenarioCurves(
        scenario=scenario,
        upper=proven_curve(account.upper, epsilons, scenario.delta),
        lower=None if lower is None else proven_curve(lower, epsilons, scenario.delta),
        seconds=thread_time() - began,
    )


def proven_curve(curve: Curve, epsilons: FloatArray, delta: float) -> ProvenCurve:
    """Return a curve as plain arrays at some epsilons, with its epsilon at one delta."""
    brackets = curve.delta_at(epsilons)
    return ProvenCurve(
        at_delta=epsilon_of(curve, delta),
        of_curve=curve.bound,
        interval=curve.interval,
        epsilon=epsilons,
        delta_low=brackets.low,
        delta_high=brackets.high,
        only_quoted=not (curve.high and curve.low),
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


def epsilons_of(curves: list[Curve], last_delta: float) -> FloatArray:
    """Return the grid, and where the curves end or fall steeply."""
    ends = [epsilon for curve in curves if (epsilon := curve.quoted_epsilon_at(last_delta))]
    falls = [epsilon for curve in curves for epsilon in _fall(curve, last_delta)]
    # Rounded to a smaller number, where delta has not yet fallen below the last one.
    smaller = [epsilon * (1.0 - 0.5 * 10.0 ** (1 - EPSILON_DIGITS)) for epsilon in (*ends, *falls)]
    return np.union1d(EPSILON_GRID, [_as_shown(epsilon) for epsilon in smaller])


@dataclass(frozen=True, kw_only=True)
class SecondEpsilon:
    """Epsilon of one bound, if dp-accounting finds one: rounded up, and without a bracket."""

    epsilon: float | None
    interval: float
    seconds: float


def second_look(curves: ScenarioCurves, side: str) -> SecondEpsilon:
    """Return epsilon of a scenario's bound of one of the ``SIDES`` by the other library.

    Raises ``ValueError`` where the library cannot express it, or there is none.
    """
    if side not in SIDES:
        raise ValueError(f"side = {side!r} is not allowed: it must be 'upper' or 'lower'")
    curve: ProvenCurve | None = curves.upper if side == "upper" else curves.lower
    if curve is None:
        raise ValueError(f"no {side} bound is proven, so there is nothing to compare")
    began = perf_counter()
    interval = min(_LARGEST_INTERVAL, curve.interval)
    while True:
        try:
            opinion = second_opinion(curve.bound, interval=interval)
        except ValueError as problem:
            if "too fine" not in str(problem):
                raise
            interval *= 2.0
        else:
            break
    epsilon = opinion.epsilon_at(curves.scenario.delta)
    return SecondEpsilon(epsilon=epsilon, interval=interval, seconds=perf_counter() - began)
