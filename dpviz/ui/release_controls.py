"""The controls of the page that releases one series: which series, how, under which budget."""

from dpviz.ui.act_button import act_button
from dpviz.ui.choice import view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.release_file import counts_upload
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back


def release_settings(state: State) -> None:
    """Draw the controls."""
    draw_ways_back(state)
    view_choice(state, "release_source")
    _series_controls(state)
    view_choice(state, "release_way")
    for field in ("release_epsilon", "release_delta", "participation"):
        view_number_control(state, field)
    view_number_control(state, "release_rate")
    view_number_control(state, "filter_width")
    with folded("Repetitions, seed, more participation", key="open_trials") as is_open:
        if is_open:
            _trial_controls(state)


def _series_controls(state: State) -> None:
    source = state.view.release_source
    if source == "synth":
        view_number_control(state, "synth_frequency")
        view_number_control(state, "synth_noise")
    elif source == "lane":
        view_number_control(state, "lane_days")
    else:
        counts_upload(state)


def _trial_controls(state: State) -> None:
    view_number_control(state, "release_repetitions")
    view_number_control(state, "participation_factor")
    act_button(
        f"Draw anew (seed {state.view.release_seed:,})",
        lambda: change_view(lambda: {"release_seed": next_seed(state.view.release_seed)}),
        key="release_anew",
        icon="casino",
        explains="Draws the series and the noise anew. The same seed gives the same ones.",
    )
