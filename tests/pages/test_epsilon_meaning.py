"""The page on what epsilon means: an attacker's hits, false alarms and beliefs."""

import contextlib
import io
import json
import math
from dataclasses import replace
from itertools import product

import pandas as pd
import pytest

from dpviz.command_line import main
from dpviz.planning.attack_rates import risk_account
from dpviz.risk import (
    advantage,
    attained_true_positive_rate,
    loss_exceeded_with,
    posterior_of_claim,
    true_positive_rate,
)
from dpviz.scenario import Training
from dpviz.scenario.mechanism import BOTTOM_LEVELS, MOST_STEPS, NOISE_MULTIPLIER_RANGE, TOP_LEVELS
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.settings import SETTINGS
from dpviz.settings.planner import RATE_RANGE
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.pages.acts import act, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    headline,
    link_in_address_bar,
    link_of,
    scenario_of,
    warnings,
)

PAGE, KEY = "epsilon_meaning", "trade_off"
SHORT = replace(TOY, training=Training(unit="steps", count=100))
LINK = link_of(SHORT)


@pytest.fixture
def opened(open_page):
    return lambda changes=(), **options: open_page(LINK | dict(changes), PAGE, **options)


@pytest.fixture(scope="module")
def account():
    return risk_account(SHORT)


def words(app) -> str:
    return " ".join(text.value for text in app.markdown)


def lines(app, key=KEY):
    return {trace["uid"]: trace for trace in chart(app, key)["data"]}


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.0137, 2e-5])
def test_people_found_are_told_with_direction_theorem_and_scope(opened, account, rate):
    app = opened({"target_false_positive_rate": str(rate)}, parts=())
    assert_sound(app, KEY)
    most = math.ceil(true_positive_rate(account.upper, rate).high * 100)
    least = math.floor(attained_true_positive_rate(account.lower, rate).low * 100)
    said = headline(app)
    assert f"**finds at most {most}** (upper bound, Theorem 4.4 composed over 100 steps;" in said
    assert f"Some attacker finds at least {least} (lower bound, Theorem 4.4 composed" in said
    assert said.startswith("After 100 training steps with series drawn at random (ε ≤ ")
    assert said.endswith("A person here has any single value of one series.")


def test_any_epsilon_can_be_typed_and_needs_no_run(opened):
    app = opened({"meant_epsilon": "typed", "typed_epsilon": "1"}, parts=())
    assert_sound(app, "people")
    # 1 % e + 1e-7, rounded up.
    assert "**finds at most 3** (upper bound, by (ε, δ) = (1, 10⁻⁷) alone" in headline(app)
    assert "Theorem" not in headline(app)
    act(app, "typed_epsilon", "2")
    assert "**finds at most 8**" in headline(checked(app))
    assert not any("Holds if" in one.label for one in app.expander)


def test_typed_epsilon_becomes_the_goal_of_a_plan_and_one_undo_takes_it_back(opened):
    app = opened({"meant_epsilon": "typed", "typed_epsilon": "2.5"}, parts=())
    checked(app.button(key="plan_typed").click().run())
    assert "is enough for ε ≤ 2.5 at δ" in headline(app)
    assert link_in_address_bar(app)["target_epsilon"] == "2.5"
    press(app, "undo")
    assert "target_epsilon" not in link_in_address_bar(app)


def test_what_is_not_covered_is_one_line_from_the_same_sentences(opened):
    said = words(opened(parts=()))
    for part in (
        "**Not covered:** somebody in more than one series; somebody behind more than one value",
        "what else was computed from the data; what is true of everybody",
    ):
        assert part in said
    typed = words(opened({"meant_epsilon": "typed"}, parts=()))
    assert "**Not covered:** what else was computed from the data; what is true of" in typed
    assert "in more than one series" not in typed


def test_one_pair_is_told_to_lose_much(opened, account):
    app = opened(parts=())
    allowed = rounded_up(100.0 * true_positive_rate(account.upper, 0.01).high)
    assert f"of which it is one point, allows **{allowed} %**" in words(app)
    drawn = lines(app)
    for side in zip(drawn["series-1-upper"]["y"], drawn["series-0-upper"]["y"], strict=True):
        assert side[0] >= side[1]
    most = rounded_up(100.0 * advantage(account.upper).high)
    least = rounded_down(100.0 * advantage(account.lower).low)
    assert f"by more than **{most} percentage points**" in words(app)
    assert f"some attacker reaches {least}" in words(app)


def test_beliefs_are_told_and_follow_prior_and_rate(opened, account):
    app = opened({"prior": "0.05"}, parts=())
    hits = true_positive_rate(account.upper, 0.01).high
    belief = rounded_up(100.0 * posterior_of_claim(0.05, 0.01, hits))
    assert f"right with probability **at most {belief} %**" in words(app)
    loss = rounded_up(loss_exceeded_with(account.upper, SHORT.delta))
    assert f"the odds grow by at most e^{loss}" in words(app)
    title = chart_title(app, "beliefs").replace("\N{NO-BREAK SPACE}", " ")
    assert title == f"From 5 % beforehand to at most {belief} % after a claim"
    act(app, "prior", 0.5)
    assert link_in_address_bar(checked(app)) == link_of(scenario_of(app))
    assert "From 50\N{NO-BREAK SPACE}% beforehand" in described(app, "beliefs")
    act(app, "prior", "1")
    assert "Attacker's belief beforehand = 1.0 is not allowed: it must be" in warnings(app)


