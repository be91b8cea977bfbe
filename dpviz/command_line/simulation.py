"""Batches drawn and counted, and how much work that is, so that it never goes on for hours."""

from typing import Any

from dpviz.sampling import simulate_hits
from dpviz.sampling.hits import middle_position, touching_starts
from dpviz.scenario import DataShape, Scenario, ScenarioError

MOST_SECONDS = 60.0
MOST_BYTES = 2**30
# Seconds, measured on one core of a small server: a batch, a series that is looked at, a window
# of the individual's series drawn with replacement, or independently.
_PER_BATCH, _PER_WINDOW = 6e-6, {"with-replacement": 5e-8, "poisson": 1e-6}
_PER_SERIES = {
    "without-replacement": 1.5e-8,
    "deterministic": 1e-9,
    "shuffled": 2e-8,
    "bins": 5e-8,
    "poisson": 1e-8,
    "flat": 4e-8,
}
# Two whole numbers of 8 bytes for each index that is held at once.
_PER_INDEX = 16


def check_work(scenario: Scenario, batches: int) -> None:
    """Refuse more batches than about a minute draws, or of more memory than a gigabyte.

    Raises:
        ScenarioError: names ``batches`` and how many are allowed.
    """
    shape, sampling = scenario.data, scenario.sampling
    if not isinstance(shape, DataShape):
        return  # the simulation itself says what is wrong
    is_bag = sampling.is_bag
    drawn = sampling.series_per_batch
    total = sampling.largest_batch(shape) if is_bag else shape.num_series
    # Poisson sampling tosses a coin for each series, a shuffle or bins order all once an epoch.
    once = total / scenario.steps_per_epoch
    looked_at = {"poisson": total, "shuffled": once, "bins": once}
    if is_bag and 50 * drawn >= total:
        looked_at["flat"] = total
    seconds = _PER_BATCH + _PER_SERIES[sampling.top_level] * looked_at.get(
        sampling.top_level, drawn
    )
    windows, of = sampling.num_subsequences, "windows" if is_bag else "series"
    if not is_bag:
        seconds += _PER_WINDOW[sampling.bottom_level] * windows * drawn / total
    held = drawn if sampling.is_walk_in_order or 50 * drawn < total else total
    if sampling.top_level in looked_at:
        held = total
    if held * _PER_INDEX > MOST_BYTES:
        allowed = (
            f"one batch alone takes {held * _PER_INDEX / 2**30:,.1f} GB of indices, and at most "
            f"{MOST_BYTES // 2**30} GB is used: simulate fewer {of} at the same rate"
        )
        raise ScenarioError("batches", batches, allowed)
    most = int(MOST_SECONDS / seconds)
    if batches > most:
        size = f"{drawn:,} out of {total:,} {of}"
        allowed = f"it must be at most {most:,} for batches of {size}, about a minute of work"
        raise ScenarioError("batches", batches, allowed)


def simulation_answer(scenario: Scenario, batches: int, seed: int) -> dict[str, Any]:
    """Return how many batches were hit how often, with what a hit is and the expected average."""
    hits = simulate_hits(scenario, batches, seed)
    shape, sampling, width = scenario.given_shape, scenario.sampling, scenario.relation.width
    positions = shape.start_positions
    middle = middle_position(shape, positions, width)
    touching = len(touching_starts(middle, shape, positions, width))
    value = "the protected value" if width == 1 else f"any of {width:,} protected values in a row"
    series = "one series"
    if not shape.is_of_one_length:
        series += ", where all are drawn as long as the shortest"
    answer = {
        "hits": hits.tolist(),
        "counted": f"windows in a batch that contain {value}, in the middle of {series}",
    }
    if sampling.is_bag:
        return answer | {
            "expected_hits_per_batch": scenario.top_rate * touching,
            "expected_from": {"window_in_batch": scenario.top_rate, "touching_windows": touching},
        }
    # A walk in order uses the first series once an epoch; else any is as likely as another.
    used = 1.0 / scenario.steps_per_epoch if sampling.is_walk_in_order else scenario.top_rate
    windows = sampling.num_subsequences
    if sampling.takes_windows_by_coins:
        windows = min(windows, positions)  # a series has no more
    return answer | {
        "expected_hits_per_batch": used * windows * touching / positions,
        "expected_from": {
            "series_in_batch": used,
            "windows_per_series": windows,
            "window_hits": touching / positions,
        },
    }
