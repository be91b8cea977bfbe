"""A plan's four questions: what each is answered with now, in a line, and the advice that applies.

Advice that does not apply to the settings is left out; the whole of it is on a page of its own.
"""

from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, in_full
from dpviz.wording.scope import scheme_name

_ADVERBS = {"1 hour": "hourly", "1 day": "daily", "1 week": "weekly", "1 month": "monthly"}
_NEXT_LINE = "  \n"
# From how much of the series a batch takes a small part no longer.
_SMALL_PART = 0.5
# How often a delta may come true among the series before it is told to be large.
_LARGE_SHARE = 0.01


def data_line(
    scenario: Scenario, *, found: str = "", is_chosen: bool = True, example: str = ""
) -> str:
    """Return the data's shape and, in a second line, the windows.

    The quantity that the plan finds is not told, nor windows and batch that nobody has chosen.
    ``example`` names the series where they are nobody's who plans.
    """
    shape = scenario.shape
    if shape is None:
        rates = f"r = {in_full(scenario.bottom_rate)}, ρ = {in_full(scenario.top_rate)}"
        return f"rates alone{_NEXT_LINE}{rates}"
    length = counted(shape.series_lengths[0], "value")
    more = "" if shape.is_of_one_length else " or more"
    step = scenario.units.time_step
    every = "" if step is None else f", {_ADVERBS.get(str(step), f'every {step}')}"
    series = f"{shape.num_series:,} series of {length}{more}{every}"
    if not is_chosen:
        return f"{series}{_NEXT_LINE}windows still to be chosen"
    windows = f"windows {shape.context_length:,} + {shape.forecast_length:,}"
    batch = "" if found == "batch_size" else f", Λ = {scenario.sampling.batch_size:,}"
    whose = f"Example {example}: " if example else ""
    return f"{whose}{series}{_NEXT_LINE}{windows}{batch}"


def sampling_line(scenario: Scenario, *, found: str = "") -> str:
    """Return how batches are drawn; arguments as above."""
    sampling = scenario.sampling
    scheme = scheme_name(sampling)
    if sampling.is_bag or found == "num_subsequences":
        return scheme
    return f"{scheme}, λ = {sampling.num_subsequences}"


def noise_line(scenario: Scenario, *, found: str = "") -> str:
    """Return the noise on windows; arguments as above."""
    noise = scenario.noise
    context = f"σ_C = {in_full(noise.context_noise)}"
    if found == "forecast_noise":
        return context
    if noise.context_noise == noise.forecast_noise == 0.0:
        return "none"
    return f"{context}, σ_F = {in_full(noise.forecast_noise)}"


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
    every = "Every window touches protected values (r = 1): expect to need much noise."
    weeks = "If a person is behind two weeks of values, protect two weeks, not one value."
    spread = "If a person's values are spread over a series, choose “anywhere”."
    several = "If a person is in several series, say in how many at most."
    return _first(
        (scenario.bottom_rate == 1.0, "give-up", every),
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
    small = "A batch takes a small part of the series: try drawing them at random."
    one_first = "One window per series fills a batch, too: try λ = 1 first."
    has_room = shape is not None and sampling.windows_per_batch <= shape.num_series
    is_at_random = not (sampling.is_bag or sampling.is_walk or sampling.takes_series_by_coins)
    return _first(
        (sampling.is_bag and not sampling.takes_windows_by_coins, "one-bag", by_coins),
        (sampling.is_bag, "one-bag", secret),
        (sampling.takes_series_by_coins or sampling.has_bins, "by-coins", secret),
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
    return _first(
        (has_labels and noise.context_noise == 0.0 and reads, "label-noise", alone),
        (not (has_labels or reads), "label-noise", credited),
    )
