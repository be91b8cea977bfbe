"""``python -m dpviz train``: a small forecaster, trained within a budget."""

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpviz.command_line.command import SCENARIO_FIELDS, Told, UsageError, shown, shown_path, told_of
from dpviz.command_line.ends import StoppedError, tell
from dpviz.command_line.files import cannot, check_place, whole_bytes, write_whole
from dpviz.command_line.scenario_options import (
    OF_RATES,
    beside,
    check_one_length,
    given_fields,
    relation_in,
    scenario_from,
    settle_flat,
)
from dpviz.command_line.training_options import COMMAND
from dpviz.export.table import csv_of
from dpviz.export.training_record import spent_sentence, training_answer
from dpviz.export.training_tables import curve_cells, forecast_cells
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.scenario import SCHEMA_VERSION, Sampling, Scenario, ScenarioError, from_fields
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import MissingPackageError, checked_integer
from dpviz.scenario.fields import RATE_FIELDS
from dpviz.scenario.mechanism import AT_RANDOM, MOST_SUBSEQUENCES
from dpviz.series_file.errors import SeriesFileError
from dpviz.training import panel_source as sources
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.checkpoint import CheckpointError
from dpviz.training.panel import Panel, training_shape
from dpviz.training.progress import Progress
from dpviz.training.run import trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import split
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
        if request.guess and request.settings.is_private and options.model != "naive":
            tell(
                f"nobody said how --data {shown_path(options.data)} is laid out, so the budget is "
                f"spent on what was made of it: {request.guess} --layout says another way."
            )
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
    if answer["parameters"] > 0:
        lines.append(f"parameters: {answer['model_selection']} (step {answer['best_step']:,})")
    lines += [f"note: {answer[name]}" for name in ("seed_is_known", "extension") if name in answer]
    if answer["is_private"]:
        lines += [f"not part of epsilon: {text}" for text in answer["not_accounted"]]
    lines += [f"note: {note}" for note in answer["notes"]]
    return "\n".join(lines)


