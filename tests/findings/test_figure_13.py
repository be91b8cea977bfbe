"""All windows in one bag, or series first? What an individual loses at least, and at most.

One step, sigma = 1, the same data and batch size both ways: one bag (Prop. C.2, a lower bound),
and one window from each of the drawn series (Thm 4.4, rate Lambda (L_C + L_F) / N_total). Settings
whose rate would exceed 1 do not exist: a series has T windows, and a batch takes it once.
"""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.planning.paper_figures.families import series_first
from dpviz.scenario import ScenarioError
from tests.findings.settings import certainly_above, certainly_below
from tests.scenario.changes import varied

NUM_WINDOWS = (10**4, 10**6)
# The bag's lower bound lies below up to the first epsilon, and above from the second one on.
CROSSINGS = {
    (0.1, 2): (0.76, 0.83),
    (0.1, 4): (1.2, 1.3),
    (0.1, 8): (1.75, 1.9),
    (0.001, 4): (0.015, 0.033),
    (0.001, 8): (0.035, 0.059),
    (0.001, 16): (0.085, 0.11),
    (0.001, 32): (0.18, 0.2),
}
CASES = [(total, *case) for total in NUM_WINDOWS for case in CROSSINGS]
LARGER = np.geomspace(0.01, 20.0, 201)


def curves(num_windows, ratio, window_length):
    """Return the upper bound of series first and the lower bound of one bag."""
    structured = series_first(num_windows, ratio, window_length)
    bag = varied(structured, top_level="flat")
    first, second = guarantee_for(structured).upper, guarantee_for(bag).lower
    assert (first.theorem, second.theorem) == ("4.4", "C.2")
    assert first.pair.rate == pytest.approx(ratio * window_length)
    assert first.count == second.count == 1
    assert first.pair.noise_multiplier == second.pair.noise_multiplier == 1.0
    assert structured.data.num_series * structured.data.start_positions == num_windows
    assert structured.sampling.batch_size == bag.sampling.batch_size == ratio * num_windows
    return composed_curve(first), composed_curve(second)


@pytest.mark.parametrize(("num_windows", "ratio", "window_length"), CASES)
def test_the_bag_is_less_private_at_larger_epsilons_only(num_windows, ratio, window_length):
    """Its lower bound above the other's upper bound: strict. The order flips once."""
    structured, bag = curves(num_windows, ratio, window_length)
    below_at, above_from = CROSSINGS[ratio, window_length]
    assert np.all(certainly_below(structured, bag, LARGER[above_from <= LARGER]))
    smaller = np.linspace(0.5, 1.0, 50) * below_at
    # For the smallest rates the two differ by less than a bracket here and there.
    assert np.any(certainly_above(structured, bag, smaller))
    assert not np.any(certainly_below(structured, bag, smaller))


@pytest.mark.parametrize("num_windows", NUM_WINDOWS)
def test_two_windows_at_the_smallest_rate(num_windows):
    """The bag is less private from 0.021 on; what is below the brackets do not tell."""
    structured, bag = curves(num_windows, 0.001, 2)
    assert np.all(certainly_below(structured, bag, LARGER[LARGER >= 0.021]))


@pytest.mark.parametrize("num_windows", NUM_WINDOWS)
@pytest.mark.parametrize("ratio", [0.1, 0.001])
def test_windows_of_length_one_are_the_same_in_a_bag(num_windows, ratio):
    """An individual is in one record then: C.2 is 4.4."""
    structured, bag = curves(num_windows, ratio, 1)
    first, second = structured.delta_at(LARGER), bag.delta_at(LARGER)
    assert np.all(first.low <= second.high)
    assert np.all(second.low <= first.high)


@pytest.mark.parametrize("window_length", [16, 32])
def test_rates_above_one_do_not_exist(window_length):
    """A tenth of all windows, of lengths 16 and 32: as T <= 10, all windows of a series are hit."""
    structured = series_first(10**4, 0.1, window_length)
    assert structured.bottom_rate * structured.top_rate == 1.0
    longer = replace(structured.data, num_series=100, series_lengths=(100,))
    with pytest.raises(ScenarioError, match="batch_size"):
        replace(structured, data=longer)
