"""What simulated attackers look at: outputs along a line, in a plane, or summed over steps."""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import DominatingPair, MixturePair, PlanarPair
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT
from dpviz.guarantees.planar import CROSSED_DIRECTIONS, Point
from dpviz.guarantees.shuffled import summed_steps
from dpviz.guarantees.with_replacement import WINDOW_NORM
from dpviz.planning.step_outputs import components
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario

# A statistic need not be exact to be a valid one: rarer components decide nothing.
_MOST_COMPONENTS, _LIGHTEST = 400, 1e-15
# Random numbers that are as costly as one loss, and as one component of it.
_OF_A_LOSS, _OF_A_COMPONENT = 20.0, 2.0


@dataclass(frozen=True, kw_only=True)
class UnitDraws:
    """Which windows some units draw, arrays of shape (units,).

    Args:
        hits: windows that show a protected value.
        step: of the epoch, from 0, that uses the series; 0 in units of one step; -1 where the
            series is not used at all.
    """

    hits: IntArray
    step: IntArray


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Gradients, and what is looked at.

    Args:
        pair: the outputs by theory. The logarithm of their ratio is what the attacker looks at.
        directions: of the gradients on touched windows and on other series, if they lie in a plane
            (Proposition 7).
        steps: of each shuffled epoch so many outputs are summed, without knowing the order
            (Proposition 8); ``None`` in units of one step, or where the step is known.
    """

    pair: DominatingPair
    directions: tuple[Point, Point] | None = None
    steps: int | None = None

    @property
    def is_ordered(self) -> bool:
        """Whether no claim is made on the wrong data set alone: along a line the loss grows."""
        return self.directions is None

    @property
    def cost(self) -> float:
        """About as many random numbers as both losses of one unit cost."""
        listed = len(getattr(self.pair, "means", (0.0, 0.0)))
        sides = 1.0 if self.is_ordered and not is_two_sided(self.pair) else 2.0
        return _OF_A_LOSS + 2.0 * sides * listed * _OF_A_COMPONENT


def is_two_sided(pair: DominatingPair) -> bool:
    """Return whether a hit moves the sum to opposite sides on the two data sets."""
    return isinstance(pair, MixturePair) and pair.reflected


def shifts_of(pair: DominatingPair) -> tuple[float, float]:
    """Return what one hit adds to a sum along a line if the value is there, and if it is not."""
    return (WINDOW_NORM, -WINDOW_NORM) if is_two_sided(pair) else (SUBSTITUTION_SHIFT, 0.0)


def attacks_with(pairs: tuple[DominatingPair, ...], scenario: Scenario) -> tuple[Attack, ...]:
    """Return the attacks that have these outputs, as a lower bound lists them."""
    if scenario.sampling.is_shuffled:
        steps = summed_steps(scenario)
        return tuple(Attack(pair=pair, steps=m) for pair, m in zip(pairs, steps, strict=True))
    directions = iter(CROSSED_DIRECTIONS)
    return tuple(
        Attack(pair=pair, directions=next(directions) if isinstance(pair, PlanarPair) else None)
        for pair in pairs
    )


def losses(
    attack: Attack, draws: UnitDraws, windows: int, noise: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the privacy loss of each unit if the values are there, and if they are not.

    Args:
        attack: what is looked at.
        draws: of the units.
        windows: of the series that a step draws.
        noise: standard normal, shape (1 or 2, units); two where the attack is in a plane.
    """
    is_seen = draws.step >= 0
    if attack.steps is not None:
        is_seen &= draws.step < attack.steps
    noise = attack.pair.noise_multiplier * noise
    if attack.directions is None:
        hits = np.where(is_seen, draws.hits, 0)
        there, not_there = (
            privacy_loss(attack.pair, shift * hits + noise[0]) for shift in shifts_of(attack.pair)
        )
        return there, not_there
    touched, others = (np.array(direction)[:, None] for direction in attack.directions)
    untouched = np.array([[1.0], [0.0]])
    # What the series' windows add to the sum, less what those of another one in its place add.
    known = np.where(is_seen, (windows - draws.hits) * untouched - windows * others, 0.0)
    moved = np.where(is_seen, draws.hits * touched, 0.0)
    there, not_there = (
        _planar_loss(attack.pair, known + side * moved + noise[:2]) for side in (1.0, -1.0)
    )
    return there, not_there


def privacy_loss(pair: DominatingPair, outputs: FloatArray) -> FloatArray:
    """Return log(P / Q) of outputs, in units of C; it increases in the output. Shape as given.

    >>> from dpviz.guarantees import ShiftedMixturePair
    >>> privacy_loss(ShiftedMixturePair(rate=1.0, noise_multiplier=1.0), np.array([0.0, 1.0, 2.0]))
    array([-2.,  0.,  2.])
    """
    first, second = (
        _log_density(means[:, None], weights, pair.noise_multiplier, outputs[None])
        for means, weights in components(pair)
    )
    return first - second


def _planar_loss(pair: DominatingPair, outputs: FloatArray) -> FloatArray:
    assert isinstance(pair, PlanarPair)
    weights = np.array(pair.weights)
    first, second = (
        _log_density(np.array(means), weights, pair.noise_multiplier, outputs)
        for means in (pair.means, pair.other_means)
    )
    return first - second


def _log_density(means: FloatArray, weights: FloatArray, sigma: float, x: FloatArray) -> FloatArray:
    """Return the logarithm of a mixture's density but for a factor; means (k, d), x (d, ...)."""
    heaviest = np.argsort(-weights, kind="stable")[:_MOST_COMPONENTS]
    total = np.full_like(x[0], -np.inf)
    for at in heaviest.tolist():
        if weights[at] >= _LIGHTEST * weights[heaviest[0]]:
            distances = (((x.T - means[at]) / sigma) ** 2).sum(axis=-1).T
            total = np.logaddexp(total, np.log(weights[at]) - 0.5 * distances)
    return np.asarray(total)
