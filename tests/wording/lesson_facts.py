"""What the numbers in the lessons' texts have to be: each computed, with the words around it."""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.planning.attack_rates import attack_rates, attackers_gain
from dpviz.planning.calibrate import calibrated
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import bag_run, bag_size, promise_run, series_first_run
from dpviz.planning.target import Target
from dpviz.risk import success
from dpviz.scenario import PRESETS, Relation, Sampling
from dpviz.scenario.mechanism import COINS, LARGEST_AUGMENTATION
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.numbers import power_of_ten, rounded, rounded_up
from dpviz.wording.theorems import named_theorem
from tests.wording.proven import at_least, at_most, curves, delta, steps, theorem

TOY = PRESETS["toy"].scenario


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
        f"In {labels}: those that forecast it",
        f"In {touched}: those that read it or forecast it",
        f"In all {places}",
        f"{context} windows read the value as context and {labels} have it as a label",
        f"it touches {touched} of the {places} windows",
        f"{batch} of the {data.num_series} series",
        f"probability {scenario.top_rate:g} · {touched}/{places}, about {rounded(chance)}",
    ]


def rates() -> list[str]:
    scenario = LESSONS_BY_NAME["rates"].scenario
    r, rho, count = scenario.bottom_rate, scenario.top_rate, scenario.num_steps
    assert (r, rho) == (0.1, 0.1)
    longer = steps(scenario.with_rates(bottom_rate=r / 2), count)
    smaller = replace(scenario, sampling=Sampling(batch_size=scenario.sampling.batch_size // 2))
    assert smaller.top_rate == rho / 2
    assert at_most(longer) == at_most(smaller) == at_most(scenario.with_rates(top_rate=rho / 2))
    epochs = count // scenario.steps_per_epoch
    twice = steps(smaller, epochs, "epochs")
    assert twice.num_steps == 2 * count
    assert longer.steps_per_epoch == scenario.steps_per_epoch
    assert curves(longer).epsilon_upper < curves(twice).epsilon_lower
    return [
        f"the share r = {r:g}",
        f"the share ρ = {rho:g}",
        f"each of {count:,} steps",
        theorem(scenario),
        f"At {delta(scenario)}, {at_most(scenario)} with both at {r:g}",
        f"either at {r / 2:g} it is {at_most(longer)}",
        f"over {count:,} steps",
        f"{smaller.steps_per_epoch} instead of {scenario.steps_per_epoch}",
        f"After {epochs} epochs it is {at_most(longer)} with half of r",
        f"{at_most(twice)} with half of ρ",
        f"leaks {at_least(twice)} (lower bound)",
    ]


def windows() -> list[str]:
    scenario = LESSONS_BY_NAME["windows"].scenario
    size, several = scenario.sampling.batch_size, 4
    other = replace(scenario, sampling=Sampling(batch_size=size, num_subsequences=several))
    assert np.isclose(hit_law(scenario).mean, hit_law(other).mean)
    assert hit_law(other).trials == several
    proven_to = 49
    mine, least = best_upper(scenario), composed_curve(guarantee_for(other).lower)
    every = np.array([0.0, *np.geomspace(1e-4, proven_to, 400)])
    assert np.all(mine.delta_at(every).high <= least.delta_at(every).low)
    assert curves(scenario).epsilon_upper < curves(other).epsilon_lower
    return [
        "λ = 1, one window",
        f"A batch has {size} windows: 1 from each of {size} series",
        f"{several} from each of {size // several} series",
        f"after {scenario.num_steps} steps, at {delta(scenario)}",
        f"One window from each of {size} series",
        f"{several} windows from each of {size // several} series",
        f"λ = 1 and λ = {several}",
        f"{at_most(scenario)} (upper bound, {theorem(scenario)})",
        f"With {several} windows some model really leaks {at_least(other)} "
        f"(lower bound, {theorem(other, 'lower')})",
        f"to {several} times as much",
        f"at every ε up to {proven_to:g}",
    ]


def training_steps() -> list[str]:
    scenario = LESSONS_BY_NAME["steps"].scenario
    count, one = scenario.num_steps, steps(scenario, 1)
    first, all_steps = curves(one).epsilon_upper, curves(scenario).epsilon_upper
    assert 3 < all_steps / first < 4
    chance = hit_law(scenario).mean
    assert np.isclose(chance, scenario.top_rate * scenario.bottom_rate)
    assert chance > 1e4 * scenario.delta
    later, summed = 10 * count, float(f"{count * scenario.delta:.12g}")
    shown = float(rounded_up(first))
    return [
        f"One step of this training has {at_most(one)} at {delta(scenario)}",
        f"What holds after {count:,} steps",
        f"Still {at_most(one)}",
        f"- {at_most(scenario)}, less than four times as much",
        f"About ε = {sqrt(count) * shown:.0f}, √{count:,} times as much",
        f"About ε = {count * shown:,.0f}, {count:,} times as much",
        f"before ε is {LESSONS_BY_NAME['steps'].view.target_epsilon:g}?",
        f"After {count:,} steps {at_most(scenario)} (upper bound, {theorem(scenario)}",
        f"leaks {at_least(scenario)} (lower bound)",
        f"would give {count * shown:,.0f}, and a δ of {power_of_ten(summed)}",
        f"with probability {chance:g}",
        f"After {later:,} steps it is {at_most(steps(scenario, later))}",
    ]


def labels() -> list[str]:
    noisy = LESSONS_BY_NAME["labels"].scenario
    without = replace(noisy, noise=replace(noisy.noise, forecast_noise=0.0))
    endless = replace(noisy, noise=replace(noisy.noise, forecast_noise=LARGEST_AUGMENTATION))
    half = without.with_rates(bottom_rate=without.bottom_rate / 2)
    assert without == TOY
    assert without.touched_windows == 2
    assert (without.data.context_length, without.data.forecast_length) == (1, 1)
    assert at_most(endless) == at_most(half)
    assert curves(endless).epsilon_upper > curves(without).epsilon_upper / 2
    assert at_least(noisy) == at_least(endless)
    assert theorem(noisy) == theorem(endless)
    own = named_theorem(curves(noisy).lower.bound.theorem)
    return [
        "Bring ε down to 0",
        f"At {delta(noisy)} after {noisy.num_steps:,} steps {at_most(without)} without noise",
        f"{at_most(noisy)} with σ_F = {noisy.noise.forecast_noise:g} ",
        f"{at_most(endless)} with noise without end: exactly what r = {half.bottom_rate:g} gives",
        theorem(noisy),
        f"leaks {at_least(noisy)} (lower bound, {own})",
    ]


def person() -> list[str]:
    scenario = LESSONS_BY_NAME["person"].scenario
    data, width = scenario.data, scenario.relation.width
    hour = replace(scenario, relation=Relation())
    anywhere = replace(scenario, relation=Relation(level="user", width=width))
    assert width == scenario.units.time_step.values_in(2, "week")
    assert anywhere.touched_windows == data.start_positions
    assert theorem(hour) == theorem(scenario)
    places = f"all {data.start_positions:,}"
    return [
        f"windows of {data.context_length} past and {data.forecast_length} coming hours",
        f"One hour of a series is in {hour.touched_windows} windows",
        f"two weeks in a row, {width} hours",
        f"- {width}\n",
        f"- {scenario.touched_windows}\n",
        f"- {width * hour.touched_windows:,}\n",
        f"- {places}\n",
        f"k = {data.context_length} + {data.forecast_length} + {width} − 1 "
        f"= {scenario.touched_windows}, not {width} times {hour.touched_windows}",
        f"At {delta(scenario)} after {scenario.training.count:,} epochs {at_most(hour)} for one",
        f"{at_most(scenario)} for two weeks in a row (upper bounds, {theorem(scenario)})",
        f"If the {width} hours lay anywhere in the series, they might touch {places} windows",
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
        f"who is in {touched} of them",
        f"{theorem(promised)}, upper bound",
        f"One value is in {touched} windows",
        f"{at_least(bagged)} (lower bound, {theorem(bagged, 'lower')}), more than promised",
        f"{at_most(bagged)} (dpviz's Proposition 4)",
        f"{at_most(first)} for the individual ({theorem(first)})",
        f"{at_most(coins)} ({theorem(coins)}, extended)",
    ]


def plan() -> list[str]:
    lesson = LESSONS_BY_NAME["plan"]
    scenario, count = lesson.scenario, lesson.scenario.training.count
    target = Target(epsilon=lesson.view.target_epsilon, delta=scenario.delta)
    once, twice = (
        calibrated(steps(scenario, times * count, "epochs"), "noise_multiplier", target)
        for times in (1, 2)
    )
    ratio = twice.noise.noise_multiplier / once.noise.noise_multiplier
    assert 1.3 < ratio < 1.37
    assert {theorem(once), theorem(twice)} == {"Theorem 4.4"}
    for run in (once, twice):
        sigma = 0.99 * run.noise.noise_multiplier
        less = curves(replace(run, noise=replace(run.noise, noise_multiplier=sigma)))
        assert less.upper.bracket.low > target.epsilon
    goal = f"ε ≤ {target.epsilon:g}"
    return [
        f"The goal is {goal} at {delta(scenario)} for one hour of one of "
        f"{scenario.data.num_series} sensors",
        f"{count:,} epochs need σ = {once.noise.noise_multiplier}",
        f"noise do {2 * count:,} epochs need",
        f"{2 * count:,} epochs need σ = {twice.noise.noise_multiplier}, about a third more",
        f"Both meet {goal} by an upper bound ({theorem(once)}); with 1 % less noise that bound "
        "does not",
    ]


def epsilon() -> list[str]:
    scenario = LESSONS_BY_NAME["epsilon"].scenario
    gain = attackers_gain(scenario)
    pair = curves(scenario).epsilon_upper
    # What any (epsilon, delta) allows at even odds (Kairouz et al. 2015).
    by_pair = (np.exp(pair) + scenario.delta) / (1.0 + np.exp(pair))
    assert gain.success.share == success(best_upper(scenario)).high
    rate = 0.01
    hits, _ = attack_rates(scenario, rate).at(rate)
    most = 100 * gain.success.share
    return [
        f"A training has {at_most(scenario)} at {delta(scenario)}",
        "How many of 100 such guesses",
        "50: the attacker learns nothing",
        f"- {np.ceil(most):.0f}\n",
        f"- {np.ceil(100 * by_pair):.0f}\n",
        "All 100",
        f"At most {rounded_up(most, 3)} of 100 (upper bound by the whole curve δ(ε), "
        f"{theorem(scenario)} over {scenario.num_steps:,} steps)",
        "a coin gives 50",
        f"the pair {at_most(scenario)}, {delta(scenario)} could only say "
        f"{rounded_up(100 * by_pair, 3)}",
        f"in 1 of {1 / rate:.0f} cases hits at most {rounded_up(100 * hits)} of 100",
    ]


FACTS: dict[str, Callable[[], list[str]]] = {
    "leak": leak,
    "rates": rates,
    "windows": windows,
    "steps": training_steps,
    "labels": labels,
    "person": person,
    "bag": bag,
    "plan": plan,
    "epsilon": epsilon,
}
