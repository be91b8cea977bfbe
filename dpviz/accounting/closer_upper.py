"""A closer upper bound for many steps with one window per series: Proposition 23.

An upper bound on what can be told of k units: V_k(epsilon) = sup over triples of gradients of
E V_(k-1)(epsilon - L). docs/many-steps.md has the lemmas and the error budget. With all given but
whether a touched window is drawn, a step is P = (1 - q) N(a) + q N(b) against Q, the same with b',
and a, b, b' in a ball. The triples are put into cells, by the angles of their triangle. Each
cell has one profile that is above all of its own, and few profiles, or mixtures of two, cover all.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import pairwise
from math import fsum

import numpy as np

from dpviz.accounting.adaptive import AdaptiveGame, softened
from dpviz.accounting.buckets import SMALLEST_TAIL, UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.composition import WindowTooLargeError
from dpviz.accounting.curve import DEFAULT_TOLERANCE, Curve, composed_curve
from dpviz.accounting.gaussian import hockey_stick
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.guarantees import SUBSTITUTION_SHIFT, Bound, Composition, Kind, ShiftedMixturePair

_SPLITS = np.linspace(0.02, 0.98, 25)
_LEAST_SPLIT = 1e-9
# Relative. Distances are raised by more than sines and quotients are off; profiles by more than
# their own rounding, that of orders, and of slopes; masses by more than that of their sum.
_DISTANCE_ROOM, _PROFILE_ROOM, _MASS_ROOM = 1e-12, 1e-6, 1e-13
_CHORD_ROUNDING = 8.0 * UNIT_ROUNDOFF
# What is below it is added: a tail that underflows may have been more than is left of it.
_FLOOR = 10.0 * SMALLEST_TAIL
_SHARE_ROOM = 1e-12
_WIDEST_REACH = 100.0  # nats
_FIRST_LOOK = 40  # points at which profiles are compared before all
_NEIGHBOURS = 14  # profiles of which two may cover another one


def cell_edges(count: int) -> FloatArray:
    """Return angles from 0 to a right one, in radians; finer where the extreme pairs are."""
    return np.asarray(np.pi / 4 * (1.0 - np.cos(np.pi * np.arange(count + 1) / count)))


def split_bound(order: FloatArray, rate: float, of_own: float, of_both: float) -> FloatArray:
    """Return the least of the bounds of the split lemma, rounding included.

    Args:
        order: alpha, at least 1.
        rate: q.
        of_own: the distance of a and b.
        of_both: that of b and b'.
    """
    return _least(rate, own_terms(order, rate, of_own), both_terms(order, rate, of_both))


def own_terms(order: FloatArray, rate: float, distance: float) -> FloatArray:
    """Return what a and b have in each split, shape (splits, orders)."""
    rest, terms = _rest(order, rate), []
    for kept in _splits(order, rate):
        terms.append((1.0 - kept) * hockey_stick(rest / (1.0 - kept), distance))
    return np.array([*terms, np.zeros_like(order)])


def both_terms(order: FloatArray, rate: float, distance: float) -> FloatArray:
    """Return what b and b' have in each split, shape (splits, orders)."""
    terms = [kept * hockey_stick(order / kept, distance) for kept in _splits(order, rate)]
    return np.array([*terms, hockey_stick(order, distance)])


def _least(rate: float, of_own: FloatArray, of_both: FloatArray) -> FloatArray:
    least = (of_both + of_own).min(axis=0)
    return np.asarray(rate * least * (1.0 + _PROFILE_ROOM) + _FLOOR)


def _rest(order: FloatArray, rate: float) -> FloatArray:
    return (order - 1.0) * (1.0 - rate) / rate


def _splits(order: FloatArray, rate: float) -> list[FloatArray]:
    """Return theta: of advanced joint convexity, exact for a = b, and fixed ones; 1 is the last."""
    rest = _rest(order, rate)
    return [
        np.clip(split, _LEAST_SPLIT, 1.0 - _LEAST_SPLIT)
        for split in (order / (order + rest), 1.0 - rest, *_SPLITS)
    ]


