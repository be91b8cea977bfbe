"""What the numbers in the lessons' texts have to be: each computed, with the words around it."""

from collections.abc import Callable
from functools import cache
from math import ceil, exp, floor, sqrt

import numpy as np

from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates, attackers_gain
from dpviz.planning.calibrate import calibrated
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.membership_game import CERTAIN, membership_game
from dpviz.planning.one_bag import bag_run, bag_size, promise_run, series_first_run
from dpviz.planning.target import Target
from dpviz.scenario import Relation, Scenario
from dpviz.scenario.mechanism import COINS, LARGEST_AUGMENTATION
from dpviz.settings import SETTINGS
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.numbers import power_of_ten, rounded, rounded_down, rounded_up
from tests.scenario.changes import varied

curves = cache(curves_of)


def at_most(scenario: Scenario) -> str:
    return f"ε ≤ {rounded_up(curves(scenario).epsilon_upper)}"


def at_least(scenario: Scenario) -> str:
    return f"ε ≥ {rounded_down(curves(scenario).epsilon_lower)}"


def theorem(scenario: Scenario, side: str = "upper") -> str:
    """Return the bound's theorem, which is of the side that is asked for."""
    bound = getattr(curves(scenario), side).bound
    return f"{'Proposition' if bound.theorem[0] == 'C' else 'Theorem'} {bound.theorem}"


def delta(scenario: Scenario) -> str:
    return f"δ = {power_of_ten(scenario.delta)}"


def leak() -> list[str]:
    scenario = LESSONS_BY_NAME["leak"].scenario
    data, touched = scenario.data, scenario.touched_windows
    context, labels, places = data.context_length, data.forecast_length, data.start_positions
    assert touched == context + labels
    chance = hit_law(scenario).mean
    assert np.isclose(chance, scenario.top_rate * touched / places)
    batch = scenario.sampling.batch_size
    assert f"{scenario.top_rate:g}" == f"{batch / data.num_series:g}"
    return [
        f"{data.num_series} series has {data.series_lengths[0]} values",
        f"{context} past values and the {labels} that are to be forecast",
        f"there are {places} places",
        f"About {100 * (1.0 - chance):.0f} of 100 steps",
        f"- In {labels}\n",
        f"- In {touched}\n",
        f"- In all {places}\n",
        f"{context} windows read the value as context and {labels} forecast it",
        f"it touches {touched} of the {places} windows",
        f"{batch} of the {data.num_series} series",
        f"probability {scenario.top_rate:g} · {touched}/{places}, about {rounded(chance)}",
    ]


def rates() -> list[str]:
    scenario = LESSONS_BY_NAME["rates"].scenario
    r, rho, count = scenario.bottom_rate, scenario.top_rate, scenario.num_steps
    assert (r, rho) == (0.1, 0.1)
    longer = varied(scenario.with_rates(bottom_rate=r / 2), steps=count)
    assert at_most(longer) == at_most(scenario.with_rates(top_rate=rho / 2))
    assert curves(longer).epsilon_upper > 1.0
    return [
        f"r = {r:g} and ρ = {rho:g}, over {count:,} steps",
        f"At {delta(scenario)}, {at_most(scenario)} with both at {r:g}, and {at_most(longer)} with "
        f"either at {r / 2:g}: upper bounds ({theorem(scenario)}) over {count:,} steps",
        "Their ε is above 1",
    ]


def windows() -> list[str]:
    scenario = LESSONS_BY_NAME["windows"].scenario
    size = scenario.sampling.batch_size
    other = varied(scenario, num_subsequences=size)
    one, several = hit_law(scenario), hit_law(other)
    assert np.isclose(one.mean, several.mean)
    assert curves(scenario).epsilon_upper < curves(other).epsilon_lower
    louder = [varied(run, noise_multiplier=10.0) for run in (scenario, other)]
    assert curves(louder[0]).epsilon_upper < curves(louder[1]).epsilon_lower
    shares = [1.0 - float(law.weights[0]) for law in (one, several)]
    twice = shares[1] - float(several.weights[1])
    return [
        f"A batch has {size} windows: one from each of {size} series, λ = 1, or all from one "
        f"series, λ = {size}",
        f"after {scenario.num_steps:,} steps, at {delta(scenario)}",
        f"One window from each of {size} series",
        f"All {size} windows from one series",
        f"the lines for λ = 1 and λ = {size}",
        f"One window per series has {at_most(scenario)} (upper bound, {theorem(scenario)})",
        f"With all {size} windows from one series, no analysis can promise less than "
        f"{at_least(other).replace('≥', '=')} (lower bound)",
        f"at σ = 10, {at_most(louder[0])} against no less than "
        f"{at_least(louder[1]).removeprefix('ε ≥ ')}",
        f"λ = 1 has a protected window in a share of {rounded(shares[0])} of the steps, "
        f"λ = {size} only in {rounded(shares[1], 3)}, but in {rounded(twice, 3)} two or more",
    ]


