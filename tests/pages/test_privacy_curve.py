"""The page of the privacy curve: its state, its link, its controls and its numbers."""

import json
from dataclasses import replace

import pytest

from dpviz.scenario import Training
from dpviz.ui import compute
from dpviz.ui.filling import is_known
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied


def test_slider_and_exact_entry_are_views_of_one_number(open_page):
    app = open_page()
    app.act("noise_multiplier", "1.234")
    assert app.control("noise_multiplier").value == 1.234
    app.act("noise_multiplier", 5.0)
    assert app.control("noise_multiplier").text == "5"
    # The exact number stays a stop of the slider, to come back to.
    app.act("noise_multiplier", 1.234)
    assert app.scenario.noise.noise_multiplier == 1.234


def test_moving_a_rate_enters_rates_mode_says_so_and_leads_back(open_page):
    app = open_page()
    before = app.scenario
    app.act("bottom_rate", 0.5)
    assert app.scenario.shape is None
    assert app.scenario.bottom_rate == 0.5
    assert "not from the data's shape" in app.notes
    assert app.control("num_series").disabled
    assert app.control("relation_width").disabled
    app.press(next(name for name, one in app.controls.items() if "Back" in one.label))
    assert app.scenario == before


def test_a_rate_of_bins_is_told_as_it_counts(open_page):
    app = open_page().act("top_rate", 0.3)
    assert not app.control("top_rate").spec["caption"]
    app.act("top_level", "bins")
    assert app.control("top_rate").value == 0.3
    assert app.control("top_rate").spec["caption"].startswith("In bins it counts as 1 / 3: ")
    assert app.scenario.top_rate == 1 / 3
    assert not app.act("top_rate", 0.25).control("top_rate").spec["caption"]


def test_rates_that_are_reset_follow_from_the_datas_shape_again(open_page):
    app = open_page()
    before = app.scenario
    for name, value in (("bottom_rate", 0.5), ("top_rate", 0.2), ("bottom_rate", None)):
        app.act(name, value)
        assert app.scenario.shape is None
    app.act("top_rate", None)  # as the button beside the box does
    assert app.scenario == before
    assert app.control("preset").value == "toy"


def test_rates_are_reset_to_those_of_the_shape_that_was_set_last(open_page):
    """Not to those that the page began with, which are of other windows."""
    app = open_page()
    before = app.act("context_length", 5).scenario
    app.act("bottom_rate", 0.5).act("top_rate", 0.2).go_back("bottom_rate")
    assert (app.scenario.shape, app.scenario.bottom_rate) == (None, before.bottom_rate)
    assert app.go_back("top_rate").scenario == before


def test_rates_are_not_reset_to_a_shape_whose_epochs_are_too_many_steps(open_page):
    app = open_page()
    app.act("training_unit", "epochs").act("top_rate", 1.0).act("epochs", "5e6")
    assert app.scenario.num_steps == 5_000_000
    assert app.control("bottom_rate").spec["origin"] is None


def test_the_slider_of_windows_per_series_ends_at_the_batch_size(open_page):
    app = open_page(link_of(TOY) | {"batch_size": "250"})
    assert app.control("num_subsequences").spec["stops"][-2:] == [240, 250]
    app.act("bottom_rate", 0.5)
    assert app.control("num_subsequences").spec["stops"][-1] == 250


def test_windows_per_series_keep_batch_size_and_steps_and_nothing_has_to_be_said(open_page):
    app = open_page()
    app.act("num_subsequences", 4)
    sampling = app.scenario.sampling
    assert (sampling.num_subsequences, sampling.batch_size) == (4, 32)
    assert app.scenario.training == TOY.training
    assert not app.info
    assert "dpviz's Proposition 2" in app.headline
    app.act("num_subsequences", "33")
    assert "Windows per series λ = 33 is not allowed: it must be at most Batch size Λ (32)" in (
        app.warnings
    )
    assert app.scenario.sampling.num_subsequences == 4


def test_training_counted_in_epochs_stays_as_long_and_what_that_is_now_is_said(open_page):
    """A pass with more windows per series has more batches."""
    app = open_page()
    app.act("training_unit", "epochs")
    app.act("num_subsequences", 4)
    training = app.scenario.training
    assert (training.unit, training.count) == ("epochs", 25)
    assert app.scenario.num_steps == 1000
    assert app.control("epochs").value == 25
    assert "25 epochs = 1,000 steps." in app.control("epochs").spec["caption"]
    assert "an epoch 40 steps" in app.control("epochs").spec["caption"]
    # Where the steps are no whole number of epochs.
    app.act("num_subsequences", 3)
    assert app.scenario.training == TOY.training
    said = app.control("num_subsequences").spec["note"]
    assert said.startswith("Training stays as long as it was, 1,000 steps. It is counted in steps")
    assert app.control("steps").value == 1000
    # The note is about this change only.
    app.act("noise_multiplier", 2.0)
    assert "as long as it was" not in app.notes


def test_epochs_that_were_set_can_be_had_again_after_other_windows_per_series(open_page):
    """Beside the training that has kept its steps, with one press."""
    app = open_page()
    app.act("training_unit", "epochs")
    assert "epochs_again" not in app.controls
    app.act("num_subsequences", 4)  # as many steps are 25 epochs now
    assert app.control("epochs_again").label == "Train 100 epochs (4,000 steps) again"
    app.act("num_subsequences", 3)  # and now no whole number of them
    app.act("noise_multiplier", 2.0)
    app.act("context_length", 6)  # other windows of the same series
    assert app.control("epochs_again").label == "Train 100 epochs (3,000 steps) again"
    app.press("epochs_again")
    assert (app.scenario.training.unit, app.scenario.training.count) == ("epochs", 100)
    assert app.scenario.sampling.num_subsequences == 3
    assert "epochs_again" not in app.controls
    # Who chooses to count steps, or another length, asks for no epochs.
    app.act("training_unit", "steps")
    assert "epochs_again" not in app.controls
    app.act("steps", 500)
    assert "epochs_again" not in app.controls