def below_all_lines(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return about the largest convex function below the points, at their places.

    It is above every convex function that the points are above.
    """
    kept = np.arange(len(x))
    while True:
        slopes = np.diff(y[kept]) / np.diff(x[kept])
        is_convex = np.concatenate([[True], slopes[1:] >= slopes[:-1], [True]])
        if np.all(is_convex):
            break
        kept = kept[is_convex]
    left = np.searchsorted(kept, np.arange(len(x)), side="right") - 1
    chords = np.interp(x, x[kept], y[kept]) + _CHORD_ROUNDING * y[kept][left]
    chords[kept] = y[kept]
    return np.asarray(chords)


class StepProfile:
    """What one step's profile is at most: H at e^(j h), and of the exchanged pair."""

    def __init__(self, forward: FloatArray, backward: FloatArray) -> None:
        self.forward, self.backward = forward, backward

    @property
    def values(self) -> FloatArray:
        """Both sides one after the other."""
        return np.concatenate([self.forward, self.backward])

    def losses(self, interval: float) -> LossDistribution:
        """Return losses that have at least this polygon as their profile."""
        orders = np.exp(interval * np.arange(len(self.forward)))

        def masses(values: FloatArray) -> FloatArray:
            slopes = np.append(np.diff(values) / np.diff(orders), 0.0)
            return np.asarray(orders[1:] * np.maximum(np.diff(slopes), 0.0))

        above, below = masses(self.forward), masses(self.backward) / orders[1:]
        rest = max(1.0 - fsum([*above, *below, self.forward[-1]]), 0.0)
        count = len(above)
        return LossDistribution(
            interval=interval,
            origin=0.0,
            indices=np.arange(-count, count + 1),
            mass=np.concatenate([below[::-1], [rest], above]) * (1.0 + _MASS_ROOM) + SMALLEST_TAIL,
            infinity=float(self.forward[-1]),
        )


def largest_value(rate: float, sigma: float, loss: float) -> float:
    """Return what no profile is above at a loss, in nats: one direction has as much."""
    widest = 2.0 / sigma * (1.0 + _DISTANCE_ROOM)
    return float(split_bound(np.exp([loss]), rate, widest, widest)[0])


def reach_of(rate: float, sigma: float, furthest: float) -> float:
    """Return a loss, in nats, where at most ``furthest`` is left of every profile, if any is."""
    reach = _WIDEST_REACH
    while largest_value(rate, sigma, 0.9 * reach) < furthest:
        reach *= 0.9
    return reach


def cells(
    rate: float, sigma: float, interval: float, edges: FloatArray, furthest: float
) -> Iterator[tuple[float, float, StepProfile]]:
    """Yield for each cell of triangles its middle angles, and what bounds all of its profiles.

    Args:
        interval: grid distance of the losses, in nats.
        edges: of cells, for the angles at b' and b each, in radians.
        furthest: what may be left of a profile where its grid ends.
    """
    widest = 2.0 / sigma * (1.0 + _DISTANCE_ROOM)
    orders = np.exp(interval * np.arange(int(reach_of(rate, sigma, furthest) / interval) + 2))
    side: dict[tuple[float, float], FloatArray] = {}
    # A term takes longer than all else; each of its two parts is that of many cells.
    of_own = cache(partial(own_terms, orders, rate))
    of_both = lru_cache(maxsize=1)(partial(both_terms, orders, rate))

    def bound(own: float, both: float) -> FloatArray:
        if (own, both) not in side:
            least = _least(rate, of_own(own), of_both(both))
            side[own, both] = below_all_lines(orders, least)
        return side[own, both]

    for g0, g1 in pairwise(edges):
        for b0, b1 in pairwise(edges):
            if g1 + b1 < np.pi / 2 - 1e-9:
                continue  # an obtuse triangle: it is below another one
            both = widest * float(np.sin(min(np.pi - g0 - b0, np.pi / 2)))
            own, other = widest * float(np.sin(g1)), widest * float(np.sin(b1))
            yield (g0 + g1) / 2, (b0 + b1) / 2, StepProfile(bound(own, both), bound(other, both))


def choices(found: list[tuple[float, float, StepProfile]], most: int) -> list[StepProfile]:
    """Return few profiles of which one, or a mixture of two, is above each cell's.

    Cells of the largest area come first. What they leave is put together by its angles.

    Args:
        found: the cells, as :func:`cells` yields them.
        most: about so many profiles.
    """
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
            is_below(looks[at], looks[one], looks[two])
            and is_below(values[at], values[one], values[two])
            for place, one in enumerate(near)
            for two in near[place:]
        ):
            kept.append(at)
    groups: dict[int, list[int]] = {}
    for at in kept:
        gamma, beta = angles[at]
        apart = float(np.sin(gamma) - np.sin(beta))
        groups.setdefault(round(apart * abs(apart) * most / 2), []).append(at)
    return [
        StepProfile(
            np.max([found[at][2].forward for at in group], axis=0),
            np.max([found[at][2].backward for at in group], axis=0),
        )
        for group in groups.values()
    ]


def is_below(values: FloatArray, one: FloatArray, two: FloatArray) -> bool:
    """Return whether a mixture of two profiles is nowhere below the third.

    More than one mixture has to be: so rounding cannot be what decides.
    """
    gap, lack = one - two, values - two
    with np.errstate(divide="ignore", invalid="ignore"):
        share = lack / gap
    least = float(np.max(share[gap > 0.0], initial=0.0))
    most = float(np.min(share[gap < 0.0], initial=1.0))
    return least + _SHARE_ROOM <= most and not bool(np.any(lack[gap == 0.0] > 0.0))


