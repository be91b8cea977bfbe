"""The commands and the Python that repeat what the page about hidden contexts shows."""

from dpviz.private_inference.plan import HidingPlan

STUDY_COMMAND = "python -m dpviz inference-study --out inference-study"
_PYTHON = """from dpviz.private_inference.example import example, example_parameters
from dpviz.private_inference.noise import epsilon_of, exact_noise
from dpviz.private_inference.plan import HidingPlan

plan = {plan!r}
noise = {noise}
print("epsilon at most", epsilon_of(plan, noise), "with noise", noise)
parameters = example_parameters({model!r}, plan.context_length)
shown = example(
    {model!r}, plan.context_length, parameters, {series}, rate=plan.rate, noise=noise, seed={seed}
)
print("median forecast:", shown.hidden[:, 4].round(2).tolist())
"""
OWN_DATA = """from dpviz.private_inference.hide import forecasts_of_hidden, hidden_contexts
from dpviz.training.quantiles import LEVELS

# contexts: shape (windows, L_C); model and parameters: trained on other data, or privately.
# Without rng the noise comes from the system's entropy.
hidden = hidden_contexts(contexts, rate=plan.rate, noise=noise, nothing_kept=public_value)
forecasts = forecasts_of_hidden(model, parameters, hidden, LEVELS, lowest=0.0)
"""


def example_code(
    plan: HidingPlan, given_noise: float | None, *, model: str, series: int, seed: int
) -> str:
    """Return the program that prints epsilon, the noise and the forecast that are shown.

    Args:
        plan: of the page.
        given_noise: where it is not looked for.
        model: name of the forecaster.
        series: which made-up one, from 0.
        seed: of values kept and noise.
    """
    noise = "exact_noise(plan).noise" if given_noise is None else repr(given_noise)
    return _PYTHON.format(plan=plan, noise=noise, model=model, series=series, seed=seed)
