"""The command line answers for scenarios, and explains what it refuses in one sentence."""

import re
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.accounting import account_for, closer_upper
from dpviz.planning import calibrate as planning_calibrate
from dpviz.planning.attack_rates import risk_account
from dpviz.planning.search import largest_size
from dpviz.risk import advantage, attained_true_positive_rate, true_positive_rate
from dpviz.sampling import simulate_hits
from dpviz.scenario import from_fields, to_json
from tests.scenario.changes import TOY

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=1000"]
RATES = ["--top-rate=0.1", "--bottom-rate=0.1", "--noise-multiplier=1", "--steps=1000"]
SCHEMES = [
    ["--top-level=shuffled"],
    ["--top-level=poisson"],
    ["--bottom-level=poisson"],
    ["--subsequences=4"],
    ["--flat"],
    ["--context-noise=2", "--max-change=1"],
]


@pytest.fixture
def scenario_file(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_text(to_json(TOY, indent=2), encoding="utf-8")
    return str(path)


def test_epsilon_is_the_accountants_with_its_meaning(scenario_file, answer_of):
    account = account_for(TOY)
    for source in (["--scenario", scenario_file], OPTIONS):
        answer = answer_of("epsilon", *source, "--delta", "1e-7", "1e-5")
        upper = answer["upper"]
        assert upper["epsilon"] == [account.upper.quoted_epsilon_at(d) for d in (1e-7, 1e-5)]
        assert upper["delta"] == [1e-7, 1e-5]
        assert (upper["theorem"], upper["kind"], upper["tight_per_unit"]) == ("4.4", "upper", True)
        assert answer["lower"]["kind"] == "lower"
        assert answer["composition"] == {"unit": "step", "count": 1000}
        assert from_fields(answer["scenario"]) == TOY
        for (low, high), epsilon in zip(upper["bracket"], upper["epsilon"], strict=True):
            assert low <= high == epsilon


def test_deltas_without_a_finite_epsilon_are_named(answer_of):
    loud = [*SHAPE, "--batch-size=32", "--noise-multiplier=0.5", "--steps=1000"]
    upper = answer_of("epsilon", *loud, "--subsequences=32", "--delta", "1e-7", "0.5")["upper"]
    assert [epsilon is None for epsilon in upper["epsilon"]] == [True, False]
    assert upper["reason"] == "no finite epsilon is certified at delta 1e-07"


def test_a_lower_bound_of_another_unit_says_so(both_of):
    walk = ["--series-length=20", "--context-length=1", "--forecast-length=1", "--steps=3"]
    bins = [*walk, "--num-series=4", "--batch-size=1", "--noise-multiplier=1", "--top-level=bins"]
    answer, said = both_of("epsilon", *bins, "--delta", "1e-3")
    assert answer["composition"] == answer["upper"]["composition"] == {"unit": "epoch", "count": 1}
    assert answer["lower"]["composition"] == {"unit": "step", "count": 1}
    assert "lower bound, dpviz's Proposition 3 composed over 1 step: " in said
    assert "upper bound, dpviz's Proposition 24: " in said


def test_an_attack_is_told_as_one_and_each_number_by_the_theorem_that_gives_it(both_of):
    """Proposition 7 holds the numbers of Theorem F.7, which are called so where they are larger."""
    sampling = ["--batch-size=32", "--subsequences=2", "--noise-multiplier=2", "--steps=50"]
    several = [*SHAPE, *sampling]
    answer, said = both_of("epsilon", *several, "--delta", "1e-7", "1e-3")
    lower = answer["lower"]
    assert (lower["theorem"], lower["theorems"]) == ("dpviz 7", ["F.7", "dpviz 7"])
    assert "may be larger" in lower["bracket_of"]
    assert "bracket_of" not in answer["upper"]
    named = [line.rpartition(" (")[2] for line in said.splitlines()[-2:]]
    assert [one.rpartition(")")[0] for one in named] == ["Theorem F.7", "dpviz's Proposition 7"]
    assert said.count("the computed attack's exact value lies between") == 1
    assert said.count("this bound's exact value lies between") == 3
    alone, said = both_of("epsilon", *several, "--delta", "1e-7")
    assert (alone["lower"]["theorem"], "theorems" in alone["lower"]) == ("F.7", False)
    assert "bracket_of" not in alone["lower"]
    assert "the computed attack's" not in said
    deltas, _ = both_of("delta", *several, "--epsilon", "0.1", "3")
    assert deltas["lower"]["theorems"] == ["dpviz 7", "F.7"]


def test_a_closer_upper_bound_stands_beside_both_others(answer_of, both_of, monkeypatch):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)
    short = [*RATES[:-1], "--steps=3", "--delta", "1e-5", "0.9"]
    answer, said = both_of("epsilon", *short, "--closer")
    upper, closer, lower = (answer[name]["epsilon"][0] for name in ("upper", "closer", "lower"))
    assert lower <= closer < upper
    assert answer["closer"]["theorem"] == "dpviz 23"
    assert answer["closer"]["kind"] == "upper"
    assert answer["closer"]["bracket"][0] == [lower, closer]
    assert answer["closer"]["epsilon"][1] is None
    assert re.search(r"closer upper bound, dpviz's Proposition 23: not tight\n  epsilon +\d", said)
    assert "what the worst model reveals lies between" in said
    assert "delta 0.9: not smaller than the upper bound" in said
    assert "closer" not in answer_of("epsilon", *short)


