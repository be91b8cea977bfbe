"""What a page asks: declared in ``questions/``, drawn by :mod:`dpviz.ui.frame`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from dpviz.export.table import Table
from dpviz.scenario import Scenario
from dpviz.ui.state import Control, State
from dpviz.wording.training_length import too_costly_sentence

# Drawn up to where it yields, and from there on.
Answer = Iterator[None]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What one page asks: its settings, its answer, and what can be taken away.

    A ScenarioError, where no bound covers the settings or they make no sense, and a TooCostlyError
    are told in the place of what raises them.
    """

    settings: Sequence[Control | str]  # the controls of everything that decides the answer
    # Draws the answer up to its first ``yield``, and after it what the answer rests on. While a
    # slider moves, the answer alone is drawn.
    answer: Callable[[State], Answer]
    table: Callable[[State], Table]  # the chart's numbers
    file: str  # the name of their file
    choices: Sequence[Control | str] = ()  # what a live answer is shown by, above it
    introduction: str = ""  # the name of the text below the question, if any
    # The scenario to save, where the page does not show the visitor's own, what that is, and what
    # the file lacks, where that has to be told by name.
    saved: Callable[[State], Scenario] = lambda state: state.scenario
    saves: str = "This training run"
    file_lacks: str = ""
    is_saved: bool = True  # the page has a training scenario, which can be saved
    # The answer follows a slider while it moves, beside its settings, with ways to take changes
    # back. Else it is drawn with all of the page, whose settings are its own.
    is_live: bool = True
    # By a lesson's name, the few controls that it shows.
    in_lessons: Mapping[str, Sequence[Control | str]] = field(default_factory=dict)
    # The runs whose conditions are drawn below; ``None`` for none.
    held: Callable[[State], Sequence[Scenario]] | None = lambda state: [state.scenario]
    shows_own: Callable[[State], bool] = lambda _: True  # is about the visitor's own settings
    # What of them its run takes: a plan that differs in nothing of it is none for the page.
    taken: Callable[[Scenario], object] = lambda scenario: scenario
    # What is told where the answer costs too much, of the clause that says which limit is exceeded.
    too_costly: Callable[[State, str], str] = lambda state, exceeded: too_costly_sentence(
        state.scenario, exceeded
    )
    shows_pins: Callable[[State], bool] = lambda _: False  # draws what is pinned
    # What is pinned, where that is not the visitor's own scenario, and what stands in the answer's
    # place of a page that was just opened until that is found.
    pinned: Callable[[State], Scenario | None] | None = None
    meanwhile: str = ""


# Of a page that is about no training run: it has settings of its own, and no conditions of a run.
question_of_no_run = partial(Question, is_saved=False, is_live=False, held=None)
