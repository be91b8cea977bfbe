"""Small runs: numbers with their meaning, their length, how good they are, and what noise costs."""

from dataclasses import replace

import pytest

from dpviz.planning.target import Target
from dpviz.planning.ways import Way, to_less_noise
from dpviz.scenario import DataShape, Rates
from dpviz.training.compared_runs import told_by_comparison, variants_of
from dpviz.training.small_run import WithoutPrivacy
from dpviz.training_study.questions import BATCH_SIZE
from dpviz.training_study.results import shipped_results, studied_cost
from dpviz.wording import compared_runs as compared
from dpviz.wording import small_run as words
from dpviz.wording.compared_runs import (
    accuracy_sentence,
    beside_words,
    can_be_next,
    is_too_noisy,
    next_words,
    risen_words,
)
from dpviz.wording.numbers import rounded_up
from dpviz.wording.small_run import kept_row, kept_table
from dpviz.wording.training_length import training_line
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.training.runs import SOURCE, a_run, result, told
from tests.wording.reading import cells_of

WALK, BAG = varied(TOY, top_level="shuffled"), varied(TOY, top_level="flat")


def test_a_walk_says_epochs_and_what_is_our_extension():
    last = result(base=WALK, target_epsilon=30.0)
    said = words.result_headline(last)
    assert "epoch" in said
    assert "dpviz's extension" in said


def test_epsilon_is_not_said_to_grow_with_each_step():
    """A walk pays for an epoch when it begins."""
    curve = result(base=WALK, target_epsilon=30.0, batch_size=4).curve
    counts = {one.spent.bound.count for one in curve if one.spent is not None}
    assert len(counts) < len(curve) - 1
    assert words.curve_description(curve).endswith("upper bound on epsilon, which never falls.")


def test_headline_while_it_runs_tells_what_is_spent_so_far():
    settings, first, second, *_ = told()
    assert words.progress_headline(None, None).startswith("**Training begins")
    assert "no ε is spent yet" in words.progress_headline(settings, first)
    now = words.progress_headline(settings, second)
    assert "Step 1 of 20 training steps" in now
    assert f"at most ε = {rounded_up(second.spent.epsilon)} at δ = 10⁻⁷" in now
    assert "Theorem 4.4 composed over 1 step" in now


def test_table_of_kept_runs_says_which_number_is_of_which_run():
    free = result(target_epsilon=None, fits_noise=False)
    table = kept_table(map(kept_row, [result(), free])).splitlines()
    assert "Theorem 4.4, 20 steps" in table[2]
    assert "1-event privacy" in table[2]
    assert "none: without privacy" in table[3]
    assert "nobody" in table[3]
    # What differs in none is no column.
    assert "model" not in table[0]
    assert "model: linear; λ: 1; " in table[-1]
    assert "In all of them: seasonal naive CRPS: 0." in table[-1]
    alike = kept_table(map(kept_row, [result(), result()])).splitlines()
    assert [cell.strip() for cell in alike[0].split("|")[1:-1]] == ["CRPS", "ε, at most"]
    assert "ε by: Theorem 4.4, 20 steps; ε for: 1-event privacy" in alike[-1]


def test_noise_that_was_fitted_is_told_with_all_its_digits():
    """With a little less the budget is not proven to last."""
    done = result()
    fitted = varied(done.settings.scenario, noise_multiplier=1.44524)
    row = kept_row(replace(done, settings=replace(done.settings, scenario=fitted)))
    assert "1.44524" in row


def test_a_refused_variant_is_in_the_table_with_its_reason():
    variants = variants_of(a_run(batch_size=8, target_epsilon=40.0, steps=3), "num_subsequences")
    done = list(told_by_comparison(variants, 1, SOURCE))
    table = compared.comparison_table("num_subsequences", variants, done)
    assert (
        "| 16 windows per series | not trained: Batch size Λ = 8 is not allowed"
        in table.replace("\\", "")
    )
    assert cells_of(table)
    assert "to come" in compared.comparison_table("num_subsequences", variants, done[:1])


def test_a_best_run_whose_range_overlaps_with_others_is_not_told_as_clear():
    variants = variants_of(a_run(target_epsilon=40.0, steps=3), "num_subsequences")
    done = list(told_by_comparison(variants, 1, SOURCE))
    same = [replace(one, crps=0.1) for one in done]
    assert "4 windows per series; 16" in compared.overlap_sentence(
        "num_subsequences", variants, same
    )
    apart = [replace(one, crps=0.1 + one.variant) for one in done]
    assert compared.overlap_sentence("num_subsequences", variants, apart) == ""
    title = compared.comparison_title("num_subsequences", variants, apart)
    assert title == "Smallest mean CRPS of the private runs: 0.1, 1 window per series"


