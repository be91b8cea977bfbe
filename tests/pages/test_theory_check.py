"""The page that asks whether the theory holds, and its game."""

import csv
import io
import re
from collections import OrderedDict
from dataclasses import replace

import pytest

from dpviz.planning.membership_game import membership_game, score
from dpviz.planning.simulated_attack import TESTED_EPSILONS
from dpviz.settings.attacker import SEEDS
from dpviz.ui.shared import RESULTS
from tests.pages.acts import act, control, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    errors,
    headline,
    keyed,
    link_in_address_bar,
    link_of,
    scenario_of,
    state_of,
    texts,
    warnings,
)
from tests.planning.theory_checks import SCHEMES, scheme_name

PAGE, KEY, GAME = "theory_check", "theory_check", "membership_game"
PARTS = ("open_reach", "open_code", "open_certificate")
SMALL = {"num_series": "40", "batch_size": "16", "context_length": "4", "forecast_length": "2"}
LINK = link_of(TOY) | SMALL | {"simulated_runs": "2000", "fixed_epsilon": "0.1"}
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}


@pytest.fixture
def opened(open_page):
    return lambda link=LINK, parts=(): open_page(link, PAGE, parts)


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.caption])


def traces(app, key=KEY) -> dict[str, dict]:
    return {trace["uid"]: trace for trace in chart(app, key)["data"]}


def _without_turns(app) -> list[str]:
    """Return all texts of the page.

    A chart's turn is the time at which it was first drawn, and no two openings are called the same.
    """
    return [re.sub(r'"turn": \d+|"opening": "\w+"', "", text) for text in texts(app)]


def game_of(app):
    view = state_of(app).view
    return membership_game(scenario_of(app), view.game_kind, view.game_seed)


# The words and charts of all of them are tested without a page; here the others may wait.
ON_PAGE = [
    scheme if at in (0, 5, 9, 16) else pytest.param(scheme, marks=pytest.mark.slow)
    for at, scheme in enumerate(SCHEMES)
]


@pytest.mark.parametrize("scheme", ON_PAGE, ids=scheme_name)
def test_every_scheme_is_simulated_and_told_with_its_theorem(opened, scheme):
    link = LINK | {name: str(value) for name, value in scheme.items()} | {"game_kind": "drawn"}
    app = opened(link, parts=("open_reach",))
    assert_sound(app, KEY)
    assert not app.warning
    assert "**2,000 simulated runs of 1 " in headline(app)
    has_lower = "lower" in traces(app)
    assert has_lower == ("some gradients have **δ ≥" in headline(app))
    assert has_lower != ("no lower bound is proven" in headline(app))
    assert "any single value of one series, changed by any amount" in headline(app)
    assert ("told the order of each epoch" in said(app)) == (scheme["top_level"] == "shuffled")
    assert "The theory holds as far as 2,000 runs can tell" in said(app)
    assert "It cannot prove the upper bound" in said(app)
    assert chart_title(app, GAME).startswith("Round 1: ")


def test_band_and_lines_are_the_numbers_of_the_file(opened, downloads):
    app = opened(LINK | {"simulated_units": "3", "drawing_seed": "7"})
    text = downloads["Download CSV"]()
    rows = list(csv.DictReader(line for line in io.StringIO(text) if line[0] != "#"))
    assert [float(row["epsilon"]) for row in rows] == TESTED_EPSILONS.tolist()
    by_epsilon = {float(row["epsilon"]): row for row in rows}
    high = traces(app)["band-high"]
    for x, y in zip(high["x"], high["y"], strict=True):
        assert y == max(float(by_epsilon[x]["simulated_high"]), 1 / 2000)
    lower, upper = traces(app)["lower"], traces(app)["upper"]
    for trace, name in ((lower, "delta_lower"), (upper, "delta_upper")):
        known = dict(zip(trace["x"], trace["y"], strict=True))
        for x in high["x"]:
            assert known[x] is None or known[x] == float(by_epsilon[x][name])
    assert "2000 runs with seed 7" in text
    assert "Theorem 4.4 composed over 3 steps" in text
    assert app.query_params["simulated_units"] == "3"


