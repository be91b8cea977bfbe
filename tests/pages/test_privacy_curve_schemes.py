"""The privacy curve of every kind of bound, with windows per series and epochs."""

from dataclasses import replace

import pytest

from dpviz.scenario import DataShape, Noise, Sampling, Training
from tests.pages.acts import act, control, controls
from tests.pages.app import (
    TOY,
    checked,
    described,
    headline,
    link_of,
    notes,
    scenario_of,
    warnings,
)


@pytest.mark.parametrize(
    ("changes", "theorem"),
    [
        ({"num_subsequences": "4"}, "dpviz's Proposition 2 composed over 1,000 steps"),
        ({"bottom_level": "poisson"}, "dpviz's Proposition 5 composed over 1,000 steps"),
        ({"top_level": "shuffled"}, "Theorem 4.2 composed over 100 epochs"),
        ({"top_level": "poisson"}, "dpviz's Proposition 3 composed over 1,000 steps"),
        ({"top_level": "flat"}, "dpviz's Proposition 4 composed over 1,000 steps"),
        ({"forecast_noise": "2.0"}, "Theorem G.1 composed over 1,000 steps"),
    ],
)
def test_every_kind_of_bound_is_drawn_and_named(open_page, changes, theorem):
    app = open_page(link_of(TOY) | changes)
    assert not app.error
    assert not app.warning
    assert f"upper bound, {theorem}" in headline(app)


@pytest.mark.parametrize(
    ("level", "most", "least", "theorem"),
    [
        ("with-replacement", "21.52", "20.11", "dpviz's Proposition 4"),
        ("poisson", "3.588", "3.585", "Theorem E.8"),
    ],
)
def test_one_bag_is_bounded_for_an_individual(open_page, level, most, least, theorem):
    app = open_page(link_of(TOY) | {"top_level": "flat", "bottom_level": level})
    assert "hides any single value of one series with " in headline(app)
    assert f"**ε ≤ {most} at δ = 10⁻⁷** (upper bound, {theorem} composed" in headline(app)
    assert f"ε ≤ {most} at δ = 10⁻⁷" in described(app, "privacy_curve")
    upper, lower = described(app, "privacy_curve").split(" and at least ")
    assert f"at most {most} ({theorem} composed over 1,000 steps)" in upper
    assert lower.startswith(f"{least} (")


def test_condition_of_noise_on_labels_is_told_with_the_number(open_page):
    app = open_page()
    act(app, "forecast_noise", 2.0)
    assert scenario_of(checked(app)).noise.forecast_noise == 2.0
    assert "It holds if no value changes by more than v" in headline(app)
    assert "Theorem G.1 holds if no value changes by more than v" in described(app, "privacy_curve")


def test_windows_per_series_keep_batch_size_and_steps(open_page):
    app = open_page()
    act(app, "num_subsequences", 4)
    sampling = scenario_of(checked(app)).sampling
    assert (sampling.num_subsequences, sampling.batch_size) == (4, 32)
    assert scenario_of(app).num_steps == 1000
    assert "dpviz's Proposition 2" in headline(app)
    act(app, "num_subsequences", "33")
    assert "Windows per series λ = 33 is not allowed: it must be at most Batch size Λ (32)" in (
        warnings(checked(app))
    )
    assert scenario_of(app).sampling.num_subsequences == 4


def test_training_counted_in_epochs_stays_as_long_and_what_that_is_now_is_said(open_page):
    """A pass with more windows per series has more batches."""
    app = open_page()
    act(app, "training_unit", "epochs")
    act(app, "num_subsequences", 4)
    training = scenario_of(checked(app)).training
    assert (training.unit, training.count) == ("epochs", 25)
    assert scenario_of(app).num_steps == 1000
    assert control(app, "epochs").value == 25
    assert "25 epochs = 1,000 steps." in control(app, "epochs").spec["caption"]
    assert "an epoch 40 steps" in control(app, "epochs").spec["caption"]
    # Where the steps are no whole number of epochs.
    act(app, "num_subsequences", 3)
    assert scenario_of(app).training == TOY.training
    said = control(app, "num_subsequences").spec["note"]
    assert said.startswith("Training stays as long as it was, 1,000 steps. It is counted in steps")
    assert control(app, "steps").value == 1000
    # The note is about this change only.
    act(app, "noise_multiplier", 2.0)
    assert "as long as it was" not in notes(checked(app))


def test_training_counted_in_steps_keeps_them_and_nothing_has_to_be_said(open_page):
    app = open_page()
    act(app, "num_subsequences", 4)
    assert scenario_of(checked(app)).training == TOY.training
    assert not app.info


@pytest.mark.parametrize(("steps", "is_said"), [(10, False), (11, True)])
def test_steps_per_epoch_beyond_what_the_rate_allows_are_said_to_count_less(
    open_page, steps, is_said
):
    rates = link_of(TOY.with_rates(bottom_rate=0.2, top_rate=0.1))
    app = open_page(rates | {"steps_per_epoch": str(steps)})
    assert not app.warning
    said = any("They count as 10: " in caption.value for caption in app.caption)
    assert said == is_said
    assert scenario_of(app).steps_per_epoch == 10


def test_one_bag_has_no_windows_per_series_to_choose(open_page):
    app = open_page(link_of(TOY) | {"num_subsequences": "4"})
    act(app, "top_level", "flat")
    assert scenario_of(checked(app)).sampling.num_subsequences == 1
    assert "num_subsequences" not in controls(app)
    options = control(app, "bottom_level").spec["options"]
    assert [words for _, words in options] == [
        "Fixed batch size",
        "Each window by a coin (Poisson, Opacus's default)",
    ]
    assert "dpviz's Proposition 4" in headline(app)


def test_deterministic_headline_counts_epochs(open_page):
    app = open_page()
    act(app, "top_level", "deterministic")
    assert "Theorem 4.2 composed over 100 epochs" in headline(checked(app))


SHORT = replace(TOY, training=Training(unit="steps", count=5))
SEVERAL = DataShape(
    num_series=40, series_lengths=(20, 25, 40), context_length=12, forecast_length=4
)


def captions(open_page, scenario) -> str:
    app = open_page(link_of(scenario), parts=("open_data",))
    return " ".join(caption.value for caption in app.caption)


def test_one_bag_draws_a_share_of_all_windows(open_page):
    bag = replace(SHORT, sampling=Sampling(batch_size=32, top_level="flat"))
    assert "Λ / N_total = 32 / 6,400 = 0.005; 200 steps per epoch" in captions(open_page, bag)
    assert "ρ = 32 / 320 = 0.1; 10 steps per epoch" in captions(open_page, SHORT)


def test_shortest_series_decides_only_where_that_is_known(open_page):
    plain = replace(SHORT, data=SEVERAL, sampling=Sampling(batch_size=8))
    assert "20, 25, 40. The shortest decides." in captions(open_page, plain)
    noisy = replace(plain, noise=Noise(noise_multiplier=1.0, forecast_noise=2.0))
    assert "20, 25, 40. The worst of them decides." in captions(open_page, noisy)
