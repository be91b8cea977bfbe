"""The statement's numbers are the account's, on their sound sides, each with its meaning."""

import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.export.code import command_line
from dpviz.export.parameters import exact, noise_in_units, parameters_table, rate_of
from dpviz.export.statement import privacy_statement, statement_sections
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.scenario import PRESETS, Noise, Relation, ScenarioError, from_json, to_query
from dpviz.scenario.relation import worst_case_lengths
from dpviz.wording.attack_rates import gain_sentence
from dpviz.wording.certificate import certificate
from dpviz.wording.findings import headline
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied
from tests.scenario.strategies import RATES_ONLY, scenarios
from tests.wording.reading import is_between, numbers_after

NO_NUMBER = re.compile(r"\b(nan|inf|infinity|None)\b", re.IGNORECASE)
WEEKS = varied(
    PRESETS["traffic"].scenario,
    relation=Relation(width=336, max_change=300.0),
    noise=Noise(noise_multiplier=4.0, forecast_noise=2.5),
    steps=10,
    value_unit="cars",
)


@cache
def gain_of_kind(name):
    return attackers_gain(RUNS[name])


@cache
def sections_of_kind(name):
    return dict(statement_sections(curves_of_kind(name), gain_of_kind(name)))


def statement_of(scenario, **named):
    return privacy_statement(curves_of(scenario), attackers_gain(scenario), **named)


@pytest.mark.parametrize("name", RUNS)
def test_bounds_are_the_certificates_and_rounded_to_their_sound_sides(name):
    curves, text = curves_of_kind(name), sections_of_kind(name)["Proven bounds"]
    # The same words as on a page, but for links into the app.
    assert text == re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", certificate(curves))
    high, low = curves.epsilon_upper, curves.epsilon_lower
    lead = headline(curves)
    for told in (text, lead):
        shown = numbers_after("ε ≤ ", told)
        assert shown == [] if high is None else high <= shown[0] <= 1.001 * high
    assert ("no finite ε" in text) == ("no finite ε is proven" in lead) == (high is None)
    if curves.lower is None:
        assert "None is proven" in text
    elif low is not None:
        assert 0.999 * low <= numbers_after("ε ≥ ", text)[0] <= low
    if high:
        first, last = numbers_after("between ", text)[0], numbers_after(" and ", text)[0]
        assert is_between(curves.upper.bracket.low, first, last, high)


@pytest.mark.parametrize("name", RUNS)
def test_attackers_gain_is_that_of_the_pages_and_says_whose_it_is(name):
    curves, gain = curves_of_kind(name), gain_of_kind(name)
    text = sections_of_kind(name)["What an attacker gains, in rates"]
    assert gain_sentence(gain) in text
    (told,) = numbers_after("positive rate by **at most ", text)
    advantage = 2.0 * gain.success.share - 1.0
    assert advantage <= told <= max(1.002 * advantage, 1e-12)
    floor = numbers_after("**at least ", text)
    assert len(floor) == (curves.lower is not None)
    if floor:
        assert 0.999 * curves.lower.delta_low[0] <= floor[0] <= curves.lower.delta_low[0]
        # What an attacker attains is no more than what none exceeds.
        assert floor[0] <= told
    assert gain.bound.condition in text


@pytest.mark.parametrize("name", RUNS)
def test_every_statement_tells_what_its_scheme_needs(name):
    curves, sections = curves_of_kind(name), sections_of_kind(name)
    scenario, bound = RUNS[name], curves.upper.bound
    held, mechanism = sections["Conditions"], sections["Mechanism"]
    assert held.startswith("- **Clipping.**")
    has_noise = scenario.noise.forecast_noise > 0.0
    assert ("Noise on context and labels" in held) == has_noise
    assert ("Noise on context and labels" in mechanism) == has_noise
    assert f"σ = {exact(scenario.noise.noise_multiplier)}," in mechanism
    assert "is not covered" in sections["What is protected"]
    assert "ONE series are substituted" in sections["What is protected"]
    assert ("changed by at most v" in sections["What is protected"]) == bool(bound.condition)
    everything = headline(curves) + "".join(sections.values())
    assert bound.extension[1:] in everything
    assert not NO_NUMBER.search(everything.replace("bound.** None is proven", ""))


def test_the_largest_change_is_told_as_it_was_set():
    text = statement_of(WEEKS)
    assert "each changed by at most v = 300 cars." in text
    assert "if no value changes by more than v = 300, the unit of the noise on windows" in text


@pytest.mark.parametrize("preset", PRESETS)
def test_scenario_and_command_in_the_statement_are_those_of_the_run(preset):
    scenario = PRESETS[preset].scenario
    text = statement_of(varied(scenario, steps=3))
    code = dict(re.findall(r"```(\w+)\n(.*?)\n```", text, flags=re.DOTALL))
    shown = from_json(code["json"])
    assert replace(shown, training=scenario.training) == scenario
    assert code["bash"] == command_line(shown)


def test_an_epoch_of_one_batch_has_no_several():
    one = varied(TOY, top_level="bins", batch_size=320, epochs=1)
    assert " into its only batch, uniformly" in statement_of(one)
    several = varied(one, batch_size=32)
    assert " into one of its 10 batches, uniformly" in statement_of(several)


