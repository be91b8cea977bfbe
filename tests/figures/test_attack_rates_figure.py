"""Charts of attackers: what they find at most, and what was simulated."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.figures import figure_json
from dpviz.figures.attack_rates import beliefs_chart, people_chart, trade_off_chart
from dpviz.figures.delta_lines import theory_check_chart
from dpviz.figures.densities import membership_game_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates
from dpviz.planning.membership_game import membership_game
from dpviz.planning.simulated_attack import TESTED_EPSILONS
from dpviz.risk import posterior_at_loss, posterior_of_claim
from dpviz.scenario import PRESETS, Noise
from dpviz.settings import SETTINGS
from dpviz.wording.attack_rates import Told
from dpviz.wording.people import odds_of_pair, odds_of_run
from tests.figures.reading import accepted, traces_of
from tests.planning.theory_checks import SCHEMES, SMALL, check_of, scheme_name, with_scheme
from tests.scenario.changes import varied

TOY = varied(PRESETS["toy"].scenario, steps=50)


def told_of(scenario=TOY, rate=0.01, prior=0.2):
    rates = attack_rates(scenario, rate)
    return Told(rates=rates, curves=curves_of(scenario), rate=rate, prior=prior)


@pytest.fixture(scope="module")
def told():
    return told_of()


@pytest.mark.parametrize("is_log", [False, True])
def test_every_line_is_drawn_in_its_order(told, is_log):
    """Guessing, at least, at most, one pair: each over the one before."""
    found = traces_of(trade_off_chart(told, is_log=is_log))
    lines = [found[uid] for uid in ("target-upper", "series-0-lower", "series-0-upper",
                                    "series-1-upper")]  # fmt: skip
    for below, above in pairwise(lines):
        assert below["x"] == above["x"]
        assert all(low <= high for low, high in zip(below["y"], above["y"], strict=True))
    assert (min(lines[0]["x"]) > 0.0) == is_log
    assert (found["told"]["x"], found["told"]["y"]) == ([0.01], [told.hits[0]])


def test_hover_says_direction_theorem_and_count(told):
    found = traces_of(trade_off_chart(told, is_log=False))
    assert "(upper bound, Theorem 4.4, 50 steps)" in found["series-0-upper"]["text"][5]
    assert found["series-0-upper"]["text"][5].startswith("at most ")
    assert found["series-0-lower"]["text"][5].startswith("at least ")
    assert "(lower bound, Theorem 4.4, 50 steps)" in found["series-0-lower"]["text"][5]


def test_beliefs_are_bayes_rule_over_every_prior(told):
    found = traces_of(beliefs_chart(told))
    most, loss = told.hits[0], told.rates.largest_loss
    for prior, claim, anything in zip(
        found["series-0"]["x"], found["series-0"]["y"], found["series-1"]["y"], strict=True
    ):
        assert claim == posterior_of_claim(prior, 0.01, most) >= prior
        assert anything == posterior_at_loss(prior, loss) >= prior


def test_extremes_are_numbers(told):
    """A pair without a finite epsilon is left out; nothing that is drawn is infinite."""
    loud = told_of(replace(TOY, noise=Noise(noise_multiplier=0.1)), rate=1e-6, prior=1e-6)
    quiet = told_of(replace(TOY, noise=Noise(noise_multiplier=100.0)), rate=0.9999)
    for one in (loud, quiet):
        for is_log in (False, True):
            assert figure_json(trade_off_chart(one, is_log=is_log))
        assert figure_json(beliefs_chart(one))


def test_every_kind_of_person_is_explained_beside_a_mark_of_its_look(told):
    """Filled are those whom some attacker finds, pale those whom none is proven to miss."""
    odds = odds_of_run(told)
    pair = odds_of_pair(1.0, 1e-7, 0.001, 0.5)  # nothing proven from below, nobody accused of 100
    least, most = odds.found_at_least, odds.found_at_most
    assert 0 < least < most
    of_run = [
        f"at least {odds.told_at_least}, by some attacker",
        f"in all at most {odds.told_at_most}",
    ]
    for one, words in (
        (odds, [*of_run, "accused falsely"]),
        (pair, [f"at most {pair.told_at_most}, by any attacker"]),
    ):
        spec = people_chart(one)
        found, notes = traces_of(spec), spec["layout"]["annotations"]
        keys = [uid for uid in found if uid.startswith("key-")]
        assert [note["text"] for note in notes[2:]] == words
        for uid, note in zip(keys, notes[2:], strict=True):
            assert found[uid]["marker"] == found[uid.removeprefix("key-")]["marker"]
            assert found[uid]["y"] == [note["y"]]
        low, _ = spec["layout"]["yaxis"]["range"]
        assert low < min(note["y"] for note in notes)


@pytest.mark.parametrize("scheme", SCHEMES[::4], ids=scheme_name)
def test_band_leaves_the_chart_where_it_holds_zero(scheme):
    """It has no lower edge there: the axis ends above where the edge is drawn."""
    check = check_of(with_scheme(scheme), runs=1000)
    spec = theory_check_chart(check, 1.0, identity="test")
    traces, bottom = accepted(spec), 10.0 ** spec["layout"]["yaxis"]["minallowed"]
    edge = np.array(traces["band-low"]["y"])
    places = np.searchsorted(TESTED_EPSILONS, traces["band-low"]["x"])
    low, high = check.band.low[places], check.band.high[places]
    assert bottom == pytest.approx(1e-3)
    assert np.array_equal(edge[low >= bottom], low[low >= bottom])
    assert (edge[low < bottom] < bottom / 2).all()
    assert traces["band-high"]["y"] == np.maximum(high, 1e-4).tolist()
    assert ("lower" in traces) == (check.curves.lower is not None)
    # On a logarithmic axis there is no place for 0.
    for trace in traces.values():
        assert all(y is None or y > 0.0 for y in trace["y"])
        assert min(trace["x"]) > 0.0


def test_mark_is_drawn_only_where_the_chart_has_it():
    check = check_of(SMALL, runs=1000)
    for epsilon, is_drawn in ((0.1, True), (100.0, False)):
        shapes = theory_check_chart(check, epsilon, identity="test")["layout"]["shapes"]
        assert (epsilon in [one["x0"] for one in shapes if one["x0"] == one["x1"]]) is is_drawn


@pytest.mark.parametrize("kind", SETTINGS["game_kind"].choices)
@pytest.mark.parametrize("scheme", SCHEMES[::3], ids=scheme_name)
def test_game_shows_past_rounds_and_the_current_number_alone(scheme, kind):
    game = membership_game(with_scheme(scheme), kind, 3)
    spec = membership_game_chart(game, "ynyn", "Round 5")
    traces = accepted(spec)
    for is_present in (True, False):
        own = [one.output for one in game.rounds[:4] if one.is_present == is_present]
        past = traces.get(f"past-{is_present}", {"x": [], "marker": {"symbol": []}})
        assert sorted(past["x"]) == pytest.approx(sorted(own), abs=1e-4)
        # The legend, which tells of filled ones, shows the first.
        are_open = [one.endswith("-open") for one in past["marker"]["symbol"]]
        assert are_open == sorted(are_open)
    (line,) = spec["layout"]["shapes"]
    assert line["x0"] == game.rounds[4].output
    turned = tuple(
        one if at < 4 else replace(one, is_present=not one.is_present)
        for at, one in enumerate(game.rounds)
    )
    assert membership_game_chart(replace(game, rounds=turned), "ynyn", "Round 5") == spec


def test_every_number_of_the_game_is_within_the_chart():
    game = membership_game(SMALL, "drawn", 3)
    present = membership_game_chart(game, "", "Round 1")["data"][0]
    outputs = [one.output for one in game.rounds]
    assert min(present["x"]) <= min(outputs) + 1e-4
    assert max(present["x"]) >= max(outputs) - 1e-4
    over = membership_game_chart(game, "y" * 50, "All")
    assert "shapes" not in over["layout"]
