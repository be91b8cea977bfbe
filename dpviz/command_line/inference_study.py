"""``python -m dpviz inference-study``: forecasts of hidden contexts, resumed where it stopped."""

import argparse
import json
import sys
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

from dpviz.command_line.parser import UsageError, shown_path
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.missing_package import MissingPackageError

TABLE = "inference_study.csv"


def inference_study(options: argparse.Namespace) -> str:
    """Compute what is lacking, write the table, and return what to print.

    Raises:
        UsageError: there is no folder, a package is missing, or a file cannot be written.
        ScenarioError: a value is not allowed.
    """
    # Imported here so that a wrong option is answered at once.
    from dpviz.private_inference import study, study_table
    from dpviz.private_inference import study_grid as grid

    if options.out is None:
        raise UsageError("--out is needed: the path of a folder")
    asked = [checked_choice("data", one, tuple(grid.DATA)) for one in options.data or ()]
    names, left_out = _installed(asked or list(grid.DATA), is_asked=bool(asked))
    folder = _folder(options.out)
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
    text = study_table.study_csv(result)
    _write(folder / TABLE, text)
    if options.json:
        return json.dumps(_answer(text), allow_nan=False)
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
    _write(path, json.dumps(document))
    return found, took


def _answer(text: str) -> dict[str, Any]:
    import csv

    lines = text.splitlines()
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


def _folder(text: str) -> Path:
    try:
        (Path(text) / "parts").mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a folder"
        raise UsageError(f"--out {shown_path(text)} cannot be used: {reason}") from None
    return Path(text)


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(
            f"--out {shown_path(str(path))} cannot be written: {error.strerror}"
        ) from None