SYNTHETIC = "synthetic"
_SERIES, _VALUES, _PERIOD = 200, 132, 12
_STEPS, _BATCH, _DELTA = 200, 128, 1e-7
_POINTS_OF_THE_CURVE = 20
_OF_SETTINGS = (
    "optimizer", "learning_rate", "clipping_norm", "seed", "evaluate_every",
)  # fmt: skip
LARGEST_FILE = 200_000_000
# What a run without privacy has none of.
_OF_PRIVACY = (
    "target_epsilon", "target_delta", "noise_multiplier", "clipping_norm", "context_noise",
    "forecast_noise",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Request:
    """What ``train`` is asked for.

    Args:
        panel: all values of the series, held-out ones included.
        not_accounted: what is told of a file's series besides what is trained on them.
        guess: what was taken for certain of the file though nobody has said it.
        is_calibrated: whether the noise was found for the steps, not given.
    """

    settings: TrainingSettings
    panel: Panel
    notes: tuple[str, ...]
    not_accounted: tuple[str, ...]
    guess: str
    is_calibrated: bool


def training_request(options: argparse.Namespace) -> Request:
    """Return what the options ask for."""
    if options.data is None:
        raise UsageError("--data is needed: synthetic, or the path of a CSV or Parquet file")
    model, validation = options.model, options.validation
    held_out = {
        "validation_windows": 0 if validation == "none" else options.validation_windows or 1,
        "test_windows": options.test_windows,
    }
    if validation == "none" and options.validation_windows is not None:
        raise beside("validation_windows", options.validation_windows, "--validation none")
    _check_budget(options)
    given = given_fields(options)
    saved = None if options.scenario is None else scenario_from(options)
    num_series, series_length, context, forecast = _asked(given, saved)
    season, notes, guess = options.period, tuple[str, ...](), ""
    file: Panel | None = None
    if options.data != SYNTHETIC:
        content = whole_bytes(options.data, LARGEST_FILE, option="--data")
        with told_of(f"--data {shown_path(options.data)}", SeriesFileError, ScenarioError):
            read = sources.panel_from_file(
                content, options.data, period=season, layout=options.layout or "auto"
            )
        file, season, guess = read.panel, read.panel.period, read.guess
        notes = tuple(note.rstrip(".") for note in read.notes)
    elif options.layout is not None:
        raise beside("layout", options.layout, "--data synthetic")
    context, forecast = _window(context, forecast, season)
    kept = sum(held_out.values()) * forecast
    if file is None:
        panel = _made_up(num_series, series_length, season, kept)
    else:
        fix = "leave it out" if saved is None else "make the scenario for these"
        _check_that_file_has(file, num_series, series_length, kept, fix)
        panel = file
    parts = split(panel, context, forecast, **held_out)
    if saved is None:
        if options.flat:
            settle_flat(given)
        scenario = _scenario(given, parts.training, context, forecast)
        is_noise_given = "noise_multiplier" in given
    else:
        scenario, is_noise_given = saved, True
    target, is_calibrated = _target(options, scenario), False
    if target is not None:
        scenario = target.applied_to(scenario)
    steps = scenario.num_steps
    chosen: dict[str, Any] = {"evaluate_every": max(1, steps // _POINTS_OF_THE_CURVE), **held_out}
    given_settings = {name: getattr(options, name) for name in _OF_SETTINGS}
    chosen |= {name: value for name, value in given_settings.items() if value is not None}
    settings = TrainingSettings(
        scenario=scenario,
        model=model,
        target=target,
        most_steps=steps,
        validation=validation,
        **chosen,
    )
    if target is not None and not is_noise_given and model != "naive":
        found = calibrated(scenario, "noise_multiplier", target)
        settings, is_calibrated = replace(settings, scenario=found), True
    return Request(
        settings=settings,
        panel=panel,
        notes=notes,
        not_accounted=() if file is None else sources.NOT_ACCOUNTED,
        guess=guess,
        is_calibrated=is_calibrated,
    )


def _window(context: object, forecast: object, season: int | None) -> tuple[int, int]:
    """Return what is read and what is forecast, by default two seasons and half a one."""
    whole = season if season is not None and season > 1 else _PERIOD
    read = 2 * whole if context is None else context
    ahead = whole // 2 if forecast is None else forecast
    return (
        checked_integer("context_length", read, 1, LONGEST_WINDOW),
        checked_integer("forecast_length", ahead, 1, LONGEST_WINDOW),
    )


def _made_up(
    num_series: object, series_length: list[object] | None, period: int | None, kept: int
) -> Panel:
    many = _SERIES if num_series is None else num_series
    length = _VALUES
    if series_length is not None:
        if len(series_length) > 1:
            allowed = "all made-up series have one length"
            raise ScenarioError("series_length", series_length, allowed)
        length = checked_integer("series_length", series_length[0], 1, sources.LONGEST_GENERATED)
    if length + kept > sources.LONGEST_GENERATED:
        allowed = f"with the {kept:,} values that are held out, a made-up series has at most "
        raise ScenarioError("series_length", length, f"{allowed}{sources.LONGEST_GENERATED:,}")
    return sources.generated_panel(
        num_series=checked_integer("num_series", many, 1, sources.MOST_GENERATED),
        length=length + kept,
        period=_PERIOD if period is None else period,
    )


def _check_that_file_has(
    panel: Panel, num_series: object, series_length: list[object] | None, kept: int, fix: str
) -> None:
    if num_series is not None and num_series != len(panel):
        raise ScenarioError("num_series", num_series, f"the file has {len(panel):,} series: {fix}")
    lengths = sorted({length - kept for length in panel.lengths})
    if series_length is not None and set(series_length) != set(lengths):
        has = f"the training part of the file's series has {shown(lengths)} values"
        allowed = f"{has}, as the last {kept:,} are held out: {fix}"
        raise ScenarioError("series_length", shown(series_length), allowed)


def _check_budget(options: argparse.Namespace) -> None:
    if options.no_privacy:
        for name in _OF_PRIVACY:
            value = getattr(options, name)
            if value is not None:
                raise beside(name, value, "--no-privacy")
    elif options.target_epsilon is None and options.model != "naive":
        raise UsageError(
            "--target-epsilon is needed: a number from 1e-09 to 1e+09, or --no-privacy for a run "
            "without noise that protects nobody"
        )


def _target(options: argparse.Namespace, scenario: Scenario) -> Target | None:
    if options.no_privacy:
        return None
    delta = scenario.delta if options.target_delta is None else options.target_delta
    # What the naive forecast spends needs no budget.
    epsilon = 1.0 if options.target_epsilon is None else options.target_epsilon
    return Target(epsilon=epsilon, delta=delta)


def _asked(given: dict[str, Any], saved: Scenario | None) -> tuple[Any, Any, Any, Any]:
    """Return N, L, L_C and L_F as asked for, by a file or by options; ``None`` where nobody did."""
    if saved is None:
        lengths = given.get("context_length"), given.get("forecast_length")
        return given.get("num_series"), given.get("series_length"), *lengths
    shape = saved.with_last_shape().given_shape
    # Of several lengths a scenario has those that may be the worst, of a file's perhaps one.
    length = list(shape.series_lengths) if shape.is_of_one_length else None
    return shape.num_series, length, shape.context_length, shape.forecast_length


def _scenario(
    given: dict[str, Any], training: Panel, context_length: int, forecast_length: int
) -> Scenario:
    for name in (*RATE_FIELDS, *OF_RATES):
        if name in given:
            allowed = "rates draw no batches, and the data give the shape; leave it out"
            raise ScenarioError(name, given[name], allowed)
    check_one_length(given)
    shape = training_shape(training, context_length, forecast_length, relation_in(given))
    many = checked_integer(
        "num_subsequences", given.get("num_subsequences", 1), 1, MOST_SUBSEQUENCES
    )
    drawn = Sampling(
        batch_size=max(_BATCH, many),
        num_subsequences=many,
        top_level=given.get("top_level", AT_RANDOM),
    )
    fields: dict[str, Any] = {
        "schema": SCHEMA_VERSION,
        "batch_size": min(drawn.batch_size, drawn.largest_batch(shape)),
        "noise_multiplier": 1.0,
        "delta": _DELTA,
    }
    if "epochs" not in given:
        fields["steps"] = _STEPS
    fields |= given
    fields |= {
        "num_series": shape.num_series,
        "series_length": list(shape.series_lengths),
        "context_length": context_length,
        "forecast_length": forecast_length,
    }
    if shape.longer_series_beyond is not None:
        fields["longer_series_beyond"] = shape.longer_series_beyond
    return from_fields(fields)
