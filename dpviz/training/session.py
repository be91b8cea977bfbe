"""A training run step by step: the budget asked, the checkpoint written, then the step taken."""

import math
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from dpviz.training.checkpoint import CheckpointFolder, CurveRow, damaged
from dpviz.training.divergence import DivergedError, is_out_of_bounds
from dpviz.training.evaluation import held_out
from dpviz.training.forecaster import Forecaster
from dpviz.training.ledger import Ledger
from dpviz.training.mechanism import Mechanism
from dpviz.training.progress import Progress
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split
from dpviz.training.state import State


class Session:
    """Trains a model by a run's settings.

    Args:
        settings: what decides the run.
        parts: the panel, split as the settings say.
        forecaster: the model.
        checkpoints: folder to keep the run in, if any.

    Attributes:
        settings: what decides the run.
        ledger: what has been spent.
        state: where the run stands.

    Raises:
        ScenarioError: the budget allows no step, or bounds do not cover the series.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        parts: Split,
        forecaster: Forecaster,
        checkpoints: Path | None,
    ) -> None:
        self.settings, self._parts, self._forecaster = settings, parts, forecaster
        self.ledger = Ledger(settings)
        self.state = State(settings, parts, forecaster)
        self._mechanism = Mechanism(settings, parts.training, forecaster, self.state.randomness)
        self._folder = None if checkpoints is None else CheckpointFolder(checkpoints)

    def progress(self) -> Iterator[Progress]:
        """Train to the end, telling where training stands every now and then."""
        with nullcontext() if self._folder is None else self._folder.held():
            reserved = self._resume()
            if not self.state.curve:
                self._evaluate()
                self._save(self.ledger.accounted)
            yield self._told(self.state.curve[-1], reserved)
            while (block := self._next_block()) > 0:
                # Written before any of these steps: if all of them are lost, they still count.
                self._save(self.ledger.accounted + block)
                for _ in range(block):
                    self._step()
                self._evaluate()
                self._save(self.ledger.accounted)
                yield self._told(self.state.curve[-1], self.ledger.accounted)

    def _resume(self) -> int:
        """Go on where an earlier process ended; return the steps that it may have spent."""
        if self._folder is None:
            return 0
        found = self._folder.load(self.state.identity())
        if found is None:
            return 0
        try:
            self.state.restore(found)
        except (ValueError, KeyError, TypeError) as problem:
            raise damaged(self._folder.path, problem) from None
        self.ledger.accounted = found.accounted
        is_unfinished = self.state.steps < self.settings.most_steps
        if self.settings.seed is None and is_unfinished:
            # The lost steps' noise is lost with them: taken again, they are further steps.
            self.ledger.lose(found.reserved)
        return max(found.reserved, self.ledger.accounted)

    def _next_block(self) -> int:
        """Return how many steps there are to the next evaluation, or to the end."""
        every, taken = self.settings.evaluate_every, self.state.steps
        left = self.settings.most_steps - taken
        return min(every - taken % every, left, self.ledger.room())

    def _step(self) -> None:
        state, ledger = self.state, self.ledger
        if not ledger.allows(ledger.accounted + 1):
            raise AssertionError("a step was planned that the budget does not allow")
        ledger.accounted += 1
        state.move(self._mechanism.gradient(state.parameters, state.next_batch()))
        if is_out_of_bounds(state.parameters):
            raise self._diverged("the parameters are no longer numbers, or larger than 1e100")

    def _evaluate(self) -> None:
        crps = loss = None
        if self.settings.validation != "none":
            found = held_out(self._forecaster, self.state.parameters, self._parts.validation)
            crps, loss = found.crps, found.loss
            if not (math.isfinite(crps) and math.isfinite(loss)):
                raise self._diverged("the error of held-out forecasts is not a finite number")
        self.state.note(
            CurveRow(
                step=self.state.steps,
                accounted=self.ledger.accounted,
                validation_crps=crps,
                held_out_loss=loss,
            )
        )

    def _diverged(self, what: str) -> DivergedError:
        return DivergedError(self.state.steps, what, self.ledger.spent(self.ledger.accounted))

    def _save(self, reserved: int) -> None:
        if self._folder is not None:
            self._folder.save(self.state.checkpoint(self.ledger.accounted, reserved))

    def curve(self) -> tuple[Progress, ...]:
        """Return all evaluations so far."""
        return tuple(self._told(row, row.accounted) for row in self.state.curve)

    def _told(self, row: CurveRow, accounted: int) -> Progress:
        return Progress(
            step=row.step,
            last_allowed=self.ledger.last_allowed,
            steps_asked=self.settings.most_steps,
            spent=self.ledger.spent(max(accounted, row.accounted)),
            validation_crps=row.validation_crps,
            held_out_loss=row.held_out_loss,
            is_private=self.settings.is_private,
        )