def test_a_best_run_that_its_budget_has_ended_early_is_told_with_its_steps():
    variants = variants_of(a_run(target_epsilon=40.0, steps=3), "num_subsequences")
    done = list(told_by_comparison(variants, 1, SOURCE))

    def told(best):
        runs = [replace(one, crps=0.1 + one.variant, steps=120) for one in done]
        runs[0] = replace(runs[0], steps=best)
        return compared.comparison_headline(TOY, "num_subsequences", variants, runs, wanted=4)

    assert "It took 2 steps, others up to 120: it is hardly trained." in told(2)
    assert "It took 100 steps, others up to 120." in told(100)
    assert "It took" not in told(120)


def test_less_of_each_series_is_another_epsilon_only_where_the_rates_are_others():
    shorter = varied(TOY, series_lengths=(TOY.given_shape.series_lengths[0] - 2,))
    assert "So ε is computed anew" in words.less_of_each(shorter, TOY, 2)
    whole = {"level": "user", "width": TOY.given_shape.series_lengths[0]}
    said = words.less_of_each(varied(shorter, **whole), varied(TOY, **whole), 2)
    assert said.endswith("the last 2 are for validation and test.")
    # By coins a shorter series has fewer of them, whatever the rate.
    coins = whole | {"bottom_level": "poisson"}
    said = words.less_of_each(varied(shorter, **coins), varied(TOY, **coins), 2)
    assert "So ε is computed anew" in said


def test_headline_says_when_the_model_is_worse_than_the_baseline():
    done = result()
    worse, better = (replace(done, crps=factor * done.baseline_crps) for factor in (1.5, 0.5))
    assert "worse than repeating the last season" in words.result_headline(worse)
    assert "worse" not in words.result_headline(better)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (TOY, "1,000 steps = 100 epochs."),
        (varied(TOY, steps=10), "10 steps = 1 epoch."),
        (varied(TOY, epochs=100), "100 epochs = 1,000 steps."),
        (varied(TOY, epochs=1), "1 epoch = 10 steps."),
        (varied(TOY, steps=1), "1 step is about 0.1 epochs."),
        (varied(TOY, steps=1001), "1,001 steps are about 100.1 epochs."),
        # What is no whole number is not told as one.
        (varied(BAG, steps=995), "995 steps are just under 5 epochs."),
        (varied(BAG, steps=199), "199 steps are about 0.99 epochs."),
        (varied(BAG, steps=201), "201 steps are just over 1 epoch."),
        (varied(BAG, steps=210), "210 steps are about 1.1 epochs."),
    ],
)
def test_the_length_is_told_in_the_other_unit(run, said):
    assert training_line(run).startswith(f"{said} A step is one batch, an ")


def test_an_epoch_is_told_from_a_pass_over_all_windows():
    """Loaders of windows count in passes over them: 320 series of 20 windows, 32 in a batch."""
    assert training_line(TOY).endswith(" over the series; one over all windows has 200.")
    assert training_line(BAG).endswith(" as many as one pass over all windows.")
    several = varied(TOY, series_lengths=(20, 5000))  # counted as if all were the shortest
    assert training_line(several).endswith(" has at least 200.")
    walk = varied(TOY, top_level="deterministic", steps=1003)
    assert training_line(walk).endswith(" has 200. An epoch that is begun counts whole.")
    single = varied(TOY, series_lengths=(1,), context_length=0, forecast_length=1)
    for none in (single, TOY.with_rates()):
        assert "all windows" not in training_line(none)


def test_epochs_of_rates_are_told_to_be_set_where_the_rate_allows_more():
    assert "20 steps: as many as one pass" in training_line(TOY.with_rates(top_rate=0.05))
    set_by_hand = Rates(bottom_rate=0.1, top_rate=0.01, steps_per_epoch=10)
    line = training_line(replace(TOY, data=set_by_hand))
    assert line.endswith("an epoch 10 steps: as was set, of the 100 that ρ allows.")
    three = varied(TOY, num_subsequences=3)
    assert "30 steps: as many as one pass" in training_line(three.with_rates())


def with_course(*errors):
    """Return the usual result with other errors of held-out windows."""
    first = result().curve[0]
    rows = [replace(first, step=at, validation_crps=error) for at, error in enumerate(errors)]
    return replace(result(), curve=tuple(rows), crps=0.119, baseline_crps=0.17)


def test_distances_are_those_of_the_errors():
    said = beside_words(with_course(0.2, 0.1), WithoutPrivacy(crps=0.1))
    headline = words.result_headline(with_course(0.2, 0.1))
    assert "**30 % below** the seasonal naive forecast (0.17), for" in headline
    other = "that of the same model without privacy after 20 steps (0.1), by one run each"
    assert f"The error is **19 % above** {other}" in said


@pytest.mark.parametrize("crps", [None, float("inf"), float("nan")])
def test_what_has_no_finite_error_is_nothing_to_compare_with(crps):
    found = with_course(0.2, 0.1)
    assert "without privacy" not in beside_words(found, WithoutPrivacy(crps=crps))
    assert beside_words(replace(found, crps=float("inf")), WithoutPrivacy(crps=0.1)) == ""
    assert not is_too_noisy(with_course(0.108, 0.119), WithoutPrivacy(crps=crps))


