"""What is handed out stays what it is, whatever somebody calls the unit of the data."""

import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest

from dpviz.export import report
from dpviz.export.code import command_line, python_code
from dpviz.export.comparison_tables import comparison_table
from dpviz.export.curve_tables import budget_table, curves_table
from dpviz.export.markdown_page import html_of
from dpviz.export.report import html_report
from dpviz.export.statement import privacy_statement
from dpviz.export.table import json_in_csv
from dpviz.export.training_script import training_script
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.planning.budget import budget_point
from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import from_json
from tests.security.hostile import WORDS, scenario_with

CARS = scenario_with("cars")
CURVES, GAIN = curves_of(CARS), attackers_gain(CARS)
DAY, ADDRESS = date(2024, 1, 31), "https://dp.example/app/"
NUMBER = re.compile(r"-?[0-9.]+(e[+-][0-9]+)?")
DOCUMENTS = {
    "report": lambda curves: html_report(curves, GAIN, made_on=DAY, base_url=ADDRESS),
    "statement": lambda curves: html_of(privacy_statement(curves, GAIN, base_url=ADDRESS)),
}
TABLES = {
    "curve": lambda curves: curves_table([("now", curves)]).csv(),
    "budget": lambda curves: budget_table(
        curves.scenario, [budget_point(curves.scenario, 1000)]
    ).csv(),
    "comparison": lambda curves: comparison_table(
        [ComparedRun(name="now", scenario=curves.scenario, curves=curves)]
    ).csv(),
}
CODES = (
    command_line,
    python_code,
    lambda scenario: command_line(scenario.with_rates()),
    lambda scenario: python_code(scenario.with_rates()),
    lambda scenario: training_script(scenario, kind="numpy", target_epsilon=1.0),
    lambda scenario: training_script(scenario, kind="pytorch", target_epsilon=1.0),
)


class Markup(HTMLParser):
    """The tags of a page, with what they do."""

    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        # The link that opens the scenario holds the unit, as it has to, and so does its code.
        if tag not in ("svg", "path"):
            held = [(name, re.sub(r"value_unit=[^&]*", "", text)) for name, text in attrs]
            self.tags.append((tag, held))


def curves_with(words):
    """Return what is proven about settings with another unit: the numbers are the same ones."""
    return replace(CURVES, scenario=scenario_with(words))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_unit_adds_no_markup_to_what_is_handed_out(document, monkeypatch):
    monkeypatch.setattr(report, "packed_plotly_script", bytes)  # megabytes without a tag
    make = DOCUMENTS[document]
    expected = Markup(make(CURVES)).tags
    for words in WORDS:
        assert Markup(make(curves_with(words))).tags == expected, words


@pytest.mark.parametrize(
    ("words", "told"),
    [(WORDS[0], r"\[q\]\(//e.example\)"), ("<b>|*x*|``` &lt;", r"\<b\>\|\*x\*\|\`\`\` \&lt;")],
)
def test_statement_holds_the_unit_where_numbers_do_as_words_alone(words, told):
    said = privacy_statement(curves_with(words), GAIN)
    assert f"| Largest change of a value v | 3 {told} |" in said


@pytest.mark.every(4)
@pytest.mark.parametrize("words", WORDS)
def test_unit_begins_no_cell_of_a_table_in_any_country(words):
    for make in TABLES.values():
        lines = make(curves_with(words)).splitlines()
        for cell in (cell for line in lines for cell in re.split("[,;\t]", line)):
            assert not re.match(r"\s*[\"']*[=+@-]", cell) or NUMBER.fullmatch(cell), cell


@pytest.mark.parametrize("words", WORDS)
def test_settings_in_a_table_open_as_they_were(words):
    scenario = scenario_with(words)
    assert from_json(json_in_csv(scenario)) == scenario


@pytest.mark.parametrize("words", WORDS)
def test_unit_is_in_no_command_and_in_no_program(words):
    """No text that came with a link is ever pasted in a shell."""
    scenario = scenario_with(words)
    for make in CODES:
        assert make(scenario) == make(CARS)


@pytest.mark.parametrize(
    "address",
    ["https://h)[q](//e.example", "https://h/ q", 'https://h"q', "ftp://h", "javascript:x",
     "https://h:65536", "https://h:0", "https://h..e"],
)  # fmt: skip
def test_address_that_is_more_than_an_address_is_refused(address):
    with pytest.raises(ValueError, match=r"base_url = .* is not allowed"):
        privacy_statement(CURVES, GAIN, base_url=address)


def test_app_is_linked_by_a_numeric_address_too():
    assert "(http://[::1]:8501/privacy_curve?" in privacy_statement(
        CURVES, GAIN, base_url="http://[::1]:8501/"
    )
