"""delta(epsilon) of several bounds' mechanisms together, each with its own number of units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.curve import (
    DEFAULT_TOLERANCE,
    Bracket,
    Curve,
    DeltaBrackets,
    coarsened_until_it_fits,
    composed_curve,
)
from dpviz.accounting.discretize import loss_range, one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.accounting.mixed_composition import Repeated, mixed_profile
from dpviz.accounting.profile import Profile
from dpviz.accounting.self_composition import (
    MOST_WINDOW_POINTS,
    SMALLEST_DELTA,
)
from dpviz.guarantees import Bound, Composition

# As for one bound (dpviz.accounting.curve): a part of the units' standard deviation.
_FIRST_GUESS = {Composition.MIRRORED: 0.09, Composition.ATTAINED: 0.055}
_MOST_REFINEMENTS = 3
_MOST_POINTS_OF_A_UNIT = 2**17
_MOST_GUESSED_WINDOW = 2**18
_MOST_REFINED_WINDOW = 2**19


@dataclass(frozen=True, kw_only=True, eq=False)
class TotalCurve:
    """delta(epsilon) of several mechanisms on the same data, whichever came first.

    Args:
        bounds: of each, with its number of units.
        curve: the profiles on both sides; its own ``bound`` is the first of the bounds, and only
            tells on which side the curve is quoted.
    """

    bounds: tuple[Bound, ...]
    curve: Curve

    def delta_at(self, epsilon: FloatArray) -> DeltaBrackets:
        """Return brackets of delta at epsilons >= 0 (nats), shape as given."""
        return self.curve.delta_at(epsilon)

    def quoted_delta_at(self, epsilon: FloatArray) -> FloatArray:
        """Return the sound side of delta: high for upper bounds, low for lower ones."""
        return self.curve.quoted_delta_at(epsilon)

    def epsilon_at(self, delta: float) -> Bracket:
        """Return the bracket of the smallest epsilon >= 0 with delta(epsilon) <= ``delta``."""
        return self.curve.epsilon_at(delta)

    def quoted_epsilon_at(self, delta: float) -> float | None:
        """Return the sound side of epsilon; ``None`` where none can be stated."""
        return self.curve.quoted_epsilon_at(delta)


def total_curve(
    bounds: Sequence[Bound],
    *,
    at_delta: float = 1e-7,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
) -> TotalCurve:
    """Return the curve of several mechanisms together.

    Dominating pairs compose, be the next mechanism chosen by what the ones before have shown, as
    long as its pair was not (Zhu et al. 2022, *Optimal Accounting of Differential Privacy via
    Characteristic Function*, Thm 10): so upper bounds are composed by their mirrored pairs.
    Attained pairs of gradient functions that are chosen independently of each other compose to
    what an attacker sees who is shown all: forward with forward, backward with backward.

    Args:
        bounds: at least one, all mirrored or all attained. Where bounds have pairs for several
            lengths of a series, these are the same lengths in the same order: an individual is in
            a series of one length, so pairs are composed length by length.
        at_delta: the delta at which the tolerance is asked for.
        tolerance: largest relative gap of the bracket of epsilon at that delta, as far as it can
            be met at a reasonable cost.
        only_quoted: see :func:`dpviz.accounting.curve.composed_curve`.

    Raises:
        ValueError: the bounds do not go together.
        WindowTooLargeError: no grid holds the sum of the losses.

    >>> from dpviz.guarantees import sampled_top_level
    >>> halves = [
    ...     sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=s).upper
    ...     for s in (400, 600)]
    >>> f"{total_curve(halves).quoted_epsilon_at(1e-7):.2f}"
    '19.03'
    """
    given = tuple(bounds)
    if not given or len({bound.composition for bound in given}) != 1:
        raise ValueError("bounds are not allowed: they must be all mirrored, or all attained")
    if len({len(bound.pairs) for bound in given} - {1}) > 1:
        raise ValueError("bounds are not allowed: their pairs are of different lengths of series")
    kinds = _merged(given)
    if len(kinds) == 1:
        curve = composed_curve(
            kinds[0], at_delta=at_delta, tolerance=tolerance, only_quoted=only_quoted
        )
        return TotalCurve(bounds=given, curve=curve)
    sides: tuple[Rounding, ...] = (Rounding.UP, Rounding.DOWN)
    if only_quoted:
        sides = (Rounding.UP,) if given[0].bounds_from_above else (Rounding.DOWN,)
    finest = max(loss_range(pair) for bound in kinds for pair in bound.pairs)
    finest /= _MOST_POINTS_OF_A_UNIT
    guess = _FIRST_GUESS[given[0].composition] * float(np.sqrt(tolerance / DEFAULT_TOLERANCE))
    wanted = max(guess * _typical_spread(kinds), finest)
    on_grid = partial(_on_grid, kinds, at_delta=at_delta, sides=sides)
    curve = coarsened_until_it_fits(partial(on_grid, most_points=_MOST_GUESSED_WINDOW), wanted)
    if only_quoted:
        return TotalCurve(bounds=given, curve=curve)
    gap = curve.epsilon_at(at_delta).relative_gap
    for _ in range(_MOST_REFINEMENTS):
        if gap is not None and gap <= tolerance:
            break
        if gap is None and min(float(one.delta[-1]) for one in curve.high) > at_delta:
            break  # what is left is no error of the grid
        factor = 0.25 if gap is None else min(0.9 * float(np.sqrt(tolerance / gap)), 0.7)
        window = max(len(profile.delta) for profile in curve.high)
        affordable = curve.interval * window / _MOST_REFINED_WINDOW
        refined = max(curve.interval * max(factor, 0.05), finest, affordable)
        if refined >= 0.9 * curve.interval:
            break
        finer = coarsened_until_it_fits(partial(on_grid, most_points=MOST_WINDOW_POINTS), refined)
        finer_gap = finer.epsilon_at(at_delta).relative_gap
        if gap is not None and (finer_gap is None or finer_gap >= gap):
            break  # rounding has taken over
        curve, gap = finer, finer_gap
    return TotalCurve(bounds=given, curve=curve)


def variances(bounds: Sequence[Bound], interval: float) -> list[float]:
    """Return the variance of each bound's privacy loss, all its units together, in nats squared.

    What cannot be told apart has 0. Variances add up over the bounds; epsilon does not. Of pairs
    for several lengths it is the largest.
    """
    found = []
    for bound in bounds:
        of_pairs = []
        for pair in bound.pairs:
            one = one_unit(pair, Direction.MIRRORED, Rounding.UP, interval, bound.share)
            mean = float(np.sum(one.mass * one.losses))
            of_pairs.append(float(np.sum(one.mass * one.losses**2)) - mean**2)
        found.append(bound.count * max(0.0, *of_pairs))
    return found


def _merged(bounds: Sequence[Bound]) -> list[Bound]:
    """Return bounds with equal pairs as one of all their units, without those that say nothing."""
    counts: dict[Bound, int] = {}
    for bound in bounds:
        # Theorem and words do not matter for the sum.
        kind = replace(bound, count=1, theorem="", kind=bounds[0].kind, unit=bounds[0].unit,
                       extension="", condition="")  # fmt: skip
        counts[kind] = counts.get(kind, 0) + bound.count
    merged = [replace(kind, count=count, kind=bounds[0].kind) for kind, count in counts.items()]
    telling = [bound for bound in merged if not _is_silent(bound)]
    return telling or merged[:1]


def _is_silent(bound: Bound) -> bool:
    return bound.share == 0.0 or all(pair.is_trivial for pair in bound.pairs)


def _typical_spread(bounds: Sequence[Bound]) -> float:
    """Return the root mean square of one unit's loss, over all units."""
    squares = [
        bound.count
        * bound.share
        * min(loss_of(pair, Rounding.UP).spread for pair in bound.pairs if not pair.is_trivial) ** 2
        for bound in bounds
    ]
    return float(np.sqrt(sum(squares) / sum(bound.count for bound in bounds)))


def _on_grid(
    bounds: Sequence[Bound],
    interval: float,
    at_delta: float,
    most_points: float,
    sides: Sequence[Rounding],
) -> Curve:
    directions: tuple[Direction, ...] = (Direction.FORWARD, Direction.BACKWARD)
    if bounds[0].composition is Composition.MIRRORED:
        directions = (Direction.MIRRORED,)
    lengths = max(len(bound.pairs) for bound in bounds)

    def profiles(rounding: Rounding) -> tuple[Profile, ...]:
        if rounding not in sides:
            return ()
        return tuple(
            mixed_profile(
                [
                    Repeated(
                        distribution=one_unit(
                            bound.pairs[length if len(bound.pairs) > 1 else 0],
                            direction,
                            rounding,
                            interval,
                            bound.share if direction is Direction.MIRRORED else 1.0,
                        ),
                        count=bound.count,
                    )
                    for bound in bounds
                ],
                rounding,
                smallest_delta=min(at_delta, SMALLEST_DELTA),
                most_points=most_points,
            )
            for length in range(lengths)
            for direction in directions
        )

    return Curve(
        bound=bounds[0],
        interval=interval,
        high=profiles(Rounding.UP),
        low=profiles(Rounding.DOWN),
    )
