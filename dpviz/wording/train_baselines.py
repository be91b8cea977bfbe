"""What simple forecasts beside a trained model say: errors on the same series, whom they hide."""

from collections.abc import Sequence

from dpviz.training.compared_runs import SmoothedBaseline
from dpviz.training.progress import TrainingResult
from dpviz.wording.forecast_error import error_text
from dpviz.wording.numbers import capitalised, power_of_ten
from dpviz.wording.small_run import epsilon_text

_ETS = "exponential smoothing (ETS), the best form for each series"
UNDER_WAY = (
    "Exponential smoothing (ETS) is being fitted to the same series, to compare with: about ten "
    "seconds of computing."
)
TOO_COSTLY = "Exponential smoothing (ETS) takes too long on these series to compare with it here."


def baselines_table(
    found: SmoothedBaseline, result: TrainingResult, model_crps: float | None
) -> str:
    """Return a model and two simple forecasts beside each other, as a Markdown table.

    Args:
        found: the simple forecasts.
        result: of the run.
        model_crps: the model's error on the same windows.
    """
    model, cost = "this model", "none: nobody is hidden"
    if result.settings.model == "naive":
        cost = "none proven"
    elif result.spent is not None:
        spent = result.spent
        cost = f"at most {epsilon_text(spent.epsilon)} at δ = {power_of_ten(spent.delta)}"
    error = "not known" if model_crps is None else error_text(model_crps)
    rows = [
        f"| Forecast of the last values | CRPS, {_series(found)} | ε |",
        "| --- | --- | --- |",
        f"| {model} | {error} | {cost} |",
        f"| {_ETS} | {error_text(found.crps)} | none proven |",
        f"| seasonal naive: the last season again | {error_text(found.naive_crps)} | none proven |",
    ]
    return "\n".join(rows)


def baselines_note(found: SmoothedBaseline) -> str:
    """Return what the simple forecasts are, and of which series."""
    sample = (
        "" if found.windows == found.of else f" It is fitted to {_series(found)}, to save time."
    )
    return (
        "ETS is fitted to each series alone, with all of its values before the forecast, without "
        f"noise: a yardstick that protects nobody.{sample}"
    )


def compared_baselines(found: SmoothedBaseline, runs: Sequence[tuple[str, float]]) -> str:
    """Return two simple forecasts beside compared runs, in a sentence.

    Args:
        found: the simple forecasts.
        runs: each variant with the mean of its runs' errors on the same windows.
    """
    beside = "".join(f"; {name}: {error_text(error)}" for name, error in runs)
    return (
        f"**CRPS on {_series(found)}, beside simple forecasts.** {capitalised(_ETS)}: "
        f"{error_text(found.crps)}; seasonal naive: {error_text(found.naive_crps)}{beside} (means "
        "over seeds). For the two simple ones no ε is proven: they are made of each series' own "
        "values, without noise."
    )


def _series(found: SmoothedBaseline) -> str:
    if found.windows == found.of:
        return f"all {found.of:,} series" if found.of > 1 else "the one series"
    return f"{found.windows:,} of the {found.of:,} series"
