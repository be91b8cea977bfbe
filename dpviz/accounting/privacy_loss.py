"""What the accountant asks of a pair: its privacy loss l(x) = ln(dP/dQ)(x), increasing in x."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import FloatArray, LossBuckets


@dataclass(frozen=True, kw_only=True)
class Located:
    """Outcomes at which the privacy loss takes given values, but for rounding.

    Args:
        outcomes: increasing, shape as the losses. Where no outcome that is resolved has so small
            or large a loss: -inf, or the first or last one that is.
        errors: half the distance by which the loss at the outcomes may miss the given one. If one
            side was asked for: to that side, as there is none to the other one but at the ends.
    """

    outcomes: FloatArray
    errors: FloatArray


class PrivacyLoss(ABC):
    """The loss of a pair (P, Q), its inverse, and the mass between losses.

    Attributes:
        infimum: no outcome has a smaller loss.
        smallest_resolved: below this loss Q has less than the unresolved tail.
        largest_resolved: above this loss P has less than the unresolved tail, or it is
            ``LARGEST_LOSS``.
        commonest: nearly the loss that most outcomes share, where that is not the infimum.
        spread: about the root mean square of the loss under P; no bound rests on it.
        typical: likewise of the losses that make up the spread, where these are rare and large.
    """

    infimum: float = -np.inf
    commonest: float | None = None
    smallest_resolved: float
    largest_resolved: float
    spread: float
    typical: float = 0.0

    @abstractmethod
    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return the outcomes with the given increasing losses.

        Args:
            losses: in nats, shape (edges,).
            side: -1 for outcomes whose loss is at most the given one, 1 for at least, 0 for the
                nearest.
        """

    @abstractmethod
    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses between increasing outcomes."""

    def between(self, losses: FloatArray) -> LossBuckets:
        """Return the masses between increasing losses."""
        return self.buckets(self.located(losses).outcomes)


# Losses above this are as good as infinite: epsilon is asked for up to 10^3, and e^-1400 is far
# below what any sum resolves.
LARGEST_LOSS = 1400.0


def root_mean_square(losses: FloatArray, weights: FloatArray) -> float:
    """Return the root of the weighted mean of squared losses."""
    return float(np.sqrt(np.sum(weights * losses**2) / np.sum(weights)))
