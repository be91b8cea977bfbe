"""The chart shows the numbers of the comparison, with two cues for each scheme."""

import json
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from dpviz.figures import figure_json, privacy_curve
from dpviz.figures.palette import PALETTE, SYMBOLS
from dpviz.planning import compare_top_levels
from dpviz.planning.top_levels import SMALLEST_DELTA
from dpviz.scenario import PRESETS

TOY = PRESETS["toy"].scenario
BACKGROUNDS = {"light": "#ffffff", "dark": "#030508"}


@pytest.fixture(scope="module")
def comparison():
    return compare_top_levels(TOY)


@pytest.fixture(scope="module")
def figure(comparison):
    """The figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(privacy_curve(comparison))


def trace(figure, uid):
    return next(trace for trace in figure.data if trace.uid == uid)


def test_lines_are_the_quoted_sides_of_the_bounds(figure, comparison):
    position = {epsilon: index for index, epsilon in enumerate(comparison.epsilon)}
    for curves in comparison.schemes:
        for uid, quoted in (
            (f"{curves.top_level}-upper", curves.upper.delta_high),
            (f"{curves.top_level}-lower", curves.lower.delta_low),
        ):
            line = trace(figure, uid)
            points = [(x, y) for x, y in zip(line.x, line.y, strict=True) if y is not None]
            assert len(points) > 50
            assert all(y == quoted[position[x]] for x, y in points)


def test_nothing_is_drawn_where_it_would_mean_nothing(figure):
    for curve in figure.data:
        if not curve.uid.endswith("-target"):
            drawn = [y for y in curve.y if y is not None]
            # Not ragged either: each line ends where it reaches that delta.
            assert SMALLEST_DELTA <= drawn[-1] < 1.01 * SMALLEST_DELTA


def test_points_mark_epsilon_at_the_chosen_delta(figure, comparison):
    for curves in comparison.schemes:
        mark = trace(figure, f"{curves.top_level}-target")
        assert mark.x == (curves.epsilon_upper,)
        assert mark.y == (comparison.scenario.delta,)
        assert mark.legendgroup == curves.top_level  # hides with its curve


def test_hover_tells_direction_theorem_unit_and_count(figure):
    upper = trace(figure, "deterministic-upper")
    assert "upper bound, Theorem 4.2, 100 epochs" in upper.hovertemplate
    assert all(": δ ≤ " in text for text in upper.text)
    lower = trace(figure, "without-replacement-lower")
    assert "lower bound, Theorem 4.4, 1,000 steps" in lower.hovertemplate
    assert all(": δ ≥ " in text for text in lower.text)


def test_schemes_differ_in_more_than_colour(figure):
    dashes = {trace(figure, f"{name}-upper").line.dash for name in PALETTE["light"] if "t" in name
              and name != "target"}  # fmt: skip
    assert len(dashes) == 2
    symbols = {trace(figure, f"{name}-target").marker.symbol for name in SYMBOLS}
    assert len(symbols) == 2


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_colour_has_contrast_with_its_page(mode):
    for color in PALETTE[mode].values():
        assert contrast(color, BACKGROUNDS[mode]) >= 4.5


def test_zoom_survives_new_data(figure):
    assert figure.layout.uirevision == "privacy-curve"


def test_epsilons_are_shown_with_all_their_digits(figure):
    """A rounded epsilon would not belong to the delta beside it."""
    for curve in figure.data:
        if not curve.uid.endswith("-target"):
            for x, text in zip(curve.x, curve.text, strict=True):
                assert float(text.removeprefix("ε = ").partition(":")[0]) == x


def test_a_smaller_delta_is_drawn_where_it_is_asked_for():
    figure = go.Figure(privacy_curve(compare_top_levels(replace(TOY, delta=1e-15))))
    for name in SYMBOLS:
        line = trace(figure, f"{name}-upper")
        assert min(y for y in line.y if y is not None) < 1.1e-15


def test_figure_is_small_enough_to_send_with_every_move(comparison):
    sent = figure_json(privacy_curve(comparison))
    assert len(sent.encode()) < 60_000
    assert json.loads(sent)["layout"]["uirevision"]


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        figure_json({"data": [{"x": [float("inf")]}]})


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
