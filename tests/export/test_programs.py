"""Programs that are shown beside other charts, and documents at extremes."""

import ast
import contextlib
import io
import json
import re
from dataclasses import replace
from datetime import date
from importlib import import_module
from importlib.resources import files

import pytest

from dpviz.export import programs
from dpviz.export.code import train_command
from dpviz.export.programs import paper_python, train_code
from dpviz.export.report import html_report
from dpviz.export.statement import privacy_statement
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.scenario import PRESETS, from_fields, from_json
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.series_file.adopt import Choice
from dpviz.training.panel_source import GivenSource, generated_panel, panel_from_file, parts_of
from dpviz.training.small_run import small_run
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.pages.test_extremes import BASE, EVERYWHERE, OF_THE_DATA
from tests.training.runs import USUAL
from tests.wording.reading import numbers_after

# Parts of one program are no programs alone.
PARTS = (
    *("noise", "data", "training", "head", "channels", "model_numpy", "model_pytorch"),
    *("bounds_epsilon", "bounds_delta", "bounds_risk"),
)
FOLDER = files("dpviz.export") / "templates"
NAMES = sorted({path.name.removesuffix(".py.txt") for path in FOLDER.iterdir()} - {*PARTS})


def parsed(name):
    text = programs.template(name).replace("@@budget_note@@", "")  # a comment, or nothing
    return ast.parse(re.sub(r"@@([\w.]+?)(!r)?@@", r"\1", text))


@pytest.mark.parametrize("name", NAMES)
def test_template_is_python_whatever_stands_in_its_places(name):
    assert parsed(name).body


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_template_imports_is_there(name):
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.ImportFrom):
            module = import_module(node.module)
            assert [one.name for one in node.names if not hasattr(module, one.name)] == []


def test_a_place_that_nothing_fills_is_refused():
    with pytest.raises(KeyError, match="imports"):
        programs.filled(programs.template("batch"), {"version": "1"})


def output_of(code: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


@pytest.mark.parametrize(("figure", "at"), [("8", 1), ("9", 6), ("13", 0)])
def test_lines_of_every_run_are_printed_at_three_epsilons(figure, at):
    panel, runs = panel_and_runs(figure, at)
    printed = output_of(paper_python(panel))
    assert numbers_after("at epsilon ", printed) == [0.1, 1.0, 10.0] * len(runs)
    for run in runs:
        place = list(run.line.epsilon).index(1.0)
        low, high = run.line.delta_low[place], run.line.delta_high[place]
        assert f"delta from {low} to {high} at epsilon 1" in printed


@pytest.mark.slow
def test_steps_of_every_run_are_printed():
    panel, runs = panel_and_steps(3)
    printed = output_of(paper_python(panel))
    assert len(printed.splitlines()) == 16 * len(runs)
    assert printed.count("as in the paper, no proven bound, Theorem 4.3") == 14 + 12 + 8
    last = runs[1].drawn
    assert f"step 16: delta from {last.delta_low[-1]} to {last.delta_high[-1]}" in printed


def test_a_file_is_read_again_as_it_was_read_on_the_page(tmp_path, monkeypatch):
    series = generated_panel(20, 60, 12).series
    names = ",".join(f"{'abcdef'[at // 10]}{'klmnopqrst'[at % 10]}" for at in range(60))
    rows = [",".join(map(repr, values.tolist())) for values in series]
    (tmp_path / "series.csv").write_text("\n".join([names, *rows, ""]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    choice = Choice(layout="rows")
    content = (tmp_path / "series.csv").read_bytes()
    panel = panel_from_file(content, "series.csv", period=12, choice=choice).panel
    source = GivenSource(panel, "file", choice=choice)
    usual = USUAL | {"batch_size": 8, "steps": 2}
    run = small_run(PRESETS["toy"].scenario, parts_of(source, 12, 6), **usual)
    settings = run.settings()
    assert "epsilon at most " in output_of(train_code(settings, source))
    assert "--data series.csv --layout rows \\\n" in train_command(settings, source)
    assert train_command(settings, replace(source, choice=Choice(series=0))) == ""


LONGEST = {"steps": MOST_STEPS, "noise_multiplier": NOISE_MULTIPLIER_RANGE[0]}
NO_NUMBER = re.compile(r"\b(nan|inf|[Ii]nfinity|None)\b")


@pytest.mark.parametrize("settings", [*EVERYWHERE, *OF_THE_DATA, LONGEST], ids=json.dumps)
@pytest.mark.every(4)
def test_extreme_is_stated_and_reported(settings):
    base = {} if "bottom_rate" in settings else BASE
    link = {name: str(value) for name, value in ({"schema": 1} | base | settings).items()}
    scenario = from_fields(fields_from_query(link))
    curves, gain = curves_of(scenario), attackers_gain(scenario)
    text = privacy_statement(curves, gain)
    assert not NO_NUMBER.search(text.replace("bound.** None is proven", ""))
    high, low = curves.epsilon_upper, curves.epsilon_lower
    told = numbers_after("**Upper bound:** ε ≤ ", text)
    assert told == [] if high is None else high <= told[0] <= 1.001 * high
    if low is not None:
        assert numbers_after("**Lower bound:** ε ≥ ", text)[0] <= low
    shown = re.search(r"```json\n(.*?)\n```", text, re.DOTALL)[1]
    assert from_json(shown) == scenario
    report = html_report(curves, gain, made_on=date(2026, 1, 1))
    for number in re.findall(r"\*\*(ε ≤ [^*]+)\*\*", text):
        assert number.replace(" ≤ ", "\u00a0≤\u00a0") in report
