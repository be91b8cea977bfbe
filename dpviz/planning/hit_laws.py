"""How many of one individual's windows a batch has: by theory, as counted, and what that proves."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, floor, log1p

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.gaussian import gaussian_delta
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT
from dpviz.guarantees.weights import binomial_law, hypergeometric_law
from dpviz.guarantees.with_replacement import WINDOW_NORM
from dpviz.multistage.guarantee import epsilon_before
from dpviz.planning.one_bag import bag_size
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario

# Relative: of means, rounded quotients of whole numbers; and more than closed forms in doubles err.
_ROUNDING, _CLOSED_FORM_ROUNDING = 1e-12, 1e-9
# The part of all runs that ends within the range that is told.
LIKELY = 0.95


@dataclass(frozen=True, kw_only=True, eq=False)
class HitLaw:
    """How many of one individual's windows are in one batch.

    Args:
        windows: lambda, windows per series; 1 of one bag.
        weights: probability of 0, 1, 2, ... hits, shape (listed counts,).
        remainder: probability of all other counts together; below 1e-40.
        in_its_step: whether the law is that of the one step of a pass that uses the series.
    """

    windows: int
    weights: FloatArray
    remainder: float
    mean: float
    in_its_step: bool

    def exactly(self, hits: int) -> float:
        """Return the probability of so many hits; 0 where it is not listed."""
        return float(self.weights[hits]) if hits < len(self.weights) else 0.0

    def at_least(self, hits: int) -> float:
        """Return the probability of so many hits or more."""
        # A sum of what is left, not 1 less the others, of which few digits might remain.
        return float(self.weights[hits:].sum())


def hit_law(scenario: Scenario) -> HitLaw:
    """Return the law of the hits in one batch, or in the one step of a pass that uses the series.

    The weights are those of the mixtures in Theorems 4.2 to 4.4, E.1, E.8, F.7 and F.8: given that
    the series is used, Binomial(lambda, r) for windows drawn with replacement and Binomial(k,
    min(1, lambda / T)) for windows drawn independently. From one bag the law is hypergeometric
    where Lambda of N_total windows are drawn, k of which are the individual's (Prop. C.2), and
    Binomial(k, Lambda / N_total) where each comes by a coin. Windows of one series count, also
    where a person is in several; of several lengths each series counts as the shortest, whose mean
    is the largest where series are drawn first.
    """
    sampling = scenario.sampling
    chance_of_use = 1.0 if sampling.is_walk or sampling.is_bag else scenario.top_rate
    if sampling.is_bag:
        shape, size = scenario.given_shape, sampling.batch_size
        total, touched = bag_size(shape), scenario.relation.touched_windows(shape)
        mean = size * touched / total
        law = (
            binomial_law(touched, size / total)
            if sampling.takes_windows_by_coins
            else hypergeometric_law(total, touched, size)
        )
    else:
        trials, probability = _windows_of_a_series(scenario)
        mean = chance_of_use * trials * probability
        law = binomial_law(trials, probability)
    weights = np.zeros(law.first + len(law.weights))
    weights[law.first :] = chance_of_use * np.array(law.weights)
    weights[0] += 1.0 - chance_of_use
    return HitLaw(
        windows=sampling.num_subsequences,
        weights=weights,
        remainder=chance_of_use * (law.below + law.above),
        mean=mean,
        in_its_step=sampling.is_walk,
    )


def _windows_of_a_series(scenario: Scenario) -> tuple[int, float]:
    """Return how many draws of a used series may hit, and the chance of each."""
    sampling = scenario.sampling
    if not sampling.takes_windows_by_coins:
        return sampling.num_subsequences, scenario.bottom_rate
    shape = scenario.given_shape
    trials = scenario.relation.touched_windows(shape)
    return trials, min(1.0, sampling.num_subsequences / shape.start_positions)


def have_equal_means(laws: Sequence[HitLaw]) -> bool:
    """Return whether all schemes hit an individual equally often on average in any one step.

    So they do exactly where each batch has the same expected number of windows: the mean is lambda
    * N' / N * r.
    """
    means = [law.mean for law in laws]
    return max(means) - min(means) <= _ROUNDING * max(means)


def likely_counts(batches: int, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the range of the number of batches that at least 95 of 100 such runs end in.

    Batches are independent, so the number is Binomial(batches, chance), of each of the chances; at
    most 2.5 of 100 runs end on either side of the range.
    """
    from scipy.stats import binom  # half a second, which reports need not wait for

    beyond = (1.0 - LIKELY) / 2.0
    return binom.ppf(beyond, batches, chances), binom.ppf(1.0 - beyond, batches, chances)


