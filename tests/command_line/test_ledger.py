"""The command that composes runs: as a table, as JSON, with room for the next run, or refused."""

import json
from dataclasses import replace

import pytest

from dpviz.planning.ledger import ledger
from dpviz.scenario import PRESETS, Noise, Sampling
from dpviz.scenario.ledger import NamedRun, ledger_from_json, ledger_to_json
from tests.scenario.changes import varied

TOY = varied(PRESETS["toy"].scenario, steps=50)
RUNS = (
    NamedRun(name="pilot", scenario=TOY),
    NamedRun(
        name="walk", scenario=replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))
    ),
    NamedRun(name="main", scenario=replace(TOY, noise=Noise(noise_multiplier=2.0))),
)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "runs.json"
    file.write_text(ledger_to_json(RUNS), encoding="utf-8")
    return str(file)


def test_json_has_every_number_with_its_meaning_and_is_itself_a_ledger(path, text_of):
    text = text_of("ledger", path, "--delta", "1e-7", "1e-5", "--epsilon", "1", "--json")
    answer = json.loads(text)
    found = [ledger(RUNS, delta) for delta in (1e-7, 1e-5)]
    assert answer["upper"]["epsilon"] == [one.upper.high for one in found]
    assert answer["lower"]["epsilon"] == [one.lower.low for one in found]
    assert answer["lower"]["only_if"] == "on the same values"
    assert answer["lower"]["theorems"] == ["4.4", "dpviz 8"]
    assert [run["theorem"] for run in answer["runs"]] == ["4.4", "4.2", "4.4"]
    assert [run["unit"] for run in answer["runs"]] == ["step", "epoch", "step"]
    [low, high] = answer["delta_at"]["bracket"][0]
    assert low <= high == answer["delta_at"]["delta"][0]
    assert ledger_from_json(text) == RUNS


def test_a_run_is_told_at_the_delta_that_it_is_told_of(path, text_of):
    """Of several deltas that is the first one."""
    lines = text_of("ledger", path, "--delta", "1e-5", "1e-7").splitlines()
    runs = [line for line in lines if line.startswith("run ")]
    assert len(runs) == len(RUNS)
    assert all("; all others <= " in line and "(at delta 1e-05);" in line for line in runs)


def test_each_lower_bound_has_its_theorem_and_one_run_no_others(tmp_path, both_of):
    """At a large delta one direction tells most, at a small one several do."""
    file = tmp_path / "one.json"
    file.write_text(ledger_to_json(RUNS[:1]), encoding="utf-8")
    answer, text = both_of("ledger", file, "--delta", "1e-7", "0.3", "--epsilon", "1")
    by = answer["lower"]["theorems_by_delta"]
    assert by == [["dpviz 9"], ["4.4"]]
    assert answer["lower"]["theorems"] == ["dpviz 9", "4.4"]
    for theorem, least in zip(("dpviz's Proposition 9", "Theorem 4.4"), (8, 0), strict=True):
        assert f"  lower bound by {theorem}: epsilon >= {least}" in text
    assert "1 run, upper bound: delta 0.0179" in text
    assert "together" not in text
    assert "others" not in text


def test_room_for_the_next_run_leaves_it_out_of_the_total(path, answer_of, text_of):
    answer = answer_of("ledger", path, "--next", "main", "--target-epsilon", "15")
    assert [run["name"] for run in answer["runs"]] == ["pilot", "walk"]
    for quantity in ("training", "noise_multiplier"):
        assert answer["next"]["found"][quantity]["epsilon"] <= 15.0
        assert answer["next"]["found"][quantity]["conditions"] == []
        assert answer["next"]["found"][quantity]["theorem"]
    assert "not even one step of the next run beside 2 runs meets it" in text_of(
        "ledger", path, "--next", "main", "--target-epsilon", "0.1"
    )


def test_room_beside_noise_on_windows_says_what_it_holds_under(tmp_path, both_of):
    noise = Noise(noise_multiplier=2.0, forecast_noise=2.0)
    runs = (RUNS[0], NamedRun(name="noisy", scenario=replace(TOY, noise=noise)))
    file = tmp_path / "noisy.json"
    file.write_text(ledger_to_json(runs), encoding="utf-8")
    answer, text = both_of("ledger", file, "--next", "noisy", "--target-epsilon", "15")
    found = answer["next"]["found"]
    for room in found.values():
        assert room["theorem"] == "G.1"
        (condition,) = room["conditions"]
        assert "value changes by more than" in condition
    assert text.count(f"    only if {condition}") == len(found)
    assert text.count("its bound: Theorem G.1") == len(found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--next", "nobody", "--target-epsilon", "1"], "it must be one of pilot, walk, main"),
        (["--next", "main"], "--target-epsilon is needed beside --next"),
        (["--target-epsilon", "3"], "--next is needed beside --target-epsilon"),
        (["--steps", "2"], "there is no such option for ledger"),
    ],
)
def test_a_wrong_option_is_answered_in_one_sentence(options, said, path, refusal_of):
    assert said in refusal_of("ledger", path, *options)


def test_a_file_that_is_no_ledger_or_of_unlike_runs_is_named(tmp_path, refusal_of):
    other = NamedRun(name="other", scenario=PRESETS["traffic"].scenario)
    for text, said in (
        ("{}", "it must be a JSON object such as"),
        (ledger_to_json((*RUNS, other)), "run 'other' has it and run 'pilot' has 320"),
    ):
        path = tmp_path / "bad.json"
        path.write_text(text, encoding="utf-8")
        assert said in refusal_of("ledger", str(path))
    assert "cannot be read" in refusal_of("ledger", str(tmp_path / "none.json"))
