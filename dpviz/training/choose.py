"""Which forecasters there are, by their names."""

from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import ScenarioError, checked_choice, checked_integer
from dpviz.training.feedforward import FeedForwardForecaster
from dpviz.training.forecaster import Forecaster
from dpviz.training.linear import LinearForecaster
from dpviz.training.seasonal_naive import SeasonalNaive

FORECASTERS = ("naive", "linear", "dlinear", "feedforward")
"""Names as on the command line. ``naive`` has no parameters: it is a baseline."""

MOST_PARAMETERS = 10_000_000
KERNEL = 25
"""Time steps of DLinear's moving average (Appendix B.2.1); less for contexts shorter than that."""


def forecaster(name: str, context_length: int, forecast_length: int, period: int) -> Forecaster:
    """Return a forecaster, untrained.

    Args:
        name: one of ``FORECASTERS``.
        context_length: L_C, at least 1.
        forecast_length: L_F, at least 1.
        period: time steps of a season; 1 where there is none.

    Raises:
        ScenarioError: an argument is out of range, or the model would be too large.

    >>> model = forecaster("linear", context_length=24, forecast_length=6, period=12)
    >>> model.num_parameters
    156
    """
    name = checked_choice("forecaster", name, FORECASTERS)
    context_length = checked_integer("context_length", context_length, 1, LONGEST_WINDOW)
    forecast_length = checked_integer("forecast_length", forecast_length, 1, LONGEST_WINDOW)
    period = checked_integer("period", period, 1, LONGEST_WINDOW)
    made = _made(name, context_length, forecast_length, period)
    if made.num_parameters > MOST_PARAMETERS:
        raise ScenarioError(
            "context_length",
            context_length,
            f"a {name} model of {forecast_length:,} steps would have {made.num_parameters:,} "
            f"parameters, and at most {MOST_PARAMETERS:,} are trained",
        )
    return made


def _made(name: str, context_length: int, forecast_length: int, period: int) -> Forecaster:
    if name == "naive":
        return SeasonalNaive(context_length, forecast_length, period)
    if name == "feedforward":
        return FeedForwardForecaster(context_length, forecast_length, period)
    # The largest odd number of values that fits.
    kernel = min(KERNEL, context_length - 1 + context_length % 2) if name == "dlinear" else 0
    return LinearForecaster(context_length, forecast_length, period, kernel=kernel)
