"""What a plan needs, costs and could change, and answers to its questions."""

from collections.abc import Sequence

from dpviz.planning import ScenarioCurves
from dpviz.planning.calibrate import Planned
from dpviz.planning.proven import Proven
from dpviz.planning.quantities import value_of
from dpviz.planning.target import Goal, HitsGoal, SuccessGoal, Target, UnmetError
from dpviz.planning.ways import Way, noise_per_gradient
from dpviz.scenario import DataShape, Scenario
from dpviz.scenario.mechanism import AT_RANDOM
from dpviz.scenario.number_text import shown_number
from dpviz.settings import SETTINGS, option_of
from dpviz.wording.findings import epsilon_with_meaning, headline, quoted_epsilon, roughness
from dpviz.wording.numbers import (
    capitalised,
    counted,
    counted_in,
    digits_within,
    epsilon_at_most,
    in_full,
    joined,
    listed,
    per_hundred,
    percent_up,
    power_of_ten,
    rounded,
    rounded_up,
    times_as,
)
from dpviz.wording.scope import caveats, protected_in, run_length, scheme_name
from dpviz.wording.setting_values import labelled
from dpviz.wording.theorems import (
    bound_meaning,
    composed_units,
    qualified_label,
    qualified_meaning,
)
from dpviz.wording.top_levels import WHAT_COINS_ASK, WHY_COINS
from dpviz.wording.training_length import elsewhere

QUANTITY_NAMES = {
    name: SETTINGS[name].phrase
    for name in ("noise_multiplier", "batch_size", "num_subsequences", "forecast_noise")
} | {"steps": "training steps", "epochs": "training epochs"}
# What is searched for is the least of these, and the most of the others.
NOISES = ("noise_multiplier", "forecast_noise")
_LENGTHS = ("steps", "epochs")


def goal_words(goal: Goal) -> str:
    """Return what is asked for, with all its digits: a plan just meets that."""
    if isinstance(goal, SuccessGoal):
        return f"at most {per_hundred(goal.success)} of 100 attackers right at even odds"
    if isinstance(goal, HitsGoal):
        return (
            f"at most {per_hundred(goal.true_positive_rate)} % hits at "
            f"{per_hundred(goal.false_positive_rate)} % false alarms"
        )
    assert isinstance(goal, Target)  # there are no other kinds
    return f"ε ≤ {power_of_ten(goal.epsilon)} at δ = {power_of_ten(goal.delta)}"


def value_words(scenario: Scenario, quantity: str) -> str:
    """Return a quantity's value, as in "... is enough"."""
    amount = _amount(scenario, quantity)
    return amount if quantity in _LENGTHS else f"{SETTINGS[quantity].symbol} = {amount}"


def _amount(scenario: Scenario, quantity: str) -> str:
    value = value_of(scenario, quantity)
    if quantity in _LENGTHS:
        return counted_in(int(value), quantity)
    return in_full(value)


def opened_sentences(scenario: Scenario, quantity: str, goal: Goal | None) -> str:
    """Return what a plan makes of a scenario that was opened from a file.

    ``quantity`` is left open; ``goal`` is ``None`` where what is asked for is no goal.
    """
    value, name = value_words(scenario, quantity), QUANTITY_NAMES[quantity]
    set_here = "" if goal is None else f": {goal_words(goal)}"
    return (
        f"The scenario was opened: {value} in the file. This page looks for the {name} anew, for "
        f"the goal that is set here (a file holds none){set_here}. Other pages show {value}."
    )


def plan_headline(planned: Planned, curves: ScenarioCurves) -> str:
    """Return what meets the goal, and what is proven of the run that it makes; as Markdown."""
    assert planned.found is not None
    found, goal = planned.found, goal_words(planned.goal)
    value = capitalised(_named_value(found.scenario, planned.quantity))
    least = planned.quantity in NOISES
    is_many = value.endswith(("steps", "epochs"))
    if planned.quantity == "forecast_noise" and found.scenario.noise.forecast_noise == 0.0:
        first = f"**No noise on labels is needed** for {goal}."
    elif found.at_limit:
        # Windows per series can be more than the search looks at.
        limit = "was tried" if planned.quantity == "num_subsequences" else "can be set"
        end = f"the {'least' if least else 'most'} that {limit}"
        first = f"**{value}, {end}, {'meet' if is_many else 'meets'} {goal}**, perhaps with room."
    else:
        most = "is enough for" if least else f"{'are' if is_many else 'is'} the most proven for"
        first = f"**{value} {most} {goal}.**"
    cut = "" if found.is_complete else "A larger batch may meet it, too: the search was cut."
    return joined(first, cut, _proven_sentence(curves))


def _proven_sentence(curves: ScenarioCurves) -> str:
    """Return who is hidden by the plan, with which epsilon, and by which theorem."""
    if curves.epsilon_upper is None:
        return headline(curves)
    scenario = curves.scenario
    return joined(
        f"With {scheme_name(scenario.sampling)}, {run_length(scenario)} "
        f"{'hides' if scenario.training.count == 1 else 'hide'} {protected_in(scenario)}: "
        f"{epsilon_with_meaning(curves)}.",
        caveats(curves.upper.bound),
        roughness(curves),
    )


