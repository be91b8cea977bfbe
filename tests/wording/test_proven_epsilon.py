"""Points of a line, in words for those who cannot see it."""

from dataclasses import replace

from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import PRESETS, Sampling
from dpviz.wording.proven_epsilon import epsilon_range, sweep_description

TOY = PRESETS["toy"].scenario
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))


def points(scenario, counts):
    runs = [replace(scenario, training=replace(scenario.training, count=c)) for c in counts]
    return [
        SweepPoint(x=c, name=f"{c} steps", proven=proven_epsilon(run))
        for c, run in zip(counts, runs, strict=True)
    ]


def test_a_range_says_what_each_side_is_and_for_whom():
    assert epsilon_range(proven_epsilon(TOY)).startswith(
        "at most 19.03 (upper bound, Theorem 4.4 composed over 1,000 steps) and at least 17.59"
    )
    of_bag = epsilon_range(proven_epsilon(BAG))
    assert "(upper bound, dpviz's Proposition 4 composed over 1,000 steps) and at least" in of_bag
    assert of_bag.endswith("Proposition C.2 composed over 1,000 steps)")


def test_a_description_tells_the_ends_of_every_line():
    runs = [("drawn", points(TOY, (10, 1, 100))), ("bag", points(BAG, (1,))), ("none", [])]
    text = sweep_description("T", "training steps", runs)
    assert text.startswith("T. Epsilon at delta 1e-07 against training steps")
    assert "Drawn, 3 points: with 1 steps epsilon is at most" in text
    assert "with 100 steps epsilon is" in text
    assert "with 10 steps" not in text
    assert text.count("with 1 steps epsilon is") == 2
