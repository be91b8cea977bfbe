"""What needs a package that is not installed names it; everything else keeps working."""

import pickle
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.command_line import main
from dpviz.figures import browser_files
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, Pin
from dpviz.scenario.errors import RANGES, MissingPackageError
from dpviz.ui import static_files
from dpviz.wording.certificate import second_sentence
from tests.pages.app import TOY, Page, link_of
from tests.scenario.changes import varied

ROOT = Path(__file__).parents[2]
COMPARISON = ROOT / "tests" / "ui" / "comparison_app.py"
SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=3"]
# What `pip install .` brings are numpy, scipy, pandas and dp-accounting.
OF_THE_APP = ("streamlit", "plotly", "pyarrow", "markdown_it")
MODULES = {"plotly": "plotly", "markdown-it-py": "markdown_it"}
# Runs each command without these packages, and says what it returned.
COMMANDS = f"""
import contextlib, io, sys
blocked = {OF_THE_APP!r}
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Blocked())
from dpviz.command_line import main
more = {{"delta": ["--epsilon=1"], "calibrate": ["--target-epsilon=9"], "simulate": ["--batches=9"],
        "report": ["--output=report.html"], "risk": ["--false-positive-rate=0.1"]}}
for command in ("delta", "epsilon", "risk", "calibrate", "simulate", "statement", "report"):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        options = [*{OPTIONS!r}, *more.get(command, [])]
        if command in ("calibrate", "simulate"):
            options.remove("--noise-multiplier=1")
        if command == "simulate":
            options.remove("--steps=3")
        code = main([command, *options])
    print(command, code, bool(said.getvalue()))
print([name for name in blocked if name in sys.modules])
"""


@pytest.fixture
def without(monkeypatch):
    """Return a function that takes a package away for the rest of the test."""

    def taken(package):
        module = MODULES[package]
        for name in [name for name in sys.modules if name.partition(".")[0] == module]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, module, None)
        if package == "markdown-it-py":
            from dpviz.export import markdown_page

            markdown_page._writer.cache_clear()

    return taken


def test_the_ranges_that_are_named_are_those_that_are_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {*project["dependencies"], *chain(*project["optional-dependencies"].values())}
    assert {f"{package}{allowed}" for package, allowed in RANGES.items()} <= named


def test_every_command_but_the_report_runs_on_the_core_alone(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    *answers, loaded = done.stdout.splitlines()
    commands = ("delta", "epsilon", "risk", "calibrate", "simulate", "statement")
    assert answers == [*(f"{command} 0 True" for command in commands), "report 2 False"]
    assert loaded == "[]"
    named = "dpviz: report cannot be made: the package markdown-it-py is not installed: pip install"
    assert done.stderr.startswith(named)
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", MODULES)
def test_report_names_the_package(package, without, tmp_path, capsys):
    without(package)
    assert main(["report", *OPTIONS, "--output", str(tmp_path / "r.html")]) == 2
    said = capsys.readouterr().err
    assert f"the package {package} is not installed: pip install '{package}{RANGES[package]}'" in (
        said
    )
    assert said.count("\n") == 1
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("package", MODULES)
def test_page_offers_all_but_the_report_and_says_why(package, without):
    without(package)
    app = Page(parts=("open_take_away",))
    app.switch_page("pages/privacy_curve.py")
    app.run()
    assert "ε ≤" in app.headline
    report = app.keyed("download_button", "take_report").proto
    assert report.disabled
    (refusal,) = (one.value for one in app.caption if one.value.startswith("There is no report. "))
    assert f"the package {package} is not installed: pip install" in refusal.replace("\\", "")
    assert not app.keyed("download_button", "take_statement").proto.disabled


def test_comparison_without_pyarrow_is_said_in_sentences_and_as_csv(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    pins = (Pin(slot="a", scenario=varied(TOY, noise_multiplier=2.0)),)
    app = Page(COMPARISON, link=link_of(TOY, pins)).run()
    assert "the package pyarrow is not installed: pip install 'pyarrow>=17'" in app.errors
    assert any("ε" in markdown.value for markdown in app.markdown)
    assert not app.keyed("download_button", "comparison_csv").proto.disabled


def chart_script():
    """Be the script of an AppTest: one chart."""
    from dpviz.ui.chart import draw_chart

    draw_chart({"data": [{"y": [1, 2]}], "layout": {}}, key="curve", alt="a line")


def test_chart_without_plotly_is_a_sentence_and_its_words(monkeypatch):
    monkeypatch.setattr("dpviz.ui.chart.PLOTLY_FILE", None)
    app = AppTest.from_function(chart_script).run()
    assert not app.exception
    [error] = app.error
    assert "the package plotly is not installed: pip install 'plotly>=7,<8'" in error.value
    assert [caption.value for caption in app.caption] == ["a line"]


def test_pages_load_where_plotly_is_missing(without):
    without("plotly")
    assert static_files._plotly_file() is None


def test_plotly_without_its_script_is_named_as_that(monkeypatch, tmp_path):
    (tmp_path / "plotly").mkdir()
    (tmp_path / "plotly" / "__init__.py").touch()
    for name in [name for name in sys.modules if name.partition(".")[0] == "plotly"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingPackageError, match=r"without its file plotly\.min\.js: pip install"):
        browser_files.plotly_script_path()


@pytest.mark.parametrize("lacks", [None, "plotly.min.js"])
def test_what_is_missing_can_be_told_from_another_process(lacks):
    told = MissingPackageError("plotly", lacks=lacks)
    again = pickle.loads(pickle.dumps(told))
    assert isinstance(again, MissingPackageError)
    assert str(again) == str(told)


def test_second_opinion_names_dp_accounting(monkeypatch):
    """And the numbers beside it are dpviz's own, which need no such package."""
    monkeypatch.setitem(sys.modules, "dp_accounting.pld.pld_pmf", None)
    said = second_sentence(curves_of(PRESETS["toy"].scenario), "upper")
    assert said == (
        "dp-accounting cannot check the upper bound: the package dp-accounting is not installed: "
        f"pip install 'dp-accounting{RANGES['dp-accounting']}'."
    )
