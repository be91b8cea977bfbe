"""Sentences about noise on windows: every number with its meaning, and none that is not proven."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.planning import curves_of
from dpviz.planning.label_noise import NOISES, NoiseMap, noised_value, noisy_bound, with_noise
from dpviz.scenario import PRESETS
from dpviz.wording.label_noise import (
    WHAT_IS_COVERED,
    cell_text,
    coarseness,
    equivalent_sentence,
    map_title,
    noise_headline,
    noise_in_units,
    noise_title,
    overlap_description,
    overlap_explanation,
    overlap_title,
    rate_sentence,
)
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.texts import without_formulas
from tests.planning.brackets import with_bracket
from tests.scenario.changes import TRAFFIC, varied
from tests.wording.reading import numbers_after

TOY = varied(PRESETS["toy"].scenario, steps=20)
SEVERAL = varied(TOY, num_subsequences=4)
BAG = varied(TOY, top_level="flat")
PERSON = varied(TOY, series_per_person=3)


def both(scenario, context=0.0, forecast=2.0):
    noisy = with_noise(scenario, context=context, forecast=forecast)
    return curves_of(noisy), curves_of(scenario)


def test_headline_sets_epsilon_with_noise_against_epsilon_without():
    own, plain = both(TOY, context=0.5)
    said = noise_headline(own, plain)
    assert said.startswith("With noise of σ_C = 0.5 on context and σ_F = 2 on labels **ε ≤ ")
    assert (
        "steps), for any single value of one series: 20 training steps, series drawn at random. "
        in said
    )
    assert f"**ε ≤ {rounded_up(own.epsilon_upper)} at δ = 10⁻⁷** (upper bound, Theorem G.1" in said
    assert f"**ε ≤ {rounded_up(plain.epsilon_upper)}** without noise on windows (upper" in said
    assert "Theorem G.1 composed over 20 steps" in said
    assert "Theorem 4.4 composed over 20 steps" in said
    assert "It holds if no value changes by more than v" in said
    one, other = numbers_after("ε ≤ ", said)
    assert one < other


def test_noise_too_small_to_show_is_not_told_as_a_gain():
    own, plain = both(TOY, forecast=0.1)
    most = rounded_up(own.epsilon_upper)
    assert most == rounded_up(plain.epsilon_upper)
    said = noise_headline(own, plain)
    assert "changes none of these digits" in said
    assert noise_title(own, plain).startswith(
        f"With noise of σ_F = 0.1 on labels, as without: ε ≤ {most} at δ = "
    )


def test_gain_is_called_proven_only_below_the_attained_bound():
    own, plain = both(TOY, context=5.0, forecast=5.0)
    assert own.epsilon_upper < plain.epsilon_lower
    said = noise_headline(own, plain)
    assert f"less than ε = {rounded_down(plain.epsilon_lower)} (attained lower bound)" in said
    assert "the gain is proven" in said
    own, plain = both(TOY, forecast=0.2)
    assert plain.epsilon_lower < own.epsilon_upper < plain.epsilon_upper
    said = noise_headline(own, plain)
    assert "Both are upper bounds: the gain itself is not proven." in said
    assert "gain is proven" not in said


@pytest.mark.parametrize("scenario", [SEVERAL, BAG, PERSON])
def test_where_nothing_is_proven_it_is_said_along_with_what_would_be(scenario):
    own, plain = both(scenario)
    said = noise_headline(own, plain)
    assert said.startswith("**Here noise of σ_F = 2 on labels does not count.** With or ")
    assert WHAT_IS_COVERED in said
    assert f"ε ≤ {rounded_up(plain.epsilon_upper)} at δ = 10⁻⁷" in said
    assert own.epsilon_upper == plain.epsilon_upper
    assert "without noise on windows (" not in said
    assert noise_title(own, plain).startswith("No theorem covers noise on windows here: ")
    quiet = noise_headline(plain, plain)
    assert "Noise on windows would not count here." in quiet
    # The page has no fold for how series and windows are drawn.
    assert "How series and windows are drawn" not in quiet


def test_no_finite_epsilon_is_said_to_be_none():
    own, _ = both(TOY)
    unknown = replace(own, upper=with_bracket(own.upper, own.upper.bracket.low, None))
    assert "instead of no finite one" in noise_title(own, unknown)
    said = noise_headline(unknown, unknown)
    assert "σ_F = 2 on labels **no finite ε is proven at δ = 10⁻⁷** (" in said


@pytest.mark.parametrize(
    ("channels", "sigma", "told"), [(1, 2.0, "0.198"), (1, 0.0, "1"), (9, 2.0, "0.547")]
)
def test_drawing_has_its_number_and_its_words(channels, sigma, told):
    scenario = varied(TOY, num_channels=channels)
    value = noised_value(with_noise(scenario, forecast=sigma), "forecast")
    assert overlap_title("forecast", value).endswith(f": TV = {told}")
    said = overlap_description("forecast", value)
    assert ("two spikes" in said) == (sigma == 0.0)
    assert f"{channels**0.5:.0f} v" in said
    explained = overlap_explanation(scenario)
    assert ("√9 v apart, as all 9 channels of a time step may change." in explained) == (
        channels == 9
    )
    assert "several of" not in explained
    assert "several of the 4 protected values" in overlap_explanation(varied(TOY, width=4))


def test_rate_is_told_with_and_without_noise():
    said = rate_sentence(with_noise(TOY, context=0.5, forecast=2.0))
    assert said.endswith("It is 0.004401 with the noise and 0.01 without.")
    assert "one step" in said
    assert rate_sentence(TOY).endswith("Without noise it is 0.01.")
    assert "one epoch" in rate_sentence(varied(TOY, top_level="deterministic"))
    assert rate_sentence(with_noise(SEVERAL, forecast=2.0)) == ""


def test_equivalent_length_is_told_where_there_is_one():
    said = equivalent_sentence(with_noise(TRAFFIC, forecast=2.0))
    assert said.startswith("24 labels with this noise reveal as much as 4.74 labels without it")
    assert equivalent_sentence(TRAFFIC) == ""
    assert equivalent_sentence(with_noise(TRAFFIC.with_rates(), forecast=2.0)) == ""
    one = equivalent_sentence(with_noise(TOY, forecast=2.0))
    assert one.startswith("1 label with this noise reveals as much as 0.198 labels without it")


def test_noise_is_told_in_the_data_s_unit_as_far_as_it_is_known():
    def told(**changes):
        return without_formulas(noise_in_units(varied(noisy, **changes)))

    noisy = with_noise(TOY, context=0.5, forecast=2.0)
    assert "σ_F = 2 is noise of standard deviation 2 v on each label." in told()
    assert "to see it in the data's unit." in told()
    bare = told(max_change=300.0)
    assert "with v = 300, 600." in bare
    assert "with v = 300, 150." in bare
    cars = told(max_change=0.1, value_unit="1,000 vehicles")
    assert "with v = 0.1 1,000 vehicles, 0.2 1,000 vehicles." in cars
    typed = noise_in_units(varied(noisy, max_change=0.1, value_unit="N*"))
    assert "with $v$ = 0.1 N\\*, 0.2 N\\*." in typed, "what somebody typed stays as it is"
    assert "$\\sigma_{F}$\xa0=\xa02 is noise" in typed
    assert noise_in_units(TOY) == ""
    odd = told(context_noise=0.0, forecast_noise=1.1, max_change=111.1111)
    assert "with v = 111.1111, 122.223." in odd  # 122.22221, rounded up


OF_MAP = PRESETS["toy"].scenario
SIZE = len(NOISES)


def a_map(scenario=OF_MAP, excess=0.0):
    """A map that falls from 20 by halves, each value so much above the bound's."""
    row, column = np.indices((SIZE, SIZE))
    epsilon = 20.0 / 2.0 ** (row + column)
    rates = epsilon / 1000.0
    return NoiseMap(
        scenario=scenario,
        rates=rates,
        table_rates=rates,
        epsilon=epsilon,
        at_least=epsilon / (1.0 + excess),
    )


