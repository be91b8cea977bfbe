"""How series are protected before anybody sees them, and what forecasts are made of them."""

from dataclasses import dataclass
from typing import Any

from dpviz.scenario.errors import ScenarioError
from dpviz.settings.grids import round_counts
from dpviz.settings.setting import ViewPart, choice, number, seed, slider, text

PROTECTION_METHODS = {
    "top-coding": "top coding",
    "bottom-coding": "bottom coding",
    "normal-noise": "normal noise",
    "laplace-own-range": "Laplace noise by each series' own range (as in the authors' experiments)",
    "laplace-known-bounds": "Laplace noise by known bounds (DP of one value)",
    "nearest-swap": "swap with one of the k nearest series (k-nTS)",
    "nearest-centroid": "mean of the k nearest series",
    "nearest-own-centroid": "mean of the k nearest series and the series itself",
    "nearest-hull-centroid": "mean of the corners of the k nearest series' hull",
    "radius-swap": "swap with a series within a radius (delta-nTS)",
    "radius-centroid": "mean of the series within a radius",
    "radius-own-centroid": "mean of the series within a radius and the series itself",
}
# Each with a model of its own for every series: the others need a whole data set, and minutes.
LIVE_FORECASTERS = ("ses", "des", "tes", "auto-arima", "auto-ets")
LARGEST_VALUE = 1e12
_BOUND_RANGE = (-LARGEST_VALUE, LARGEST_VALUE)
FORECAST_COUNTS = (2, 40)


def checked_forecasters(field: str, value: Any) -> str:
    """Return names of forecasters, each once and in the usual order, with commas between them.

    Raises:
        ScenarioError: a name is none of a forecaster, or there is none at all.

    >>> checked_forecasters("live_forecasters", "tes,ses,tes")
    'ses,tes'
    """
    names = value.split(",") if isinstance(value, str) else []
    if not names or not set(names) <= set(LIVE_FORECASTERS):
        raise ScenarioError(
            field, value, "it must be one or more of " + ", ".join(LIVE_FORECASTERS)
        )
    return ",".join(name for name in LIVE_FORECASTERS if name in names)


@dataclass(frozen=True, kw_only=True)
class ProtectedForecastsView(ViewPart):
    """The data, their protection with its strengths, and the forecasters."""

    protected_data: str = choice(
        "generated",
        {"generated": "Made-up series", "m3": "M3, monthly micro", "file": "A file"},
        "Data to protect",
        help="A file stays in this session; no link holds it.",
    )
    protection_method: str = choice(
        "top-coding",
        PROTECTION_METHODS,
        "Protection",
        help="Only Laplace noise by known bounds is differential privacy, of one value.",
    )
    coded_share: float = number(
        0.1,
        (0.001, 0.5),
        "Share of values cut off p",
        **slider((0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5), "as it is", "cut off"),
        help="This share of each series' values, the highest or the lowest, becomes the "
        "value at the cut.",
    )
    noise_multiple: float = number(
        1.0,
        (0.001, 100.0),
        "Noise, in standard deviations of a series",
        **slider((0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0), "as it is", "noise"),
        help="The noise depends on the data, and is no privacy guarantee.",
    )
    value_epsilon: float = number(
        10.0,
        (1e-3, 1e3),
        "Epsilon of one value",
        **slider((0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), "more noise", "less"),
        help="Scale of the Laplace noise: range divided by this. With known bounds it is an "
        "upper bound on one value's ε at δ = 0; a whole series has that times its length.",
    )
    value_low: float = number(
        0.0,
        _BOUND_RANGE,
        "Lowest value, known beforehand",
        **slider((0.0, 10.0, 100.0, 1000.0), "low", "high"),
        help="Lower values become this one. It must be public, not read off the data.",
    )
    value_high: float = number(
        20_000.0,
        _BOUND_RANGE,
        "Highest value, known beforehand",
        grid=(100.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0),
        ends=("low", "high"),
        help="Higher values become this one. It must be public, not read off the data.",
    )
    neighbours: int = number(
        3,
        (1, 100),
        "Nearest series k",
        **slider((1, 2, 3, 5, 7, 10, 15, 17), "like it", "mixed"),
        help="The k most similar series of its length: one of them, or their mean, replaces a "
        "value.",
    )
    swap_window: int = number(
        12,
        (1, 1000),
        "Values compared n",
        **slider((1, 2, 3, 6, 12, 24, 36), "this value", "long past"),
        help="Series are compared by so many values, up to the one that is replaced.",
    )
    swap_radius: float = number(
        1000.0,
        (1e-6, LARGEST_VALUE),
        "Radius, in the data's unit",
        grid=(100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0),
        ends=("few near", "many"),
        help="A value is replaced by that of a series within this Euclidean distance; without "
        "such a series it is released as it is.",
    )
    live_forecasters: str = text(
        "ses,des,tes",
        checked_forecasters,
        "Forecasters",
        help="Each forecasts the next value, from original and from protected values.",
    )
    forecast_count: int = number(
        8,
        FORECAST_COUNTS,
        "Series forecast here",
        **slider(round_counts(*FORECAST_COUNTS), "quick", "more to see"),
        help="All series are protected; the first ones are forecast.",
    )
    forecast_series: int = number(
        1,
        (1, FORECAST_COUNTS[1]),
        "Draw series number",
        **slider(range(1, FORECAST_COUNTS[1] + 1), "first", "last"),
        help="Which of the forecast series is drawn, from 1.",
    )
    protection_seed: int = seed(
        "Seed of the protection", "The same seed draws the same noise and swaps, on any computer."
    )
