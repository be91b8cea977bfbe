"""What people are advised, and what a plan asks them: by the numbers of computed examples."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning.curves import EPSILON_GRID, SMALLEST_DELTA, curves_of
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import PRESETS, Sampling, scenario_from_link
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query
from dpviz.ui.texts import titled_text
from dpviz.wording.how_to_choose import CHOICES, examples_table, more_links
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.plan import data_line
from dpviz.wording.plan_advice import (
    data_advice,
    delta_advice,
    noise_advice,
    protection_advice,
    sampling_advice,
)
from dpviz.wording.theorems import named_theorem
from tests.planning.kinds import sampled
from tests.scenario.changes import varied

TEXTS = Path(__file__).parents[2] / "dpviz/ui/texts/how_to_choose"
EXAMPLES = [(choice.key, example) for choice in CHOICES for example in choice.examples]
DISTINCT = {example.scenario: f"{key}: {example.name}" for key, example in EXAMPLES}
# What a text calls proven: the first is more private than the second.
PROVEN = [
    ("many-series", "862 series, drawn at random", "862 series, walked through"),
    ("many-series", "r = ρ = 0.5, walked through", "r = ρ = 0.5, drawn at random"),
    ("by-coins", "By coins", "A fixed number"),
    ("loader", "By coins", "At random"),
    ("few-series", "8 series, λ = 1, σ = 1, Λ = 8", "8 series, λ = 4, σ = 1, Λ = 32"),
    ("few-series", "8 series, λ = 4, σ = 4, Λ = 32", "8 series, λ = 1, σ = 1, Λ = 8"),
    ("few-series", "8 series, λ = 1, σ = 4, Λ = 8", "8 series, λ = 4, σ = 4, Λ = 32"),
    ("one-window-first", "λ = 1", "λ = 8"),
    ("one-bag", "One bag, by coins", "Series first"),
    ("one-bag", "Series first", "One bag, fixed size"),
    ("batch-and-steps", "Λ = 256, σ = 4", "Λ = 128, σ = 2"),
    ("batch-and-steps", "Λ = 512, σ = 8", "Λ = 256, σ = 4"),
]


computed = cache(curves_of)


def example_of(key: str, name: str):
    return next(one for choice, one in EXAMPLES if (choice, one.name) == (key, name))


@pytest.mark.every(8)
@pytest.mark.parametrize("scenario", DISTINCT, ids=DISTINCT.values())
def test_every_bound_is_what_the_accountant_says(scenario):
    curves = computed(scenario)
    for key, example in EXAMPLES:
        if example.scenario != scenario:
            continue
        assert example.at_most == rounded_up(curves.epsilon_upper)
        least = "" if curves.epsilon_lower is None else rounded_down(curves.epsilon_lower)
        assert example.at_least == least
        choice = next(one for one in CHOICES if one.key == key)
        named = named_theorem(curves.upper.bound.theorem)
        shared, *rows = examples_table(choice).splitlines()
        row = next(row for row in rows if f"[{example.name}]" in row)
        assert f"{named}](theorems#" in (shared if "upper bounds by" in shared else row)
        assert f"≤ {example.at_most}" in row


@pytest.mark.every(2)
@pytest.mark.parametrize(("key", "private", "other"), PROVEN)
def test_what_is_called_proven_is_proven(key, private, other):
    """The upper bound on one lies below what some model gives away under the other."""
    upper = computed(example_of(key, private).scenario).epsilon_upper
    lower = computed(example_of(key, other).scenario).epsilon_lower
    assert upper < lower


def test_compared_runs_of_few_series_have_the_noise_per_gradient_that_the_text_says():
    one, same, more = (
        example_of("few-series", name).scenario
        for name in (
            "8 series, λ = 1, σ = 1, Λ = 8",
            "8 series, λ = 4, σ = 4, Λ = 32",
            "8 series, λ = 1, σ = 4, Λ = 8",
        )
    )
    assert noise_per_gradient(one) == noise_per_gradient(same) == noise_per_gradient(more) / 4
    assert one.top_rate == same.top_rate == 1.0
    assert one.num_steps == same.num_steps == 1000


def test_batches_are_compared_at_the_same_noise_per_gradient_and_number_of_windows():
    """Not of epochs: of 862 series a batch of 512 leaves 350 out of each epoch."""
    runs = [one.scenario for key, one in EXAMPLES if key == "batch-and-steps"]
    assert {noise_per_gradient(run) for run in runs} == {1 / 64}
    (windows,) = {run.num_steps * run.sampling.batch_size for run in runs}
    assert f" {windows:,} windows " in titled_text("how_to_choose/batch-and-steps")[1]
    assert [run.num_steps for run in runs] == sorted({run.num_steps for run in runs}, reverse=True)


def test_one_step_favours_eight_windows_at_small_epsilon_and_one_from_a_tenth_on():
    one = computed(example_of("one-window-first", "λ = 1, one step").scenario)
    eight = computed(example_of("one-window-first", "λ = 8, one step").scenario)
    text = titled_text("how_to_choose/one-window-first")[1]
    at = [(run, run.upper.place_of(0.01)) for run in (one, eight)]
    deltas = [side for run, k in at for side in (run.lower.delta_low[k], run.upper.delta_high[k])]
    numbers = [float(number) for number in re.findall(r"0\.00\d+", text)]
    # Each is rounded to its own side.
    for shown, exact, sign in zip(numbers, deltas, (1, -1, 1, -1), strict=True):
        assert 0 <= sign * (exact - shown) < 1e-5
    least_one, most_one, least_eight, most_eight = numbers
    assert least_eight < most_eight < least_one < most_one
    for epsilon in EPSILON_GRID[EPSILON_GRID >= 0.1]:
        upper = one.upper.delta_high[one.upper.place_of(epsilon)]
        if upper >= SMALLEST_DELTA:
            assert upper < eight.lower.delta_low[eight.upper.place_of(epsilon)]


def test_label_noise_alone_leaves_the_context():
    alone = computed(example_of("label-noise", "Past values read, σ_F = 1000").scenario)
    both = computed(example_of("label-noise", "Past values read, σ_C = σ_F = 2").scenario)
    assert alone.upper.bracket.low > 0.5
    assert both.epsilon_upper < alone.upper.bracket.low


def test_a_whole_series_has_all_of_its_windows_touched():
    for name in ("862 series, all of one protected", "137 series, all of one protected"):
        assert example_of("give-up", name).scenario.bottom_rate == 1.0


def test_every_text_is_shown_and_every_advice_has_one():
    assert {path.stem for path in TEXTS.glob("*.md")} == {choice.key for choice in CHOICES}
    for choice in CHOICES:
        # The advice comes first, what it rests on after it.
        assert titled_text(f"how_to_choose/{choice.key}")[1].startswith("**")


@pytest.mark.parametrize("choice", CHOICES, ids=[choice.key for choice in CHOICES])
def test_links_open_the_settings_that_the_numbers_are_of(choice):
    assert choice.page in PAGE_NAMES
    for example in choice.examples:
        parts = urlsplit(choice.address(example))
        given = dict(parse_qsl(parts.query))
        view = {name: given.pop(name) for name in VIEW_PARAMETERS if name in given}
        assert given.keys() <= set(FIELD_NAMES)
        assert scenario_from_link(given, CHOICES[0].examples[0].scenario) == (example.scenario, [])
        assert view_from_query(view) == (choice.view, [])
    for page, _ in choice.more:
        assert urlsplit(page).path in {*PAGE_NAMES, "glossary"}
        assert f"({page})" in more_links(choice)


TRAFFIC = varied(PRESETS["traffic"].scenario, steps=12_000)
KEYS = {choice.key for choice in CHOICES}


FEW = varied(
    TRAFFIC, num_series=8, series_lengths=(50_000,), sampling=Sampling(batch_size=8), steps=1000
)
LABELS = varied(TRAFFIC, context_length=0)


@pytest.mark.parametrize(
    ("advice", "scenario", "key"),
    [
        (data_advice, TRAFFIC, "public-calendar"),
        (data_advice, FEW, "few-series"),
        (data_advice, LABELS, None),
        (data_advice, TRAFFIC.with_rates(bottom_rate=0.1), None),
        (protection_advice, TRAFFIC, "who"),
        (protection_advice, varied(TRAFFIC, width=336), "who"),
        (protection_advice, varied(TRAFFIC, level="user", width=4), "who"),
        (protection_advice, varied(TRAFFIC, level="user", width=17_544), "give-up"),
        (delta_advice, TRAFFIC, None),
        (delta_advice, replace(TRAFFIC, delta=1e-3), "delta"),
        (sampling_advice, TRAFFIC, None),
        (sampling_advice, sampled(TRAFFIC, num_subsequences=4), "one-window-first"),
        (sampling_advice, sampled(TRAFFIC, top_level="poisson"), "by-coins"),
        (sampling_advice, sampled(TRAFFIC, top_level="poisson", batch_size=862), None),
        (sampling_advice, sampled(TRAFFIC, top_level="bins"), "by-coins"),
        (sampling_advice, sampled(TRAFFIC, top_level="bins", batch_size=862), None),
        (sampling_advice, sampled(TRAFFIC, top_level="shuffled"), "loader"),
        (sampling_advice, sampled(TRAFFIC, top_level="deterministic"), "many-series"),
        (sampling_advice, sampled(TRAFFIC, top_level="deterministic", batch_size=862), None),
        (sampling_advice, sampled(TRAFFIC, top_level="flat"), "one-bag"),
        (sampling_advice, sampled(TRAFFIC, top_level="flat", bottom_level="poisson"), "one-bag"),
        (noise_advice, TRAFFIC, None),
        (noise_advice, LABELS, "label-noise"),
        (noise_advice, varied(TRAFFIC, forecast_noise=2.0), "label-noise"),
        (noise_advice, varied(LABELS, forecast_noise=2.0), None),
        (noise_advice, sampled(TRAFFIC, num_subsequences=4), "label-noise"),
    ],
)  # fmt: skip
def test_advice_is_the_one_that_applies(advice, scenario, key):
    assert key is None or key in KEYS
    link = "" if key is None else f" [More](how_to_choose#{key})"
    assert advice(scenario).endswith(link)
    assert bool(advice(scenario)) == bool(link)


def test_of_several_lengths_only_the_shortest_is_told_to_be_touched_whole():
    lengths = varied(TRAFFIC, series_lengths=(40, 17_544))
    assert "The shortest series decides, with r = 1: leave it out" in protection_advice(lengths)
    # Without the shortest, r of the next one is 1 as well.
    near = varied(TRAFFIC, series_lengths=(40, 41, 17_544))
    assert protection_advice(near).startswith("At r = 1, expect")
    coins = sampled(lengths, bottom_level="poisson")
    assert protection_advice(coins).startswith("At r = 1, expect")


@pytest.mark.parametrize(
    "scenario",
    [
        sampled(LABELS, top_level="shuffled", bottom_level="poisson"),
        sampled(LABELS, top_level="flat"),
        varied(LABELS, series_per_person=3),
        sampled(varied(TRAFFIC, forecast_noise=2.0), num_subsequences=4),
    ],
)
def test_no_noise_is_advised_where_no_theorem_credits_it(scenario):
    assert not covers_noise_on_windows(scenario)
    said = noise_advice(scenario)
    assert said.startswith("No theorem credits noise on windows here: only for one window per ")
    assert "add noise" not in said


def test_nothing_is_told_of_windows_that_nobody_has_chosen():
    assert data_line(TRAFFIC, is_chosen=False) == (
        "862 series of 17,544 values, hourly  \nwindows still to be chosen"
    )
    assert "Λ" not in data_line(TRAFFIC, found="batch_size")
