"""Every choice of what the pages show: views at random, other values, and bad ones."""

from datetime import date
from functools import reduce

from hypothesis import strategies as st

from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.settings import VIEW_SETTINGS, View
from dpviz.settings.curves import FIRST_DATES
from dpviz.settings.lessons import (
    CHOICES,
    LESSONS,
    with_answer,
    with_lesson,
)
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS, checked_forecasters
from tests.scenario import (
    many_scenarios_choices,
    private_inference_choices,
    protected_forecasts_choices,
    release_choices,
    training_choices,
    training_study_choices,
)

TEXTS = {
    "first_date": st.dates(*FIRST_DATES).map(date.isoformat),
    "game_answers": st.just("") | st.from_regex("[0-9a-f]{8}-[yn]{1,50}", fullmatch=True),
    "answers": st.dictionaries(st.sampled_from(LESSONS), st.sampled_from(CHOICES)).map(
        lambda chosen: reduce(lambda text, pair: with_answer(text, *pair), chosen.items(), "")
    ),
    "revealed": st.sets(st.sampled_from(LESSONS)).map(lambda shown: reduce(with_lesson, shown, "")),
    "staged_levels": st.lists(
        st.integers(1, 50).flatmap(lambda size: st.integers(1, size).map(f"{{}}:{size}".format)),
        min_size=2,
        max_size=5,
    ).map(",".join),
    "live_forecasters": st.permutations(LIVE_FORECASTERS).map(
        lambda names: checked_forecasters("live_forecasters", ",".join(names[:2]))
    ),
}


def values_of(setting):
    """Return a strategy of what a setting may be."""
    if setting.name in TEXTS:
        return TEXTS[setting.name]
    if setting.choices:
        return st.sampled_from(list(setting.choices))
    if setting.check is not None:
        return st.just(setting.default)
    low, high = setting.limits
    return st.integers(low, high) if isinstance(low, int) else st.floats(low, high)


VIEWS = st.builds(View, **{name: values_of(one) for name, one in VIEW_SETTINGS.items()})
OTHERS = {
    "chart": "training",
    "compared_length": "step",
    "compared_steps": 3,
    "noise_chart": "map",
    "bag_chart": "curve",
    "first_date": "2021-02-28",
    "figure": "13",
    "panel": 2,
    "goal": "hits",
    "target_success": 0.75,
    "target_false_positive_rate": 0.1,
    "target_true_positive_rate": 0.3,
    "free_quantity": "forecast_noise",
    "plan_chart": "map",
    "region_x": "noise_multiplier",
    "region_y": "relation_width",
    "region_layer": "noise",
    "drawn_batch": 7,
    "drawing_seed": 0,
    "prior": 0.01,
    "rate_axes": "log",
    "simulated_runs": 5000,
    "simulated_units": 3,
    "game_kind": "drawn",
    "game_seed": 0,
    "game_answers": "0123abcd-ynn",
    "reported_table": "figure-12",
    "reported_column": 3,
    "reported_windows": "lags",
    "lesson": "windows",
    "answers": "leak-c.bag-a",
    "revealed": "leak.epsilon",
    "present": 1,
    "staged_levels": "2:3,4:5,1:9",
    "staged_episodes": 7,
    "staged_example": "own",
}
OTHERS |= private_inference_choices.OTHERS
OTHERS |= protected_forecasts_choices.OTHERS
OTHERS |= release_choices.OTHERS
OTHERS |= training_choices.OTHERS
OTHERS |= training_study_choices.OTHERS
OTHERS |= many_scenarios_choices.OTHERS
BAD = {
    "chart": ["", "pie", "Curve", "curve ", "x" * 10**6, "a\nb\x1b[2J"],
    "target_epsilon": ["", "x", "0", "-1", "nan", "inf", "1e-5", "1001", "1e400", "1" * 10**6],
    "fixed_epsilon": ["", "0", "nan", "1,5", "9999", "\x00", "0x10"],
    "compared_steps": ["", "-1", "1.5", "nan", "inf", str(MOST_STEPS + 1), "1e8", "many"],
    "compared_length": ["", "epochs", "10", "step\n", "\u202eabc"],
    "noise_chart": ["", "surface", "Map"],
    "bag_chart": ["", "bars", "curve "],
    "first_date": ["", "2024", "2024-13-01", "2023-02-29", "1799-12-31", "9999-12-31", "1.1.2024"],
    "figure": ["", "1", "11", "02", "2.0", "thirteen"],
    "panel": ["", "-1", "0.5", "nan", "33", "1e400"],
    "goal": ["", "delta", "Epsilon"],
    "target_success": ["", "0.5", "1", "60 %", "nan"],
    "target_false_positive_rate": ["", "0", "1", "-0.1", "inf"],
    "target_true_positive_rate": ["", "0", "1.5", "all"],
    "free_quantity": ["", "sigma", "delta"],
    "plan_chart": ["", "table"],
    "region_x": ["", "r", "training "],
    "region_y": ["", "rho"],
    "region_layer": ["", "delta"],
    "drawn_batch": ["", "0", "-1", "1.5", "2001", "nan", "last"],
    "drawing_seed": ["", "-1", "0.5", "1000000001", "inf", "random"],
    "prior": ["", "0", "1", "-0.5", "nan", "50 %"],
    "rate_axes": ["", "Log", "loglog"],
    "simulated_runs": ["", "999", "100001", "1e3.5", "nan", "many"],
    "simulated_units": ["", "0", "11", "1.5", "-1"],
    "game_kind": ["", "Drawn", "sure"],
    "game_seed": ["", "-1", "0.5", "1000000001", "random"],
    "game_answers": [
        "-",
        "ynn",
        "0123abcd",
        "0123abcd-",
        "0123abcd-x",
        "0123ABCD-y",
        "0123abcd-" + "y" * 51,
        "0123abcd-y\n",
        "y" * 10**6,
    ],
    "reported_table": ["", "0", "14", "02", "figure-13", "Table 2"],
    "reported_column": ["", "-1", "0.5", "nan", "17", "first"],
    "reported_windows": ["", "Lags", "both"],
    "lesson": ["", "Leak", "1", "leak ", "leak.rates"],
    "answers": [
        "-",
        "leak",
        "leak-e",
        "leak-A",
        "leak-",
        "rates-a.leak-a",
        "leak-a.leak-b",
        "leak-a.",
        ".",
        "leak-a,rates-b",
        "all-a",
        "leak-a" + ".leak-a" * 10**6,
    ],
    "revealed": [".", "all", "rates.leak", "leak.leak", "leak.", "leak,rates", "leak-a"],
    "staged_levels": ["", "1:2", "1:2,3", "3:2,1:2", "0:2,1:2", "1:2," * 10**5, "1:2,1:2x"],
    "staged_noise": ["", "0", "101", "nan", "one"],
    "staged_episodes": ["", "0", "1.5", "1e8", "many"],
    "staged_example": ["", "Own", "mine"],
    "present": ["", "2", "-1", "0.5", "yes", "nan"],
}
BAD |= private_inference_choices.BAD
BAD |= protected_forecasts_choices.BAD
BAD |= release_choices.BAD
BAD |= training_choices.BAD
BAD |= training_study_choices.BAD
BAD |= many_scenarios_choices.BAD
