"""What counted attacks say about delta, with exact confidence limits."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.accounting.buckets import FloatArray

Counts = npt.NDArray[np.int64]
# Each number of successes is bounded from both sides; two or three decide about one delta.
_STATEMENTS, _UNORDERED_STATEMENTS = 4, 6


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaRange:
    """delta of fixed attacks at some epsilons, arrays of equal shape.

    ``estimate`` is without bias and may be below 0. All true values lie from ``low`` to ``high``,
    but with the probability of error asked for.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class CoupledCounts:
    """How often fixed events E held in coupled runs; counts are arrays of one shape.

    A run has two outputs, one of P and one of Q, which may depend on each other in any way.

    Args:
        right_only: runs where the event holds for P's output and not for Q's.
        wrong_only: runs where it holds for Q's output and not for P's.
        wrong: runs where it holds for Q's output.
        is_ordered: whether E cannot hold for Q's output alone; broadcast against the counts.
    """

    runs: int
    right_only: Counts
    wrong_only: Counts
    wrong: Counts
    is_ordered: npt.NDArray[np.bool_]

    def __add__(self, other: "CoupledCounts") -> "CoupledCounts":
        """Return the counts of both, of the same events."""
        return CoupledCounts(
            runs=self.runs + other.runs,
            right_only=self.right_only + other.right_only,
            wrong_only=self.wrong_only + other.wrong_only,
            wrong=self.wrong + other.wrong,
            is_ordered=self.is_ordered,
        )

    def delta(self, epsilon: FloatArray, error: float) -> DeltaRange:
        """Return P(E) - e^epsilon Q(E) = only - (e^epsilon - 1) Q(E).

        There only = Pr[E holds for P's and not for Q's] - Pr[E holds for Q's and not for P's],
        which is far more certain than P(E) and Q(E) apart if coupled outputs are close. Its two
        probabilities, of which the second is 0 for ordered events, and Q(E) have exact limits each.
        The error, the probability that any of the ranges is wrong, is split evenly between all
        limits (Bonferroni), so all ranges hold together, however the counts depend on each other
        (docs/simulated-attacks.md). Each event may depend on its epsilon (at least 0, broadcast
        against the counts), but on no run.

        >>> counts = CoupledCounts(runs=1000, right_only=np.array([300]), wrong_only=np.array([0]),
        ...                        wrong=np.array([100]), is_ordered=np.array([True]))
        >>> found = counts.delta(np.array([0.5]), 0.05)
        >>> [round(float(side[0]), 4) for side in (found.low, found.estimate, found.high)]
        [0.1878, 0.2351, 0.2819]
        """
        ordered = np.broadcast_to(self.is_ordered, self.right_only.shape)
        each = error / float(np.where(ordered, _STATEMENTS, _UNORDERED_STATEMENTS).sum())
        only_low, only_high = exact_limits(self.right_only, self.runs, each)
        wrong_low, wrong_high = exact_limits(self.wrong, self.runs, each)
        back_low, back_high = (
            np.where(ordered, 0.0, limit)
            for limit in exact_limits(self.wrong_only, self.runs, each)
        )
        odds = np.expm1(epsilon)
        estimate = (self.right_only - self.wrong_only - odds * self.wrong) / self.runs
        return DeltaRange(
            estimate=np.asarray(estimate),
            low=np.asarray(np.clip(only_low - back_high - odds * wrong_high, 0.0, 1.0)),
            high=np.asarray(np.clip(only_high - back_low - odds * wrong_low, 0.0, 1.0)),
        )


def exact_limits(
    successes: Counts, runs: int, error_each_side: float
) -> tuple[FloatArray, FloatArray]:
    """Return limits of a probability from independent trials (Clopper and Pearson 1934).

    Each limit is wrong with at most the given probability; no runs say nothing.

    >>> low, high = exact_limits(np.array([0, 5, 10]), 10, 0.025)
    >>> np.round(low, 3).tolist(), np.round(high, 3).tolist()
    ([0.0, 0.187, 0.692], [0.308, 0.813, 1.0])
    """
    from scipy.stats import beta  # half a second, which reports need not wait for

    failures = runs - successes
    with np.errstate(invalid="ignore"):
        low = beta.ppf(error_each_side, successes, failures + 1)
        high = beta.ppf(1.0 - error_each_side, successes + 1, failures)
    return (
        np.asarray(np.where(successes == 0, 0.0, low)),
        np.asarray(np.where(failures == 0, 1.0, high)),
    )
