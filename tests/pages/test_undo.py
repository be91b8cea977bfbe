"""What stays from change to change and page to page, and the ways back from a change."""

from dpviz.scenario import PRESETS
from dpviz.settings import View
from tests.pages.app import EXPLORING, TOY, link_of


def test_changes_are_taken_back_one_by_one(open_page):
    app = open_page()
    assert app.control("undo").disabled
    assert app.control("reset_all").disabled
    assert not any(one.can_go_back for one in app.drawn if one.kind == "number")
    first = app.headline
    app.act("noise_multiplier", 2.0)
    second = app.headline
    app.acts([("top_level", "deterministic"), ("num_series", "10")])
    assert app.scenario.sampling.batch_size == 10
    app.press("undo")
    assert app.scenario.shape.num_series == 320
    assert app.scenario.sampling.batch_size == 32
    app.press("undo")
    assert app.headline == second != first
    app.press("undo")
    assert app.headline == first
    assert app.scenario == TOY
    assert app.control("undo").disabled
    # Controls and link are back, too.
    assert app.control("noise_multiplier").value == 1.0
    assert app.control("noise_multiplier").text == "1"
    assert app.control("top_level").value == "without-replacement"
    assert app.link == link_of(TOY)


def test_numbers_go_back_to_the_preset_that_was_chosen(open_page):
    app = open_page()
    app.act("preset", "traffic")
    app.acts([("epochs", 7), ("noise_multiplier", 1.0)])
    app.go_back("noise_multiplier")  # and that alone
    assert app.scenario.training.count == 7
    app.go_back("epochs")
    assert app.scenario == PRESETS["traffic"].scenario
    assert app.control("reset_all").disabled
    # In the unit that is counted in.
    app.act("preset", "toy")
    app.act("training_unit", "epochs")
    app.act("epochs", 20)
    app.go_back("epochs")
    assert app.scenario.training.count == 100
    assert app.scenario.num_steps == TOY.num_steps


def test_all_numbers_go_back_to_the_link_that_was_opened(open_page):
    link = link_of(TOY) | {"noise_multiplier": "1.7", "steps": "70"}
    app = open_page(link)
    opened = app.scenario
    app.acts([("noise_multiplier", 5.0), ("bottom_level", "poisson")])
    app.press("reset_all")
    assert app.scenario == opened
    assert app.control("noise_multiplier").text == "1.7"
    assert app.control("reset_all").disabled
    # Going back is itself a change that can be taken back.
    app.press("undo")
    assert app.scenario.sampling.bottom_level == "poisson"


def test_numbers_go_back_to_what_is_there_again_after_undo(open_page):
    link = link_of(PRESETS["traffic"].scenario) | {"participation": "20"}
    app = open_page(link)
    app.act("preset", "electricity")
    app.press("undo")
    assert app.control("reset_all").disabled
    assert app.state.origin == PRESETS["traffic"].scenario
    app.press("redo")
    assert app.state.origin == PRESETS["electricity"].scenario
    app.open_link(link_of(TOY))
    assert app.scenario == app.state.origin == TOY
    app.press("undo")
    assert app.scenario == app.state.origin == PRESETS["electricity"].scenario
    assert app.state.first_view.participation == 20


def test_lengths_that_are_typed_come_and_go_with_their_data(open_page):
    app = open_page()
    app.act("series_length", "1095 x 800, 730 x 400")
    app.act("noise_multiplier", 2.0)
    app.press("undo")
    assert "As typed: N = 1,200 series" in app.captions
    app.act("num_series", 500)
    assert app.state.file is None
    app.press("undo")
    assert "As typed: N = 1,200 series" in app.captions
    app.press("undo")
    assert app.state.file is None
    app.press("redo")
    assert "As typed: N = 1,200 series" in app.captions
    app.press("reset_all")
    assert "As typed" not in app.captions
    app.act("context_length", 5)
    assert app.scenario.shape.num_series == TOY.shape.num_series


def test_lengths_that_are_typed_once_more_are_no_change(open_page):
    app = open_page().acts([("series_length", "60 x 40, 50 x 30")] * 2)
    assert len(app.state.history.past) == 1


SMALL = {"release_repetitions": "10", "synth_frequency": "0.0625"}


def toasts(app):
    return [toast.value.replace("\\", "") for toast in app.toast]


def test_a_pages_own_setting_is_taken_back_told_and_done_again(open_page):
    app = open_page(SMALL, "release", parts=())
    assert app.control("undo").disabled
    assert app.control("redo").disabled
    app.act("participation", 200)
    app.press("undo")
    assert app.state.view.participation == 100
    assert "participation" not in app.query_params
    assert app.control("participation").value == 100
    said = "Steps that one individual is in, at most, from 200 back to 100."
    assert toasts(app) == [f"Undone: {said}"]
    app.press("redo")
    assert app.state.view.participation == 200
    assert toasts(app) == ["Done again: Steps that one individual is in, at most, from 100 to 200."]
    assert not app.run().toast


def test_one_history_goes_over_all_pages_and_says_where_each_change_was(open_page):
    app = open_page(link_of(TOY) | SMALL | {"steps": "10"}, "release", parts=())
    before = app.scenario
    app.act("participation", 200)
    app.go_to("privacy_curve")
    app.act("noise_multiplier", 2.0)
    app.act("curve_view", "training")
    app.go_to("multistage")
    assert toasts(app.press("undo")) == [
        "Undone on Privacy curve: Noise multiplier σ, from 2 back to 1."
    ]
    assert app.scenario == before
    (said,) = toasts(app.press("undo"))
    assert said.startswith("Undone on Release one series: ")
    assert app.control("undo").disabled
    # Which chart is looked at was no change of a setting.
    assert app.state.view == View(chart="training", release_repetitions=10, synth_frequency=0.0625)


def test_reset_takes_a_page_back_to_its_link_and_leaves_other_pages(open_page):
    """Whoever opens a teacher's link gets back to what the teacher set."""
    link = link_of(TOY) | SMALL | {"participation": "20", "staged_noise": "3"}
    app = open_page(link, "release", parts=())
    assert app.control("reset_all").disabled
    app.act("participation", 200)
    app.act("release_epsilon", 2.0)
    app.go_to("multistage")
    assert app.control("reset_all").disabled
    app.act("staged_noise", 5.0)
    assert "staged_noise" in app.query_params
    app.go_to("release")
    assert toasts(app.press("reset_all")) == [
        "All settings of this page are reset. Undo brings back those before."
    ]
    view = app.state.view
    assert (view.participation, view.release_epsilon, view.staged_noise) == (20, 0.5, 5.0)
    assert app.control("reset_all").disabled
    # Going back is itself one change.
    app.press("undo")
    assert (app.state.view.participation, app.state.view.release_epsilon) == (200, 2.0)


def test_settings_pins_and_view_go_along_from_page_to_page(open_page, small_picture):
    app = open_page(link_of(TOY) | {"steps": "10"}, parts=())
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