def test_another_seed_draws_other_runs_and_the_same_link_the_same(opened):
    app = opened()
    before = chart(app, KEY)["data"]
    assert chart(opened(), KEY)["data"] == before
    press(app, "simulate_anew")
    assert_sound(app, KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert traces(app)["estimate"]["y"] != before[2]["y"]
    assert chart(opened(link_in_address_bar(app)), KEY) == chart(app, KEY)
    last = opened(LINK | {"drawing_seed": str(SEEDS[1])})
    press(last, "simulate_anew")
    assert state_of(checked(last)).view.drawing_seed == 0


def test_sliders_change_how_much_is_simulated(opened):
    app = opened()
    act(app, "simulated_runs", 5000)
    assert "**5,000 simulated runs of 1 step contradict" in headline(app)
    act(app, "simulated_units", 4)
    assert "**5,000 simulated runs of 4 steps contradict" in headline(app)
    assert "composed over 4 steps" in headline(app)
    act(app, "fixed_epsilon", 0.5)
    assert "At ε = 0.5 the δ of the simulated attack" in headline(app)


@pytest.mark.slow
def test_too_many_runs_are_fewer_and_said_so(opened):
    link = LINK | {"num_series": "200000", "top_level": "poisson", "simulated_runs": "5000"}
    app = opened(link)
    assert_sound(app, KEY)
    assert "runs are simulated here instead of 5,000" in said(app)


@pytest.mark.parametrize(
    ("link", "named"),
    [
        (
            {"context_noise": "1.0", "forecast_noise": "1.0"},
            "Noise on context σ_C = 1.0 is not allowed: it must be 0 here",
        ),
        ({"num_series": "1900000", "top_level": "poisson"}, "Series N = 1900000 is not allowed"),
    ],
)
def test_what_cannot_be_simulated_is_refused_by_name(opened, link, named):
    app = opened(LINK | link)
    assert named in errors(checked(app))
    act(app, "simulated_runs", 5000)
    assert named in errors(checked(app))


def test_rates_alone_are_refused_with_a_way_back(opened):
    app = opened(LINK | RATES)
    assert "rates draw no batches" in errors(checked(app))
    press(app, "batch_shape")
    assert_sound(app, KEY)


def test_reach_code_and_certificate_are_there(opened, capsys):
    app = opened(parts=PARTS)
    assert "It cannot see small δ." in said(app)
    assert "the gradients by which Theorem 4.4 is attained" in said(app)
    assert "applied to one step" in said(app)
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2,000 runs contradict nothing: True"
    assert printed[1].startswith("epsilon 0.1: simulated ")


def test_a_game_is_played_revealed_scored_and_kept_in_the_link(opened):
    app = opened()
    game = game_of(app)
    assert "Nothing is revealed yet." in said(app)
    for at, answer in enumerate("ynny", start=1):
        press(app, f"game_{answer}")
        checked(app)
        truth = "in the data" if game.rounds[at - 1].is_present else "not in the data"
        own = "right" if (answer == "y") == game.rounds[at - 1].is_present else "wrong"
        assert f"Round {at} revealed: it was **{truth}**." in said(app)
        assert f"**{own}**" in said(app)
    known = score(game, "ynny")
    assert f"| **you** | {known.player} of 4 |" in said(app)
    assert f"| best attacker, same rounds | {known.best} of 4 |" in said(app)
    assert app.query_params["game_answers"] == f"{game.code}-ynny"
    again = opened(link_in_address_bar(app))
    assert chart(again, GAME) == chart(app, GAME)
    assert chart_title(again, GAME).startswith("Round 5: ")


def test_other_settings_begin_the_game_anew_and_going_back_resumes_it(opened):
    app = opened()
    press(app, "game_y")
    act(app, "noise_multiplier", 2.0)
    assert "Round 1 of 50" in said(checked(app))
    press(app, "undo")
    assert "Round 2 of 50" in said(checked(app))
    press(app, "game_anew")
    assert "Round 1 of 50" in said(checked(app))
    assert app.query_params["game_seed"] == "2"
    assert "game_answers" not in app.query_params


def test_nothing_on_the_page_depends_on_what_is_not_revealed_yet(opened, monkeypatch):
    """A page whose next rounds are turned round is the same page, until they are answered."""
    link = LINK | {"game_answers": f"{game_of(opened()).code}-yn"}

    def turned(*arguments):
        game = membership_game(*arguments)
        rounds = [
            one if at < 2 else replace(one, is_present=not one.is_present)
            for at, one in enumerate(game.rounds)
        ]
        return replace(game, rounds=tuple(rounds))

    def seen_and_told():
        app = opened(link)
        seen = _without_turns(app)
        press(app, "game_y")
        return seen, "it was **in the data**" in said(checked(app))

    seen, told = seen_and_told()
    monkeypatch.setattr("dpviz.ui.questions.game.membership_game", turned)
    monkeypatch.setattr(RESULTS, "_outcomes", OrderedDict())
    monkeypatch.setattr(RESULTS, "_bytes", 0)
    assert seen_and_told() == (seen, not told)


def test_a_whole_game_ends(opened):
    code = game_of(opened()).code
    app = opened(LINK | {"game_answers": f"{code}-{'y' * 49}"})
    press(app, "game_n")
    assert "All 50 rounds are played." in said(checked(app))
    assert control(app, "game_y").disabled
    assert "round" not in str(chart(app, GAME)["layout"].get("annotations", ""))


def test_game_of_others_settings_does_not_count(opened):
    app = opened(LINK | {"game_answers": "0123abcd-yyy"})
    assert "Round 1 of 50" in said(app)
    bad = opened(LINK | {"game_answers": "yes"})
    assert "game_answers = 'yes' is not allowed" in warnings(bad)


def test_charts_are_described(opened):
    app = opened()
    assert "the band of what was simulated" in described(app, KEY)
    seen = f"{game_of(app).rounds[0].output:.2f}"
    assert f"A line marks {seen} C." in described(app, GAME)
    assert keyed(app, "bidi_component", GAME) is not None
