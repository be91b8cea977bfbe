"""How a batch is drawn by every scheme, at every extreme, and what is refused."""

import pytest

from dpviz.planning.drawn_batches import drawn_run
from dpviz.planning.step_outputs import step_outputs
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.mechanism import LARGEST_BATCH, MOST_SUBSEQUENCES, NOISE_MULTIPLIER_RANGE
from dpviz.scenario.relation import WIDEST_RELATION
from dpviz.settings.attacker import MOST_DRAWN_BATCHES, SEEDS
from tests.pages.acts import press
from tests.pages.app import (
    assert_sound,
    chart,
    chart_title,
    checked,
    errors,
    headline,
    notes,
    said,
    scenario_of,
)
from tests.pages.batch_drawing_page import KEY, LINK, OUTPUTS, PARTITION, keys

SCHEMES = [
    {"top_level": top, "bottom_level": bottom}
    for top in ("without-replacement", "deterministic", "shuffled", "poisson")
    for bottom in ("with-replacement", "poisson")
] + [{"top_level": "flat"}]
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}


def traces(app) -> dict[str, dict]:
    return {trace["uid"]: trace for trace in chart(app, KEY)["data"]}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: " ".join(scheme.values()))
@pytest.mark.parametrize(
    ("level", "width"), [("event", 1), pytest.param("user", 3, marks=pytest.mark.slow)]
)
def test_every_scheme_is_drawn_counted_and_told_with_its_theorem(
    open_batch_drawing, scheme, level, width
):
    link = LINK | scheme | {"relation": level, "relation_width": str(width), "drawn_batch": "12"}
    app = open_batch_drawing(link)
    assert_sound(app, KEY)
    assert not app.warning
    scenario = scenario_of(app)
    run = drawn_run(scenario, 1, 2000, shown_from=12)
    assert chart_title(app, KEY).startswith(f"Batch 12, {run.shown[0].num_windows} window")
    walks = scheme["top_level"] in ("deterministic", "shuffled")
    counts = run.counts(in_its_step=walks)
    shares = dict(zip(traces(app)["whole"]["x"], traces(app)["whole"]["y"], strict=True))
    assert shares == {h: c / counts.sum() for h, c in enumerate(counts.tolist()) if c}
    assert f"**{counts[1:].sum():,} of {counts.sum():,} " in said(app)
    drawn = step_outputs(scenario).drawn
    assert f"bound, {'Proposition' if 'C' in drawn.bound.theorem else 'Theorem'} " in headline(app)
    assert f" {drawn.bound.theorem}" in headline(app)
    assert (PARTITION in keys(app)) == walks
    assert {KEY, OUTPUTS} <= keys(app)
    no_theorem = scheme == {"top_level": "poisson", "bottom_level": "with-replacement"}
    assert ("no theorem has them as weights" in headline(app)) == no_theorem


EXTREMES = [
    {"noise_multiplier": NOISE_MULTIPLIER_RANGE[0]},
    {"noise_multiplier": NOISE_MULTIPLIER_RANGE[1]},
    {"num_series": 32},
    {"num_series": 1, "batch_size": 1},
    {"num_series": LARGEST_COUNT},
    {"series_length": 2},
    {"series_length": LARGEST_COUNT},
    {"series_length": LARGEST_COUNT, "bottom_level": "poisson"},
    {"context_length": 0},
    {"context_length": LONGEST_WINDOW},
    {"forecast_length": LONGEST_WINDOW, "series_length": LARGEST_COUNT},
    {"batch_size": 1},
    {"batch_size": 320},
    {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES},
    {"num_subsequences": 32, "bottom_level": "poisson"},
    {"relation_width": WIDEST_RELATION},
    {"relation": "user", "relation_width": WIDEST_RELATION},
    {"drawing_seed": SEEDS[1], "drawn_batch": MOST_DRAWN_BATCHES},
    {"forecast_noise": 1.0},
]


@pytest.mark.slow
@pytest.mark.parametrize("settings", EXTREMES, ids=str)
@pytest.mark.parametrize("top", ["without-replacement", "shuffled"])
def test_extremes_are_drawn(open_batch_drawing, settings, top):
    if top == "shuffled" and settings.get("num_series") == LARGEST_COUNT:
        return  # see below
    app = open_batch_drawing(
        LINK | {"top_level": top} | {name: str(v) for name, v in settings.items()}
    )
    assert not app.warning
    assert_sound(app, KEY)
    assert chart_title(app, OUTPUTS)


@pytest.mark.parametrize(
    ("settings", "field", "most"),
    [
        ({"num_series": LARGEST_COUNT, "top_level": "poisson"}, "Series N", "2,000,000"),
        ({"num_series": LARGEST_COUNT, "batch_size": LARGEST_BATCH}, "Batch size Λ", "100,000"),
    ],
)
def test_what_would_take_too_long_is_refused_by_name(
    open_batch_drawing, settings, field, most, downloads
):
    app = open_batch_drawing(LINK | {name: str(value) for name, value in settings.items()})
    assert f"{field} = 1000000000 is not allowed: it must be at most {most} to draw" in errors(app)
    assert "cannot be drawn here" in downloads["Download CSV"]()


def test_fewer_batches_of_very_many_windows_are_drawn_and_that_is_said(open_batch_drawing):
    app = open_batch_drawing(
        LINK | {"num_series": "100000", "batch_size": "100000", "drawn_batch": "2000"}
    )
    assert_sound(app, KEY)
    assert "Only 30 of 2,000 batches are drawn" in said(app)
    assert chart_title(app, KEY).startswith("Batch 30, 100,000 windows of 100,000 series")


def test_rates_have_an_answer_without_a_drawing_and_a_way_back(open_batch_drawing):
    app = open_batch_drawing(LINK | RATES)
    checked(app)
    assert "no batch can be drawn" in notes(app)
    assert "Theorem 4.4" in headline(app)
    assert keys(app) <= {OUTPUTS, "copy_link", "connection", "page_top"}
    press(app, "batch_shape")
    assert_sound(app, KEY)
    for rate in (SMALLEST_RATE, 1.0):
        bare = RATES | {"bottom_rate": str(rate), "top_rate": str(rate), "batch_size": "4"}
        bare |= {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
        app = open_batch_drawing(bare)
        assert not checked(app).error
        assert chart_title(app, OUTPUTS)
