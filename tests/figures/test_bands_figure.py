"""The chart of delta against epsilon shows the proven numbers, on the sides that stay true."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.palette import PALETTE, STYLES
from dpviz.planning import curves_of
from dpviz.scenario import DataShape, Sampling
from tests.planning.kinds import ONE_STEP, RUNS, TOY, curves_of_kind

SIX = ("drawn", "walked", "one step", "several windows", "Poisson windows", "shuffled")
# Those of which something is drawn.
VISIBLE = sorted(set(RUNS) - {"negligible"})
ONE_DELTA = [name for name in VISIBLE if RUNS[name].delta == TOY.delta]


def spec_of(*names, title="a finding", **options):
    bands = [
        Band(curves=curves_of_kind(name), label=name, style=style)
        for name, style in zip(names, STYLES, strict=False)
    ]
    return bands_chart(bands, title=title, identity="chart", **options)


def figure_of(*names, **options):
    """Return the figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(spec_of(*names, **options))


def trace(figure, uid):
    return next(trace for trace in figure.data if trace.uid == uid)


def lines(figure):
    return [curve for curve in figure.data if not curve.uid.endswith("-target")]


def drawn(curve):
    return [(x, y) for x, y in zip(curve.x, curve.y, strict=True) if y is not None]


def annotations(figure):
    return [annotation.text for annotation in figure.layout.annotations]


@pytest.mark.parametrize("name", RUNS)
def test_lines_are_the_quoted_sides_of_the_bounds(name):
    """Upper bounds by the upper ends of their brackets, lower ones by the lower ends."""
    figure, curves = figure_of(name), curves_of_kind(name)
    position = {epsilon: at for at, epsilon in enumerate(curves.epsilon.tolist())}
    quoted = {"series-0-upper": curves.upper.delta_high}
    if curves.lower is not None:
        quoted["series-0-lower"] = curves.lower.delta_low
    assert {curve.uid for curve in lines(figure)} == set(quoted)
    for uid, deltas in quoted.items():
        points = drawn(trace(figure, uid))
        assert len(points) > 30 or name in ("negligible", "no finite epsilon", "epsilon 0")
        assert all(y == deltas[position[x]] for x, y in points)


@pytest.mark.parametrize("name", sorted(set(VISIBLE) - {"no finite epsilon"}))
def test_each_line_ends_where_delta_reaches_the_smallest_one(name):
    """A line that went on to zero would mean nothing, and one that stopped before would lie."""
    for curve in lines(figure_of(name)):
        last = drawn(curve)[-1][1]
        assert 1.0 <= last / curves_of_kind(name).smallest_delta < 1.01
        assert curve.connectgaps is not True


def test_the_individuals_line_is_drawn_to_its_end_beside_the_windows():
    """One bag of windows: the individual's epsilon may be ten times that of one window."""
    bag = replace(
        TOY,
        data=replace(TOY.data, context_length=18),
        sampling=replace(TOY.sampling, top_level="flat"),
    )
    curves = curves_of(bag)
    assert curves.epsilon_lower > 10 * curves.epsilon_upper
    band = Band(curves=curves, label="now", style=STYLES[0])
    figure = go.Figure(bands_chart([band], title="", identity=""))
    assert drawn(trace(figure, "series-0-lower"))[-1][1] < 1.01e-12


def test_a_negligible_delta_is_said_to_be_one():
    figure = figure_of("negligible")
    assert not any(drawn(curve) for curve in lines(figure))
    assert "δ is below 10⁻¹² at every ε from 10⁻⁶ on" in annotations(figure)
    assert not any("below" in text for text in annotations(figure_of("drawn", "negligible")))
    for name in VISIBLE:
        assert not any("is below" in text for text in annotations(figure_of(name)))


def test_a_smaller_delta_is_drawn_where_it_is_asked_for():
    band = Band(curves=curves_of(replace(TOY, delta=1e-15)), label="now", style=STYLES[0])
    figure = go.Figure(bands_chart([band], title="", identity=""))
    for curve in lines(figure):
        assert 1e-15 <= min(y for _, y in drawn(curve)) < 1.01e-15


