"""One training run with other bags, batches and windows: all in one bag, or series first."""

from dataclasses import replace

from dpviz.planning.over_steps import after_steps
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import AT_RANDOM, FIXED_NUMBER, MOST_SUBSEQUENCES, ONE_BAG

# Windows of these lengths are compared; Schuchardt et al., Fig. 13, has those up to 32.
_LENGTHS = tuple(2**power for power in range(11))
_LENGTHS_OF_THE_FIGURE = 32


def shape_of(scenario: Scenario) -> DataShape:
    """Return the data's shape, or raise ``ScenarioError`` for rates."""
    if scenario.shape is None:
        raise ScenarioError(
            "bottom_rate",
            scenario.bottom_rate,
            "rates alone do not tell how many windows one bag has; give the data's shape",
        )
    return scenario.shape


def bag_size(shape: DataShape) -> int:
    """Return N_total = N T, the windows of all series; of several lengths each as the shortest."""
    return shape.num_series * shape.start_positions


def bag_run(scenario: Scenario, bottom_level: str | None = None) -> Scenario:
    """Return the run of as many steps whose batches are drawn from one bag of all windows.

    Without a bottom level, ``FIXED_NUMBER`` or ``COINS``, as the scenario's own bag has it.
    """
    shape_of(scenario)
    steps, own = after_steps(scenario, scenario.num_steps), scenario.sampling
    level = bottom_level or (own.bottom_level if own.is_bag else FIXED_NUMBER)
    sampling = Sampling(batch_size=own.batch_size, top_level=ONE_BAG, bottom_level=level)
    return replace(steps, sampling=sampling)


def series_first_run(scenario: Scenario) -> Scenario | None:
    """Return the run of as many steps that draws series first, at random in each step.

    Of one bag it has the smallest number of windows per series for which there are enough series.
    ``None`` where a batch would need more windows of each series than are covered.
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
    return has_one_length(scenario) and scenario.windows_of_a_person == 1


def has_one_length(scenario: Scenario) -> bool:
    """Return whether all series have the same length, so that the bag's windows are counted."""
    return shape_of(scenario).is_of_one_length


def formula_rate(scenario: Scenario) -> float:
    """Return Lambda (L_C + L_F) / N_total, the structured rate that Fig. 13 is labelled by.

    It is the rate of Thm 4.4 for one window per series and one protected value, as long as a series
    has at least L_C + L_F windows and there are at least Lambda series. Above 1 no such sampling
    exists.
    """
    shape = shape_of(scenario)
    return scenario.sampling.batch_size * shape.window_length / bag_size(shape)


def compared_lengths(scenario: Scenario) -> tuple[int, ...]:
    """Return the window lengths to compare, increasing: powers of two and the scenario's own.

    Up to 32 as in Fig. 13, and further until an individual is in every window of its series, or as
    far as longer series that were left out are of no matter.
    """
    own = shape_of(scenario)
    last = max(_LENGTHS_OF_THE_FIGURE, 2 * own.start_positions)
    lengths = {own.window_length}
    for length in (one for one in _LENGTHS if one <= last):
        shape = with_window_length(scenario, length).given_shape
        beyond = shape.longer_series_beyond
        touched = scenario.relation.touched_windows(shape, LARGEST_COUNT)
        if beyond is None or touched <= beyond:
            lengths.add(length)
    return tuple(sorted(lengths))


def with_window_length(
    scenario: Scenario, length: int, forecast_length: int | None = None
) -> Scenario:
    """Return the scenario with windows of another length L_C + L_F, and as many series and windows.

    The forecast keeps its length L_F (or has the given one) as long as the window has room for it;
    the context takes the rest. The series become longer or shorter with L_F, so that T = L - L_F +
    1 stays. Raises ``ScenarioError`` for a length that is not allowed, or rates given directly.
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


def promise_run(bag: Scenario) -> Scenario:
    """Return a bag as a standard accountant counts it: each window is one person's record."""
    records = with_window_length(bag, 1)
    noise = Noise(noise_multiplier=bag.noise.noise_multiplier)
    return replace(records, relation=Relation(), noise=noise)


def with_bag(scenario: Scenario, num_series: int, share: float) -> Scenario:
    """Return the scenario with so many series, and batches of this share, Lambda / N_total.

    A scheme that draws series first may have too few of them for the batch, or a batch no room for
    its windows per series: then the windows come from one bag, for as many steps as before. Raises
    ``ScenarioError`` for a number that is not allowed, or rates given directly.
    """
    data = replace(shape_of(scenario), num_series=num_series)
    total = bag_size(data)
    size = min(total, max(1, round(share * total)))
    own = scenario.sampling
    keeps = own.is_bag or (own.num_subsequences <= size <= own.num_subsequences * num_series)
    if keeps:
        sampling = replace(own, batch_size=size)
        return replace(scenario, data=data, sampling=sampling)
    sampling = Sampling(batch_size=size, top_level=ONE_BAG)
    return replace(after_steps(scenario, scenario.num_steps), data=data, sampling=sampling)
