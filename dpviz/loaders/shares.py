"""Observed shares beside expected ones, with limits that hold for all of them together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

# Probability that a sampler that is right fails an audit, at most.
FALSE_ALARM = 1e-3
_HALVINGS = 60


@dataclass(frozen=True, kw_only=True)
class Share:
    """How often something happened, and how often it should.

    The cases are independent, or further apart than independent ones are (drawn without
    replacement), with a mean probability that is known: then

        Pr[the share is x or further from p on its side] <= exp(-cases KL(x || p))

    by Chernoff's bound (Hoeffding 1956 for unequal probabilities, 1963 for draws without
    replacement).

    Args:
        event: what was counted, in words.
        count: how often it happened.
        cases: of how many.
        expected: p, its probability.
    """

    check: str
    event: str
    count: int
    cases: int
    expected: float

    @property
    def share(self) -> float:
        """The observed share; the expected one where there was no case."""
        return self.count / self.cases if self.cases else self.expected

    @property
    def log_p_value(self) -> float:
        """Logarithm of a bound on the probability of what is as far off, on either side."""
        return min(0.0, log(2.0) - self.cases * _divergence(self.share, self.expected))

    def limits(self, error: float) -> tuple[float, float]:
        """Return probabilities between which the true one is, but for this probability."""
        if not self.cases:
            return 0.0, 1.0
        budget = log(2.0 / error) / self.cases
        return _limit(self.share, budget, 0.0), _limit(self.share, budget, 1.0)

    def is_as_expected(self, error: float) -> bool:
        """Return whether the expected probability is between these limits.

        >>> [Share(check="coin", event="heads", count=heads, cases=1000, expected=0.5)
        ...     .is_as_expected(FALSE_ALARM) for heads in (530, 620)]
        [True, False]
        """
        return self.log_p_value > log(error)


def error_of_each(shares: Sequence[Share]) -> float:
    """Return the error at which limits of all shares hold together but for ``FALSE_ALARM``."""
    return FALSE_ALARM / max(1, len(shares))


def _divergence(x: float, p: float) -> float:
    """Return KL(Bernoulli(x) || Bernoulli(p))."""
    if (x > 0.0 and p <= 0.0) or (x < 1.0 and p >= 1.0):
        return inf
    first = x * log(x / p) if x > 0.0 else 0.0
    second = (1.0 - x) * log((1.0 - x) / (1.0 - p)) if x < 1.0 else 0.0
    return max(0.0, first + second)


def _limit(x: float, budget: float, end: float) -> float:
    """Return the probability towards ``end`` at which the divergence reaches the budget."""
    inside, outside = x, end
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2.0
        if _divergence(x, middle) <= budget:
            inside = middle
        else:
            outside = middle
    return outside
