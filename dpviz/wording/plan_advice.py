"""Advice beside a plan's settings, where it applies to them."""

from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning.protection import length_order_is_known, next_has_clean_windows
from dpviz.scenario import Scenario
from dpviz.wording.scope import CREDITED_NOISE

# From how much of the series a batch takes a small part no longer.
_SMALL_PART = 0.5
# How often a delta may come true among the series before it is told to be large.
_LARGE_SHARE = 0.01


def _first(*cases: tuple[bool, str, str]) -> str:
    """Return the first advice that applies with its link, as Markdown; empty where none does.

    A case is whether it applies, its key in :data:`dpviz.wording.how_to_choose.CHOICES`, and what
    it says.
    """
    said = (f"{words} [More](how_to_choose#{key})" for applies, key, words in cases if applies)
    return next(said, "")


def data_advice(scenario: Scenario) -> str:
    """Return advice on series and windows, as Markdown; empty where none applies."""
    shape = scenario.shape
    if shape is None:
        return ""
    return _first(
        (
            scenario.top_rate == 1.0 and not scenario.sampling.is_bag,
            "few-series",
            "Every series is in every batch (ρ = 1): drawing series at random hides nothing here.",
        ),
        (
            shape.context_length > 0,
            "public-calendar",
            "Public inputs, such as calendar or weather, are not counted in the context.",
        ),
    )


def protection_advice(scenario: Scenario) -> str:
    """Return advice on who is protected."""
    relation = scenario.relation
    if scenario.shape is None:
        return ""
    every = "At r = 1, expect to need much noise."
    if length_order_is_known(scenario) and next_has_clean_windows(scenario):
        every = (
            "The shortest series decides, with r = 1: leave it out, or expect to need much noise."
        )
    all_touch = scenario.bottom_rate == 1.0 and not scenario.sampling.is_bag
    weeks = "If a person is behind two weeks of values, protect two weeks, not one value."
    spread = "If a person's values are spread over a series, choose “anywhere”."
    several = "If a person is in several series, say in how many at most."
    return _first(
        (all_touch, "give-up", every),
        (relation.width == 1, "who", weeks),
        (relation.level == "event", "who", spread),
        (relation.series_per_person == 1, "who", several),
    )


def delta_advice(scenario: Scenario) -> str:
    """Return advice on delta, where it is not small beside one over the number of series."""
    shape = scenario.shape
    is_large = shape is None or scenario.delta * shape.num_series > _LARGE_SHARE
    return _first((is_large, "delta", "Choose δ well below one over the number of individuals."))


def sampling_advice(scenario: Scenario) -> str:
    """Return advice on how batches are drawn."""
    sampling, shape = scenario.sampling, scenario.shape
    by_coins = "Let each window come by a coin, or draw series first."
    secret = "The batch's size varies: keep it secret, and divide the sum by the fixed Λ."
    loader = "A shuffled loader has the numbers of a walk: more is not proven."
    small = "A batch takes less than half of the series: try drawing them at random."
    one_first = "One window per series fills a batch, too: try λ = 1 first."
    has_room = shape is not None and sampling.windows_per_batch <= shape.num_series
    is_at_random = not (sampling.is_bag or sampling.is_walk or sampling.takes_series_by_coins)
    return _first(
        (sampling.is_bag and not sampling.takes_windows_by_coins, "one-bag", by_coins),
        (sampling.is_bag, "one-bag", secret),
        (scenario.has_coins_for_series or scenario.has_several_bins, "by-coins", secret),
        (sampling.is_shuffled, "loader", loader),
        (sampling.is_walk and scenario.top_rate < _SMALL_PART, "many-series", small),
        (
            is_at_random and sampling.num_subsequences > 1 and has_room,
            "one-window-first",
            one_first,
        ),
    )


def noise_advice(scenario: Scenario) -> str:
    """Return advice on noise on windows."""
    noise, shape = scenario.noise, scenario.shape
    reads, has_labels = shape is None or shape.context_length > 0, noise.forecast_noise > 0.0
    alone = (
        "Noise on labels does not hide values that windows read as context: add noise there, too, "
        "or shorten it."
    )
    credited = "Only labels hold protected values: noise on them is credited in every window."
    uncovered = f"No theorem credits noise on windows here: only for {CREDITED_NOISE}."
    return _first(
        (not covers_noise_on_windows(scenario), "label-noise", uncovered),
        (has_labels and noise.context_noise == 0.0 and reads, "label-noise", alone),
        (not (has_labels or reads), "label-noise", credited),
    )
