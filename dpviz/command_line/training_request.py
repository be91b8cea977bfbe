"""From the options of ``train`` to the settings of a run and its data."""

import argparse
from dataclasses import dataclass, replace
from typing import Any

from dpviz.command_line.command import UsageError, shown, shown_path
from dpviz.command_line.files import whole_bytes
from dpviz.command_line.scenario_options import OF_RATES, given_fields, scenario_from, settle_flat
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.scenario import SCHEMA_VERSION, Relation, Scenario, ScenarioError, from_fields
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import checked_choice, checked_integer
from dpviz.scenario.fields import RATE_FIELDS
from dpviz.series_file.errors import SeriesFileError
from dpviz.settings import option_of
from dpviz.training.models import FORECASTERS
from dpviz.training.panel import Panel, training_shape
from dpviz.training.panel_source import (
    LONGEST_GENERATED,
    MOST_GENERATED,
    NOT_ACCOUNTED,
    generated_panel,
    panel_from_file,
)
from dpviz.training.settings import VALIDATIONS, TrainingSettings
from dpviz.training.split import MOST_WINDOWS, split

SYNTHETIC = "synthetic"
_SERIES, _VALUES, _PERIOD = 200, 132, 12
LARGEST_FILE = 200_000_000


@dataclass(frozen=True, kw_only=True)
class Data:
    """Series and window lengths.

    Args:
        panel: all values of the series, held-out ones included.
        notes: sentences on what was assumed of a file.
        not_accounted: what is told of a file's series besides what is trained on them.
    """

    panel: Panel
    context_length: int
    forecast_length: int
    notes: tuple[str, ...]
    not_accounted: tuple[str, ...]


def training_data(
    source: str,
    *,
    num_series: object,
    series_length: list[object] | None,
    context_length: object,
    forecast_length: object,
    period: object,
    held_out: int,
) -> Data:
    """Return the series to train on; what is ``None`` is chosen, or that of the file.

    Args:
        source: ``synthetic``, or the path of a file.
        num_series: N as given.
        series_length: lengths of the training part as given.
        context_length: L_C as given; by default two seasons.
        forecast_length: L_F as given; by default half a season.
        period: time steps of a season as given.
        held_out: forecasts of each series that are kept from training.
    """
    season = None if period is None else checked_integer("period", period, 1, LONGEST_WINDOW)
    notes: tuple[str, ...] = ()
    read = None
    if source != SYNTHETIC:
        read, notes = _panel_of(source, season)
        season = read.period
    whole = season if season is not None and season > 1 else _PERIOD
    context = 2 * whole if context_length is None else context_length
    context = checked_integer("context_length", context, 1, LONGEST_WINDOW)
    forecast = whole // 2 if forecast_length is None else forecast_length
    forecast = checked_integer("forecast_length", forecast, 1, LONGEST_WINDOW)
    kept = held_out * forecast
    if read is not None:
        _check_that_file_has(read, num_series, series_length, kept)
    return Data(
        panel=_made_up(num_series, series_length, season, kept) if read is None else read,
        context_length=context,
        forecast_length=forecast,
        notes=notes,
        not_accounted=() if read is None else NOT_ACCOUNTED,
    )


def _made_up(
    num_series: object, series_length: list[object] | None, period: int | None, kept: int
) -> Panel:
    many = _SERIES if num_series is None else num_series
    length = _VALUES
    if series_length is not None:
        if len(series_length) > 1:
            raise ScenarioError(
                "series_length", series_length, "all made-up series have one length"
            )
        length = checked_integer("series_length", series_length[0], 1, LONGEST_GENERATED)
    if length + kept > LONGEST_GENERATED:
        raise ScenarioError(
            "series_length",
            length,
            f"with the {kept:,} values that are held out, a made-up series has at most "
            f"{LONGEST_GENERATED:,}",
        )
    return generated_panel(
        num_series=checked_integer("num_series", many, 1, MOST_GENERATED),
        length=length + kept,
        period=_PERIOD if period is None else period,
    )


def _panel_of(path: str, period: int | None) -> tuple[Panel, tuple[str, ...]]:
    content = whole_bytes(path, LARGEST_FILE, option="--data")
    try:
        found = panel_from_file(content, path, period=period)
    except (SeriesFileError, ScenarioError) as problem:
        raise UsageError(f"--data {shown_path(path)}: {problem}".rstrip(".")) from None
    return found.panel, tuple(note.rstrip(".") for note in found.notes)


