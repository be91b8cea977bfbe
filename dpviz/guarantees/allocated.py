"""Series that are each in one batch of an epoch, at random: dpviz's Propositions 8, 24 and 25."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit, in_one_direction
from dpviz.guarantees.pairs import AllocatedPair
from dpviz.guarantees.with_replacement import coins_top_level, deterministic_top_level
from dpviz.scenario import Rates, Scenario, Training
from dpviz.scenario.mechanism import (
    AT_RANDOM,
    LARGEST_BATCH,
    NOISE_MULTIPLIER_RANGE,
    SHUFFLED,
)

# More take seconds, and tell little: an epoch then promises next to nothing.
_MOST_BATCHES = 10_000
MANY_BATCHES = f"more than {_MOST_BATCHES:,} batches an epoch count as so many"


@dataclass(frozen=True, kw_only=True)
class OneBatchAnEpoch:
    """What is proven where each series is in one batch of every epoch, nobody knows which.

    Args:
        bins: of series that pick their batches independently.
        shuffled: what is attained on shuffled series; ``None`` where no epoch is whole.
    """

    bins: Guarantee
    shuffled: Bound | None


def one_batch_an_epoch(scenario: Scenario) -> OneBatchAnEpoch | None:
    """Return the bounds for a scenario's epochs and windows, however it chooses series.

    ``None`` but for one window per series, drawn with replacement, a person in one series, windows
    without noise, and 2 to 10,000 steps an epoch.
    """
    batches, whole = scenario.steps_per_epoch, scenario.num_steps // scenario.steps_per_epoch
    has_clean_windows = one_window_of_one_series(scenario) and not scenario.noise.is_on_windows
    if not (has_clean_windows and 2 <= batches <= _MOST_BATCHES):
        return None
    rate, sigma = scenario.bottom_rate, scenario.noise.noise_multiplier
    # Some series are in no batch of a shuffled epoch; rounded down.
    shuffled = replace(scenario, sampling=replace(scenario.sampling, top_level=SHUFFLED))
    used = min(1.0, batches * shuffled.top_rate) * (1.0 - 1e-15)
    return OneBatchAnEpoch(
        bins=balls_into_bins(
            bottom_rate=rate, noise_multiplier=sigma, batches=batches, steps=scenario.num_steps
        ),
        shuffled=None
        if whole == 0
        else shuffled_batches(
            bottom_rate=used * rate, noise_multiplier=sigma, batches=batches, epochs=whole
        ),
    )


def covers_bins(scenario: Scenario) -> bool:
    """Return whether series are put into bins, and Proposition 24 says what that is worth.

    So it is for one window per series, drawn with replacement, and a person in one series; noise on
    windows counts by Theorem G.1's rate.
    """
    return scenario.sampling.has_bins and one_window_of_one_series(scenario)


def one_window_of_one_series(scenario: Scenario) -> bool:
    """Return whether a step has one window, drawn with replacement, of the individual's series."""
    return draws_one_window(scenario) and scenario.relation.series_per_person == 1


def draws_one_window(scenario: Scenario) -> bool:
    """Return whether each series of a batch has one window in it, drawn with replacement."""
    sampling = scenario.sampling
    is_other = sampling.takes_windows_by_coins or sampling.is_bag
    return sampling.num_subsequences == 1 and not is_other


