"""The chart of delta against epsilon draws the proven numbers, and says what each of them is."""

import math
from dataclasses import replace
from itertools import pairwise

import plotly.graph_objects as go
import pytest

from dpviz.export.curve_tables import curves_table
from dpviz.figures import Band, bands_chart, figure_json, styled_bands
from dpviz.figures.parts import PALETTE, STYLES
from dpviz.figures.privacy_curve import _label_places, _Window
from dpviz.planning import Order, Stretch, curves_of
from dpviz.wording.findings import deltas_table
from dpviz.wording.numbers import rounded_up
from tests.planning.kinds import RUNS, TOY, curves_of_kind
from tests.scenario.changes import varied

SIX = ("drawn", "walked", "one step", "several windows", "Poisson windows", "shuffled")
# Those of which something is drawn.
VISIBLE = sorted(set(RUNS) - {"negligible"})


def spec_of(*names, **options):
    bands = styled_bands((name, curves_of_kind(name)) for name in names)
    return bands_chart(bands, identity="chart", **options)


def stretch(start, end):
    return Stretch(start=start, end=end, order=Order.FIRST)


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


@pytest.mark.every(2)
@pytest.mark.parametrize("name", RUNS)
def test_lines_are_the_quoted_sides_of_the_bounds(name):
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


@pytest.mark.parametrize("name", sorted(set(VISIBLE) - {"no finite epsilon", "epsilon 0"}))
def test_each_line_ends_where_delta_reaches_the_smallest_one(name):
    """A line that went on to zero would mean nothing, and one that stopped before would lie."""
    for curve in lines(figure_of(name)):
        last = drawn(curve)[-1][1]
        assert 1.0 <= last / curves_of_kind(name).smallest_delta < 1.01
        assert curve.connectgaps is not True


def close_bands(own, runs=("drawn", "one step", "walked")):
    """Return the bands of a close chart with this run as the visitor's own."""
    order = [own, *(name for name in runs if name != own)]
    return [
        Band(curves=curves_of_kind(name), label=name, style=STYLES[runs.index(name)],
             is_beside=name != own)
        for name in order
    ]  # fmt: skip


def test_a_close_chart_has_one_band_and_stays_while_another_run_becomes_the_own_one():
    ranges = set()
    for own in ("drawn", "one step", "walked"):
        bands = close_bands(own)
        figure = go.Figure(bands_chart(bands, identity="chart", is_close=True))
        drawn_lines = {curve.uid: curve for curve in lines(figure)}
        lower = [uid for uid in drawn_lines if uid.endswith("-lower")]
        assert lower in ([], [f"{bands[0].identity}-lower"])
        upper = [drawn_lines[f"{band.identity}-upper"] for band in bands]
        assert all(upper[0].line.width > one.line.width for one in upper[1:])
        first, last = (10.0**end for end in figure.layout.xaxis.range)
        quoted = [band.curves.epsilon_upper for band in bands]
        assert first < min(quoted)
        assert max(quoted) < last
        ticks = figure.layout.xaxis.tickvals
        assert ticks is None or (ticks[0] >= first * 0.999 and ticks[-1] <= last * 1.001)
        ranges.add(figure.layout.xaxis.range)
    assert len(ranges) == 1


def test_no_mark_of_a_line_to_compare_with_lies_on_another_mark():
    def marked(bands):
        chart = bands_chart(bands, identity="chart", is_close=True)
        return [one["uid"] for one in chart["data"] if one["uid"].endswith("-target")]

    apart = close_bands("drawn")
    assert set(marked(apart)) == {f"{band.identity}-target" for band in apart}
    alike = [replace(band, curves=apart[0].curves) for band in apart]
    assert marked(alike) == [f"{apart[0].identity}-target"]


@pytest.mark.parametrize("name", RUNS)
def test_a_close_chart_of_any_run_has_an_axis(name):
    figure = go.Figure(bands_chart(close_bands(name, (name,)), identity="chart", is_close=True))
    first, last = figure.layout.xaxis.range
    assert first < last
    figure_json(figure.to_plotly_json() | {"frames": []})