def _check_that_file_has(
    panel: Panel, num_series: object, series_length: list[object] | None, kept: int
) -> None:
    if num_series is not None and num_series != len(panel):
        raise ScenarioError(
            "num_series", num_series, f"the file has {len(panel):,} series: leave it out"
        )
    lengths = sorted({length - kept for length in panel.lengths})
    if series_length is not None and set(series_length) != set(lengths):
        raise ScenarioError(
            "series_length",
            shown(series_length),
            f"the training part of the file's series has {shown(lengths)} values: leave it out",
        )


_STEPS, _BATCH, _DELTA = 200, 128, 1e-7
_POINTS_OF_THE_CURVE = 20
_OF_SETTINGS = (
    "optimizer", "learning_rate", "clipping_norm", "seed", "evaluate_every",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Request:
    """What ``train`` is asked for.

    Args:
        is_calibrated: whether the noise was found for the steps, not given.
    """

    settings: TrainingSettings
    data: Data
    is_calibrated: bool


def training_request(options: argparse.Namespace) -> Request:
    """Return what the options ask for."""
    model = checked_choice("model", options.model or "linear", FORECASTERS)
    if options.data is None:
        raise UsageError("--data is needed: synthetic, or the path of a CSV or Parquet file")
    validation = checked_choice("validation", options.validation or "curve", VALIDATIONS)
    held_out = {
        "validation_windows": _windows(options, "validation_windows", validation != "none"),
        "test_windows": _windows(options, "test_windows", True),
    }
    _check_budget(options, model)
    given = given_fields(options)
    saved = None if options.scenario is None else scenario_from(options)
    asked = _asked(given, saved)
    data = training_data(
        options.data, **asked, period=options.period, held_out=sum(held_out.values())
    )
    context, forecast = data.context_length, data.forecast_length
    parts = split(data.panel, context, forecast, **held_out)
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
    chosen |= {
        name: getattr(options, name) for name in _OF_SETTINGS if getattr(options, name) is not None
    }
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
    return Request(settings=settings, data=data, is_calibrated=is_calibrated)


def _windows(options: argparse.Namespace, name: str, is_used: bool) -> int:
    given = getattr(options, name)
    if is_used:
        return checked_integer(name, 1 if given is None else given, 1, MOST_WINDOWS)
    if given is not None:
        raise UsageError(
            f"{option_of(name)} {shown(given)} is not allowed beside --validation none: leave one "
            "of the two out"
        )
    return 0


def _check_budget(options: argparse.Namespace, model: str) -> None:
    if options.no_privacy:
        for name in ("target_epsilon", "target_delta", "noise_multiplier", "clipping_norm"):
            value = getattr(options, name)
            if value is not None:
                raise UsageError(
                    f"{option_of(name)} {shown(value)} is not allowed beside --no-privacy: leave "
                    "one of the two out"
                )
    elif options.target_epsilon is None and model != "naive":
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


def _asked(given: dict[str, Any], saved: Scenario | None) -> dict[str, Any]:
    """Return numbers and lengths that were asked for, by a file or by options."""
    names = ("num_series", "series_length", "context_length", "forecast_length")
    if saved is None:
        return {name: given.get(name) for name in names}
    shape = saved.with_last_shape().shape
    assert shape is not None  # it has one now
    values = (shape.num_series, None, shape.context_length, shape.forecast_length)
    asked: dict[str, Any] = dict(zip(names, values, strict=True))
    if len(shape.series_lengths) == 1:
        asked["series_length"] = list(shape.series_lengths)
    return asked


def _scenario(
    given: dict[str, Any], training: Panel, context_length: int, forecast_length: int
) -> Scenario:
    for name in (*RATE_FIELDS, *OF_RATES):
        if name in given:
            raise UsageError(
                f"{option_of(name)} {shown(given[name])} is not allowed: rates draw no batches, "
                "and the data give the shape; leave it out"
            )
    if "steps" in given and "epochs" in given:
        raise UsageError(
            f"--steps {shown(given['steps'])} is not allowed beside --epochs "
            f"{shown(given['epochs'])}: leave one of the two out"
        )
    relation = Relation(level=given.get("relation", "event"), width=given.get("relation_width", 1))
    shape = training_shape(training, context_length, forecast_length, relation)
    many = checked_integer("num_subsequences", given.get("num_subsequences", 1), 1, 64)
    fields: dict[str, Any] = {
        "schema": SCHEMA_VERSION,
        "batch_size": min(_BATCH, shape.num_series * many),
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