def _named_value(scenario: Scenario, quantity: str) -> str:
    """Return a quantity with its value, as in the middle of a sentence."""
    amount = _amount(scenario, quantity)
    return amount if quantity in _LENGTHS else f"{QUANTITY_NAMES[quantity]} = {amount}"


def plan_title(planned: Planned) -> str:
    """Return whose privacy curve a chart shows: it may be saved without the page around it."""
    assert planned.found is not None  # there is a plan
    scenario, with_value = planned.found.scenario, ""
    if planned.quantity not in _LENGTHS:
        with_value = f" with {value_words(scenario, planned.quantity)},"
    return f"δ over ε{with_value} after {run_length(scenario)}"


def unused_plan_sentence(planned: Planned, scenario: Scenario) -> str:
    """Return what *Plan* finds where pages show something else, as Markdown."""
    assert planned.found is not None  # there is a plan
    quantity = planned.quantity
    return (
        f"*Plan* finds {_named_value(planned.found.scenario, quantity)} for "
        f"{goal_words(planned.goal)}; this page shows {value_words(scenario, quantity)}."
    )


def no_plan_headline(planned: Planned) -> str:
    """Return why no value meets the goal; as Markdown."""
    problem, name = planned.problem, QUANTITY_NAMES[planned.quantity]
    assert problem is not None
    no_value = f"**No value of {name} is proven to meet {goal_words(planned.goal)}**"
    if not isinstance(problem, UnmetError):
        if problem.field != planned.quantity:  # which says what it is that must be otherwise
            return f"{no_value}. {labelled(str(problem))}"
        return f"{no_value}: {labelled(problem.allowed)}."
    first, bound = _named_value(problem.first, planned.quantity), problem.reached.bound
    searched = f"even {first}"
    if problem.last is not None:
        last = _amount(problem.last, planned.quantity)
        searched = f"of {first} to {last} none is known to meet it; {first}"
    return joined(
        f"{no_value}: {searched} gives {reached_words(planned.goal, problem.reached)} for "
        f"{protected_in(problem.first)} ({bound_meaning(bound)}).",
        caveats(bound),
    )


def too_costly_plan_sentence(quantity: str, goal: Goal, exceeded: str) -> str:
    """Return that a plan is not made here, and what makes it; ``exceeded`` says which limit is."""
    if isinstance(goal, Target):
        found, asked = option_of(quantity).removeprefix("--"), shown_number(goal.epsilon)
        way_out = elsewhere(f"calibrate --find {found} --target-epsilon {asked}")
    else:
        way_out = "`calibrated` of `dpviz.planning.calibrate`, in Python, has no such limit."
    return (
        f"This plan, which solves for {QUANTITY_NAMES[quantity]}, is not allowed on this server: "
        f"{exceeded}. {way_out}"
    )


def reached_words(goal: Goal, reached: Proven) -> str:
    """Return what is proven in the place of a goal; what meets it is not told as above it."""
    if not isinstance(goal, Target):
        share = percent_up(reached.share, digits_within(goal.limit, reached.share))
        if isinstance(goal, SuccessGoal):
            return f"up to {share} of attackers right at even odds"
        return f"up to {share} hits at {per_hundred(goal.false_positive_rate)} % false alarms"
    return f"{epsilon_at_most(reached.quoted, 'no finite ε')} at δ = {power_of_ten(goal.delta)}"


def instead_words(others: Sequence[Planned | None]) -> str:
    """Return what would meet the goal if it alone were left open instead; as a Markdown list.

    Those that are still being searched for are ``None``.
    """
    known = [other for other in others if other is not None]
    if len(known) == len(others) > 1 and not any(other.found for other in known):
        *names, last = (QUANTITY_NAMES[other.quantity] for other in known)
        way_on = ""  # where all is refused, a looser goal is, too
        if any(isinstance(other.problem, UnmetError) for other in known):
            way_on = ": choose a looser goal, or change several settings"
        return f"No value of {', '.join(names)} or {last} is proven to{way_on}."
    lines = []
    for other in known:
        found, said = other.found, "no value is proven to"
        if found is not None:
            side = "at least" if other.quantity in NOISES else "at most"
            cut = "" if found.is_complete else ", perhaps more: the search was cut"
            amount = _amount(found.scenario, other.quantity)
            said = f"{side} {amount} ({qualified_label(found.bound)}){cut}"
        lines.append(f"- {capitalised(QUANTITY_NAMES[other.quantity])}: {said}.")
    return "\n".join(lines)