def test_lines_are_named_ordered_and_drawn_on_either_axes(opened):
    app = opened(parts=())
    drawn = lines(app)
    assert [drawn[uid]["name"] for uid in ("series-0-upper", "series-0-lower", "target-upper")] == [
        "any attacker, at most", "some attacker, at least", "guessing",
    ]  # fmt: skip
    assert drawn["series-0-upper"]["x"][0] == 0.0
    for low, high in zip(drawn["series-0-lower"]["y"], drawn["series-0-upper"]["y"], strict=True):
        assert low <= high
    act(app, "rate_axes", "log")
    assert app.query_params["rate_axes"] == "log"
    assert chart(app, KEY)["layout"]["xaxis"]["type"] == "log"
    assert min(lines(app)["series-0-upper"]["x"]) > 0.0


def test_table_has_the_numbers_of_the_chart(opened, downloads):
    app = opened({"target_false_positive_rate": "0.0137", "prior": "0.2"}, parts=())
    text = downloads["Download CSV"]()
    table = pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")
    drawn = lines(app)
    assert table["false_positive_rate"].tolist() == drawn["series-0-upper"]["x"]
    assert table["true_positive_rate_upper"].tolist() == drawn["series-0-upper"]["y"]
    assert table["true_positive_rate_lower"].tolist() == drawn["series-0-lower"]["y"]
    assert table["true_positive_rate_pair"].tolist() == drawn["series-1-upper"]["y"]
    own = table[table["false_positive_rate"] == 0.0137].iloc[0]
    claim = posterior_of_claim(0.2, 0.0137, own["true_positive_rate_upper"])
    assert own["posterior_upper"] == pytest.approx(claim)
    assert "upper bound, Theorem 4.4 composed over 100 steps; for any single value" in text


def test_code_gives_the_hits_of_the_page(opened, capsys):
    app = opened(parts=("open_code",))
    command, script = app.code[0].value, app.code[1].value
    assert main(command.replace("\\\n", " ").split()[3:]) == 0
    answer = json.loads(capsys.readouterr().out)
    most, least = (answer[side]["true_positive_rate"][0] for side in ("upper", "lower"))
    assert answer["upper"]["false_positive_rate"] == [0.01, 0.1]
    assert f"at most {math.ceil(most * 100)}*" in headline(app)
    assert f"at least {math.floor(least * 100)} (" in headline(app)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(script, {})
    for hits in (most, least):
        assert f"  true positive rate {hits} at false positive rate 0.01" in printed.getvalue()


ONE_BY_ONE = [
    top if top in ("without-replacement", "flat") else pytest.param(top, marks=pytest.mark.slow)
    for top in TOP_LEVELS
]


@pytest.mark.parametrize("top", ONE_BY_ONE)
def test_every_scheme_is_answered(opened, top):
    app = opened(parts=())
    changes = ({}, {"forecast_noise": "2.0"}, {"num_subsequences": "4"})
    for bottom, more in product(BOTTOM_LEVELS, changes):
        if top == "flat" and (bottom == "poisson" or "num_subsequences" in more):
            continue
        link = LINK | {"top_level": top, "bottom_level": bottom} | more
        app.query_params.clear()
        for name, value in link.items():
            app.query_params[name] = value
        assert_sound(app.run(), KEY)
        assert not app.warning
        has_lower = "series-0-lower" in lines(app)
        assert has_lower == ("Some attacker finds at least" in headline(app))
        assert ("none proven" in words(app)) != has_lower


@pytest.mark.parametrize(
    "changes",
    [
        {"noise_multiplier": NOISE_MULTIPLIER_RANGE[0]},
        pytest.param({"noise_multiplier": NOISE_MULTIPLIER_RANGE[1]}, marks=pytest.mark.slow),
        pytest.param({"steps": MOST_STEPS}, marks=pytest.mark.slow),
        {"delta": DELTA_RANGE[0]},
        pytest.param({"delta": DELTA_RANGE[1]}, marks=pytest.mark.slow),
        pytest.param(
            {"num_series": 1, "batch_size": 1, "series_length": 1}, marks=pytest.mark.slow
        ),
        pytest.param({"context_length": 0, "relation_width": 10**6}, marks=pytest.mark.slow),
        {"prior": SETTINGS["prior"].limits[0], "target_false_positive_rate": RATE_RANGE[0]},
        {"prior": SETTINGS["prior"].limits[1], "target_false_positive_rate": RATE_RANGE[1]},
        {"prior": SETTINGS["prior"].limits[1], "rate_axes": "log", "noise_multiplier": 0.1},
    ],
    ids=str,
)
def test_extremes_give_an_answer(opened, changes):
    app = opened({name: str(value) for name, value in changes.items()}, parts=())
    assert not app.warning
    assert_sound(app, KEY)