@dataclass(frozen=True, kw_only=True)
class HitCheck:
    """Batches with a certain number of hits or more, counted and expected.

    Args:
        batches: how many were drawn (of walks: those that use the series).
        low: at most 2.5 of 100 such runs end below this number, and as many above ``high``.
    """

    batches: int
    counted: int
    chance: float
    low: int
    high: int

    @property
    def expected(self) -> float:
        """The mean of ``counted``."""
        return self.batches * self.chance

    @property
    def is_likely(self) -> bool:
        """Whether the counted number is within the range."""
        return self.low <= self.counted <= self.high


def hit_check(counts: IntArray, law: HitLaw, hits: int = 1) -> HitCheck:
    """Return how many batches had so many hits or more, beside what the law lets one expect."""
    batches, chance = int(counts.sum()), min(law.at_least(hits), 1.0)
    low, high = likely_counts(batches, np.array([chance]))
    return HitCheck(
        batches=batches,
        counted=int(counts[hits:].sum()),
        chance=chance,
        low=int(low[0]),
        high=int(high[0]),
    )


def single_unit_exceeds(scenario: Scenario, epsilon: float) -> bool:
    """Return whether a single step (of a walk: epoch) is proven to have a larger epsilon at delta.

    Whatever follows can only add to it. Lower bound for an individual, per unit: the theorems'
    attained pairs (4.2 to 4.4, F.7, E.8, F.8, C.2, Proposition 3) have, against N(0), a mixture
    whose components lie at multiples of a shift, by how many touching windows are drawn. With the
    weight q of i or more of them moved down to i, and all other weight to 0, delta gets smaller;
    what is left is the subsampled Gaussian mechanism, whose delta(epsilon) is q times that of the
    Gaussian at log(1 + (e^epsilon - 1) / q). Exact for one window per series, drawn with
    replacement; otherwise False may stand where a composition would show more, as it does with
    noise on context or labels, for shuffled walks, bins, and one bag of several lengths.
    """
    shift = SUBSTITUTION_SHIFT
    # Under independent drawing the second distribution lies at negative multiples, which is no
    # nearer than N(0).
    if scenario.has_coins_for_series or scenario.sampling.takes_windows_by_coins:
        shift = WINDOW_NORM
    noise, most = scenario.noise.noise_multiplier, scenario.delta * (1.0 + _CLOSED_FORM_ROUNDING)

    def delta(touching: int, rate: float) -> float:
        before = epsilon_before(rate, epsilon)
        return rate * float(gaussian_delta(before, shift * touching / noise))

    return any(rate > 0.0 and delta(at, rate) > most for at, rate in _least_touched(scenario))


def _least_touched(scenario: Scenario) -> list[tuple[int, float]]:
    """Return counts of touching windows, each with a chance that is proven to draw as many.

    Of the worst-placed individual, in one step or epoch.
    """
    sampling, noise = scenario.sampling, scenario.noise
    if noise.is_on_windows or sampling.is_shuffled or scenario.has_several_bins:
        return []
    if sampling.is_bag:
        shape = scenario.given_shape
        touched = scenario.relation.touched_windows(shape)
        if not shape.is_of_one_length:
            return []
        if scenario.top_rate == 1.0:
            return [(touched, 1.0)]
        # All k windows are missed more rarely than by k independent draws at this rate.
        return [(1, _at_least_one(touched, scenario.top_rate))]
    drawn = 1.0 if sampling.is_walk else scenario.top_rate
    trials, rate = _windows_of_a_series(scenario)
    if rate == 1.0:
        return [(trials, drawn)]
    # A median of a binomial law is at least its mean, rounded down (Kaas and Buhrman 1980).
    middle = floor(trials * rate * (1.0 - _CLOSED_FORM_ROUNDING))
    counts = [(1, drawn * _at_least_one(trials, rate))]
    return counts if middle <= 1 else [*counts, (middle, 0.5 * drawn)]


def _at_least_one(trials: int, rate: float) -> float:
    return rate if trials == 1 or rate == 1.0 else -expm1(trials * log1p(-rate))
