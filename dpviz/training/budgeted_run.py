"""A training run step by step: the budget asked, the checkpoint written, then the step taken."""

import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpviz.guarantees import Unit, guarantee_for
from dpviz.planning.budget_tracker import BudgetTracker, Spent
from dpviz.scenario import Training
from dpviz.training.checkpoint import CheckpointFolder, CurveRow, damaged
from dpviz.training.forecaster import Forecaster
from dpviz.training.mechanism import Mechanism
from dpviz.training.progress import Progress
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split
from dpviz.training.state import State

_LARGEST_PARAMETER = 1e100
_ANY_NORM = 1.0  # of clipping; a loss does not depend on it


class DivergedError(ArithmeticError):
    """A training run ended in numbers that are no forecast.

    Attributes:
        spent: what the run had spent by then; ``None`` without privacy or before the first step.
    """

    def __init__(self, step: int, what: str, spent: Spent | None) -> None:
        self.step, self.what, self.spent = step, what, spent
        super().__init__(f"training diverged: after step {step:,} {what}; lower learning_rate")

    def __reduce__(self) -> tuple[type, tuple[int, str, Spent | None]]:
        """Say how it is made again, for whoever gets it from another process."""
        return type(self), (self.step, self.what, self.spent)


class Spending:
    """Counts steps, and asks the budget tracker what they cost; without a target all are allowed.

    Raises:
        ScenarioError: not even the first step is allowed, or no upper bound on an individual
            covers the scenario.
    """

    def __init__(self, settings: TrainingSettings) -> None:
        self.accounted = 0
        self.last_allowed: int | None = None
        self._asked = settings.most_steps
        self._tracker: BudgetTracker | None = None
        self._steps_of_a_pass = 1
        if settings.target is not None:
            asked = Training(unit="steps", count=settings.most_steps)
            scenario = replace(settings.scenario, training=asked)
            if guarantee_for(scenario).upper.unit is Unit.EPOCH:
                self._steps_of_a_pass = scenario.steps_per_epoch
            self._tracker = BudgetTracker(scenario, settings.target)
            self.last_allowed = self._tracker.last_step

    def allows(self, steps: int) -> bool:
        """Return whether so many steps may be spent in all."""
        return self._tracker is None or self._tracker.allows(steps)

    def room(self) -> int:
        """Return how many more steps the budget allows."""
        if self.last_allowed is None:
            return self._asked
        return max(0, self.last_allowed - self.accounted)

    def lose(self, reserved: int) -> None:
        """Count steps as spent that an interrupted run may have taken.

        A walk cannot go on within a pass: its series were drawn in an order that is not kept. The
        pass counts whole in any case, so nothing of the budget is lost by that.
        """
        whole = -(-reserved // self._steps_of_a_pass) * self._steps_of_a_pass
        if self.last_allowed is not None:
            whole = max(reserved, min(whole, self.last_allowed))
        self.accounted = max(self.accounted, whole)

    def spent(self, steps: int) -> Spent | None:
        """Return what so many steps have cost; ``None`` for none, and without privacy."""
        if self._tracker is None or steps == 0:
            return None
        return self._tracker.spent_after(steps)


class BudgetedRun:
    """Trains a model by a run's settings, and keeps the run in a folder of checkpoints, if any.

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
        self.spending = Spending(settings)
        self.state = State(settings, parts, forecaster)
        self._mechanism = Mechanism(settings, parts.training, forecaster, self.state.generators)
        self._folder = None if checkpoints is None else CheckpointFolder(checkpoints)

    def progress(self) -> Iterator[Progress]:
        """Train to the end, telling where training stands every now and then."""
        with nullcontext() if self._folder is None else self._folder.held():
            reserved = self._resume()
            if not self.state.curve:
                self._evaluate()
                self._save(self.spending.accounted)
            yield self._told(self.state.curve[-1], reserved)
            while (block := self._next_block()) > 0:
                # Written before any of these steps: if all of them are lost, they still count.
                self._save(self.spending.accounted + block)
                for _ in range(block):
                    self._step()
                self._evaluate()
                self._save(self.spending.accounted)
                yield self._told(self.state.curve[-1], self.spending.accounted)

    def _resume(self) -> int:
        """Go on where an earlier process ended; return the steps that it may have spent."""
        if self._folder is None:
            return 0
        if (found := self._folder.load(self.state.identity())) is None:
            return 0
        try:
            self.state.restore(found)
        except (ValueError, KeyError, TypeError, OverflowError) as problem:
            raise damaged(self._folder.path, problem) from None
        self.spending.accounted = found.accounted
        if self.settings.seed is None and self.state.steps < self.settings.most_steps:
            # The lost steps' noise is lost with them: taken again, they are further steps.
            self.spending.lose(found.reserved)
        return max(found.reserved, self.spending.accounted)

    def _next_block(self) -> int:
        """Return how many steps there are to the next evaluation, or to the end."""
        every, taken = self.settings.evaluate_every, self.state.steps
        left = self.settings.most_steps - taken
        return min(every - taken % every, left, self.spending.room())

    def _step(self) -> None:
        state, spending = self.state, self.spending
        if not spending.allows(spending.accounted + 1):
            raise AssertionError("a step was planned that the budget does not allow")
        spending.accounted += 1
        state.move(self._mechanism.gradient(state.parameters, state.next_batch()))
        # A comparison with NaN is never true.
        if not np.all(np.abs(state.parameters) <= _LARGEST_PARAMETER):
            raise self._diverged("the parameters are no longer numbers, or larger than 1e100")

    def _evaluate(self) -> None:
        crps = loss = None
        if self.settings.validation != "none":
            crps, loss = self._held_out_errors()
            if not (math.isfinite(crps) and math.isfinite(loss)):
                raise self._diverged("the error of held-out forecasts is not a finite number")
        self.state.note(self.spending.accounted, crps, loss)

    @np.errstate(all="ignore")
    def _held_out_errors(self) -> tuple[float, float]:
        """Return CRPS of held-out windows, and mean loss; not finite where the model diverged."""
        windows, parameters = self._parts.validation, self.state.parameters
        context, truth = windows.context, windows.truth
        quantiles = self._forecaster.quantiles(parameters, context, LEVELS)
        found = self._forecaster.clipped_gradient(parameters, context, truth, _ANY_NORM)
        return mean_weighted_quantile_loss(quantiles, truth), float(found.losses.mean())

    def _diverged(self, what: str) -> DivergedError:
        return DivergedError(self.state.steps, what, self.spending.spent(self.spending.accounted))

    def _save(self, reserved: int) -> None:
        if self._folder is not None:
            self._folder.save(self.state.checkpoint(self.spending.accounted, reserved))

    def curve(self) -> tuple[Progress, ...]:
        """Return all evaluations so far."""
        return tuple(self._told(row, row.accounted) for row in self.state.curve)

    def _told(self, row: CurveRow, accounted: int) -> Progress:
        return Progress(
            step=row.step,
            last_allowed=self.spending.last_allowed,
            steps_asked=self.settings.most_steps,
            spent=self.spending.spent(accounted),
            validation_crps=row.validation_crps,
            held_out_loss=row.held_out_loss,
            is_private=self.settings.is_private,
        )
