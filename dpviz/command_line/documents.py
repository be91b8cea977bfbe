"""Commands whose answer is a text to keep: a privacy statement, a report, a teacher's kit."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.command_line import command
from dpviz.command_line.answers import CLOSER, TARGET_EPSILON
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.files import cannot, check_place, made_folder, written
from dpviz.command_line.scenario_options import scenario_from
from dpviz.scenario import Scenario
from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.scenario import DELTA_RANGE

if TYPE_CHECKING:
    from dpviz.accounting import Curve

_DELTA = command.number(
    "delta", "D", f"where epsilon is quoted ({command.ABSENT_DELTA})", DELTA_RANGE
)
_ADDRESS = command.address("for links into it (no links if absent)")
_REQUIRED = command.number(
    "required_epsilon",
    "E",
    "what the report is to decide: whether epsilon is at most this (nothing if absent)",
    TARGET_EPSILON.limits,
)
_ONE_LINE = "a text of one line"
_WORDS = (
    command.text("organisation", "NAME", "who decides, for the first page", _ONE_LINE),
    command.text("data_set", "NAME", "what is trained on", _ONE_LINE),
    command.text("author", "NAME", "who answers for it", _ONE_LINE),
    command.text("series_word", "WORD", "what one series is to its owner, such as shop", _ONE_LINE),
)


def _write_document(options: Namespace) -> str:
    """Return a command's text, or write it to the file asked for and say so."""
    place, address = options.output, options.base_url
    if place is None and options.command == "report":
        raise UsageError("--output is needed: the path of the HTML file to write")
    check_place(place, "--output", ("--scenario", options.scenario))
    from dpviz.export.report_first_page import Request
    from dpviz.export.statement import privacy_statement
    from dpviz.planning import curves_of
    from dpviz.planning.attack_rates import attackers_gain

    words = {one.name: getattr(options, one.name) for one in _WORDS}
    request = Request(
        epsilon=options.required_epsilon,
        **{name: told for name, told in words.items() if told is not None},
    )
    scenario = scenario_from(options)
    if options.delta is not None:  # also where a file has another one
        scenario = replace(scenario, delta=options.delta)
    write: Callable[..., str] = privacy_statement
    if options.command == "report":
        from dpviz.export.report import check_packages, html_report

        write = partial(html_report, made_on=date.today())
        with told_of("report cannot be made", MissingPackageError):
            check_packages()
    document = write(
        curves_of(scenario),
        attackers_gain(scenario),
        closer=_closer(scenario) if options.closer else None,
        request=request,
        base_url=address,
    )
    if place is None:
        return document.rstrip("\n")
    return written(place, document, "--output")


def _closer(scenario: Scenario) -> "Curve":
    """Return the closer upper bound."""
    from dpviz.accounting.closer_upper import THEOREM, closer_bound, closer_upper
    from dpviz.guarantees import guarantee_for
    from dpviz.wording.closer_upper import CLOSER_SCOPE
    from dpviz.wording.theorems import named_theorem

    upper = guarantee_for(scenario).upper
    if closer_bound(upper) is None:
        raise UsageError(
            f"--closer is not for these settings: {named_theorem(THEOREM)} is for {CLOSER_SCOPE}"
        )
    found = closer_upper(upper, scenario.delta)
    if found is None:
        raise UsageError("--closer adds nothing: that bound is not smaller here; leave it out")
    return found


def _document(name: str, told: str, metavar: str, where: str) -> command.Command:
    return command.Command(
        name=name,
        help=told,
        run=_write_document,
        settings=(_DELTA, command.path("output", metavar, f"where to write it{where}"), _ADDRESS),
        more_settings={"first page": (_REQUIRED, *_WORDS)},
        flags={"--closer": CLOSER},
        reads_scenario=True,
        has_json=False,
    )


_STATEMENT = "a privacy statement for a paper or a model card, as Markdown"
_REPORT = "the statement with chart and tables, as one HTML file"
COMMANDS = (
    _document("statement", _STATEMENT, "FILE.md", " (standard output if absent)"),
    _document("report", _REPORT, "FILE.html", ""),
)


_KIT_ADDRESS = command.address("for links and codes that open the lessons (none if absent)")


def _write_kit(options: Namespace) -> str:
    given = options.directory
    place, named = Path(given), f"the folder {command.shown_path(given)}"
    try:
        holds_files = place.is_dir() and any(place.iterdir())
    except (OSError, ValueError) as problem:
        raise cannot(f"{named} cannot be used", problem) from None
    if holds_files:
        raise UsageError(f"{named} holds files already: name a new or an empty one")
    folder = made_folder(given, "the folder")
    from dpviz.export.kit import kit_facts, kit_files

    with told_of("the kit cannot be made", MissingPackageError):
        files = kit_files(kit_facts(), options.base_url)
    return "\n".join(written(folder / name, page, "the file") for name, page in files.items())


KIT = command.Command(
    name="kit",
    help="plans, slides, handout, exercises and tests for teaching the lessons, as pages to print",
    run=_write_kit,
    settings=(_KIT_ADDRESS,),
    has_json=False,
    file=("directory", "DIRECTORY", "to write to: a new or an empty one"),
    lacks="a folder is needed: where to write the pages",
)