@pytest.mark.parametrize("name", RUNS)
def test_points_mark_the_quoted_epsilon_at_the_chosen_delta(name):
    figure, curves = figure_of(name), curves_of_kind(name)
    marks = [mark for mark in figure.data if mark.uid.endswith("-target")]
    if not curves.epsilon_upper:  # none, or 0: no place on a logarithmic axis
        assert marks == []
        return
    (mark,) = marks
    assert mark.x == (curves.epsilon_upper,)
    assert mark.y == (curves.scenario.delta,)
    assert mark.marker.symbol == STYLES[0].symbol
    assert mark.legendgroup == trace(figure, "series-0-upper").legendgroup  # hides with its curve


def test_labels_of_points_are_rounded_up():
    figure = figure_of("drawn", "walked")
    for at, name in enumerate(("drawn", "walked")):
        (text,) = trace(figure, f"series-{at}-target").text
        shown = float(text.removeprefix("ε ≤ "))
        epsilon = curves_of_kind(name).epsilon_upper
        assert epsilon <= shown < 1.001 * epsilon


def test_of_many_points_none_is_labelled():
    """The numbers would lie on top of each other; the hover has them all."""
    figure = figure_of(*SIX)
    labelled = [mark.uid for mark in figure.data if mark.uid.endswith("-target")
                and "text" in mark.mode]  # fmt: skip
    assert labelled == []
    few = figure_of(*SIX[:2])
    assert sum(mark.mode == "markers+text" for mark in few.data) == 2


def test_hover_tells_direction_theorem_unit_and_count():
    figure = figure_of("walked", "drawn", "shuffled", "one step", "noise on labels")
    upper = trace(figure, "series-0-upper")
    assert "upper bound, Theorem 4.2, 100 epochs" in upper.hovertemplate
    assert "walked" in upper.hovertemplate
    assert all(": δ ≤ " in text for text in upper.text)
    lower = trace(figure, "series-1-lower")
    assert "lower bound, Theorem 4.4, 1,000 steps" in lower.hovertemplate
    assert all(": δ ≥ " in text for text in lower.text)
    assert "exact, Theorem 4.4, 1 step" in trace(figure, "series-3-upper").hovertemplate
    assert "Theorem G.1" in trace(figure, "series-4-upper").hovertemplate


def test_hover_says_what_narrows_a_bound():
    """A number that is read off one line has to stand by itself."""
    of_bag = figure_of("one bag")
    upper, lower = (trace(of_bag, f"series-0-{side}").hovertemplate for side in ("upper", "lower"))
    assert "Proposition C.1, 1,000 steps, for one window of the bag, not one individual" in upper
    assert "Proposition C.2, 1,000 steps, for one individual<" in lower
    noisy = trace(figure_of("noise on labels"), "series-0-upper").hovertemplate
    assert "Theorem G.1, 1,000 steps, if no value changes by more than v" in noisy
    plain = figure_of("drawn")
    for side in ("upper", "lower"):
        hover = trace(plain, f"series-0-{side}").hovertemplate
        assert hover.endswith("Theorem 4.4, 1,000 steps<extra></extra>")


@pytest.mark.parametrize("name", VISIBLE)
def test_hover_shows_epsilon_with_all_digits_and_delta_on_its_sound_side(name):
    """A rounded epsilon would not belong to the delta beside it."""
    figure, curves = figure_of(name), curves_of_kind(name)
    for curve in lines(figure):
        is_upper = curve.uid.endswith("upper")
        assert "%{text}" in curve.hovertemplate
        for x, y, text in zip(curve.x, curve.y, curve.text, strict=True):
            epsilon, _, delta = text.removeprefix("ε = ").partition(": δ ")
            assert float(epsilon) == x
            if y is None:
                continue
            sign, number = delta.split(" ")
            mantissa, _, power = number.partition("·10")
            exponent = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or "0"
            shown = float(f"{mantissa}e{exponent}")
            assert sign == ("≤" if is_upper else "≥")
            slack = 1e-12 * y
            assert shown >= y - slack if is_upper else shown <= y + slack
            assert abs(shown - y) <= 0.0101 * y
        assert len(curve.x) <= len(curves.epsilon)


