"""A visitor's way through the page about noise on windows, in a real browser."""

from itertools import pairwise

import pytest

from dpviz.planning.label_noise import NOISES
from tests.browser.visitor import epsilons

# Milliseconds after which another press of a key is a change of its own.
GESTURE = 1100


def place_of_noises(visitor, context, labels):
    """Return where the field of two noises is in the window."""
    return visitor.place_of_field(NOISES.index(context), NOISES.index(labels))


@pytest.mark.slow
def test_a_click_on_the_map_adopts_its_noise_and_the_keyboard_does_the_same(visit, tmp_path):
    """Map, mark, headline, link and table agree after a click; the sliders show it, too."""
    visitor = visit("label_noise")
    visitor.choose("map of ε over both noises", noise_chart="map")
    before = visitor.headline
    visitor.mouse.click(*place_of_noises(visitor, 0.5, 2.0))
    visitor.wait_for_link(context_noise="0.5", forecast_noise="2.0")
    said = visitor.wait_for_other_headline(before)
    assert "σ_C = 0.5 on context and σ_F = 2 on labels" in said
    visitor.wait_for_description("Marked is σ_C = 0.5, σ_F = 2.")
    mark = visitor.drawn["now"]
    assert (mark["x"], mark["y"]) == ([NOISES.index(0.5)], [NOISES.index(2.0)])

    rows = visitor.csv(tmp_path)
    assert len(rows) == len(NOISES) ** 2
    row = next(row for row in rows if (row["sigma_C"], row["sigma_F"]) == ("0.5", "2.0"))
    own = epsilons(said)[0]
    assert own * 0.999 <= float(row["epsilon_upper"]) <= own * 1.02

    # By the keyboard: one stop to the right, and back.
    assert "σ_F = 2.5" in visitor.slide("forecast_noise")
    visitor.wait_for_description("Marked is σ_C = 0.5, σ_F = 2.5.")
    visitor.wait_for_timeout(GESTURE)
    assert visitor.slide("forecast_noise", "ArrowLeft") == said
    visitor.press_button("undo")
    assert visitor.link["forecast_noise"] == "2.5"


@pytest.mark.slow
def test_map_is_filled_in_from_coarse_to_fine(visit):
    """Fields come under a bar; none of them grows again, and a reload shows the same."""
    visitor = visit("label_noise?noise_chart=map")
    visitor.watch_for()
    visitor.slide()
    assert visitor.was_seen
    said, z = visitor.headline, shades(visitor)
    assert all(left >= right for row in z for left, right in pairwise(row))
    visitor.reload()
    visitor.settle()
    assert (visitor.headline, shades(visitor)) == (said, z)


def shades(visitor):
    """Return the logarithm of epsilon in every field of the map."""
    return list(
        visitor.evaluate(
            "() => document.querySelector('.dpviz-chart').data[0].z.map(row => Array.from(row))"
        )
    )


@pytest.mark.slow
def test_change_of_a_value_is_told_in_its_unit(visit):
    """Typed once, v and its unit are in the link and beside the noise."""
    visitor = visit("label_noise?forecast_noise=2")
    for field, typed in (("max_change", "300"), ("value_unit", "vehicles")):
        place = visitor.box(field)
        place.fill(typed)
        place.press("Enter")
        visitor.wait_for_function(
            "name => new URLSearchParams(location.search).get(name)", arg=field
        )
    visitor.get_by_text("with v = 300 vehicles, 600 vehicles").wait_for()
