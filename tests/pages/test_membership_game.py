"""The game of guessing on the page on what epsilon means."""

import re
from collections import OrderedDict
from dataclasses import replace

import pytest

from dpviz.planning.membership_game import membership_game, score
from dpviz.ui.shared import RESULTS
from tests.pages.acts import act, control, press
from tests.pages.app import (
    TOY,
    chart,
    chart_title,
    checked,
    described,
    link_in_address_bar,
    link_of,
    scenario_of,
    state_of,
    texts,
    warnings,
)

PAGE, GAME = "epsilon_meaning", "membership_game"
SMALL = {"num_series": "40", "batch_size": "16", "context_length": "4", "forecast_length": "2"}
LINK = link_of(TOY) | SMALL | {"steps": "10"}


@pytest.fixture
def opened(open_page):
    return lambda link=LINK, parts=(): open_page(link, PAGE, parts)


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.caption])


def _without_turns(app) -> list[str]:
    """Return all texts of the page.

    A chart's turn is the time at which it was first drawn, and no two openings are called the same.
    """
    return [re.sub(r'"turn": \d+|"opening": "\w+"', "", text) for text in texts(app)]


def game_of(app):
    view = state_of(app).view
    return membership_game(scenario_of(app), view.game_kind, view.game_seed or 1)


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


def test_each_visitor_begins_with_rounds_of_their_own(opened, monkeypatch):
    firsts = set()
    for seed in (3, 4):
        monkeypatch.setattr("dpviz.ui.state.new_seed", lambda seed=seed: seed)
        app = opened()
        first = membership_game(scenario_of(app), "certain", seed).rounds[0]
        assert f"**Round 1 of 50: the noisy gradient of one step is {first.output:.2f} C." in said(
            app
        )
        firsts.add(first.output)
        press(app, "game_y")
        assert checked(app).query_params["game_seed"] == str(seed)
    assert len(firsts) == 2


def test_links_from_when_all_began_with_the_same_rounds_go_on(opened):
    code = membership_game(scenario_of(opened()), "certain", 1).code
    app = opened(LINK | {"game_answers": f"{code}-yn"})
    assert "Round 3 of 50" in said(app)


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


def test_the_game_is_described_in_words(opened):
    app = opened()
    seen = f"{game_of(app).rounds[0].output:.2f}"
    assert f"A line marks {seen} C." in described(app, GAME)


def test_settings_that_cannot_be_played_are_named_and_the_rest_is_told(opened):
    app = opened(link_of(TOY.with_rates(bottom_rate=0.2)) | {"steps": "10"})
    assert any("These settings cannot be played." in one.value for one in app.info)
    assert "At every rate of false alarms" in [one.value for one in app.header]
