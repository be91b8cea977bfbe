"""Who is protected by every scheme, from rates alone, and what is refused."""

import pytest

from dpviz.scenario import DataShape
from tests.pages.acts import act, controls, open_series, press
from tests.pages.app import (
    assert_sound,
    chart_title,
    checked,
    errors,
    headline,
    notes,
    said,
    scenario_of,
    warnings,
)
from tests.pages.protection_page import KEY, LINK, WIDTHS, lines

RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}


@pytest.mark.parametrize("top_level", ["deterministic", "shuffled", "poisson"])
def test_every_way_of_choosing_series_names_its_theorem(open_protection, top_level):
    app = open_protection(LINK | {"top_level": top_level, "relation_width": "2"})
    assert_sound(app, KEY)
    own = "dpviz's Proposition 3 composed over 10 steps"
    theorem = own if top_level == "poisson" else "Theorem 4.2 composed over 1 epoch"
    assert theorem in headline(app)
    assert {"series-0-upper", "series-1-upper", "series-0-own"} <= lines(app).keys()
    assert "series-0-lower" in lines(app)


def test_windows_drawn_by_themselves_are_told_so(open_protection):
    app = open_protection(LINK | {"bottom_level": "poisson"})
    assert_sound(app, KEY)
    assert "dpviz's Proposition 5" in headline(app)
    assert "Each window is drawn by itself" in said(app)


def test_noise_on_windows_holds_up_to_v_in_the_data_s_unit(open_protection):
    app = open_protection(LINK | {"forecast_noise": "1"})
    assert "changed by at most v, with" in headline(app)
    act(app, "max_change", "300")
    act(app, "value_unit", "vehicles")
    assert_sound(app, KEY)
    assert "changed by at most v = 300 vehicles, with" in headline(app)
    assert "A value that changes by more than v = 300 vehicles." in said(app)


def test_rates_fix_who_is_protected_and_the_way_back_is_offered(open_protection):
    app = open_protection(LINK | RATES)
    assert_sound(app, KEY)
    assert "who is protected is fixed" in notes(app)
    assert "ε ≤ " in headline(app)
    assert not [element for element in app.get("bidi_component") if element.key == WIDTHS]
    assert not [name for name in controls(app) if name.startswith("ready_")]
    press(app, "protection_shape")
    assert_sound(app, KEY)
    assert isinstance(scenario_of(app).data, DataShape)
    assert lines(app)


def test_rates_without_a_shape_still_have_an_answer(open_protection):
    shape = ("num_series", "series_length", "context_length", "forecast_length")
    app = open_protection(
        {name: value for name, value in (LINK | RATES).items() if name not in shape}
    )
    assert_sound(app, KEY)
    assert "start from a preset, or open a file" in notes(app)
    assert "protection_shape" not in controls(app)


def test_moved_rate_leaves_the_shape_and_says_so(open_protection):
    app = open_protection()
    act(app, "bottom_rate", 0.5)
    assert_sound(app, KEY)
    assert "not from the data's shape" in notes(app)
    press(app, "undo")
    assert chart_title(checked(app), KEY).startswith("2 of 20 windows")


def test_settings_that_no_bound_covers_are_refused_by_name(open_protection):
    shape = {"series_length": "20,30", "longer_series_beyond": "21", "bottom_level": "poisson"}
    app = open_protection(LINK | shape | {"relation_width": "30"})
    assert "beyond = 21 is not allowed: it must be at least 31" in errors(app)
    act(app, "relation_width", 2)
    assert_sound(app, KEY)
    # Wider relations would need lengths that are not known: they are left out.
    assert max(lines(app)["series-0-upper"]["x"]) == 20


def test_relation_that_the_lengths_of_a_file_do_not_allow_is_refused_by_name(open_protection):
    app = open_protection(parts=("open_data",))
    rows = [f"s{length},{t},1" for length in range(20, 241) for t in range(length)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    open_series(app, "mine.csv", content)
    press(app, "first_keep")
    assert_sound(app, KEY)
    press(app, "ready_whole-series")
    assert "at most 200 lengths" in warnings(checked(app))
    assert scenario_of(app).relation.width == 1
    assert_sound(app, KEY)