def test_a_band_is_filled_only_between_bounds_for_the_same_individual():
    assert trace(figure_of("drawn"), "series-0-upper").fill == "tonexty"
    assert trace(figure_of("shuffled"), "series-0-upper").fill is None
    assert trace(figure_of("one bag"), "series-0-upper").fill is None


def test_one_bag_is_no_band_but_two_lines_that_say_whom_they_are_about():
    figure = figure_of("one bag")
    upper, lower = (trace(figure, f"series-0-{side}") for side in ("upper", "lower"))
    assert upper.name == "one bag, one window (upper bound)"
    assert lower.name == "one bag, one individual (lower bound)"
    assert lower.showlegend
    assert upper.line.dash != lower.line.dash
    # The lower line of a band comes and goes with it.
    assert trace(figure_of("drawn"), "series-0-lower").showlegend is False


def test_the_lower_line_is_drawn_just_before_its_upper_one():
    """Plotly fills to the trace before."""
    figure = figure_of(*SIX)
    uids = [curve.uid for curve in lines(figure)]
    for before, uid in pairwise(uids):
        if trace(figure, uid).fill:
            assert before == uid.replace("upper", "lower")
    assert uids[-1] == "series-0-upper"  # the first run is in the foreground


def test_runs_differ_in_more_than_colour():
    figure = figure_of(*SIX)
    uppers = [trace(figure, f"series-{at}-upper") for at in range(6)]
    assert len({line.line.dash for line in uppers}) == 6
    marks = [trace(figure, f"series-{at}-target") for at in range(6)]
    assert len({mark.marker.symbol for mark in marks}) == 6
    assert [line.name for line in uppers] == list(SIX)
    for at, line in enumerate(uppers):
        lower = [curve for curve in figure.data if curve.uid == f"series-{at}-lower"]
        assert all(one.line.dash == line.line.dash for one in lower)


def test_every_trace_has_a_name_of_its_own_and_a_colour_by_role():
    """Colours follow the page's mode; names let the chart change in place."""
    figure = figure_of(*SIX)
    uids = [curve.uid for curve in figure.data]
    assert len(set(uids)) == len(uids)
    spec = spec_of(*SIX, shaded=[Shade(start=1.0, end=2.0, label="here")])
    for part in figure_json(spec).split('"var(--')[1:]:
        assert part.partition(")")[0].partition("@")[0] in PALETTE["light"]
    assert spec["layout"]["meta"]["palette"] == PALETTE
    assert "#" not in figure_json(
        spec | {"layout": {**spec["layout"], "meta": None}}
    )  # no colour of one mode only


def test_a_legend_of_many_moves_under_the_chart():
    few, many = figure_of(*SIX[:3]), figure_of(*SIX, legend_title="Runs")
    assert (few.layout.legend.x, few.layout.legend.yanchor) == (0.01, "bottom")
    assert many.layout.meta["legend"] == "under"
    assert many.layout.legend.title.text == "Runs"
    assert "legend" not in few.layout.meta


def test_the_long_names_of_one_bag_go_under_the_chart():
    """In the corner they would cover the curves of a narrow chart."""
    assert figure_of("one bag", "drawn").layout.meta["legend"] == "under"


def test_a_short_name_is_for_the_legend_alone():
    band = Band(curves=curves_of_kind("drawn"), label="4 windows", style=STYLES[0], short="4")
    figure = go.Figure(bands_chart([band], title="", identity=""))
    assert trace(figure, "series-0-upper").name == "4"
    assert "4 windows" in trace(figure, "series-0-upper").hovertemplate


def test_zoom_survives_new_data_and_no_range_takes_it_away():
    figure = figure_of("drawn")
    assert figure.layout.uirevision == "chart"
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.range is None
        assert axis.type == "log"
        assert axis.exponentformat == "power"
    assert "ε" in figure.layout.xaxis.title.text
    assert "δ" in figure.layout.yaxis.title.text


