"""Whether windows and parameters fit a forecaster."""

from dpviz.scenario.errors import ScenarioError
from dpviz.training.forecaster import FloatArray, Forecaster


def check_windows(
    forecaster: Forecaster,
    parameters: FloatArray,
    context: FloatArray,
    forecast: FloatArray | None = None,
) -> None:
    """Refuse arrays of other shapes than the forecaster's: NumPy would stretch some of them.

    Raises:
        ScenarioError: with the shape that is needed.
    """
    windows = len(context)
    wanted: list[tuple[str, FloatArray, tuple[int, ...]]] = [
        ("parameters", parameters, (forecaster.num_parameters,)),
        ("context", context, (windows, forecaster.context_length)),
    ]
    if forecast is not None:
        wanted.append(("forecast", forecast, (windows, forecaster.forecast_length)))
    for name, array, shape in wanted:
        if array.shape != shape:
            raise ScenarioError(name, f"shape {array.shape}", f"it must have the shape {shape}")
