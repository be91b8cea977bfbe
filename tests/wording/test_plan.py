"""The planner's sentences say what was found, on which side, and what it costs."""

import json
import re
from dataclasses import replace

import pytest

from dpviz.command_line.commands import main
from dpviz.planning import curves_of
from dpviz.planning.calibrate import plan, with_goal_proven
from dpviz.planning.over_steps import under_top_level
from dpviz.planning.quantities import CALIBRATED
from dpviz.planning.target import HitsGoal, SuccessGoal, Target, goal_of, quantity_of
from dpviz.planning.ways import Way, by_coins, noise_per_gradient, to_less_loss
from dpviz.scenario import from_fields, to_json
from dpviz.settings import View
from dpviz.wording.findings import headline
from dpviz.wording.numbers import times_as
from dpviz.wording.plan import (
    QUANTITY_NAMES,
    coins_sentence,
    cost_sentence,
    goal_words,
    instead_words,
    no_plan_headline,
    no_way_sentence,
    plan_headline,
    too_costly_plan_sentence,
    way_sentence,
)
from tests.planning.brackets import with_bracket
from tests.planning.kinds import curves_of_kind
from tests.scenario.changes import TOY, TRAFFIC, varied

TWO = Target(epsilon=2.0, delta=1e-7)


def test_a_goal_is_told_with_all_its_digits_and_not_as_a_stricter_one():
    assert "at most 60.00004 of 100" in goal_words(SuccessGoal(success=0.6000004))
    hits = HitsGoal(false_positive_rate=0.12345678, true_positive_rate=0.20000004)
    assert goal_words(hits) == "at most 20.000004 % hits at 12.345678 % false alarms"


def test_a_plan_s_headline_has_the_largest_change_as_it_was_set():
    """Whoever has set v is not sent to look for what it is."""
    noisy = varied(TOY, forecast_noise=1.0, steps=10)
    for relation, said in (
        ({"max_change": 1500.0}, "no value changes by more than v = 1,500, the unit of the noise"),
        ({"max_change": 0.5, "num_channels": 2}, "in any of 2 channels by more than v = 0.5, the"),
        ({}, "It holds if no value changes by more than v, the unit of the noise on windows."),
    ):
        planned = plan(varied(noisy, **relation), "noise_multiplier", TWO)
        curves = curves_of(planned.found.scenario)
        assert said in plan_headline(planned, curves)
        assert said in headline(curves)


def test_a_bound_that_is_computed_roughly_is_said_to_be_beside_its_number():
    planned = plan(TOY, "noise_multiplier", TWO)
    exact = curves_of(planned.found.scenario)
    assert "roughly" not in plan_headline(planned, exact)
    rough = replace(exact, upper=with_bracket(exact.upper, 1.9, 2.0))
    assert plan_headline(planned, rough).endswith(
        "1,000 steps). The bound is computed roughly: its exact value may be as small as ε = 1.9."
    )


