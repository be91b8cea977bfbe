"""The simulated gradients are those of the proofs, and do what the theory's pairs say."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from dpviz.guarantees import Unit
from dpviz.planning.attacks import privacy_loss
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, draws, holds
from dpviz.planning.placement import placement
from dpviz.planning.step_outputs import components
from dpviz.planning.worst_case import unit_cost, worst_case
from dpviz.sampling import clipped_sum
from dpviz.scenario import Rates, ScenarioError
from tests.planning.theory_checks import (
    SCHEMES,
    SEED,
    SMALL,
    TOY,
    hits_of,
    scheme_name,
    with_scheme,
)
from tests.scenario.changes import varied


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_walks_are_seen_by_the_epoch_and_random_numbers_of_windows_from_both_sides(scheme):
    case = worst_case(with_scheme(scheme))
    walks = scheme["top_level"] in ("deterministic", "shuffled")
    assert case.unit is (Unit.EPOCH if walks else Unit.STEP)
    is_random = "poisson" in (scheme["top_level"], scheme.get("bottom_level"))
    assert case.in_order.is_two_sided == is_random


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_clipped_sums_of_real_batches_are_hits_times_the_shift(scheme):
    """A batch's gradients, clipped and summed by the training step itself, on both data sets."""
    scenario = with_scheme(scheme, level="user", width=2)
    is_two_sided = worst_case(scenario).in_order.is_two_sided
    shifts = (1.0, -1.0) if is_two_sided else (2.0, 0.0)
    placed = placement(scenario.shape, scenario.relation)
    for _, batch in islice(draws(scenario, SEED), 60):
        own = batch.series == SENSITIVE_SERIES
        is_hit = own & np.logical_or(*holds(placed, batch.starts))
        # Far beyond the clipping norm: clipping makes them +C, -C or 0.
        there, others = (9.0, 0.0) if is_two_sided else (9.0, -9.0)
        sums = [
            clipped_sum(np.where(is_hit, of_hits, others)[:, None].astype(float), 1.0)[0]
            for of_hits in (there, -9.0)
        ]
        constant = 0.0 if is_two_sided else -float(len(batch))
        for total, shift in zip(sums, shifts, strict=True):
            assert total == pytest.approx(constant + shift * np.count_nonzero(is_hit))


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_loss_is_the_logarithm_of_the_densities_ratio_and_increases(scheme):
    pair = worst_case(with_scheme(scheme)).pair
    x = np.linspace(-12.0, 12.0, 200)
    loss = privacy_loss(pair, x)
    assert (np.diff(loss) > -1e-9).all()
    first, second = (
        sum(
            weight * np.exp(-0.5 * ((x - mean) / pair.noise_multiplier) ** 2)
            for mean, weight in zip(means, weights, strict=True)
        )
        for means, weights in components(pair)
    )
    assert loss == pytest.approx(np.log(first / second), abs=1e-9)


def test_of_several_lengths_the_shortest_is_simulated():
    lengths = varied(SMALL, series_lengths=(20, 30))
    assert worst_case(lengths).scenario.shape.series_lengths == (20,)


def test_scenarios_that_differ_in_what_decides_nothing_share_their_runs():
    other = varied(SMALL, delta=1e-3, steps=7)
    assert worst_case(other) == worst_case(SMALL)


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "poisson"])
@pytest.mark.parametrize(("field", "windows"), [("context_noise", 3), ("forecast_noise", 4)])
def test_with_noise_on_one_part_hits_are_in_the_other(field, windows, top_level):
    """Windows of 4 + 3 values in series of 20, and a value away from the ends."""
    noisy = varied(SMALL, forecast_length=3, top_level=top_level, **{field: 0.5})
    case = worst_case(noisy)
    assert case.theorem == "dpviz 6"
    hits = hits_of(noisy, 4_000)
    rate = windows / 18 * (1.0 if top_level == "deterministic" else case.scenario.top_rate)
    assert set(hits) <= {0, 1}
    assert np.mean(hits) == pytest.approx(rate, abs=5.0 * np.sqrt(rate / 4_000))
    of_hits = case.pair.rate if top_level != "poisson" else 1.0 - case.pair.weights[0]
    assert of_hits == pytest.approx(rate)


@pytest.mark.parametrize(
    "scheme", [{"num_subsequences": 2}, {"bottom_level": "poisson"}, {"batch_size": 1}]
)
def test_bins_of_which_no_attack_on_epochs_is_known_are_refused_by_name(scheme):
    bins = varied(TOY, num_series=20_000, top_level="bins", **scheme)
    with pytest.raises(ScenarioError, match=r"^top_level\b"):
        worst_case(bins)


def test_rates_alone_are_refused_by_name():
    rates = replace(TOY, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10))
    with pytest.raises(ScenarioError, match=r"bottom_rate = 0\.1 is not allowed: rates draw no"):
        worst_case(rates)


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_walks_cost_least_as_only_one_step_of_an_epoch_is_drawn(scheme):
    cost = unit_cost(worst_case(with_scheme(scheme)).scenario)
    assert (cost < 300.0) == (scheme["top_level"] in ("deterministic", "shuffled"))
