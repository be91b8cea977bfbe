"""The report is one file that says all of the page, its first page first."""

import html
import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest

import dpviz
from dpviz.export import markdown_page, report
from dpviz.export.markdown_page import html_of
from dpviz.export.report import ReportChart, html_report
from dpviz.export.report_first_page import NO_REQUEST, Request, decision_page
from dpviz.export.statement import statement_sections
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.planning.target import HitsGoal, SuccessGoal, reached_by
from dpviz.scenario import (
    PRESETS,
    Relation,
    ScenarioError,
    TimeStep,
    Training,
    Units,
    from_json,
)
from dpviz.wording.findings import bounds_table, curve_title, headline
from dpviz.wording.glossary import named_term
from dpviz.wording.numbers import number_rounded_up, rounded_down
from dpviz.wording.proven_epsilon import strength
from tests.figures.contrast import contrast
from tests.planning.kinds import RUNS, TOY, curves_of_kind
from tests.scenario.changes import varied

ROOT = Path(__file__).parents[2]
DAY = date(2026, 3, 9)
MOST_BYTES = 6_000_000
HOSTILE = "</script><b onclick=x>&lt;|`*"
PLACES = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)


class Tags(HTMLParser):
    """Collects which tags a page has, and which addresses."""

    def __init__(self, text):
        super().__init__()
        self.names, self.addresses = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href")]


def report_of(scenario, **named):
    return html_report(curves_of(scenario), attackers_gain(scenario), made_on=DAY, **named)


def report_of_kind(name, **named):
    return html_report(curves_of_kind(name), attackers_gain(RUNS[name]), made_on=DAY, **named)


@pytest.mark.parametrize("name", sorted(set(RUNS) - {"no finite epsilon"}))
def test_numbers_are_the_statements(name):
    curves, gain = curves_of_kind(name), attackers_gain(RUNS[name])
    text = html_report(curves, gain, made_on=DAY)
    assert len(text.encode()) <= MOST_BYTES
    assert html_of(headline(curves)) in text
    for _, body in statement_sections(curves, gain):
        assert html_of(body) in text
    cells = re.findall(r"≤ [\d.,·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+(?= \|)", bounds_table([("this run", curves)]))
    assert all(cell.replace("≤ ", "≤") in text.replace("≤ ", "≤") for cell in cells)
    (chart,) = PLACES.findall(text)
    options, _ = json.loads(chart)
    assert options["alt"].startswith(curve_title(curves))
    assert html.escape(options["alt"]) in text


def test_the_last_section_says_what_the_terms_are():
    last = report_of(TOY).rpartition("<section")[2]
    assert ">Words</h2>" in last
    for name in ("Window (subsequence)", "Training steps", "Upper bound", "Lower bound"):
        assert f"<strong>{name}.</strong> {html.escape(named_term(name).says)}" in last


def test_no_finite_epsilon_is_told_in_place_of_a_number():
    text = report_of_kind("no finite epsilon")
    assert "no finite ε is proven" in text
    assert "no finite ε proven" in text
    without_code = text[: text.index('<script type="application/gzip')]
    assert not re.search(r"\b(nan|inf|Infinity)\b", PLACES.sub("", without_code))


def test_same_run_gives_the_same_bytes_and_bears_the_given_day():
    first, again = (report_of_kind("drawn") for _ in range(2))
    assert first == again
    assert f"Made with dpviz {dpviz.__version__} on 9 March 2026." in first


def test_nothing_is_loaded_from_anywhere():
    tags = Tags(report_of_kind("drawn"))
    assert tags.addresses == ["data:,"]
    assert not tags.names & {"iframe", "object", "embed", "form", "img", "base"}
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', report_of_kind("drawn"))[1]
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"https?:|\*", policy)


def test_scenario_can_be_copied_out_of_it_and_opened_again():
    text = report_of_kind("noise on labels", base_url="https://dp.example/")
    shown = re.search(r'<code class="language-json">(.*?)</code>', text, re.DOTALL)[1]
    assert from_json(html.unescape(shown)) == RUNS["noise on labels"]
    assert 'href="https://dp.example/privacy_curve?schema=1&amp;num_series=320&amp;' in text


def test_words_of_a_chart_cannot_end_its_script():
    chart = ReportChart(
        figure={"data": [], "layout": {"title": {"text": HOSTILE}}}, alt=HOSTILE, caption=HOSTILE
    )
    text = report_of_kind("drawn", more_charts=[chart])
    assert text.count("</script>") == report_of_kind("drawn").count("</script>") + 1
    options, figure = json.loads(PLACES.findall(text)[1])
    assert (options["alt"], figure["layout"]["title"]["text"]) == (HOSTILE, HOSTILE)
    assert "b" not in Tags(text).names


