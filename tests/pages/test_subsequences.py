"""The page that compares numbers of windows per series."""

from dataclasses import replace

import pytest

from dpviz.planning import curves_of
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import Sampling
from dpviz.wording.numbers import rounded_up
from dpviz.wording.theorems import named_theorem
from tests.pages.app import TOY, link_of

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
    return {trace["legendgroup"] for trace in app.chart(key)["data"] if "legendgroup" in trace}


def offered(group) -> list[str]:
    return list(group.options)


@pytest.mark.slow
def test_first_and_last_run_are_quoted_and_all_are_drawn(opened):
    app = opened()
    app.assert_sound(KEY)
    runs = ((1, "1 window per series", "4.4"), (8, "8 windows per series", "dpviz 2"))
    for windows, words, theorem in runs:
        epsilon = curves_of(with_subsequences(SHORT, windows)).epsilon_upper
        source = f"{named_theorem(theorem)}, 10 steps; ≥ "
        assert f"**{words}: ε ≤ {rounded_up(epsilon)} ({source}" in app.headline
    assert len(drawn(app)) == 4
    names = {trace.get("name") for trace in app.chart(KEY)["data"]}
    assert {"1", "2", "4", "8"} <= names


def test_number_of_windows_of_the_settings_is_compared_too(opened):
    app = opened({"num_subsequences": "3"})
    app.assert_sound(KEY)
    assert len(drawn(app)) == 5
    assert "With 3 windows per series a batch holds 6 windows, not 8: 2 series fit." in (
        app.captions
    )
    assert app.scenario.sampling.num_subsequences == 3


@pytest.mark.slow
def test_number_of_steps_to_compare_after_can_be_chosen(opened):
    app = opened()
    app.act("compared_steps", 1)
    app.assert_sound(KEY)
    assert app.described(KEY).startswith("After 1 step, 1 window per series")
    # The run itself keeps its length.
    assert app.scenario.num_steps == 10
    assert app.query_params["compared_steps"] == "1"
    app.act("compared_steps", 0)
    assert app.described(KEY).startswith("After 10 steps")


def test_after_one_step_the_hits_explain_the_order(opened):
    app = opened({"compared_steps": "1"})
    words = app.words
    chance = 0.1 * 8 / 320
    assert f"Chance of any hit: {chance:.4g} with 1 window per series" in words
    groups = app.chart("hit_weights")["data"]
    assert len(groups) == 4
    assert "on average 0.0025" in app.described("hit_weights")


@pytest.mark.slow
def test_delta_over_steps_is_drawn_at_the_chosen_epsilon(opened):
    app = opened()
    app.act("subsequences_view", "training")
    app.assert_sound("over_steps")
    assert app.headline.startswith("After 10 steps, at ε = 1, for any single value of one series")
    app.act("fixed_epsilon", 0.5)
    app.assert_sound("over_steps")
    one = delta_over_steps(SHORT, 0.5, (10,))
    delta = rounded_up(float(one.upper.delta_high[-1]), 3)
    assert "at ε = 0.5" in app.headline
    assert f"**1 window per series: δ ≤ {delta} " in app.headline
    assert app.described("over_steps").startswith("At ε = 0.5, 1 window per series")
    assert app.state.view.fixed_epsilon == 0.5
    app.go_back("fixed_epsilon")
    assert "at ε = 1," in app.headline


def test_no_course_of_training_is_offered_for_a_single_step(opened):
    app = opened()
    steps = app.control("compared_steps")
    assert "1 step" in offered(steps)
    app.act("subsequences_view", "training")
    assert "1 step" not in offered(app.control("compared_steps"))
    # A link's choice stays in sight.
    linked = opened({"compared_steps": "1", "chart": "training"})
    assert "1 step" in offered(linked.control("compared_steps"))


def test_one_bag_is_refused_by_name_and_another_choice_answers(opened):
    app = opened({"top_level": "flat"})
    refusal = "How series are chosen for a batch = 'flat' is not allowed: in one bag there are no"
    assert f"{refusal} windows per series" in app.errors
    app.act("top_level", "deterministic")
    app.assert_sound(KEY)
    assert "series walked through in order" in app.headline


@pytest.mark.slow
def test_rates_can_be_set_here_too(opened):
    app = opened({"compared_steps": "1"})
    before = app.headline
    app.act("bottom_rate", 1.0)
    app.assert_sound(KEY)
    assert "not from the data's shape" in app.notes
    assert app.headline != before


def test_poisson_windows_need_the_data_s_shape_and_it_is_said(opened):
    app = opened({"compared_steps": "1"})
    app.act("bottom_level", "poisson")
    app.assert_sound(KEY)
    app.act("bottom_rate", 0.5)
    assert "poisson" in app.warnings
    assert app.scenario.shape is not None