def steps() -> list[str]:
    one, count = LESSONS_BY_NAME["steps"].scenario, 1000
    scenario, longer = varied(one, steps=count), varied(one, steps=10 * count)
    assert one.num_steps == 1
    first, all_steps = curves(one).epsilon_upper, curves(scenario).epsilon_upper
    chance = hit_law(scenario).mean
    assert np.isclose(chance, scenario.top_rate * scenario.bottom_rate)
    assert chance > 1e4 * scenario.delta
    assert all_steps < sqrt(count) * first
    shown = float(rounded_up(first))
    return [
        f"One step of this training has {at_most(one)} at {delta(one)}",
        f"is proven for {count:,} steps",
        f"- Still {shown:g}\n",
        f"- About {all_steps:.1f}\n",
        f"- About {sqrt(count) * shown:.0f}\n",
        f"That is √{count:,} times as much",
        f"- {count * shown:,.0f}\n",
        f"from 1 to {count:,}, then to {10 * count:,}",
        f"After {count:,} steps {at_most(scenario)} (upper bound, {theorem(scenario)}",
        f"no analysis can promise less than {at_least(scenario).replace('≥', '=')} (lower bound)",
        f"After {10 * count:,} steps {at_most(longer)}, and no analysis can promise less than "
        f"{at_least(longer).replace('≥', '=')}",
    ]


def labels() -> list[str]:
    noisy, end = LESSONS_BY_NAME["labels"].scenario, SETTINGS["forecast_noise"].grid[-1]
    without, strong, endless = (
        varied(noisy, forecast_noise=sigma) for sigma in (0.0, end, LARGEST_AUGMENTATION)
    )
    half = without.with_rates(bottom_rate=without.bottom_rate / 2)
    assert without == LESSONS_BY_NAME["rates"].scenario
    assert without.touched_windows == 2
    assert (without.data.context_length, without.data.forecast_length) == (1, 1)
    assert at_most(endless) == at_most(half)
    assert curves(half).epsilon_upper > curves(without).epsilon_upper / 2
    assert theorem(noisy) == theorem(strong)
    return [
        f"r = {without.bottom_rate:g} of a series' windows",
        "Bring ε down to 0",
        f"At {delta(noisy)} after {noisy.num_steps:,} steps {at_most(without)} without this noise "
        f"(upper bound, {theorem(without)})",
        f"{at_most(noisy)} with σ_F = {noisy.noise.forecast_noise:g} and {at_most(strong)} at the "
        f"slider's end, σ_F = {end:g} (upper bounds, {theorem(noisy)})",
        f"{at_most(endless)}, what r = {half.bottom_rate:g} gave",
    ]


def person() -> list[str]:
    hour = LESSONS_BY_NAME["person"].scenario
    assert hour.relation == Relation()
    data, width = hour.data, hour.units.time_step.values_in(2, "week")
    scenario = varied(hour, width=width)
    anywhere = varied(hour, level="user", width=width)
    assert anywhere.touched_windows == data.start_positions
    assert theorem(hour) == theorem(scenario)
    return [
        f"windows of {data.context_length} past and {data.forecast_length} coming hours",
        f"One hour of a series is in {hour.touched_windows} windows",
        f"two weeks in a row, {width} hours",
        f"- {width}\n",
        f"- {scenario.touched_windows}\n",
        f"- {width * hour.touched_windows:,}\n",
        f"- {data.start_positions:,}\n",
        f"hour alone is in {hour.touched_windows}",
        f"k = L_C + L_F + w − 1 = {data.context_length} + {data.forecast_length} + {width} − 1 "
        f"= {scenario.touched_windows}, not {width} times {hour.touched_windows}",
        f"At {delta(scenario)} after {scenario.training.count:,} epochs {at_most(hour)} for one",
        f"{at_most(scenario)} for two weeks in a row (upper bounds, {theorem(scenario)})",
    ]


def bag() -> list[str]:
    scenario = LESSONS_BY_NAME["bag"].scenario
    bagged, first = bag_run(scenario), series_first_run(scenario)
    size, total = scenario.sampling.batch_size, bag_size(scenario.data)
    series, count = scenario.data.num_series, bagged.num_steps
    assert first is not None
    assert curves(bagged).epsilon_lower > curves(first).epsilon_upper
    promised, coins = promise_run(bagged), bag_run(scenario, COINS)
    assert curves(bagged).epsilon_lower > curves(promised).epsilon_upper
    promise, touched = at_most(promised), bagged.touched_windows
    return [
        f"all {total:,} windows of {series} series into one bag and draws {size} of them, "
        f"{count:,} times",
        f"told {size} of {total:,} and that a record may be replaced by another, says {promise} at "
        f"{delta(bagged)}",
        f"who is in {touched}\n",
        f"value is in {touched} windows, and",
        f"{theorem(promised)}, upper bound",
        f"One value is in {touched} windows, and no analysis can promise it less than "
        f"{at_least(bagged).replace('≥', '=')} (lower bound, {theorem(bagged, 'lower')})",
        f"dpviz's Proposition 4 proves {at_most(bagged)}",
        f"{at_most(first)} with series first, and then one window of each ({theorem(first)})",
        f"{at_most(coins)} with a coin of its own for each window of the bag, if batch sizes stay "
        f"secret ({theorem(coins)}, extended)",
    ]