def test_every_parameter_is_told_with_all_its_digits():
    text = statement_of(WEEKS)
    rows = dict(re.findall(r"^\| (.*?) \| (.*?) \|$", text, flags=re.MULTILINE))
    told = {
        "Series N": "862",
        "Series length L": "17,544",
        "Context length L_C": "96",
        "Forecast length L_F": "24",
        "Start positions T": "17,521",
        "Touched windows k": "455",
        "Bottom-level rate r": "455 / 17,521 = 0.0259689 (rounded up)",
        "Top-level rate ρ": "256 / 862 = 0.296984 (rounded up)",
        "Windows per series λ": "1",
        "Batch size Λ": "256",
        "Training steps": "10",
        "Epochs begun": "4",
        "Noise multiplier σ": "4",
        "Noise on context σ_C": "0 (no noise)",
        "Noise on labels σ_F": "2.5 v = 750 cars",
        "Largest change of a value v": "300 cars",
        "How many, w": "336",
        "Values per time step (channels)": "1",
        "Time from value to value": "1 hour",
        "Failure probability δ": "10⁻⁷",
    }
    assert told.items() <= rows.items()
    assert "any 336 consecutive values (2 weeks) of one series" in text
    assert "σ_F = 2.5 v = 750 cars on labels" in text


def test_lengths_that_are_not_listed_are_said_to_be_trained_on():
    shape = worst_case_lengths(
        [40, 901, 2000], num_series=40, context_length=168, forecast_length=24, relation=Relation()
    )
    table = parameters_table(replace(TOY, data=shape))
    assert "| Series length L | 40, 901 and longer |" in table
    limit = "192 start positions; longer series are trained on, too"
    assert f"| All series lengths listed up to | {limit} |" in table


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_rates_are_rounded_up(part, whole):
    part, whole = sorted((part, whole))
    (told,) = numbers_after(" = ", rate_of(part, whole))
    assert part / whole * (1.0 - 1e-15) <= told <= 1.00001 * part / whole


@given(st.floats(1e-6, 1e6), st.floats(1e-12, 1e12))
def test_whoever_adds_the_noise_that_is_told_adds_enough(sigma, change):
    scenario = varied(TOY, max_change=change)
    (told,) = numbers_after(" v = ", noise_in_units(scenario, sigma))
    assert sigma * change * (1.0 - 1e-15) <= told <= 1.00001 * sigma * change


def test_rates_given_directly_tell_no_shape():
    text = statement_of(replace(TOY.with_rates(top_rate=0.3), training=TOY.training))
    assert "| Top-level rate ρ | 0.3 |" in text
    assert "| Series N |" not in text
    assert "Batch size" not in sections_of_kind("negligible")["Parameters"]
    said = "r and ρ were set by hand: that they are those of the training has to be shown."
    assert said in text[: text.index("## In full")]
    assert "**Rates set by hand.**" in text
    assert "by hand" not in statement_of(TOY)


def test_links_are_there_where_the_app_has_an_address():
    curves, gain = curves_of_kind("drawn"), gain_of_kind("drawn")
    assert "](" not in privacy_statement(curves, gain)
    text = privacy_statement(curves, gain, base_url="https://dp.example/app/")
    assert f"](https://dp.example/app/privacy_curve?{to_query(TOY)})" in text
    assert "[Theorem 4.4](https://dp.example/app/theorems#theorem-4-4)" in text


# Few steps and moderate noise, so that each is answered in milliseconds.
SHORT = (scenarios() | RATES_ONLY).map(
    lambda scenario: varied(
        scenario,
        noise_multiplier=max(1.0, scenario.noise.noise_multiplier),
        steps=1 + scenario.training.count % 10,
    )
)


@settings(max_examples=25)
@given(SHORT, st.booleans())
def test_no_statement_says_what_is_no_number(scenario, in_one_bag):
    if in_one_bag and scenario.shape is not None:
        scenario = sampled(scenario, top_level="flat", num_subsequences=1,
                           bottom_level="with-replacement", batch_size=1)  # fmt: skip
    try:
        curves = curves_of(scenario, tolerance=0.05)
        gain = attackers_gain(scenario, tolerance=0.05)
    except ScenarioError:
        return
    text = privacy_statement(curves, gain)
    prose = text.replace("bound.** None is proven", "")
    assert not NO_NUMBER.search(prose)
    high = curves.epsilon_upper
    assert high is None or numbers_after("ε ≤ ", text)[0] >= high
    json_text = re.findall(r"```json\n(.*?)\n```", text, flags=re.DOTALL)[0]
    assert from_json(json_text) == scenario


def test_of_a_person_in_several_series_nothing_is_said_as_if_it_were_one():
    scenario = varied(TOY, series_per_person=3)
    said = statement_of(scenario)
    for one in ("ONE series", "*one* series", "one series", "several series"):
        assert one not in said
    for several in ("or in more than 3 series", "of each of up to 3 series", "*each* of up to m"):
        assert several in said