def test_calibrate_tells_less_noise_by_the_closer_bound(answer_of, both_of, monkeypatch):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)
    asked = [*SHAPE, "--batch-size=160", "--steps=40", "--target-epsilon=6", "--closer"]
    answer, said = both_of("calibrate", *asked)
    closer = answer["closer"]
    assert closer["noise_multiplier"] < answer["noise_multiplier"]
    assert closer["theorem"] == "dpviz 23"
    (low, high), classical = closer["bracket"][0], closer["upper_epsilon"][0]
    assert low <= high == closer["epsilon"][0] <= 6.0 < classical
    again = answer_of("epsilon", *asked[:-2], f"--noise-multiplier={closer['noise_multiplier']}")
    assert again["upper"]["epsilon"][0] == classical
    assert f"found: --noise-multiplier {answer['noise_multiplier']}\n" in said
    assert f"noise multiplier {closer['noise_multiplier']} meets the target, too:" in said
    answer, said = both_of("calibrate", *asked, "--top-level=poisson")
    assert answer["closer"] is None
    assert "closer upper bound: none; dpviz's Proposition 23 is for" in said


def test_one_batch_an_epoch_stands_beside_what_is_asked_for(answer_of, text_of):
    ways = ["--top-rate=0.5", "--bottom-rate=0.1", "--noise-multiplier=20", "--one-batch"]
    found = answer_of("epsilon", *ways, "--steps=5")["one_batch"]
    bins, shuffled = found["bins"], found["shuffled"]
    assert found["batches"] == 2
    assert [bins[side]["composition"]["count"] for side in ("upper", "lower")] == [3, 2]
    assert 0.0 < bins["lower"]["epsilon"][0] < bins["upper"]["epsilon"][0]
    assert shuffled["upper"] is None
    assert shuffled["lower"]["theorem"] == "dpviz 25"
    said = text_of("epsilon", *ways, "--steps=1")
    assert re.search(
        r"bound: epsilon <= \d.* at delta 1e-07   \(dpviz's Proposition 24, 1 epoch\)", said
    )
    assert said.count("none, as no epoch is whole") == 1
    # Of a part of an epoch one step is attacked, as if series came by coins.
    assert "(dpviz's Proposition 3, 1 step)" in said
    alone = answer_of("epsilon", *ways[:-1], "--steps=5", "--top-level=bins")
    for side in ("upper", "lower"):
        assert {name: alone[side][name] for name in ("theorem", "epsilon", "bracket")} == {
            name: bins[side][name] for name in ("theorem", "epsilon", "bracket")
        }
    several = answer_of("epsilon", *ways, "--steps=5", "--subsequences=2")
    assert several["one_batch"] is None


def test_the_first_delta_asked_for_is_that_of_a_scenario_of_options(answer_of, scenario_file):
    """A file keeps its own; options without one mean 1e-7."""
    asked = ["--delta", "1e-6", "1e-5"]
    assert answer_of("epsilon", *OPTIONS, *asked)["scenario"]["delta"] == 1e-6
    assert answer_of("delta", *OPTIONS, "--epsilon=1")["scenario"]["delta"] == 1e-7
    assert answer_of("epsilon", "--scenario", scenario_file, *asked)["scenario"]["delta"] == 1e-7


def test_rates_are_enough_and_one_step_is_called_tight(answer_of):
    rates, shape = (answer_of("epsilon", *one[:-1], "--steps=1") for one in (RATES, OPTIONS))
    assert rates["upper"]["epsilon"] == pytest.approx(shape["upper"]["epsilon"])
    assert rates["upper"]["kind"] == shape["upper"]["kind"] == "tight"
    assert rates["scenario"]["steps_per_epoch"] == 10


