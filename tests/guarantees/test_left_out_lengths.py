"""Lengths that were left out as harmless may become the worst when a scenario changes."""

from dataclasses import replace

import pytest

from dpviz.guarantees import guarantee_for
from dpviz.scenario import Noise, Relation, Sampling, Scenario, ScenarioError, Training
from dpviz.scenario.relation import worst_case_lengths

SHAPE = worst_case_lengths(
    [5, 10, 11], num_series=3, context_length=2, forecast_length=2, relation=Relation()
)
SCENARIOS = {
    "poisson": Scenario(
        data=SHAPE,
        sampling=Sampling(batch_size=1, bottom_level="poisson"),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=1),
    ),
    "noise on windows": Scenario(
        data=SHAPE,
        sampling=Sampling(batch_size=1),
        noise=Noise(noise_multiplier=1.0, forecast_noise=1e6),
        training=Training(unit="steps", count=1),
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_wider_relations_ask_for_the_lengths_again(name):
    """With w = 20 a series of 11 values is worse than one of 5, which alone was kept."""
    scenario = SCENARIOS[name]
    assert SHAPE.series_lengths == (5,)
    assert guarantee_for(scenario).upper.count == 1
    for relation in (Relation(width=20), Relation(level="user", width=2)):
        with pytest.raises(ScenarioError, match="longer_series_beyond = 4") as refused:
            guarantee_for(replace(scenario, relation=relation))
        assert refused.value.field == "longer_series_beyond"


def test_sampling_with_replacement_needs_the_shortest_only():
    plain = replace(SCENARIOS["poisson"], sampling=Sampling(batch_size=1))
    assert guarantee_for(replace(plain, relation=Relation(width=20))).upper.theorem == "4.4"
