"""Numbers are told on their own side, settings with all digits: never more than is proven."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.accounting import Bracket, best_upper
from dpviz.export.comparison_tables import comparison_table
from dpviz.export.curve_tables import attack_rates_table
from dpviz.export.protection_tables import release_table
from dpviz.figures.attack_rates import people_chart
from dpviz.figures.release import failure_chart
from dpviz.figures.sweep_results import parallel_chart
from dpviz.guarantees import guarantee_for, revealing_rate
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import Gain, attack_rates
from dpviz.planning.comparison import ComparedRun
from dpviz.planning.ledger import ledger
from dpviz.planning.membership_game import Score, membership_game
from dpviz.planning.proven import Proven
from dpviz.planning.step_outputs import step_outputs
from dpviz.planning.target import HitsGoal, Target
from dpviz.private_inference.noise import noise_over_rates
from dpviz.private_inference.plan import HidingPlan
from dpviz.release import ReleaseSettings
from dpviz.release.mechanisms import rows_without_errors
from dpviz.release.published import FAILURE_RATES, failure_chances
from dpviz.scenario import DataShape, Sampling
from dpviz.scenario.ledger import NamedRun
from dpviz.sweeps.results import SweepResults
from dpviz.wording.attack_rates import Told, gain_sentence, percent
from dpviz.wording.batch_drawing import outputs_description, outputs_sentence
from dpviz.wording.comparison_table import table_rows
from dpviz.wording.label_noise import rate_sentence
from dpviz.wording.ledger import (
    ledger_description,
    ledger_headline,
    left_sentence,
    room_sentences,
)
from dpviz.wording.membership_game import score_table
from dpviz.wording.numbers import (
    number_rounded_down,
    number_rounded_up,
    percent_down,
    percent_up,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.people import (
    odds_of_pair,
    odds_of_run,
    people_description,
    people_headline,
    people_sentences,
)
from dpviz.wording.plan import cost_sentence, value_words
from dpviz.wording.private_inference import noise_title
from dpviz.wording.protected_forecasts import protection_words
from dpviz.wording.region_map import value_text
from dpviz.wording.release import failure_description
from dpviz.wording.sweep_results import results_headline
from dpviz.wording.training_length import too_costly_sentence
from tests.figures.reading import traces_of
from tests.planning.kinds import RUNS, curves_of_kind
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.wording.reading import number, numbers_after

LONG = 1.23456789
DELTA = 1.2345678e-07


def with_noise(sigma, **noise):
    return varied(TOY, noise_multiplier=sigma, **noise)


def test_a_setting_has_all_its_digits_wherever_it_stands_beside_a_bound():
    finer = with_noise(LONG)
    assert value_words(finer, "noise_multiplier") == "σ = 1.23456789"
    told = value_text(finer, "noise_multiplier", LONG)
    assert told.endswith("= 1.23456789")
    assert value_text(finer, "batch_size", 320).endswith("= 320")
    assert percent(0.123456789) == "12.3456789 %"
    assert "within radius 12,345.6" in protection_words("radius-swap:12345.6:12")
    assert protection_words("top-coding:0.123456") == "top coding of 12.3456 %"
    assert protection_words("laplace-known-bounds:1:12345.6:99999.9") == (
        "Laplace noise by known bounds 12,345.6 to 99,999.9, ε ≤ 1 of one value"
    )


def test_a_claim_is_told_at_the_rates_that_were_set():
    odds = odds_of_pair(1.0, 1e-7, 0.0123456, 0.1234567)
    assert "A blind guess finds 1.23456." in people_headline(odds)
    assert "thought it 12.34567 in 100 likely" in people_sentences(odds)


def test_what_an_attacker_gains_just_above_a_share_of_few_digits_is_not_told_as_that():
    more = Bracket(low=0.0, high=math.nextafter(0.0014, 1.0))
    proven = Proven(bound=guarantee_for(TOY).upper, bracket=more)
    told = gain_sentence(Gain(success=proven, hits=(proven, proven)))
    assert "**at most 0.1401 are right**" in told
    assert told.count("**at most 0.1401 % hits**") == 2


def test_a_goal_and_a_delta_are_told_in_messages_as_they_are():
    curve, target = best_upper(TOY), Target(epsilon=1.0, delta=DELTA)
    assert target.reached(target.proven(curve)).endswith(f"at delta {DELTA!r}")
    goal = HitsGoal(false_positive_rate=0.123456789, true_positive_rate=0.2)
    assert goal.reached(goal.proven(curve)).endswith("at a false positive rate of 0.123456789")


def test_a_ledger_whose_half_of_delta_is_used_up_has_nothing_left():
    """At half of delta the runs alone need all of this budget."""
    found = ledger([NamedRun(name="one", scenario=TOY)], DELTA)
    budget = found.upper.high
    assert found.left_of(budget) == 0.0
    said = left_sentence(found, budget)
    assert said.startswith("**Nothing is left for a release outside of the ledger** (basic ")
    assert "Left: " not in said
    assert left_sentence(found, 2.0 * budget).startswith("**Left: ε = ")
    assert f"at delta {DELTA!r}" in ledger_description(found)


def test_a_ledger_s_total_says_what_dpviz_adds_to_a_theorem():
    scenario = replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))
    said = ledger_headline(ledger([NamedRun(name="one", scenario=scenario)], DELTA), 1.0)
    assert "(upper bound, composed from Theorem 4.2, with dpviz's extension" in said


def test_a_ledger_s_total_hides_no_more_than_its_run_on_the_longest_series_does():
    """The protected values are the whole of the first run's series alone."""
    runs = [
        NamedRun(name=str(length), scenario=varied(TOY, series_lengths=(length,), width=20))
        for length in (20, 200)
    ]
    said = ledger_headline(ledger(runs, DELTA), 1.0)
    assert "for any 20 consecutive values of one series" in said