def test_several_lengths_count_as_their_worst(answer_of):
    lengths = ["--series-length", "40", "20", "30"]
    answer = answer_of("epsilon", *OPTIONS[:1], *lengths, *OPTIONS[2:])
    assert answer["scenario"]["series_length"] == [20]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_scheme_is_answered_with_its_words(scheme, both_of):
    answer, told = both_of("epsilon", *OPTIONS, *scheme)
    account = account_for(from_fields(answer["scenario"]))
    bound = account.upper.bound
    assert answer["upper"]["epsilon"] == [account.upper.quoted_epsilon_at(1e-7)]
    assert answer["upper"].get("extension", "") == bound.extension
    assert (answer["lower"] is None) == (account.lower is None)
    assert bound.extension in told


def test_windows_by_coins_and_batches_of_a_walk_are_told_as_what_they_are(both_of):
    told = {}
    for top_level in ("deterministic", "bins"):
        coins = ["--subsequences=4", "--bottom-level=poisson", f"--top-level={top_level}"]
        _, told[top_level] = both_of("epsilon", *OPTIONS, *coins)
    for text in told.values():
        assert "; on average 4 windows per series (lambda), each by its own coin\n" in text
    assert "at most one batch of each epoch uses the series" in told["deterministic"]
    assert ", one batch of each epoch uses the series" in told["bins"]


@pytest.mark.parametrize("command", ["epsilon", "calibrate"])
def test_tables_round_each_bound_to_its_own_side(command, both_of):
    options, target = OPTIONS, []
    if command == "calibrate":
        options, target = [*OPTIONS[:5], OPTIONS[6]], ["--target-epsilon=4"]
    answer, told = both_of(command, *options, *target)
    upper, lower = (float(line.split()[1]) for line in told.splitlines() if "  eps" in line)
    assert upper >= answer["upper"]["epsilon"][0]
    assert lower <= answer["lower"]["epsilon"][0]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("find", "given"),
    [
        ("noise-multiplier", ["--batch-size=32", "--steps=100"]),
        ("steps", ["--batch-size=32", "--noise-multiplier=2"]),
        ("epochs", ["--batch-size=32", "--noise-multiplier=2"]),
        ("batch-size", ["--noise-multiplier=2", "--steps=100"]),
        ("subsequences", ["--noise-multiplier=4", "--steps=100", "--batch-size=32"]),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_calibrate_gives_the_quantity_with_its_certificate(answer_of, find, given):
    options = [*SHAPE, *given, "--find", find, "--target-epsilon=2", "--target-delta=1e-6"]
    answer = answer_of("calibrate", *options)
    assert answer["upper"]["delta"] == [1e-6]
    assert 0.0 < answer["upper"]["epsilon"][0] <= 2.0
    field = "num_subsequences" if find == "subsequences" else find.replace("-", "_")
    assert answer[find.replace("-", "_")] == answer["scenario"][field]


def test_calibrate_ignores_the_saved_value_of_what_it_finds(scenario_file, answer_of):
    saved = answer_of("calibrate", "--scenario", scenario_file, "--target-epsilon=2")
    typed = answer_of("calibrate", *OPTIONS[:5], OPTIONS[6], "--target-epsilon=2")
    assert saved == typed


def test_calibrate_says_where_only_the_limit_of_the_search_was_reached(both_of):
    given = [*SHAPE, "--batch-size=32", "--steps=1"]
    for target, at_limit in (("1e6", True), ("1", False)):
        answer, told = both_of("calibrate", *given, f"--target-epsilon={target}")
        assert answer["at_limit"] is at_limit
        assert ("the limit of what is searched" in told) is at_limit


def test_calibrate_says_that_its_search_was_cut(answer_of, monkeypatch):
    def soon_cut(*arguments, **named):
        return largest_size(*arguments, **named, most_looks=2)

    monkeypatch.setattr(planning_calibrate, "largest_size", soon_cut)
    asked = ["--epochs=5", "--noise-multiplier=1", "--find=batch-size", "--target-epsilon=5"]
    answer = answer_of("calibrate", *SHAPE, *asked)
    assert answer["notes"] == ["the search was cut: a larger batch-size may meet the target, too"]
    assert answer["upper"]["epsilon"][0] <= 5.0


def test_simulate_counts_batches(both_of):
    asked = ["simulate", *SHAPE, "--batch-size=32", "--batches=500", "--seed=3"]
    answer, told = both_of(*asked)
    assert answer["hits"] == simulate_hits(TOY, 500, 3).tolist()
    assert answer["notes"] == []
    assert f"{0:>12,} {answer['hits'][0]:>12,}" in told
    assert answer["counted"].endswith(" in the middle of one series")
    lengths = ["--series-length", "20", "60"]
    longer, _ = both_of(*asked[:2], *lengths, *asked[3:])
    assert longer["counted"].endswith(" one series, where all are drawn as long as the shortest")


@pytest.mark.parametrize(
    "scheme",
    [
        ["--batch-size=32"],
        ["--batch-size=66", "--subsequences=2", "--top-level=deterministic"],
        ["--batch-size=32", "--top-level=shuffled", "--relation-width=3"],
        ["--batch-size=32", "--top-level=poisson"],
        ["--batch-size=64", "--subsequences=4", "--bottom-level=poisson"],
        ["--batch-size=640", "--subsequences=30", "--bottom-level=poisson"],
    ],
)
def test_simulate_draws_what_it_says_is_expected(answer_of, scheme):
    batches = 20_000
    answer = answer_of("simulate", *SHAPE, *scheme, f"--batches={batches}", "--seed=5")
    counts = np.array(answer["hits"])
    hits = np.arange(len(counts))
    average = (hits * counts).sum() / batches
    spread = np.sqrt(((hits - average) ** 2 * counts).sum() / batches)
    assert abs(average - answer["expected_hits_per_batch"]) <= 5.0 * spread / np.sqrt(batches)


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["epsilon", "--steps=0"], 2)])
def test_help_and_refusals_wait_for_nothing_that_is_slow_to_load(arguments, code):
    command = [sys.executable, "-X", "importtime", "-m", "dpviz", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    loaded = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))
    assert "dpviz.command_line.parser" in loaded
    assert not loaded & {"numpy", "scipy", "pandas", "dp_accounting", "streamlit"}


