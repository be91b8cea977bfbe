"""What a plan's noise is likely to cost in accuracy, never without how sure that is."""

from dpviz.scenario import Scenario
from dpviz.training_study.likeness import studied_cost
from dpviz.training_study.questions import CONTEXT_LENGTH, FORECAST_LENGTH, STEPS
from dpviz.wording.numbers import rounded

_NOT_ALIKE = (
    "The [study](training_study) has no run like it (windows of "
    f"{CONTEXT_LENGTH} + {FORECAST_LENGTH} values, {STEPS} steps, no noise on windows)"
)


def percent(share: float) -> str:
    """Return a share of an error as a signed percentage.

    >>> percent(0.0512), percent(-0.004), percent(0.0)
    ('+5.1 %', '-0.4 %', '+0 %')
    """
    return f"{'-' if share < 0.0 else '+'}{rounded(100.0 * abs(share), 2)} %"


def accuracy_sentence(scenario: Scenario) -> str:
    """Return what the noise is likely to cost in accuracy, as Markdown."""
    found = studied_cost(scenario)
    if found is None:
        return (
            f"**What this noise costs in accuracy depends on the data.** {_NOT_ALIKE}: try "
            "three noise levels."
        )
    low, high = (rounded(one) for one in found.noise)
    levels = low if low == high else f"{low} to {high}"
    series = "one set" if found.data == 1 else f"{found.data} sets"
    return (
        f"**This noise is likely to cost {percent(found.low)} to {percent(found.high)} of CRPS** "
        f"against no privacy: the range of {found.runs} runs of the [study](training_study) with "
        f"σ / Λ = {levels}, two models on {series} of monthly series. Yours are others."
    )
