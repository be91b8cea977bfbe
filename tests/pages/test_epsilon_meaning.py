"""The page on what epsilon means: an attacker's hits, false alarms and beliefs, and the game."""

import contextlib
import io
import json
from collections import OrderedDict
from dataclasses import replace
from fractions import Fraction

import pytest

from dpviz.command_line import main
from dpviz.planning.attack_rates import risk_account
from dpviz.planning.membership_game import membership_game, score
from dpviz.risk import (
    attained_true_positive_rate,
    loss_exceeded_with,
    posterior_of_claim,
    true_positive_rate,
)
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.questions import lessons
from dpviz.ui.results import RESULTS
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.csv_text import table_of
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

PAGE, KEY = "epsilon_meaning", "trade_off"
SHORT = varied(TOY, steps=100)
LINK = link_of(SHORT)


@pytest.fixture(scope="module")
def account():
    return risk_account(SHORT)


@pytest.mark.parametrize("rate", [0.01, 2e-5])
def test_people_found_are_told_with_direction_theorem_and_scope(opened, account, rate):
    app = opened(LINK | {"target_false_positive_rate": str(rate)})
    app.assert_sound("people")
    assert KEY not in app.chart_keys
    most = rounded_up(true_positive_rate(account.upper, rate).high * 100, 2)
    least = rounded_down(attained_true_positive_rate(account.lower, rate).low * 100, 2)
    source = "upper bound, Theorem 4.4 composed over 100 steps"
    assert f"**finds at most {most}** on average ({source})" in app.headline
    assert f"finds at least {least} (lower bound, by the same theorem)" in app.headline
    assert app.headline.endswith("A person here stands for any single value of one series.")


def test_any_epsilon_can_be_typed_and_needs_no_run(opened):
    """Its strength is told of whatever it is promised for, with what it leaves open."""
    weak = LINK | {"noise_multiplier": "0.1"}
    app = opened(weak | {"meant_epsilon": "typed", "typed_epsilon": "1"})
    app.assert_sound("people")
    # 1 % e + 1e-7, rounded up.
    assert "**finds at most 2.8** on average (upper bound, by (ε, δ) = (1, 10⁻⁷) al" in app.headline
    assert "Theorem" not in app.headline
    assert not any("Holds if" in one.label for one in app.expander)
    assert "So little noise" not in app.all_words
    app.act("typed_epsilon", "2")
    assert "**finds at most 7.4**" in app.headline
    assert "ε ≤ 2 is moderate protection of whatever it is promised for" in app.all_words
    app.act("typed_epsilon", "20.5")
    assert "hardly any protection of" in app.all_words
    app.acts([("typed_epsilon", "0.1"), ("delta", 0.5)])
    assert "So large a δ promises little" in app.all_words
    assert "strong protection" not in app.all_words


def test_typed_epsilon_becomes_the_goal_of_a_plan_and_one_undo_takes_it_back(opened, made_up_map):
    app = opened(LINK | {"meant_epsilon": "typed", "typed_epsilon": "2.5"})
    app.click("plan_typed")
    assert "is enough for ε ≤ 2.5 at δ" in app.headline
    assert app.link["target_epsilon"] == "2.5"
    app.press("undo")
    assert "target_epsilon" not in app.link


def test_beliefs_are_told_and_follow_prior_and_rate(opened, account):
    app = opened(LINK | {"prior": "0.05"}, ("open_beliefs",))
    hits = true_positive_rate(account.upper, 0.01).high
    belief = rounded_up(100.0 * posterior_of_claim(0.05, 0.01, hits))
    assert f"right with probability **at most {belief} %**" in app.words
    loss = rounded_up(loss_exceeded_with(account.upper, SHORT.delta))
    assert f"the odds grow by at most e^{loss}" in app.words
    title = app.chart_title("beliefs").replace("\N{NO-BREAK SPACE}", " ")
    assert title == f"From 5 % beforehand to at most {belief} % after a claim"
    app.act("prior", 0.5)
    assert app.link == link_of(app.scenario)
    assert "From 50\N{NO-BREAK SPACE}% beforehand" in app.described("beliefs")
    app.act("prior", "1")
    assert "Attacker's belief beforehand = 1 is not allowed: it must be" in app.warnings


def test_table_has_what_is_believed_after_a_claim(opened, downloads):
    opened(LINK | {"target_false_positive_rate": "0.0137", "prior": "0.2"})
    text = downloads["Download CSV"]()
    table = table_of(text)
    assert 0.0137 in set(table["false_positive_rate"])
    for _, row in table[table["false_positive_rate"] > 0.0].iterrows():
        false, hits = map(Fraction, row[["false_positive_rate", "true_positive_rate_upper"]])
        right, wrong = Fraction(0.2) * hits, (1 - Fraction(0.2)) * false
        claim = right / (right + wrong)
        assert claim <= Fraction(row["posterior_upper"]) <= claim * (1 + Fraction(1, 10**14))
    assert "upper bound, Theorem 4.4 composed over 100 steps; for any single value" in text


def test_code_gives_the_hits_of_the_page(opened, capsys):
    app = opened(parts=("open_code",))
    command, script = app.code[0].value, app.code[1].value
    assert main(command.replace("\\\n", " ").split()[3:]) == 0
    answer = json.loads(capsys.readouterr().out)
    most, least = (answer[side]["true_positive_rate"][0] for side in ("upper", "lower"))
    assert answer["upper"]["false_positive_rate"] == [0.01, 0.1]
    assert f"at most {rounded_up(most * 100, 2)}*" in app.headline
    assert f"at least {rounded_down(least * 100, 2)} (" in app.headline
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(script, {})
    for hits in (most, least):
        assert f"  true positive rate {hits} at false positive rate 0.01" in printed.getvalue()


