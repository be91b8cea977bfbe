"""Reports of a training run, or of all on the same data: HTML files that need no network."""

import base64
import functools
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import dpviz
from dpviz.accounting import Curve
from dpviz.export.markdown_page import html_of
from dpviz.export.parameters import tables_apart
from dpviz.export.qr_code import code_figure
from dpviz.export.report_first_page import NO_REQUEST, Request, day, decision_fields, decision_page
from dpviz.export.statement import Section, linked, scenario_link, statement_sections
from dpviz.figures import Band, bands_chart, figure_json
from dpviz.figures.browser_files import chart_module, packed_plotly_script, plotly_script_path
from dpviz.figures.ledger import ledger_chart
from dpviz.figures.parts import STYLES, Spec
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import Gain
from dpviz.planning.ledger import Ledger
from dpviz.scenario.ledger import NamedRun, ledger_to_json
from dpviz.wording import findings
from dpviz.wording import ledger as words
from dpviz.wording.conditions import training_conditions
from dpviz.wording.glossary import explained
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.texts import without_formulas
from dpviz.wording.theorems import composed_source

CHART_HEIGHT = 460
_FOLDER = Path(__file__).parent
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_RUN = "this run"
# What who decides may not know, by the glossary's keys.
_WORDS = (
    *("window", "steps", "epochs", "clipping-norm"),
    *("epsilon", "delta", "upper-bound", "lower-bound"),
)
_UNSAFE_IN_SCRIPT = str.maketrans(
    {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
)


@dataclass(frozen=True, kw_only=True)
class ReportChart:
    """A chart of a report: the figure, what it shows in words, and how to read it (Markdown)."""

    figure: Spec
    alt: str
    caption: str = ""


def html_report(
    curves: ScenarioCurves,
    gain: Gain,
    *,
    closer: Curve | None = None,
    made_on: date,
    request: Request = NO_REQUEST,
    base_url: str | None = None,
    more_charts: Sequence[ReportChart] = (),
) -> str:
    """Return the report: the decision, then charts, tables, and the whole privacy statement.

    Arguments are those of :func:`dpviz.export.statement.privacy_statement`, and ``more_charts``
    to draw after that of delta against epsilon.

    Raises:
        MissingPackageError: markdown-it-py, or plotly, whose script is part of the report, is not
            installed.
        ValueError: the address is no web address.
    """
    runs = [(_RUN, curves)]
    sections = statement_sections(curves, gain, closer=closer, base_url=base_url)
    band = Band(curves=curves, label=_RUN, style=STYLES[0])
    chart = ReportChart(
        figure=bands_chart([band], identity="report"),
        alt=findings.curves_description(findings.curve_title(curves), runs),
        caption=findings.how_to_read(curves),
    )
    tables = linked(f"{findings.bounds_table(runs)}\n\n{findings.deltas_table(runs)}", base_url)
    return report_page(
        title="Privacy of a training run",
        decision=decision_page(curves, gain, request, made_on, closer),
        code=""
        if base_url is None
        else code_figure(scenario_link(curves.scenario, base_url), "Open in dpviz"),
        lead=findings.headline(curves),
        charts=(chart, *more_charts),
        numbers=tables,
        sections=[*sections, ("Words", explained(*_WORDS))],
        made_on=day(made_on),
    )


def report_page(
    *,
    title: str,
    decision: str,
    lead: str,
    charts: Sequence[ReportChart],
    numbers: str,
    sections: Sequence[Section],
    made_on: str,
    code: str = "",
) -> str:
    """Return a report as HTML, of parts in Markdown; ``code`` is a link in HTML."""
    told = [
        f'<section aria-labelledby="section-{at}">\n<h2 id="section-{at}">{html.escape(heading)}'
        f"</h2>\n{html_of(body)}</section>"
        for at, (heading, body) in enumerate(sections)
    ]
    return filled_page(
        page_part("report_page.html"),
        {
            "version": dpviz.__version__,
            "title": html.escape(title),
            "style": page_part("report.css"),
            "decision": html_of(decision),
            "code": code,
            "lead": html_of(lead),
            "charts": "\n".join(_chart(chart, at) for at, chart in enumerate(charts)),
            "numbers": html_of(numbers),
            "sections": "\n".join(told),
            "made_on": made_on,
            "plotly": base64.b64encode(packed_plotly_script()).decode(),
            "chart_module": chart_module().decode(),
            "script": page_part("report.js"),
        },
    )


def check_packages() -> None:
    """Find out whether a report can be made here."""
    html_of("")
    plotly_script_path()


def _chart(chart: ReportChart, at: int) -> str:
    options = {"alt": chart.alt, "height": CHART_HEIGHT, "fileName": f"dpviz-report-{at + 1}"}
    # Inside a script nothing is unescaped but its end: no character of it may be part of one.
    data = f"[{json.dumps(options)},{figure_json(chart.figure)}]".translate(_UNSAFE_IN_SCRIPT)
    caption = f"<figcaption>{html_of(chart.caption)}</figcaption>" if chart.caption else ""
    return (
        f'<figure><div class="chart"><script type="application/json">{data}</script></div>'
        f"<noscript><p>{html.escape(chart.alt)}</p></noscript>{caption}</figure>"
    )


def filled_page(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its places filled; what is filled in has none of its own."""
    return _PLACE.sub(lambda place: parts[place[1]], page)


@functools.cache
def page_part(name: str) -> str:
    """Return a file beside this one: of a page's HTML, style or script."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def ledger_report(
    found: Ledger, target_epsilon: float, *, made_on: date, request: Request = NO_REQUEST
) -> str:
    """Return the report: the total, what is left, each run by its name, and what has to hold."""
    chart = ReportChart(
        figure=ledger_chart(found, target_epsilon),
        alt=words.ledger_description(found),
        caption=words.ledger_finding(found),
    )
    runs = [NamedRun(name=row.name, scenario=row.scenario) for row in found.rows]
    held = training_conditions(run.scenario for run in runs)
    again = (
        "Save this as `dpviz-ledger.json`, and run `python -m dpviz ledger dpviz-ledger.json "
        f"--delta {found.delta!r} {found.delta / 2.0!r}`. What is left is the budget, ε = "
        f"{power_of_ten(target_epsilon)}, minus the upper bound at half of δ:\n\n"
        f"```json\n{json.dumps(json.loads(ledger_to_json(runs)))}\n```"
    )
    shared, own = tables_apart([replace(run.scenario, delta=found.delta) for run in runs])
    sections = [
        (row.name, f"Bound by {composed_source(row.bound)}.\n\n{table}")
        for row, table in zip(found.rows, own, strict=True)
    ]
    return report_page(
        title="Privacy of all runs on one data set",
        decision=f"{words.total_sentence(found)}\n\n{words.left_sentence(found, target_epsilon)}"
        f"\n\n{decision_fields(request, made_on)}",
        lead="",
        charts=[chart],
        numbers=words.ledger_table(found),
        sections=[
            ("Parameters of all runs" if len(runs) > 1 else "Parameters", shared),
            *sections,
            ("Conditions", "\n".join(f"- {without_formulas(text)}" for text in held.values())),
            ("Computing it again", again),
        ],
        made_on=day(made_on),
    )
