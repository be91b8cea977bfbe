"""Commands whose answer is a text to keep: a privacy statement, a report."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from dpviz.command_line.parser import UsageError, shown
from dpviz.command_line.scenario_options import scenario_from
from dpviz.scenario import Scenario
from dpviz.scenario.errors import checked_real
from dpviz.scenario.scenario import DELTA_RANGE


def write_document(options: argparse.Namespace) -> str:
    """Return a command's text, or write it to the file asked for and say so.

    Raises:
        UsageError: an option is missing or contradicts another, or a file cannot be written.
        ScenarioError: a value is not allowed, or no bound covers the scenario.
    """
    path, address = options.output, options.base_url
    if path is None and options.command == "report":
        raise UsageError("--output is needed: the path of the HTML file to write")
    if path is not None and not path.strip():
        raise UsageError(f"--output {path!r} is not allowed: it must be the path of a file")
    if address is not None and not address.startswith(("http://", "https://")):
        raise UsageError(f"--base-url {shown(address)} is not allowed: it must begin with https://")
    text = _WRITERS[options.command](_scenario(options), address)
    if path is None:
        return text.rstrip("\n")
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a file"
        raise UsageError(f"--output {shown(path)} cannot be written: {reason}") from None
    return f"written: {path}"


def _scenario(options: argparse.Namespace) -> Scenario:
    """Return the scenario, at the delta asked for also where a file has another one."""
    if options.delta is not None:
        checked_real("delta", options.delta, *DELTA_RANGE)
    scenario = scenario_from(options)
    return scenario if options.delta is None else replace(scenario, delta=options.delta)


def _statement(scenario: Scenario, base_url: str | None) -> str:
    # Imported here so that a wrong option is answered at once.
    from dpviz.export.statement import privacy_statement
    from dpviz.planning import curves_of
    from dpviz.planning.gain import attackers_gain

    return privacy_statement(curves_of(scenario), attackers_gain(scenario), base_url=base_url)


def _report(scenario: Scenario, base_url: str | None) -> str:
    from dpviz.planning import curves_of
    from dpviz.planning.gain import attackers_gain

    try:
        from dpviz.export.report import html_report

        return html_report(
            curves_of(scenario), attackers_gain(scenario), made_on=date.today(), base_url=base_url
        )
    except (ModuleNotFoundError, FileNotFoundError):
        raise UsageError(
            "report needs packages of the dashboard, which are not installed: "
            "pip install 'dpviz[app]'"
        ) from None


_WRITERS: dict[str, Callable[[Scenario, str | None], str]] = {
    "statement": _statement,
    "report": _report,
}