def cost_sentence(scenario: Scenario) -> str:
    """Return what a run costs in noise."""
    sampling, shape = scenario.sampling, scenario.shape
    divisor, symbol, full = "is divided by Λ", "σ / Λ", f"{sampling.batch_size:,}"
    if sampling.has_bins:  # whatever it is divided by, signal and noise alike
        divisor, symbol = "counts as divided by N λ / K", "σ K / (N λ)"
        full = rounded(scenario.mean_batch_size)
    # Where rates are set directly, they draw, and not so many whole series.
    drawn = full if shape is None else _drawn_windows(scenario, shape)
    divided = "" if drawn == full else f", whose sum {divisor} = {full}"
    noise = rounded_up(noise_per_gradient(scenario))
    return (
        f"Noise of standard deviation {symbol} = **{noise} clipping norms** on each coordinate of "
        f"an averaged gradient of {_as_windows(scenario, drawn)}{divided}."
    )


def batch_words(scenario: Scenario) -> str:
    """Return how many windows a batch has of a data set, such as "287.3 windows on average"."""
    return _as_windows(scenario, _drawn_windows(scenario, scenario.given_shape))


def _drawn_windows(scenario: Scenario, shape: DataShape) -> str:
    sampling = scenario.sampling
    windows = sampling.num_subsequences
    if sampling.takes_windows_by_coins and shape.is_of_one_length:
        windows = min(windows, shape.start_positions)
    if sampling.has_bins:
        return rounded(shape.num_series * windows / scenario.steps_per_epoch)
    return f"{sampling.series_per_batch * windows:,}"


def _as_windows(scenario: Scenario, drawn: str) -> str:
    average = " on average" if _varies(scenario) else ""
    return f"{drawn} window{'' if drawn == '1' else 's'}{average}"


def _varies(scenario: Scenario) -> bool:
    """Return whether batches may differ in how many windows they have."""
    sampling = scenario.sampling
    chances = [scenario.top_rate] if sampling.takes_series_by_coins or sampling.has_bins else []
    if sampling.takes_windows_by_coins:
        shape = scenario.given_shape  # rates alone have no coins for windows
        if not shape.is_of_one_length:
            return True
        of_a_series = sampling.num_subsequences / shape.start_positions
        chances.append(scenario.top_rate if sampling.is_bag else of_a_series)
    return any(chance < 1.0 for chance in chances)


def no_way_sentence(names: Sequence[str]) -> str:
    """Return that none of these settings, changed alone, is offered for what was looked for."""
    tried = listed([QUANTITY_NAMES[name] for name in names])
    return f"None of these alone is proven to do it and leaves enough training: {tried}."


def way_sentence(way: Way, curves: ScenarioCurves | None) -> str:
    """Return one change and what it comes to; as Markdown."""
    scenario, by, follows, proven = way.scenario, "", "", ""
    if way.factor < float("inf"):
        much = "many" if way.quantity in _LENGTHS else "large"
        by = f" ({times_as(way.after / way.before, much)})"
    if way.quantity != "noise_multiplier":
        follows = f" with {value_words(scenario, 'noise_multiplier')}"
    steps = counted(scenario.num_steps, "step")
    if curves is not None:
        bound = curves.upper.bound
        delta, meaning = power_of_ten(scenario.delta), qualified_label(bound)
        proven = f", {quoted_epsilon(curves)} at δ = {delta} ({meaning})"
        if composed_units(bound) == steps:  # what it is composed over says it
            steps = ""
    noise = f"noise per gradient {rounded_up(noise_per_gradient(scenario))}"
    return (
        f"**{capitalised(QUANTITY_NAMES[way.quantity])}: "
        f"{in_full(value_of(scenario, way.quantity))}**{by}{follows}; "
        f"{', '.join(filter(None, (noise, steps)))}{proven}"
    )


def coins_sentence(before: Scenario, needed: Planned) -> str:
    """Return how much less noise than ``before`` is enough with coins, as Markdown, if it is.

    On an averaged gradient, too: batches of bins may be larger.
    """
    found = needed.found
    if found is None or not noise_per_gradient(found.scenario) < noise_per_gradient(before):
        return ""
    sigma, more = (value_words(one, "noise_multiplier") for one in (found.scenario, before))
    return joined(
        f"**With each series drawn by a coin of its own (Poisson), {sigma} is enough**, instead of "
        f"{more} ({qualified_meaning(found.bound)}).",
        WHY_COINS if before.sampling.top_level == AT_RANDOM else "",
        WHAT_COINS_ASK,
    )


def own_sentence(planned: Planned, own: ScenarioCurves) -> str:
    """Return what is proven of the settings that a plan would change; as Markdown."""
    said = (
        "Until you use the plan, other pages and the link have "
        f"{value_words(own.scenario, planned.quantity)}: {epsilon_with_meaning(own)}."
    )
    return joined(said, caveats(own.upper.bound))


_ADVERBS = {"1 hour": "hourly", "1 day": "daily", "1 week": "weekly", "1 month": "monthly"}
_NEXT_LINE = "  \n"


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
    return f"{scheme}, λ = {sampling.num_subsequences:,}"


def noise_line(scenario: Scenario, *, found: str = "") -> str:
    """Return the noise on windows; arguments as above."""
    noise = scenario.noise
    context = f"σ_C = {in_full(noise.context_noise)}"
    if found == "forecast_noise":
        return context
    if noise.context_noise == noise.forecast_noise == 0.0:
        return "none"
    return f"{context}, σ_F = {in_full(noise.forecast_noise)}"
