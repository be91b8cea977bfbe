"""``train`` answers with errors and what was spent, keeps its files, and explains refusals."""

import csv
import json
import shlex
import sys

import numpy as np
import pytest

from dpviz.command_line import main, training
from dpviz.command_line.command import UsageError
from dpviz.command_line.commands import COMMANDS
from dpviz.command_line.parser import parsed
from dpviz.command_line.training import training_request
from dpviz.scenario import from_fields, to_json
from dpviz.training.checkpoint import FILE_NAME
from tests.csv_text import rows_of

BUDGET = ["--target-epsilon=5", "--target-delta=1e-5", "--seed=1"]
DEFAULT = ["train", "--model=linear", "--data=synthetic", *BUDGET]
SMALL = [*DEFAULT, "--num-series=9", "--series-length=40", "--period=4", "--steps=10"]
FREE = [option for option in SMALL if not option.startswith("--target")]
GIVEN = [*SMALL, "--noise-multiplier=3", "--batch-size=4"]


@pytest.fixture
def series_file(tmp_path):
    """Six monthly series of 40 values."""
    values = np.round(50 + 10 * np.sin(np.arange(40) * np.pi / 6)[:, None] + np.arange(6), 2)
    months = [f"{2000 + month // 12}-{month % 12 + 1:02}" for month in range(40)]
    path = tmp_path / "sales.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["month", *"abcde", "=1+1"])
        writer.writerows([month, *row] for month, row in zip(months, values.tolist(), strict=True))
    return path


def test_the_command_of_the_documentation_beats_the_baseline_within_its_budget(answer_of, tmp_path):
    answer = answer_of(*DEFAULT)
    assert answer["crps"] < 0.95 * answer["baseline_crps"]
    assert 4.9 < answer["epsilon_spent"] <= answer["target_epsilon"] == 5.0
    assert answer["steps"] == answer["steps_accounted"] == answer["steps_allowed"] == 200
    assert answer["direction"] == "upper bound"
    assert (answer["theorem"], answer["composed_over"]) == ("Theorem 4.4", "200 steps")
    assert answer["model_selection"] == "last"
    assert answer["noise_multiplier_is"] == "the smallest found for 200 steps"
    assert "can subtract the noise" in answer["seed_is_known"]
    assert len(answer["not_accounted"]) == 4
    # The answer's own scenario has the epsilon that it reports.
    kept = tmp_path / "answer.json"
    kept.write_text(json.dumps(answer))
    again = answer_of("epsilon", "--scenario", str(kept))
    assert again["upper"]["epsilon"] == [answer["epsilon_spent"]]


def test_without_privacy_nothing_is_claimed(answer_of, text_of):
    answer = answer_of(*FREE, "--no-privacy")
    assert answer["epsilon_spent"] is None
    assert "nobody is protected" in answer["statement"]
    assert not {"theorem", "protects", "noise_multiplier", "scenario"} & set(answer)
    assert "trained without privacy" in text_of(*FREE, "--no-privacy")


def test_of_what_is_not_trained_no_training_is_told(text_of):
    naive = ["--model=naive" if option == "--model=linear" else option for option in FREE]
    text = text_of(*naive, "--no-privacy")
    assert "nothing was trained, so no budget was spent" in text
    assert "trained without privacy" not in text
    assert "parameters:" not in text


def test_one_step_is_no_several(answer_of):
    one = [option for option in SMALL if not option.startswith("--steps")]
    assert answer_of(*one, "--steps=1")["noise_multiplier_is"] == "the smallest found for 1 step"


def test_noise_that_is_given_decides_how_many_steps_the_budget_allows(answer_of):
    answer = answer_of(*GIVEN[:-3], "--steps=1000", "--noise-multiplier=3", "--batch-size=4")
    assert answer["noise_multiplier_is"] == "as given"
    assert 0 < answer["steps"] == answer["steps_allowed"] < answer["steps_asked"] == 1000
    assert answer["epsilon_spent"] <= 5.0


def test_without_a_seed_no_two_runs_are_the_same(answer_of):
    fresh = [option for option in GIVEN if not option.startswith("--seed")]
    one, other = answer_of(*fresh), answer_of(*fresh)
    assert one["crps"] != other["crps"]
    assert one["seed"] is None
    assert "seed_is_known" not in one


