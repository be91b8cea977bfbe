"""The choices of the page about protected data and forecasts made of them."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.view_part import ViewPart

PROTECTED_DATA = ("generated", "m3", "file")
PROTECTION_METHODS = (
    "top-coding",
    "bottom-coding",
    "normal-noise",
    "laplace-own-range",
    "laplace-known-bounds",
    "nearest-swap",
    "nearest-centroid",
    "nearest-own-centroid",
    "nearest-hull-centroid",
    "radius-swap",
    "radius-centroid",
    "radius-own-centroid",
)
# Each with a model of its own for every series: the others need a whole data set, and minutes.
LIVE_FORECASTERS = ("ses", "des", "tes", "auto-arima", "auto-ets")
LARGEST_VALUE = 1e12
CODED_SHARE_RANGE = (0.001, 0.5)
NOISE_MULTIPLE_RANGE = (0.001, 100.0)
VALUE_EPSILON_RANGE = (1e-3, 1e3)
BOUND_RANGE = (-LARGEST_VALUE, LARGEST_VALUE)
MOST_NEIGHBOURS = 100
LONGEST_SWAP_WINDOW = 1000
SWAP_RADIUS_RANGE = (1e-6, LARGEST_VALUE)
FORECAST_COUNTS = (2, 40)
LARGEST_PROTECTION_SEED = 10**9


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
    """How series are protected, and what forecasts are made of them.

    Args:
        protected_data: made-up series, those of the M3 competition, or those of a file.
        protection_method: how they are protected.
        coded_share: of top and bottom coding: the share of values that are cut off.
        noise_multiple: of normal noise: its standard deviation in those of a series.
        value_epsilon: of Laplace noise: what the range or the bounds are divided by.
        value_low: of Laplace noise by known bounds: the lower one.
        value_high: likewise, the upper one.
        neighbours: of swapping among the nearest: k.
        swap_window: of swapping: the values by which series are compared.
        swap_radius: of swapping within a radius: that radius, in the data's unit.
        live_forecasters: names, with commas between them.
        forecast_count: how many series are forecast.
        forecast_series: which of them is drawn, from 1; beyond the last one, the last.
        protection_seed: of all that is drawn to protect.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "protected_data": PROTECTED_DATA,
        "protection_method": PROTECTION_METHODS,
    }
    INTEGERS: ClassVar = {
        "neighbours": (1, MOST_NEIGHBOURS),
        "swap_window": (1, LONGEST_SWAP_WINDOW),
        "forecast_count": FORECAST_COUNTS,
        "forecast_series": (1, FORECAST_COUNTS[1]),
        "protection_seed": (0, LARGEST_PROTECTION_SEED),
    }
    RANGES: ClassVar = {
        "coded_share": CODED_SHARE_RANGE,
        "noise_multiple": NOISE_MULTIPLE_RANGE,
        "value_epsilon": VALUE_EPSILON_RANGE,
        "value_low": BOUND_RANGE,
        "value_high": BOUND_RANGE,
        "swap_radius": SWAP_RADIUS_RANGE,
    }
    TEXTS: ClassVar = {"live_forecasters": checked_forecasters}

    protected_data: str = "generated"
    protection_method: str = "top-coding"
    coded_share: float = 0.1
    noise_multiple: float = 1.0
    value_epsilon: float = 10.0
    value_low: float = 0.0
    value_high: float = 20_000.0
    neighbours: int = 3
    swap_window: int = 12
    swap_radius: float = 1000.0
    live_forecasters: str = "ses,des,tes"
    forecast_count: int = 8
    forecast_series: int = 1
    protection_seed: int = 1
