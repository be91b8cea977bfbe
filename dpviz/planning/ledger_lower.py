"""What several runs on the same data give away at least: the lower bound of a ledger."""

from collections.abc import Sequence
from dataclasses import replace

from dpviz.accounting import Curve, attained_curve, composed_curve
from dpviz.guarantees import Bound, guarantee_for
from dpviz.scenario import DataShape, Scenario
from dpviz.scenario.ledger import NamedRun


def lower_of_all(runs: Sequence[NamedRun], delta: float) -> tuple[Curve | None, bool]:
    """Return the largest proven lower bound on all runs, and whether it is of all together.

    Who sees all runs can look at one: its lower bound holds for all. They compose where the same
    two data sets attain each of them: where the sensitive values are at the same place of the
    same series, which is so where all runs draw the same windows of series of one length, and
    noise on windows makes no other place the worst.
    """
    lowers = [guarantee_for(run.scenario).lower for run in runs]
    proven = [bound for bound in lowers if bound is not None]
    if not proven:
        return None, False
    first = runs[0].scenario.data
    same_windows = isinstance(first, DataShape) and len(first.series_lengths) == 1
    if (
        same_windows
        and len(proven) == len(runs)
        and all(run.scenario.data == first for run in runs)
        and _one_place_is_the_worst([run.scenario for run in runs])
    ):
        if len({replace(bound, count=1) for bound in proven}) == 1:
            whole = replace(proven[0], count=sum(bound.count for bound in proven))
            return attained_curve(whole, delta), True
        return composed_curve(*_composable(proven), at_delta=delta), True
    curves = [attained_curve(bound, delta) for bound in proven]
    best = max(curves, key=lambda curve: curve.quoted_epsilon_at(delta) or 0.0)
    return best, len(runs) == 1


def _composable(bounds: Sequence[Bound]) -> list[Bound]:
    """Return the bounds with as many attacks each as the others, or one.

    Whose attack is composed with whose is free: each run has gradients of its own, and its noise
    and batches are drawn independently of the others'. So one attacker, who holds x against x',
    may choose any attack for each run, and the outputs of all runs are the product of the named
    ones; exchanging x with x' exchanges them in all runs. Where the numbers of attacks differ,
    that is the first of each run.
    """
    if len({len(bound.pairs) for bound in bounds} - {1}) <= 1:
        return [*bounds]
    return [replace(bound, other_pairs=()) for bound in bounds]


def _one_place_is_the_worst(scenarios: Sequence[Scenario]) -> bool:
    """Return whether all runs' attacks are on values at the same place of the series.

    Each is on the place where windows tell most. With other noise on them that may be another
    one, unless the series is so long that some place has all windows that could be touched: no
    place tells more, whatever the noise.
    """
    if len({(one.noise.context_noise, one.noise.forecast_noise) for one in scenarios}) == 1:
        return True
    shape, relation = scenarios[0].shape, scenarios[0].relation
    if shape is None or (relation.level == "user" and relation.width > 1):
        return False  # which of the values are in a row depends on the noise
    needed = shape.context_length + 2 * shape.forecast_length + relation.width - 2
    return shape.series_lengths[0] >= needed