def test_a_budget_has_all_its_digits():
    """Of runs within 0.50004 nothing is proven at 0.5."""
    found = ledger([NamedRun(name="one", scenario=varied(TOY, steps=10))], 1e-7)
    assert "within the budget, ε = 30.00004 at δ = " in left_sentence(found, 30.00004)
    assert "the budget**, ε = 0.50004 at δ = 10⁻⁷: the" in left_sentence(found, 0.50004)
    assert room_sentences([None], 0.50004, 1e-7, 1)[0].startswith("Within ε = 0.50004 at δ = ")


def a_sweep(*steps, epsilons=None):
    rows = len(steps)
    found = [5.0] * rows if epsilons is None else epsilons
    return SweepResults(
        numbers={
            "steps": np.array(steps, dtype=float),
            "delta": np.full(rows, 1e-7),
            "epsilon_lower": np.full(rows, np.nan),
            "epsilon_upper": np.array(found),
        },
        names={},
        rows=np.arange(1, rows + 1),
        words={},
        fields={},
        others=0,
    )


def test_a_row_of_a_sweep_has_all_digits_of_its_settings():
    spec = parallel_chart(a_sweep(12346, 17544), np.arange(2), -1)
    said = json.dumps(spec)
    assert "12,346" in said
    assert "17,544" in said


def test_one_scenario_of_a_sweep_has_one_epsilon():
    one, two = a_sweep(10), a_sweep(10, 20, epsilons=[5.0, 6.0])
    assert results_headline(one, np.arange(1), 9.0).startswith(
        "**1 scenario: ε ≤ 5** (upper bound)"
    )
    assert "**2 scenarios: ε ≤ 5 to 6** (upper bounds)" in results_headline(two, np.arange(2), 9.0)
    # A row of 0.49998 exceeds a limit of 0.49996, and has no more than 0.5.
    none = np.array([], dtype=np.int64)
    assert results_headline(one, none, 0.49996) == "**None of 1 scenario has ε ≤ 0.4999.**"