def balls_into_bins(
    *, bottom_rate: float, noise_multiplier: float, batches: int, steps: int
) -> Guarantee:
    """Return the bounds where each series picks one of an epoch's batches (Proposition 24).

    Formal guarantee: series pick independently of each other, uniformly, anew in each epoch, and
    have one window there. For one *epoch*, any substitution within one series and orders >= 1 the
    profile equals that of the allocated pair with nothing in the series' place. An epoch that is
    broken off shows less: it counts whole from above, where it is attained no longer, and from
    below only if it is the first, by one of its steps. More than 10,000 batches tell no more than
    so many, and are attacked by one step of each epoch.

    Args:
        batches: K of an epoch, each as likely as the others.

    >>> balls_into_bins(
    ...     bottom_rate=0.1, noise_multiplier=1.0, batches=10, steps=1000).upper.theorem
    'dpviz 24'
    """
    if batches == 1:
        return deterministic_top_level(
            bottom_rate=bottom_rate, noise_multiplier=noise_multiplier, epochs=steps
        )
    whole, is_exact = steps // batches, batches <= _MOST_BATCHES
    upper = Bound(
        theorem="dpviz 24",
        kind=Kind.TIGHT if is_exact and steps % batches == 0 else Kind.UPPER,
        unit=Unit.EPOCH,
        count=-(-steps // batches),
        pair=AllocatedPair(
            batches=min(batches, _MOST_BATCHES), noise_multiplier=noise_multiplier, rate=bottom_rate
        ),
        composition=Composition.MIRRORED,
        extension="" if is_exact else MANY_BATCHES,
    )
    if whole == 0 or not is_exact:
        step = step_of_bins(
            bottom_rate=bottom_rate,
            noise_multiplier=noise_multiplier,
            batches=batches,
            epochs=max(whole, 1),
        )
        return Guarantee(upper=upper, lower=step.lower)
    attained = replace(
        upper,
        kind=Kind.TIGHT if steps % batches == 0 else Kind.LOWER,
        count=whole,
        composition=Composition.ATTAINED,
    )
    return Guarantee(upper=upper, lower=attained)


def step_of_bins(
    *, bottom_rate: float, noise_multiplier: float, batches: int, epochs: int = 1
) -> Guarantee:
    """Return the bounds for who sees one step of each epoch.

    Each series is in it as if by a coin of probability 1 / K (Proposition 3).
    """
    return coins_top_level(
        bottom_rate=bottom_rate,
        top_rate=1.0 / batches,
        noise_multiplier=noise_multiplier,
        steps=epochs,
    )


def shuffled_batches(
    *, bottom_rate: float, noise_multiplier: float, batches: int, epochs: int
) -> Bound:
    """Return what is attained on shuffled series by who sees all steps (Proposition 25).

    Formal guarantee: in each epoch a uniform order is cut into batches of equal size, and each
    series has one window. For one *epoch* the profile is at least that of the allocated pair with
    another series in the series' place.

    Args:
        bottom_rate: r; times the share of series that are in some batch, where it is below 1.
        batches: K of an epoch, at least 2.
        epochs: number of whole epochs.
    """
    return Bound(
        theorem="dpviz 25",
        kind=Kind.LOWER,
        unit=Unit.EPOCH,
        count=epochs,
        pair=AllocatedPair(
            batches=batches,
            noise_multiplier=noise_multiplier,
            rate=bottom_rate,
            is_replaced=True,
        ),
        composition=Composition.ATTAINED,
    )


def shuffled_lower(
    scenario: Scenario, lower_of: Callable[[Scenario], Bound | None]
) -> Bound | None:
    """Return what is attained by who looks at one step of each epoch, or at the sum of all.

    Formal guarantee: the sum of the first m steps of a shuffled epoch is one step of m N' series,
    drawn without replacement, with noise sqrt(m) sigma. So each lower bound on that holds
    (docs/tighter-bounds.md). Epochs that training breaks off are left out, unless it is the first.

    Args:
        scenario: a shuffled walk.
        lower_of: returns the lower bound on series that are drawn without replacement.
    """
    whole = scenario.num_steps // scenario.steps_per_epoch
    attacks = []
    for steps in summed_steps(scenario):
        attack = lower_of(summed(scenario, steps, max(whole, 1)))
        if attack is None:
            return None
        attacks.append(in_one_direction(attack))
    return replace(
        attacks[0],
        theorem="dpviz 8",
        kind=Kind.LOWER,
        unit=Unit.EPOCH,
        other_pairs=tuple(pair for attack in attacks for pair in attack.pairs)[1:],
    )


def summed_steps(scenario: Scenario) -> list[int]:
    """Return of how many steps of an epoch the outputs are summed, by each of the attacks."""
    last = min(scenario.num_steps, scenario.steps_per_epoch)
    # More could not be summed for the sum to be a scenario.
    by_noise = (0.999 * NOISE_MULTIPLIER_RANGE[1] / scenario.noise.noise_multiplier) ** 2
    by_size = LARGEST_BATCH // scenario.sampling.windows_per_batch
    return sorted({1, min(last, max(1, min(int(by_noise), by_size)))})


def summed(scenario: Scenario, steps: int, epochs: int) -> Scenario:
    """Return the sum of so many steps of each epoch as one step of series drawn at random."""
    data, noise, sampling = scenario.data, scenario.noise, scenario.sampling
    if isinstance(data, Rates):
        data = replace(data, top_rate=min(1.0, steps * data.top_rate), steps_per_epoch=1)
    else:
        sampling = replace(sampling, batch_size=steps * sampling.windows_per_batch)
    sigma = noise.noise_multiplier
    if steps > 1:  # rounded up: who sees less noise can add some
        sigma *= sqrt(steps) * (1.0 + 1e-15)
    return replace(
        scenario,
        data=data,
        sampling=replace(sampling, top_level=AT_RANDOM),
        noise=replace(noise, noise_multiplier=sigma),
        training=Training(unit="steps", count=epochs),
    )
