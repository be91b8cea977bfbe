"""What the tests of the page that trains a small forecaster share."""

from collections.abc import Callable, Iterator
from typing import Any

from dpviz.jobs import Limits, LongRun, LongRuns, QueueFullError, State
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.training.budgeted_run import DivergedError
from tests.pages.app import TOY, link_of

PAGE = "train"
SMALL = {
    "panel_series": "30", "panel_length": "80", "trained_context": "12", "trained_batch": "16",
    "trained_steps": "20", "target_epsilon": "20",
}  # fmt: skip
LINK = link_of(TOY) | SMALL
COMPARE = LINK | {"training_chart": "compare", "compared_seeds": "2", "target_epsilon": "40"}


class AtOnce(LongRuns):
    """Long runs that are computed where they are started: no process, no waiting."""

    def __init__(self) -> None:
        super().__init__(
            at_once=1, most_waiting=1, most_kept=9, limits=Limits(), patience_seconds=60.0
        )
        self.runs: dict[str, LongRun] = {}
        self.is_full = False

    def forget(self, run: LongRun) -> None:
        run.end(State.CANCELLED)
        self.runs.pop(run.key, None)

    def find(self, key: str) -> LongRun | None:
        return self.runs.get(key)

    def start(
        self,
        key: str,
        steps: Callable[[], Iterator[Any]],
        visitor: str,
        *,
        size: int = 0,
        answer: type | tuple[()] = (),
    ) -> LongRun:
        if self.is_full:
            raise QueueFullError
        run = self.runs[key] = LongRun(key, steps, size, answer)
        run.watch(visitor)
        run.begin()
        try:
            for told in steps():
                run.tell(told)
        except (ScenarioError, SeriesFileError, DivergedError) as problem:
            run.end(State.FAILED, problem)
        else:
            run.end(State.DONE)
        return run


def cut_off(runs: AtOnce, told: int) -> tuple[LongRun, LongRun]:
    """Let the only run look as one that was cancelled when so much was told; return both."""
    ((key, whole),) = runs.runs.items()
    cut = runs.runs[key] = LongRun(key, whole.steps)
    for one in whole.told[:told]:
        cut.tell(one)
    cut.end(State.CANCELLED)
    return whole, cut


def train(app):
    app.press("train_start")
    return app
