"""What noise cost in the study's runs, for a training that is like them."""

from dataclasses import dataclass
from functools import cache

from dpviz.scenario import Scenario
from dpviz.training_study.questions import (
    BATCH_SIZE,
    CONTEXT_LENGTH,
    FORECAST_LENGTH,
    STEPS,
    WITHOUT_PRIVACY,
)
from dpviz.training_study.results import Row, shipped_results

# A training is like the study's where windows and steps are within this factor of theirs.
_FACTOR = 2.0
# Runs count whose noise per gradient is within this factor: the study's lie 1.2 to 1.9 apart.
_NOISE_FACTOR = 1.5


@dataclass(frozen=True, kw_only=True)
class StudiedCost:
    """By how much noise raised the error of forecasts, against the same run without privacy.

    Args:
        low: smallest share of all runs, such as 0.05; may be below 0.
        high: largest.
        runs: how many private runs that is of.
        noise: smallest and largest sigma / Lambda among them.
        data: on how many sets of series.
    """

    low: float
    high: float
    runs: int
    noise: tuple[float, float]
    data: int


def is_like_the_study(scenario: Scenario) -> bool:
    """Return whether windows, steps and noise are of the kind that the study has trained.

    >>> from dpviz.scenario import PRESETS
    >>> is_like_the_study(PRESETS["traffic"].scenario)
    False
    """
    shape, noise = scenario.shape, scenario.noise
    return (
        shape is not None
        and noise.context_noise == noise.forecast_noise == 0.0
        and _is_near(shape.context_length, CONTEXT_LENGTH)
        and _is_near(shape.forecast_length, FORECAST_LENGTH)
        and _is_near(scenario.num_steps, STEPS)
    )


def studied_cost(scenario: Scenario) -> StudiedCost | None:
    """Return what about as much noise cost in the study; ``None`` where no run of it is like this.

    Runs are compared by the noise on the averaged gradient, sigma / Lambda.
    """
    if not is_like_the_study(scenario):
        return None
    noise = scenario.noise.noise_multiplier / scenario.sampling.batch_size
    lowest, highest = noise / _NOISE_FACTOR, noise * _NOISE_FACTOR
    near = [one for one in _costs() if lowest <= one[0] <= highest]
    if not near:
        return None
    shares = [share for _, share, _ in near]
    return StudiedCost(
        low=min(shares),
        high=max(shares),
        runs=len(near),
        noise=(min(near)[0], max(near)[0]),
        data=len({data for *_, data in near}),
    )


def _is_near(number: float, usual: float) -> bool:
    return usual / _FACTOR <= number <= usual * _FACTOR


@cache
def _costs() -> tuple[tuple[float, float, str], ...]:
    """Return sigma / Lambda, by what share CRPS is larger, and the data, of each private run."""
    rows = [row for row in shipped_results().rows if row.question == "budget"]
    without = {_pair(row): row.crps for row in rows if row.value == WITHOUT_PRIVACY}
    return tuple(
        (row.noise_multiplier / BATCH_SIZE, row.crps / without[_pair(row)] - 1.0, row.data)
        for row in rows
        if row.noise_multiplier is not None and _pair(row) in without
    )


def _pair(row: Row) -> tuple[str, str, int]:
    return row.data, row.model, row.seed
