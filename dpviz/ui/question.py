"""What a page asks: declared in ``questions/``, drawn by :mod:`dpviz.ui.frame`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from dpviz.export.table import Table
from dpviz.scenario import Scenario
from dpviz.ui.state import Control, State

# Drawn up to where it yields, and from there on.
Answer = Iterator[None]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What one page asks: its settings, its answer, and what can be taken away.

    A ScenarioError, where no bound covers the settings or they make no sense, and a TooCostlyError
    are told in the place of what raises them.

    Args:
        settings: draw the controls of everything that decides the answer.
        answer: draws the answer up to its first ``yield``, and after it what the answer rests on.
            While a slider moves, the answer alone is drawn.
        table: returns the chart's numbers.
        file: the name of their file.
        choices: draw what a live answer is shown by, above it.
        introduction: the name of the text below the question, if any.
        saved: returns the scenario to save, where the page does not show the visitor's own.
        saves: what that is.
        file_lacks: what the file lacks, where that has to be told by name.
        is_saved: whether the page has a training scenario, which can be saved.
        is_live: whether the answer follows a slider while it moves, beside its settings, with ways
            to take changes back. Else it is drawn with all of the page, whose settings are its own.
        in_lessons: by a lesson's name, the few controls that it shows.
        held: returns the runs whose conditions are drawn below; ``None`` for none.
        shows_own: returns whether the page is about the visitor's own settings, as it stands.
        shows_pins: returns whether the page draws what is pinned.
        pinned: returns what is pinned, where that is not the visitor's own scenario.
        meanwhile: stands in the answer's place of a page that was just opened until that is found.
    """

    settings: Sequence[Control | str]
    answer: Callable[[State], Answer]
    table: Callable[[State], Table]
    file: str
    choices: Sequence[Control | str] = ()
    introduction: str = ""
    saved: Callable[[State], Scenario] = lambda state: state.scenario
    saves: str = "This training run"
    file_lacks: str = ""
    is_saved: bool = True
    is_live: bool = True
    in_lessons: Mapping[str, Sequence[Control | str]] = field(default_factory=dict)
    held: Callable[[State], Sequence[Scenario]] | None = lambda state: [state.scenario]
    shows_own: Callable[[State], bool] = lambda _: True
    shows_pins: Callable[[State], bool] = lambda _: False
    pinned: Callable[[State], Scenario | None] | None = None
    meanwhile: str = ""


# Of a page that is about no training run: it has settings of its own, and no conditions of a run.
question_of_no_run = partial(Question, is_saved=False, is_live=False, held=None)
