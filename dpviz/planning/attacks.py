"""What simulated attackers look at: outputs along a line, in a plane, or summed over steps."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dpviz.accounting.buckets import BoolArray
from dpviz.guarantees import AllocatedPair, DominatingPair, MixturePair, PlanarPair, guarantee_for
from dpviz.guarantees.allocated import summed, summed_steps
from dpviz.guarantees.noise_on_windows import attained_by_part
from dpviz.guarantees.noised_rates import worst_place
from dpviz.guarantees.pairs import CROSSED_DIRECTIONS, SUBSTITUTION_SHIFT, Point
from dpviz.guarantees.with_replacement import WINDOW_NORM
from dpviz.planning.drawn_batches import holds
from dpviz.planning.placement import Placement, placement, values_in_a_row
from dpviz.planning.step_outputs import components
from dpviz.sampling import Windows, noisy_windows
from dpviz.sampling.scheme import FloatArray, IntArray
from dpviz.scenario import Scenario

# Values with noise that are drawn at once: some tens of megabytes.
_MOST_VALUES = 10**6
# Random numbers that are as costly as one window's test, and as one of its values.
_OF_A_TEST, _OF_A_VALUE = 40.0, 2.0


class Told(NamedTuple):
    """Of how many windows of some units a gradient says anything, and which data set it says.

    Arrays of shape (units,): ``there`` say that the values are there, if they are; ``not_there``
    say so if they are not.
    """

    answered: IntArray
    there: IntArray
    not_there: IntArray


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Where the protected values lie, and by what a gradient tells that a window holds one.

    Args:
        placed: the values; in a row where there is noise on windows.
        num_channels: values per time step; all of a protected one change.
        tests: whether a window with noise is asked which data set it looks like more; else it is
            only asked whether a part without noise holds a protected value.
        windows: at so many start positions only, those at which the change is largest beside the
            noise; at all without it.
    """

    placed: Placement
    context_noise: float = 0.0
    forecast_noise: float = 0.0
    num_channels: int = 1
    tests: bool = False
    windows: int | None = None

    def tell(
        self, starts: IntArray, rng: np.random.Generator
    ) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Return of which windows anything is said, and which say that the values are there.

        If windows (by where they start, shape (windows,)) are tested, their noise is drawn, the
        same for both data sets. So what says that the values are there if they are not says so if
        they are, too.

        Returns:
            Arrays of shape (windows,): windows that are answered; of these, those that say it if
            the values are there; and those that say it if they are not.
        """
        in_context, in_forecast = holds(self.placed, starts)
        if not self.tests:
            seen = in_context if self.context_noise == 0.0 else np.zeros_like(in_context)
            seen = seen | in_forecast if self.forecast_noise == 0.0 else seen
            return seen, seen, np.zeros_like(seen)
        answered = in_context | in_forecast
        if self.windows is not None:
            answered &= np.isin(starts, self._told_most())
        there, not_there = np.zeros_like(answered), np.zeros_like(answered)
        tested = np.flatnonzero(answered)
        at_once = max(1, _MOST_VALUES // (self.placed.window_length * self.num_channels))
        for first in range(0, len(tested), at_once):
            some = tested[first : first + at_once]
            there[some], not_there[some] = self._tested(starts[some], rng)
        return answered, there, not_there

    def cost(self, windows: float) -> float:
        """Return about how many random numbers cost as much as to tell of so many windows."""
        if not self.tests:
            return 0.0
        tested = min(self.placed.touched_windows, self.windows or self.placed.touched_windows)
        of_one = _OF_A_TEST + _OF_A_VALUE * self.placed.window_length * self.num_channels
        return windows * tested / self.placed.start_positions * of_one

    def _tested(self, starts: IntArray, rng: np.random.Generator) -> tuple[BoolArray, BoolArray]:
        """Return whether the windows look more like those with the changed values.

        A changed value is 1 where it is there and 0 where not, in units of the largest change; the
        logarithm of the densities' ratio, summed over values, decides.
        """
        placed, channels = self.placed, self.num_channels
        first, last = placed.values(0)
        places = starts[:, None] + np.arange(-placed.context_length, placed.forecast_length)
        is_changed = (places >= first) & (places <= last)
        change = np.repeat(is_changed.astype(np.float64)[:, :, None], channels, axis=2)
        parts = np.split(change, [placed.context_length], axis=1)
        sigmas = self.context_noise, self.forecast_noise
        noise = noisy_windows(
            Windows(*(np.zeros_like(part) for part in parts)),
            rng,
            context_noise=sigmas[0],
            forecast_noise=sigmas[1],
            max_change=1.0,
        )
        there, not_there = np.zeros(len(starts)), np.zeros(len(starts))
        for part, drawn, sigma in zip(parts, (noise.context, noise.forecast), sigmas, strict=True):
            there += _log_ratio(part, drawn + part, sigma)
            not_there += _log_ratio(part, drawn, sigma)
        return there > 0.0, not_there > 0.0

    def _told_most(self) -> IntArray:
        """Return the start positions of the windows that are told apart best."""
        first, last = self.placed.values(0)
        low, high = self.placed.touched(0)
        starts = np.arange(low, high + 1)
        distances = np.zeros(len(starts))
        for begin, end, sigma in (
            (starts - self.placed.context_length, starts - 1, self.context_noise),
            (starts, starts + self.placed.forecast_length - 1, self.forecast_noise),
        ):
            held = np.maximum(np.minimum(end, last) - np.maximum(begin, first) + 1, 0)
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                distances += np.where(held > 0, (np.sqrt(held) / sigma) ** 2, 0.0)
        return starts[np.argsort(-distances, kind="stable")[: self.windows]]


def _log_ratio(change: FloatArray, values: FloatArray, sigma: float) -> FloatArray:
    """Return each window's log of N(change, sigma^2) over N(0, sigma^2), summed over its values."""
    from_the_middle = values - change / 2.0
    if sigma == 0.0:  # what a changed value is says it all
        surely = (np.sign(from_the_middle) * (change > 0.0)).sum(axis=(1, 2))
        return np.asarray(np.where(surely == 0.0, 0.0, np.copysign(np.inf, surely)))
    with np.errstate(over="ignore"):
        return np.asarray((change / sigma * (from_the_middle / sigma)).sum(axis=(1, 2)))


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

    def sums(self, draws: UnitDraws, windows: int) -> FloatArray:
        """Return what the series adds along a line if the values are there, and if they are not.

        Up to a known constant, in units of C, without noise; shape (2, units). A step draws so many
        windows of the series.
        """
        told = draws.told[self.reading]
        said = np.stack([told.there, told.not_there])
        if self.is_two_sided:
            both = WINDOW_NORM * (2.0 * said - told.answered)
        else:
            both = SUBSTITUTION_SHIFT * said + self.others * windows
        return np.where(self._sees(draws), both, 0.0)

    def losses(self, draws: UnitDraws, windows: int, noise: FloatArray) -> FloatArray:
        """Return each unit's privacy loss if the values are there, and if not, shape (2, units).

        Args:
            windows: of the series that a step draws.
            noise: standard normal, shape (at least ``axes``, units).
        """
        pair, noise = self.pair, self.pair.noise_multiplier * noise[: self.axes]
        if isinstance(pair, AllocatedPair):
            sums = self.sums(draws, windows)
            return np.stack([_allocated_loss(pair, noise, draws.step, one) for one in sums])
        if self.directions is None:
            return privacy_loss(pair, self.sums(draws, windows) + noise[0])
        is_seen, hits = self._sees(draws), draws.told[self.reading].answered
        touched, others = (np.array(direction)[:, None] for direction in self.directions)
        untouched = np.array([[1.0], [0.0]])
        # What the series' windows add, less what those of another one in its place add.
        known = np.where(is_seen, (windows - hits) * untouched - windows * others, 0.0)
        moved = np.where(is_seen, hits * touched, 0.0)
        sides = (known + side * moved + noise[:2] for side in (1.0, -1.0))
        return np.stack([privacy_loss(pair, outputs) for outputs in sides])

    def _sees(self, draws: UnitDraws) -> BoolArray:
        is_seen = draws.step >= 0
        return is_seen if self.steps is None else is_seen & (draws.step < self.steps)


def attacks_on(scenario: Scenario) -> tuple[Attack, ...]:
    """Return the attacks by which the lower bound is attained, in its order.

    They are on one unit, of series of one length and a person in one of them.
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
    others = -WINDOW_NORM if scenario.has_coins_for_series else 0.0
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
    """Return log(P / Q) of outputs, in units of C, which increases along a line; shape as given.

    Outputs in a plane have shape (2, outputs).
    """
    if isinstance(pair, PlanarPair):
        weights = np.array(pair.weights)
        both = [(np.array(means), weights) for means in (pair.means, pair.other_means)]
    else:
        outputs = outputs[None]
        both = [(means[:, None], weights) for means, weights in components(pair)]
    first, second = (_log_density(*one, pair.noise_multiplier, outputs) for one in both)
    return first - second


def _allocated_loss(
    pair: AllocatedPair, noise: FloatArray, step: IntArray, sums: FloatArray
) -> FloatArray:
    """Return log(P / Q) of epochs: noise of shape (K, units), and in one step what is added.

    It increases in each output.
    """
    outputs = noise.copy()
    outputs[step, np.arange(len(step))] += sums
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
