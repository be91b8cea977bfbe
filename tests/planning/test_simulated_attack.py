"""Simulated attacks and a guessing game agree with the bounds, and would catch wrong ones."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.guarantees import guarantee_for, in_one_direction
from dpviz.planning.curves import EPSILON_GRID, curves_of
from dpviz.planning.membership_game import membership_game, score
from dpviz.planning.simulated_attack import (
    TESTED_EPSILONS,
    band_of,
    conjectured,
    part_sizes,
    simulated_attack,
    summed,
    theory_check,
)
from dpviz.planning.worst_case import after_units, worst_case
from dpviz.risk.empirical_delta import exact_limits
from dpviz.scenario import PRESETS, DataShape, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.settings.attacker import MOST_ROUNDS
from dpviz.wording.theory_check import theory_headline, theory_title, verdict
from tests.accounting.exact import exact_gaussian_delta
from tests.planning.theory_checks import (
    SCHEMES,
    SMALL,
    TOY,
    check_of,
    counts_of,
    hits_of,
    scheme_name,
    with_scheme,
    with_sigma,
)
from tests.scenario.changes import varied

WALK = with_scheme({"top_level": "deterministic"})
# Every window of the series holds a sensitive value, and each epoch uses one: nothing is sampled.
GAUSSIAN = varied(WALK, width=20)


def gaussian_delta(mu: float) -> np.ndarray:
    """Return delta of two unit Gaussians mu apart (Balle and Wang 2018, Theorem 8)."""
    return np.array([float(exact_gaussian_delta(epsilon, mu)) for epsilon in TESTED_EPSILONS])


@pytest.mark.parametrize(("sigma", "units"), [(1.0, 1), (4.0, 1), (2.0, 4), (6.0, 10)])
def test_gaussian_mechanism_has_its_closed_form(sigma, units):
    """Without any sampling the band holds the textbook's delta at every epsilon."""
    counts = counts_of(with_sigma(GAUSSIAN, sigma), units, 20_000)
    band, exact = band_of(counts), gaussian_delta(2.0 * np.sqrt(units) / sigma)
    assert ((band.low <= exact) & (exact <= band.high)).all()
    # Without bias: the two rates' own errors, five times; and what one run is worth.
    at = TESTED_EPSILONS <= 1.0
    spread = np.sqrt((0.25 + np.exp(2.0) * 0.25) / counts.runs)
    assert np.abs(band.estimate - exact)[at].max() <= 5.0 * spread
    assert (band.high - band.low)[0] < 0.06


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
@pytest.mark.parametrize("units", [1, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.every(3)
def test_no_scheme_contradicts_its_bounds(scheme, units):
    """The true samplers, the worst gradients: below the upper bound, and at the attained one."""
    for relation in ({}, {"level": "user", "width": 3}):
        check = check_of(with_scheme(scheme, **relation), units)
        assert check.holds
        assert len(check.below_lower) == 0
        if check.attains_lower:
            assert (check.band.low <= check.lower + 2e-3).all()


@pytest.mark.parametrize(
    "scheme",
    [
        {"top_level": "without-replacement"},
        {"top_level": "deterministic", "num_subsequences": 4},
        {"top_level": "deterministic", "bottom_level": "poisson"},
    ],
    ids=scheme_name,
)
def test_a_wrong_bound_is_caught(scheme):
    """A bound for half the noise's privacy loss, or for twice of it, is refuted."""
    scenario = with_scheme(scheme)
    noisy = with_sigma(scenario, 2.0)
    assert check_of(scenario).holds
    too_small = check_of(scenario, runs=10_000, bounds=noisy)
    assert not too_small.holds
    assert len(too_small.above_upper)
    too_large = check_of(noisy, runs=10_000, bounds=scenario)
    assert not too_large.holds
    assert len(too_large.below_lower)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("series", "length", "batch_size", "sigma", "units"),
    [
        (40, 8, 10, 1.0, 1),
        (320, 20, 32, 1.0, 1),
        (40, 6, 20, 0.7, 5),
        (100, 10, 10, 2.0, 3),
        (60, 20, 4, 0.5, 1),
        (20, 5, 10, 1.0, 20),
    ],
)
def test_bins_are_attacked_as_well_as_is_proven_and_no_better(
    series, length, batch_size, sigma, units
):
    """Proposition 24, by all outputs of an epoch and without knowing which has the series."""
    shape = DataShape(
        num_series=series, series_lengths=(length,), context_length=2, forecast_length=2
    )
    bins = with_sigma(varied(TOY, data=shape, batch_size=batch_size, top_level="bins"), sigma)
    check = check_of(bins, units)
    assert check.case.theorem == "dpviz 24"
    assert check.holds
    assert check.attains_lower
    assert (check.band.low > 0.0).sum() > 20
    if units == 1:  # without a gap between the bounds noise that is 1.5 times as large is refuted
        wrong = check_of(bins, units, bounds=with_sigma(bins, 1.5 * sigma))
        assert len(wrong.above_upper)


def test_gradients_in_two_directions_tell_more_than_any_along_a_line():
    """Proposition 7's attacks, with the real samplers, refute Theorem F.7 as the best attack."""
    scenario = with_scheme({"top_level": "without-replacement", "num_subsequences": 4})
    check = check_of(scenario, units=5, runs=10_000)
    assert check.holds
    assert check.attains_lower
    best, along_a_line = check.curves.lower, guarantee_for(after_units(scenario, 5)).lower
    alone = composed_curve(in_one_direction(along_a_line)).delta_at(TESTED_EPSILONS)
    assert (check.band.low > alone.high).any()
    assert best.of_curve.theorem == "dpviz 7"


def test_who_is_not_told_the_order_sees_what_is_proven_and_less_than_who_is():
    scenario = with_scheme({"top_level": "shuffled"})
    shuffled = check_of(scenario, units=5)
    walk = check_of(with_scheme({"top_level": "deterministic"}), units=5)
    assert shuffled.holds
    assert shuffled.attains_lower
    assert [attack.steps for attack in shuffled.case.attacks] == [1, 2]
    assert (shuffled.band.high < walk.band.low).any()
    too_large = check_of(with_sigma(scenario, 2.0), units=5, runs=10_000, bounds=scenario)
    assert len(too_large.below_lower)


def test_an_attack_in_one_direction_is_not_said_to_attain_one_that_changes_it():
    check = check_of(with_scheme({"top_level": "without-replacement"}), units=5)
    assert check.holds
    assert check.curves.lower.of_curve.theorem == "dpviz 9"
    assert not check.attains_lower
    assert "keeps to its own" in verdict(check, 0.1, 1)
    assert check_of(with_scheme({"top_level": "without-replacement"})).attains_lower


def test_a_bound_that_forgets_that_a_substitution_moves_by_two_is_caught():
    """Sensitivity C instead of 2 C halves the distance of the outputs."""
    scenario = with_sigma(GAUSSIAN, 2.0)
    halved = band_of(counts_of(scenario, 1, 20_000))
    assert (halved.low > gaussian_delta(0.5)).any()


def test_band_is_rarely_wrong():
    case, exact = worst_case(GAUSSIAN), gaussian_delta(2.0)
    failed = 0
    for seed in range(200):
        band = band_of(simulated_attack(case, 1, 400, seed))
        failed += bool(((exact < band.low) | (exact > band.high)).any())
    assert failed <= 200 * (0.05 + 5 * np.sqrt(0.05 * 0.95 / 200))


def test_same_seed_gives_the_same_counts_and_parts_differ():
    case = worst_case(SMALL)
    one, again, other = (simulated_attack(case, 2, 500, 3, part) for part in (0, 0, 1))
    assert (one.right_only == again.right_only).all()
    assert (one.right_only != other.right_only).any()
    both = summed([one, other])
    assert both.runs == 1000
    assert (both.wrong == one.wrong + other.wrong).all()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("units", [1, 10])
def test_parts_are_small_and_sum_up_to_what_is_asked_for(name, units):
    case = worst_case(PRESETS[name].scenario)
    sizes = part_sizes(case, units, 20_000)
    assert sum(sizes) == 20_000
    assert sizes[0] == 1000
    larger = part_sizes(case, units, 100_000)
    assert larger[: len(sizes) - 1] == sizes[:-1]
    assert 30_000 <= sum(larger) <= 100_000


def test_what_takes_too_long_is_refused_by_name():
    large = varied(TOY, num_series=1_500_000, top_level="poisson")
    with pytest.raises(ScenarioError, match="num_series = 1500000 is not allowed"):
        part_sizes(worst_case(large), 1, 1000)
    batches = varied(large, batch_size=29_000, top_level="without-replacement")
    assert sum(part_sizes(worst_case(batches), 1, 1000)) == 1000
    with pytest.raises(ScenarioError, match="batch_size = 29000 is not allowed"):
        part_sizes(worst_case(batches), 50, 1000)


@pytest.mark.parametrize(
    ("top_level", "units"), [("without-replacement", 2), ("deterministic", 20)]
)
def test_the_conjecture_is_what_two_directions_attain_and_below_what_is_proven(top_level, units):
    run = after_units(with_scheme({"top_level": top_level}), units)
    curves, dotted = curves_of(run), conjectured(run)
    places = [curves.upper.place_of(epsilon) for epsilon in EPSILON_GRID]
    upper = curves.upper.delta_high[places]
    assert (curves.lower.delta_low[places] <= dotted).all()
    seen = upper > 1e-9
    assert (dotted <= upper)[seen].all()
    assert (dotted < 0.99 * upper)[seen].any()
    shown = theory_check(worst_case(run), curves, counts_of(run, units, 100), dotted)
    assert (shown.conjecture <= upper).all()


@pytest.mark.parametrize(
    "scheme",
    [{"top_level": "poisson"}, {"top_level": "shuffled"}, {"num_subsequences": 4}],
    ids=scheme_name,
)
def test_nothing_is_conjectured_of_other_schemes_or_of_one_step(scheme):
    assert conjectured(after_units(with_scheme(scheme), 10)) is None
    assert conjectured(after_units(SMALL, 1)) is None


def test_a_conjecture_decides_nothing():
    check = check_of(SMALL, units=2, runs=1000)
    nowhere = replace(check, conjecture=np.zeros(len(EPSILON_GRID)))
    assert nowhere.holds
    for say in (theory_headline, theory_title, verdict):
        told = [say(one, *(0.1, 1)[: say.__code__.co_argcount - 1]) for one in (check, nowhere)]
        assert told[0] == told[1]


@pytest.mark.parametrize("series", [40, 43])
def test_shuffled_walks_leave_out_what_is_beyond_the_last_full_batch(series):
    """Of 43 series in batches of 16 two in three batches' worth are used in an epoch."""
    scenario = varied(GAUSSIAN, num_series=series, top_level="shuffled")
    hits = hits_of(scenario, 20_000)
    chance = 32 / series
    assert hits.mean() == pytest.approx(chance, abs=5 * np.sqrt(chance * (1 - chance) / 20_000))


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


def test_a_round_of_a_shuffled_walk_is_that_of_a_walk_whose_order_is_known():
    """A round shows the step that uses the series: an epoch that leaves it out has none."""
    known, shuffled = (
        membership_game(varied(SMALL, top_level=level, batch_size=5), "drawn", 1)
        for level in ("deterministic", "shuffled")
    )
    assert shuffled == known


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
