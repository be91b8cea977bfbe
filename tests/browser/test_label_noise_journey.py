"""A visitor's way through the page about noise on windows, in a real browser."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpviz.planning.label_noise import NOISES
from tests.browser.visitor import (
    box,
    choose,
    downloaded,
    drawn,
    epsilons,
    headline,
    in_link,
    place_of_field,
    press_button,
    ranges,
    settle,
    shared,
    slide,
    table_in,
    wait_for_description,
    wait_for_link,
    wait_for_other_headline,
    was_seen,
    watch_for,
    zoom_in,
)

# Milliseconds after which another press of a key is a change of its own.
GESTURE = 1100


def place_of_noises(visitor: Any, context: float, labels: float) -> list[float]:
    """Return where the field of two noises is in the window."""
    return place_of_field(visitor, NOISES.index(context), NOISES.index(labels))


def test_headline_chart_and_link_follow_the_noise(visit: Callable[..., Any]) -> None:
    """The curves, the sentence and the address agree after each move, and back."""
    visitor = visit("label_noise")
    start = headline(visitor)
    [plain] = epsilons(start)
    for field, wanted in (("forecast_noise", "0.01"), ("context_noise", "0.01")):
        slide(visitor, field)
        assert in_link(visitor)[field] == wanted
    for field, wanted in (("forecast_noise", "100.0"), ("context_noise", "100.0")):
        own, against = epsilons(slide(visitor, field, "End"))
        assert in_link(visitor)[field] == wanted
        assert own < plain == against
        wait_for_description(visitor, f"at most {own:g}")
        point = drawn(visitor)["series-0-target"]
        assert own * 0.999 <= point["x"][0] <= own
    press_button(visitor, "undo")
    assert in_link(visitor)["context_noise"] == "0.01"
    assert press_button(visitor, "reset_all") == start


@pytest.mark.slow
def test_zoom_is_kept_while_the_noise_moves(visit: Callable[..., Any]) -> None:
    """What is zoomed to outlives a slider move, and the curves that are filled in late."""
    visitor = visit("label_noise?forecast_noise=1")
    zoomed = zoom_in(visitor)
    slide(visitor, "forecast_noise")
    assert ranges(visitor) == pytest.approx(zoomed)
    names = {line["name"] for line in drawn(visitor).values() if line["name"]}
    assert "1.2 (now)" in names


@pytest.mark.slow
def test_a_click_on_the_map_adopts_its_noise_and_the_keyboard_does_the_same(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Map, mark, headline, link and table agree after a click; the sliders show it, too."""
    visitor = visit("label_noise")
    choose(visitor, "map of ε over both noises", noise_chart="map")
    before = headline(visitor)
    visitor.mouse.click(*place_of_noises(visitor, 0.5, 2.0))
    wait_for_link(visitor, context_noise="0.5", forecast_noise="2.0")
    said = wait_for_other_headline(visitor, before)
    assert "σ_C = 0.5 on context and σ_F = 2 on labels" in said
    wait_for_description(visitor, "Marked is σ_C = 0.5, σ_F = 2.")
    mark = drawn(visitor)["now"]
    assert (mark["x"], mark["y"]) == ([NOISES.index(0.5)], [NOISES.index(2.0)])

    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    assert len(rows) == len(NOISES) ** 2
    row = next(row for row in rows if (row["sigma_C"], row["sigma_F"]) == ("0.5", "2.0"))
    own = epsilons(said)[0]
    assert own * 0.999 <= float(row["epsilon_upper"]) <= own * 1.02

    # By the keyboard: one stop to the right, and back.
    assert "σ_F = 2.5" in slide(visitor, "forecast_noise")
    wait_for_description(visitor, "Marked is σ_C = 0.5, σ_F = 2.5.")
    visitor.wait_for_timeout(GESTURE)
    assert slide(visitor, "forecast_noise", "ArrowLeft") == said
    press_button(visitor, "undo")
    assert in_link(visitor)["forecast_noise"] == "2.5"


@pytest.mark.slow
def test_map_is_filled_in_from_coarse_to_fine(visit: Callable[..., Any]) -> None:
    """Fields come under a bar; none of them grows again, and a reload shows the same."""
    visitor = visit("label_noise?noise_chart=map")
    watch_for(visitor)
    slide(visitor)
    assert was_seen(visitor)
    said, z = headline(visitor), shades(visitor)
    assert all(left >= right for row in z for left, right in pairwise(row))
    visitor.reload()
    settle(visitor)
    assert (headline(visitor), shades(visitor)) == (said, z)


def shades(visitor: Any) -> list[list[float]]:
    """Return the logarithm of epsilon in every field of the map."""
    return list(
        visitor.evaluate(
            "() => document.querySelector('.dpviz-chart').data[0].z.map(row => Array.from(row))"
        )
    )


@pytest.mark.slow
def test_change_of_a_value_is_told_in_its_unit(visit: Callable[..., Any]) -> None:
    """Typed once, v and its unit are in the link and beside the noise."""
    visitor = visit("label_noise?forecast_noise=2")
    for field, typed in (("max_change", "300"), ("value_unit", "vehicles")):
        place = box(visitor, field)
        place.fill(typed)
        place.press("Enter")
        visitor.wait_for_function(
            "name => new URLSearchParams(location.search).get(name)", arg=field
        )
    visitor.get_by_text("with v = 300 vehicles, 600 vehicles").wait_for()
