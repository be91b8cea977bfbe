"""The random numbers of a training run, and where they can be taken up again."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from dpviz.sampling import Batch, batches
from dpviz.scenario import Scenario

STREAMS = ("parameters", "batches", "windows", "gradients")


class Randomness:
    """Generators for initial parameters, batches, noise on windows and noise on gradients.

    Args:
        seed: the same seed gives the same numbers. ``None``: 128 bits from the operating system,
            whose state is never written down: who reads it can subtract the noise.
    """

    def __init__(self, seed: int | None) -> None:
        streams = np.random.SeedSequence(seed).spawn(len(STREAMS))
        self._generators = {
            name: np.random.default_rng(stream)
            for name, stream in zip(STREAMS, streams, strict=True)
        }

    def __getitem__(self, stream: str) -> np.random.Generator:
        return self._generators[stream]

    def state(self) -> dict[str, Any]:
        """Return where the generators stand, as data for JSON."""
        return {name: self._generators[name].bit_generator.state for name in STREAMS}

    def restore(self, state: dict[str, Any]) -> None:
        """Put the generators where they stood.

        Raises:
            ValueError: that is no such state.
        """
        try:
            for name in STREAMS:
                self._generators[name].bit_generator.state = state[name]
        except (KeyError, TypeError, OverflowError) as problem:
            raise ValueError(f"no state of random generators: {problem}") from None


class BatchStream:
    """The batches of a run, which can be taken up again within a pass over the series.

    A walk's order is drawn at the beginning of a pass. So the generator's state there is kept, and
    batches of the pass that were used already are drawn once more and thrown away.

    Args:
        scenario: how batches are drawn.
        rng: source of randomness.
        series_lengths: length of each series.
    """

    def __init__(
        self, scenario: Scenario, rng: np.random.Generator, series_lengths: tuple[int, ...]
    ) -> None:
        self._scenario, self._rng, self._lengths = scenario, rng, np.array(series_lengths)
        self._drawn = 0
        self._begin()

    def _begin(self) -> None:
        self._pass_state: dict[str, Any] = dict(self._rng.bit_generator.state)
        self._batches: Iterator[Batch] = batches(
            self._scenario, self._rng, series_lengths=self._lengths, endless=True
        )

    def draw(self) -> Batch:
        """Return the next batch."""
        if self._drawn == self._scenario.steps_per_epoch:
            self._drawn = 0
            self._pass_state = dict(self._rng.bit_generator.state)
        self._drawn += 1
        return next(self._batches)

    def state(self) -> dict[str, Any]:
        """Return where the stream stands, as data for JSON."""
        return {"generator": self._pass_state, "drawn": self._drawn}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on behind the last batch that was drawn when the state was taken.

        Raises:
            ValueError: that is no such state.
        """
        try:
            self._rng.bit_generator.state = state["generator"]
            drawn = int(state["drawn"])
        except (KeyError, TypeError, OverflowError) as problem:
            raise ValueError(f"no state of a stream of batches: {problem}") from None
        if not 0 <= drawn <= self._scenario.steps_per_epoch:
            raise ValueError(f"a pass has no {drawn} batches")
        self._begin()
        self._drawn = drawn
        for _ in islice(self._batches, drawn):
            pass
