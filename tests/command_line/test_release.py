"""``python -m dpviz release``: what it answers, what it writes, and what it refuses."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.command_line import main

BUDGET = ("--epsilon", "0.5", "--delta", "1e-4")
SERIES = ("--length", "1800", "--participation", "180")
KEPT = ("--mechanism", "subsample", "--rate", "0.1")
FILTERED = ("--mechanism", "filter-subsample", "--rate", "0.1", "--filter-width", "10")
COUNTS = [round(60 + 40 * math.sin(at / 30)) for at in range(400)]


def counts_file(folder, text=None):
    path = folder / "counts.csv"
    path.write_text(text or "\n".join(["count", *map(str, COUNTS)]), encoding="utf-8")
    return str(path)


def released_values(path):
    return np.loadtxt(path, delimiter=",", skiprows=1)[:, 1]


def test_who_is_counted_three_times_in_a_step_takes_three_times_the_noise(answer_of):
    once = answer_of("release", *FILTERED, *SERIES, *BUDGET)
    found = answer_of("release", *FILTERED, *SERIES, *BUDGET, "--times-per-step", "3")
    assert found["noise"] == pytest.approx(3 * once["noise"], rel=1e-12)
    assert found["unit"] == "one individual in at most 180 time steps, up to 3 times each"
    # Who is in more steps is told what holds for three times in each.
    assert found["epsilon_if_more_often"] == pytest.approx(once["epsilon_if_more_often"])


def test_the_better_accounting_is_the_default_and_epsilon_grows_with_more_steps(answer_of):
    found = answer_of("release", *KEPT, *SERIES, *BUDGET)
    assert found["accounting"] == "exact"
    more = found["epsilon_if_more_often"]
    assert more["1"] <= 0.5 + 1e-6
    assert more["1"] < more["2"] < more["4"]
    assert found["steps_if_more_often"] == {"1": 180, "2": 360, "4": 720}


@pytest.mark.parametrize("mechanism", [KEPT, FILTERED, ("--mechanism", "gaussian")])
def test_nobody_is_told_of_more_steps_than_there_are(mechanism, answer_of):
    """Of 300 steps, who is in four times 180 is in all of them, and so is who is in twice 180."""
    series = ("--length", "300", "--participation", "180")
    found = answer_of("release", *mechanism, *series, *BUDGET)
    assert found["steps_if_more_often"] == {"1": 180, "2": 300, "4": 300}
    more = found["epsilon_if_more_often"]
    assert more["1"] < more["2"] == more["4"]
    if mechanism[-1] != "gaussian":
        return
    # By the closed form of one Gaussian, it is the least epsilon at which delta is 1e-4.
    epsilon, shift = more["4"], math.sqrt(300) / found["noise"]
    delta = norm.cdf(shift / 2 - epsilon / shift)
    delta -= math.exp(epsilon) * norm.cdf(-shift / 2 - epsilon / shift)
    assert delta == pytest.approx(1e-4, rel=1e-4)


@pytest.mark.parametrize(
    ("length", "participation", "replaced"),
    [
        ("300", "100", "to hide that one person replaces another, plan for 200 steps"),
        ("300", "180", "to hide that one person replaces another, plan for 300 steps"),
        ("300", "300", "that one person replaces another is hidden, too"),
        ("1", "1", "that one person replaces another is hidden, too"),
    ],
)
def test_a_replaced_person_needs_no_more_steps_than_there_are(
    length, participation, replaced, both_of
):
    asked = ("--mechanism", "gaussian", "--length", length, "--participation", participation)
    answer, told = both_of("release", *asked, *BUDGET)
    assert answer["assumptions"][0].endswith(f"; {replaced}")
    assert ("counted in the only step" in told) == (length == "1")


def test_of_one_step_none_is_each(answer_of):
    asked = ("--mechanism", "gaussian", "--length", "9", "--participation", "1", *BUDGET)
    assert answer_of("release", *asked, "--times-per-step", "2")["unit"].endswith("up to 2 times")


def test_the_best_accounting_is_told_where_it_says_more(text_of):
    paper = text_of("release", *KEPT, *SERIES, *BUDGET, "--accounting", "paper")
    assert "by the best accounting of this noise: delta <= 1.9" in paper
    assert "by the best accounting" not in text_of("release", *FILTERED, *SERIES, *BUDGET)


def test_a_released_file_has_the_noise_and_not_the_counts(answer_of, tmp_path):
    out = tmp_path / "released.csv"
    found = answer_of(
        "release", "--mechanism", "gaussian", "--participation", "20", *BUDGET,
        "--data", counts_file(tmp_path), "--out", str(out),
    )  # fmt: skip
    assert found["length"] == 400
    assert found["noise_from"] == "the system's entropy"
    assert found["seed"] is None
    difference = released_values(out) - COUNTS
    assert abs(difference.std() / found["noise"] - 1) < 5 / math.sqrt(2 * 400)
    # The file has two decimals: noise that is nothing in them has a chance of 10⁻⁴ for each value.
    assert (difference == 0).sum() <= 5


def test_two_releases_without_a_seed_differ_and_two_with_one_do_not(answer_of, tmp_path):
    data = counts_file(tmp_path)

    def run(*seed):
        out = tmp_path / "out.csv"
        told = answer_of(
            "release", *KEPT, "--participation", "20", *BUDGET, "--data", data, "--out", str(out),
            *seed,
        )  # fmt: skip
        return told, released_values(out).tolist()

    assert run()[1] != run()[1]
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "step,released"
    told, first = run("--seed", "7")
    assert first == run("--seed", "7")[1]
    assert any("who knows the seed can take the noise off" in one for one in told["assumptions"])
    assert told["is_guarantee"] is False
    assert told["bound"].startswith("none for values from a seed")
    # The file says so by itself, wherever it is carried.
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "step,simulated_not_private"
    # Indeed: the same seed on zeros gives the noise alone.
    data = counts_file(tmp_path, "\n".join(["count", *["0"] * 400]))
    assert first != run("--seed", "7")[1]


def test_an_answer_tells_nothing_of_the_counts(capsys, tmp_path):
    """The same words for two series of one length."""
    said = []
    for factor in (1, 5):
        text = "\n".join(["count", *(str(factor * count) for count in COUNTS)])
        out = str(tmp_path / "out.csv")
        data = counts_file(tmp_path, text)
        assert main([
            "release", *FILTERED, "--participation", "20", *BUDGET, "--data", data, "--out", out,
            "--seed", "1",
        ]) == 0  # fmt: skip
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "released: " in said[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--mechanism is needed: one of gaussian"),
        ((*KEPT, "--accounting", "classical"), "for subsample it must be one of paper, exact"),
        (("--mechanism", "gaussian", "--rate", "0.1"), "--rate 0.1 is not allowed: gaussian has"),
        ((*KEPT, "--filter-width", "3"), "--filter-width 3 is not allowed: subsample has none"),
        ((*FILTERED, "--coefficients", "3"), "--coefficients 3 is not allowed"),
        (KEPT, "--length is needed for subsample: a whole number from 1 to "),
        ((*KEPT, "--length", "9"), "--participation is needed"),
        ((*KEPT, "--length", "9", "--participation", "10", *BUDGET), "whole number from 1 to 9"),
        (("--mechanism", "gaussian", "--accounting", "classical", *SERIES, "--epsilon", "1",
          "--delta", "1e-4"),
         "--epsilon 1 is not allowed: the classical calibration of Gaussian noise is proven for ε "
         "below 1 only; use the accounting analytic"),
        (("--mechanism", "dft", "--accounting", "paper", *SERIES, "--epsilon", "2.5",
          "--delta", "1e-4"),
         "below 2 only, shared by 2 parts; use the accounting analytic"),
        ((*KEPT, *SERIES, *BUDGET, "--seed", "1"), "--seed is not allowed without --data"),
        ((*KEPT, *SERIES, *BUDGET, "--out", "x.csv"), "--out is not allowed without --data"),
        ((*KEPT, *BUDGET, "--data", "x.csv"), "--out is needed beside --data"),
        ((*KEPT, *BUDGET, "--data", "/nowhere/x", "--out", "y"), "cannot be read: No such file"),
        (("--mechanism", "dft", "--accounting", "analytic", *SERIES, *BUDGET, "--coefficients",
          "2000"),
         "--coefficients 2000 is not allowed: it must be a whole number from 1 to 1,800."),
        ((*KEPT, *SERIES, "--flat"), "no such option for release"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_a_sentence(arguments, told, refusal_of):
    said = refusal_of("release", *arguments)
    assert told in said
    assert said.startswith("dpviz: --" if "no such option" not in told else "dpviz: '--")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("count\n3\n4.5\n", "Line 3"),
        ("count\n3\n-1\n", "must be a whole number from 0"),
        ("count\n3\n\n4\n", "must be a whole number from 0"),
        ("count\n3\n1,000\n", "Line 3"),
        ("count\n3\nnan\n", "must be a whole number"),
        ("count\n3\n1e5\n", "must be a whole number"),
        ("a,b\n1,2\n3,4\n", "2 columns of numbers"),
        ("name,town\nx,y\nz,w\n", "no column of numbers"),
        ("\n", "The file is empty"),
    ],
)
def test_a_file_that_is_no_series_of_counts_is_refused(tmp_path, text, told, refusal_of):
    out = tmp_path / "out.csv"
    files = ["--data", counts_file(tmp_path, text), "--out", out]
    assert told in refusal_of("release", *KEPT, "--participation", "1", *BUDGET, *files)
    assert not out.exists()


def test_the_series_itself_is_not_overwritten(tmp_path, refusal_of):
    data = counts_file(tmp_path)
    files = ["--data", data, "--out", data]
    said = refusal_of("release", *KEPT, "--participation", "9", *BUDGET, *files)
    assert "another file than --data" in said


def test_a_file_of_another_length_than_given_is_refused(tmp_path, refusal_of):
    files = ["--data", counts_file(tmp_path), "--out", tmp_path / "out.csv"]
    said = refusal_of("release", *KEPT, *SERIES, *BUDGET, *files)
    assert "--length 1800 is not allowed: the file has 400 steps" in said
