"""What a plan has to meet, what it leaves open, and the map around it."""

from dataclasses import dataclass

from dpviz.settings.grids import FALSE_POSITIVE_RATES, SUCCESSES, TRUE_POSITIVE_RATES
from dpviz.settings.scenario import SCENARIO_SETTINGS
from dpviz.settings.setting import ViewPart, choice, number, slider

SUCCESS_RANGE = (0.5001, 0.9999)
RATE_RANGE = (1e-6, 0.9999)
# What the axes of the map are called in a sentence.
_OTHER_WORDS = {"training": "training", "relation_width": "protected values w"}
REGION_AXES = {
    name: _OTHER_WORDS.get(name) or SCENARIO_SETTINGS[name].phrase
    for name in (
        *("noise_multiplier", "training", "batch_size", "num_subsequences", "relation_width"),
        *("context_length", "forecast_noise"),
    )
}


@dataclass(frozen=True, kw_only=True)
class PlannerView(ViewPart):
    """The goal of a plan, and what is shown of it."""

    goal: str = choice(
        "epsilon",
        {"epsilon": "ε at δ", "success": "attacker's success", "hits": "attacker's hits"},
        "Goal",
    )
    target_success: float = number(
        0.6,
        SUCCESS_RANGE,
        "Share of attackers right, at even odds",
        **slider(SUCCESSES, "guessing", "certain"),
        help="Of attackers who see all models and find both data sets equally likely, at most "
        "this share may tell which one it was.",
        term="advantage",
    )
    target_false_positive_rate: float = number(
        0.01,
        RATE_RANGE,
        "At this share of false alarms",
        **slider(FALSE_POSITIVE_RATES, "careful attacker", "bold"),
        help="How often the attacker says that a value was there where it was not.",
        term="false-positive-rate",
    )
    target_true_positive_rate: float = number(
        0.02,
        RATE_RANGE,
        "Share of hits",
        **slider(TRUE_POSITIVE_RATES, "more private", "less private"),
        help="How often an attacker may be right who says: this value was there.",
        term="true-positive-rate",
    )
    free_quantity: str = choice(
        "noise_multiplier",
        {
            "noise_multiplier": "noise σ",
            "training": "training length",
            "batch_size": SCENARIO_SETTINGS["batch_size"].phrase,
            "num_subsequences": SCENARIO_SETTINGS["num_subsequences"].phrase,
            "forecast_noise": "label noise σ_F",
        },
        "Solve for",
        named="What the plan solves for",
        help="Which setting the plan finds, so that it just meets the goal.",
    )
    plan_chart: str = choice(
        "map",
        {"map": "Map", "curve": "Privacy curve", "compare": "Compare pins"},
        "Show",
        named="What the plan is shown by",
        is_looked_at=True,
    )
    region_x: str = choice(
        "batch_size",
        REGION_AXES,
        "Across",
        named="What varies across the map",
        help="Which setting varies from left to right.",
    )
    region_y: str = choice(
        "training",
        REGION_AXES,
        "Upwards",
        named="What varies up the map",
        help="Which setting varies from bottom to top.",
    )
    region_layer: str = choice(
        "epsilon",
        {"epsilon": "ε", "noise": "noise per gradient"},
        "Shades",
        named="What the map's shades show",
        help="ε: the upper bound. Noise: that on an averaged gradient, which costs accuracy.",
        term="noise-per-gradient",
        is_looked_at=True,
    )