def test_the_chance_that_a_step_shows_the_change_is_told_as_a_bound():
    for sigma in (0.3, 0.7, 1.1, 1.9, 2.3):
        noisy = with_noise(1.0, forecast_noise=sigma, context_noise=0.5)
        told = re.search(r"It is (0\.\d+) with the noise", rate_sentence(noisy))
        assert float(told[1]) >= revealing_rate(noisy)


def test_a_bound_of_the_game_that_has_a_condition_tells_it():
    noisy = with_noise(1.0, forecast_noise=2.0)
    table = score_table(membership_game(noisy, "drawn", 1), Score(rounds=0, player=0, best=0))
    most, least = table.splitlines()[-2:]
    assert "if no value changes by more than v" in most
    assert "if no value changes by more than v" in least
    plain = score_table(membership_game(TOY, "drawn", 1), Score(rounds=0, player=0, best=0))
    assert "if no value" not in plain


@pytest.mark.parametrize("rate", [0.5, 0.73, 0.999999])
def test_noise_that_is_saved_is_told_no_larger_than_it_is(rate):
    plan = HidingPlan(context_length=8, rate=rate, max_change=1.0, epsilon=1, delta=1e-4)
    found = noise_over_rates(plan, (1.0,))
    said = noise_title(plan, found)
    saved = 1.0 - found[0].by("exact") / found[1].by("exact")
    number = re.search(r"takes (\S+) % less", said)
    if number is None:
        assert said.endswith("takes about as much noise as keeping all")
        assert saved < 0.001
    else:
        assert 0.0 < float(number[1]) <= 100.0 * saved


def test_a_chance_of_more_is_told_at_a_threshold_that_is_no_smaller():
    """Of a smaller one it would not be proven."""
    said, drawn = failure_description(), traces_of(failure_chart())
    for rate in FAILURE_RATES:
        alphas, _ = failure_chances(rate, 1e-4)
        told = re.search(rf"p = {rate:g}: at most \S+ at α = ([\d.]*\d)", said)
        assert alphas[-1] <= float(told[1]) <= alphas[-1] + 1e-3
        alphas, _ = failure_chances(rate, 1e-12)
        for alpha, text in zip(alphas, drawn[f"failure-{rate}"]["text"], strict=True):
            assert alpha <= float(re.search(r"more than (\S+) √I", text)[1]) <= alpha + 1e-3


def test_attacks_on_noised_windows_are_not_called_those_of_a_shortest_series():
    for noise in ("forecast_noise", "context_noise"):
        scenario = varied(TOY, num_subsequences=2, **{noise: 2.0})
        outputs = step_outputs(scenario)
        assert outputs.drawn is outputs.lower
        assert outputs.drawn.bound.other_pairs
        said = outputs_sentence(scenario, outputs)
        assert "Drawn is one of several attacks" in said
        assert "shortest series" not in said


def test_a_guess_no_better_than_a_coins_is_not_told():
    """Of what is attained, 0.5 is no lower bound worth its words."""
    rare = varied(TOY, series_lengths=(10_000,), num_subsequences=2, forecast_noise=2.0)
    outputs = step_outputs(rare)
    assert 0.0 < outputs.drawn.share < 1e-4
    assert "guess" not in outputs_sentence(rare, outputs)
    assert outputs_description("a title", outputs).endswith(", for one step.")


def test_what_has_no_finite_epsilon_is_said_in_words_in_tables():
    curves, weak = curves_of_kind("no finite epsilon"), RUNS["no finite epsilon"]
    told = Told(rates=attack_rates(weak, 0.01), curves=curves, rate=0.01, prior=0.5)
    assert "None" not in attack_rates_table(told).csv()
    settings = ReleaseSettings(length=625, participation=100, epsilon=0.5, delta=1e-4)
    rows = [replace(one, more_epsilon=math.inf) for one in rows_without_errors(settings, 2.0)]
    text = release_table(rows, rows[0], {"original": np.zeros(3)}, series="a sine", seed=1).csv()
    assert text.count("no finite epsilon for who is in 200 steps") == len(rows)
    assert "at most none" not in text


