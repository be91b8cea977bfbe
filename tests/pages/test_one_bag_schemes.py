"""One bag of windows beside series first: every scheme and every extreme."""

from dataclasses import replace
from itertools import product

import pytest

from dpviz.scenario import from_fields
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import (
    BOTTOM_LEVELS,
    LARGEST_BATCH,
    MOST_STEPS,
    MOST_SUBSEQUENCES,
    NOISE_MULTIPLIER_RANGE,
    TOP_LEVELS,
)
from dpviz.scenario.scenario import DELTA_RANGE
from tests.pages.app import (
    TOY,
    assert_sound,
    captions,
    headline,
    link_of,
    scenario_of,
)
from tests.pages.one_bag_page import KEYS, LINK, SHORT

CHANGES = ({}, {"forecast_noise": "2.0"}, {"relation": "user", "relation_width": "3"})


@pytest.mark.parametrize("top", TOP_LEVELS)
def test_every_scheme_is_compared(open_one_bag, top):
    app = open_one_bag(parts=())
    for bottom, changes in product(BOTTOM_LEVELS, CHANGES):
        link = LINK | {"top_level": top, "bottom_level": bottom} | changes
        view = "curve" if changes else "lengths"
        app.query_params.clear()
        for name, value in (link | {"bag_chart": view}).items():
            app.query_params[name] = value
        assert_sound(app.run(), KEYS[view])
        assert not app.warning
        assert scenario_of(app) == from_fields(fields_from_query(link))
        assert "no lower bound" not in headline(app)


@pytest.mark.parametrize(
    ("lengths", "says"),
    [
        ({"series_lengths": (20, 30)}, "no analysis can promise less"),
        ({"longer_series_beyond": 2}, "no lower bound: series of several lengths leave"),
    ],
    ids=["all known", "longer ones"],
)
def test_series_of_several_lengths_say_what_is_missing(open_one_bag, lengths, says):
    several = replace(SHORT, data=replace(TOY.data, **lengths))
    for view, key in KEYS.items():
        app = open_one_bag({"bag_chart": view}, link_of(several), parts=())
        assert_sound(app, key)
        assert says in headline(app)
        assert "count all series as the shortest" in captions(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("view", "changes"),
    [
        ("lengths", {"noise_multiplier": NOISE_MULTIPLIER_RANGE[0]}),
        ("lengths", {"noise_multiplier": NOISE_MULTIPLIER_RANGE[1]}),
        ("lengths", {"steps": 1}),
        ("lengths", {"delta": DELTA_RANGE[0]}),
        ("lengths", {"delta": DELTA_RANGE[1]}),
        ("lengths", {"num_series": 1, "batch_size": 1, "series_length": 1}),
        ("lengths", {"context_length": 10**6, "steps": 1}),
        ("lengths", {"top_level": "flat", "batch_size": 6400, "steps": 1}),
        ("lengths", {"relation_width": 10**6}),
        ("curve", {"delta": DELTA_RANGE[1]}),
        pytest.param("curve", {"steps": MOST_STEPS, "num_series": 1000}, marks=pytest.mark.slow),
        ("curve", {"num_series": LARGEST_COUNT}),
        ("curve", {"num_series": LARGEST_COUNT, "batch_size": LARGEST_BATCH}),
        ("curve", {"num_series": LARGEST_COUNT, "series_length": LARGEST_COUNT}),
        ("curve", {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES}),
        ("curve", {"context_length": 10**6}),
        ("curve", {"top_level": "flat", "batch_size": 6400}),
    ],
    ids=str,
)
def test_extremes_give_an_answer(open_one_bag, view, changes):
    link = {name: str(value) for name, value in changes.items()}
    app = open_one_bag(link | {"bag_chart": view}, parts=())
    assert not app.warning
    assert_sound(app, KEYS[view])
