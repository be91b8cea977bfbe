"""What the chart of delta against epsilon says: hover, labels, legend, notes and title."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures import Band, bands_chart
from dpviz.figures.palette import STYLES
from dpviz.figures.privacy_curve import _label_places, _Window
from dpviz.wording.numbers import rounded_up
from tests.figures.privacy_curve import SIX, VISIBLE, annotations, drawn, figure_of, lines, trace
from tests.planning.kinds import TOY, curves_of_kind


def test_a_negligible_delta_is_said_to_be_one():
    figure = figure_of("negligible")
    assert not any(drawn(curve) for curve in lines(figure))
    assert "δ is below 10⁻¹² at every ε from 0.1 on" in annotations(figure)
    assert not any("below" in text for text in annotations(figure_of("drawn", "negligible")))
    for name in sorted(set(VISIBLE) - {"epsilon 0"}):
        assert not any("is below" in text for text in annotations(figure_of(name)))


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
    assert "lower bound, dpviz's Proposition 9, 1,000 steps" in lower.hovertemplate
    assert all(": δ ≥ " in text for text in lower.text)
    assert "exact, Theorem 4.4, 1 step" in trace(figure, "series-3-upper").hovertemplate
    assert "Theorem G.1" in trace(figure, "series-4-upper").hovertemplate


def test_hover_says_what_narrows_a_bound():
    """A number that is read off one line has to stand by itself."""
    of_bag = figure_of("one bag")
    upper, lower = (trace(of_bag, f"series-0-{side}").hovertemplate for side in ("upper", "lower"))
    assert "dpviz's Proposition 4, 1,000 steps<" in upper
    assert "Proposition C.2, 1,000 steps<" in lower
    noisy = trace(figure_of("noise on labels"), "series-0-upper").hovertemplate
    assert "Theorem G.1, 1,000 steps, if no value changes by more than v" in noisy
    plain = figure_of("drawn")
    for side, source in (("upper", "Theorem 4.4"), ("lower", "dpviz's Proposition 9")):
        hover = trace(plain, f"series-0-{side}").hovertemplate
        assert hover.endswith(f"{source}, 1,000 steps<extra></extra>")


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


def test_a_legend_of_many_moves_under_the_chart():
    few, many = figure_of(*SIX[:3]), figure_of(*SIX, legend_title="Runs")
    assert (few.layout.legend.x, few.layout.legend.yanchor) == (0.01, "bottom")
    assert many.layout.meta["legend"] == "under"
    assert many.layout.legend.title.text == "Runs"
    assert "legend" not in few.layout.meta


def test_a_short_name_is_for_the_legend_alone():
    band = Band(curves=curves_of_kind("drawn"), label="4 windows", style=STYLES[0], short="4")
    figure = go.Figure(bands_chart([band], identity=""))
    assert trace(figure, "series-0-upper").name == "4"
    assert "4 windows" in trace(figure, "series-0-upper").hovertemplate


def test_title_says_what_is_drawn_and_the_target_is_as_given():
    figure = figure_of("drawn")
    assert figure.layout.title.text == "δ against ε after 1,000 training steps"
    assert "δ = 10⁻⁷" in annotations(figure)
    *_, line = figure.layout.shapes
    assert (line.y0, line.y1) == (TOY.delta, TOY.delta)
    *_, label = figure.layout.annotations
    assert label.y == pytest.approx(np.log10(TOY.delta))  # annotations on log axes


def named(*epsilons):
    """Return the labels of points at these epsilons, as (place, lines away)."""
    window = _Window(left=0.1, right=100.0, smallest_delta=1e-12, is_empty=False)
    return _label_places(list(epsilons), window, 0.26)


def test_points_of_pins_are_named_with_their_epsilon():
    bands = [
        Band(curves=curves_of_kind(name), label=name, style=style, mark=mark)
        for name, style, mark in zip(SIX[:3], STYLES, ("now", "A", "B"), strict=False)
    ]
    figure = go.Figure(bands_chart(bands, identity=""))
    for at, (name, mark) in enumerate(zip(SIX[:3], ("now", "A", "B"), strict=True)):
        (text,) = trace(figure, f"series-{at}-target").text
        epsilon = curves_of_kind(name).epsilon_upper
        assert text.strip("<br>") == f"{mark}: ε ≤ {rounded_up(epsilon)}"


def test_labels_of_points_do_not_stand_on_each_other():
    assert named(3.0) == [("top right", 0)]
    assert named(1.0, 3.0) == [("bottom left", 0), ("top right", 0)]
    assert named(1.0, 3.0, 3.5, 4.0) == [
        ("bottom left", 0), ("top right", 2), ("top right", 1), ("top right", 0),
    ]  # fmt: skip
    assert named(1.0, 2.0, 40.0) == [("bottom left", 0), ("top right", 1), ("top left", 0)]
    assert named(0.2, 20.0, 40.0) == [("top right", 0), ("top left", 1), ("top left", 0)]
