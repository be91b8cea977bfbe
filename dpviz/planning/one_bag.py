"""One training run twice: all windows in one bag, and series first; and what either may hit."""

from dataclasses import replace

import numpy as np

from dpviz.guarantees.weights import binomial_law, hypergeometric_law
from dpviz.planning.over_steps import after_steps
from dpviz.planning.subsequences import HitCounts
from dpviz.scenario import DataShape, Sampling, Scenario, ScenarioError
from dpviz.scenario.mechanism import AT_RANDOM, FIXED_NUMBER, MOST_SUBSEQUENCES, ONE_BAG


def shape_of(scenario: Scenario) -> DataShape:
    """Return the data's shape.

    Raises:
        ScenarioError: rates are given directly.
    """
    if scenario.shape is None:
        raise ScenarioError(
            "bottom_rate",
            scenario.bottom_rate,
            "rates alone do not determine how many windows one bag has: give the data's shape",
        )
    return scenario.shape


def bag_size(shape: DataShape) -> int:
    """Return N_total = N T, the windows of all series; of several lengths each as the shortest.

    >>> from dpviz.scenario import PRESETS
    >>> bag_size(PRESETS["toy"].scenario.data)
    6400
    """
    return shape.num_series * shape.start_positions


def bag_run(scenario: Scenario, bottom_level: str | None = None) -> Scenario:
    """Return the run of as many steps whose batches are drawn from one bag of all windows.

    Args:
        scenario: the training set-up.
        bottom_level: ``FIXED_NUMBER`` batch sizes, or each window by ``COINS``; without it as the
            scenario's own bag has it, or fixed.

    Raises:
        ScenarioError: rates are given directly.

    >>> from dpviz.scenario import PRESETS
    >>> bag_run(PRESETS["traffic"].scenario).num_steps
    12000
    """
    shape_of(scenario)
    steps, own = after_steps(scenario, scenario.num_steps), scenario.sampling
    level = bottom_level or (own.bottom_level if own.is_bag else FIXED_NUMBER)
    sampling = Sampling(batch_size=own.batch_size, top_level=ONE_BAG, bottom_level=level)
    return replace(steps, sampling=sampling)


def series_first_run(scenario: Scenario) -> Scenario | None:
    """Return the run of as many steps that draws series first, at random in each step.

    Windows are drawn from each as the scenario draws them. In one bag that is not said: then it
    is the smallest number of windows per series for which there are enough series.

    Returns:
        The run; ``None`` where a batch would need more windows of each series than are covered.

    Raises:
        ScenarioError: rates are given directly.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Sampling
    >>> large = Sampling(batch_size=640, top_level="flat")
    >>> bag = replace(PRESETS["toy"].scenario, sampling=large)
    >>> series_first_run(bag).sampling.num_subsequences
    2
    """
    shape, own = shape_of(scenario), scenario.sampling
    if not own.is_bag:
        sampling = replace(own, top_level=AT_RANDOM)
    else:
        windows = -(-own.batch_size // shape.num_series)
        if windows > MOST_SUBSEQUENCES:
            return None
        sampling = Sampling(batch_size=own.batch_size, num_subsequences=windows)
    return replace(after_steps(scenario, scenario.num_steps), sampling=sampling)


def with_one_window(scenario: Scenario) -> Scenario:
    """Return the run with the fewest windows per series that its batches allow, usually one.

    Raises:
        ScenarioError: rates are given directly, or no number of windows is possible.
    """
    run = series_first_run(bag_run(scenario))
    if run is None:
        size = scenario.sampling.batch_size
        raise ScenarioError("batch_size", size, "it needs too many windows of each series")
    return run


def is_one_record(scenario: Scenario) -> bool:
    """Return whether an individual is in a single window: then counting windows counts people."""
    return has_one_length(scenario) and scenario.touched_windows == 1


def has_one_length(scenario: Scenario) -> bool:
    """Return whether all series have the same length, so that the bag's windows are counted."""
    shape = shape_of(scenario)
    return len(shape.series_lengths) == 1 and shape.longer_series_beyond is None


def formula_rate(scenario: Scenario) -> float:
    """Return Lambda (L_C + L_F) / N_total, the structured rate that Fig. 13 is labelled by.

    It is the rate of Thm 4.4 for one window per series and one protected value, as long as a
    series has at least L_C + L_F windows and there are at least Lambda series. Above 1 no such
    sampling exists.
    """
    shape = shape_of(scenario)
    return scenario.sampling.batch_size * shape.window_length / bag_size(shape)


def bag_hits(scenario: Scenario) -> HitCounts:
    """Return the law of how many of one individual's windows a batch from the bag has.

    Hypergeometric where Lambda of N_total windows are drawn, k of which are the individual's (Prop.
    C.2); Binomial(k, Lambda / N_total) where each comes by a coin. Of series of several lengths
    each counts as the shortest.

    Raises:
        ScenarioError: rates are given directly.

    >>> from dpviz.scenario import PRESETS
    >>> law = bag_hits(PRESETS["toy"].scenario)
    >>> [f"{weight:.3g}" for weight in law.weights], round(law.mean, 4)
    (['0.99', '0.00995', '2.42e-05'], 0.01)
    """
    shape, touched = shape_of(scenario), scenario.touched_windows
    assert touched is not None  # a shape determines it
    total, size = bag_size(shape), scenario.sampling.batch_size
    law = (
        binomial_law(touched, size / total)
        if scenario.sampling.takes_windows_by_coins
        else hypergeometric_law(total, touched, size)
    )
    weights = np.zeros(law.first + len(law.weights))
    weights[law.first :] = law.weights
    return HitCounts(
        weights=weights,
        remainder=law.below + law.above,
        mean=size * touched / total,
        in_its_step=False,
    )
