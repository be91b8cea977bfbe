"""One training run twice: all windows in one bag, and series first; and what either may hit."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.guarantees.weights import hypergeometric_law
from dpviz.planning.over_steps import after_steps
from dpviz.planning.subsequences import HitCounts
from dpviz.planning.top_levels import DRAWN
from dpviz.scenario import DataShape, Sampling, Scenario, ScenarioError
from dpviz.scenario.mechanism import MOST_SUBSEQUENCES

BAG = "flat"
# Windows of these lengths are compared; Schuchardt et al., Fig. 13, has those up to 32.
_LENGTHS = tuple(2**power for power in range(11))
_LENGTHS_OF_THE_FIGURE = 32


def shape_of(scenario: Scenario) -> DataShape:
    """Return the data's shape.

    Raises:
        ScenarioError: rates are given directly.
    """
    if scenario.shape is None:
        raise ScenarioError(
            "top_level",
            BAG,
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


def bag_run(scenario: Scenario) -> Scenario:
    """Return the run of as many steps whose batches are drawn from one bag of all windows.

    Raises:
        ScenarioError: rates are given directly.

    >>> from dpviz.scenario import PRESETS
    >>> bag_run(PRESETS["traffic"].scenario).num_steps
    12000
    """
    shape_of(scenario)
    steps = after_steps(scenario, scenario.num_steps)
    sampling = Sampling(batch_size=scenario.sampling.batch_size, top_level=BAG)
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
    if own.top_level != BAG:
        sampling = replace(own, top_level=DRAWN)
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


def compared_lengths(scenario: Scenario) -> tuple[int, ...]:
    """Return the window lengths to compare, increasing: powers of two and the scenario's own.

    Up to 32 as in Fig. 13, and further until an individual is in every window of its series.

    Raises:
        ScenarioError: rates are given directly.

    >>> from dpviz.scenario import PRESETS
    >>> compared_lengths(PRESETS["toy"].scenario)
    (1, 2, 4, 8, 16, 32)
    """
    shape = shape_of(scenario)
    last = max(_LENGTHS_OF_THE_FIGURE, 2 * shape.start_positions)
    return tuple(sorted({shape.window_length, *(n for n in _LENGTHS if n <= last)}))


def with_window_length(
    scenario: Scenario, length: int, forecast_length: int | None = None
) -> Scenario:
    """Return the scenario with longer or shorter windows, and as many series and windows.

    The forecast keeps its length L_F as long as the window has room for it; the context takes the
    rest. The series become longer or shorter with L_F, so that T = L - L_F + 1 stays.

    Args:
        scenario: the training set-up.
        length: L_C + L_F.
        forecast_length: L_F, where it is to be another one; at most the window's length.

    Raises:
        ScenarioError: the length is not allowed, or rates are given directly.

    >>> from dpviz.scenario import PRESETS
    >>> data = with_window_length(PRESETS["traffic"].scenario, 16).data
    >>> data.context_length, data.forecast_length, data.series_lengths, data.start_positions
    (0, 16, (17536,), 17521)
    """
    shape = shape_of(scenario)
    forecast = forecast_length or min(shape.forecast_length, length)
    longer = forecast - shape.forecast_length
    data = replace(
        shape,
        series_lengths=tuple(each + longer for each in shape.series_lengths),
        context_length=length - forecast,
        forecast_length=forecast,
    )
    return replace(scenario, data=data)


@dataclass(frozen=True, kw_only=True)
class NewBatch:
    """A scenario with another bag or batch.

    Args:
        scenario: the training set-up.
        left_scheme: whether its scheme cannot draw such batches, so that they now come from one
            bag.
    """

    scenario: Scenario
    left_scheme: bool


def with_bag(scenario: Scenario, num_series: int, share: float) -> NewBatch:
    """Return the scenario with so many series, and batches of this part of all windows.

    A scheme that draws series first may have too few of them for the batch, or a batch no room
    for its windows per series: then the windows come from one bag, for as many steps as before.

    Args:
        scenario: the training set-up.
        num_series: N.
        share: Lambda / N_total, rounded to a whole number of windows, at least 1.

    Raises:
        ScenarioError: a number is not allowed, or rates are given directly.
    """
    data = replace(shape_of(scenario), num_series=num_series)
    total = bag_size(data)
    size = min(total, max(1, round(share * total)))
    own = scenario.sampling
    keeps = own.top_level == BAG or (
        own.num_subsequences <= size <= own.num_subsequences * num_series
    )
    if keeps:
        sampling = replace(own, batch_size=size)
        return NewBatch(scenario=replace(scenario, data=data, sampling=sampling), left_scheme=False)
    sampling = Sampling(batch_size=size, top_level=BAG)
    steps = after_steps(scenario, scenario.num_steps)
    return NewBatch(scenario=replace(steps, data=data, sampling=sampling), left_scheme=True)


def bag_hits(scenario: Scenario) -> HitCounts:
    """Return the law of how many of one individual's windows a batch from the bag has.

    Hypergeometric: Lambda of N_total windows are drawn without replacement, k of which are the
    individual's (Prop. C.2). Of series of several lengths each counts as the shortest.

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
    law = hypergeometric_law(total, touched, size)
    weights = np.zeros(law.first + len(law.weights))
    weights[law.first :] = law.weights
    return HitCounts(
        weights=weights,
        remainder=law.below + law.above,
        mean=size * touched / total,
        in_its_step=False,
    )
