"""What a sampler drew, arranged for counting."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from dpviz.loaders.canaries import ReadBatch
from dpviz.sampling.scheme import FloatArray, IntArray, Scheme


class Drawn:
    """Batches of somebody's sampler.

    Where a statistic needs one window of several, it is any of them with equal probability.

    Args:
        scheme: what was accounted for.
        reads: the batches, in order.
        rng: source of randomness for the audit's own choices.
    """

    def __init__(
        self, scheme: Scheme, reads: Sequence[ReadBatch], rng: np.random.Generator
    ) -> None:
        self.scheme, self.reads, self.rng = scheme, reads, rng
        self.positions = scheme.start_positions
        self.sizes = np.array([len(read.series) for read in reads])
        self.series_sets = [np.unique(read.series) for read in reads]

    @cached_property
    def all_series(self) -> IntArray:
        """The series of all windows, shape (windows,)."""
        return np.concatenate([read.series for read in self.reads])

    @cached_property
    def all_starts(self) -> IntArray:
        """The start positions of all windows, shape (windows,)."""
        return np.concatenate([read.starts for read in self.reads])

    @cached_property
    def one_each(self) -> list[tuple[IntArray, IntArray]]:
        """For each batch its series, each once, and the start of one of its windows."""
        found = []
        for read in self.reads:
            mixed = self.rng.permutation(len(read.series))
            series, first = np.unique(read.series[mixed], return_index=True)
            found.append((series, read.starts[mixed][first]))
        return found

    def pairs_of_uses(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return T and both starts of disjoint pairs of a series' uses, one after the other."""
        series = np.concatenate([each for each, _ in self.one_each])
        starts = np.concatenate([start for _, start in self.one_each])
        order = np.argsort(series, kind="stable")  # batches stay in order
        series, starts = series[order], starts[order]
        first = np.concatenate([[0], np.flatnonzero(np.diff(series)) + 1, [len(series)]])
        counts = np.diff(first)
        place = np.arange(len(series)) - np.repeat(first[:-1], counts)
        opens = (place % 2 == 0) & (place + 1 < np.repeat(counts, counts))
        at = np.flatnonzero(opens)
        return self.positions[series[at]], starts[at], starts[at + 1]

    def pairs_within(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return T and both starts of disjoint pairs of windows of one series in one batch."""
        found = []
        for read in self.reads:
            mixed = self.rng.permutation(len(read.series))
            order = mixed[np.argsort(read.series[mixed], kind="stable")]
            series, starts = read.series[order], read.starts[order]
            whole = len(series) - len(series) % self.scheme.num_subsequences
            table = starts[:whole].reshape(-1, self.scheme.num_subsequences)
            owners = series[:whole].reshape(table.shape)
            for at in range(0, self.scheme.num_subsequences - 1, 2):
                found.append((owners[:, at], table[:, at], table[:, at + 1]))
        owners, first, second = (np.concatenate(part) for part in zip(*found, strict=True))
        return self.positions[owners], first, second

    def places_across(self) -> Iterator[FloatArray]:
        """Return differences of places of windows of two series in one batch, from 0 to 1.

        A place is (start + U) / T with U uniform, so a uniform start has a uniform place.
        """
        for series, starts in self.one_each:
            mixed = self.rng.permutation(len(series))
            spread = (starts + self.rng.random(len(starts))) / self.positions[series]
            pairs = spread[mixed][: len(mixed) // 2 * 2].reshape(-1, 2)
            yield (pairs[:, 1] - pairs[:, 0]) % 1.0