FALSE = ["--false-positive-rate", "0", "0.001", "0.01", "0.1", "1"]


def test_rates_are_the_librarys_each_on_its_own_side(answer_of):
    answer = answer_of("risk", *OPTIONS, *FALSE)
    account = risk_account(from_fields(answer["scenario"]))
    upper, lower = answer["upper"], answer["lower"]
    rates = [0.0, 0.001, 0.01, 0.1, 1.0]
    assert upper["false_positive_rate"] == lower["false_positive_rate"] == rates
    assert upper["true_positive_rate"] == [
        true_positive_rate(account.upper, rate).high for rate in rates
    ]
    assert lower["true_positive_rate"] == [
        attained_true_positive_rate(account.lower, rate).low for rate in rates
    ]
    assert upper["advantage"] == advantage(account.upper).high
    assert lower["advantage"] == advantage(account.lower).low
    assert (upper["theorem"], upper["kind"], lower["kind"]) == ("4.4", "upper", "lower")
    assert answer["composition"] == {"unit": "step", "count": 1000}
    for reached, allowed in zip(
        lower["true_positive_rate"], upper["true_positive_rate"], strict=True
    ):
        assert reached <= allowed


def test_a_plain_gaussian_mechanism_tells_its_mu(answer_of):
    """All series in every batch, and each window touched: mu = 2 sqrt(steps) / sigma."""
    everything = ["--top-rate=1", "--bottom-rate=1", "--noise-multiplier=10", "--steps=25"]
    answer = answer_of("risk", *everything, *FALSE)
    for side in ("upper", "lower"):
        assert answer[side]["gaussian_dp_mu"] == 1.0
        hits = norm.cdf(norm.ppf([0.001, 0.01, 0.1]) + 1.0)
        assert answer[side]["true_positive_rate"][1:4] == pytest.approx(hits, rel=5e-3)
    assert "gaussian_dp_mu" not in answer_of("risk", *OPTIONS, *FALSE)["upper"]


def test_mu_is_rounded_to_the_side_of_its_bound(text_of):
    """It is 2 / 3 here."""
    everything = ["--top-rate=1", "--bottom-rate=1", "--noise-multiplier=3", "--steps=1"]
    lines = text_of("risk", *everything, *FALSE).splitlines()
    told = [line.rpartition(" ")[2] for line in lines if "N(mu, 1)" in line]
    assert told == ["0.666667", "0.666666"]


def test_the_table_rounds_each_bound_to_its_own_side(both_of):
    asked = ["risk", *OPTIONS, "--false-positive-rate=0.01"]
    answer, text = both_of(*asked)
    lines = [line for line in text.splitlines() if "  false alarms" in line]
    upper, lower = (float(line.split()[6]) for line in lines)
    assert "hits at most" in lines[0]
    assert "hits at least" in lines[1]
    [most], [least] = (answer[side]["true_positive_rate"] for side in ("upper", "lower"))
    assert most <= upper <= most + 1e-6
    assert least - 1e-6 <= lower <= least
