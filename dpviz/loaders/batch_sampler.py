"""A scenario's batches as lists of numbers, as PyTorch's ``DataLoader`` takes them."""

from collections import deque
from collections.abc import Iterator

import numpy as np

from dpviz.loaders.window_dataset import WindowNumbers
from dpviz.sampling import batches
from dpviz.sampling.scheme import Lengths, scheme_for
from dpviz.scenario import Scenario


class LoaderError(RuntimeError):
    """Training is another mechanism than the scenario's: its numbers would not hold.

    Attributes:
        found: what is otherwise, in words.
    """

    def __init__(self, found: str, fix: str) -> None:
        self.found, self.fix = found, fix
        super().__init__(f"{found}: {fix}.")


class StructuredBatchSampler:
    """Draws the batches of one training run: the ``batch_sampler`` of a ``DataLoader``.

    Each pass over it is one epoch, as loops are written that have epochs, and goes on where the
    last one ended; the last one ends with the scenario's steps. Any scheme that the samplers
    know, at both levels.

    Args:
        scenario: what is accounted for; its data must be a ``DataShape``.
        series_lengths: length of each of the N series, such as ``WindowDataset.series_lengths``;
            without it all have the shortest one of the scenario.
        rng: source of randomness, by default 128 bits of the operating system. No seed in earnest.

    Attributes:
        drawn: batches drawn so far, also those that a loader fetched and nobody trained on.

    Raises:
        ScenarioError: the scenario gives rates instead of a shape, or its bounds do not cover
            series of these lengths.

    >>> from dpviz.scenario import PRESETS
    >>> sampler = StructuredBatchSampler(PRESETS["toy"].scenario)
    >>> epoch = list(sampler)
    >>> len(epoch), len(epoch[0]), sampler.drawn
    (10, 32, 10)
    """

    def __init__(
        self,
        scenario: Scenario,
        series_lengths: Lengths | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.scenario, self.drawn = scenario, 0
        self.numbers = WindowNumbers(scheme_for(scenario, series_lengths).start_positions)
        self._batches = batches(
            scenario, rng or np.random.default_rng(), series_lengths=series_lengths
        )
        self._sizes: deque[int] = deque()

    def __len__(self) -> int:
        """Return the batches of one epoch."""
        return min(self.scenario.steps_per_epoch, self.scenario.num_steps)

    def __iter__(self) -> Iterator[list[int]]:
        """Return the numbers of the windows of one epoch's batches.

        Raises:
            LoaderError: all steps that were accounted for are drawn.
        """
        steps = self.scenario.num_steps
        if self.drawn >= steps:
            raise LoaderError(
                f"all {steps:,} training steps that were accounted for are drawn",
                "make the scenario with as many steps as the loop takes",
            )
        # What a loader fetched for a pass that was broken off is never trained on.
        self._sizes.clear()
        for _ in range(min(len(self), steps - self.drawn)):
            batch = next(self._batches)
            self.drawn += 1
            self._sizes.append(len(batch))
            yield self.numbers.of(batch.series, batch.starts).tolist()

    def next_size(self) -> int:
        """Return how many windows the next batch to train on has, in the order of drawing.

        Raises:
            LoaderError: no batch is left that was drawn and not trained on.
        """
        if not self._sizes:
            raise LoaderError(
                "a step was taken on windows that the sampler did not draw",
                "take all batches from the DataLoader of this sampler, and one step on each",
            )
        return self._sizes.popleft()
