"""``python -m dpviz training-study``: what privacy costs in accuracy, resumed where it stopped."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpviz.command_line.parser import UsageError, shown_path
from dpviz.command_line.progress_bar import ProgressBar
from dpviz.command_line.training_study_options import MOST_PROCESSES
from dpviz.command_line.training_study_table import study_answer, study_table
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario.errors import checked_choice, checked_integer
from dpviz.scenario.missing_package import MissingPackageError


def training_study(options: argparse.Namespace) -> str:
    """Train what is lacking, write the results, and return what to print.

    Raises:
        UsageError: an option is missing or wrong, a package is missing, or a file cannot be read
            or written.
        ScenarioError: a value is not allowed.
    """
    # Imported here so that a misspelt command does not wait for them.
    from dpviz.sweeps.journal import JournalError
    from dpviz.training.divergence import DivergedError
    from dpviz.training_study import results
    from dpviz.training_study.common import DATA, SEEDS
    from dpviz.training_study.planned_run import planned_runs
    from dpviz.training_study.questions import QUESTIONS
    from dpviz.training_study.study import ProcessesError, on_processes, open_journal, run_study

    if options.out is None or not options.out.strip():
        raise UsageError("--out is needed: the path of a folder for the results")
    folder = Path(options.out)
    asked = dict.fromkeys(options.question or QUESTIONS)
    questions = [QUESTIONS[checked_choice("question", name, tuple(QUESTIONS))] for name in asked]
    number = len(SEEDS)
    if options.seeds is not None:
        number = checked_integer("seeds", options.seeds, 1, len(SEEDS))
    processes = 1
    if options.processes is not None:
        processes = checked_integer("processes", options.processes, 1, MOST_PROCESSES)
    given = dict.fromkeys(options.data or ())
    names, left_out = _with_packages([checked_choice("data", name, tuple(DATA)) for name in given])
    journal_path = folder / results.JOURNAL_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise _unusable(options.out, problem) from None
    for notice in left_out:  # nothing is refused any more
        print(f"dpviz: {notice}", file=sys.stderr, flush=True)
    runs = planned_runs(questions, names, SEEDS[:number])
    try:
        with open_journal(journal_path) as journal:
            rows = run_study(
                runs,
                journal=journal,
                work=on_processes(processes),
                progress=ProgressBar("runs"),
            )
        about = results.about_rows(rows, datetime.now(UTC).date().isoformat())
        write_whole(folder / results.ROWS_FILE, results.packed(rows))
        write_whole(folder / results.ABOUT_FILE, results.about_text(about))
    except OSError as problem:
        raise _unusable(options.out, problem) from None
    except (JournalError, DivergedError, ProcessesError) as problem:
        raise UsageError(f"training-study cannot go on: {problem}") from None
    except KeyboardInterrupt:
        raise UsageError(
            f"stopped: finished runs are in {journal_path}; the same command goes on from there"
        ) from None
    if options.json:
        return json.dumps(study_answer(rows, about), allow_nan=False)
    return study_table(rows, about) + f"\nwritten: {shown_path(options.out)}"


def _unusable(out: str, problem: Exception) -> UsageError:
    reason = problem.strerror if isinstance(problem, OSError) else "it is no path of a folder"
    return UsageError(f"--out {shown_path(out)} cannot be used: {reason}")


def _with_packages(asked: list[Any]) -> tuple[list[str], list[str]]:
    """Return the series to train on, those asked for, else all that are installed; and the others.

    Raises:
        UsageError: series that were asked for are not installed.
    """
    from dpviz.training_study.common import DATA

    found, left_out = [], []
    for name in asked or DATA:
        try:
            DATA[name].source.panel()
        except MissingPackageError as problem:
            if asked:
                raise UsageError(f"--data {name} cannot be studied: {problem}") from None
            left_out.append(f"{name} is left out: {problem}")
        else:
            found.append(name)
    return found, left_out
