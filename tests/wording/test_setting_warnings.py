"""A warning stands where it is true, beside the control that it belongs to, and nowhere else."""

from dataclasses import replace
from itertools import pairwise
from timeit import repeat

import pytest
from hypothesis import given

from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, Rates
from dpviz.wording.findings import headline
from dpviz.wording.scope import weak_delta
from dpviz.wording.setting_values import answer_warning, setting_warnings
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied
from tests.scenario.strategies import scenarios
from tests.wording.reading import jargon_in, numbers_after

BAG = sampled(top_level="flat")
FIELDS = ["context_length", "bottom_rate", "top_rate", "batch_share", "noise_multiplier", "delta"]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_nothing_to_mind(name):
    assert setting_warnings(PRESETS[name].scenario) == {}


@given(scenarios())
def test_each_warning_appears_exactly_where_it_is_true(scenario):
    warnings, shape = setting_warnings(scenario), scenario.shape
    is_bag = scenario.sampling.top_level == "flat"
    assert list(warnings) == [field for field in FIELDS if field in warnings]
    assert ("context_length" in warnings) == (
        shape is not None
        and shape.context_length + shape.forecast_length > min(shape.series_lengths)
    )
    assert ("bottom_rate" in warnings) == (not is_bag and scenario.bottom_rate == 1.0)
    assert ("top_rate" in warnings) == (not is_bag and scenario.top_rate == 1.0)
    is_whole = scenario.top_rate == 1.0 and shape is not None and shape.is_of_one_length
    assert ("batch_share" in warnings) == (is_bag and is_whole)
    few = shape is not None and scenario.delta * shape.num_series >= 1.0 - 1e-12
    assert ("delta" in warnings) == (few or scenario.delta >= 0.1)
    for sentence in warnings.values():
        assert jargon_in(sentence.replace("N_total", "")) == []
        assert sentence.endswith(".")
        assert len(sentence) < 160


@pytest.mark.parametrize(
    ("length", "context", "missing"), [(20, 18, 0), (20, 19, 0), (20, 20, 1), (20, 35, 16)]
)
def test_padding_begins_where_the_window_is_longer_than_the_series(length, context, missing):
    """L_F = 1 here: the last window reads L - 1 values of its L_C + 1."""
    for scheme in (TOY, BAG):
        scenario = varied(scheme, series_lengths=(length,), context_length=context)
        sentence = setting_warnings(scenario).get("context_length")
        if missing == 0:
            assert sentence is None
        else:
            values = "1 value of it is" if missing == 1 else f"{missing} values of it are"
            assert sentence == (
                f"A window of {context + 1} values is longer than a series ({length}): at least "
                f"{values} padding."
            )


def test_choosing_windows_gains_nothing_is_said_only_where_it_is_so():
    wide = varied(TOY, width=19)
    gains = "choosing windows gains nothing."
    assert setting_warnings(wide)["bottom_rate"].endswith(f"(r = 1): {gains}")
    one_window = curves_of(wide)
    every_window = curves_of(TOY.with_rates(bottom_rate=1.0))
    assert one_window.epsilon_upper == every_window.epsilon_upper
    # Independent draws may all miss; noise hides more in some windows than in others.
    noisy = varied(wide, forecast_noise=1.0)
    for scenario in (sampled(wide, bottom_level="poisson"), noisy):
        assert setting_warnings(scenario)["bottom_rate"].endswith("(r = 1).")
    assert curves_of(noisy).epsilon_upper < one_window.epsilon_upper


def test_which_longer_series_have_windows_without_protected_values_is_said():
    """Of 41 values with L_F = 1, 20 of 41 windows are touched: a single short series decides."""
    several = varied(TOY, series_lengths=(9, 15, 41, 50), width=19)
    assert several.relation.reach(several.given_shape.window_length) == 20
    assert setting_warnings(several)["bottom_rate"] == (
        "Every window of the shortest series can touch the individual's values (r = 1): choosing "
        "windows gains nothing. From 41 values on, r ≤ 0.488."
    )
    hardly = varied(TOY, series_lengths=(9, 9000), width=8998)
    assert setting_warnings(hardly)["bottom_rate"].endswith("gains nothing.")  # r ≤ 1 says nothing


@pytest.mark.parametrize("series", [49, 320, 862])
def test_delta_is_weak_from_one_in_as_many_series_on(series):
    """Also where 1 / N times N is a little below 1 in doubles, as for 49."""
    few = varied(TOY, num_series=series, delta=1 / series)
    assert setting_warnings(few) == {
        "delta": f"So large a δ promises little: who publishes one of the {series} series, drawn "
        "at random, keeps it."
    }
    assert setting_warnings(replace(few, delta=(1 - 1e-9) / series)) == {}


def test_delta_is_weak_for_a_person_in_several_series_where_one_published_keeps_it():
    """One of 320 series gives away who is in 5 of them with a chance of 5 / 320, not 1 / 320."""
    person = varied(TOY, series_per_person=5)
    assert weak_delta(replace(person, delta=1 / 320)) == ""
    assert weak_delta(replace(person, delta=(5 - 1e-9) / 320)) == ""
    assert "one of the 320 series" in weak_delta(replace(person, delta=5 / 320))


@pytest.mark.parametrize(
    ("name", "unit"), [("drawn", "step"), ("walked", "epoch"), ("one bag", "step")]
)
def test_little_noise_is_told_where_one_step_has_epsilon_above_20(name, unit):
    sentence = (
        f"So little noise hides hardly anything: even for a single {unit}, no analysis can promise "
        "ε ≤ 20 at this δ."
    )
    answers = []
    for sigma in (0.1, 0.3, 0.5, 0.6, 0.8, 1.0, 4.0):
        once = varied(RUNS[name], noise_multiplier=sigma, steps=1)
        least = curves_of(once).epsilon_lower
        answers.append(setting_warnings(once).get("noise_multiplier", ""))
        assert answers[-1] in ("", sentence)
        if name != "one bag" or answers[-1]:
            assert bool(answers[-1]) == (least is not None and least > 20.0)
    assert all(not after or before for before, after in pairwise(answers))
    assert answers[0]
    assert not answers[-1]


def test_what_chance_hides_is_not_told_to_be_unhidden():
    rare = Rates(bottom_rate=1e-9, top_rate=0.5, steps_per_epoch=2)
    scenario = varied(TOY, data=rare, noise_multiplier=0.1)
    assert setting_warnings(scenario) == {}


@pytest.mark.parametrize("name", RUNS)
def test_answers_above_20_are_told_with_numbers_on_their_own_side(name):
    curves = curves_of_kind(name)
    upper, lower = curves.epsilon_upper, curves.epsilon_lower
    warning = answer_warning(curves)
    above = upper is not None and upper > 20.0
    no_less = lower is not None and lower > 20.0
    assert bool(warning) == (upper is None or above or no_less)
    assert jargon_in(warning) == []
    assert [n >= upper for n in numbers_after("ε ≤ ", warning)] == [True] * above
    assert [n <= lower for n in numbers_after("ε = ", warning)] == [True] * no_less
    told = headline(curves)
    beside = answer_warning(curves, told)
    assert warning.startswith(beside[:-1])
    assert ("o analysis" in beside) == ("o analysis" in warning and "No analysis" not in told)


@pytest.mark.parametrize("name", RUNS)
def test_warnings_are_cheap_enough_to_be_drawn_at_every_move(name):
    assert min(repeat(lambda: setting_warnings(RUNS[name]), number=5, repeat=10)) / 5 < 2e-4
