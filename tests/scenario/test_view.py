"""What the pages show: its link form, and a named reason for each value that is not used."""

from dataclasses import replace
from datetime import date
from functools import reduce
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import ScenarioError, View
from dpviz.scenario.lesson_answers import (
    ALL_LESSONS,
    CHOICES,
    LESSONS,
    NO_LESSON,
    with_answer,
    with_lesson,
)
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.scenario.staged_view import STAGED_EXAMPLES
from dpviz.scenario.view import (
    BAG_CHARTS,
    CHARTS,
    EPSILON_RANGE,
    FIGURES,
    FIRST_DATES,
    FREE_QUANTITIES,
    GAME_KINDS,
    GOALS,
    LARGEST_SEED,
    LENGTHS,
    MOST_DRAWN_BATCHES,
    MOST_PANELS,
    MOST_REPORTED_COLUMNS,
    MOST_SIMULATED_UNITS,
    NOISE_CHARTS,
    PLAN_CHARTS,
    PRIOR_RANGE,
    RATE_AXES,
    RATE_RANGE,
    REGION_AXES,
    REGION_LAYERS,
    REPORTED_TABLES,
    REPORTED_WINDOWS,
    SIMULATED_RUNS,
    SUCCESS_RANGE,
    VIEW_PARAMETERS,
    view_from_query,
    view_to_query,
)
from tests.scenario import (
    many_scenarios_choices,
    private_inference_choices,
    protected_forecasts_choices,
    release_choices,
    training_choices,
    training_study_choices,
)

VIEWS = st.builds(
    View,
    chart=st.sampled_from(CHARTS),
    target_epsilon=st.floats(*EPSILON_RANGE) | st.integers(1, 1000),
    fixed_epsilon=st.floats(*EPSILON_RANGE),
    compared_steps=st.integers(0, MOST_STEPS),
    compared_length=st.sampled_from(LENGTHS),
    noise_chart=st.sampled_from(NOISE_CHARTS),
    bag_chart=st.sampled_from(BAG_CHARTS),
    first_date=st.dates(*FIRST_DATES).map(date.isoformat),
    figure=st.sampled_from(FIGURES),
    panel=st.integers(0, MOST_PANELS),
    goal=st.sampled_from(GOALS),
    target_success=st.floats(*SUCCESS_RANGE),
    target_false_positive_rate=st.floats(*RATE_RANGE),
    target_true_positive_rate=st.floats(*RATE_RANGE),
    free_quantity=st.sampled_from(FREE_QUANTITIES),
    plan_chart=st.sampled_from(PLAN_CHARTS),
    region_x=st.sampled_from(REGION_AXES),
    region_y=st.sampled_from(REGION_AXES),
    region_layer=st.sampled_from(REGION_LAYERS),
    drawn_batch=st.integers(1, MOST_DRAWN_BATCHES),
    drawing_seed=st.integers(0, LARGEST_SEED),
    prior=st.floats(*PRIOR_RANGE),
    rate_axes=st.sampled_from(RATE_AXES),
    simulated_runs=st.integers(*SIMULATED_RUNS),
    simulated_units=st.integers(1, MOST_SIMULATED_UNITS),
    game_kind=st.sampled_from(GAME_KINDS),
    game_seed=st.integers(0, LARGEST_SEED),
    game_answers=st.just("") | st.from_regex("[0-9a-f]{8}-[yn]{1,50}", fullmatch=True),
    reported_table=st.sampled_from(REPORTED_TABLES),
    reported_column=st.integers(0, MOST_REPORTED_COLUMNS),
    reported_windows=st.sampled_from(REPORTED_WINDOWS),
    lesson=st.sampled_from((NO_LESSON, *LESSONS, ALL_LESSONS)),
    answers=st.dictionaries(st.sampled_from(LESSONS), st.sampled_from(CHOICES)).map(
        lambda chosen: reduce(lambda text, pair: with_answer(text, *pair), chosen.items(), "")
    ),
    revealed=st.sets(st.sampled_from(LESSONS)).map(lambda shown: reduce(with_lesson, shown, "")),
    present=st.integers(0, 1),
    staged_levels=st.lists(
        st.integers(1, 50).flatmap(lambda size: st.integers(1, size).map(f"{{}}:{size}".format)),
        min_size=2,
        max_size=5,
    ).map(",".join),
    staged_noise=st.floats(*NOISE_MULTIPLIER_RANGE),
    staged_episodes=st.integers(1, MOST_STEPS),
    staged_example=st.sampled_from(STAGED_EXAMPLES),
)
OTHERS = {
    "chart": "training",
    "compared_length": "step",
    "compared_steps": 3,
    "noise_chart": "map",
    "bag_chart": "curve",
    "first_date": "2021-02-28",
    "figure": "13",
    "panel": 2,
    "goal": "hits",
    "target_success": 0.75,
    "target_false_positive_rate": 0.1,
    "target_true_positive_rate": 0.3,
    "free_quantity": "forecast_noise",
    "plan_chart": "map",
    "region_x": "noise_multiplier",
    "region_y": "relation_width",
    "region_layer": "noise",
    "drawn_batch": 7,
    "drawing_seed": 0,
    "prior": 0.01,
    "rate_axes": "log",
    "simulated_runs": 5000,
    "simulated_units": 3,
    "game_kind": "drawn",
    "game_seed": 0,
    "game_answers": "0123abcd-ynn",
    "reported_table": "figure-12",
    "reported_column": 3,
    "reported_windows": "lags",
    "lesson": "windows",
    "answers": "leak-c.bag-a",
    "revealed": "leak.epsilon",
    "present": 1,
    "staged_levels": "2:3,4:5,1:9",
    "staged_episodes": 7,
    "staged_example": "own",
}
OTHERS |= private_inference_choices.OTHERS
OTHERS |= protected_forecasts_choices.OTHERS
OTHERS |= release_choices.OTHERS
OTHERS |= training_choices.OTHERS
OTHERS |= training_study_choices.OTHERS
OTHERS |= many_scenarios_choices.OTHERS


