"""From page to page, and from link to page, nothing is lost."""

import pytest

from dpviz.settings import View
from tests.pages.app import EXPLORING, TOY, link_of
from tests.scenario.changes import varied

SHORT = varied(TOY, steps=10)
VIEW = View(
    chart="training",
    target_epsilon=6.0,
    fixed_epsilon=0.5,
    compared_steps=2,
    compared_length="epoch",
)


def test_settings_pins_and_view_go_along_from_page_to_page(open_page, small_picture):
    app = open_page(link_of(SHORT), parts=())
    app.press("pin")
    app.acts([("noise_multiplier", 2.0), ("batch_size", "16"), ("curve_view", "training")])
    kept = app.state
    before = (kept.scenario, kept.pins, kept.view, list(kept.history.past))
    seen = app.headline
    for page in ("protection", "start", "theorems", "privacy_curve"):
        app.go_to(page)
        state = app.state
        assert (state.scenario, state.pins, state.view, state.history.past) == before, page
        assert not app.warnings, page
        if page in EXPLORING:
            assert app.control("noise_multiplier").value == 2.0
            assert "pin_a" in app.query_params
            assert app.query_params["chart"] == "training"
    assert app.headline == seen


def test_view_of_a_link_that_is_not_allowed_is_named_and_the_rest_kept(open_page):
    link = link_of(SHORT, view=VIEW) | {
        "chart": "pie", "fixed_epsilon": "-1", "target_epsilon": "much", "noise_multiplier": "2",
    }  # fmt: skip
    app = open_page(link | {"pin_g": "x", "colour": "red"}, parts=())
    said = app.warnings
    for name in ("pin_g", "colour"):
        assert name in said
        assert name not in app.query_params
    assert "chart = 'pie' is not allowed: it must be one of curve, training" in said
    assert "fixed_epsilon = -1 is not allowed: it must be a number from 0.0001 to 1000" in said
    assert "target_epsilon = 'much' is not allowed: it must be a number" in said
    assert "target_epsilon = 10.0 is used" in said
    assert app.state.view == View(compared_steps=2, compared_length="epoch")
    assert app.scenario.noise.noise_multiplier == 2.0
    assert app.headline


@pytest.mark.slow
def test_link_to_a_view_alone_leaves_the_settings_as_they_are(open_page):
    app = open_page({"chart": "training"}, parts=())
    assert not app.warning
    assert app.scenario == TOY
    assert app.chart_title("over_training")
