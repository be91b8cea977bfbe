"""delta(epsilon) of one or several bounds after all their units, between certified sides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.composition import (
    MOST_WINDOW_POINTS,
    ORDINARY_RANGE,
    SMALLEST_DELTA,
    WindowTooLargeError,
    composed_profile,
)
from dpviz.accounting.discretize import LARGEST_INTERVAL, MOST_POINTS, loss_range, one_unit
from dpviz.accounting.kinds import coarse_kinds, spread_of, telling_kinds
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.profile import Profile
from dpviz.accounting.tilted_sum import Repeated
from dpviz.guarantees import Bound, Composition, PlanarPair, in_one_direction

DEFAULT_TOLERANCE = 1e-3
# From here on the side to quote may be by pairs of which less is known: what maps and rates of
# attacks ask for is finer, as they decide by it.
COARSE_TOLERANCE = 3e-2
_BOTH = (Rounding.UP, Rounding.DOWN)
# First guess of the grid: this part of the units' standard deviation meets the default
# tolerance in most cases. The gap of epsilon grows with its square.
_FIRST_GUESS = {Composition.MIRRORED: 0.09, Composition.ATTAINED: 0.055}
_MOST_REFINEMENTS = 3
# Attacks are compared by brackets this many times wider.
_ROUGHLY = 16.0
_COMPARED_PLACES = 200
# Finer one-unit grids than this cost seconds and gain little: the reached gap is reported.
_MOST_REFINED_POINTS = MOST_POINTS // 16
_MOST_REFINED_WINDOW = 2**19
# The first guess takes no longer transforms than these, or than an ordinary sum needs.
_MOST_GUESSED_WINDOW = 2**17


@dataclass(frozen=True, kw_only=True)
class Bracket:
    """Numbers between which the exact value of a bound lies; of an attack, that of the attack.

    ``None`` for ``high`` (or both) says that no finite epsilon was found: the value is not
    reachable, or lies beyond what the accountant resolves.
    """

    low: float | None
    high: float | None

    @property
    def relative_gap(self) -> float | None:
        """(high - low) / high; 0 when both are 0; ``None`` when a side is missing."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / self.high if self.high > 0 else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Brackets:
    """Brackets of deltas, or of other shares, arrays of equal shape; 0 or 1 where none is known."""

    low: FloatArray
    high: FloatArray

    def at(self, place: int) -> Bracket:
        """Return one of them."""
        return Bracket(low=float(self.low[place]), high=float(self.high[place]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """delta(epsilon) of one or several mechanisms on the same data, whichever came first.

    Args:
        bounds: of each, with its direction, unit and count.
        interval: grid distance of the privacy loss, in nats.
        high: profiles that lie above the exact ones, one for each direction composed. Empty
            if that side was not computed: it is then the trivial one, delta = 1.
        low: profiles that lie below them; likewise, delta = 0.
        attacks: the curves of each attack by itself, where it has a source of its own.
    """

    bounds: tuple[Bound, ...]
    interval: float
    high: tuple[Profile, ...]
    low: tuple[Profile, ...]
    attacks: "tuple[Curve, ...]" = ()

    @property
    def bound(self) -> Bound:
        """The first of the bounds, or the only one."""
        return self.bounds[0]

    def bound_at(self, delta: float) -> Bound:
        """Return the bound that has the quoted epsilon at one delta: F.7, or Proposition 7."""
        return self._bound_of_best(lambda attack: attack.epsilon_at(delta).low or 0.0)

    def bound_at_epsilon(self, epsilon: float) -> Bound:
        """Return the bound that has the quoted delta at one epsilon, likewise."""
        return self._bound_of_best(lambda attack: float(attack.delta_at(np.array(epsilon)).low))

    def _bound_of_best(self, told: "Callable[[Curve], float]") -> Bound:
        if not self.attacks:
            return self.bound
        best = max(self.attacks, key=told)
        if self.bound.composition is Composition.ADAPTIVE:
            return best.bound
        return self.bound if best.has_two_directions else in_one_direction(self.bound)

    @property
    def has_two_directions(self) -> bool:
        """Whether an attack is among them whose gradients point in two directions."""
        if self.attacks:
            return any(attack.has_two_directions for attack in self.attacks)
        return any(isinstance(bound.pair, PlanarPair) for bound in self.bounds)

    @property
    def quotes_high(self) -> bool:
        """Whether the bracket's upper end is the one to quote: so for upper bounds."""
        return self.bound.bounds_from_above

    def delta_at(self, epsilon: FloatArray) -> Brackets:
        """Return brackets of delta at epsilons >= 0 (nats), shape as given."""
        epsilon = np.asarray(epsilon, dtype=np.float64)
        return Brackets(
            low=_largest_delta(self.low, epsilon, otherwise=0.0),
            high=_largest_delta(self.high, epsilon, otherwise=1.0),
        )

    def quoted_delta_at(self, epsilon: FloatArray) -> FloatArray:
        """Return the sound side of delta: high for an upper bound, low for a lower one."""
        brackets = self.delta_at(epsilon)
        return brackets.high if self.quotes_high else brackets.low

    def epsilon_at(self, delta: float) -> Bracket:
        """Return the bracket of the smallest epsilon >= 0 with delta(epsilon) <= ``delta``."""
        return Bracket(
            low=_largest_epsilon(self.low, delta, otherwise=0.0),
            high=_largest_epsilon(self.high, delta, otherwise=None),
        )

    def quoted_epsilon_at(self, delta: float) -> float | None:
        """Return the sound side of epsilon; ``None`` where none can be stated."""
        bracket = self.epsilon_at(delta)
        return bracket.high if self.quotes_high else bracket.low


def composed_curve(
    *bounds: Bound,
    interval: float | None = None,
    at_delta: float = 1e-7,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
    only_forward: bool = False,
) -> Curve:
    """Return the curve of a bound after its ``count`` units, or of several mechanisms together.

    Dominating pairs compose, be the next mechanism chosen by what the ones before have shown, as
    long as its pair was not (Zhu et al. 2022, *Optimal Accounting of Differential Privacy via
    Characteristic Function*, Thm 10): so upper bounds are composed by their mirrored pairs.
    Attained pairs of gradient functions that are chosen independently of each other compose to
    what an attacker sees who is shown all: forward with forward, backward with backward.

    Args:
        bounds: at least one, all mirrored or all attained. Where bounds have pairs for several
            lengths of a series, these are the same lengths in the same order: an individual is in
            a series of one length, so pairs are composed length by length.
        interval: grid distance in nats; by default the coarsest that meets the tolerance.
        at_delta: the delta at which the tolerance is asked for.
        tolerance: largest relative gap of the bracket of epsilon at that delta. Where it
            cannot be met at a reasonable cost the curve's own bracket says what was reached.
        only_quoted: compute nothing but the side to quote, on the first grid that is likely to
            meet the tolerance: less than half the work. Nobody knows how close it is then. From a
            tolerance of ``COARSE_TOLERANCE`` on, bins are bounded at fewer orders.
        only_forward: compose attained pairs forward alone, which mostly tells most; of the side
            to quote alone, as what the other direction adds bounds the other end.

    Raises:
        ValueError: the bounds do not go together.
        WindowTooLargeError: no grid holds the sum of the losses.

    >>> from dpviz.guarantees import sampled_top_level
    >>> parts = [
    ...     sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=s).upper
    ...     for s in (400, 600, 1000)]
    >>> f"{composed_curve(parts[2], interval=1e-3).quoted_epsilon_at(1e-7):.5f}"
    '19.02618'
    >>> f"{composed_curve(*parts[:2]).quoted_epsilon_at(1e-7):.2f}"
    '19.03'
    """
    if len({bound.composition for bound in bounds}) != 1:
        raise ValueError("bounds are not allowed: they must be all mirrored, or all attained")
    if len({len(bound.pairs) for bound in bounds} - {1}) > 1:
        raise ValueError("bounds are not allowed: their pairs are of different lengths of series")
    ask = partial(
        composed_curve,
        interval=interval,
        at_delta=at_delta,
        only_quoted=only_quoted,
        only_forward=only_forward,
    )
    if any(isinstance(pair, PlanarPair) for bound in bounds for pair in bound.other_pairs):
        # On a given grid, and where one side is asked for, no attack is left out beforehand.
        is_rough = interval is None and not only_quoted
        curves = [
            ask(*attack, tolerance=_ROUGHLY * tolerance if is_rough else tolerance)
            for attack in _attacks(bounds)
        ]
        if is_rough:
            curves = [
                curve
                if (curve.epsilon_at(at_delta).relative_gap or 0.0) <= tolerance
                else ask(*curve.bounds, tolerance=tolerance)
                for curve in _somewhere_the_best(curves, min(at_delta, SMALLEST_DELTA))
            ]
        planar = any(curve.has_two_directions for curve in curves)
        # A source is named for what it gives: attacks that are left out are not its.
        return _of_attacks(bounds if planar else [in_one_direction(one) for one in bounds], curves)
    if any(
        isinstance(one.pair, PlanarPair) and one.composition is Composition.MIRRORED
        for one in bounds
    ):
        # Cells round what is attained; their mirror image is lost in rounding on fine grids.
        raise ValueError("composition is not allowed: gradients in two directions are attained")
    sides: tuple[Rounding, ...] = _BOTH
    if only_quoted:
        sides = (Rounding.UP,) if bounds[0].bounds_from_above else (Rounding.DOWN,)
    kinds = telling_kinds(bounds)
    if only_quoted and tolerance >= COARSE_TOLERANCE:
        kinds = coarse_kinds(kinds)
    on_grid = partial(
        _curve_on_grid, bounds, kinds or bounds[:1], at_delta=at_delta, only_forward=only_forward
    )
    if interval is not None:
        return on_grid(interval, sides=sides)
    if not kinds:
        return on_grid(1.0, sides=sides)
    finest = max(loss_range(pair) for bound in kinds for pair in bound.pairs) / _MOST_REFINED_POINTS
    guess = float(_FIRST_GUESS[bounds[0].composition] * np.sqrt(tolerance / DEFAULT_TOLERANCE))
    wanted = max(guess * spread_of(kinds), finest)
    # Unlike steps have a longer range for their spread.
    most_guessed = _MOST_GUESSED_WINDOW * min(len(kinds), 2)
    ordinary = ORDINARY_RANGE * float(np.sqrt(sum(bound.count for bound in kinds))) / guess
    most_points = min(max(most_guessed, ordinary), MOST_WINDOW_POINTS)
    first = partial(on_grid, most_points=most_points, sides=sides)
    try:
        curve = _coarsened_until_it_fits(first, wanted)
    except WindowTooLargeError:
        if not any(bound.other_pairs for bound in bounds):
            raise
        # A grid that holds the one pair's losses is too coarse for another one's.
        return _of_attacks(bounds, [ask(*one, tolerance=tolerance) for one in _attacks(bounds)])
    if only_quoted:
        return curve
    gap = curve.epsilon_at(at_delta).relative_gap
    # Cells are one attacker's: what a finer grid adds to that bound is not worth a second.
    is_planar = any(isinstance(kind.pair, PlanarPair) for kind in kinds)
    for _ in range(0 if is_planar else _MOST_REFINEMENTS):
        if gap is not None and gap <= tolerance:
            break
        if gap is None and min(float(profile.delta[-1]) for profile in curve.high) > at_delta:
            break  # what is left is no error of the grid
        factor = 0.25 if gap is None else min(0.9 * np.sqrt(tolerance / gap), 0.7)
        window = max(len(profile.delta) for profile in curve.high)
        affordable = curve.interval * window / _MOST_REFINED_WINDOW
        refined = max(curve.interval * max(factor, 0.05), finest, affordable)
        if refined >= 0.9 * curve.interval:
            break
        finer = _coarsened_until_it_fits(on_grid, refined)
        if finer.interval >= 0.9 * curve.interval:
            break
        last_gap, gap = gap, finer.epsilon_at(at_delta).relative_gap
        if last_gap is not None and (gap is None or gap >= last_gap):
            break  # rounding has taken over
        curve = finer
        if last_gap is not None and gap is not None and gap > 0.8 * last_gap:
            break
    return curve


def _of_attacks(bounds: Sequence[Bound], curves: Sequence[Curve]) -> Curve:
    """Return the curve of whichever attack tells most, each on a grid of its own."""
    return Curve(
        bounds=tuple(bounds),
        attacks=tuple(curves),
        interval=min(curve.interval for curve in curves),
        high=tuple(profile for curve in curves for profile in curve.high),
        low=tuple(profile for curve in curves for profile in curve.low),
    )


def _attacks(bounds: Sequence[Bound]) -> list[list[Bound]]:
    """Return the bounds by one pair of each, for each of the attacks on the same data."""
    number = max(len(bound.pairs) for bound in bounds)
    pairs = [bound.pairs if len(bound.pairs) > 1 else bound.pairs * number for bound in bounds]
    return [
        [
            replace(bound, pair=own[place], other_pairs=())
            for bound, own in zip(bounds, pairs, strict=True)
        ]
        for place in range(number)
    ]


def _somewhere_the_best(curves: Sequence[Curve], smallest_delta: float) -> list[Curve]:
    """Return the curves without those that nowhere rise above the others, as far as is seen."""
    most = max(curve.epsilon_at(smallest_delta).low or 0.0 for curve in curves)
    epsilons = np.linspace(0.0, most, _COMPARED_PLACES)
    kept, brackets = [*curves], {id(curve): curve.delta_at(epsilons) for curve in curves}
    for curve in curves:
        others = [brackets[id(other)].low for other in kept if other is not curve]
        if others and np.all(brackets[id(curve)].high <= np.max(others, axis=0)):
            kept.remove(curve)
    return kept


def _curve_on_grid(
    bounds: tuple[Bound, ...],
    kinds: Sequence[Bound],
    interval: float,
    at_delta: float,
    most_points: float = MOST_WINDOW_POINTS,
    sides: Sequence[Rounding] = _BOTH,
    *,
    only_forward: bool = False,
) -> Curve:
    directions: tuple[Direction, ...] = (Direction.FORWARD, Direction.BACKWARD)
    if only_forward:
        directions = directions[:1]
    is_symmetric = all(pair.is_symmetric for kind in kinds for pair in kind.pairs)
    if is_symmetric or kinds[0].composition is Composition.MIRRORED:
        directions = (Direction.MIRRORED,)

    def profile(length: int, direction: Direction, rounding: Rounding) -> Profile:
        parts = []
        for kind in kinds:
            pair = kind.pairs[length if len(kind.pairs) > 1 else 0]
            unit = one_unit(pair, direction, rounding, interval, kind.share)
            parts.append(Repeated(unit, kind.count))
        return composed_profile(
            parts,
            rounding,
            smallest_delta=min(at_delta, SMALLEST_DELTA),
            most_points=most_points,
        )

    lengths = range(max(len(kind.pairs) for kind in kinds))
    high, low = (
        tuple(profile(length, direction, side) for length in lengths for direction in directions)
        if side in sides
        else ()
        for side in _BOTH
    )
    return Curve(bounds=bounds, interval=interval, high=high, low=low)


def _coarsened_until_it_fits(compute: Callable[[float], Curve], interval: float) -> Curve:
    """Return a curve on a grid, of greater distance than asked for where that takes too much.

    Args:
        compute: returns the curve on a grid of that distance, in nats.

    Raises:
        WindowTooLargeError: even the greatest distance takes too much.
    """
    interval = min(interval, LARGEST_INTERVAL)
    while True:
        try:
            return compute(interval)
        except WindowTooLargeError as problem:
            if interval == LARGEST_INTERVAL:
                raise
            interval = min(1.05 * problem.excess * interval, LARGEST_INTERVAL)


def _largest_delta(
    profiles: Sequence[Profile], epsilon: FloatArray, *, otherwise: float
) -> FloatArray:
    """Return the largest: an attacker may have either direction on their side."""
    if not profiles:
        return np.full(epsilon.shape, otherwise)
    return np.asarray(np.max([profile.delta_at(epsilon) for profile in profiles], axis=0))


def _largest_epsilon(
    profiles: Sequence[Profile], delta: float, *, otherwise: float | None
) -> float | None:
    """Return the largest, where ``None`` stands for infinity."""
    if not profiles:
        return otherwise
    values = [profile.epsilon_at(delta) for profile in profiles]
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None
