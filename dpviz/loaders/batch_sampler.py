"""A scenario's batches for PyTorch's ``DataLoader``; what loader, model and step must not be."""

from collections import deque
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.sampling import Batch, batches, noise_of_windows, noisy_windows, windows
from dpviz.sampling.scheme import FloatArray, Lengths, Numbering, scheme_for
from dpviz.scenario import Scenario, ScenarioError


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
        self.numbers = Numbering(scheme_for(scenario, series_lengths).start_positions)
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


class WindowDataset:
    """All windows of some series: a map-style data set for PyTorch's ``DataLoader``.

    A window is a pair of arrays, context (L_C, channels if any) and forecast (L_F, likewise).
    Only drawn windows are copied. Where the scenario has noise on windows each one gets new noise
    whenever it is read, from the operating system's entropy: workers of a loader share no state.

    Args:
        series: the N series, each of shape (L,) or (L, channels).
        scenario: what is accounted for; its data must be a ``DataShape``.

    Attributes:
        noise: what is added to windows, see :func:`dpviz.sampling.noise_of_windows`.
        window_parts: L_C and L_F.

    Raises:
        ScenarioError: the scenario is about other numbers or lengths of series, or has noise on
            windows and no ``max_change`` to measure it by, or fewer channels than the series, or
            these have different ones. Of one channel ``max_change`` bounds the Euclidean norm of
            all values of a time step.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> data = WindowDataset(np.ones((320, 20)), toy)
    >>> len(data), [part.shape for part in data[0]]
    (6400, [(1,), (1,)])
    """

    def __init__(
        self,
        series: Sequence[npt.NDArray[np.number]] | npt.NDArray[np.number],
        scenario: Scenario,
        dtype: type[np.floating[Any]] = np.float32,
    ) -> None:
        if len(series) == 0:
            raise ScenarioError("num_series", 0, "there are no series")
        self.noise = noise_of_windows(scenario)
        shapes = {np.shape(values)[1:] for values in series}
        if len(shapes) > 1:  # a single channel would be copied to all others
            told = " and ".join(str(prod(shape)) for shape in sorted(shapes))
            raise ScenarioError("num_channels", told, "all series must have the same channels")
        channels, stated = prod(*shapes), scenario.relation.num_channels
        if self.noise and channels > stated > 1:  # of one, v bounds their Euclidean norm
            allowed = f"the guarantee is about {stated} values of a time step that change together"
            raise ScenarioError("num_channels", channels, allowed)
        lengths = [len(values) for values in series]
        self.series, self.series_lengths, self.dtype = series, lengths, dtype
        self.numbers = Numbering(scheme_for(scenario, lengths).start_positions)
        shape = scenario.given_shape
        self.window_parts = shape.context_length, shape.forecast_length

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, number: int) -> tuple[FloatArray, FloatArray]:
        context, forecast = self.__getitems__([number])
        return context[0], forecast[0]

    def __getitems__(self, numbers: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return contexts and forecasts of a batch, shapes (windows, L_C) and (windows, L_F).

        PyTorch asks for a whole batch in this way. An empty batch has no rows.

        Raises:
            IndexError: there is no such window.
        """
        asked = np.asarray(numbers, dtype=np.int64)
        if asked.size and not (asked.min() >= 0 and asked.max() < len(self)):
            raise IndexError(f"there are windows 0 to {len(self) - 1:,} only")
        series, starts = self.numbers.places(asked)
        drawn = Batch(series=series, starts=starts, step=0, epoch=0)
        # Rounding comes after the noise: before it, a value that changes by v could change by more.
        dtype = np.float64 if self.noise else self.dtype
        cut = windows(self.series, drawn, *self.window_parts, dtype)
        if self.noise:
            cut = noisy_windows(cut, np.random.default_rng(), **self.noise)
        context, forecast = (np.asarray(one, self.dtype) for one in (cut.context, cut.forecast))
        return context, forecast


def tensors(batch: tuple[FloatArray, FloatArray]) -> tuple[Any, ...]:
    """Return a batch of :class:`WindowDataset` as tensors: the ``collate_fn`` of a ``DataLoader``.

    An empty batch, which happens where coins are tossed, has tensors without rows: training must
    take its step, too.
    """
    import torch

    return tuple(torch.from_numpy(part) for part in batch)


def check_model(model: Any) -> None:
    """Refuse layers whose output for one window depends on other windows.

    Args:
        model: a ``torch.nn.Module``.

    Raises:
        LoaderError: names the layer and what to put in its place.
    """
    for name, layer in model.named_modules():
        kinds, named = {kind.__name__ for kind in type(layer).__mro__}, f"layer {name or 'itself'}"
        if "_BatchNorm" in kinds:
            raise LoaderError(
                f"{named} is batch normalisation ({type(layer).__name__}), through which one "
                "window changes the gradients of all others",
                "put torch.nn.GroupNorm or torch.nn.LayerNorm in its place",
            )
        if "_InstanceNorm" in kinds and layer.track_running_stats:
            told = "keeps statistics of all windows without noise"
            raise LoaderError(f"{named} {told}", "make it with track_running_stats=False")


def check_loader(loader: Any, sampler: StructuredBatchSampler) -> None:
    """Refuse a loader that draws, drops or repeats windows by itself, or does not noise them.

    Args:
        loader: a ``torch.utils.data.DataLoader``.

    Raises:
        LoaderError: names what is otherwise, and the line to write.
    """
    if getattr(loader, "batch_sampler", None) is not sampler:
        kind = type(getattr(loader, "sampler", loader)).__name__
        raise LoaderError(
            f"the loader draws its batches by {kind}, not by the scenario's scheme "
            "(shuffle, sampler, batch_size and drop_last are schemes of their own)",
            "write DataLoader(data, batch_sampler=sampler, collate_fn=tensors) without them",
        )
    if len(loader.dataset) != len(sampler.numbers):
        raise LoaderError(
            f"the data set has {len(loader.dataset):,} windows, and the sampler draws from "
            f"{len(sampler.numbers):,}",
            "make the data by WindowDataset(series, scenario), and the sampler with "
            "series_lengths=data.series_lengths",
        )
    same = "make the data by WindowDataset(series, scenario) with the sampler's scenario"
    if isinstance(data := loader.dataset, WindowDataset):
        if not np.array_equal(data.numbers.lengths, sampler.numbers.lengths):
            raise LoaderError(
                "series of the data set have other lengths, or another order, than the sampler's",
                "make the sampler with series_lengths=data.series_lengths",
            )
        shape = sampler.scenario.given_shape
        accounted = shape.context_length, shape.forecast_length
        if data.window_parts != accounted:
            raise LoaderError(
                "context and forecast of the data set's windows have {:,} and {:,} values, and "
                "{:,} and {:,} were accounted for".format(*data.window_parts, *accounted),
                same,
            )
    noise = noise_of_windows(sampler.scenario)
    added = getattr(data, "noise", None)
    if noise and added != noise:
        told = f"adds {added or 'no noise'} to windows, and {noise} was accounted for"
        raise LoaderError(f"the data set {told}", same)


def check_step(optimizer: Any, sampler: StructuredBatchSampler, clipped: int) -> None:
    """Refuse a step that is not the next batch's, or is divided by another number.

    Args:
        optimizer: an ``opacus.optimizers.DPOptimizer`` before its update.
        clipped: windows whose gradients are in its sum, those of a batch in parts
            (``BatchMemoryManager``) together.

    Raises:
        LoaderError: names what is otherwise.
    """
    size, divisor = sampler.scenario.sampling.batch_size, optimizer.expected_batch_size
    if optimizer.loss_reduction == "mean" and divisor != size:
        raise LoaderError(
            f"the sum of gradients is divided by {divisor}, and {size} was accounted for",
            f"set optimizer.expected_batch_size = {size}",
        )
    if optimizer.accumulated_iterations != 1:
        raise LoaderError(
            f"one step takes {optimizer.accumulated_iterations} batches together",
            "call optimizer.step() and optimizer.zero_grad() for each batch",
        )
    drawn = sampler.next_size()
    if clipped != drawn:
        raise LoaderError(
            f"a step has gradients of {clipped:,} windows, and {drawn:,} were drawn",
            "take one step on each batch as it comes, also on an empty one: no filter, no padding, "
            "no batch left out, none skipped by signal_skip_step",
        )
