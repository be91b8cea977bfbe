"""The chart of delta over steps shows stairs that are true between the steps, too."""

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from dpviz.figures.over_steps import over_steps
from dpviz.figures.spec import figure_json
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS, Noise, Sampling

WALK = replace(
    PRESETS["toy"].scenario, sampling=Sampling(batch_size=320, top_level="deterministic")
)
RUNS = [delta_over_steps(with_subsequences(WALK, windows), 1.0, range(1, 9)) for windows in (1, 4)]


@pytest.fixture(scope="module")
def figure():
    """The figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(over_steps(RUNS))


def trace(figure, uid):
    return next(trace for trace in figure.data if trace.uid == uid)


def test_lines_are_the_quoted_sides(figure):
    for at, run in enumerate(RUNS):
        assert trace(figure, f"series-{at}-upper").y == tuple(run.upper.delta_high)
        assert trace(figure, f"series-{at}-lower").y == tuple(run.lower.delta_low)
        assert trace(figure, f"series-{at}-upper").x == tuple(range(1, 9))


def test_stairs_stay_until_the_next_step(figure):
    assert {line.line.shape for line in figure.data} == {"hv"}


@pytest.mark.parametrize(("steps", "axis"), [(range(1, 9), "linear"), ((1, 10, 100), "log")])
def test_many_steps_have_a_logarithmic_axis(steps, axis):
    figure = go.Figure(over_steps([delta_over_steps(WALK, 1.0, steps)]))
    assert figure.layout.xaxis.type == axis


def test_of_many_runs_only_the_first_has_a_filled_band():
    """More bands would cover each other; every line stays."""
    runs = [
        delta_over_steps(with_subsequences(WALK, windows), 1.0, (1, 2)) for windows in (1, 2, 4, 8)
    ]

    def filled(count):
        traces = go.Figure(over_steps(runs[:count])).data
        assert len(traces) == 2 * count
        return {trace.legendgroup for trace in traces if trace.fill is not None}

    assert filled(3) == {"series-0", "series-1", "series-2"}
    assert filled(4) == {"series-0"}


def test_between_steps_that_are_left_out_both_sides_stay_true():
    figure = go.Figure(over_steps([delta_over_steps(WALK, 1.0, (1, 10, 20))]))
    assert trace(figure, "series-0-upper").line.shape == "vh"
    assert trace(figure, "series-0-lower").line.shape == "hv"


def test_the_title_says_what_is_drawn(figure):
    assert figure.layout.title.text == "δ at ε = 1 over training steps"


def test_hover_tells_step_direction_theorem_and_passes(figure):
    upper = trace(figure, "series-1-upper")
    assert upper.text[7].startswith("after 8 steps: δ ≤ ")
    told = "with 4 windows per series<br>upper bound, dpviz's Proposition 1, 2 epochs"
    assert upper.text[7].endswith(told)
    lower = trace(figure, "series-1-lower")
    assert "δ ≥ " in lower.text[7]
    assert lower.text[7].endswith("lower bound, Theorem 4.3, 2 epochs")


def test_what_the_paper_draws_claims_no_direction_and_fills_no_band():
    run = delta_over_steps(with_subsequences(WALK, 4), 1.0, range(1, 9), lower_as_in_the_paper=True)
    figure = go.Figure(over_steps([run]))
    lower = trace(figure, "series-0-lower")
    assert "δ ≈ " in lower.text[7]
    assert "as in the paper, no proven bound" in lower.text[7]
    assert trace(figure, "series-0-upper").fill is None


def test_too_small_deltas_are_gaps():
    run = delta_over_steps(WALK, 200.0, (1, 2))
    assert [line["y"] for line in over_steps([run])["data"]] == [[None, None]] * 2


def test_an_upper_line_alone_is_drawn_where_no_lower_bound_is_proven():
    data = replace(WALK.data, series_lengths=(20, 30))
    bag = replace(WALK, data=data, sampling=replace(WALK.sampling, top_level="flat"))
    spec = over_steps([delta_over_steps(bag, 1.0, (1, 2))])
    assert [line["uid"] for line in spec["data"]] == ["series-0-upper"]


def test_runs_differ_in_more_than_colour(figure):
    uppers = [trace(figure, f"series-{at}-upper") for at in range(2)]
    assert len({line.line.dash for line in uppers}) == 2
    assert len({line.marker.symbol for line in uppers}) == 2


def test_zoom_survives_new_data_and_no_range_takes_it_away(figure):
    assert figure.layout.uirevision == "over-steps"
    assert figure.layout.xaxis.range is None
    assert figure.layout.yaxis.range is None
    assert "ε = 1 " in figure.layout.yaxis.title.text


def test_figure_is_small_enough_to_send_with_every_move():
    assert len(figure_json(over_steps(RUNS)).encode()) < 40_000


def test_where_delta_is_negligible_the_chart_says_so():
    tiny = replace(WALK, noise=Noise(noise_multiplier=100.0))
    figure = go.Figure(over_steps([delta_over_steps(tiny, 4.0, (1, 2))]))
    (note,) = figure.layout.annotations
    assert note.text == "δ is below 10⁻¹² after every one of these steps"
