"""The accountant against dp-accounting, in one process, in alternation.

    python bench/accountant.py [--all] [--runs 5]

Each side answers the same question from nothing but its imports: epsilon at delta 1e-7 and 200
deltas after many steps. dpviz answers with a certified bracket (relative width at most 1e-3 of
epsilon); the peers print one number from a grid of 1e-3.

* stock: ``from_mixture_gaussian_mechanism``, composed and queried as its documentation shows. For
  substitution its number is no upper bound; what is compared is the work.
* best use: the vectorised profile of the mirrored pair into the library's own builder, composed
  and queried by the library.

The default run asks for one window per series and for several, walked through, drawn or by coins,
and ends within two minutes; --all adds step counts, both sides of several windows, and Poisson
windows, for which the stock library needs minutes.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from timeit import repeat
from unittest.mock import patch

import numpy as np

from dpviz.accounting import DEFAULT_TOLERANCE, composed_curve, labelled_loss
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.losses import loss_of
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Bound, Guarantee, MixturePair, ShiftedMixturePair, guarantee_for
from dpviz.scenario import PRESETS, Scenario, Training

DELTA = 1e-7
TOY = PRESETS["toy"].scenario
TRAFFIC = PRESETS["traffic"].scenario
SCHEMES = {"walk": "deterministic", "drawn": "without-replacement", "coins": "poisson"}


def main() -> None:
    """Print a table of both sides' times, their ratio, and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    warm_up()
    print("eps at 1e-7 and 200 deltas, cold, median; upper bound with bracket")
    for steps in (1, 1000, 100_000) if not options.all else (1, 100, 1000, 10_000, 100_000):
        bound = guarantee_for(with_steps(TOY, steps)).upper
        ours = measure(lambda bound=bound: answer(bound), options.runs)
        report(f"one window, {steps} steps", ours)
        if steps == 1000 or options.all:
            best = measure(lambda bound=bound: best_use(bound), 2)
            print(f"  best use of dp-accounting: {best:8.3f} s   ratio {best / ours:.0f}x")
            theirs = measure(lambda bound=bound: stock(bound), 1)
            print(f"  stock dp-accounting:       {theirs:8.3f} s   ratio {theirs / ours:.0f}x")
    report("traffic, 12,000 steps", measure(lambda: answer(guarantee_for(TRAFFIC).upper), 5))
    kept = with_steps(TOY, 999)
    answer(guarantee_for(kept).upper)
    again = guarantee_for(with_steps(TOY, 1001)).upper
    report("steps changed, one step kept", measure(lambda: answer(again), options.runs, cold=False))
    several_windows(options.runs)
    lower_bounds(options.runs)
    if options.all:
        others(options.runs)
        for tolerance in (1e-2, 1e-3, 1e-4, 1e-5):
            for name, scenario in (("toy", TOY), ("traffic", TRAFFIC)):
                bound = guarantee_for(scenario).upper
                ours = measure(lambda b=bound, t=tolerance: answer(b, t), options.runs)
                report(f"{name}, tolerance {tolerance:g}", ours)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {megabytes:.0f} MB, peers included")


def several_windows(runs: int) -> None:
    """Measure the upper bounds of several windows per series, four series a step.

    The noise grows with the windows, as it would in use: else nearly everything is revealed.
    """
    print(f"upper bounds of several windows, cold: least and median of {runs}, relative gap")
    for name, preset in (("toy", with_steps(TOY, 1000)), ("traffic", TRAFFIC)):
        for windows, goal in ((8, 100), (64, 400), (1024, None)):
            for scheme, top_level in SCHEMES.items():
                sampling = replace(
                    preset.sampling,
                    top_level=top_level,
                    num_subsequences=windows,
                    batch_size=4 * windows,
                )
                sigma = min(preset.noise.noise_multiplier * max(windows / 16, 1.0), 100.0)
                noise = replace(preset.noise, noise_multiplier=sigma)
                bound = guarantee_for(replace(preset, sampling=sampling, noise=noise)).upper
                taken = times(lambda bound=bound: answer(bound), runs)
                # From the losses that the last run has made.
                gap = composed_curve(bound, at_delta=DELTA).epsilon_at(DELTA).relative_gap
                print(
                    f"{f'{name}, {windows} windows, {scheme}':32s} {1000 * min(taken):8.1f} ms"
                    f" {1000 * statistics.median(taken):8.1f} ms   gap {gap:.1e}"
                    f"{f'   goal {goal} ms' if goal else ''}",
                    flush=True,
                )


def lower_bounds(runs: int) -> None:
    """Measure the lower bounds of 8 windows per drawn series, in processor time."""
    for name, preset in (("toy", with_steps(TOY, 1000)), ("traffic", TRAFFIC)):
        sampling = replace(preset.sampling, num_subsequences=8)
        bound = guarantee_for(replace(preset, sampling=sampling)).lower
        assert bound is not None  # the scheme has one
        taken = times(lambda bound=bound: answer(bound), runs, clock=time.process_time)
        least, median = 1000 * min(taken), 1000 * statistics.median(taken)
        print(f"{f'{name}, 8 windows, lower':32s} {least:8.1f} ms {median:8.1f} ms   goal 150 ms")


