"""Exported scripts on files of every layout, on data of another shape, and after a kill."""

import csv
import json
import signal
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.accounting import best_upper
from dpviz.export.training_script import training_script
from dpviz.scenario import TimeStep, Units
from dpviz.series_file.any_layout import ColumnNames
from dpviz.training.checkpoint import CheckpointError
from tests.export.training_scripts import (
    KINDS,
    PACKAGES,
    SMALL,
    drawn,
    finished,
    loaded,
    ran,
    record_in,
    run,
    series_of,
)
from tests.scenario.changes import varied

LONG = varied(SMALL, steps=40)
WALK = varied(drawn(LONG, top_level="shuffled"), epochs=20)


def rows_of(series):
    return [["series", "time", "value"]] + [
        [f"s{at}", time, value]
        for at, values in enumerate(series)
        for time, value in enumerate(values.tolist())
    ]


TABLES = {
    "tidy.csv": rows_of,
    "tidy.tsv": rows_of,
    "wide.csv": lambda series: [
        ["time", *(f"s{at}" for at in range(len(series)))],
        *([time, *row] for time, row in enumerate(np.array(series).T.tolist())),
    ],
    "rows.csv": lambda series: [
        [f"V{at + 1}" for at in range(len(series[0]) + 1)],
        *([f"s{at}", *values.tolist()] for at, values in enumerate(series)),
    ],
}


