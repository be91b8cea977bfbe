"""Statement and report from the command line are those of the exports, at the delta asked for."""

import re
from dataclasses import replace

import pytest

from dpviz.accounting import closer_upper
from dpviz.export.statement import privacy_statement
from dpviz.guarantees import guarantee_for
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.scenario import PRESETS, from_json, to_json
from dpviz.wording.numbers import rounded_up
from tests.scenario.changes import varied

SHORT = varied(PRESETS["toy"].scenario, steps=3)
SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=3"]


@pytest.fixture
def scenario_file(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_text(to_json(SHORT), encoding="utf-8")
    return str(path)


def statement_of(scenario, **named):
    return privacy_statement(curves_of(scenario), attackers_gain(scenario), **named)


def test_statement_is_printed_or_written(scenario_file, tmp_path, text_of):
    for source in (["--scenario", scenario_file], OPTIONS):
        assert text_of("statement", *source) == statement_of(SHORT)
    path = tmp_path / "statement.md"
    assert text_of("statement", *OPTIONS, "--output", str(path)) == f"written: {path}\n"
    assert path.read_text(encoding="utf-8") == statement_of(SHORT)


def test_delta_asked_for_is_that_of_the_statement_also_for_a_file(scenario_file, text_of):
    expected = statement_of(replace(SHORT, delta=1e-3))
    for source in (["--scenario", scenario_file], OPTIONS):
        assert text_of("statement", *source, "--delta=1e-3") == expected
    assert "at δ = 0.001" in expected


def test_report_is_written_with_the_numbers_of_the_statement(scenario_file, tmp_path, text_of):
    path = tmp_path / "report.html"
    assert (
        text_of("report", "--scenario", scenario_file, "--output", str(path))
        == f"written: {path}\n"
    )
    text = path.read_text(encoding="utf-8")
    (epsilon,) = re.findall(r"ε ≤ ([\d.]+) at δ = 10⁻⁷\*\*", statement_of(SHORT))
    assert f"ε\u00a0≤\u00a0{epsilon} at δ = 10⁻⁷</strong>" in text
    shown = re.search(r'language-json">(.*?)</code>', text, re.DOTALL)[1].replace("&quot;", '"')
    assert from_json(shown) == SHORT


def test_a_closer_upper_bound_is_told_beside_the_one_that_counts(tmp_path, monkeypatch, text_of):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)
    closer = closer_upper.closer_upper(guarantee_for(SHORT).upper, 1e-7)
    told = f"Closer upper bound:** ε ≤ {rounded_up(closer.quoted_epsilon_at(1e-7))} at δ = 10⁻⁷"
    said = text_of("statement", *OPTIONS, "--closer")
    assert said == statement_of(SHORT, closer=closer)
    first, _, facts = said.partition(told)
    assert "**Upper bound:** ε ≤" in first
    assert facts.index("dpviz's Proposition 23: ") < facts.index("rest on that one")
    assert " --json --closer\n" in facts
    path = tmp_path / "report.html"
    text_of("report", *OPTIONS, "--closer", "--output", path)
    assert "Closer upper bound:" in path.read_text(encoding="utf-8")
    assert "Closer" not in statement_of(SHORT)


def test_a_goal_that_the_closer_bound_alone_meets_is_not_called_open(monkeypatch, text_of):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)
    closer = closer_upper.closer_upper(guarantee_for(SHORT).upper, 1e-7).quoted_epsilon_at(1e-7)
    goal = f"--required-epsilon={float(0.5 * (closer + curves_of(SHORT).epsilon_upper))!r}"
    said = text_of("statement", *OPTIONS, goal, "--closer")
    assert f"**Met, by a closer bound alone:** ε ≤ {rounded_up(closer)} at δ = 10⁻⁷" in said
    assert "% above the goal." in said
    without = text_of("statement", *OPTIONS, goal)
    for told in ("**Not met.**", "can be proven is open"):
        assert told in without
        assert told not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", *OPTIONS], "--output is needed: the path of the HTML file to write"),
        (["statement", *OPTIONS, "--output=/nowhere/at/all"], "cannot be written: No such file"),
        (["statement", *OPTIONS, "--output", "a", "b"], "it takes one value, the path of a file"),
        (["statement", *OPTIONS, "--base-url=ftp://x"], "--base-url ftp://x is not allowed"),
        (["statement", *OPTIONS, "--base-url=https://a/?b"], "have no spaces, brackets, quotes,"),
        (["statement", "--delta=1e-5"], "is needed"),
        (["statement", *OPTIONS, "--json"], "there is no such option for statement"),
        (
            ["statement", *OPTIONS, "--top-level=poisson", "--closer"],
            "--closer is not for these settings: dpviz's Proposition 23 is for one window",
        ),
        (
            ["statement", *OPTIONS, "--delta=0.9", "--closer"],
            "--closer adds nothing: that bound is not smaller here",
        ),
        (["report", *OPTIONS, "--out=x"], "the nearest is --output"),
        (["report", *OPTIONS, "--url=x"], "the nearest is --base-url"),
    ],
)
def test_what_is_refused_is_named_in_one_sentence(arguments, said, refusal_of):
    assert said in refusal_of(*arguments)


@pytest.mark.parametrize(
    "wrong", [["--base-url=https://a b"], ["--output=/nowhere/a.md"], ["--output=/"]]
)
def test_wrong_place_is_refused_before_anything_is_computed(wrong, monkeypatch, refusal_of):
    monkeypatch.setattr("dpviz.planning.curves_of", lambda *_: pytest.fail("computed"))
    assert wrong[0].split("=")[0] in refusal_of("statement", *OPTIONS, *wrong)


def test_a_saved_scenario_is_not_overwritten(scenario_file, refusal_of):
    said = refusal_of("statement", "--scenario", scenario_file, "--output", scenario_file)
    assert f"{scenario_file} is not allowed: it must be another file than --scenario" in said
