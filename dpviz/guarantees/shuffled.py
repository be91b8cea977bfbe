"""Series shuffled once an epoch, from below: dpviz's Proposition 8."""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

from dpviz.guarantees.bound import Bound, Kind, Unit, in_one_direction
from dpviz.scenario import Rates, Scenario, Training
from dpviz.scenario.mechanism import AT_RANDOM, LARGEST_BATCH, NOISE_MULTIPLIER_RANGE


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
    return sorted({1, min(last, _most_summed(scenario))})


def _most_summed(scenario: Scenario) -> int:
    """Return how many steps may be summed for the sum to be a scenario."""
    by_noise = (0.999 * NOISE_MULTIPLIER_RANGE[1] / scenario.noise.noise_multiplier) ** 2
    by_size = LARGEST_BATCH // scenario.sampling.windows_per_batch
    return max(1, min(int(by_noise), by_size))


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
