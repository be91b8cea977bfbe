"""How many of one individual's windows a batch has: by theory, and as counted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees.weights import binomial_law, hypergeometric_law
from dpviz.planning.one_bag import bag_size
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario

# Means are rounded quotients of whole numbers.
_ROUNDING = 1e-12
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
        trials, probability = sampling.num_subsequences, scenario.bottom_rate
        if sampling.takes_windows_by_coins:
            shape = scenario.given_shape
            trials = scenario.relation.touched_windows(shape)
            probability = min(1.0, sampling.num_subsequences / shape.start_positions)
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
