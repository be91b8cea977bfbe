"""Whatever a message holds: no page breaks, and an act changes nothing but its field."""

import pytest

from tests.pages.app import ROOT, TOY, link_of
from tests.ui.acts_page import SHORT, everything, heard, opened, sigma

# Streamlit itself refuses a message of more than a megabyte.
VALUES = [
    None, True, 0, 7, -1.5, float("nan"), float("inf"), 10**400, "", "nan", "1e999", "x" * 5000,
    "\0", "\ud800", "๑", [], [[]], ["nobody"], [None], {}, {"x": 1},
    {"x": float("nan"), "y": 10**9},
    {"customdata": [10**30, -1]}, {"customdata": True}, {"customdata": {"a": []}},
]  # fmt: skip
MALFORMED = [
    None, 0, "", [], {}, {"acts": []}, float("nan"), "x" * 900_000,
    {"opening": None, "acts": None}, {"opening": [], "acts": {}},
]  # fmt: skip
ACTS = [
    None, 0, "steps", [], {}, [{}], {"number": 1}, {"name": "steps"},
    *({"number": number, "name": "noise_multiplier", "value": "2", "gesture": 1}
      for number in (None, "1", 1.0, True, 0, -1, [], {}, float("nan"), 10**400, 2**53)),
    *({"number": 1, "name": name, "value": "2"}
      for name in (None, 1, [], {}, "", "nobody", "acts", "x" * 900_000, "__class__")),
]  # fmt: skip


def test_malformed_messages_do_nothing_and_raise_nothing():
    app = opened(parts=())
    before = everything(app)
    opening = app.message([])["opening"]
    for told in MALFORMED:
        app.send(told)
    for acts_told in (None, 0, "acts", {}, {"number": 1}):
        app.send({"opening": opening, "acts": acts_told})
    for one in ACTS:
        app.send({"opening": opening, "acts": [one]})
        assert everything(app) == before, one
    app.act("noise_multiplier", 2.0)
    assert sigma(app) == 2.0


def test_of_very_many_acts_in_a_message_the_first_are_taken():
    app = opened(parts=())
    opening, start = app.message([])["opening"], heard(app)
    told = [
        {"number": start + at, "name": "noise_multiplier", "value": str(at), "gesture": 1}
        for at in range(1, 10_001)
    ]
    app.send({"opening": opening, "acts": told})
    assert 1.0 < sigma(app) < 10_000
    assert heard(app) - start < 1000


WITHOUT_CONTROLS = ("start", "theorems", "how_to_choose")
QUICK = ("multistage",)
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize(
    "page",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in PAGES],
)
def test_no_value_of_an_act_raises_anything_on_any_control(page):
    """Also on charts, which report clicks: the page is what it was, or says what it refused."""
    app = opened(page)
    parts = app.session_state["dpviz_acts"].parts.values()
    names = [name for part in parts for name in part.handlers]
    assert bool(names) == (page not in WITHOUT_CONTROLS)
    for value in VALUES:
        left_alone = {"presenter", "present", "train_start", "train_cancel"}
        acts_told = [(name, value) for name in names if name not in left_alone]
        told = app.message(acts_told)
        for one in told["acts"]:
            one["value"] = value
        app.send(told)


# What an act on a control may change, where that is not the field of its name alone: what follows
# is told beside the control or in the documentation.
SHAPE = {"context_length", "forecast_length", "num_series", "series_length"}
BY_RATES = {"bottom_rate", "top_rate", "steps_per_epoch", "start_positions", "touched_windows"}
COUNT = {"steps", "epochs"}
CHANGES = {
    "preset": set(link_of(TOY)) | COUNT,
    "training_unit": COUNT,
    "bottom_rate": BY_RATES | {"forecast_share"},
    "top_rate": BY_RATES | {"forecast_share"},
    "num_subsequences": COUNT | {"num_subsequences", "top_rate", "steps_per_epoch"},
    "top_level": {"top_level", "num_subsequences", "bottom_level", "batch_size"},
    "bag_size": {"num_series", "batch_size"},
    "batch_share": {"batch_size"},
    "window_length": SHAPE,
    "curve_view": {"chart"},
    "subsequences_view": {"chart"},
    "noise_view": {"noise_chart"},
    "paper_figure": {"figure", "panel"},
    "reported_table": {"reported_table", "reported_column"},
    # Of what is shown, not of what is set.
    "code_of": set(),
    "region_pick_x_of": set(),
    "region_pick_y_of": set(),
}
CHOOSING = ("number", "select", "segments")
STATES = {
    "planner": [{}, {"goal": "success"}, {"goal": "hits"}],
    "release": [{}, {"release_source": "lane"}],
}
# Each act on settings beside this map would draw all of it anew.
COSTLY = ("plan_chart",)


def others(one):
    """Return what can be chosen or slid to instead, the nearest first."""
    if one.kind == "number":
        stops = set(one.stops) - {one.value}
        return sorted(stops, key=lambda stop: abs(stop - one.value))
    if isinstance(one.value, list):
        return [one.tokens] if one.value != one.tokens else [one.tokens[:1]]
    return [token for token in one.tokens if token != one.value]


@pytest.mark.parametrize(
    "page", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in PAGES]
)
def test_an_act_changes_its_field_alone(page):
    for state in STATES.get(page, [{}]):
        app = opened(page, link_of(SHORT) | state)
        for name in [*app.controls]:
            one = app.controls.get(name)  # another choice may have taken it away
            if one is None or one.kind not in CHOOSING or one.disabled or name in COSTLY:
                continue
            for value in others(one)[:1]:
                before = app.link
                app.act(name, value)
                now = app.link
                changed = {
                    key for key in before.keys() | now.keys() if before.get(key) != now.get(key)
                }
                field = name.removeprefix("choose_")
                assert changed <= CHANGES.get(name, {field}), (name, value)
                if name not in CHANGES:
                    assert changed or app.warnings, (name, value)
