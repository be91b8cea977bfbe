"""Where a training run stands: parameters, optimiser, random numbers, and the way back there."""

from typing import Any

from dpviz.sampling import Batch
from dpviz.scenario import to_fields
from dpviz.training.checkpoint import DATA, Checkpoint, CurveRow
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.optimizer import optimizer_named
from dpviz.training.randomness import BatchStream, Randomness
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split


class State:
    """What changes while a run goes on, but for what it has spent.

    Args:
        settings: of the run.
        parts: the panel, split as the settings say.
        forecaster: whose parameters are trained.
    """

    def __init__(self, settings: TrainingSettings, parts: Split, forecaster: Forecaster) -> None:
        self._settings, self._parts, self._forecaster = settings, parts, forecaster
        self.randomness = Randomness(settings.seed)
        self._batches = BatchStream(
            settings.scenario, self.randomness["batches"], parts.training.lengths
        )
        self.optimizer = optimizer_named(
            settings.optimizer, settings.learning_rate, forecaster.num_parameters
        )
        self.steps = 0
        self.parameters = forecaster.initial_parameters(self.randomness["parameters"])
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

    def note(self, row: CurveRow) -> None:
        """Keep an evaluation, and the parameters it is of if they are the ones to take."""
        if self._settings.validation != "best" or self._is_better(row):
            self.best_step, self.best_parameters = self.steps, self.parameters
        self.curve.append(row)

    def _is_better(self, row: CurveRow) -> bool:
        assert row.validation_crps is not None  # there are held-out windows to choose by
        errors = [old.validation_crps for old in self.curve if old.validation_crps is not None]
        return not errors or row.validation_crps < min(errors)

    def checkpoint(self, accounted: int, reserved: int) -> Checkpoint:
        """Return all of this, with what has been spent.

        The states of random generators are kept only where they follow from a seed anyway.
        """
        randomness = None
        if self._settings.seed is not None:
            randomness = {"streams": self.randomness.state(), "batches": self._batches.state()}
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
        """Go back to a checkpoint of the same settings.

        Raises:
            ValueError: it does not fit them.
        """
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
            self.randomness.restore(checkpoint.randomness["streams"])
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
            "model": settings.model,
            "target": None if target is None else [target.epsilon, target.delta],
            "seed": settings.seed,
            "clipping_norm": settings.clipping_norm,
            "optimizer": settings.optimizer,
            "learning_rate": settings.learning_rate,
            "steps": settings.most_steps,
            "evaluate_every": settings.evaluate_every,
            "validation": settings.validation,
            "validation_windows": settings.validation_windows,
            "test_windows": settings.test_windows,
            "series_lengths": list(training.lengths),
            "period": training.period,
            DATA: None if settings.seed is None else self._parts.digest(),
            "parameters": self._forecaster.num_parameters,
        }
