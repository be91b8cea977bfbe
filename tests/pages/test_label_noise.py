"""The page about noise on context and labels."""

import pytest

from dpviz.planning.label_noise import NOISES, with_noise
from tests.pages.app import BARE_RATES, TOY, link_of
from tests.scenario.changes import varied

PAGE = KEY = "label_noise"
NOISY = with_noise(varied(TOY, steps=10), context=0.5, forecast=2.0)
LINK = link_of(NOISY)


def test_scheme_that_is_covered_can_be_chosen_on_the_page(opened):
    app = opened(link_of(varied(NOISY, num_subsequences=2)), ("open_sampling",))
    assert "does not count" in app.headline
    # One upper bound, which may be drawn coarse, too; what is attained depends on the noise.
    lines = {str(line["y"]) for line in app.chart(KEY)["data"] if len(line["x"]) > 1}
    assert len(lines) > 3
    app.act("num_subsequences", 1)
    assert "Theorem G.1" in app.headline


def test_rates_alone_answer_for_themselves_and_say_what_is_missing(opened):
    app = opened(BARE_RATES)
    app.assert_sound(KEY)
    assert "Rates alone do not tell what noise buys" in app.headline
    app.act("noise_view", "map")
    assert "Forecast share φ: rates alone do not tell what noise buys" in app.errors


@pytest.mark.parametrize(
    ("top_level", "has_band"), [("bins", False), ("without-replacement", True)]
)
def test_a_band_is_told_of_where_there_is_one(opened, top_level, has_band):
    """Of bins with noise on all of a window no lower bound is proven."""
    app = opened(link_of(varied(NOISY, top_level=top_level)))
    assert ("Band: down to" in app.captions) == has_band
    assert ("No lower bound is proven here." in app.captions) == (not has_band)


@pytest.mark.slow
def test_a_field_of_the_map_that_is_clicked_is_adopted(opened):
    app = opened(LINK | {"noise_chart": "map"})
    app.act("noise_map_clicked", {"x": 3, "y": 5})
    assert app.scenario == with_noise(NOISY, context=NOISES[3], forecast=NOISES[5])
