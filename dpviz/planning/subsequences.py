"""One batch size, made of few series with many windows each, or of many series with few."""

from contextlib import suppress
from dataclasses import replace

from dpviz.planning.over_steps import counted_in
from dpviz.scenario import Rates, Scenario, ScenarioError, Training
from dpviz.scenario.data import RATE_ROUNDING, SMALLEST_RATE, most_steps_of_a_pass
from dpviz.scenario.errors import checked_integer
from dpviz.scenario.mechanism import MOST_SUBSEQUENCES, ONE_BAG

# Each has half as many series in a batch as the one before; the last makes one series of Schuchardt
# et al.'s batches of 32.
COMPARED_SUBSEQUENCES = (1, 2, 4, 8, 16, 32)


def check_not_one_bag(scenario: Scenario) -> None:
    """Refuse a scenario that draws no windows of a series."""
    if scenario.sampling.is_bag:
        raise ScenarioError("top_level", ONE_BAG, "in one bag there are no windows per series")


def with_subsequences(scenario: Scenario, windows: int) -> Scenario:
    """Return the run of as many steps with the same batch size, of this many windows per series.

    A batch then has N' = floor(Lambda / lambda) series. A pass over all series takes about lambda
    times as many steps, so a run given in epochs becomes one of equally many *steps*, that is of
    other epochs. Rates given directly: rho changes as N' does, or without a data shape as 1 /
    lambda does.

    Raises:
        ScenarioError: a batch has not room for so many windows of one series, there are not enough
            series for so few, or all windows lie in one bag.
    """
    check_not_one_bag(scenario)
    sampling = scenario.sampling
    windows = checked_integer("num_subsequences", windows, 1, MOST_SUBSEQUENCES)
    if windows == sampling.num_subsequences:
        return scenario
    size, data = sampling.batch_size, scenario.data
    if isinstance(data, Rates) and data.last_shape is None:
        size = max(size, windows)  # it says nothing beside such rates
    if windows > size:
        raise ScenarioError("num_subsequences", windows, f"it must be at most batch_size ({size})")
    series = size // windows
    if isinstance(data, Rates):
        data = _rates(scenario, data, windows, series)
    elif series > data.num_series or windows * data.num_series < size:
        least = -(-size // data.num_series)
        raise ScenarioError(
            "num_subsequences",
            windows,
            f"it must be at least {least}: a batch of {size:,} windows has to be drawn from "
            f"{data.num_series:,} series",
        )
    return replace(
        scenario,
        data=data,
        sampling=replace(sampling, batch_size=size, num_subsequences=windows),
        training=Training(unit="steps", count=scenario.num_steps),
    )


def of_equal_work(scenario: Scenario, windows: int) -> Scenario:
    """Return the run of :func:`with_subsequences` that a visitor goes on with.

    Training that is counted in epochs stays so where the steps are a whole number of the new ones.
    """
    return counted_in(with_subsequences(scenario, windows), scenario.training.unit)


def possible_subsequences(scenario: Scenario) -> tuple[int, ...]:
    """Return the compared numbers of windows that the batch size allows, and the scenario's own."""
    possible = []
    for windows in sorted({*COMPARED_SUBSEQUENCES, scenario.sampling.num_subsequences}):
        with suppress(ScenarioError):
            with_subsequences(scenario, windows)
            possible.append(windows)
    return tuple(possible)


def _rates(scenario: Scenario, rates: Rates, windows: int, series: int) -> Rates:
    """Return the rates of the same batch size with another number of windows per series."""
    sampling = scenario.sampling
    ratio = sampling.num_subsequences / windows
    if rates.last_shape is not None:
        ratio = series / sampling.series_per_batch
    top_rate = rates.top_rate * ratio
    if not SMALLEST_RATE <= top_rate <= 1.0 + RATE_ROUNDING:
        raise ScenarioError(
            "num_subsequences",
            windows,
            f"top_rate would have to be {top_rate:.6g} for the same batch size, and it must be "
            f"from {SMALLEST_RATE:g} to 1",
        )
    top_rate = min(top_rate, 1.0)
    steps = _steps_per_epoch(rates, sampling.batch_size, sampling.num_subsequences, windows)
    return replace(
        rates,
        top_rate=top_rate,
        # As many as the rate allows before: as many as it allows now.
        steps_per_epoch=most_steps_of_a_pass(top_rate) if steps is None else steps,
    )


def _steps_per_epoch(rates: Rates, batch_size: int, before: int, windows: int) -> int | None:
    """Return floor(N lambda / Lambda), as far as it is known; ``None`` for the most allowed."""
    shape = rates.last_shape
    if shape is not None and rates.steps_per_epoch == shape.num_series * before // batch_size:
        return shape.num_series * windows // batch_size
    if rates.steps_per_epoch >= most_steps_of_a_pass(rates.top_rate):
        return None
    return max(1, rates.steps_per_epoch * windows // before)