def written(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(rows)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_understood_trained_on_and_forecast(kind, name, tmp_path, capsys, monkeypatch):
    pytest.importorskip(PACKAGES[kind])
    series = [np.append(values, values[-2:]) for values in series_of(SMALL)]
    written(tmp_path / name, TABLES[name](series))
    script, out = loaded(SMALL, kind), tmp_path / "out"
    arguments = [str(tmp_path / name), "--season", "4", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["script", *arguments])
    script.main()
    said = capsys.readouterr().out
    assert "Read: 12 series of 12 values." in said
    assert said.startswith("One column for each" if "wide" in name else "One row for each")
    for model in ("this model", "the same without noise", "seasonal naive"):
        assert f"  {model}: MASE " in said
    assert "each series' divided by that of repeating the value 4 before" in said
    assert "Do not publish as if it covered:" in said
    with (out / "forecasts.csv").open(newline="") as file:
        title, *rows = csv.reader(file)
    assert title == ["series", "step", "forecast"]
    assert [row[:2] for row in rows[:3]] == [["s0", "1"], ["s0", "2"], ["s1", "1"]]
    assert np.isfinite([float(row[2]) for row in rows]).all()
    record = record_in(out)
    assert record["is_finished"]
    assert record["steps_taken"] == record["steps"] == 8
    assert set(record["versions"]) >= {"python", "numpy"}
    assert "seed" not in json.dumps(record)
    assert len(record["not_covered"]) == 4


def test_errors_are_those_of_the_held_out_values(capsys):
    script = loaded(SMALL, "numpy")
    # The naive forecast errs by 1 in each series, and by 2 within its training part.
    series = [np.array([0.0, 2.0] * 5 + [1.0, 1.0])] * 12
    script.print_errors(series, 2, 1, {})
    assert "seasonal naive: MASE 0.500" in capsys.readouterr().out
    script.print_errors(series, 3, 1, {})
    assert "Error on 2 of the last 3 values of each series" in capsys.readouterr().out
    known = [values[:-2] for values in series]
    np.testing.assert_array_equal(script.seasonal_naive(known, 2), [[0.0, 2.0]] * 12)
    model = script.Model(num_channels=1)
    model.weights[:] = 0.0
    model.weights[-1] = 1.0  # the constant: the scale of each context
    made = script.forecasts(model, [np.array([3.0, np.nan, 6.0, 6.0]), np.array([4.0])])
    np.testing.assert_allclose(made, [[6.0, 6.0], [4.0 / 3.0, 4.0 / 3.0]])


def test_held_out_values_are_never_trained_on(tmp_path, monkeypatch, capsys):
    script = loaded(SMALL, "numpy")
    script.DEBUG_SEED, weights = 7, []
    for end in (0.0, 1e6):
        series = [np.append(values, [end, end]) for values in series_of(SMALL)]
        written(tmp_path / "wide.csv", TABLES["wide.csv"](series))
        out = tmp_path / f"out {end}"
        arguments = [str(tmp_path / "wide.csv"), "--out", str(out)]
        monkeypatch.setattr("sys.argv", ["script", *arguments])
        script.main()
        weights.append(np.load(out / "model.npz")["weights"])
    np.testing.assert_array_equal(*weights)
    assert "MASE" in capsys.readouterr().out


def test_of_data_as_planned_one_forecast_is_held_out_and_epsilon_is_that_of_the_rest(tmp_path):
    """Nobody is asked: the budget stays, and what is trained on is what it is computed for."""
    planned = varied(LONG, series_lengths=(60,))
    written(tmp_path / "wide.csv", TABLES["wide.csv"](series_of(planned)))
    said, record = finished(training_script(planned, kind="numpy"), tmp_path, "wide.csv")
    assert record["scenario"]["series_length"] == [58]
    assert 20 <= record["steps"] < 40
    assert "Held out for the errors: the last 2 values of each series." in said
    assert f"the budget allows {record['steps']} training steps, planned were 40." in said
    for model in ("this model", "the same without noise", "seasonal naive"):
        assert f"  {model}: MASE " in said
    trained = varied(planned, series_lengths=(58,), steps=record["steps"])
    own = best_upper(trained).quoted_epsilon_at(trained.delta)
    assert record["epsilon"] == own <= record["target_epsilon"]


def test_the_same_without_noise_has_as_many_steps_as_the_budget_allows():
    half = best_upper(varied(LONG, steps=20)).quoted_epsilon_at(LONG.delta)
    script = loaded(LONG, "numpy", target_epsilon=1.001 * half)
    taken, update = [], script.Model.update
    script.Model.update = lambda self, step: taken.append(update(self, step))
    script.train_without_noise(series_of(LONG), script.SCENARIO)
    assert len(taken) == script.steps_allowed(script.SCENARIO) < 40


def test_all_values_are_trained_on_where_that_is_asked_for(tmp_path):
    planned = varied(LONG, series_lengths=(60,))
    written(tmp_path / "wide.csv", TABLES["wide.csv"](series_of(planned)))
    script = training_script(planned, kind="numpy")
    said, record = finished(script, tmp_path, "wide.csv", "--hold-out", 0)
    assert (record["scenario"]["series_length"], record["steps"]) == ([60], 40)
    assert "MASE" not in said


def test_nothing_is_held_out_of_series_that_are_too_short(tmp_path):
    planned = varied(LONG, series_lengths=(3,))
    written(tmp_path / "wide.csv", TABLES["wide.csv"](series_of(planned)))
    said, record = finished(training_script(planned, kind="numpy"), tmp_path, "wide.csv")
    assert "Nothing is held out, so no error will be told" in said
    assert "MASE" not in said
    assert record["steps"] == 40


def test_data_that_are_not_as_planned_need_a_yes_and_get_their_own_epsilon(tmp_path):
    series = [values[:9] for values in series_of(SMALL)[:11]]
    written(tmp_path / "tidy.csv", rows_of(series))
    source = training_script(SMALL, kind="numpy")
    done = ran(source, tmp_path, "tidy.csv", "--hold-out", 0)
    assert done.returncode == 1
    assert (
        "to train on there are 11 series of 9 values, planned were 12 series of 10" in done.stdout
    )
    assert "The promise stays epsilon <= 7.904 at delta 1e-07" in done.stdout
    assert done.stderr == "Refused: add --yes to train on these data all the same.\n"
    assert not (tmp_path / "private-model").exists()
    _, record = finished(source, tmp_path, "tidy.csv", "--hold-out", 0, "--yes")
    assert record["scenario"]["num_series"] == 11
    assert record["scenario"]["series_length"] == [9]
    own = varied(SMALL, num_series=11, series_lengths=(9,), steps=record["steps"])
    assert record["epsilon"] == best_upper(own).quoted_epsilon_at(own.delta) <= 7.904
    assert record["steps"] < 8


def test_fewer_steps_in_as_many_epochs_are_no_reason_to_hold_nothing_out(tmp_path):
    """Of a third of the series planned, a pass has a third of the steps."""
    planned = varied(SMALL, series_lengths=(60,), batch_size=2, epochs=10)
    series = series_of(planned)[:4]
    written(tmp_path / "wide.csv", TABLES["wide.csv"](series))
    source = training_script(planned, kind="numpy", target_epsilon=1000.0)
    said, record = finished(source, tmp_path, "wide.csv", "--yes")
    assert "after 20 training steps; planned were 60." in said
    assert (record["steps"], record["scenario"]["series_length"]) == (20, [58])
    assert "MASE" in said


@pytest.mark.parametrize(("answer", "goes_on"), [("y", True), ("", False), ("n", False)])
def test_somebody_at_a_console_is_asked(answer, goes_on, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda _: answer)
    script = loaded(SMALL, "numpy")
    if goes_on:
        script.agree("Other data.", is_agreed=False)
    else:
        with pytest.raises(SystemExit, match="nothing is spent"):
            script.agree("Other data.", is_agreed=False)


def test_doubtful_files_are_refused_before_anything_is_trained(tmp_path):
    (tmp_path / "a.csv").write_text("region,week,kg\na,1,2\na,2,3\nb,1,4\nb,2,5\n")
    done = ran(training_script(SMALL, kind="numpy"), tmp_path, "a.csv")
    assert done.returncode == 1
    assert 'a.csv cannot be used: Column "region" was taken to name the series' in done.stderr
    assert "--series, --time and --value" in done.stderr
    assert not (tmp_path / "private-model").exists()


def test_the_season_is_that_of_the_planned_time_step_where_a_file_tells_none(tmp_path):
    written(tmp_path / "rows.csv", TABLES["rows.csv"](series_of(SMALL)))
    monthly = replace(SMALL, units=Units(time_step=TimeStep(1, "month")))
    for scenario, season in ((SMALL, 1), (monthly, 12)):
        assert loaded(scenario, "numpy").load(tmp_path / "rows.csv").season == season


def test_columns_that_were_confirmed_are_read_without_a_question(tmp_path):
    """Whatever they are called; and another file's are named on the command line."""
    rows = [['it\'s a "store"', "time", "\\sold €", "left"]]
    rows += [[*row, 0] for row in rows_of(series_of(SMALL))[1:]]
    written(tmp_path / "tidy.csv", rows)
    columns = ColumnNames(series=rows[0][0], time="time", value=rows[0][2])
    source = training_script(SMALL, kind="numpy", layout="long", columns=columns)
    said, _ = finished(source, tmp_path, "tidy.csv")
    assert "Read: 12 series of 10 values." in said
    written(tmp_path / "wide.csv", TABLES["wide.csv"](series_of(SMALL)))
    done = ran(source, tmp_path, "wide.csv", "--out", "other")
    assert "There is no column" in done.stderr
    finished(source, tmp_path, "wide.csv", "--layout", "wide", "--out", "other")


class InterruptionError(Exception):
    """Ends a training between two steps."""


def interrupted(script, series, folder, after):
    """Train until so many steps were taken, then lose all that is in memory."""
    taken, update = [], script.Model.update

    def counted(self, gradient):
        if len(taken) == after:
            raise InterruptionError
        taken.append(gradient)
        update(self, gradient)

    script.Model.update = counted
    with pytest.raises(InterruptionError):
        script.train(series, folder)
    script.Model.update = update


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scenario", [LONG, WALK])
def test_an_interrupted_run_goes_on_and_spends_nothing_twice(kind, scenario, tmp_path):
    pytest.importorskip(PACKAGES[kind])
    script, series = loaded(scenario, kind), series_of(scenario)
    interrupted(script, series, tmp_path, after=21)
    before = record_in(tmp_path)
    assert (before["is_finished"], before["steps"]) == (False, 22)  # 2 at once are reserved
    script.train(series, tmp_path)
    after = record_in(tmp_path)
    assert (after["is_finished"], after["steps"]) == (True, 40)
    assert after["steps_taken"] == 38  # the saved 20, then from 22 on
    upper = best_upper(varied(scenario, steps=40))
    assert after["epsilon"] == upper.quoted_epsilon_at(scenario.delta) <= after["target_epsilon"]


def test_an_interrupted_epoch_of_a_walk_counts_whole_and_a_new_one_begins(tmp_path):
    script, series = loaded(WALK, "numpy"), series_of(WALK)
    interrupted(script, series, tmp_path, after=21)
    starts = []
    original = script.windows
    script.windows = lambda *cut: starts.append(cut[1]) or original(*cut)
    script.train(series, tmp_path)
    per_epoch = WALK.steps_per_epoch
    assert len(starts) == 18
    for first in range(0, len(starts), per_epoch):
        walked = np.concatenate([batch.series for batch in starts[first : first + per_epoch]])
        assert sorted(walked.tolist()) == list(range(12))


@pytest.mark.parametrize("after", [1, 2, 39])
def test_what_is_on_the_disk_is_never_less_than_what_was_spent(after, tmp_path):
    script = loaded(LONG, "numpy")
    interrupted(script, series_of(LONG), tmp_path, after=after)
    assert record_in(tmp_path)["steps"] >= after


@pytest.mark.every(3)
@pytest.mark.parametrize("name", TABLES)
def test_a_killed_process_is_taken_up_by_the_same_command(name, tmp_path):
    """It spends no more than a run that nobody killed, and its record says the same."""
    planned = varied(LONG, series_lengths=(60,))
    written(tmp_path / name, TABLES[name](series_of(planned)))
    source = training_script(planned, kind="numpy")
    kill = "run.steps_taken += 1\n                if run.steps_taken == 11:\n"
    kill += "                    import os\n\n                    os.kill(os.getpid(), 9)\n"
    done = run(source.replace("run.steps_taken += 1\n", kill), tmp_path, name)
    assert done.returncode == -signal.SIGKILL
    assert record_in(tmp_path / "private-model")["is_finished"] is False
    said = ran(source, tmp_path, name, "--out", "at once").stdout
    at_once = record_in(tmp_path / "at once")
    assert at_once["steps_taken"] == at_once["steps"]
    for _ in range(2):  # what is finished spends nothing more
        again, record = finished(source, tmp_path, name)
        lost = at_once["steps"] - record["steps_taken"]
        assert 0 < lost <= 2  # reserved together
        assert record == at_once | {"steps_taken": record["steps_taken"]}
    assert f"and spent are {record['steps']}" in again
    assert said.count("Taken up") == 0


def test_ctrl_c_says_whether_anything_is_spent(tmp_path, monkeypatch):
    script = loaded(SMALL, "numpy")
    monkeypatch.setattr("sys.argv", ["script", "--demo", "--out", str(tmp_path)])

    def stopped(*_, **__):
        raise KeyboardInterrupt

    script.made_up_data, made_up = stopped, script.made_up_data
    with pytest.raises(SystemExit, match=r"Interrupted\. Nothing is spent\."):
        script.main()
    script.made_up_data, script.Model.update = made_up, stopped
    with pytest.raises(SystemExit, match=r"privacy\.json tells what is spent"):
        script.main()
    assert record_in(tmp_path)["steps"] > 0


def test_another_run_in_the_same_folder_is_refused(tmp_path):
    script, series = loaded(SMALL, "numpy"), series_of(SMALL)
    script.train(series, tmp_path)
    script.LEARNING_RATE = 0.2
    with pytest.raises(CheckpointError, match=r"learning_rate is 0\.1 there and 0\.2 here"):
        script.train(series, tmp_path)
    (tmp_path / "checkpoint.npz").unlink()
    with pytest.raises(CheckpointError, match=r"has the privacy\.json of another run"):
        script.train(series, tmp_path)
