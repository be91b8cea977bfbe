"""After how much training the ways of choosing series are compared."""

from dpviz.planning.top_levels import COINS, DRAWN, WALKED, after, under_top_level
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.settings import SETTINGS
from dpviz.ui.choice import view_choice
from dpviz.ui.state import State
from dpviz.wording.scope import run_length

LENGTHS = SETTINGS["compared_length"].choices


def all_ways(state: State, length: str) -> list[Scenario]:
    """Return the run of this length with series drawn at random, walked through, and by coins."""
    base = after(state.scenario, length)
    return [under_top_level(base, way) for way in (DRAWN, WALKED, COINS)]


def possible_lengths(state: State) -> list[str]:
    """Return the lengths to compare at; one epoch alone may be longer than any training."""
    has_epochs = state.scenario.steps_per_epoch <= MOST_STEPS
    return [length for length in LENGTHS if has_epochs or "epoch" not in length]


def compared_length(state: State) -> str:
    """Return the chosen length or, where that is not possible, the run's."""
    chosen = state.view.compared_length
    return chosen if chosen in possible_lengths(state) else "run"


def length_control(state: State) -> None:
    """Choose after how much training they are compared."""

    def name(length: str) -> str:
        if length != "run":
            return LENGTHS[length]
        return run_length(all_ways(state, length)[0])

    view_choice(
        state,
        "compared_length",
        value=compared_length(state),
        options=possible_lengths(state),
        name=name,
    )
