"""After a file of series nothing is answered before windows, batch and individual are chosen."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from dpviz.scenario import PRESETS
from dpviz.series_file import SeriesLengths
from dpviz.ui.lesson_links import view_query
from dpviz.ui.sharing import shared_link
from dpviz.wording.numbers import rounded
from tests.pages.app import link_of


def hours(length):
    rows = [
        f"{name},2024-01-{1 + t // 24:02d} {t % 24:02d}:00,1"
        for name in "abcdefgh"
        for t in range(length)
    ]
    return "\n".join(["series_id,t,value", *rows]).encode()


HOURS = hours(240)
ASKED = (
    "first_context_length",
    "first_forecast_length",
    "first_batch_size",
    "first_relation_width",
    "first_training",
)


@pytest.fixture
def with_file(open_page):
    def opened(page: str = "privacy_curve", link=None):
        app = open_page(link, page)
        app.open_series("hours.csv", HOURS)
        return app

    return opened


@pytest.mark.every(2)
@pytest.mark.parametrize("page", ["privacy_curve", "planner", "protection", "label_noise"])
def test_a_file_asks_for_what_it_leaves_open_instead_of_answering(with_file, made_up_map, page):
    app = with_file(page)
    assert set(ASKED) <= set(app.controls)
    assert "ε" not in app.headline
    assert "N = 8 series of 240 values" in app.headline
    # Said once, and nothing of what is asked.
    assert "The number of series" not in app.notes
    assert "The series now" not in app.notes
    assert "The batch size" not in app.notes
    # Examples in the data's own time, no values.
    assert [app.control(name).value for name in ASKED] == [""] * 5
    assert app.control("first_context_length").spec["placeholder"] == "such as 168 (1 week)"
    assert app.control("first_relation_width").spec["placeholder"] == "such as 24 (1 day)"
    assert "values in a row of" in str(app.control("first_relation_width"))
    # Nor do the numbers of the settings before stand in the boxes beside.
    beside = ("context_length", "forecast_length", "batch_size", "relation_width", "bottom_rate")
    assert not {"steps", "epochs"} & set(app.controls)
    assert not set(beside) & set(app.controls)
    scenario = app.scenario
    kept = f"σ = {rounded(scenario.noise.noise_multiplier)} stays"
    assert any(kept in one.value for one in app.caption) == (page != "planner")  # it finds σ


def test_the_answer_comes_with_the_last_of_the_five(with_file, downloads):
    app = with_file()
    link = app.link
    app.act("first_context_length", "2 days")
    app.act("first_batch_size", "many")
    assert "'many'" in app.control("first_batch_size").spec["problem"]
    app.act("first_batch_size", "4")
    app.act("first_relation_width", "1 day")
    app.act("first_training", "30")
    assert "ε" not in app.headline
    assert downloads["Download CSV"]().partition(": ")[2].startswith("Choose")
    # A link would claim that what is open was chosen.
    assert app.link == link
    app.act("first_forecast_length", "12")
    assert "ε ≤" in app.headline
    assert not set(ASKED) & set(app.controls)
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length) == (48, 12)
    assert app.scenario.sampling.batch_size == 4
    assert app.scenario.relation.width == 24
    assert app.scenario.training.count == 30
    assert app.link["context_length"] == "48"


def test_what_is_usual_for_the_time_step_can_be_taken_with_one_press(with_file):
    app = with_file()
    app.act("first_batch_size", "4")
    suggested = "L_C = 168, Forecast length L_F = 24, Batch size Λ = 4, Protected values w = 24"
    assert suggested in str(app.control("first_keep"))
    app.press("first_keep")
    assert "ε ≤" in app.headline
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length) == (168, 24)
    assert app.scenario.sampling.batch_size == 4
    assert app.scenario.relation.width == 24
    assert app.scenario.training.count in (100, 1000)
    app.press("undo")
    assert set(ASKED) <= set(app.controls)


def test_a_choice_of_what_the_preset_had_can_be_reset(open_page):
    toy = PRESETS["toy"].scenario
    app = open_page(link_of(toy) | {"ask": "relation_width"})
    assert app.control("reset_all").disabled
    app.act("first_relation_width", toy.relation.width)
    assert app.scenario == toy
    assert "first_relation_width" in app.press("reset_all").controls


@pytest.mark.parametrize(
    ("page", "names"),
    [("protection", ("relation_width",)), ("one_bag", ("batch_share", "window_length"))],
)
def test_what_a_file_left_open_has_no_value_before_it_to_go_back_to(with_file, page, names):
    """It was the preset's, of other data."""
    app = with_file(page).acts([(name, 2 if "length" in name else 4) for name in ASKED])
    for name in (*names, app.scenario.training.unit):
        assert app.control(name).spec["origin"] is None
    assert app.control("noise_multiplier").spec["origin"] is not None
    assert set(ASKED) <= set(app.press("reset_all").controls)