def test_a_loss_in_a_table_is_a_plain_number():
    """Of windows by coins with hardly any noise."""
    coins = Sampling(batch_size=4, top_level="poisson", bottom_level="poisson", num_subsequences=4)
    shape = DataShape(num_series=76, series_lengths=(2,), context_length=0, forecast_length=1)
    loud = varied(TOY, data=shape, sampling=coins, noise_multiplier=0.1, epochs=2, width=5)
    told = Told(rates=attack_rates(loud, 0.01), curves=curves_of(loud), rate=0.01, prior=0.5)
    assert "np.float" not in attack_rates_table(told).csv()


def test_a_batch_of_one_window_on_average_has_one():
    alone = varied(TOY, batch_size=1, top_level="bins")
    assert "of 1 window on average" in cost_sentence(alone)


def test_one_bag_has_no_windows_per_series_and_rates_that_are_set_are_told_as_set():
    bag = varied(TOY, top_level="flat")
    rates = TOY.with_rates(bottom_rate=LONG / 10.0)
    runs = [
        ComparedRun(name=name, scenario=one, curves=curves_of(one))
        for name, one in (("now", bag), ("A", rates))
    ]
    in_bag, of_rates = table_rows(runs)
    assert in_bag["num_subsequences"] is None
    assert of_rates["num_subsequences"] == 1
    assert of_rates["bottom_rate"] == LONG / 10.0
    header, first, _ = comparison_table(runs).csv().splitlines()[-3:]
    assert dict(zip(header.split(","), first.split(","), strict=False))["num_subsequences"] == ""


def test_one_step_is_no_steps():
    one = varied(TOY, steps=1)
    assert too_costly_sentence(one, "it takes long").startswith("An answer to 1 step is not")


POSITIVE = st.floats(1e-15, 1e12)


@given(POSITIVE, st.integers(1, 8))
def test_rounded_numbers_are_on_the_safe_side_close_and_of_so_many_digits(value, digits):
    """Their shortest digits, as JavaScript and Python write them, are the rounded ones."""
    up, down = number_rounded_up(value, digits), number_rounded_down(value, digits)
    step = 10.0 ** (1 - digits) * 1.001
    assert value * (1 - step) <= down <= value <= up <= value * (1 + step)
    assert (number(rounded_up(value, digits)), number(rounded_down(value, digits))) == (up, down)
    assert (up, down) == tuple(float(f"{one:.{digits}g}") for one in (up, down))


@pytest.mark.parametrize("share", [0.0014, 0.03, 0.774])
def test_a_share_just_beside_one_of_few_digits_is_not_told_as_that(share):
    """A hundred times as much has more digits than a double, and may be rounded to just that."""
    more, less = (math.nextafter(share, end) for end in (1.0, 0.0))
    below, at, above = percent_down(less), percent_up(share), percent_up(more)
    assert at == percent_down(share)
    assert number(below[:-2]) < number(at[:-2]) < number(above[:-2])


def test_zero_stays_zero_carries_reach_the_next_digit_and_small_numbers_are_powers():
    assert (rounded_up(0.0), rounded_down(0.0), rounded(0.0)) == ("0", "0", "0")
    assert (rounded_up(9.9991), rounded_up(99999.1)) == ("10", "100,000")
    assert rounded_up(1.23456e-9, 3) == "1.24·10⁻⁹"


