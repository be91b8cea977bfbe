"""The smallest and the largest value of every control, on every page."""

import json
from itertools import product

import pytest

from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.mechanism import (
    LARGEST_AUGMENTATION,
    LARGEST_BATCH,
    MOST_STEPS,
    MOST_SUBSEQUENCES,
    NOISE_MULTIPLIER_RANGE,
)
from dpviz.scenario.relation import MOST_CHANNELS, WIDEST_RELATION
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.settings.attacker import MOST_DRAWN_BATCHES
from dpviz.settings.curves import EPSILON_RANGE
from dpviz.settings.pages import WITHOUT_SCENARIO
from dpviz.settings.planner import RATE_RANGE
from dpviz.settings.setting import SEEDS
from tests.pages.app import TOY, link_of

# Few steps and a small batch, but for the control at its extreme.
BASE = link_of(TOY) | {"steps": "10", "batch_size": "4"}
RATES = {name: BASE[name] for name in ("batch_size", "noise_multiplier", "steps", "delta")} | {
    "steps_per_epoch": "10"
}
SIGMAS, DELTAS = NOISE_MULTIPLIER_RANGE, DELTA_RANGE
CHARTS = {
    "curve": ("privacy_curve", "privacy_curve", {}),
    "subsequences": ("subsequences", "subsequences", {}),
    "sample_or_walk": ("sample_or_walk", "sample_or_walk", {}),
    "label_noise": ("label_noise", "label_noise", {}),
    "protection": ("protection", "protection", {}),
    "over_training": ("privacy_curve", "over_training", {"chart": "training"}),
    "over_steps": ("subsequences", "over_steps", {"chart": "training"}),
    "noise_map": ("label_noise", "noise_map", {"noise_chart": "map"}),
    "bag_curve": ("one_bag", "one_bag", {"bag_chart": "curve"}),
    "bag_lengths": ("one_bag", "bag_lengths", {"bag_chart": "lengths"}),
    "trade_off": ("epsilon_meaning", "trade_off", {}),
    "batch": ("batch_drawing", "batch_drawing", {"context_length": "4", "forecast_length": "2"}),
    "staged": ("multistage", "staged_chart", {"staged_example": "own"}),
}
EVERYWHERE = [
    RATES | {"bottom_rate": SMALLEST_RATE, "top_rate": SMALLEST_RATE},
    RATES | {"bottom_rate": 1.0, "top_rate": 1.0},
    {"noise_multiplier": SIGMAS[0]},
    {"noise_multiplier": SIGMAS[1]},
    {"steps": 1},
    {"delta": DELTAS[0]},
    {"delta": DELTAS[1], "noise_multiplier": 0.3},
    {"forecast_noise": LARGEST_AUGMENTATION},
    {"relation_width": WIDEST_RELATION},
]
OF_THE_DATA = [
    {"num_series": 4},
    {"num_series": LARGEST_COUNT},
    {"series_length": 1},
    {"series_length": LARGEST_COUNT},
    {"context_length": 0},
    {"context_length": LONGEST_WINDOW},
    {"forecast_length": 20},
    {"forecast_length": LONGEST_WINDOW, "series_length": LARGEST_COUNT},
    {"batch_size": 1},
    {"batch_size": 320},
    {"batch_size": LARGEST_BATCH, "num_series": LARGEST_COUNT},
    {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES},
    {"context_noise": LARGEST_AUGMENTATION},
    {"relation": "user", "relation_width": WIDEST_RELATION},
    {"num_channels": MOST_CHANNELS, "forecast_noise": 1},
    {"bottom_level": "poisson", "series_length": LARGEST_COUNT},
]
CURVE, *OTHERS_OF_TRAINING = [*CHARTS][:7]
MOST = {"num_series": LARGEST_COUNT}
MANY_WINDOWS = {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES}
# By charts that have them.
OF_A_PAGE = {
    ("curve",): [{"steps": MOST_STEPS, "noise_multiplier": SIGMAS[0]}],
    ("over_training",): [{"target_epsilon": end} for end in EPSILON_RANGE],
    ("over_steps",): [{"fixed_epsilon": end} for end in EPSILON_RANGE],
    ("subsequences", "sample_or_walk", "over_training", "trade_off"): [{"steps": MOST_STEPS}],
    ("noise_map",): [{"forecast_noise": 1e-300}, {"series_length": 1, "forecast_noise": 2}],
    ("bag_lengths", "trade_off", "batch"): [{"noise_multiplier": end} for end in SIGMAS],
    ("bag_lengths", "trade_off"): [{"delta": end} for end in DELTAS],
    ("bag_curve",): [
        MOST | {"batch_size": LARGEST_BATCH},
        MOST | {"series_length": LARGEST_COUNT},
    ],
    ("bag_curve", "batch"): [MANY_WINDOWS],
    ("trade_off",): [{"target_false_positive_rate": end} for end in RATE_RANGE],
    ("batch",): [
        {"series_length": LARGEST_COUNT, "bottom_level": "poisson"},
        {"drawing_seed": SEEDS[1], "drawn_batch": MOST_DRAWN_BATCHES},
    ],
    ("staged",): [{"staged_levels": "1:30000,1:30000", "staged_noise": 0.1}],
}


def open_chart(open_page, chart: str, settings: dict):
    """Open a chart by a link and check that it answers for just these settings."""
    page, key, view = CHARTS[chart]
    base = {} if "bottom_rate" in settings or page in WITHOUT_SCENARIO else BASE
    link = base | view | {name: str(value) for name, value in settings.items()}
    app = open_page(
        link, page, parts=("open_certificate", "open_orders", "open_deltas", "open_every_rate")
    )
    assert not app.warning
    app.assert_sound(key)
    return app


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chart", "settings"),
    [
        *product([CURVE, *OTHERS_OF_TRAINING], [*EVERYWHERE, *OF_THE_DATA]),
        *(pair for charts, each in OF_A_PAGE.items() for pair in product(charts, each)),
    ],
    ids=json.dumps,
)
def test_extreme_gives_an_answer(open_page, chart, settings):
    app = open_chart(open_page, chart, settings)
    if chart == CURVE and settings in OF_THE_DATA:
        # Losses of thousands are beyond what the accountant resolves, and it says so.
        is_beyond = settings.get("num_subsequences") == MOST_SUBSEQUENCES
        assert ("no finite ε is proven" if is_beyond else "ε ≤ ") in app.headline
