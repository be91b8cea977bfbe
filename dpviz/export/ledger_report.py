"""A report of all training runs on the same data, as one HTML file that needs no network."""

import json
from datetime import date

from dpviz.export.parameters import parameters_table
from dpviz.export.report import ReportChart, report_page
from dpviz.export.report_first_page import NO_REQUEST, Request, day, decision_fields
from dpviz.export.statement import Section
from dpviz.figures.ledger import ledger_chart
from dpviz.planning.ledger import Ledger
from dpviz.scenario.ledger import NamedRun, ledger_to_json
from dpviz.wording import ledger as words
from dpviz.wording.conditions import conditions
from dpviz.wording.texts import without_formulas
from dpviz.wording.theorems import composed_source


def ledger_report(
    found: Ledger, target_epsilon: float, *, made_on: date, request: Request = NO_REQUEST
) -> str:
    """Return the report: what is left, the total, each run by its name, and what has to hold.

    Raises:
        MissingPackageError: markdown-it-py, or plotly, is not installed.
    """
    chart = ReportChart(
        figure=ledger_chart(found, target_epsilon),
        alt=words.ledger_description(found),
        caption=words.ledger_finding(found),
    )
    runs = [NamedRun(name=row.name, scenario=row.scenario) for row in found.rows]
    held = conditions([run.scenario for run in runs])
    again = (
        "Save this as `dpviz-ledger.json`, and run `python -m dpviz ledger dpviz-ledger.json "
        f"--delta {found.delta!r}`:\n\n```json\n{json.dumps(json.loads(ledger_to_json(runs)))}\n```"
    )
    sections = [
        Section(
            title=row.name,
            body=f"Bound by {composed_source(row.bound)}.\n\n{parameters_table(row.scenario)}",
        )
        for row in found.rows
    ]
    return report_page(
        title="Privacy of all runs on one data set",
        decision="\n\n".join(
            [words.left_sentence(found, target_epsilon), decision_fields(request, made_on)]
        ),
        lead=words.ledger_headline(found, target_epsilon),
        charts=[chart],
        numbers=words.ledger_table(found),
        sections=[
            *sections,
            Section(
                title="Conditions",
                body="\n".join(f"- {without_formulas(one.text)}" for one in held),
            ),
            Section(title="Computing it again", body=again),
        ],
        made_on=day(made_on),
    )
