"""The page that compares numbers of windows per series."""

from dataclasses import replace

import pytest

from dpviz.planning import curves_of
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import Sampling
from dpviz.wording.numbers import rounded_up
from dpviz.wording.theorems import named_theorem
from tests.pages.acts import act, control, go_back
from tests.pages.app import (
    TOY,
    assert_sound,
    captions,
    chart,
    checked,
    described,
    errors,
    headline,
    link_of,
    notes,
    scenario_of,
    state_of,
    warnings,
)

KEY = "subsequences"
# Few steps and a small batch keep the runs cheap: 1, 2, 4 and 8 windows are possible.
SHORT = replace(
    TOY, sampling=Sampling(batch_size=8), training=replace(TOY.training, count=10)
)  # fmt: skip
LINK = link_of(SHORT)


@pytest.fixture
def opened(open_page):
    return lambda changes=(): open_page(LINK | dict(changes), KEY)


def drawn(app, key: str = KEY) -> set[str]:
    return {trace["legendgroup"] for trace in chart(app, key)["data"] if "legendgroup" in trace}


def offered(group) -> list[str]:
    return list(group.options)


def test_first_and_last_run_are_quoted_and_all_are_drawn(opened):
    app = opened()
    assert_sound(app, KEY)
    runs = ((1, "1 window per series", "4.4"), (8, "8 windows per series", "dpviz 2"))
    for windows, words, theorem in runs:
        epsilon = curves_of(with_subsequences(SHORT, windows)).epsilon_upper
        source = f"{named_theorem(theorem)}, 10 steps; ≥ "
        assert f"**{words}: ε ≤ {rounded_up(epsilon)} ({source}" in headline(app)
    assert len(drawn(app)) == 4
    names = {trace.get("name") for trace in chart(app, KEY)["data"]}
    assert {"1", "2", "4", "8"} <= names


def test_words_of_the_chart_begin_with_the_first_sentence_of_the_headline(opened):
    app = opened()
    finding, _, _ = headline(app).partition(" At δ = 10⁻⁷")
    assert finding.startswith("After 10 steps, 1 window per series is")
    assert described(app, KEY).startswith(finding)


def test_every_order_and_every_bound_is_told(opened):
    app = opened()
    words = " ".join(text.value for text in app.markdown)
    for windows in (2, 4, 8):
        assert f"- Against {windows} windows per series, wherever δ ≥ 10⁻¹²: " in words
        assert f"| {windows} windows per series | upper | " in words


def test_number_of_windows_of_the_settings_is_compared_too(opened):
    app = opened({"num_subsequences": "3"})
    assert_sound(app, KEY)
    assert len(drawn(app)) == 5
    assert "With 3 windows per series a batch holds 6 windows, not 8: 2 series fit." in (
        captions(app)
    )
    assert scenario_of(app).sampling.num_subsequences == 3


def test_same_number_of_steps_is_told_in_epochs_beside_the_answer(opened):
    assert "All make 10 steps: 1 epoch with 1 window per series, 1 with 8." in headline(opened())


def test_number_of_steps_to_compare_after_can_be_chosen(opened):
    app = opened()
    act(app, "compared_steps", 1)
    assert_sound(app, KEY)
    assert described(app, KEY).startswith("After 1 step, 1 window per series")
    # The run itself keeps its length.
    assert scenario_of(app).num_steps == 10
    assert app.query_params["compared_steps"] == "1"
    act(app, "compared_steps", 0)
    assert described(checked(app), KEY).startswith("After 10 steps")


def test_after_one_step_the_hits_explain_the_order(opened):
    app = opened({"compared_steps": "1"})
    words = " ".join(text.value for text in app.markdown)
    chance = 0.1 * 8 / 320
    assert f"Chance of any hit: {chance:.4g} with 1 window per series" in words
    groups = chart(app, "hit_weights")["data"]
    assert len(groups) == 4
    assert "on average 0.0025" in described(app, "hit_weights")


def test_delta_over_steps_is_drawn_at_the_chosen_epsilon(opened):
    app = opened()
    act(app, "subsequences_view", "training")
    assert_sound(app, "over_steps")
    assert headline(app).startswith("After 10 steps, at ε = 1, for any single value of one series")
    act(app, "fixed_epsilon", 0.5)
    assert_sound(app, "over_steps")
    one = delta_over_steps(SHORT, 0.5, (10,))
    delta = rounded_up(float(one.upper.delta_high[-1]), 3)
    assert "at ε = 0.5" in headline(app)
    assert f"**1 window per series: δ ≤ {delta} " in headline(app)
    assert described(app, "over_steps").startswith("At ε = 0.5, 1 window per series")
    assert state_of(app).view.fixed_epsilon == 0.5
    go_back(app, "fixed_epsilon")
    assert "at ε = 1," in headline(checked(app))


def test_no_course_of_training_is_offered_for_a_single_step(opened):
    app = opened()
    steps = control(app, "compared_steps")
    assert "1 step" in offered(steps)
    act(app, "subsequences_view", "training")
    assert "1 step" not in offered(control(checked(app), "compared_steps"))
    # A link's choice stays in sight.
    linked = opened({"compared_steps": "1", "chart": "training"})
    assert "1 step" in offered(control(linked, "compared_steps"))


def test_one_bag_is_refused_by_name_and_another_choice_answers(opened):
    app = opened({"top_level": "flat"})
    refusal = "How series are chosen for a batch = 'flat' is not allowed: in one bag there are no"
    assert f"{refusal} windows per series" in errors(app)
    act(app, "top_level", "deterministic")
    assert_sound(app, KEY)
    assert "series walked through in order" in headline(app)


@pytest.mark.parametrize("top_level", ["deterministic", "shuffled", "poisson"])
def test_every_way_of_choosing_series_is_compared_and_named(opened, top_level):
    app = opened()
    act(app, "top_level", top_level)
    assert_sound(app, KEY)
    assert len(drawn(app)) == 4
    said = described(app, KEY)
    own = "dpviz's Proposition"
    assert (f"{own} 1" in said) == (top_level in ("deterministic", "shuffled"))
    assert (f"{own} 3" in said) == (top_level == "poisson")


def test_rates_can_be_set_here_too(opened):
    app = opened({"compared_steps": "1"})
    before = headline(app)
    act(app, "bottom_rate", 1.0)
    assert_sound(app, KEY)
    assert "not from the data's shape" in notes(app)
    assert headline(app) != before


def test_poisson_windows_need_the_data_s_shape_and_it_is_said(opened):
    app = opened({"compared_steps": "1"})
    act(app, "bottom_level", "poisson")
    assert_sound(app, KEY)
    act(app, "bottom_rate", 0.5)
    assert "poisson" in warnings(checked(app))
    assert scenario_of(app).shape is not None


def test_windows_drawn_independently_are_named_by_their_average(opened):
    app = opened({"compared_steps": "1", "bottom_level": "poisson"})
    assert "**8 windows per series on average: ε ≤ " in headline(app)
    assert described(app, KEY).startswith("After 1 step, 1 window per series on average ")
