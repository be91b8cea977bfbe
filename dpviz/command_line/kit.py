"""``dpviz kit``: what a teacher of the lessons prints and shows, without a network."""

from argparse import Namespace
from pathlib import Path

from dpviz.command_line.command import Command, UsageError, address, shown_path
from dpviz.command_line.files import cannot, made_folder, written
from dpviz.scenario.errors import MissingPackageError

_ADDRESS = address("for links and codes that open the lessons (none if absent)")


def _run(options: Namespace) -> str:
    if options.directory is None:
        raise UsageError("a folder is needed: where to write the pages")
    folder = _empty_folder(options.directory)
    from dpviz.export.kit import kit_facts, kit_files

    try:
        files = kit_files(kit_facts(), options.base_url)
    except MissingPackageError as problem:
        raise UsageError(f"the kit cannot be made: {problem}") from None
    for name, page in files.items():
        written(folder / name, page, "the file")
    return "\n".join(f"written: {shown_path(str(folder / name))}" for name in files)


def _empty_folder(given: str) -> Path:
    """Return the folder, made where it is not there.

    Raises:
        UsageError: it holds files, or cannot be made.
    """
    place = Path(given)
    try:
        holds_files = place.is_dir() and any(place.iterdir())
    except (OSError, ValueError) as problem:
        raise cannot(f"the folder {shown_path(given)} cannot be used", problem) from None
    if holds_files:
        raise UsageError(
            f"the folder {shown_path(given)} holds files already: name a new or an empty one"
        )
    return made_folder(given, "the folder")


COMMAND = Command(
    name="kit",
    help="plans, slides, handout, exercises and tests for teaching the lessons, as pages to print",
    run=_run,
    settings=(("", (_ADDRESS,)),),
    has_json=False,
    file=("directory", "DIRECTORY", "to write to: a new or an empty one"),
)