def test_a_smaller_delta_is_drawn_where_it_is_asked_for():
    band = Band(curves=curves_of(replace(TOY, delta=1e-15)), label="now", style=STYLES[0])
    figure = go.Figure(bands_chart([band], identity=""))
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
    spec = spec_of(*SIX, shaded=[(stretch(1.0, 2.0), "here")])
    for part in figure_json(spec).split('"var(--')[1:]:
        assert part.partition(")")[0].partition("@")[0] in PALETTE["light"]
    assert spec["layout"]["meta"]["palette"] == PALETTE
    assert "#" not in figure_json(
        spec | {"layout": {**spec["layout"], "meta": None}}
    )  # no colour of one mode only


def test_axes_are_the_same_for_most_runs_so_that_zoom_survives_new_data():
    """Plotly keeps a visitor's zoom for as long as the range that is asked for stays the same."""
    one, other = (figure_of(name) for name in ("drawn", "walked"))
    assert one.layout.uirevision == "chart"
    for figure in (one, other):
        assert figure.layout.xaxis.range == (-1.0, 2.0)
        assert figure.layout.yaxis.range == pytest.approx((-12.2, 0.2))
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert axis.type == "log"
            assert axis.exponentformat == "power"
    assert "ε" in one.layout.xaxis.title.text
    assert "δ" in one.layout.yaxis.title.text


@pytest.mark.parametrize("name", sorted(set(VISIBLE) - {"no finite epsilon", "epsilon 0"}))
def test_whole_decades_are_added_for_a_quoted_epsilon_beyond_the_axis(name):
    first, last = figure_of(name).layout.xaxis.range
    power = math.log10(curves_of_kind(name).epsilon_upper)
    assert first <= power <= last
    assert first == min(-1, math.floor(power))
    assert last == max(2, math.ceil(power))


def test_a_shade_is_cut_to_what_is_drawn_and_left_out_beyond_it():
    shades = [
        (stretch(1e-6, 5.0), "left"),
        (stretch(30.0, 1e4), "right"),
        (stretch(5e3, 1e4), "beyond"),
    ]
    figure = figure_of("drawn", shaded=shades)
    *_, left, right = (shape for shape in figure.layout.shapes if shape.type == "rect")
    assert (left.x0, left.x1, right.x0, right.x1) == (0.1, 5.0, 30.0, 100.0)
    names = [text for text in annotations(figure) if not text.startswith("δ")]
    assert names == ["strong", "moderate", "weak", "hardly any", "left", "right"]
    above = {note.text: note.yshift for note in figure.layout.annotations}
    assert above["strong"] is None  # a line below the names of shades
    assert above["left"] == above["right"] > 0


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        figure_json({"data": [{"x": [float("inf")]}]})


@pytest.mark.parametrize(("noise", "is_near"), [(1.0, False), (0.1, True)])
def test_a_label_near_the_right_end_is_put_to_the_left(noise, is_near):
    """To the right of its point it would be cut off."""
    certain = TOY.with_rates(bottom_rate=1.0, top_rate=1.0)
    steep = replace(
        certain,
        noise=replace(TOY.noise, noise_multiplier=noise),
        training=replace(TOY.training, count=1),
    )
    curves = curves_of(steep)
    band = Band(curves=curves, label="steep", style=STYLES[0])
    figure = go.Figure(bands_chart([band], identity="chart"))
    mark = trace(figure, "series-0-target")
    assert mark.textposition == ("bottom left" if is_near else "top right")


def test_a_negligible_delta_is_said_to_be_one():
    figure = figure_of("negligible")
    assert not any(drawn(curve) for curve in lines(figure))
    assert "δ is below 10⁻¹² at every ε from 0.1 on" in annotations(figure)
    assert not any("below" in text for text in annotations(figure_of("drawn", "negligible")))
    for name in sorted(set(VISIBLE) - {"epsilon 0"}):
        assert not any("is below" in text for text in annotations(figure_of(name)))


CONDITION = "if no value changes by more than v, the unit of the noise on windows"


