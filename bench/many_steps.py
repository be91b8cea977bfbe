"""Epsilon of many steps, one window per series, from both sides: docs/many-steps.md has the proof.

    python -m bench.many_steps                 # the toy and the traffic set-up
    python -m bench.many_steps --random 50     # and so many drawn scenarios

The lower bounds are those that dpviz quotes (Proposition 9, Theorem 4.4); so is the classical upper
one. The new upper bound is computed here alone.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from dpviz.accounting import composed_curve
from dpviz.accounting.adaptive import AdaptiveGame, softened
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.new_directions import with_new_directions
from dpviz.guarantees import sampled_top_level
from dpviz.wording.numbers import rounded_down, rounded_up

DELTA = 1e-7
# Angles at b' and b of the triangle of the means, in radians; finer where the extreme pairs are.
_CELLS = 40
_EDGES = np.pi / 4 * (1.0 - np.cos(np.pi * np.arange(_CELLS + 1) / _CELLS))
_SPLITS = np.linspace(0.02, 0.98, 25)
# Relative; more than all rounding of a profile, and of the masses that it is turned into.
_ROOM = 1e-6
_FIRST_LOOK = 40  # points at which profiles are compared before all
_NEIGHBOURS = 14  # kept cells of which two may cover another one
_LARGEST = 1e-18  # what is left of a profile where its grid ends


def hockey_stick(order: FloatArray, distance: float) -> FloatArray:
    """Return that of two unit Gaussians, at orders of at least 0."""
    if distance <= 0.0:
        return np.maximum(1.0 - order, 0.0)
    above = np.maximum(order, 1.0 / np.maximum(order, 1e-300))
    place = np.log(above) / distance
    value = np.maximum(ndtr(distance / 2 - place) - above * ndtr(-distance / 2 - place), 0.0)
    return np.where(order < 1.0, 1.0 - order + order * value, value)


def split_bound(order: FloatArray, rate: float, of_own: float, of_both: float) -> FloatArray:
    """Return the least of the bounds of the split lemma, at orders of at least 1.

    Args:
        order: alpha.
        rate: q.
        of_own: the distance of a and b.
        of_both: that of b and b'.
    """
    rest = (order - 1.0) * (1.0 - rate) / rate
    least = hockey_stick(order, of_both)
    # The splits of advanced joint convexity, and the one that is exact for a = b.
    for split in (order / (order + rest), np.clip(1.0 - rest, 1e-9, 1.0 - 1e-9), *_SPLITS):
        split = np.clip(split, 1e-9, 1.0 - 1e-9)
        value = split * hockey_stick(order / split, of_both)
        value += (1.0 - split) * hockey_stick(rest / (1.0 - split), of_own)
        least = np.minimum(least, value)
    return rate * least * (1.0 + _ROOM)


def below_all_lines(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the largest convex function below the points, at their places."""
    kept = [0]
    for at in range(1, len(x)):
        while len(kept) > 1:
            first, second = kept[-2:]
            rises = (y[second] - y[first]) * (x[at] - x[first])
            if rises < (y[at] - y[first]) * (x[second] - x[first]):
                break
            kept.pop()
        kept.append(at)
    return np.asarray(np.interp(x, x[kept], y[kept]))


class Profile:
    """What one step's profile is at most: H at e^(j h), and of the exchanged pair."""

    def __init__(self, forward: FloatArray, backward: FloatArray) -> None:
        self.forward, self.backward = forward, backward

    @property
    def values(self) -> FloatArray:
        """Both sides one after the other."""
        return np.concatenate([self.forward, self.backward])

    def losses(self, interval: float) -> LossDistribution:
        """Return the pair that has this polygon as its profile."""
        orders = np.exp(interval * np.arange(len(self.forward)))

        def masses(values: FloatArray) -> FloatArray:
            slopes = np.append(np.diff(values) / np.diff(orders), 0.0)
            return np.asarray(orders[1:] * np.maximum(np.diff(slopes), 0.0))

        above, below = masses(self.forward), masses(self.backward) / orders[1:]
        rest = max(1.0 - above.sum() - below.sum() - self.forward[-1], 0.0)
        count = len(above)
        return LossDistribution(
            interval=interval,
            origin=0.0,
            indices=np.arange(-count, count + 1),
            mass=np.concatenate([below[::-1], [rest], above]) + 1e-300,
            infinity=float(self.forward[-1]),
        )


def cells(rate: float, sigma: float, interval: float) -> Iterator[tuple[float, float, Profile]]:
    """Yield for each cell of triangles its middle angles, and what bounds all of its profiles."""
    widest = 2.0 / sigma
    reach = 16.0
    while float(split_bound(np.array([np.exp(reach)]), rate, widest, widest)[0]) < _LARGEST:
        reach *= 0.8
    orders = np.exp(interval * np.arange(int(reach / interval) + 2))
    side: dict[tuple[float, float], FloatArray] = {}

    def bound(own: float, both: float) -> FloatArray:
        if (own, both) not in side:
            side[own, both] = below_all_lines(orders, split_bound(orders, rate, own, both))
        return side[own, both]

    for g0, g1 in pairwise(_EDGES):
        for b0, b1 in pairwise(_EDGES):
            if g1 + b1 < np.pi / 2:
                continue  # an obtuse triangle: it is below another one
            both = widest * float(np.sin(min(np.pi - g0 - b0, np.pi / 2)))
            own, other = widest * float(np.sin(g1)), widest * float(np.sin(b1))
            yield (g0 + g1) / 2, (b0 + b1) / 2, Profile(bound(own, both), bound(other, both))