THEOREM = "dpviz 23"
_COVERED = ("4.2", "4.4")
# More would take minutes.
MOST_UNITS = 20_000
# Of the mirrored pair's grid distance: what rounding adds shows less than the cells' width.
_OF_INTERVAL = 2.0
# Points of all convolutions that are worth a closer bound, and that are refused.
_WORK, _MOST_WORK = 3e9, 1.5e10
_LEAST_CHOICES, _MOST_CHOICES = 32, 120
_MOST_PROFILE_POINTS = 2**14
_FINE_CELLS, _COARSE_CELLS = 40, 32
# Of delta: what may be left beyond the largest threshold, and, in all units, where profiles end.
_BEYOND, _CUT = 1e-4, 1e-6
# Of epsilon: a smaller room than that, or than grids resolve, is not worth a search.
_LEAST_BAND = 0.5 * DEFAULT_TOLERANCE
_NEGLIGIBLE = 30.0  # for an estimate of work: at so many tilts below 0 thresholds begin
_TOLD = 100
_CACHED = 64


def closer_bound(bound: Bound) -> Bound | None:
    """Return what Proposition 23 says in place of a bound; ``None`` where it does not apply.

    It is about one window per series and an individual in one series: drawn without replacement
    (Theorem 4.4), or walked through in order (Theorem 4.2), without noise on windows.
    """
    pair = bound.pair
    applies = (
        bound.composition is Composition.MIRRORED
        and bound.kind is Kind.TIGHT
        and bound.theorem in _COVERED
        and isinstance(pair, ShiftedMixturePair)
        and pair.shift == SUBSTITUTION_SHIFT
        and not (pair.is_trivial or pair.is_symmetric or bound.other_pairs)
        and bound.share == 1.0
        and 1 < bound.count <= MOST_UNITS
    )
    if not applies:
        return None
    return replace(bound, theorem=THEOREM, kind=Kind.UPPER, composition=Composition.RECURSIVE)


def closer_progress(upper: Bound, delta: float) -> Iterator[tuple[float, Curve | None]]:
    """Yield which part is done, and at last the curve of Proposition 23.

    Formal guarantee: its delta is an upper bound at every epsilon; it is computed to be small at
    ``delta``. It is ``None`` where the proposition does not apply, where no grid holds it, where
    an attack leaves no room for it, and where it has no smaller epsilon at ``delta`` than the bound
    it is to improve on.

    Args:
        delta: where epsilon is to be small.
    """
    bound = closer_bound(upper)
    if bound is None or not isinstance(bound.pair, ShiftedMixturePair):
        yield 1.0, None
        return
    classical = composed_curve(upper, at_delta=delta)
    places = [classical.epsilon_at(part * delta).high for part in (3.0, 1.0, 1.0 / 3.0, _BEYOND)]
    above, so_far, below, furthest = (float(place or 0.0) for place in places)
    if not 0.0 < above < below < furthest:  # no budget at all, or none that is resolved
        yield 1.0, None
        return
    # What some gradients attain no upper bound falls below.
    attained = composed_curve(replace(upper, composition=Composition.ATTAINED), at_delta=delta)
    least = attained.epsilon_at(delta).high
    resolved = 2.0 * (so_far - (classical.epsilon_at(delta).low or 0.0))
    if least is None or so_far - least < max(_LEAST_BAND * so_far, resolved):
        yield 1.0, None
        return
    yield 0.0, None
    count, rate, sigma = bound.count, bound.pair.rate, bound.pair.noise_multiplier
    untouched = -float(np.log1p(-rate))  # the loss that most outcomes are near
    interval = untouched / max(1, round(untouched / (_OF_INTERVAL * classical.interval)))
    tilt, cut = float(np.log(9.0)) / (below - above), _CUT * delta / count
    per_choice = count * (furthest + _NEGLIGIBLE / tilt) / interval
    reach = reach_of(rate, sigma, cut)
    if (
        per_choice * _LEAST_CHOICES > _MOST_WORK
        or reach > _MOST_PROFILE_POINTS * interval
        # What profiles leave where they end counts as revealing all: no finite epsilon.
        or count * largest_value(rate, sigma, reach + interval) >= delta
    ):
        yield 1.0, None
        return
    most = int(np.clip(_WORK / per_choice, _LEAST_CHOICES, _MOST_CHOICES))
    edges = cell_edges(_FINE_CELLS if most == _MOST_CHOICES else _COARSE_CELLS)
    found = list(cells(rate, sigma, interval, edges, cut))
    units = [one.losses(interval) for one in choices(found, most)]
    tilt = softened(units[:2], count, tilt, furthest)
    try:
        game = AdaptiveGame(units, Rounding.UP, tilt=tilt, furthest=furthest, longest=1)
    except WindowTooLargeError:
        yield 1.0, None
        return
    for played in range(count):
        if played % max(1, count // _TOLD) == 0:
            yield played / count, None
        game.play(1)
    profile = game.profile()
    epsilon = profile.epsilon_at(delta)
    is_closer = epsilon is not None and epsilon < so_far
    curve = Curve(bounds=(bound,), interval=interval, high=(profile,), low=())
    yield 1.0, curve if is_closer else None


@lru_cache(maxsize=_CACHED)
def closer_upper(upper: Bound, delta: float) -> Curve | None:
    """Return the curve that :func:`closer_progress` comes to, in seconds to a minute."""
    *_, (_, curve) = closer_progress(upper, delta)
    return curve