@pytest.mark.parametrize(
    ("name", "side", "told"),
    [
        ("drawn", "upper", "upper bound, Theorem 4.4, 1,000 steps"),
        ("drawn", "lower", "lower bound, dpviz's Proposition 9, 1,000 steps"),
        ("walked", "upper", "upper bound, Theorem 4.2, 100 epochs"),
        ("one step", "upper", "tight bound, Theorem 4.4, 1 step"),
        ("one bag", "upper", "upper bound, dpviz's Proposition 4, 1,000 steps"),
        ("one bag", "lower", "lower bound, Proposition C.2, 1,000 steps"),
        ("noise on labels", "upper", f"upper bound, Theorem G.1, 1,000 steps, {CONDITION}"),
    ],
)
def test_hover_tells_direction_theorem_unit_count_and_condition(name, side, told):
    """A number that is read off one line has to stand by itself."""
    hover = trace(figure_of(name), f"series-0-{side}").hovertemplate
    assert hover.endswith(f" {name}<br>{told}<extra></extra>")


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


def named(*epsilons, room=0.26):
    """Return the labels of points at these epsilons, as (place, lines away)."""
    window = _Window(left=0.1, right=100.0, smallest_delta=1e-12, is_empty=False)
    return _label_places(list(epsilons), window, [room] * len(epsilons))


@pytest.mark.parametrize("marks", [("", ""), ("now", "A", "B")])
def test_points_are_named_with_their_epsilon_rounded_up(marks):
    bands = [
        Band(curves=curves_of_kind(name), label=name, style=style, mark=mark)
        for name, style, mark in zip(SIX, STYLES, marks, strict=False)
    ]
    figure = go.Figure(bands_chart(bands, identity=""))
    for at, (band, mark) in enumerate(zip(bands, marks, strict=True)):
        (text,) = trace(figure, f"series-{at}-target").text
        name = f"{mark}: " if mark else ""
        assert text.strip("<br>") == f"{name}ε ≤ {rounded_up(band.curves.epsilon_upper)}"


def test_labels_of_points_do_not_stand_on_each_other():
    assert named(3.0) == [("top right", 0)]
    assert named(1.0, 3.0) == [("bottom left", 0), ("top right", 0)]
    assert named(1.0, 3.0, 3.5, 4.0) == [
        ("bottom left", 0), ("top right", 2), ("top right", 1), ("top right", 0),
    ]  # fmt: skip
    assert named(1.0, 2.0, 40.0) == [("bottom left", 0), ("top right", 1), ("top left", 0)]
    assert named(0.2, 20.0, 40.0) == [("top right", 0), ("top left", 1), ("top left", 0)]


def test_longer_names_have_more_room():
    assert named(1.0, 3.0, 20.0, room=0.2)[1:] == [("top right", 0), ("top right", 0)]
    assert named(1.0, 3.0, 20.0, room=0.36) == [
        ("top right", 2), ("top right", 1), ("top left", 0),
    ]  # fmt: skip


def test_runs_to_come_have_their_place_in_the_legend():
    band = Band(curves=curves_of_kind("walked"), label="walk", style=STYLES[0])
    later = ("later", STYLES[1])
    for awaited, listed in (((), ["walk"]), ((later,), ["later", "walk"])):
        chart = bands_chart([band], identity="", awaited=awaited)
        lines = [one for one in chart["data"] if one["mode"] == "lines"]
        assert [one["name"] for one in lines if one.get("showlegend", True)] == listed
        for one in lines:
            assert one["x"] == [None] if one["name"] == "later" else len(one["x"]) > 1


def test_runs_to_come_have_their_room_on_the_axis():
    band = Band(curves=curves_of_kind("walked"), label="walk", style=STYLES[0])
    ends = [bands_chart([band], identity="", reach=reach) for reach in (0.0, 3.0, 300.0)]
    assert [chart["layout"]["xaxis"]["range"][1] for chart in ends] == [2.0, 2.0, 3.0]


def test_a_line_is_named_after_what_all_of_it_rests_on():
    """Theorem F.7 tells most at the quoted delta here, Proposition 7 at small epsilons."""
    run = varied(TOY, num_subsequences=4, batch_size=128, noise_multiplier=0.5, steps=10)
    curves = curves_of(run)
    assert curves.lower.bound.theorem == "F.7"
    chart = bands_chart([Band(curves=curves, label="now", style=STYLES[0])], identity="one")
    lower = trace(go.Figure(chart), "series-0-lower")
    assert "lower bound, dpviz's Proposition 7, 10 steps" in lower.hovertemplate
    assert "(theorems#proposition-7)" in deltas_table([("now", curves)])
    csv = curves_table([("now", curves)]).csv()
    assert "delta_lower: lower bound, dpviz's Proposition 7" in csv