def test_where_a_series_has_no_room_for_what_is_usual_nothing_is_suggested(open_page):
    app = open_page()
    app.open_series("hours.csv", hours(96))
    assert [app.control(name).spec["placeholder"] for name in ASKED] == [""] * 5
    assert "first_keep" not in app.controls


def test_a_link_asks_for_what_nobody_has_chosen(open_page):
    link = link_of(PRESETS["toy"].scenario)
    app = open_page(link | {"ask": "relation_width,forecast_length,delta"})
    assert "ε" not in app.headline
    assert app.link == link | {"ask": "forecast_length,relation_width"}
    assert set(ASKED) & set(app.controls)
    app.act("first_relation_width", "2")
    assert "ε" not in app.headline
    app.act("first_forecast_length", "1")
    assert "ε ≤" in app.headline
    assert app.link == link | {"relation_width": "2"}
    assert not app.errors


def test_a_link_for_others_claims_nothing_that_nobody_has_chosen(with_file, open_page):
    """It holds what the address bar does."""
    asking = open_page(link_of(PRESETS["toy"].scenario) | {"ask": "forecast_length,relation_width"})
    for app in (with_file(), asking):
        link = shared_link(app.state, "https://privacy.example.org/privacy_curve")
        assert dict(parse_qsl(urlsplit(link).query)) == app.link
        followed = view_query(app.state, lesson="bag")
        assert {name: followed.get(name) for name in app.link} == app.link
    assert "ε" not in open_page(app.link).headline


def test_where_a_file_tells_no_time_step_it_is_asked_for_first(open_page):
    app = open_page()
    rows = [f"s{at},{','.join(['1'] * 60)}" for at in range(80)]
    header = ",".join(f"V{at + 1}" for at in range(61))
    app.open_series("rows.csv", "\n".join([header, *rows]).encode())
    assert app.control("first_context_length").spec["placeholder"] == ""
    app.act("first_time_step", "1 day")
    assert app.control("first_context_length").spec["placeholder"] == "such as 28 (4 weeks)"
    assert "first_time_step" not in app.controls
    app.press("first_keep")
    assert "ε ≤" in app.headline


UNEVEN = "\n".join(
    ["name,t,value", *(f"s{L},{t},1" for L in (10, 20, 300, 400, 500) for t in range(L))]
).encode()
LEFT_OUT = "N is 3: 2 of the 5 series in the file are shorter than the forecast length 24"


