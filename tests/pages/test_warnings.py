"""Plain warnings stand beside the control, or over the settings where it is folded away."""

from tests.pages.acts import act, control
from tests.pages.app import answer_of, captions, elements_of, headline


def answer_words(app) -> str:
    return " ".join(one.value for one in elements_of(answer_of(app)) if one.type == "markdown")


def test_a_rate_of_one_is_told_to_gain_nothing_beside_its_control(open_page):
    app = open_page(parts=())
    assert not control(app, "bottom_rate").spec["warning"]
    act(app, "bottom_rate", 1)
    assert "gains nothing" in control(app, "bottom_rate").spec["warning"]
    act(app, "top_rate", 1)
    assert "gains nothing" in control(app, "top_rate").spec["warning"]


def test_a_large_delta_is_told_where_its_control_is_folded_away_and_beside_it(open_page):
    link = {"delta": "0.5"}
    assert "δ" in captions(open_page(link, parts=()))
    app = open_page(link, parts=("open_relation",))
    assert control(app, "delta").spec["warning"]
    assert "⚠️" not in captions(app)


def test_a_window_longer_than_the_series_is_told_beside_its_length(open_page):
    app = open_page()
    act(app, "context_length", 30)
    assert "longer than a series" in control(app, "context_length").spec["warning"]


def test_hardly_any_protection_is_told_with_the_answer(open_page):
    app = open_page()
    assert "hardly any protection" not in answer_words(app)
    act(app, "noise_multiplier", 0.5)
    assert "hardly any protection" in answer_words(app)
    assert "ε ≤" in headline(app)


def test_noise_that_hides_nothing_is_told_beside_its_control(open_page):
    app = open_page()
    act(app, "noise_multiplier", 0.1)
    assert "noise" in control(app, "noise_multiplier").spec["warning"]


def test_a_refused_number_is_said_beside_its_box_only(open_page):
    app = open_page()
    act(app, "noise_multiplier", "much")
    assert "'much'" in control(app, "noise_multiplier").spec["problem"]
    assert not app.warning
    assert not app.toast
    act(app, "steps", 500)
    assert not control(app, "noise_multiplier").spec["problem"]


def test_what_a_step_and_an_epoch_are_stands_beside_the_length_of_training(open_page):
    app = open_page()
    assert "1,000 steps = 100 epochs. A step is one batch" in control(app, "steps").spec["caption"]


def test_other_windows_per_series_keep_the_steps(open_page):
    app = open_page({"epochs": "100"})
    act(app, "num_subsequences", 4)
    assert "25 epochs = 1,000 steps" in control(app, "epochs").spec["caption"]