@pytest.mark.parametrize("quantity", CALIBRATED)
def test_what_is_told_in_place_of_a_costly_plan_finds_the_same(
    quantity, tmp_path, monkeypatch, capsys
):
    """The command, in the folder where the scenario was saved."""
    noisy = varied(TOY, steps=20, noise_multiplier=3.0, forecast_noise=1.0, delta=1e-6)
    goal = Target(epsilon=1.5, delta=noisy.delta)
    said = too_costly_plan_sentence(quantity, goal, "it takes long")
    assert "it takes long" in said
    (tmp_path / "dpviz-scenario.json").write_text(to_json(noisy), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, command, _ = said.split("`")
    assert main([*command.removeprefix("python -m dpviz ").split(), "--json"]) == 0
    found = from_fields(json.loads(capsys.readouterr().out)["scenario"])
    assert found == plan(noisy, quantity, goal).found.scenario


def test_a_costly_plan_for_an_attackers_goal_is_left_to_python():
    """The command knows no such goal."""
    said = too_costly_plan_sentence("steps", SuccessGoal(success=0.6), "it takes long")
    assert "calibrate`, in Python" in said
    assert "command line" not in said


def first_sentence(planned):
    """What is proven of the plan comes after it: of which curves makes no difference."""
    return plan_headline(planned, curves_of_kind("drawn"))


def told(scenario, quantity, goal):
    return first_sentence(plan(scenario, quantity, goal))


@pytest.mark.every(3)
@pytest.mark.parametrize("view", [View(), View(goal="success"), View(goal="hits")])
@pytest.mark.parametrize("free", ["noise_multiplier", "training", "batch_size"])
def test_the_number_told_is_the_one_found(view, free):
    view = replace(view, free_quantity=free, target_epsilon=30.0)
    scenario = varied(TOY, noise_multiplier=4.0, epochs=10)
    planned = plan(scenario, quantity_of(view, scenario), goal_of(view, 1e-6))
    found = planned.found.scenario
    text = first_sentence(planned)
    number = {
        "noise_multiplier": f"{found.noise.noise_multiplier:g}",
        "training": f"{found.training.count:,} epoch",
        "batch_size": f"{found.sampling.batch_size:,}",
    }[free]
    assert number in text.partition(" for ")[0]


def test_the_most_that_is_found_and_a_limit_are_told_as_such():
    assert " epochs are the most proven for ε ≤ 2 at δ = 10⁻⁷.**" in told(TRAFFIC, "epochs", TWO)
    loose, short = Target(epsilon=1e6, delta=1e-3), varied(TRAFFIC, epochs=1)
    assert "the least that can be set, meets" in told(short, "noise_multiplier", loose)
    assert "**No noise on labels is needed**" in told(short, "forecast_noise", loose)
    # Batches of 256 have room for more windows of a series than are tried.
    assert "λ = 64, the most that was tried, meets" in told(short, "num_subsequences", loose)


def test_a_search_that_was_cut_is_told_wherever_its_number_is():
    planned = plan(TOY, "batch_size", Target(epsilon=30.0, delta=1e-7))
    cut = replace(planned, found=replace(planned.found, is_complete=False))
    assert "the search was cut" in first_sentence(cut)
    assert instead_words([cut]).endswith(", perhaps more: the search was cut.")
    one = r"- Batch size Λ: at most [\d,]+ \(upper bound, Theorem 4\.4, 1,000 steps\)\."
    assert re.fullmatch(one, instead_words([planned]))


def test_what_cannot_be_met_says_what_the_limit_gives_and_what_would():
    strict = Target(epsilon=0.01, delta=1e-7)
    planned = plan(TRAFFIC, "noise_multiplier", strict)
    text = no_plan_headline(planned)
    assert text.startswith(
        "**No value of noise multiplier σ is proven to meet ε ≤ 0.01 at δ = 10⁻⁷**: even "
    )
    assert "**: even noise multiplier σ = " in text
    reached = float(re.search(r"gives ε ≤ ([\d.]+) at δ = 10⁻⁷", text)[1])
    assert reached > 0.01
    assert text.endswith(
        "for any single value of one series (upper bound, Theorem 4.4 composed over 12,000 steps)."
    )
    short = Target(epsilon=0.2, delta=1e-7)
    words = instead_words([plan(TRAFFIC, name, short) for name in ("epochs", "forecast_noise")])
    words = words.splitlines()
    assert words[1] == "- Noise on labels σ_F: no value is proven to."
    assert words[0].startswith("- Training epochs: ")


def test_what_is_proven_where_a_goal_is_missed_is_told_as_the_goal_with_what_it_rests_on():
    guessed = no_plan_headline(plan(TOY, "noise_multiplier", SuccessGoal(success=0.501)))
    assert re.search(r"gives up to 5\d\.\d+ % of attackers right at even odds for any", guessed)
    hits = HitsGoal(false_positive_rate=0.01, true_positive_rate=0.0101)
    hit = no_plan_headline(plan(TOY, "steps", hits))
    assert re.search(r"even 1 step gives up to [\d.]+ % hits at 1 % false alarms for any", hit)
    limited = Target(epsilon=0.3, delta=1e-7)
    noised = no_plan_headline(plan(TRAFFIC, "forecast_noise", limited))
    assert "Theorem G.1 composed over 12,000 steps). It holds if no value changes" in noised


def test_what_is_refused_beside_the_open_quantity_is_named():
    several = varied(TOY, series_per_person=2, num_subsequences=2)
    text = no_plan_headline(plan(several, "noise_multiplier", TWO))
    assert "10⁻⁷**. Series per person, at most m = 2 is not allowed: it must be 1 where" in text
    own = no_plan_headline(plan(TOY.with_rates(bottom_rate=0.1), "batch_size", TWO))
    assert own.endswith("10⁻⁷**: rates do not depend on it; give the data's shape.")


def test_where_nothing_else_would_meet_a_goal_either_the_way_on_is_told():
    strict = Target(epsilon=1e-4, delta=1e-15)
    others = [plan(TRAFFIC, name, strict) for name in ("epochs", "num_subsequences")]
    assert instead_words(others) == (
        "No value of training epochs or windows per series λ is proven to: choose a looser goal, "
        "or change several settings."
    )
    pending = instead_words([*others, None])
    assert pending.splitlines() == [
        "- Training epochs: no value is proven to.",
        "- Windows per series λ: no value is proven to.",
    ]
    uncovered = varied(TOY, series_per_person=2, bottom_level="poisson")
    refused = [plan(uncovered, name, strict) for name in ("noise_multiplier", "batch_size")]
    said = "No value of noise multiplier σ or batch size Λ is proven to."
    assert instead_words(refused) == said


def test_half_the_loss_is_half_of_what_exceeds_guessing():
    assert TWO.halved().epsilon == 1.0
    assert goal_of(View(goal="success"), 1e-7).halved().success == pytest.approx(0.55)
    hits = goal_of(View(goal="hits"), 1e-7).halved()
    assert hits.true_positive_rate == pytest.approx(0.015)


def test_a_way_tells_its_change_its_noise_and_its_epsilon():
    way = to_less_loss(TRAFFIC, "epochs", Target(epsilon=0.32, delta=1e-7))
    text = way_sentence(way, curves_of(way.scenario))
    times = times_as(way.after / way.before, "many")
    assert text.startswith(f"**Training epochs: {int(way.after):,}** ({times}) with ")
    assert text.count("steps") == 1
    assert way_sentence(way, None).endswith(f", {way.scenario.num_steps:,} steps")
    assert "less" not in text
    assert f"noise per gradient {noise_per_gradient(TRAFFIC):.4g}"[:24] in text
    told = re.search(r"ε ≤ ([\d.]+) at δ = 10⁻⁷ \(upper bound, Theorem 4.4, [\d,]+ steps\)$", text)
    assert float(told[1]) <= 0.3201


def test_coins_are_told_with_the_noise_that_they_need_where_it_is_less():
    planned = plan(by_coins(TOY), "noise_multiplier", TWO)
    found = planned.found.scenario
    sigma = found.noise.noise_multiplier
    text = coins_sentence(plan(TOY, "noise_multiplier", TWO).found.scenario, planned)
    assert re.search(rf"\(Poisson\), σ = {sigma:g} is enough\*\*, instead of σ = ", text)
    proven = "(upper bound, dpviz's Proposition 3 composed over 1,000 steps)."
    assert f"{proven} No other series takes the place of one that is left out, so" in text
    assert text.endswith("must stay secret; the sum is divided by the fixed Λ.")
    assert coins_sentence(found, planned) == ""
    # That is no reason beside what draws no fixed number of series.
    walked = plan(under_top_level(TOY, "deterministic"), "noise_multiplier", TWO).found.scenario
    assert f"{proven} With coins the batch size" in coins_sentence(walked, planned)
    # Two bins of 160 series each, where coins draw 120 on average.
    bins = varied(found, top_level="bins", batch_size=120, noise_multiplier=1.1 * sigma)
    coins = replace(planned.found, scenario=varied(found, batch_size=120))
    assert coins_sentence(bins, replace(planned, found=coins)) == ""


def test_a_change_from_none_has_no_factor():
    way = Way(quantity="forecast_noise", before=0.0, after=2.0, scenario=TOY)
    assert "times" not in way_sentence(way, None)


def test_every_quantity_has_a_name_and_costs_are_told():
    assert set(QUANTITY_NAMES) >= {"steps", "epochs", "batch_size"}
    assert cost_sentence(TRAFFIC) == (
        "Noise of standard deviation σ / Λ = **0.01563 clipping norms** on each coordinate of an "
        "averaged gradient of 256 windows."
    )
    four = varied(TRAFFIC, batch_size=255, num_subsequences=4)
    assert "of 252 windows, whose sum is divided by Λ = 255." in cost_sentence(four)
    bins = cost_sentence(under_top_level(TRAFFIC, "bins"))
    assert "σ K / (N λ) = **0.01393 clipping norms**" in bins
    assert bins.endswith("of 287.3 windows on average.")
    assert cost_sentence(varied(TRAFFIC, top_level="bins", batch_size=270)) == bins
    assert cost_sentence(under_top_level(TOY, "bins")).endswith("of 32 windows on average.")
    assert cost_sentence(under_top_level(TOY, "poisson")).endswith("of 32 windows on average.")
    few = varied(TOY, series_lengths=(3,), num_subsequences=8, bottom_level="poisson")
    assert "of 12 windows, whose sum is divided by Λ = 32." in cost_sentence(few)
    few = cost_sentence(varied(under_top_level(few, "bins"), batch_size=30))
    assert "11.29 windows on average, whose sum counts as divided by N λ / K = 30.12." in few


def test_a_cost_is_an_average_where_batches_may_differ():
    def is_average(**changes):
        return "on average" in cost_sentence(varied(TOY, **changes))

    for level in ("poisson", "bins"):
        assert is_average(top_level=level)
        assert not is_average(top_level=level, batch_size=320)
    assert is_average(top_level="flat", bottom_level="poisson")
    assert not is_average(top_level="flat", bottom_level="poisson", batch_size=6400)
    by_coins = {"bottom_level": "poisson", "num_subsequences": 32}
    assert not is_average(**by_coins)  # all 20 windows of each series
    assert is_average(**by_coins, series_lengths=(20, 5000))
    assert is_average(bottom_level="poisson")
    assert not is_average()


def planned_coarsely(goal):
    planned = plan(TOY, "noise_multiplier", goal)
    return planned, curves_of(planned.found.scenario, tolerance=1e-2, only_quoted=True)


def test_coarse_curves_do_not_contradict_what_the_search_has_proven():
    """Both are upper bounds at the same delta by the same theorem: the smaller one is told."""
    planned, coarse = planned_coarsely(TWO)
    assert coarse.epsilon_upper > 2.0
    told = with_goal_proven(planned, coarse)
    assert "**ε ≤ 2 at δ = 10⁻⁷** (upper bound, Theorem 4.4" in plan_headline(planned, told)
    exact = curves_of(planned.found.scenario)
    assert exact.epsilon_upper <= 2.0
    assert with_goal_proven(planned, exact) is exact  # never more than is proven


def test_the_goal_is_told_as_proven_only_where_it_is_an_epsilon():
    planned, coarse = planned_coarsely(goal_of(View(goal="success"), 1e-7))
    assert with_goal_proven(planned, coarse) is coarse


def test_one_epoch_hides():
    planned = plan(varied(TOY, epochs=1), "noise_multiplier", TWO)
    curves = replace(curves_of_kind("drawn"), scenario=planned.found.scenario)
    assert ", 1 epoch (10 steps) hides any single value" in plan_headline(planned, curves)


def test_settings_that_were_tried_in_vain_are_named():
    """Others, such as shorter windows, may do it: none of those is spoken of."""
    said = no_way_sentence(["batch_size", "epochs", "forecast_noise"])
    assert said == (
        "None of these alone is proven to do it and leaves enough training: batch size Λ, training "
        "epochs and noise on labels σ_F."
    )
