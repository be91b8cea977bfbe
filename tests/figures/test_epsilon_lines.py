"""Charts over training and steps show the quoted sides at computed counts, and nothing between."""

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from dpviz.figures.delta_lines import over_steps
from dpviz.figures.epsilon_lines import budget_chart
from dpviz.figures.parts import figure_json
from dpviz.planning.budget import budget_counts, budget_point, used_up
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS, Noise, Sampling
from tests.planning.brackets import with_bracket
from tests.scenario.changes import TOY, varied

WALK = varied(TOY, top_level="deterministic")


@pytest.fixture(scope="module")
def points():
    return [budget_point(TOY, count, tolerance=1e-2) for count in budget_counts(TOY)]


def drawn(*args, **kwargs):
    """Return the figure as Plotly understands it (an unknown word raises), by trace."""
    spec = budget_chart(*args, **kwargs)
    figure_json(spec)
    figure = go.Figure(spec)
    return figure, {trace.uid: trace for trace in figure.data}


@pytest.mark.parametrize("known", [(), (1000,), (1, 30, 1000)])
def test_the_chart_is_drawn_while_points_are_missing(points, known):
    _, traces = drawn(TOY, [point for point in points if point.count in known])
    assert ("budget-own" in traces) == (1000 in known)
    if known:
        assert traces["budget-upper"].x == known


def test_a_target_is_a_line_with_the_point_where_it_is_used_up(points):
    found = used_up(TOY, 10.0)
    figure, traces = drawn(TOY, points, used_up=found)
    assert (traces["budget-used-up"].x, traces["budget-used-up"].y) == ((126,), (10.0,))
    assert figure.layout.shapes[-1].y0 == 10.0
    assert figure.layout.annotations[-1].text == "target ε = 10<br>× used up after 126 steps"
    assert figure.layout.title.text == "ε over training, at δ = 10⁻⁷"


def test_a_point_far_beyond_the_line_does_not_stretch_the_chart(points):
    found = used_up(TOY, 40.0)
    figure, traces = drawn(TOY, points, used_up=found)
    assert "budget-used-up" not in traces
    assert f"used up after {found.count:,} steps" in figure.layout.annotations[-1].text


def test_steps_of_one_epoch_are_drawn_level():
    points = [budget_point(WALK, count) for count in (1, 11, 1000)]
    _, traces = drawn(WALK, points)
    for side in ("upper", "lower"):
        line = traces[f"budget-{side}"]
        assert line.x == (1, 10, 11, 20, 991, 1000)
        quoted = [getattr(point, f"epsilon_{side}") for point in points]
        assert list(line.y[::2]) == list(line.y[1::2]) == quoted


def test_what_has_no_place_on_the_axes_is_left_out(points):
    upper, lower = (with_bracket(side, 0.0, 0.0) for side in (points[0].upper, points[0].lower))
    first = replace(points[0], upper=upper, lower=lower)
    last = replace(points[-1], upper=with_bracket(points[-1].upper, 5.0, None), lower=None)
    _, traces = drawn(TOY, [first, *points[1:-1], last])
    inner = budget_counts(TOY)[1:-1]
    assert traces["budget-upper"].x == traces["budget-lower"].x == inner
    assert set(traces["budget-band"].x) == set(inner)


def test_an_epsilon_of_0_everywhere_is_said():
    """0 has no place on a logarithmic axis, and an empty chart would say nothing."""
    calm = varied(TOY, noise_multiplier=100.0, delta=0.9)
    points = [budget_point(calm, count) for count in (1, 1000, 3000)]
    for target in (None, 4.0):
        figure, traces = drawn(calm, points, target_epsilon=target)
        assert traces == {}
        words = [note.text for note in figure.layout.annotations]
        assert "ε is 0 at δ = 0.9 for up to 3,000 steps" in words


def test_where_no_epsilon_is_finite_that_is_said(points):
    nothing = [
        replace(one, upper=with_bracket(one.upper, None, None), lower=None) for one in points
    ]
    figure, traces = drawn(TOY, nothing)
    assert traces == {}
    words = [note.text for note in figure.layout.annotations]
    assert words == ["No finite ε is proven at δ = 10⁻⁷"]


def test_epsilons_are_readable_off_any_span(points):
    """A tick for each decade alone would leave a line within one decade without any."""
    narrow = budget_chart(TOY, points)["layout"]["yaxis"]
    wide = budget_chart(TOY, points, target_epsilon=0.001)["layout"]["yaxis"]
    assert narrow["dtick"] == "D2"
    assert (wide["range"], wide["dtick"]) == ([-3, 2], 1)


WALK_OVER_STEPS = replace(
    PRESETS["toy"].scenario, sampling=Sampling(batch_size=320, top_level="deterministic")
)