GAME = "membership_game"
PLAYED = varied(TOY, num_series=40, batch_size=16, context_length=4, forecast_length=2, steps=10)
LINK_OF_GAME = link_of(PLAYED)


@pytest.fixture(scope="module")
def game():
    return membership_game(PLAYED, "certain", 1)


def test_a_game_is_played_revealed_scored_and_kept_in_the_link(opened, game):
    app = opened(LINK_OF_GAME)
    for at, answer in enumerate("ynny", start=1):
        app.press(f"game_{answer}")
        truth = "in the data" if game.rounds[at - 1].is_present else "not in the data"
        own = "right" if (answer == "y") == game.rounds[at - 1].is_present else "wrong"
        assert f"Round {at} revealed: it was **{truth}**." in app.said
        assert f"**{own}**" in app.said
    known = score(game, "ynny")
    assert f"| **you** | {known.player} of 4 |" in app.said
    assert f"| best attacker, same rounds | {known.best} of 4 |" in app.said
    assert app.query_params["game_answers"] == f"{game.code}-ynny"


def test_other_settings_begin_the_game_anew_and_going_back_resumes_it(opened):
    """Of two quick presses the first counts: both are about the round that was seen."""
    app = opened(LINK_OF_GAME)
    means = app.control("game_y").spec["means"]
    app.acts([("game_y", means), ("game_n", means)])
    assert app.link["game_answers"].endswith("-y")
    app.act("noise_multiplier", 2.0)
    assert "Round 1:" in app.said
    app.press("undo")
    assert "Round 2:" in app.said
    app.press("game_anew")
    assert "Round 1:" in app.said
    assert app.query_params["game_seed"] == "2"
    assert "game_answers" not in app.query_params
    app.acts([(name, app.control(name).spec["means"]) for name in ("game_anew", "game_y")])
    assert "game_answers" not in app.link


def test_nothing_on_the_page_depends_on_what_is_not_revealed_yet(opened, game, monkeypatch):
    """A page whose next rounds are turned round is the same page, until they are answered."""
    link = LINK_OF_GAME | {"game_answers": f"{game.code}-yn"}

    def turned(*arguments):
        game = membership_game(*arguments)
        rounds = [
            one if at < 2 else replace(one, is_present=not one.is_present)
            for at, one in enumerate(game.rounds)
        ]
        return replace(game, rounds=tuple(rounds))

    def seen_and_told():
        app = opened(link)
        seen = app.lasting_texts
        app.press("game_y")
        return seen, "it was **in the data**" in app.said

    seen, told = seen_and_told()
    monkeypatch.setattr("dpviz.ui.questions.epsilon_meaning.membership_game", turned)
    monkeypatch.setattr(RESULTS, "_outcomes", OrderedDict())
    monkeypatch.setattr(RESULTS, "_bytes", 0)
    assert seen_and_told() == (seen, not told)


def test_each_visitor_begins_with_rounds_of_their_own(opened, monkeypatch):
    firsts = set()
    for seed in (3, 4):
        monkeypatch.setattr("dpviz.ui.state.new_seed", lambda seed=seed: seed)
        app = opened(LINK_OF_GAME)
        first = membership_game(app.scenario, "certain", seed).rounds[0]
        output = f"{first.output:.2f}".replace("-", "−")
        assert f"**Round 1: the noisy gradient of one step is {output} C." in app.said
        firsts.add(first.output)
        app.press("game_y")
        assert app.query_params["game_seed"] == str(seed)
    assert len(firsts) == 2


def test_a_game_goes_on_after_another_lesson(open_page, monkeypatch):
    """As with a class, whose teacher goes back: nobody plays rounds again that were revealed."""
    lesson, other = LESSONS_BY_NAME["guess"], LESSONS_BY_NAME["rates"]
    app = open_page(prepared_query(State(), lesson), PAGE, parts=()).press("game_y")
    app.open_link(prepared_query(State(), other))
    app.open_link(prepared_query(State(), lesson))
    assert "Round 2:" in app.said
    assert app.link["game_answers"].endswith("-y")
    monkeypatch.setattr(lessons, "new_seed", lambda: 2)
    overview = open_page(app.link | {"lesson": "none"}, "lessons", parts=())
    overview.press("forget_answers")
    assert "game_answers" not in overview.link
    assert (app.link["game_seed"], overview.link["game_seed"]) == ("1", "2")


def test_a_whole_game_ends_also_from_links_of_when_all_began_with_the_same_rounds(opened, game):
    """And answers to another game do not count."""
    app = opened(LINK_OF_GAME | {"game_answers": f"{game.code}-{'y' * 49}"})
    app.press("game_n")
    assert "All 50 rounds are played." in app.said
    assert app.control("game_y").disabled
    assert "round" not in str(app.chart(GAME)["layout"].get("annotations", ""))
    app.open_link(LINK_OF_GAME | {"game_answers": "0123abcd-yyy"})
    assert "Round 1:" in app.said
    app.open_link(LINK_OF_GAME | {"game_answers": "yes"})
    assert "game_answers = 'yes' is not allowed" in app.warnings