def test_somebody_who_watches_sees_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main([*GIVEN, "--evaluate-every=5"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert told[1].startswith("5 of 10 steps, epsilon <= ")
    assert "CRPS of held-out windows" in told[2]


def test_files_are_kept_and_a_finished_run_is_told_again(answer_of, tmp_path):
    folder = tmp_path / "run"
    first = answer_of(*GIVEN, "--out", str(folder), "--evaluate-every=5")
    assert json.loads((folder / "result.json").read_text()) == first
    curve, forecasts = (
        rows_of((folder / name).read_text()) for name in ("curve.csv", "forecasts.csv")
    )
    assert [row["step"] for row in curve] == ["0", "5", "10"]
    assert float(curve[-1]["epsilon_upper_bound"]) == first["epsilon_spent"]
    assert curve[-1]["by"] == "upper bound, Theorem 4.4 composed over 10 steps"
    assert len(forecasts) == 9 * 2
    levels = [f"quantile_0.{tenth}" for tenth in range(1, 10)]
    quantiles = np.array([[float(row[level]) for level in levels] for row in forecasts])
    assert np.all(np.diff(quantiles) >= 0)
    again = answer_of(*GIVEN, "--out", str(folder), "--evaluate-every=5")
    assert {**again, "seconds": 0} == {**first, "seconds": 0}


def test_an_interrupted_run_goes_on(answer_of, capsys, tmp_path, monkeypatch):
    folder = str(tmp_path / "run")
    told = []

    def interrupted(progress):
        told.append(progress)
        if progress.step == 5:
            raise KeyboardInterrupt

    whole = answer_of(*GIVEN, "--evaluate-every=5")
    monkeypatch.setattr(training, "_show", interrupted)
    again = [*GIVEN, "--evaluate-every=5", "--out", folder]
    assert main(again) == 130
    stopped = capsys.readouterr().err
    assert f"stopped: what was trained and spent is in {folder}; the same command" in stopped
    assert f"goes on from there: python -m dpviz {shlex.join(again)}" in stopped
    monkeypatch.setattr(training, "_show", told.append)
    resumed = answer_of(*GIVEN, "--evaluate-every=5", "--out", folder)
    assert [progress.step for progress in told] == [0, 5, 5, 10]
    assert {**resumed, "seconds": 0} == {**whole, "seconds": 0}


def test_a_file_gives_shape_and_season(answer_of, series_file, tmp_path):
    answer = answer_of("train", "--data", str(series_file), *BUDGET, "--steps=5",
                       "--out", str(tmp_path / "run"))  # fmt: skip
    shape = from_fields(answer["scenario"]).shape
    assert (shape.num_series, shape.series_lengths) == (6, (28,))
    assert (shape.context_length, shape.forecast_length) == (24, 6)
    assert answer["period"] == 12
    assert any("season" in note for note in answer["notes"])
    names = {line.partition(",")[0] for line in (tmp_path / "run/forecasts.csv").open()}
    assert "'=1+1" in names, "no spreadsheet computes a name"


def test_a_saved_scenario_brings_its_mechanism(answer_of, tmp_path):
    first = answer_of(*GIVEN)
    path = tmp_path / "scenario.json"
    path.write_text(to_json(from_fields(first["scenario"])))
    saved = ["train", "--data=synthetic", *BUDGET, "--period=4", "--scenario", str(path)]
    again = answer_of(*saved)
    assert again["scenario"] == first["scenario"]
    assert again["noise_multiplier_is"] == "as given"


def test_an_answer_on_series_of_several_lengths_can_be_asked_for_again_of_that_file_alone(
    answer_of, refusal_of, series_file, tmp_path
):
    """Of the lengths its scenario may have the shortest alone, as no longer series is worse."""
    rows = [
        f"{shop},{2000 + at // 12}-{at % 12 + 1:02},{50 + at % 7}"
        for shop, length in (("a", 60), ("b", 90), ("c", 90))
        for at in range(length)
    ]
    (data := tmp_path / "shops.csv").write_text("\n".join(["shop,month,sold", *rows]))
    train = ["train", "--data", str(data), *BUDGET, "--learning-rate=0.001"]
    first = answer_of(*train, "--steps=5", "--noise-multiplier=9", "--batch-size=2")
    shape = from_fields(first["scenario"]).shape
    assert (shape.series_lengths, shape.is_of_one_length) == ((48,), False)
    (kept := tmp_path / "answer.json").write_text(json.dumps(first))
    again = answer_of(*train, "--scenario", str(kept))
    assert (again["crps"], again["epsilon_spent"]) == (first["crps"], first["epsilon_spent"])
    other = refusal_of("train", "--data", series_file, *BUDGET, "--scenario", kept)
    assert "the file has 6 series: make the scenario for these" in other


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], "--data is needed: synthetic, or the path"),
        (["--data=synthetic"], "--target-epsilon is needed: a number from 1e-09 to 1e+09, or"),
        (["--data=synthetic", "--no-privacy", "--target-epsilon=3"], "beside --no-privacy"),
        (["--data=synthetic", "--no-privacy", "--clipping-norm=3"], "norm 3 is not allowed beside"),
        (["--data=synthetic", "--no-privacy", "--forecast-noise=3"], "beside --no-privacy"),
        (["--data=/nowhere.csv", *BUDGET], "--data '/nowhere.csv' cannot be read: No such file"),
        ([*DEFAULT[1:], "--top-rate=0.1"], "--top-rate 0.1 is not allowed: rates draw no batches"),
        ([*DEFAULT[1:], "--steps=3", "--epochs=3"], "--steps 3 is not allowed beside --epochs 3"),
        (
            [*DEFAULT[1:], "--validation=none", "--validation-windows=2"],
            "--validation-windows 2 is not allowed beside --validation none",
        ),
        ([*DEFAULT[1:], "--num-series=5000"], "--num-series 5000 is not allowed"),
        (
            [*DEFAULT[1:], "--series-length=9999"],
            "--series-length 9999 is not allowed: with the 12",
        ),
        ([*DEFAULT[1:], "--series-length", "50", "60"], "all made-up series have one length"),
        ([*DEFAULT[1:], "--context-length=0"], "--context-length 0 is not allowed"),
        ([*DEFAULT[1:], "--batch-size=201"], "--batch-size 201 is not allowed: it must be at most"),
        ([*DEFAULT[1:], "--forecast-noise=1"], "--max-change: it is needed, as noise on context"),
        ([*DEFAULT[1:], "--channels=2", "--noise-multiplier=1"], "--channels 2 is not allowed"),
        ([*DEFAULT[1:], "--lr=3"], "'--lr=3' is not allowed: there is no such option for train"),
        (["--data=synthetic", "--target-epsilon=1e-9"], "--target-epsilon 1e-9 is not allowed"),
    ],
)
def test_refusals_name_option_value_and_what_is_allowed(options, named, refusal_of):
    assert named in refusal_of("train", *options)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--num-series=5"], "--num-series 5 is not allowed: the file has 6 series: leave it out"),
        (["--series-length=40"], "--series-length 40 is not allowed: the training part of"),
        (["--forecast-length=14"], "it must be at most 13: each needs 42 values, room"),
    ],
)
def test_options_that_contradict_a_file_are_refused(options, named, series_file, refusal_of):
    assert named in refusal_of("train", "--data", str(series_file), *BUDGET, *options)


