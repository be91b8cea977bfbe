"""``python -m dpviz train``: a small forecaster, trained within a budget."""

import argparse
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from dpviz.command_line.command import SCENARIO_FIELDS, Told, UsageError, shown_path
from dpviz.command_line.ends import StoppedError
from dpviz.command_line.files import cannot, check_place, write_whole
from dpviz.command_line.training_options import COMMAND
from dpviz.command_line.training_request import training_request
from dpviz.export.table import csv_of
from dpviz.export.training_record import spent_sentence, training_answer
from dpviz.export.training_tables import curve_cells, forecast_cells
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import MissingPackageError
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.checkpoint import CheckpointError
from dpviz.training.progress import Progress
from dpviz.training.run import trained
from dpviz.wording.numbers import counted, in_full
from dpviz.wording.small_run import error_text

_DIGITS = 4
RESULT_FILE, CURVE_FILE, FORECASTS_FILE = "result.json", "curve.csv", "forecasts.csv"


def train_command(options: argparse.Namespace) -> Told:
    """Train, write the files that were asked for, and return what to print."""
    folder = None if options.out is None else Path(options.out)
    try:
        if folder is not None and folder.is_dir():  # no result takes the place of what is read
            read = [("--data", options.data), ("--scenario", options.scenario)]
            for name in (RESULT_FILE, CURVE_FILE, FORECASTS_FILE):
                check_place(str(folder / name), "--out", *read)
        request = training_request(options)
        panel = request.panel
        result = trained(request.settings, panel, checkpoints=folder, tell=_show)
        answer = training_answer(result, is_calibrated=request.is_calibrated)
        answer |= {"data": options.data, "period": panel.period}
        answer["notes"] = list(request.notes)
        answer["not_accounted"] += request.not_accounted
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / CURVE_FILE, csv_of(curve_cells(result.curve)))
            write_whole(folder / FORECASTS_FILE, csv_of(forecast_cells(result, panel.names)))
            told = json.dumps(answer, indent=2, allow_nan=False)
            write_whole(folder / RESULT_FILE, f"{told}\n")
    except (CheckpointError, MissingPackageError) as problem:
        raise UsageError(str(problem)) from None
    except ScenarioError as problem:
        if problem.field in (*SCENARIO_FIELDS, *COMMAND.own):
            raise
        # It is about the series, not about what was typed.
        raise UsageError(f"--data {shown_path(options.data)}: {problem}".rstrip(".")) from None
    except OSError as problem:
        if folder is None:
            raise
        raise cannot(f"--out {shown_path(options.out)} cannot be written", problem) from None
    except DivergedError as problem:
        spent = "nothing was spent"
        if problem.spent is not None:
            spent = f"spent nevertheless: {spent_sentence(problem.spent)}"
        raise UsageError(
            f"training diverged: after step {problem.step:,} {problem.what}; lower "
            f"--learning-rate; {spent}"
        ) from None
    except KeyboardInterrupt:
        if folder is None:
            raise StoppedError("nothing is kept, but what was spent is spent") from None
        kept = f"what was trained and spent is in {shown_path(options.out)}"
        raise StoppedError(kept, resumes=True) from None
    return answer, training_table(answer)


def _show(progress: Progress) -> None:
    """Tell somebody who watches how far training is."""
    if not sys.stderr.isatty():
        return
    text = f"{progress.step:,} of {progress.steps_asked:,} steps"
    if progress.spent is not None:
        text += f", {spent_sentence(progress.spent)}"
    if progress.validation_crps is not None:
        text += f", CRPS of held-out windows {progress.validation_crps:.4g}"
    with suppress(OSError):  # nobody watches any more
        print(text, file=sys.stderr, flush=True)


def training_table(answer: dict[str, Any]) -> str:
    """Return the answer of :func:`dpviz.export.training_record.training_answer` as lines."""
    lines = [
        f"{answer['model']} on {answer['data']}: {counted(answer['steps'], 'step')} of "
        f"{answer['steps_asked']:,} asked for",
        answer["statement"],
    ]
    if "protects" in answer:
        lines.append(f"protected: {answer['protects']}")
    lines += [
        f"CRPS           {error_text(answer['crps'], _DIGITS):>8}   {answer['error']}",
        f"seasonal naive {error_text(answer['baseline_crps'], _DIGITS):>8}   the same of repeating "
        "the last season",
    ]
    if "error_is_not_finite" in answer:
        lines.append(f"note: {answer['error_is_not_finite']}")
    if "noise_multiplier" in answer:
        lines.append(
            f"noise multiplier {in_full(answer['noise_multiplier'])}, "
            f"{answer['noise_multiplier_is']}; clipping norm {in_full(answer['clipping_norm'])}"
        )
    lines.append(f"parameters: {answer['model_selection']} (step {answer['best_step']:,})")
    lines += [f"note: {answer[name]}" for name in ("seed_is_known", "extension") if name in answer]
    if answer["is_private"]:
        lines += [f"not part of epsilon: {text}" for text in answer["not_accounted"]]
    lines += [f"note: {note}" for note in answer["notes"]]
    return "\n".join(lines)
