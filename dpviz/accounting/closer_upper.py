"""A closer upper bound for many steps with one window per series: Proposition 23.

An upper bound on what can be told of k units, V_k(epsilon) = sup over triples of gradients of
E V_(k-1)(epsilon - L), with the profiles of :mod:`dpviz.accounting.split` in the triples' place.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dpviz.accounting.adaptive import AdaptiveGame, softened
from dpviz.accounting.composition import WindowTooLargeError
from dpviz.accounting.curve import DEFAULT_TOLERANCE, Curve, composed_curve
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.split import cell_edges, cells, choices, largest_value, reach_of
from dpviz.guarantees import SUBSTITUTION_SHIFT, Bound, Composition, Kind, ShiftedMixturePair

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
    """Return the curve that :func:`closer_progress` comes to, in seconds to a minute.

    Args:
        delta: where epsilon is to be small.
    """
    *_, (_, curve) = closer_progress(upper, delta)
    return curve