def test_title_claims_nothing_where_no_theorem_covers_the_noise():
    several = varied(OF_MAP, num_subsequences=2)
    title = map_title(a_map(several))
    assert title.startswith("No theorem covers noise on windows here: ε ≤ 20 at δ = 10⁻⁷")
    assert coarseness(a_map(several)) == "It is the same everywhere."


def test_place_says_what_is_dpviz_s_extension_and_has_no_q_without_a_theorem():
    wide = varied(OF_MAP, width=3)
    assert "dpviz's extension" in cell_text(a_map(wide), noisy_bound(wide), 1, 1)
    assert "extension" not in cell_text(a_map(), noisy_bound(OF_MAP), 1, 1)
    bag = varied(OF_MAP, top_level="flat")
    unknown = replace(a_map(bag), rates=np.full((SIZE, SIZE), np.nan))
    assert "q =" not in cell_text(unknown, noisy_bound(bag), 1, 1)


def test_infinite_epsilon_is_none():
    unknown = replace(a_map(), epsilon=np.full((SIZE, SIZE), np.inf))
    assert "no finite ε proven" in cell_text(unknown, noisy_bound(OF_MAP), 0, 1)
    assert "from no finite one to no finite one" in map_title(unknown)


@pytest.mark.parametrize(
    ("excess", "told"),
    [
        (0.0, "up, by at most 10⁻⁴."),
        (0.0123, "up, by at most 1.3 % or 10⁻⁴."),
        (5.0, "up; by how much is not computed."),
        (np.inf, "up; by how much is not computed."),
    ],
)
def test_map_says_how_coarse_it_is(excess, told):
    said = coarseness(a_map(excess=excess), has_all_digits=True)
    assert said.startswith("Each number is rounded up")
    assert said.endswith(told)


@pytest.mark.parametrize(("excess", "told"), [(0.0, "0.1 %"), (0.0123, "1.4 %")])
def test_digits_that_are_not_told_count_as_well(excess, told):
    """Of 10.001 the map shows 10.01, a thousandth more."""
    assert f"by at most {told} or 10⁻⁴" in coarseness(a_map(excess=excess))
