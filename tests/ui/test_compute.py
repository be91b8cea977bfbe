"""The parts that pages are made of: what is equal has one name, what is not has two."""

from dataclasses import replace

import numpy as np

from dpviz.accounting import takes_new_directions
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, to_json
from dpviz.ui.compute import (
    budget_parts,
    curves_part,
    first_curves_part,
    steps_parts,
    told_curves,
    used_up_part,
)

TOY = PRESETS["toy"].scenario


def test_equal_keys_mean_equal_results():
    """A key that forgets a field would show one visitor the numbers of another."""
    changes = {
        "top level": replace(TOY, sampling=replace(TOY.sampling, top_level="deterministic")),
        "bottom level": replace(TOY, sampling=replace(TOY.sampling, bottom_level="poisson")),
        "batch": replace(TOY, sampling=replace(TOY.sampling, batch_size=16)),
        "noise": replace(TOY, noise=replace(TOY.noise, noise_multiplier=1.5)),
        "labels": replace(TOY, noise=replace(TOY.noise, forecast_noise=1.5)),
        "steps": replace(TOY, training=replace(TOY.training, count=7)),
        "epochs": replace(TOY, training=replace(TOY.training, unit="epochs")),
        "relation": replace(TOY, relation=replace(TOY.relation, width=2)),
        "user": replace(TOY, relation=replace(TOY.relation, level="user", width=2)),
        "delta": replace(TOY, delta=1e-6),
        "rates": TOY.with_rates(),
        "lengths": replace(TOY, data=replace(TOY.data, series_lengths=(20, 30))),
    }
    keys = set()
    takes_directions = 0
    for scenario in (TOY, *changes.values()):
        takes_directions += takes_new_directions(scenario)
        parts = [
            curves_part(scenario),
            curves_part(scenario, may_change_direction=False),
            first_curves_part(scenario, is_rough=True),
            *steps_parts([scenario], 1.0, (1, 2)),
            *steps_parts([scenario], 2.0, (1, 2)),
            *steps_parts([scenario], 1.0, (1, 3)),
            used_up_part(scenario, 1.0),
            used_up_part(scenario, 2.0),
        ]
        keys |= {part.key for part in parts}
        assert all(to_json(scenario) in part.key for part in parts)
    assert len(keys) == 7 * (1 + len(changes)) + takes_directions
    assert 5 < takes_directions < len(changes)


def test_parts_of_several_runs_are_each_their_own():
    """A loop's last run must not stand for all."""
    runs = [replace(TOY, training=replace(TOY.training, count=count)) for count in (1, 2)]
    one, other = (part.compute() for part in steps_parts(runs, 1.0, (1, 2)))
    assert [one.scenario, other.scenario] == runs
    short = replace(TOY, training=replace(TOY.training, count=3))
    points = [part.compute() for part in budget_parts(short)]
    assert len({point.count for point in points}) == len(points)
    exact = curves_part(short).compute()
    coarse = first_curves_part(short, is_rough=True).compute()
    assert np.array_equal(exact.upper.delta_high, curves_of(short).upper.delta_high)
    assert coarse.upper.interval > exact.upper.interval
    assert coarse.upper.only_quoted


def test_curves_with_another_lower_bound_are_told_apart():
    """Figures and second opinions are kept by what tells curves apart."""
    run = replace(TOY, training=replace(TOY.training, count=20))
    best, plain = (curves_part(run, may_change_direction=may).compute() for may in (True, False))
    assert [one.lower.bound.theorem for one in (best, plain)] == ["dpviz 9", "4.4"]
    assert plain.upper.bracket == best.upper.bracket
    assert plain.epsilon_lower < best.epsilon_lower
    assert told_curves(plain) != told_curves(best)