def test_every_place_of_the_page_is_filled():
    text = report_of_kind("drawn")
    assert not re.search(r"\{\{\w+\}\}", text[: text.index('<script type="module">')])


def test_numbers_and_charts_are_told_without_javascript():
    text = report_of_kind("drawn")
    assert "All numbers are in the text and the tables" in text
    assert text.count("<noscript>") == 3
    assert text.count("<table>") == 4
    assert text.count('role="region" aria-label="Table"') == 4


def test_colours_can_be_told_apart_in_both_themes():
    style = (ROOT / "dpviz/export/report.css").read_text(encoding="utf-8")
    light, dark = re.findall(r"color-scheme: (?:light|dark);(.*?)\}", style, re.DOTALL)
    for theme in (light, dark):
        color = dict(re.findall(r"--(?:st-)?([\w-]+): (#\w+);", theme))
        for back in ("background-color", "secondary-background-color"):
            assert contrast(color["text-color"], color[back]) >= 7.0
            assert contrast(color["link"], color[back]) >= 4.5
            assert contrast(color["border"], color[back]) >= 3.0


def test_without_plotlys_script_there_is_no_report(monkeypatch):
    def missing():
        raise FileNotFoundError("the plotly package is not installed")

    monkeypatch.setattr(report, "packed_plotly_script", missing)
    with pytest.raises(FileNotFoundError, match="plotly"):
        report_of(replace(TOY, training=Training(unit="steps", count=1)))


def test_markdown_lets_no_tag_and_no_script_address_through():
    text = markdown_page.html_of("<i>a</i> [b](javascript:x) ![c](https://d) ε ≤ 2")
    assert "<i>" not in text
    assert 'href="javascript' not in text
    assert "ε\u00a0≤\u00a02" in text


WEEK = replace(
    PRESETS["traffic"].scenario,
    relation=Relation(width=168),
    units=Units(time_step=TimeStep(1, "hour")),
)


def page_of(request, scenario=TOY):
    return decision_page(curves_of(scenario), attackers_gain(scenario), request, DAY)


def answer_of(page):
    return page.split("\n\n")[1]


def test_the_goal_is_said_in_their_own_word():
    page = page_of(Request(epsilon=4.0, series_word="shop", organisation="Office"), WEEK)
    assert page.startswith(
        "**Goal:** privacy loss ε ≤ 4 at δ = 10⁻⁷ for any 168 consecutive "
        "values (1 week) of one shop."
    )
    assert "in more than one shop, is not protected" in page
    assert "A person here stands for any 168 consecutive values (1 week) of one shop." in page
    assert "dpviz has seen no training" in page
    assert "How many shops there are" in page
    assert strength(curves_of(WEEK).epsilon_upper, "what is named above") in page
    several = replace(TOY, relation=Relation(series_per_person=3))
    goal = page_of(Request(series_word="shop"), several).splitlines()[0]
    assert goal.endswith("any single value of each of up to 3 shops.")
    weak = page_of(NO_REQUEST, replace(TOY, delta=0.01))  # 320 series
    assert "So large a δ promises little" in weak
    assert " protection " not in weak
    assert "| Organisation | Office |" in page
    assert "| Date | 9 March 2026 |" in page


def test_what_holds_for_limited_changes_alone_names_the_limit_before_the_details():
    noisy = varied(TOY, forecast_noise=1.0, max_change=0.2, value_unit="occupancy")
    page = page_of(NO_REQUEST, noisy)
    whom = "any single value of one series, changed by at most v = 0.2 occupancy"
    assert page.startswith(f"**Goal:** no requirement was named. Protected: {whom}.\n")
    assert f"A person here stands for {whom}." in page
    assert "- **A larger change of a value than named above.**" in page
    wide = page_of(NO_REQUEST, varied(TOY, forecast_noise=1.0, width=3))
    assert "of one series, each changed by at most v, which is not set." in wide
    assert "change" not in page_of(NO_REQUEST, varied(TOY, max_change=0.2))


