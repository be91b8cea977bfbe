"""What is said of small runs: every number with its direction, theorem, steps and whom it hides."""

from dataclasses import replace

from dpviz.scenario import PRESETS
from dpviz.training.compared_runs import told_by_comparison, variants_of
from dpviz.wording import compared_runs as compared
from dpviz.wording import small_run as words
from dpviz.wording.numbers import rounded_up
from dpviz.wording.small_run import curve_description, curve_title, kept_table
from tests.training.small_runs import SOURCE, a_run, result, told

TOY = PRESETS["toy"].scenario
WALK = replace(TOY, sampling=replace(TOY.sampling, top_level="shuffled"))


def test_epsilon_is_rounded_up_never_down():
    assert words.epsilon_text(4.99991) == "ε = 5"
    assert words.epsilon_text(5.00001) == "ε = 5.001"


def test_a_walk_says_epochs_and_what_is_our_extension():
    found = [*words_of(WALK)]
    assert "epoch" in found[0]
    assert "dpviz's extension" in found[0]


def words_of(base):
    from dpviz.training.small_run import told_by_run

    yield words.result_headline(list(told_by_run(a_run(base, target_epsilon=30.0), SOURCE))[-1])


def test_headline_while_it_runs_tells_what_is_spent_so_far():
    settings, first, second, *_ = told()
    assert words.progress_headline(None, None).startswith("**Training begins")
    assert "no ε is spent yet" in words.progress_headline(settings, first)
    now = words.progress_headline(settings, second)
    assert "Step 1 of 20 training steps" in now
    assert f"at most ε = {rounded_up(second.spent.epsilon)} at δ = 10⁻⁷" in now
    assert "Theorem 4.4 composed over 1 step" in now


def test_chart_of_a_private_run_tells_its_bound_and_of_another_none():
    curve = told()[1:-2]
    assert "for ε ≤ " in curve_title(curve)
    assert "upper bound on epsilon" in curve_description(curve)
    free = told(target_epsilon=None, fits_noise=False)[1:-1]
    assert curve_title(free).endswith("without privacy")
    assert "no epsilon" in curve_description(free)


def test_table_of_kept_runs_says_which_number_is_of_which_run():
    free = result(target_epsilon=None, fits_noise=False)
    table = kept_table([result(), free]).splitlines()
    assert len({row.count("|") for row in table}) == 1
    assert "Theorem 4.4, 20 steps" in table[2]
    assert "1-event privacy" in table[2]
    assert "none: without privacy" in table[3]
    assert "nobody" in table[3]


def test_a_refused_variant_is_in_the_table_with_its_reason():
    variants = variants_of(a_run(batch_size=8, target_epsilon=40.0, steps=3), "num_subsequences")
    done = list(told_by_comparison(variants, 1, SOURCE))
    table = compared.comparison_table("num_subsequences", variants, done)
    assert (
        "| 16 windows per series | not trained: Batch size Λ = 8 is not allowed"
        in table.replace("\\", "")
    )
    assert len({row.count("|") for row in table.splitlines()}) == 1
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


def test_headline_says_when_the_model_is_worse_than_the_baseline():
    done = result()
    worse, better = (replace(done, crps=factor * done.baseline_crps) for factor in (1.5, 0.5))
    assert "worse than repeating the last season" in words.result_headline(worse)
    assert "worse" not in words.result_headline(better)