def choices(rate: float, sigma: float, interval: float, most: int) -> list[Profile]:
    """Return few profiles of which one, or a mixture of two, is above each cell's.

    Cells of the ends come first. What they leave is put together, largest of all, by its angles.
    """
    found = list(cells(rate, sigma, interval))
    order = sorted(range(len(found)), key=lambda at: -float(found[at][2].values.sum()))
    values = [one.values for _, _, one in found]
    some = np.linspace(0, len(values[0]) - 1, _FIRST_LOOK).astype(int)
    looks = [one[some] for one in values]
    angles = np.array([(gamma, beta) for gamma, beta, _ in found])
    kept: list[int] = []
    for at in order:
        distances = np.abs(angles[kept] - angles[at]).sum(axis=1) if kept else np.zeros(0)
        near = [kept[place] for place in np.argsort(distances, kind="stable")[:_NEIGHBOURS]]
        if not any(
            _is_below(looks[at], looks[one], looks[two])
            and _is_below(values[at], values[one], values[two])
            for place, one in enumerate(near)
            for two in near[place:]
        ):
            kept.append(at)
    groups: dict[int, list[int]] = {}
    for at in kept:
        gamma, beta, _ = found[at]
        apart = float(np.sin(gamma) - np.sin(beta))
        groups.setdefault(round(apart * abs(apart) * most / 2), []).append(at)
    return [
        Profile(
            np.max([found[at][2].forward for at in group], axis=0),
            np.max([found[at][2].backward for at in group], axis=0),
        )
        for group in groups.values()
    ]


def _is_below(values: FloatArray, one: FloatArray, two: FloatArray) -> bool:
    """Return whether a mixture of two profiles is nowhere below the third."""
    gap, lack = one - two, values - two
    with np.errstate(divide="ignore", invalid="ignore"):
        share = lack / gap
    least = float(np.max(share[gap > 0.0], initial=0.0))
    most = float(np.min(share[gap < 0.0], initial=1.0))
    return bool(least <= most) and not bool(np.any(lack[gap == 0.0] > 0.0))


def new_upper(rate: float, sigma: float, steps: int, interval: float, most: int) -> float | None:
    """Return epsilon at most, by the recursion over all steps."""
    interval = -float(np.log1p(-rate)) / max(1, round(-float(np.log1p(-rate)) / interval))
    units = [one.losses(interval) for one in choices(rate, sigma, interval, most)]
    upper = sampled_top_level(
        bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps
    ).upper
    curve = composed_curve(upper)
    low, high = (curve.epsilon_at(delta).high for delta in (3 * DELTA, DELTA / 3))
    furthest = curve.epsilon_at(1e-11).high
    if not low or not high or not furthest:
        return None
    tilt = softened(units, steps, float(np.log(9.0)) / (high - low), furthest)
    game = AdaptiveGame(units, Rounding.UP, tilt=tilt, furthest=furthest, longest=1)
    for _ in range(steps):
        game.play(1)
    return game.profile().epsilon_at(DELTA)


def row(rate: float, sigma: float, steps: int, part: float, most: int) -> str:
    """Return one line of the table."""
    began = time.process_time()
    both = sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    fixed, upper = composed_curve(both.lower), composed_curve(both.upper)
    low = with_new_directions(fixed, DELTA).epsilon_at(DELTA)
    new = new_upper(rate, sigma, steps, part * fixed.interval, most)
    told = [fixed.epsilon_at(DELTA).low, low.low, new, upper.epsilon_at(DELTA).high]
    sides = (rounded_down, rounded_down, rounded_up, rounded_up)
    numbers = " | ".join(
        "none" if one is None else side(one) for side, one in zip(sides, told, strict=True)
    )
    return (
        f"| {rate:.4g} | {sigma:.3g} | {steps:,} | {numbers} | {time.process_time() - began:.0f} |"
    )


def drawn(count: int, seed: int = 1) -> Iterator[tuple[float, float, int]]:
    """Yield drawn rates, noise multipliers and steps."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        rate = float(np.exp(rng.uniform(np.log(1e-3), np.log(0.3))))
        sigma = float(np.exp(rng.uniform(np.log(0.7), np.log(6.0))))
        yield rate, sigma, int(np.exp(rng.uniform(np.log(10.0), np.log(1000.0))))


def main(tell: Callable[[str], None] = print) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--part", type=float, default=1.0, help="of the usual grid distance")
    parser.add_argument("--most", type=int, default=16, help="about so many choices")
    parser.add_argument("--only", type=float, nargs=3, help="rate, noise multiplier and steps")
    options = parser.parse_args()
    tell("| q | σ | steps | one direction ≥ | chosen anew ≥ | new ≤ | mirrored ≤ | CPU s |")
    tell("| --: | --: | --: | --: | --: | --: | --: | --: |")
    settings = [(0.01, 1.0, 1000), (0.002034, 4.0, 12_000), *drawn(options.random)]
    if options.only:
        settings = [(options.only[0], options.only[1], int(options.only[2]))]
    for rate, sigma, steps in settings:
        tell(row(rate, sigma, steps, options.part, options.most))


if __name__ == "__main__":
    main()
