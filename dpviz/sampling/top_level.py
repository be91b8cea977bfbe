"""Which series are in a batch: an endless stream of choices for each top level."""

from collections.abc import Callable, Iterator

import numpy as np

from dpviz.sampling.arrays import IntArray
from dpviz.sampling.scheme import Scheme


def series_draws(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Return an endless stream of batches' series, 0-based, no series twice in a batch.

    The order within a batch carries no meaning.
    """
    return DRAWS[scheme.top_level](scheme, rng)


def _deterministic(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:  # noqa: ARG001
    """Walk through the series in order (Algorithm 3), again and again.

    The series beyond the last full batch are never used.
    """
    size = scheme.series_per_batch
    while True:
        for batch in range(scheme.steps_per_epoch):
            yield np.arange(batch * size, (batch + 1) * size)


def _shuffled(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Walk through the series in a new, uniform order in each epoch.

    Which series are left out, beyond the last full batch, changes from epoch to epoch.
    """
    size = scheme.series_per_batch
    while True:
        order = rng.permutation(scheme.shape.num_series)
        for batch in range(scheme.steps_per_epoch):
            yield order[batch * size : (batch + 1) * size]


def _without_replacement(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Draw N' distinct series anew for each batch (Algorithm 5)."""
    while True:
        # Exactly uniform over all subsets: Generator.choice runs Floyd's algorithm (for a large
        # share of over 10,000 series a partial Fisher-Yates shuffle) on bounded integers drawn
        # by rejection. No other way is both as fast and exact: a whole permutation costs a
        # little more at N = 862 and far more at a million; smallest random keys cost nearly
        # twice as much and are biased where keys tie. Without the shuffle only the order, which
        # carries no meaning, is not uniform.
        yield rng.choice(
            scheme.shape.num_series, size=scheme.series_per_batch, replace=False, shuffle=False
        )


def _poisson(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Let each series in with rate N' / N, independently: the batch size is random."""
    while True:
        # Bounded integers are exactly uniform, so the rate is N' / N without any rounding.
        marks = rng.integers(scheme.shape.num_series, size=scheme.shape.num_series)
        yield np.flatnonzero(marks < scheme.series_per_batch)


DRAWS: dict[str, Callable[[Scheme, np.random.Generator], Iterator[IntArray]]] = {
    "without-replacement": _without_replacement,
    "deterministic": _deterministic,
    "shuffled": _shuffled,
    "poisson": _poisson,
}