@given(VIEWS)
def test_a_link_reopens_the_view(view):
    query = view_to_query(view)
    assert set(query) <= set(VIEW_PARAMETERS)
    assert view_from_query(dict(parse_qsl(urlencode(query)))) == (view, [])


def test_a_link_leaves_out_what_is_as_at_first():
    assert view_to_query(View()) == {}
    assert view_from_query({}) == (View(), [])
    assert view_to_query(View(compared_steps=7)) == {"compared_steps": "7"}


@pytest.mark.parametrize("name", VIEW_PARAMETERS)
def test_every_choice_is_part_of_the_link(name):
    """A choice that is new must not be forgotten there."""
    other = OTHERS.get(name, 2.5)
    view = replace(View(), **{name: other})
    assert view_from_query(view_to_query(view)) == (view, [])
    assert getattr(view_from_query(view_to_query(view))[0], name) == other


BAD = {
    "chart": ["", "pie", "Curve", "curve ", "x" * 10**6, "a\nb\x1b[2J"],
    "target_epsilon": ["", "x", "0", "-1", "nan", "inf", "1e-5", "1001", "1e400", "1" * 10**6],
    "fixed_epsilon": ["", "0", "nan", "1,5", "9999", "\x00", "0x10"],
    "compared_steps": ["", "-1", "1.5", "nan", "inf", str(MOST_STEPS + 1), "1e8", "many"],
    "compared_length": ["", "epochs", "10", "step\n", "\u202eabc"],
    "noise_chart": ["", "surface", "Map"],
    "bag_chart": ["", "bars", "curve "],
    "first_date": ["", "2024", "2024-13-01", "2023-02-29", "1799-12-31", "9999-12-31", "1.1.2024"],
    "figure": ["", "1", "11", "02", "2.0", "thirteen"],
    "panel": ["", "-1", "0.5", "nan", "33", "1e400"],
    "goal": ["", "delta", "Epsilon"],
    "target_success": ["", "0.5", "1", "60 %", "nan"],
    "target_false_positive_rate": ["", "0", "1", "-0.1", "inf"],
    "target_true_positive_rate": ["", "0", "1.5", "all"],
    "free_quantity": ["", "sigma", "delta"],
    "plan_chart": ["", "table"],
    "region_x": ["", "r", "training "],
    "region_y": ["", "rho"],
    "region_layer": ["", "delta"],
    "drawn_batch": ["", "0", "-1", "1.5", "2001", "nan", "last"],
    "drawing_seed": ["", "-1", "0.5", "1000000001", "inf", "random"],
    "prior": ["", "0", "1", "-0.5", "nan", "50 %"],
    "rate_axes": ["", "Log", "loglog"],
    "simulated_runs": ["", "999", "100001", "1e3.5", "nan", "many"],
    "simulated_units": ["", "0", "11", "1.5", "-1"],
    "game_kind": ["", "Drawn", "sure"],
    "game_seed": ["", "-1", "0.5", "1000000001", "random"],
    "game_answers": [
        "-",
        "ynn",
        "0123abcd",
        "0123abcd-",
        "0123abcd-x",
        "0123ABCD-y",
        "0123abcd-" + "y" * 51,
        "0123abcd-y\n",
        "y" * 10**6,
    ],
    "reported_table": ["", "0", "14", "02", "figure-13", "Table 2"],
    "reported_column": ["", "-1", "0.5", "nan", "17", "first"],
    "reported_windows": ["", "Lags", "both"],
    "lesson": ["", "Leak", "1", "leak ", "leak.rates"],
    "answers": [
        "-",
        "leak",
        "leak-e",
        "leak-A",
        "leak-",
        "rates-a.leak-a",
        "leak-a.leak-b",
        "leak-a.",
        ".",
        "leak-a,rates-b",
        "all-a",
        "leak-a" + ".leak-a" * 10**6,
    ],
    "revealed": [".", "all", "rates.leak", "leak.leak", "leak.", "leak,rates", "leak-a"],
    "staged_levels": ["", "1:2", "1:2,3", "3:2,1:2", "0:2,1:2", "1:2," * 10**5, "1:2,1:2x"],
    "staged_noise": ["", "0", "101", "nan", "one"],
    "staged_episodes": ["", "0", "1.5", "1e8", "many"],
    "staged_example": ["", "Own", "mine"],
    "present": ["", "2", "-1", "0.5", "yes", "nan"],
}
BAD |= private_inference_choices.BAD
BAD |= protected_forecasts_choices.BAD
BAD |= release_choices.BAD
BAD |= training_choices.BAD
BAD |= training_study_choices.BAD
BAD |= many_scenarios_choices.BAD


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in BAD for text in BAD[name]],
                         ids=lambda text: text[:12].encode("unicode_escape").decode())  # fmt: skip