def test_title_and_target_are_as_given():
    figure = figure_of("drawn", title="What was found")
    assert figure.layout.title.text == "What was found"
    assert "δ = 10⁻⁷" in annotations(figure)
    (line,) = figure.layout.shapes
    assert (line.y0, line.y1) == (TOY.delta, TOY.delta)
    (label,) = figure.layout.annotations
    assert label.y == pytest.approx(np.log10(TOY.delta))  # annotations on log axes


def test_a_shade_is_cut_to_what_is_drawn_and_left_out_beyond_it():
    shades = [
        Shade(start=1e-6, end=5.0, label="left"),
        Shade(start=30.0, end=1e4, label="right"),
        Shade(start=5e3, end=1e4, label="beyond"),
    ]
    figure = figure_of("drawn", shaded=shades)
    left, right = (shape for shape in figure.layout.shapes if shape.type == "rect")
    shown = [x for curve in lines(figure) for x, _ in drawn(curve)]
    assert left.x0 <= min(shown) < 1.1 * left.x0
    assert (left.x1, right.x0) == (5.0, 30.0)
    assert max(shown) < right.x1 < 10 * max(shown)
    assert [text for text in annotations(figure) if not text.startswith("δ")] == ["left", "right"]


@pytest.mark.parametrize("name", sorted(set(VISIBLE) - {"no finite epsilon", "epsilon 0"}))
def test_the_axis_holds_the_decades_in_which_delta_falls(name):
    figure, curves = figure_of(name), curves_of_kind(name)
    xs = [x for curve in lines(figure) for x in curve.x]
    assert 100 < max(xs) / min(xs) < 10**5
    assert curves.epsilon_upper < max(xs)
    assert min(xs) < curves.epsilon_upper / 10


def test_the_axis_holds_still_under_most_moves():
    one, other = (
        go.Figure(bands_chart(
            [Band(curves=curves_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=sigma))),
                  label="now", style=STYLES[0])], title="", identity=""))
        for sigma in (1.0, 1.05)
    )  # fmt: skip
    grids = [set(trace(figure, "series-0-upper").x) for figure in (one, other)]
    assert min(grids[0]) == min(grids[1])
    assert max(grids[0]) == max(grids[1])


def test_nothing_individual_is_called_negligible_that_is_not():
    """Of one bag the windows' delta may be negligible where an individual's is not."""
    shape = DataShape(
        num_series=1000, series_lengths=(10**8,), context_length=10**6 - 1, forecast_length=1
    )
    bag = replace(
        TOY,
        data=shape,
        training=ONE_STEP,
        sampling=Sampling(batch_size=1, top_level="flat"),
        noise=replace(TOY.noise, noise_multiplier=10.0),
    )
    curves = curves_of(bag)
    assert curves.upper.delta_high[0] < curves.smallest_delta
    band = Band(curves=curves, label="now", style=STYLES[0])
    figure = go.Figure(bands_chart([band], title="", identity=""))
    assert drawn(trace(figure, "series-0-lower"))
    assert not any("is below" in text for text in annotations(figure))


@pytest.mark.parametrize(("count", "most"), [(1, 60_000), (6, 250_000)])
def test_figure_is_small_enough_to_send_with_every_move(count, most):
    sent = figure_json(spec_of(*SIX[:count]))
    assert len(sent.encode()) < most
    assert json.loads(sent)["layout"]["uirevision"] == "chart"


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        figure_json({"data": [{"x": [float("inf")]}]})


@pytest.mark.parametrize(("steps", "is_near"), [(100, False), (480, True)])
def test_a_label_near_the_right_end_is_put_to_the_left(steps, is_near):
    """To the right of its point it would be cut off."""
    certain = TOY.with_rates(bottom_rate=1.0, top_rate=1.0)
    steep = replace(
        certain,
        noise=replace(TOY.noise, noise_multiplier=0.1),
        training=replace(TOY.training, count=steps),
    )
    curves = curves_of(steep)
    band = Band(curves=curves, label="steep", style=STYLES[0])
    figure = go.Figure(bands_chart([band], title="", identity="chart"))
    mark = trace(figure, "series-0-target")
    assert mark.textposition == ("bottom left" if is_near else "top right")