@given(
    epsilon=st.floats(1e-3, 100.0),
    delta=st.floats(1e-12, 0.5),
    rate=st.floats(1e-6, 0.9999),
    prior=st.floats(1e-6, 0.999999),
)
def test_no_number_of_a_pair_is_below_what_the_pair_allows(epsilon, delta, rate, prior):
    odds = odds_of_pair(epsilon, delta, rate, prior)
    region = min(math.exp(epsilon) * rate + delta, 1.0 - math.exp(-epsilon) * (1.0 - rate - delta))
    hits = min(max(region, 0.0), 1.0)
    found = numbers_after("**finds at most ", people_headline(odds))[0]
    assert found >= 100.0 * hits * (1.0 - 1e-12)
    said = people_sentences(odds)
    # The largest difference of hits and false alarms is where both lines of the region meet.
    meeting = (1.0 - delta) / (1.0 + math.exp(epsilon))
    success = (1.0 + (math.exp(epsilon) - 1.0) * meeting + delta) / 2.0
    right = numbers_after("no attacker for more than ", said)[0]
    assert 100.0 * success * (1.0 - 1e-12) <= right <= 100.0 * success + 1.0 + 1e-9
    claims = prior * hits / (prior * hits + (1.0 - prior) * rate)
    assert numbers_after("is right in at most ", said)[0] >= 100.0 * claims * (1.0 - 1e-9)
    assert people_description(odds).endswith("accused falsely.")


def test_a_run_is_told_with_theorem_side_length_and_person():
    rates, curves = attack_rates(TRAFFIC, 0.01), curves_of(TRAFFIC)
    odds = odds_of_run(Told(rates=rates, curves=curves, rate=0.01, prior=0.5))
    most, least = rates.at(0.01)
    said = people_headline(odds)
    assert said.startswith("Of 100 people in the data, ")
    assert "Training: 4,000 epochs (12,000 steps), series drawn at random, ε ≤ 0.63" in said
    # Whole people would be those that a blind guess finds, and one more.
    assert 1.4 < 100 * most < 1.5
    assert 1.3 < 100 * least < 1.4
    assert "**finds at most 1.5** on average (upper bound, Theorem 4.4" in said
    assert "Some attacker finds at least 1.3 (lower bound, by the same" in said
    assert said.endswith("A person here stands for any single value of one series.")
    # As told, that is what a blind guess finds.
    guess = replace(odds, least=0.01004)
    assert "ome attacker" not in people_headline(guess) + people_description(guess)
    assert guess.found_at_least is None
    # 100 times that is less than 0.0001 in doubles.
    assert replace(odds, rate=1e-6, least=1.004e-6).told_at_least == ""
    noisy = with_noise(1.0, forecast_noise=2.0)
    told = Told(rates=attack_rates(noisy, 0.01), curves=curves_of(noisy), rate=0.01, prior=0.5)
    # What has to hold is said of the bound, and not of guessing.
    assert re.search(
        r"\(upper bound, [^)]*\)\. It holds if no value [^.]*\. A blind guess finds 1\.",
        people_headline(odds_of_run(told)),
    )
    # 10 e^0.6375 of 1,000.
    assert "at most 19 of 1,000 with them do (ε = 0.63" in people_sentences(odds)


@pytest.mark.parametrize(("epsilon", "rate"), [(1e-3, 0.01), (1.0, 0.2), (100.0, 0.5)])
def test_the_drawing_has_100_people_on_each_side(epsilon, rate):
    odds = odds_of_pair(epsilon, 1e-6, rate, 0.5)
    drawn = {trace["uid"]: len(trace["x"]) for trace in people_chart(odds)["data"]}
    assert drawn["perhaps"] == odds.found_at_most
    assert sum(drawn.get(uid, 0) for uid in ("found", "perhaps", "unseen")) == 100
    assert drawn["accused"] == round(100 * rate)
    assert np.isclose(drawn["accused"] + drawn["others"], 100)


@pytest.mark.parametrize("function", [rounded, rounded_up, rounded_down])
@pytest.mark.parametrize("value", [1e15, 1.2345678e100, 1.7976931348623157e308, 5e-324])
def test_no_number_is_as_long_as_its_zeros(function, value):
    """A file of absurd values has absurd errors, and nobody counts a hundred zeros."""
    for signed_value in (value, -value):
        assert len(function(signed_value)) <= len("−1.234·10⁻³⁰⁰")


def test_powers_begin_where_zeros_need_counting():
    assert rounded(999_999_999_999_999.0) == "1·10¹⁵"
    assert rounded(999_949_999_999_999.0) == "999,900,000,000,000"
