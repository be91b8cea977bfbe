"""Titles and descriptions of the charts of a small training run."""

from collections.abc import Sequence

from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.split import EvaluationWindows
from dpviz.wording.numbers import counted, power_of_ten, rounded, rounded_up


def curve_title(curve: Sequence[Progress]) -> str:
    """Return what error and spending over training show, as a finding."""
    last = curve[-1]
    if last.validation_crps is None:
        return f"After {counted(last.step, 'training step')}"
    steps = counted(last.step, "training step")
    said = f"Held-out CRPS {rounded(last.validation_crps, 3)} after {steps}"
    if not last.is_private:
        return f"{said}, without privacy"
    if last.spent is None:
        return f"{said}, nothing spent yet"
    if last.spent.epsilon is None:
        return f"{said}, for no finite ε"
    delta = power_of_ten(last.spent.delta)
    return f"{said}, for ε ≤ {rounded_up(last.spent.epsilon)} at δ = {delta}"


def curve_description(curve: Sequence[Progress]) -> str:
    """Return the chart for those who cannot see it."""
    first = curve[0]
    began = ""
    if first.validation_crps is not None:
        began = f" It began at {rounded(first.validation_crps, 3)}, before the first step."
    privacy = (
        " Below it the upper bound on epsilon, which grows with each step."
        if first.is_private
        else " There is no epsilon, as nothing is protected."
    )
    return (
        f"{curve_title(curve)}. Against the training steps: the CRPS of held-out windows, lower is "
        f"better.{began}{privacy}"
    )


def forecast_title(windows: EvaluationWindows, name: str, result: TrainingResult | None) -> str:
    """Return what the drawing of one series shows.

    Args:
        windows: of the test.
        name: the series'.
        result: of the run; ``None`` before there is one.
    """
    steps = counted(windows.truth.shape[1], "value")
    if result is None:
        return f"To be forecast: the last {steps} of {name}"
    privacy = "" if result.settings.is_private else ", without privacy"
    return f"Forecast and truth: the last {steps} of {name}{privacy}"


def forecast_description(title: str, *, has_forecast: bool) -> str:
    """Return the drawing for those who cannot see it."""
    bands = (
        " Around the median, bands that are to hold the truth in 40 and 80 of 100 cases, and dots "
        "for what came."
        if has_forecast
        else " The context that a model reads, and dots for what then came."
    )
    return f"{title}.{bands}"