def test_a_preset_keeps_its_name_and_source_at_another_delta(open_page):
    app = open_page()
    app.act("preset", "traffic")
    app.act("delta", 1e-5)
    assert app.scenario.delta == 1e-5
    assert app.control("preset").value == "traffic"
    assert "Source: Schuchardt et al., App. B" in app.captions
    assert app.act("noise_multiplier", 5.0).control("preset").value is None


def test_epochs_that_were_set_for_other_data_are_not_offered(open_page):
    """Two examples may have as many steps."""
    app = open_page()
    app.act("preset", "electricity")
    steps = app.scenario.num_steps
    app.act("preset", "solar_10_minutes")
    assert app.scenario.num_steps == steps
    assert "epochs_again" not in app.controls


@pytest.mark.parametrize(("steps", "is_said"), [(10, False), (11, True)])
def test_steps_per_epoch_beyond_what_the_rate_allows_are_said_to_count_less(
    open_page, steps, is_said
):
    rates = link_of(TOY.with_rates(bottom_rate=0.2, top_rate=0.1))
    app = open_page(rates | {"steps_per_epoch": str(steps)})
    assert not app.warning
    said = any("They count as 10: " in caption.value for caption in app.caption)
    assert said == is_said
    assert app.scenario.steps_per_epoch == 10


def test_one_bag_has_no_windows_per_series_to_choose(open_page):
    app = open_page(link_of(TOY) | {"num_subsequences": "4"})
    app.act("top_level", "flat")
    assert app.scenario.sampling.num_subsequences == 1
    assert "λ is now 1: one bag has no windows per series." in app.notes
    assert "num_subsequences" not in app.controls
    options = app.control("bottom_level").spec["options"]
    assert [words for _, words in options] == [
        "Fixed batch size",
        "Each window by a coin (Poisson, Opacus's default)",
    ]
    assert "dpviz's Proposition 4" in app.headline


def test_a_clock_that_is_set_back_keeps_no_chart_from_the_next(open_page, monkeypatch):
    """A browser draws no figure whose turn was before that of the one it has."""

    def turn(app):
        return json.loads(app.keyed("bidi_component", "privacy_curve").proto.bytes)[0]["turn"]

    app = open_page()
    before = turn(app)
    monkeypatch.setattr("dpviz.ui.chart.time.time_ns", lambda: 0)
    assert turn(app.act("noise_multiplier", 2.0)) > before


@pytest.mark.parametrize(
    ("epochs", "training"),
    [(100, Training(unit="epochs", count=5)), (7, Training(unit="steps", count=70))],
)
def test_a_run_in_epochs_stays_as_long_where_windows_come_from_one_bag(open_page, epochs, training):
    """An epoch of the bag has 200 steps, one over the series 10."""
    app = open_page(link_of(varied(TOY, epochs=epochs)))
    app.act("top_level", "flat")
    assert app.scenario.training == training
    is_told = "Training stays as long as it was, 70 steps." in app.notes
    assert is_told == (training.unit == "steps")
    app.act("top_level", "deterministic")
    assert app.scenario.num_steps == 10 * epochs


def test_a_batch_that_is_lowered_for_series_is_said(open_page):
    """A bag has more windows than there are series."""
    app = open_page(link_of(TOY) | {"top_level": "flat", "batch_size": "1000"})
    app.act("top_level", "without-replacement")
    assert app.scenario.sampling.batch_size == 320
    assert "Batch size lowered to 320" in app.notes
    app.act("num_series", "10")
    assert app.scenario.shape.num_series == 10
    assert app.scenario.sampling.batch_size == 10
    assert "Batch size lowered to 10" in app.notes


def test_rates_have_no_script_and_no_number_of_series_is_said_to_be_why(open_page):
    app = open_page(link_of(TOY.with_rates()), parts=("open_take_away",))
    (told,) = (one.value for one in app.caption if one.value.startswith("There is no"))
    assert told == "There is no training script. Rates draw no batches; give the data's shape."


def test_a_training_without_a_finite_epsilon_has_a_statement_but_no_script(open_page, downloads):
    """A script stops at its budget: there is none."""
    run = varied(
        TOY, top_level="deterministic", num_subsequences=64, batch_size=64, noise_multiplier=0.1
    )
    app = open_page(link_of(varied(run, series_lengths=(2,))), parts=("open_take_away",))
    assert "no finite ε is proven" in app.headline
    (told,) = (one.value for one in app.caption if one.value.startswith("There is no"))
    why = "No finite ε is proven of this training that it could stop at."
    assert told == f"There is no training script. {why}"
    assert app.keyed("download_button", "take_numpy").proto.disabled
    assert "no finite ε" in downloads["Privacy statement (Markdown)"]()


def test_own_point_of_the_line_over_training_is_told_by_the_curves(open_page):
    """What is drawn first waits for no second computation of the same number."""
    scenario = replace(TOY, delta=2.3e-6)  # not asked for by another test
    open_page({**link_of(scenario), "chart": "training"})
    own, *beside = compute.budget_parts(scenario)
    assert own.key != beside[0].key
    assert not is_known(own)
    assert all(map(is_known, beside))
