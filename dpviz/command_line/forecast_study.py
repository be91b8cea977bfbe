"""``python -m dpviz forecast-study``: forecasts of protected series, resumed where it stopped."""

import argparse
import hashlib
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

from dpviz.command_line.parser import UsageError, shown_path
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario.errors import checked_choice, checked_integer
from dpviz.scenario.missing_package import MissingPackageError

DATA = ("m3", "generated")
_DEFAULT_FORECASTERS = ("ses", "des", "tes")
_DEFAULT_PROTECTIONS = ("top-coding:0.1", "top-coding:0.2", "top-coding:0.4")
_MOST_PROCESSES = 1024


def forecast_study(options: argparse.Namespace) -> str:
    """Compute what is lacking, write the tables asked for, and return what to print.

    Raises:
        UsageError: a package is missing, or a file cannot be read or written.
        ScenarioError: a value is not allowed.
    """
    # Imported here so that a wrong option is answered at once.
    from dpviz.protected_forecasts.generated import generated_series
    from dpviz.protected_forecasts.m3 import m3_monthly_micro
    from dpviz.protected_forecasts.study import released
    from dpviz.protected_forecasts.whole_study import LARGEST_SEED, StudyPlan, study_results

    name = checked_choice("data", options.data or DATA[0], DATA)
    plan = StudyPlan(
        data_name=name,
        protections=tuple(map(str, options.protection or _DEFAULT_PROTECTIONS)),
        forecasters=tuple(map(str, options.forecaster or _DEFAULT_FORECASTERS)),
        seed=1 if options.seed is None else checked_integer("seed", options.seed, 0, LARGEST_SEED),
    )
    processes = 1
    if options.processes is not None:
        processes = checked_integer("processes", options.processes, 1, _MOST_PROCESSES)
    _check_packages(plan.forecasters)
    import numpy as np

    try:
        data = m3_monthly_micro() if name == "m3" else generated_series(np.random.default_rng(1))
    except MissingPackageError as problem:
        raise UsageError(f"--data m3 cannot be studied: {problem}") from None
    folder = None if options.cache is None else _folder(options.cache)
    if options.finished and folder is None:
        raise UsageError("--finished needs --cache, which has what is finished")
    # What these series cannot be protected by is refused now, not after hours of forecasts.
    for protection in plan.protections:
        released(data, protection, plan.seed)
    forecasts = {}
    for at, (protection, forecaster) in enumerate(plan.cells, start=1):
        print(
            f"{at} of {len(plan.cells)}: {forecaster} after {protection}",
            file=sys.stderr,
            flush=True,
        )
        found = _cell(
            plan, data, protection, forecaster, None if options.finished else processes, folder
        )
        if found is not None:
            forecasts[protection, forecaster] = found
    return _written(options, study_results(plan, data, forecasts))


def _check_packages(forecasters: tuple[str, ...]) -> None:
    from dpviz.protected_forecasts.forecaster import FORECASTERS

    for name in forecasters:
        if not FORECASTERS[name].is_installed:
            problem = MissingPackageError(FORECASTERS[name].packages[0])
            raise UsageError(f"--forecaster {name} cannot be used: {problem}")


def _cell(
    plan: Any,
    data: Any,
    protection: str,
    forecaster: str,
    processes: int | None,
    folder: Path | None,
) -> Any:
    """Return a cell's forecasts: those kept in the folder, if nothing that decides them changed.

    Without processes nothing is computed: ``None`` for what is not kept.
    """
    import numpy as np

    from dpviz.protected_forecasts.whole_study import cell_forecasts, cell_identity

    def compute() -> Any:
        return cell_forecasts(data, protection, forecaster, plan.seed, processes or 1)

    if folder is None:
        return compute()
    identity = cell_identity(plan, data, protection, forecaster)
    digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]
    path = folder / f"{forecaster}-{digest}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        forecasts = np.array(kept["forecasts"], dtype=np.float64)  # null becomes NaN
        if kept["identity"] == identity and forecasts.shape == data.next_values.shape:
            return forecasts
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there, or not whole
    if processes is None:
        return None
    found = compute()
    numbers = [number if number == number else None for number in found.tolist()]
    _write(path, json.dumps({"identity": identity, "forecasts": numbers}), "--cache")
    return found


def _folder(text: str) -> Path:
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a folder"
        raise UsageError(f"--cache {shown_path(text)} cannot be used: {reason}") from None
    return Path(text)


def _written(options: argparse.Namespace, results: Any) -> str:
    from dpviz.protected_forecasts import study_tables as tables

    head = tables.provenance(results, date.today().isoformat())
    told = {
        "out": (tables.ERROR_COLUMNS, tables.error_rows(results)),
        "features": (tables.FEATURE_COLUMNS, tables.feature_rows(results)),
        "reasons": (tables.REASON_COLUMNS, tables.reason_rows(results)),
    }
    written = []
    for option, (columns, rows) in told.items():
        if (path := getattr(options, option)) is not None:
            _write(Path(path), tables.csv_text(head, columns, rows), f"--{option}")
            written.append(f"written: {path}")
    if options.json:
        answer = {
            {"out": "errors"}.get(option, option): [
                {name: _typed(cell) for name, cell in zip(columns, row, strict=True)}
                for row in rows
            ]
            for option, (columns, rows) in told.items()
        }
        return json.dumps({"about": head, **answer})
    return "\n".join([*_lines(results), *written, tables.NO_GUARANTEE])


def _typed(cell: str) -> str | float | None:
    """Return a cell as JSON has it: a number where it is one, ``None`` where there is nothing."""
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


def _lines(results: Any) -> list[str]:
    """Return the mean absolute errors as lines to read, a column for each forecaster."""
    names = results.plan.forecasters
    width = max(len("mean absolute error"), *map(len, results.plan.protections))
    lines = ["  ".join(["mean absolute error".ljust(width), *(name.rjust(10) for name in names)])]
    for protection in results.plan.protections:
        found = [results.errors.get((protection, name)) for name in names]
        means = ["-".rjust(10) if one is None else f"{one.mean:10.2f}" for one in found]
        cells = [mean.rjust(len(name)) for mean, name in zip(means, names, strict=True)]
        lines.append("  ".join([protection.ljust(width), *cells]))
    return lines


def _write(path: Path, text: str, option: str) -> None:
    try:
        write_whole(path, text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a file"
        raise UsageError(f"{option} {shown_path(str(path))} cannot be written: {reason}") from None
