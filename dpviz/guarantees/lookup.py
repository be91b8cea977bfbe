"""Which theorem covers a scenario."""

from dpviz.guarantees.bound import Guarantee
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level
from dpviz.scenario import Scenario, ScenarioError


def guarantee_for(scenario: Scenario) -> Guarantee:
    """Return the proven bounds on a scenario's training run.

    Raises:
        ScenarioError: no bound in this version covers the scenario; names the field to change.
    """
    _check_covered(scenario)
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.top_level == "deterministic":
        return deterministic_top_level(
            bottom_rate=scenario.bottom_rate, noise_multiplier=sigma, epochs=scenario.num_epochs
        )
    return sampled_top_level(
        bottom_rate=scenario.bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
    )


def _check_covered(scenario: Scenario) -> None:
    sampling, noise = scenario.sampling, scenario.noise
    covered = ("without-replacement", "deterministic")
    if sampling.top_level not in covered:
        raise ScenarioError(
            "top_level", sampling.top_level, "bounds are given for " + " and ".join(covered)
        )
    if sampling.bottom_level != "with-replacement":
        raise ScenarioError(
            "bottom_level", sampling.bottom_level, "bounds are given for with-replacement"
        )
    if sampling.num_subsequences != 1:
        raise ScenarioError(
            "num_subsequences",
            sampling.num_subsequences,
            "Theorems 4.2 and 4.4 hold for 1 window per series",
        )
    for name in ("context_noise", "forecast_noise"):
        value = getattr(noise, name)
        if value > 0:
            raise ScenarioError(
                name, value, "bounds are given without noise on context or labels (0)"
            )