@pytest.fixture(scope="module")
def runs():
    return [
        delta_over_steps(with_subsequences(WALK_OVER_STEPS, windows), 1.0, range(1, 9))
        for windows in (1, 4)
    ]


@pytest.fixture(scope="module")
def figure(runs):
    """The figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(over_steps(runs))


def trace(figure, uid):
    return next(trace for trace in figure.data if trace.uid == uid)


def test_lines_are_the_quoted_sides(figure, runs):
    for at, run in enumerate(runs):
        assert trace(figure, f"series-{at}-upper").y == tuple(run.upper.delta_high)
        assert trace(figure, f"series-{at}-lower").y == tuple(run.lower.delta_low)
        assert trace(figure, f"series-{at}-upper").x == tuple(range(1, 9))


@pytest.mark.parametrize(("steps", "axis"), [(range(1, 9), "linear"), ((1, 10, 100), "log")])
def test_many_steps_have_a_logarithmic_axis(steps, axis):
    figure = go.Figure(over_steps([delta_over_steps(WALK_OVER_STEPS, 1.0, steps)]))
    assert figure.layout.xaxis.type == axis


def test_of_many_runs_only_the_first_has_a_filled_band():
    """More bands would cover each other; every line stays."""
    runs = [
        delta_over_steps(with_subsequences(WALK_OVER_STEPS, windows), 1.0, (1, 2))
        for windows in (1, 2, 4, 8)
    ]

    def filled(count):
        traces = go.Figure(over_steps(runs[:count])).data
        assert len(traces) == 2 * count
        return {trace.legendgroup for trace in traces if trace.fill is not None}

    assert filled(3) == {"series-0", "series-1", "series-2"}
    assert filled(4) == {"series-0"}

    def looks(places):
        return {one["name"]: one["line"] for one in over_steps(places)["data"]}

    # A run that is still to come leaves its style to itself.
    assert looks([runs[0], None, runs[2]]).items() <= looks(runs[:3]).items()


def test_between_steps_that_are_left_out_both_sides_stay_true():
    figure = go.Figure(over_steps([delta_over_steps(WALK_OVER_STEPS, 1.0, (1, 10, 20))]))
    assert trace(figure, "series-0-upper").line.shape == "vh"
    assert trace(figure, "series-0-lower").line.shape == "hv"


def test_hover_tells_step_direction_theorem_and_passes(figure):
    upper = trace(figure, "series-1-upper")
    assert upper.text[7].startswith("after 8 steps: δ ≤ ")
    told = "with 4 windows per series<br>upper bound, dpviz's Proposition 1, 2 epochs"
    assert upper.text[7].endswith(told)
    lower = trace(figure, "series-1-lower")
    assert "δ ≥ " in lower.text[7]
    assert lower.text[7].endswith("lower bound, Theorem 4.3, 2 epochs")


def test_too_small_deltas_are_gaps():
    run = delta_over_steps(WALK_OVER_STEPS, 200.0, (1, 2))
    assert [line["y"] for line in over_steps([run])["data"]] == [[None, None]] * 2


def test_an_upper_line_alone_is_drawn_where_no_lower_bound_is_proven():
    data = replace(WALK_OVER_STEPS.data, longer_series_beyond=100)
    bag = varied(WALK_OVER_STEPS, data=data, top_level="flat")
    spec = over_steps([delta_over_steps(bag, 1.0, (1, 2))])
    assert [line["uid"] for line in spec["data"]] == ["series-0-upper"]


def test_where_delta_is_negligible_the_chart_says_so():
    tiny = replace(WALK_OVER_STEPS, noise=Noise(noise_multiplier=100.0))
    figure = go.Figure(over_steps([delta_over_steps(tiny, 4.0, (1, 2))]))
    (note,) = figure.layout.annotations
    assert note.text == "δ is below 10⁻¹² after every one of these steps"


def test_an_upper_line_over_steps_says_on_what_it_depends():
    noisy = varied(WALK_OVER_STEPS, forecast_noise=2.0)
    upper = trace(go.Figure(over_steps([delta_over_steps(noisy, 1.0, (1, 2))])), "series-0-upper")
    assert all(", if no value changes by more than v" in text for text in upper.text)


def test_a_lower_line_of_shuffled_series_begins_where_so_much_is_attained():
    """At the end of an epoch, whose cost the upper line has from its begin on."""
    shuffled = varied(TOY, top_level="shuffled")
    _, traces = drawn(shuffled, [budget_point(shuffled, count) for count in (11, 1000)])
    assert traces["budget-upper"].x == (11, 20, 991, 1000)
    assert traces["budget-lower"].x == (11, 20, 1000)
    assert "after 1,000 steps: lower bound" in traces["budget-lower"].text[2]
