"""Whatever the settings are, each place of each map has an answer or a refusal by name."""

import re
from dataclasses import replace
from itertools import combinations

import pytest

from dpviz.guarantees import guarantee_for
from dpviz.planning import region
from dpviz.planning.region import Refusal, possible_axes, region_axis, region_cell
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, Noise, Sampling, Training
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE

TOY = PRESETS["toy"].scenario
NAMED = re.compile(r"[a-z_]+ = .+ is not allowed: .+\.")
GOAL = Target(epsilon=4.0, delta=1e-7)
EXTREMES = {
    "one step": replace(TOY, training=Training(unit="steps", count=1)),
    "most steps": replace(TOY, training=Training(unit="steps", count=MOST_STEPS)),
    "one window": replace(TOY, sampling=replace(TOY.sampling, batch_size=1)),
    "all series": replace(TOY, sampling=replace(TOY.sampling, batch_size=320)),
    "one series": replace(
        TOY, data=replace(TOY.data, num_series=1), sampling=replace(TOY.sampling, batch_size=1)
    ),
    "one position": replace(TOY, data=replace(TOY.data, series_lengths=(1,))),
    "no context": replace(TOY, data=replace(TOY.data, context_length=0)),
    "wide": replace(TOY, relation=replace(TOY.relation, width=10**6)),
    "user": replace(TOY, relation=replace(TOY.relation, level="user", width=4)),
    "least noise": replace(TOY, noise=Noise(noise_multiplier=NOISE_MULTIPLIER_RANGE[0])),
    "most noise": replace(TOY, noise=Noise(noise_multiplier=NOISE_MULTIPLIER_RANGE[1])),
    "noise on labels": replace(TOY, noise=replace(TOY.noise, forecast_noise=1e6)),
    "walk": replace(TOY, sampling=replace(TOY.sampling, top_level="deterministic")),
    "poisson": replace(TOY, sampling=replace(TOY.sampling, bottom_level="poisson")),
    "many windows": replace(TOY, sampling=replace(TOY.sampling, num_subsequences=32)),
    "bag": replace(TOY, sampling=Sampling(batch_size=32, top_level="flat")),
    "rates": TOY.with_rates(bottom_rate=0.2),
    "lengths": replace(TOY, data=replace(TOY.data, series_lengths=(20, 30))),
}  # fmt: skip


def some_places(x, y):
    """Return the corners, the own place, and one beside it."""
    last, top = len(x.values) - 1, len(y.values) - 1
    return {(0, 0), (last, 0), (0, top), (last, top), (x.own, y.own), (last // 2, top // 3)}


@pytest.fixture
def bounds_only(monkeypatch):
    """Look the bounds up without composing them, which would take minutes."""

    def point(scenario, goal, **_):
        return guarantee_for(scenario).upper

    monkeypatch.setattr(region, "region_point", point)


@pytest.mark.usefixtures("bounds_only")
@pytest.mark.parametrize("scenario", [
    *(preset.scenario for preset in PRESETS.values()), *EXTREMES.values()
], ids=[*PRESETS, *EXTREMES])  # fmt: skip
def test_every_pair_of_axes_has_answers_or_refusals_by_name(scenario):
    for first, second in combinations(possible_axes(scenario), 2):
        x, y = region_axis(scenario, first), region_axis(scenario, second)
        answers = 0
        for at in some_places(x, y):
            cell = region_cell(scenario, x, y, at, GOAL)
            answers += not isinstance(cell, Refusal)
            if isinstance(cell, Refusal):
                assert NAMED.fullmatch(cell.problem), cell.problem
        assert not isinstance(region_cell(scenario, x, y, (x.own, y.own), GOAL), Refusal)
        assert answers >= 2 or 1 in (len(x.values), len(y.values))


@pytest.mark.parametrize("name", EXTREMES)
def test_own_place_is_really_computed(name):
    scenario = EXTREMES[name]
    x, y = region_axis(scenario, "noise_multiplier"), region_axis(scenario, "training")
    cell = region_cell(scenario, x, y, (x.own, y.own), GOAL)
    assert not isinstance(cell, Refusal)
    assert cell.upper.quoted is None or cell.upper.quoted >= (cell.upper.bracket.low or 0.0)
