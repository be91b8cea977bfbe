"""A lower bound whose attacker chooses the direction anew in the course of training."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from dpviz.accounting.adaptive import AdaptiveGame, softened
from dpviz.accounting.composition import SMALLEST_DELTA, WindowTooLargeError
from dpviz.accounting.curve import Curve, composed_curve
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.profile import Profile
from dpviz.guarantees import Bound, Composition, Kind, ShiftedMixturePair

_THEOREM = "dpviz 9"
_TURNED = ("4.2", "4.4")
_DIRECTIONS = (Direction.FORWARD, Direction.BACKWARD)
# A stage is this part of the units that remain: near the end of training choices matter most.
_OF_REMAINING = 0.3
# The gain is small, so the grid of what is quoted is finer than the fixed directions' own.
_INTERVALS = {Rounding.DOWN: 0.6, Rounding.UP: 0.9}
_MOST_ALIGNMENTS = 40
_STAGE_OF_ONE = 2.5  # intervals of so many offsets at most let stages have one unit
_CACHED = 64


def with_new_directions(curve: Curve, at_delta: float) -> Curve:
    """Return the curve of who may change the direction between stages of training.

    Formal guarantee: Proposition 9 of docs/tighter-bounds.md. Where it is not known how to compute
    it, or nothing is to be gained, the curve is returned as it is.

    Args:
        curve: of one attained bound, both sides known.
        at_delta: where most is to be gained.
    """
    bound = curve.bound
    pair = pair_to_turn(bound)
    if pair is None:
        return curve
    window = _window(curve, at_delta)
    found = None if window is None else _profiles(pair, bound.count, curve.interval, *window)
    if found is None or found[1].epsilon_at(at_delta) is None:
        return curve
    low, high = found
    chosen = replace(bound, theorem=_THEOREM, kind=Kind.LOWER, composition=Composition.ADAPTIVE)
    anew = Curve(bounds=(chosen,), interval=low.interval, high=(high,), low=(low,))
    return Curve(
        bounds=(chosen,),
        attacks=(curve, anew),
        interval=low.interval,
        high=(*curve.high, high),
        low=(*curve.low, low),
    )


def pair_to_turn(bound: Bound) -> ShiftedMixturePair | None:
    """Return the pair of a bound from below, if Proposition 9 may tell more than it."""
    pair = bound.pair
    if (
        bound.composition is Composition.ATTAINED
        and bound.theorem in _TURNED
        and isinstance(pair, ShiftedMixturePair)
        and len(bound.pairs) == 1
        and bound.count > 1
        and not pair.is_trivial
        and not pair.is_symmetric
    ):
        return pair
    return None


def conjecture(attained: Bound, at_delta: float) -> Profile | None:
    """Return what two directions attain where one is chosen anew in every unit, rounded up.

    No promise: other gradients may tell more, by up to 1.2 % of delta among those tried, and
    nothing is proven of that (docs/many-steps.md, "What is open"). ``None`` where the conjecture is
    not about the bound, and where no grid holds it.

    Args:
        attained: a bound from below.
        at_delta: where the grid is best.
    """
    pair = pair_to_turn(attained)
    if pair is None:
        return None
    curve = composed_curve(attained, at_delta=at_delta)
    window = _window(curve, at_delta)
    if window is None:
        return None
    tilt, furthest = window
    widest = _INTERVALS[Rounding.UP] * curve.interval
    try:
        # Fine enough for both directions to meet after every unit.
        finest = _STAGE_OF_ONE * _offset(pair, widest)
        shortest, aligned = _aligned(pair, min(widest, finest))
        units = [one_unit(pair, direction, Rounding.UP, aligned) for direction in _DIRECTIONS]
        tilt = softened(units, attained.count, tilt, furthest)
        game = AdaptiveGame(units, Rounding.UP, tilt=tilt, furthest=furthest, longest=1)
    except ValueError:  # too fine for one unit, or for all of them
        return None
    assert shortest == 1
    for _ in range(attained.count):
        game.play(1)
    return game.profile()


def _window(curve: Curve, at_delta: float) -> tuple[float, float] | None:
    """Return the slope of ln delta where a curve has a delta, and the largest threshold needed."""
    places = [curve.epsilon_at(delta).low for delta in (3.0 * at_delta, at_delta / 3.0)]
    furthest = curve.epsilon_at(min(at_delta, SMALLEST_DELTA)).low
    if places[0] is None or places[1] is None or furthest is None or places[0] <= 0.0:
        return None
    return float(np.log(9.0)) / (places[1] - places[0]), 1.02 * furthest


@lru_cache(maxsize=_CACHED)
def _profiles(
    pair: ShiftedMixturePair, count: int, interval: float, tilt: float, furthest: float
) -> tuple[Profile, Profile] | None:
    """Return what the attack attains from below and from above, if a grid can hold it."""
    profiles = []
    for rounding, part in _INTERVALS.items():
        shortest, aligned = _aligned(pair, part * interval)
        stages = list(_stages(count, shortest))
        units = [one_unit(pair, direction, rounding, aligned) for direction in _DIRECTIONS]
        if rounding is Rounding.DOWN:
            tilt = softened(units, count, tilt, furthest)
        try:
            game = AdaptiveGame(units, rounding, tilt=tilt, furthest=furthest, longest=max(stages))
        except WindowTooLargeError:
            return None
        for stage in stages:
            # Grids of both directions meet after whole stages only.
            game.play(stage, only=None if stage % shortest == 0 else 1)
        profiles.append(game.profile())
    low, high = profiles
    return low, high


def _aligned(pair: ShiftedMixturePair, interval: float) -> tuple[int, float]:
    """Return of how many units a stage must be, and an interval on which directions then meet.

    The grid of one unit is laid through the loss o that most outcomes share, -o in the other
    direction: m units of the one and of the other lie on the same grid where 2 m o is a multiple of
    the interval, on which o depends a little.
    """
    shortest = max(1, int(np.ceil(0.7 * interval / (2.0 * _offset(pair, interval)))))
    multiple = max(1, round(2 * shortest * _offset(pair, interval) / interval))
    for _ in range(_MOST_ALIGNMENTS):
        last, interval = interval, 2 * shortest * _offset(pair, interval) / multiple
        if abs(interval - last) < 1e-14 * interval:
            break
    return shortest, interval


def _offset(pair: ShiftedMixturePair, interval: float) -> float:
    return abs(one_unit(pair, Direction.FORWARD, Rounding.DOWN, interval).origin)


def _stages(count: int, shortest: int) -> list[int]:
    """Return the units of each stage, the last one of training first.

    >>> _stages(30, 2)
    [2, 2, 2, 2, 2, 2, 2, 4, 4, 6, 2]
    """
    stages, played = [], 0
    while played < count:
        wanted = int(played * _OF_REMAINING) // shortest * shortest
        stages.append(min(max(wanted, shortest), count - played))
        played += stages[-1]
    return stages
