"""Whether counted hits are what the theory's weights let one expect, with the error of chance."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from dpviz.accounting.buckets import FloatArray
from dpviz.planning.one_bag import bag_hits
from dpviz.planning.subsequences import HitCounts, hit_law
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario

# The part of all runs that ends within the range that is told.
LIKELY = 0.95


def batch_law(scenario: Scenario) -> HitCounts:
    """Return the law of the hits in one batch, or in the step of a pass that uses the series."""
    return bag_hits(scenario) if scenario.sampling.is_bag else hit_law(scenario)


def likely_counts(batches: int, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the range of the number of batches that at least 95 of 100 such runs end in.

    Batches are independent, so the number is Binomial(batches, chance), and no approximation is
    needed; at most 2.5 of 100 runs end on either side of the range.

    Args:
        batches: how many are drawn.
        chances: of each batch to be counted, shape (chances,).

    >>> low, high = likely_counts(2000, np.array([0.01]))
    >>> low.tolist(), high.tolist()
    ([12.0], [29.0])
    """
    beyond = (1.0 - LIKELY) / 2.0
    return binom.ppf(beyond, batches, chances), binom.ppf(1.0 - beyond, batches, chances)


@dataclass(frozen=True, kw_only=True)
class HitCheck:
    """Batches with a certain number of hits or more, counted and expected.

    Args:
        batches: how many were drawn (of walks: those that use the series).
        counted: how many of them had so many hits.
        chance: the theory's probability of so many.
        low: at most 2.5 of 100 such runs end below this number ...
        high: ... and at most as many above this one.
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


def hit_check(counts: IntArray, law: HitCounts, hits: int = 1) -> HitCheck:
    """Return how many batches had so many hits or more, beside what the law lets one expect.

    Args:
        counts: of batches with 0, 1, 2, ... hits.
        law: their theory.
        hits: from how many on.
    """
    batches, chance = int(counts.sum()), min(law.at_least(hits), 1.0)
    low, high = likely_counts(batches, np.array([chance]))
    return HitCheck(
        batches=batches,
        counted=int(counts[hits:].sum()),
        chance=chance,
        low=int(low[0]),
        high=int(high[0]),
    )