def test_an_error_that_rises_is_named_with_its_reason():
    risen = with_course(0.108, 0.105, 0.119)
    said = risen_words(risen, WithoutPrivacy(crps=0.1))
    assert "**The held-out error rose** from 0.108, before the first step, to 0.119" in said
    assert "too much noise for these data" in said
    # Where the same model does no better without noise, noise is not to blame.
    assert "noise is not the reason" in risen_words(risen, WithoutPrivacy(crps=0.12))
    assert risen_words(with_course(0.119, 0.108), WithoutPrivacy(crps=0.1)) == ""
    assert "noise" not in risen_words(risen, None)


def test_what_to_try_next_halves_the_noise_within_an_epsilon_and_says_all_that_it_sets():
    found, run = result(), a_run()
    goal = Target(epsilon=found.spent.epsilon, delta=found.spent.delta)
    way = to_less_noise(found.settings.scenario, "steps", goal)
    said = next_words(way, 5.0, run, is_public=False)
    assert f"Training steps asked for {int(way.after):,} instead of 20. Within ε = 5 " in said
    assert "a budget of its own" in said
    assert "a budget of its own" not in next_words(way, 5.0, run, is_public=True)
    assert "*Set it*" not in said
    given = replace(run, fits_noise=False, target_epsilon=5.0)
    assert "*Set it* also fits σ to it." in next_words(way, 5.0, given, is_public=True)
    as_budget = "*Set it* also takes that ε as the budget, and fits σ to it."
    assert as_budget in next_words(way, 4.0, given, is_public=True)
    none = next_words(None, 5.0, run, is_public=True)
    assert "a larger ε or more series" in none
    assert (
        "fewer steps, of at least 50, halve the noise on the averaged gradient within ε = 5."
        in none
    )
    # Nothing but less σ is of use where σ was set and the budget lasts.
    lasts = next_words(None, 4.0, given, is_public=True)
    assert "a smaller σ, or σ fitted to the budget of ε = 5. Neither" in lasts
    assert "halve the noise on the averaged gradient within ε = 4." in lasts
    assert "larger ε" not in lasts
    spent = next_words(None, 5.0, given, is_public=True)
    assert "a larger ε or more series, with σ fitted to the budget. Neither" in spent


def test_what_is_next_has_a_batch_that_the_page_has_and_enough_steps():
    def is_possible(name, value):
        run = varied(TOY, num_series=20_000, steps=500)
        way = Way(
            quantity=name, before=1.0, after=float(value), scenario=varied(run, **{name: value})
        )
        return can_be_next(way, run)

    assert [is_possible("batch_size", size) for size in (10_000, 10_001)] == [True, False]
    assert [is_possible("steps", steps) for steps in (50, 49)] == [True, False]


def like_the_study(noise_multiplier, **changes):
    shape = DataShape(num_series=500, series_lengths=(144,), context_length=24, forecast_length=6)
    alike = varied(TRAFFIC, data=shape, batch_size=BATCH_SIZE, steps=500)
    return varied(alike, noise_multiplier=noise_multiplier, **changes)


def test_the_range_is_that_of_the_studys_own_runs_with_as_much_noise():
    rows = [row for row in shipped_results().rows if row.question == "budget"]
    free = {
        (row.data, row.model, row.seed): row.crps for row in rows if row.noise_multiplier is None
    }
    at_8 = [
        row.crps / free[row.data, row.model, row.seed] - 1.0
        for row in rows
        if row.data == "m3" and row.epsilon == 0.5
    ]
    found = studied_cost(like_the_study(29.362))
    assert (found.low, found.high, found.runs) == (min(at_8), max(at_8), 20)
    said = accuracy_sentence(like_the_study(29.362))
    assert "cost +24 % to +28 % of CRPS" in said
    assert "in 20 runs of [What privacy costs](training_study) with" in said
    assert "on one set of monthly series. Yours may differ." in said


@pytest.mark.parametrize(
    "scenario",
    [
        TRAFFIC,
        like_the_study(100.0),
        like_the_study(3.0, steps=5000),
        like_the_study(3.0, forecast_noise=1.0),
        TOY,
    ],
)
def test_nothing_is_guessed_for_a_training_that_the_study_has_not_tried(scenario):
    assert studied_cost(scenario) is None
    assert "%" not in accuracy_sentence(scenario)
    assert "has no run like it" in accuracy_sentence(scenario)


def test_windows_per_series_are_a_mean_by_coins_and_none_of_one_bag():
    settings = a_run().settings()
    coins, bag = (
        words.what_is_trained(replace(settings, scenario=one))
        for one in (varied(TOY, bottom_level="poisson"), BAG)
    )
    assert "1 window per series on average" in coins
    assert "per series" not in bag
