"""Commands whose answer is a text to keep: a privacy statement, a report."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from dpviz.command_line.parser import UsageError, shown
from dpviz.command_line.scenario_options import scenario_from
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario import Scenario
from dpviz.scenario.errors import checked_real
from dpviz.scenario.missing_package import MissingPackageError
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
        write_whole(Path(path), text)
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
    from dpviz.planning.attack_rates import attackers_gain

    return privacy_statement(curves_of(scenario), attackers_gain(scenario), base_url=base_url)


def _report(scenario: Scenario, base_url: str | None) -> str:
    from dpviz.export.report import check_packages, html_report
    from dpviz.planning import curves_of
    from dpviz.planning.attack_rates import attackers_gain

    try:
        check_packages()
    except MissingPackageError as problem:
        raise UsageError(f"report cannot be made: {problem}") from None
    return html_report(
        curves_of(scenario), attackers_gain(scenario), made_on=date.today(), base_url=base_url
    )


_WRITERS: dict[str, Callable[[Scenario, str | None], str]] = {
    "statement": _statement,
    "report": _report,
}
