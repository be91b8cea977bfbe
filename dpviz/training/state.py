"""Where a training run stands: parameters, optimiser, random numbers, and the way back there."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from dpviz.sampling import Batch, batches
from dpviz.scenario import Scenario, to_fields
from dpviz.training.checkpoint import DATA, Checkpoint, CurveRow
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split

_STREAMS = ("parameters", "batches", "windows", "gradients")
# Those that a run's identity has as they are, by their own names.
_PLAIN_SETTINGS = (
    "model", "seed", "clipping_norm", "optimizer", "learning_rate", "evaluate_every", "validation",
    "validation_windows", "test_windows",
)  # fmt: skip
# The constants that Kingma and Ba propose.
_FIRST_DECAY, _SECOND_DECAY, _SMALLEST_SCALE = 0.9, 0.999, 1e-8


def generators(seed: int | None) -> dict[str, np.random.Generator]:
    """Return those of initial parameters, batches, noise on windows and noise on gradients.

    Without a seed they have 128 bits from the operating system, whose state is never written down:
    who reads it can subtract the noise.
    """
    streams = np.random.SeedSequence(seed).spawn(len(_STREAMS))
    return dict(zip(_STREAMS, map(np.random.default_rng, streams), strict=True))


class BatchStream:
    """The batches of a run, which can be taken up again within a pass over the series.

    A walk's order is drawn at the beginning of a pass. So the generator's state there is kept, and
    batches of the pass that were used already are drawn once more and thrown away.
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
        """Go on behind the last batch that was drawn when the state was taken."""
        self._rng.bit_generator.state = state["generator"]
        drawn = int(state["drawn"])
        if not 0 <= drawn <= self._scenario.steps_per_epoch:
            raise ValueError(f"a pass has no {drawn} batches")
        self._begin()
        self._drawn = drawn
        for _ in islice(self._batches, drawn):
            pass


class Optimizer:
    """Moves parameters: ``sgd``, against the gradient, or ``adam`` (Kingma and Ba 2015)."""

    def __init__(self, name: str, learning_rate: float, num_parameters: int) -> None:
        self.learning_rate = learning_rate
        kept = ("first", "second") if name == "adam" else ()
        self.memory = {moment: np.zeros(num_parameters) for moment in kept}

    def moved(self, parameters: FloatArray, gradient: FloatArray, step: int) -> FloatArray:
        """Return the parameters after one step, the first of which has number 1."""
        if not self.memory:
            return parameters - self.learning_rate * gradient
        # *Adam: A Method for Stochastic Optimization*, Algorithm 1.
        first, second = self.memory["first"], self.memory["second"]
        first = _FIRST_DECAY * first + (1.0 - _FIRST_DECAY) * gradient
        second = _SECOND_DECAY * second + (1.0 - _SECOND_DECAY) * gradient**2
        self.memory = {"first": first, "second": second}
        mean = first / (1.0 - _FIRST_DECAY**step)
        scale = np.sqrt(second / (1.0 - _SECOND_DECAY**step))
        return np.asarray(parameters - self.learning_rate * mean / (scale + _SMALLEST_SCALE))


class State:
    """What changes while a run goes on, but for what it has spent."""

    def __init__(self, settings: TrainingSettings, parts: Split, forecaster: Forecaster) -> None:
        self._settings, self._parts, self._forecaster = settings, parts, forecaster
        self.generators = generators(settings.seed)
        self._batches = BatchStream(
            settings.scenario, self.generators["batches"], parts.training.lengths
        )
        self.optimizer = Optimizer(
            settings.optimizer, settings.learning_rate, forecaster.num_parameters
        )
        self.steps = 0
        self.parameters = forecaster.initial_parameters(self.generators["parameters"])
        self.best_step = 0
        self.best_parameters = self.parameters
        self.curve: list[CurveRow] = []

    def next_batch(self) -> Batch:
        """Return the batch of the next step."""
        return self._batches.draw()

    def move(self, gradient: FloatArray) -> None:
        """Take one step of the optimiser."""
        self.steps += 1
        self.parameters = self.optimizer.moved(self.parameters, gradient, self.steps)

    def note(self, accounted: int, crps: float | None, loss: float | None) -> None:
        """Keep an evaluation, and the parameters it is of if they are the ones to take."""
        is_taken = True
        if self._settings.validation == "best":
            if crps is None:
                raise AssertionError("there are held-out windows to choose by")
            errors = [old.validation_crps for old in self.curve if old.validation_crps is not None]
            is_taken = not errors or crps < min(errors)
        if is_taken:
            self.best_step, self.best_parameters = self.steps, self.parameters
        self.curve.append(
            CurveRow(step=self.steps, accounted=accounted, validation_crps=crps, held_out_loss=loss)
        )

    def checkpoint(self, accounted: int, reserved: int) -> Checkpoint:
        """Return all of this, with what has been spent.

        The states of random generators are kept only where they follow from a seed anyway.
        """
        randomness = None
        if self._settings.seed is not None:
            streams = {name: one.bit_generator.state for name, one in self.generators.items()}
            randomness = {"streams": streams, "batches": self._batches.state()}
        return Checkpoint(
            identity=self.identity(),
            steps=self.steps,
            accounted=accounted,
            reserved=reserved,
            parameters=self.parameters,
            memory=self.optimizer.memory,
            best_step=self.best_step,
            best_parameters=self.best_parameters,
            curve=tuple(self.curve),
            randomness=randomness,
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a checkpoint of the same settings."""
        sizes = {name: values.shape for name, values in self.optimizer.memory.items()}
        if {name: values.shape for name, values in checkpoint.memory.items()} != sizes:
            raise ValueError("the optimiser's memory does not fit")
        for values in (checkpoint.parameters, checkpoint.best_parameters):
            if values.shape != self.parameters.shape:
                raise ValueError("the parameters do not fit")
        if self._settings.seed is not None:
            if checkpoint.randomness is None:
                raise ValueError("the states of the random generators are missing")
            self._batches.restore(checkpoint.randomness["batches"])
            for name, one in self.generators.items():
                one.bit_generator.state = checkpoint.randomness["streams"][name]
        self.steps, self.parameters = checkpoint.steps, checkpoint.parameters
        self.optimizer.memory = dict(checkpoint.memory)
        self.best_step, self.best_parameters = checkpoint.best_step, checkpoint.best_parameters
        self.curve = list(checkpoint.curve)

    def identity(self) -> dict[str, Any]:
        """Return what makes this run itself, as data for JSON; public, like the settings.

        With a seed, a digest of the data is part of it: the same noise on other data would give
        away their difference. Without one nothing of the values is told, as the noise is fresh.
        """
        settings, training = self._settings, self._parts.training
        fields = to_fields(settings.scenario)
        for ineffective in ("steps", "epochs", "delta"):
            fields.pop(ineffective, None)
        target = settings.target
        return {
            **fields,
            **{name: getattr(settings, name) for name in _PLAIN_SETTINGS},
            "target": None if target is None else [target.epsilon, target.delta],
            "steps": settings.most_steps,
            "series_lengths": list(training.lengths),
            "period": training.period,
            DATA: None if settings.seed is None else self._parts.digest(),
            "parameters": self._forecaster.num_parameters,
        }