def others(runs: int) -> None:
    """Measure several windows per series and Poisson windows."""
    for windows, steps in ((8, 1000), (64, 1000)):
        sampling = replace(TOY.sampling, num_subsequences=windows, batch_size=windows * 4)
        guarantee = guarantee_for(replace(with_steps(TOY, steps), sampling=sampling))
        ours = measure(lambda guarantee=guarantee: answers(guarantee), runs)
        report(f"{windows} windows, both bounds", ours)
        if windows == 8:
            theirs = measure(lambda guarantee=guarantee: stock(guarantee.lower), 1)
            print(f"  stock dp-accounting (F.7): {theirs:8.3f} s   ratio {theirs / ours:.0f}x")
    sampling = replace(TRAFFIC.sampling, bottom_level="poisson")
    guarantee = guarantee_for(replace(with_steps(TRAFFIC, 1000), sampling=sampling))
    report("Poisson windows, k = 120", measure(lambda: answers(guarantee), runs))
    thresholds_of_poisson_windows(runs)


def thresholds_of_poisson_windows(runs: int) -> None:
    """Compare sums as polynomials with sums of logarithms, in turn."""
    for windows, sigma in ((4, 4.8), (16, 15.0), (64, 30.0)):
        sampling = replace(
            TRAFFIC.sampling, top_level="poisson", bottom_level="poisson", num_subsequences=windows
        )
        noise = replace(TRAFFIC.noise, noise_multiplier=sigma)
        bound = guarantee_for(replace(TRAFFIC, sampling=sampling, noise=noise)).upper
        seconds = dict[float, list[float]]()
        for _ in range(runs):
            for limit in (labelled_loss._WITHIN_RANGE, -1.0):
                with patch.object(labelled_loss, "_WITHIN_RANGE", limit):
                    seconds.setdefault(limit, []).extend(times(lambda b=bound: answer(b), 1))
        ours, before = (statistics.median(taken) for taken in seconds.values())
        print(
            f"{windows} Poisson windows, series by coins: {ours:.3f} s, by logarithms "
            f"{before:.3f} s   ratio {before / ours:.1f}x"
        )


def with_steps(scenario: Scenario, steps: int) -> Scenario:
    """Return the scenario with another training length."""
    return replace(scenario, training=Training(unit="steps", count=steps))


def answer(bound: Bound, tolerance: float = DEFAULT_TOLERANCE) -> float | None:
    """Ask dpviz."""
    curve = composed_curve(bound, at_delta=DELTA, tolerance=tolerance)
    epsilon = curve.quoted_epsilon_at(DELTA)
    curve.delta_at(np.linspace(0.0, epsilon or 1.0, 200))
    return epsilon


def answers(guarantee: Guarantee) -> None:
    """Ask dpviz for both sides of a guarantee."""
    for bound in (guarantee.upper, guarantee.lower):
        assert bound is not None  # the schemes measured here have both
        answer(bound)


def best_use(bound: Bound) -> float | None:
    """Ask dp-accounting, given the vectorised profile."""
    opinion = second_opinion(bound)
    epsilon = opinion.epsilon_at(DELTA)
    opinion.delta_at(np.linspace(0.0, epsilon or 1.0, 200))
    return epsilon


def stock(bound: Bound) -> float:
    """Ask dp-accounting as its documentation shows."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    pair = bound.pair
    means, weights = [0.0, 2.0], [0.0, 1.0]
    if isinstance(pair, ShiftedMixturePair):
        weights = [1.0 - pair.rate, pair.rate]
    elif isinstance(pair, MixturePair):
        means, weights = list(pair.means), list(pair.weights)
    distribution = pld.from_mixture_gaussian_mechanism(
        standard_deviation=pair.noise_multiplier,
        sensitivities=means,
        sampling_probs=weights,
        value_discretization_interval=1e-3,
    )
    distribution = distribution.self_compose(bound.count) if bound.count > 1 else distribution
    epsilon = float(distribution.get_epsilon_for_delta(DELTA))
    distribution.get_delta_for_epsilon(np.linspace(0.0, epsilon, 200))
    return epsilon


def measure(ask: Callable[[], object], runs: int, *, cold: bool = True) -> float:
    """Return the median time in seconds."""
    return statistics.median(times(ask, runs, cold=cold))


def times(
    ask: Callable[[], object],
    runs: int,
    *,
    cold: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return how long each run takes, in seconds."""
    before = forget if cold else "pass"
    return repeat(ask, setup=before, timer=clock, repeat=runs, number=1)


def forget() -> None:
    """Let the next answer begin from nothing."""
    one_unit.cache_clear()
    loss_of.cache_clear()


def report(name: str, seconds: float) -> None:
    """Print one line."""
    print(f"{name:32s} {1000 * seconds:8.1f} ms", flush=True)


def warm_up() -> None:
    """Import what both sides need, so that only the work is measured."""
    import dp_accounting.pld.privacy_loss_distribution  # noqa: F401

    answer(guarantee_for(with_steps(TOY, 2)).upper)


if __name__ == "__main__":
    main()
