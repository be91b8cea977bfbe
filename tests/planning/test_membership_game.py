"""The guessing game is fair, gives nothing away, and its best attacker is as good as the theory."""

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.planning.membership_game import membership_game, score
from dpviz.risk.empirical_delta import exact_limits
from dpviz.scenario import ScenarioError
from dpviz.settings import SETTINGS
from dpviz.settings.attacker import MOST_ROUNDS
from tests.planning.theory_checks import SCHEMES, SMALL, TOY, scheme_name, with_scheme, with_sigma
from tests.scenario.changes import varied

SEEDS = range(12)


def games(scenario, kind):
    return [membership_game(scenario, kind, seed) for seed in SEEDS]


@pytest.mark.parametrize("sigma", [0.7, 2.0])
def test_best_attacker_is_right_as_often_as_a_gaussian_mechanism_allows(sigma):
    played = games(with_sigma(TOY, sigma), "certain")
    exact = norm.cdf(1.0 / sigma)
    for game in played:
        assert game.at_least.share <= exact <= game.at_most.share
        assert game.at_most.share - game.at_least.share < 1e-3
    right = sum(score(game, "y" * MOST_ROUNDS).best for game in played)
    low, high = exact_limits(np.array([right]), MOST_ROUNDS * len(SEEDS), 5e-5)
    assert low[0] <= exact <= high[0]


@pytest.mark.parametrize(
    "scheme", [SCHEMES[0], SCHEMES[2], SCHEMES[5], SCHEMES[-1]], ids=scheme_name
)
def test_best_attacker_is_right_as_often_as_the_bounds_say(scheme):
    played = games(with_scheme(scheme), "drawn")
    right = sum(score(game, "n" * MOST_ROUNDS).best for game in played)
    low, high = exact_limits(np.array([right]), MOST_ROUNDS * len(SEEDS), 5e-5)
    assert low[0] <= played[0].at_least.share <= high[0]
    assert low[0] <= played[0].at_most.share


def test_rounds_are_a_fair_coin():
    there = sum(one.is_present for game in games(TOY, "certain") for one in game.rounds)
    assert abs(there - 300) < 5 * np.sqrt(600 / 4)


@pytest.mark.parametrize("kind", SETTINGS["game_kind"].choices)
def test_the_same_seed_is_the_same_game_and_any_other_setting_another(kind):
    game = membership_game(SMALL, kind, 5)
    assert membership_game(SMALL, kind, 5) == game
    assert len(game.rounds) == MOST_ROUNDS
    others = [
        membership_game(SMALL, kind, 6),
        membership_game(SMALL, "drawn" if kind == "certain" else "certain", 5),
        membership_game(with_sigma(SMALL, 2.0), kind, 5),
    ]
    assert len({game.code, *(other.code for other in others)}) == 4
    for other in others:
        assert [one.output for one in other.rounds] != [one.output for one in game.rounds]
    # What decides nothing about the rounds leaves the game as it is.
    same = membership_game(varied(SMALL, delta=1e-3), kind, 5)
    assert (same.rounds, same.code) == (game.rounds, game.code)


def test_score_counts_the_answered_rounds():
    game = membership_game(SMALL, "certain", 2)
    truth = "".join("y" if one.is_present else "n" for one in game.rounds)
    wrong = truth.translate(str.maketrans("yn", "ny"))
    assert score(game, truth[:7]).player == 7
    assert score(game, wrong[:7]).player == 0
    assert score(game, truth).rounds == MOST_ROUNDS
    assert score(game, "").best == 0


def test_what_cannot_be_simulated_is_refused():
    noisy = varied(SMALL, context_noise=1.0, forecast_noise=1.0)
    for kind in SETTINGS["game_kind"].choices:
        with pytest.raises(ScenarioError, match="context_noise"):
            membership_game(noisy, kind, 1)


def test_epochs_of_bins_are_no_rounds():
    """A round shows one output, and who attacks bins looks at all of an epoch."""
    bins = with_scheme({"top_level": "bins"})
    with pytest.raises(ScenarioError, match="top_level"):
        membership_game(bins, "drawn", 1)
    noise_alone = membership_game(bins, "certain", 1)
    assert noise_alone.at_most == membership_game(SMALL, "certain", 1).at_most
