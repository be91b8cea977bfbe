"""The series that ``train`` reads or makes up, and what is held out of them."""

from dataclasses import dataclass

from dpviz.command_line.command import UsageError, shown, shown_path
from dpviz.command_line.files import whole_bytes
from dpviz.scenario import ScenarioError
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import checked_integer
from dpviz.series_file.errors import SeriesFileError
from dpviz.training.panel import Panel
from dpviz.training.panel_source import (
    LONGEST_GENERATED,
    MOST_GENERATED,
    NOT_ACCOUNTED,
    generated_panel,
    panel_from_file,
)

SYNTHETIC = "synthetic"
_SERIES, _VALUES, _PERIOD = 200, 132, 12
LARGEST_FILE = 200_000_000


@dataclass(frozen=True, kw_only=True)
class Data:
    """Series and window lengths.

    Args:
        panel: all values of the series, held-out ones included.
        context_length: L_C.
        forecast_length: L_F.
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

    Raises:
        UsageError: the file cannot be read.
        ScenarioError: a value is not allowed.
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
    if read is None:
        panel = _made_up(num_series, series_length, season, kept)
    else:
        panel = read
        _check_that_file_has(panel, num_series, series_length, kept)
    return Data(
        panel=panel,
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
    except SeriesFileError as problem:
        raise UsageError(f"--data {shown_path(path)}: {problem}".rstrip(".")) from None
    except ScenarioError as problem:
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