def test_a_folder_that_cannot_be_used_is_named(refusal_of, tmp_path):
    taken = tmp_path / "file"
    taken.write_text("")
    assert f"--out {taken} cannot be written" in refusal_of(*GIVEN, "--out", str(taken))


@pytest.mark.parametrize("name", ["forecasts.csv", "curve.csv", "result.json"])
def test_results_take_the_place_of_nothing_that_is_read(name, series_file, tmp_path, refusal_of):
    own = tmp_path / name
    own.write_bytes(series_file.read_bytes())
    said = refusal_of("train", "--data", own, *BUDGET, "--steps=2", "--out", tmp_path)
    assert f"{name} is not allowed: it must be another file than --data" in said
    assert own.read_bytes() == series_file.read_bytes()


def test_a_damaged_checkpoint_is_no_fresh_start(refusal_of, text_of, tmp_path):
    text_of(*GIVEN, "--out", tmp_path)
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:100])
    assert "count its whole target as spent" in refusal_of(*GIVEN, "--out", str(tmp_path))


def test_a_diverging_run_tells_what_it_spent(monkeypatch):
    monkeypatch.setattr("dpviz.training.settings.LEARNING_RATE_RANGE", (1e-9, 1e300))
    options = parsed([*GIVEN, "--optimizer=sgd"], COMMANDS)
    options.learning_rate = 1e250
    with pytest.raises(UsageError, match="diverged: after step 1 the parameters") as refused:
        training.train_command(options)
    told = "lower --learning-rate; spent nevertheless: epsilon <= "
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("option", "windows", "batch"), [("--subsequences=200", 200, 200), ("--flat", 1, 128)]
)
def test_a_batch_has_as_many_windows_as_is_said(option, windows, batch):
    options = parsed([*FREE, "--no-privacy", option], COMMANDS)
    sampling = training_request(options).settings.scenario.sampling
    assert (sampling.num_subsequences, sampling.batch_size) == (windows, batch)


def test_a_file_is_read_as_its_layout_is_said_to_be(tmp_path, refusal_of, capsys):
    path = tmp_path / "rows.csv"
    values = 50 + np.arange(8)[:, None] % 3 + np.arange(40) % 4
    names = ",".join(f"{'abcd'[at // 10]}{'klmnopqrst'[at % 10]}" for at in range(40))
    np.savetxt(path, values, delimiter=",", header=names, comments="")
    asked = ["train", "--data", str(path), "--layout=rows", "--period=4", "--steps=5", *BUDGET]
    request = training_request(parsed(asked, COMMANDS))
    assert request.panel.lengths == (40,) * 8
    assert not any("more series than values" in note for note in request.notes)
    assert request.guess == ""
    windows = ["--context-length=2", "--forecast-length=1"]
    unsaid = parsed([*asked[:3], *asked[4:], *windows, "--noise-multiplier=9"], COMMANDS)
    guessed = training_request(unsaid)
    assert guessed.panel.lengths == (8,) * 40
    assert any("there are more series than values" in note for note in guessed.notes)
    training.train_command(unsaid)
    said = capsys.readouterr().err
    assert "the budget is spent on what was made of it: The file was read as 40 series of" in said
    refused = refusal_of(*DEFAULT, "--layout=rows")
    assert "--layout rows is not allowed beside --data synthetic" in refused