def test_every_bad_value_is_named_and_the_rest_is_used(name, text):
    good = {"chart": "training", "target_epsilon": "3", "fixed_epsilon": "0.5",
            "compared_steps": "12", "compared_length": "epoch", "noise_chart": "map",
            "bag_chart": "curve", "first_date": "2021-02-28", "figure": "13",
            "panel": "1"} | {name: str(OTHERS[name]) for name in OTHERS}  # fmt: skip
    view, problems = view_from_query(good | {name: text})
    (problem,) = problems
    assert problem.field == name
    assert str(problem).startswith(f"{name} = ")
    assert "it must be" in str(problem)
    assert str(problem).isprintable()
    assert len(str(problem)) < 300
    expected, none = view_from_query({other: good[other] for other in good if other != name})
    assert none == []
    assert view == expected


def test_all_parameters_bad_leaves_the_view_as_at_first():
    view, problems = view_from_query(dict.fromkeys(VIEW_PARAMETERS, "?"))
    assert view == View()
    assert [problem.field for problem in problems] == list(VIEW_PARAMETERS)


def test_other_parameters_of_a_link_are_not_its_own():
    assert view_from_query({"delta": "x", "pin_a": "y"}) == (View(), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [("chart", 1), ("target_epsilon", "1"), ("compared_steps", True), ("fixed_epsilon", None)],
)
def test_a_view_is_never_made_of_other_types(name, value):
    with pytest.raises(ScenarioError) as refused:
        View(**{name: value})
    assert refused.value.field == name