def plan() -> list[str]:
    lesson = LESSONS_BY_NAME["plan"]
    scenario, count = lesson.scenario, lesson.scenario.training.count
    target = Target(epsilon=lesson.view.target_epsilon, delta=scenario.delta)
    once, twice = (
        calibrated(varied(scenario, epochs=times * count), "noise_multiplier", target)
        for times in (1, 2)
    )
    ratio = twice.noise.noise_multiplier / once.noise.noise_multiplier
    assert 1.3 < ratio < 1.37
    assert {theorem(once), theorem(twice)} == {"Theorem 4.4"}
    for run in (once, twice):
        less = curves(varied(run, noise_multiplier=0.99 * run.noise.noise_multiplier))
        assert less.upper.bracket.low > target.epsilon
    goal = f"ε ≤ {target.epsilon:g}"
    return [
        f"The goal is {goal} at {delta(scenario)} for one hour of one of "
        f"{scenario.data.num_series} sensors",
        f"{count:,} epochs need σ = {once.noise.noise_multiplier}",
        f"noise do {2 * count:,} epochs need",
        f"what meets the goal up to {2 * count:,} epochs",
        f"{2 * count:,} epochs need σ = {twice.noise.noise_multiplier}, about a third more",
        f"Both meet {goal} by an upper bound ({theorem(once)}); with 1 % less noise that bound "
        "does not",
    ]


def epsilon() -> list[str]:
    scenario = LESSONS_BY_NAME["epsilon"].scenario
    success = attackers_gain(scenario).success.share
    pair, rate = curves(scenario).epsilon_upper, 0.01
    by_pair = np.exp(pair) * rate + scenario.delta
    hits, _ = attack_rates(scenario, rate).at(rate)
    most = ceil(100 * hits)
    before, quiet = (varied(scenario, noise_multiplier=sigma) for sigma in (0.95, 0.9))
    before_most, _ = attack_rates(before, rate).at(rate)
    quiet_most, quiet_least = attack_rates(quiet, rate).at(rate)
    assert quiet_most > 0.5 > before_most > hits
    assert most == 2
    assert np.exp(pair) < 2.0
    assert np.exp(10.0) * rate > 100.0
    return [
        f"on {scenario.data.num_series} road sensors",
        f"has {at_most(scenario)} at {delta(scenario)} for each single value",
        f"accuses {rate * 100:.0f} of 100 people",
        "Of 100 people who are",
        f"- 1 or {most}\n",
        "About 10",
        f"- About {100 * pair:.0f}\n",
        "All 100",
        f"At σ = {scenario.noise.noise_multiplier:g}, at most "
        f"{rounded_up(100 * hits, 2)} of 100 (upper bound, {theorem(scenario)} over "
        f"{scenario.num_steps:,} steps); who guesses blindly finds {100 * rate:.0f}",
        f"no attacker is right for more than {ceil(100 * success)} of 100, and a coin toss for 50",
        f"From {at_most(scenario)} and {delta(scenario)} alone follows only: at most "
        f"{rounded_up(100 * by_pair, 2)} of 100",
        f"The upper bound passes half between σ = 0.95 ({at_most(before)}, at most "
        f"{ceil(100 * before_most)} of 100) and σ = 0.9 ({at_most(quiet)}, at most "
        f"{ceil(100 * quiet_most)}). On some model with σ = 0.9, one finds at least "
        f"{floor(100 * quiet_least)} (lower bound)",
        "Below ε = 1 that is little; from 10 on",
    ]


def guess() -> list[str]:
    scenario = LESSONS_BY_NAME["guess"].scenario
    half = varied(scenario, noise_multiplier=scenario.noise.noise_multiplier / 2)
    game, less = (membership_game(run, CERTAIN, 1) for run in (scenario, half))
    assert game.at_least is not None

    def at_odds(ratio: float) -> float:
        return 100 * ratio / (1.0 + ratio)

    return [
        f"the curves stand at worst at 0 (without it) and {SUBSTITUTION_SHIFT:g} C",
        "How many of 100 rounds",
        "- 50\n",
        f"- About {100 * game.at_most.share:.0f}\n",
        f"- About {100 * less.at_most.share:.0f}\n",
        "- All 100\n",
        f"right in at least {rounded_down(100 * game.at_least.share)} % of rounds, and nobody "
        f"in more than {rounded_up(100 * game.at_most.share)} %",
        "they are 1 to 1",
        f"makes them 3 to 1: of 100 such guesses {at_odds(3):.0f} are right",
        f"in at most {at_odds(1):.0f} of 100 cases at ε = 0, in {ceil(at_odds(exp(1)))} at ε = 1, "
        f"in {ceil(at_odds(exp(3)))} at ε = 3",
    ]


FACTS: dict[str, Callable[[], list[str]]] = {
    fact.__name__: fact
    for fact in (guess, epsilon, leak, person, rates, windows, steps, labels, bag, plan)
}
