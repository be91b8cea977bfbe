"""Whether what one step reveals is already too much, told in microseconds from closed forms."""

from math import expm1, floor, log1p

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT
from dpviz.guarantees.with_replacement import WINDOW_NORM
from dpviz.multistage.guarantee import epsilon_before
from dpviz.scenario import Scenario

# Closed forms in doubles, rounded up, are off by far less, relative.
_ROUNDING = 1e-9


def single_unit_exceeds(scenario: Scenario, epsilon: float) -> bool:
    """Return whether a single step (of a walk: epoch) is proven to have a larger epsilon at delta.

    Whatever follows can only add to it. Lower bound for an individual, per unit: the theorems'
    attained pairs (4.2 to 4.4, F.7, E.8, F.8, C.2, Proposition 3) have, against N(0), a mixture
    whose components lie at multiples of a shift, by how many touching windows are drawn. With the
    weight q of i or more of them moved down to i, and all other weight to 0, delta gets smaller;
    what is left is the subsampled Gaussian mechanism, whose delta(epsilon) is q times that of the
    Gaussian at log(1 + (e^epsilon - 1) / q). Exact for one window per series, drawn with
    replacement; otherwise False may stand where a composition would show more, as it does with
    noise on context or labels, for shuffled walks, bins, and one bag of several lengths.
    """
    shift = SUBSTITUTION_SHIFT
    # Under independent drawing the second distribution lies at negative multiples, which is no
    # nearer than N(0).
    if scenario.sampling.takes_series_by_coins or scenario.sampling.takes_windows_by_coins:
        shift = WINDOW_NORM
    noise, most = scenario.noise.noise_multiplier, scenario.delta * (1.0 + _ROUNDING)

    def delta(touching: int, rate: float) -> float:
        before = epsilon_before(rate, epsilon)
        return rate * float(gaussian_delta(before, shift * touching / noise))

    return any(rate > 0.0 and delta(at, rate) > most for at, rate in _least_touched(scenario))


def _least_touched(scenario: Scenario) -> list[tuple[int, float]]:
    """Return counts of touching windows, each with a chance that is proven to draw as many.

    Of the worst-placed individual, in one step or epoch.
    """
    sampling, noise = scenario.sampling, scenario.noise
    if noise.is_on_windows or sampling.is_shuffled or sampling.has_bins:
        return []
    if sampling.is_bag:
        shape = scenario.given_shape
        touched = scenario.relation.touched_windows(shape)
        if not shape.is_of_one_length:
            return []
        if scenario.top_rate == 1.0:
            return [(touched, 1.0)]
        # All k windows are missed more rarely than by k independent draws at this rate.
        return [(1, _at_least_one(touched, scenario.top_rate))]
    drawn = 1.0 if sampling.is_walk else scenario.top_rate
    if sampling.takes_windows_by_coins:
        shape = scenario.given_shape
        trials = scenario.relation.touched_windows(shape)
        rate = sampling.num_subsequences / shape.start_positions
    else:
        trials, rate = sampling.num_subsequences, scenario.bottom_rate
    rate = min(1.0, rate)
    if rate == 1.0:
        return [(trials, drawn)]
    # A median of a binomial law is at least its mean, rounded down (Kaas and Buhrman 1980).
    middle = floor(trials * rate * (1.0 - _ROUNDING))
    counts = [(1, drawn * _at_least_one(trials, rate))]
    return counts if middle <= 1 else [*counts, (middle, 0.5 * drawn)]


def _at_least_one(trials: int, rate: float) -> float:
    return rate if trials == 1 or rate == 1.0 else -expm1(trials * log1p(-rate))
