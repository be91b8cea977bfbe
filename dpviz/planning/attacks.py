"""What simulated attackers look at: outputs along a line, in a plane, or summed over steps."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting.buckets import BoolArray, FloatArray
from dpviz.guarantees import (
    AllocatedPair,
    DominatingPair,
    MixturePair,
    PlanarPair,
    guarantee_for,
)
from dpviz.guarantees.allocated import summed, summed_steps
from dpviz.guarantees.noise_on_windows import attained_by_part
from dpviz.guarantees.noised_rates import worst_place
from dpviz.guarantees.pairs import CROSSED_DIRECTIONS, SUBSTITUTION_SHIFT, Point
from dpviz.guarantees.with_replacement import WINDOW_NORM
from dpviz.planning.placement import placement, values_in_a_row
from dpviz.planning.readings import Reading, Told
from dpviz.planning.step_outputs import components
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario

# A statistic need not be exact to be a valid one: rarer components decide nothing.
_MOST_COMPONENTS, _LIGHTEST = 400, 1e-15
# Random numbers that are as costly as one loss, and as one component or output of it.
_OF_A_LOSS, _OF_A_COMPONENT, _OF_AN_OUTPUT = 20.0, 2.0, 8.0


@dataclass(frozen=True, kw_only=True)
class UnitDraws:
    """What some units draw, shape (units,).

    Args:
        told: of the windows of the series by each reading.
        step: of the epoch, from 0, that uses the series; 0 in units of one step; -1 where the
            series is not used at all.
    """

    told: dict[Reading, Told]
    step: IntArray


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Gradients, and what is looked at: the logarithm of the ratio of outputs by ``pair``.

    Args:
        pair: the outputs by theory.
        reading: by what gradients tell windows apart.
        others: what each window of the series adds that is not for the values, unless the pair is
            reflected: -1 where series come by coins or are put into bins; 0 where that is a known
            constant.
        directions: of the gradients on touched windows and on other series, if they lie in a plane
            (Proposition 7).
        steps: of each shuffled epoch so many outputs are summed, without knowing the order
            (Proposition 8); ``None`` in units of one step, or where the step is known.
    """

    pair: DominatingPair
    reading: Reading
    others: float = 0.0
    directions: tuple[Point, Point] | None = None
    steps: int | None = None

    @property
    def is_on_epochs(self) -> bool:
        """Whether all outputs of an epoch are looked at: series are put into bins."""
        return isinstance(self.pair, AllocatedPair)

    @property
    def is_ordered(self) -> bool:
        """Whether no claim is made on the wrong data set alone.

        Along a line the loss grows, and with the same batches and noise so do outputs.
        """
        return self.directions is None

    @property
    def axes(self) -> int:
        """How many numbers the outputs of one unit are."""
        if isinstance(self.pair, AllocatedPair):
            return self.pair.batches
        return 1 if self.directions is None else 2

    @property
    def is_two_sided(self) -> bool:
        """Whether gradients move the sum to opposite sides on the two data sets."""
        return isinstance(self.pair, MixturePair) and self.pair.reflected

    @property
    def cost(self) -> float:
        """About as many random numbers as both losses of one unit cost."""
        if isinstance(self.pair, AllocatedPair):
            return _OF_A_LOSS + _OF_AN_OUTPUT * self.axes
        listed = len(getattr(self.pair, "means", (0.0, 0.0)))
        sides = 1.0 if self.is_ordered and not self.is_two_sided else 2.0
        return _OF_A_LOSS + 2.0 * sides * listed * _OF_A_COMPONENT

    def sums(self, draws: UnitDraws, windows: int) -> tuple[FloatArray, FloatArray]:
        """Return what the series adds along a line if the values are there, and if they are not.

        Up to a known constant, in units of C, without noise; shape (units,). A step draws so many
        windows of the series.
        """
        is_seen = self._sees(draws)
        told = draws.told[self.reading]
        if self.is_two_sided:
            both = [
                WINDOW_NORM * (2.0 * said - told.answered) for said in (told.there, told.not_there)
            ]
        else:
            both = [
                SUBSTITUTION_SHIFT * said + self.others * windows
                for said in (told.there, told.not_there)
            ]
        there, not_there = (np.where(is_seen, one, 0.0) for one in both)
        return there, not_there

    def losses(
        self, draws: UnitDraws, windows: int, noise: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the privacy loss of each unit if the values are there, and if they are not.

        Args:
            windows: of the series that a step draws.
            noise: standard normal, shape (at least ``axes``, units).
        """
        noise = self.pair.noise_multiplier * noise[: self.axes]
        if isinstance(self.pair, AllocatedPair):
            there, not_there = (
                _allocated_loss(self.pair, _moved(noise, draws.step, one))
                for one in self.sums(draws, windows)
            )
            return there, not_there
        if self.directions is None:
            there, not_there = (
                privacy_loss(self.pair, one + noise[0]) for one in self.sums(draws, windows)
            )
            return there, not_there
        is_seen, hits = self._sees(draws), draws.told[self.reading].answered
        touched, others = (np.array(direction)[:, None] for direction in self.directions)
        untouched = np.array([[1.0], [0.0]])
        # What the series' windows add, less what those of another one in its place add.
        known = np.where(is_seen, (windows - hits) * untouched - windows * others, 0.0)
        moved = np.where(is_seen, hits * touched, 0.0)
        there, not_there = (
            _planar_loss(self.pair, known + side * moved + noise[:2]) for side in (1.0, -1.0)
        )
        return there, not_there

    def _sees(self, draws: UnitDraws) -> BoolArray:
        is_seen = draws.step >= 0
        return is_seen if self.steps is None else is_seen & (draws.step < self.steps)


def attacks_on(scenario: Scenario) -> tuple[Attack, ...]:
    """Return the attacks by which the lower bound is attained, in its order.

    Args:
        scenario: one unit, of series of one length and a person in one of them.
    """
    if scenario.sampling.is_shuffled:
        return tuple(
            replace(attack, steps=steps)
            for steps in summed_steps(scenario)
            for attack in attacks_on(summed(scenario, steps, 1))
            if attack.directions is None
        )
    shape, relation, noise = scenario.given_shape, scenario.relation, scenario.noise
    if not noise.is_on_windows:
        lower = guarantee_for(scenario).lower
        assert lower is not None  # series are of one length
        return _by_certainty(lower.pairs, Reading(placed=placement(shape, relation)))
    clean, tests = attained_by_part(scenario)

    def reading(*, is_test: bool, windows: int | None = None) -> Reading:
        length = shape.series_lengths[0]
        _, _, first = worst_place(shape, length, relation, noise, only_certain=not is_test)
        return Reading(
            placed=values_in_a_row(shape, relation, first),
            context_noise=noise.context_noise,
            forecast_noise=noise.forecast_noise,
            num_channels=relation.num_channels,
            tests=is_test,
            windows=windows,
        )

    attacks = () if clean is None else _by_certainty(clean.pairs, reading(is_test=False))
    others = -WINDOW_NORM if scenario.sampling.takes_series_by_coins else 0.0
    return attacks + tuple(
        Attack(pair=pair, reading=reading(is_test=True, windows=windows), others=others)
        for pair, windows in tests
    )


def _by_certainty(pairs: tuple[DominatingPair, ...], reading: Reading) -> tuple[Attack, ...]:
    """Return the attacks that have these outputs, as a lower bound lists them."""
    directions = iter(CROSSED_DIRECTIONS)
    return tuple(
        Attack(
            pair=pair,
            reading=reading,
            others=-WINDOW_NORM if isinstance(pair, AllocatedPair) else 0.0,
            directions=next(directions) if isinstance(pair, PlanarPair) else None,
        )
        for pair in pairs
    )


def privacy_loss(pair: DominatingPair, outputs: FloatArray) -> FloatArray:
    """Return log(P / Q) of outputs, in units of C; it increases in the output. Shape as given."""
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


def _moved(noise: FloatArray, step: IntArray, sums: FloatArray) -> FloatArray:
    """Return an epoch's outputs: noise, and in one step what the series adds."""
    outputs = noise.copy()
    outputs[step, np.arange(len(step))] += sums
    return outputs


def _allocated_loss(pair: AllocatedPair, outputs: FloatArray) -> FloatArray:
    """Return log(P / Q) of whole epochs, which increases in each output; outputs (K, units)."""
    ratios = outputs / pair.noise_multiplier**2
    moved = np.logaddexp.reduce(ratios) - np.logaddexp.reduce(-ratios)
    with np.errstate(divide="ignore"):  # a rate of 0 or 1
        loss: FloatArray = np.logaddexp(np.log1p(-pair.rate), np.log(pair.rate) + moved)
    return loss


def _log_density(means: FloatArray, weights: FloatArray, sigma: float, x: FloatArray) -> FloatArray:
    """Return the logarithm of a mixture's density but for a factor; means (k, d), x (d, ...)."""
    heaviest = np.argsort(-weights, kind="stable")[:_MOST_COMPONENTS]
    total = np.full_like(x[0], -np.inf)
    for at in heaviest.tolist():
        if weights[at] >= _LIGHTEST * weights[heaviest[0]]:
            distances = (((x.T - means[at]) / sigma) ** 2).sum(axis=-1).T
            total = np.logaddexp(total, np.log(weights[at]) - 0.5 * distances)
    return np.asarray(total)