def test_no_series_is_left_out_for_a_forecast_that_nobody_has_chosen(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    app.open_series("uneven.csv", UNEVEN)
    app.act("first_time_step", "1 day")
    app.press("first_keep")
    assert (app.scenario.shape.forecast_length, app.scenario.shape.num_series) == (7, 5)
    assert "shorter than" not in app.notes
    assert "series" not in app.notes


def test_how_many_series_are_left_is_told_once_with_the_chosen_forecast(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    app.open_series("uneven.csv", UNEVEN)
    for field, value in (("context_length", 48), ("batch_size", 2), ("relation_width", 2)):
        app.act(f"first_{field}", value)
        assert "shorter than" not in app.notes
        assert "series" not in app.notes
    app.act("first_forecast_length", "24")
    assert app.notes.count(LEFT_OUT) == 1
    app.act("first_training", "9")
    assert "series" not in app.notes
    app.act("context_length", 40)
    assert app.scenario.shape.num_series == 3
    assert "series" not in app.notes
    app.act("forecast_length", 8)
    assert "The number of series is now 5 instead of 3." in app.notes


def test_before_a_forecast_is_chosen_all_series_can_be_in_a_batch(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    app.open_series("uneven.csv", UNEVEN)
    app.act("first_batch_size", "6")
    assert "at most 5" in app.control("first_batch_size").spec["problem"]
    app.act("first_batch_size", "5")
    assert app.control("first_batch_size").spec["problem"] == ""
    app.act("first_forecast_length", "24")
    assert app.scenario.sampling.batch_size == app.scenario.shape.num_series == 3
    assert LEFT_OUT in app.notes
    assert "The batch size was lowered from 5 to 3" in app.notes


def test_another_file_leaves_open_what_is_open(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    for key in ("upload_0", "upload_1"):
        app.open_series("uneven.csv", UNEVEN, key)
        assert {f"first_{field}" for field in app.state.unchosen} == set(ASKED)


def test_a_forecast_may_be_longer_than_the_shortest_series_that_was_kept(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    app.open_series("uneven.csv", UNEVEN)
    for field in ("context_length", "batch_size", "relation_width", "training", "forecast_length"):
        app.act(f"first_{field}", 2)
    assert app.scenario.shape.num_series == 5
    app.act("forecast_length", 24)
    assert app.scenario.shape.num_series == 3
    assert LEFT_OUT in app.notes
    app.act("forecast_length", 21)
    assert LEFT_OUT.replace("24", "21") in app.notes
    assert "lowered" not in app.notes  # by nobody but who did it
    app.act("forecast_length", 24)
    longest = app.state.file.longest
    app.act("forecast_length", longest + 1)
    problem = app.control("forecast_length").spec["problem"]
    assert f"at most {longest:,}, the longest series length" in problem
    assert app.scenario.shape.forecast_length == 24


def test_a_refused_choice_is_none(with_file):
    """Which lengths could be the worst is known after the field is taken: more than are kept."""
    app = with_file()
    app.state.file = SeriesLengths(lengths=tuple(range(100, 400)), layout="long")
    app.act("first_context_length", "320")
    assert "at most 200" in app.control("first_context_length").spec["problem"]
    assert set(ASKED) <= set(app.controls)
    app.acts([(name, "2") for name in ASKED[1:]])
    assert "ε" not in app.headline
    assert app.state.unchosen == {"context_length"}
    assert app.state.file is not None


def test_undo_redo_and_reset_keep_open_what_nobody_has_chosen_and_a_preset_does_not(with_file):
    app = with_file()
    app.act("noise_multiplier", 2)
    app.press("undo")
    assert "ε" not in app.headline
    app.press("undo")
    assert "ε ≤" in app.headline
    app.press("redo")
    assert "ε" not in app.headline
    app.acts([*zip(ASKED, (48, 12, 4, 24, 9), strict=True)])
    assert "ε ≤" in app.headline
    app.press("undo")
    assert "ε" not in app.headline
    app.press("redo")
    app.press("reset_all")
    assert "ε" not in app.headline
    app.act("preset", "traffic")
    assert "ε ≤" in app.headline


def test_rates_are_reset_to_those_of_the_windows_that_were_chosen(with_file):
    """Not of the shortest ones, with which a file is opened: their r is smaller, and so is ε."""
    app = with_file()
    chosen = app.acts([*zip(ASKED, (48, 12, 4, 24, 9), strict=True)]).scenario
    app.act("bottom_rate", 0.5).act("top_rate", 0.2).go_back("bottom_rate")
    assert app.scenario.bottom_rate == chosen.bottom_rate > 4 * app.state.origin.bottom_rate
    assert app.go_back("top_rate").scenario == chosen


def test_nothing_that_is_open_can_be_saved_or_entered_into_the_ledger(with_file, downloads):
    with_file()
    assert downloads["Save scenario"]().startswith("Choose first: ")
    assert with_file("ledger").control("ledger_add").disabled


def entries(app):
    """What of the share menu cannot be used, once the menu has been opened."""
    app.run()  # as opening it does
    shown = [*app.button, *app.get("download_button")]
    return {one.label for one in shown if one.disabled}


def test_what_would_be_of_other_settings_cannot_be_taken_and_says_what_is_to_be_chosen(with_file):
    app = with_file()
    assert entries(app) >= {"QR code", "Table", "Download CSV", "Save scenario"}
    asked = "Choose first: Context length $L_{C}$, Forecast length $L_{F}$, Batch size Λ, "
    assert any(asked in one.value for one in app.caption)
    app.press("present")
    assert "QR code" in entries(app)  # of the bar
    app.press("leave_presenter")
    app.acts([*zip(ASKED, (48, 12, 4, 24, 9), strict=True)])
    assert not entries(app) & {"QR code", "Table", "Download CSV", "Save scenario"}
    assert not any("Choose first" in one.value for one in app.caption)


def test_a_link_that_asks_can_be_handed_on(open_page):
    app = open_page(link_of(PRESETS["toy"].scenario) | {"ask": "relation_width"})
    shown = entries(app)
    assert {"Table", "Download CSV", "Save scenario"} <= shown
    assert "QR code" not in shown