@pytest.mark.parametrize("factor", [0.5, 0.97, 1.0, 1.00001, 1.0001, 3.0])
def test_met_or_not_is_decided_by_the_unrounded_bound_and_told_by_how_much(factor):
    curves = curves_of(TOY)
    asked = curves.epsilon_upper * factor
    page = page_of(Request(epsilon=asked))
    answer = answer_of(page)
    assert answer.startswith("**Met.**" if factor >= 1.0 else "**Not met.**")
    assert f"privacy loss ε ≤ {asked!r} at" in page
    promised = float(re.search(r"ε ≤ (\S+) at δ = 10⁻⁷ \(upper bound, Theorem 4.4", answer)[1])
    assert curves.epsilon_upper <= promised <= number_rounded_up(curves.epsilon_upper)
    # What is met is not told as a number above the goal.
    assert (promised <= asked) == (factor >= 1.0)
    if "just within the goal" in answer:
        assert promised == asked
        return
    told = float(re.search(r"([\d.]+) % (below|above) the goal", answer)[1])
    # What is spare is rounded down, what is missing is rounded up.
    if factor >= 1.0:
        assert told <= 100.0 * (1.0 - curves.epsilon_upper / asked) + 1e-9
    else:
        assert told >= 100.0 * (curves.epsilon_upper / asked - 1.0) - 1e-9
    is_out_of_reach = "No analysis can promise less than ε = " in answer
    assert is_out_of_reach == (asked < curves.epsilon_lower)
    if is_out_of_reach:
        assert rounded_down(curves.epsilon_lower) in answer


def test_without_a_requirement_nothing_is_called_met():
    page = page_of(NO_REQUEST)
    assert page.startswith("**Goal:** no requirement was named. Protected: ")
    assert answer_of(page).startswith("**Promised:** After 1,000 training steps, ε ≤ 19.03")
    assert "**Met" not in page


@pytest.mark.parametrize(
    ("goal", "asked", "reached"),
    [
        (SuccessGoal(success=0.9999), "at most 99.99 of 100 attackers right at even odds", None),
        (SuccessGoal(success=0.6), "at most 60 of 100 attackers right at even odds", None),
        (
            HitsGoal(false_positive_rate=1e-6, true_positive_rate=0.9),
            "at most 90 % hits at 0.0001 % false alarms",
            "% hits at 0.0001 % false alarms",
        ),
    ],
)
def test_what_attackers_may_achieve_is_a_goal_that_is_met_or_not(goal, asked, reached):
    attack = reached_by(TOY, goal)
    page = page_of(Request(attack=attack))
    assert page.startswith(f"**Goal:** {asked}, for any single value of one series.\n")
    assert "no requirement" not in page
    answer = answer_of(page)
    assert answer.startswith("**Met.** After " if attack.is_met else "**Not met.** After ")
    assert attack.is_met == (attack.proven.share <= goal.limit) == (goal.limit > 0.6)
    assert (reached or "% of attackers right at even odds") in answer
    told = float(re.search(r": up to ([\d.]+) %", answer)[1])
    assert attack.proven.share <= told / 100.0
    assert (told / 100.0 <= goal.limit) == attack.is_met
    assert "ε ≤ 19.03 at δ = 10⁻⁷ (upper bound, Theorem 4.4 composed over 1,000 steps)" in answer


def test_a_goal_of_attackers_needs_no_finite_epsilon():
    scenario = RUNS["no finite epsilon"]
    attack = reached_by(scenario, SuccessGoal(success=0.9999))
    answer = answer_of(page_of(Request(attack=attack), scenario))
    assert "No finite ε is proven at δ = 10⁻¹⁵." in answer


def test_no_finite_bound_meets_nothing():
    answer = answer_of(page_of(Request(epsilon=10.0), RUNS["no finite epsilon"]))
    assert answer == "**Not met.** No finite ε is proven at δ = 10⁻¹⁵ for this training."


@pytest.mark.parametrize("name", ["organisation", "data_set", "author", "series_word"])
def test_typed_words_stay_words(name):
    page = page_of(Request(**{name: "<b>*a* | b</b>"}))
    assert r"\<b\>\*a\* \| b\</b\>" in page
    for bad in ("two\nlines", "x" * 121):
        with pytest.raises(ScenarioError, match=f"{name} = .* must be one line of at most 120"):
            Request(**{name: bad})


def test_the_report_begins_with_it_and_has_the_link_as_a_code():
    curves, gain = curves_of(TOY), attackers_gain(TOY)
    report = html_report(curves, gain, made_on=DAY, base_url="https://dp.example/")
    body = report[report.index("<body>") :]
    assert body.index("What is not covered") < body.index("In full") < body.index("The numbers")
    assert '<figure class="code-of-link"><svg' in body
    assert "<svg" not in html_report(curves, gain, made_on=DAY).partition("<script")[0]
