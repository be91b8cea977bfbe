"""Commands whose answer is numbers about one scenario, and what to note about these."""

from argparse import Namespace
from collections.abc import Collection
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.scenario_options import NOT_SIMULATED, given_fields, scenario_from
from dpviz.scenario import DataShape, Rates, Scenario, ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.number_text import shown_number
from dpviz.scenario.scenario import DELTA_RANGE, TARGET_EPSILON_RANGE
from dpviz.settings import option_of
from dpviz.wording.numbers import counted, rounded


def notes_on(scenario: Scenario, given: Collection[str] = ()) -> list[str]:
    """Return sentences about a scenario that its bounds do not say, without full stops.

    Args:
        given: the fields that the user gave as options; of a file, where a field may just have
            to be there, none.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Noise
    >>> noise = Noise(noise_multiplier=1.0, forecast_noise=2.0)
    >>> notes_on(replace(PRESETS["toy"].scenario, noise=noise))
    ['forecast-noise 2 means 2 x the largest change of one value, which the data must not exceed']
    """
    data = scenario.data
    notes = [*_noise_notes(scenario), *_change_notes(scenario)]
    if isinstance(data, Rates):
        return notes + _rate_notes(scenario, data, given)
    return notes + _reach_notes(scenario, data) + _epoch_notes(scenario, data)


def _noise_notes(scenario: Scenario) -> list[str]:
    by_upper, by_lower = _use_window_noise(scenario)
    if not (by_upper or by_lower):
        return []
    from dpviz.wording.label_noise import times_change

    notes, change = [], scenario.relation.max_change
    only = "" if by_upper else "; only the lower bound makes use of it"
    for field, place in (("context_noise", "contexts"), ("forecast_noise", "labels")):
        sigma = getattr(scenario.noise, field)
        if sigma == 0.0:
            continue
        name = f"{_name(field)} {shown_number(sigma)}"
        said = (
            f"{name} means {shown_number(sigma)} x the largest change of one value, which the data "
            "must not exceed"
        )
        if change is not None:
            said = (
                f"noise of standard deviation {times_change(sigma, change)} on {place} = {name} x "
                f"{_name('max_change')} {shown_number(change)}"
            )
        notes.append(f"{said}{only}")
    return notes


def _change_notes(scenario: Scenario) -> list[str]:
    relation = scenario.relation
    unused = []
    if relation.max_change:
        unused.append(f"{_name('max_change')} {shown_number(relation.max_change)}")
    if relation.num_channels > 1:
        unused.append(f"{_name('num_channels')} {relation.num_channels:,}")
    if not unused or any(_use_window_noise(scenario)):
        return []
    why = "no bound here makes use of" if scenario.noise.is_on_windows else "there is no"
    verb = "changes" if len(unused) == 1 else "change"
    return [
        f"{' and '.join(unused)} {verb} nothing, as {why} noise on contexts or labels: the bounds "
        "hold for any change of a value in any channels"
    ]


def _rate_notes(scenario: Scenario, rates: Rates, given: Collection[str]) -> list[str]:
    notes = []
    counts_steps = scenario.training.unit == "steps"
    if counts_steps and not scenario.sampling.is_walk:
        if "steps_per_epoch" in given:
            notes.append(_without_effect("steps_per_epoch", rates.steps_per_epoch, "steps count"))
    elif rates.steps_per_epoch > scenario.steps_per_epoch:
        notes.append(
            f"{_name('steps_per_epoch')} {rates.steps_per_epoch:,} counts as "
            f"{scenario.steps_per_epoch:,}, the most that one pass has with "
            f"{_name('top_rate')} {shown_number(rates.top_rate)}"
        )
    if "batch_size" in given:
        size = scenario.sampling.batch_size
        notes.append(_without_effect("batch_size", size, f"{_name('top_rate')} counts"))
    if "forecast_share" in given and not any(_use_window_noise(scenario)):
        why = "it is for noise on contexts or labels"
        notes.append(_without_effect("forecast_share", rates.forecast_share or 0.0, why))
    return notes


def _reach_notes(scenario: Scenario, shape: DataShape) -> list[str]:
    notes, relation = [], scenario.relation
    shortest = shape.series_lengths[0]
    series = "the series" if shape.is_of_one_length else "the shortest series"
    if relation.width > shortest:
        which = "it" if shortest == 1 else "all of them"
        notes.append(
            f"{_name('relation_width')} {relation.width:,} is more than the "
            f"{counted(shortest, 'value')} of {series}: {which} may change"
        )
    windows = shape.start_positions
    if scenario.touched_windows == windows:
        reached = "the only window" if windows == 1 else f"all {windows:,} windows"
        notes.append(
            f"every window contains a protected value (r = 1): one individual reaches {reached} "
            f"of {series}"
        )
    return notes


def _epoch_notes(scenario: Scenario, shape: DataShape) -> list[str]:
    sampling, steps = scenario.sampling, scenario.steps_per_epoch
    if sampling.is_bag:
        if scenario.training.unit == "steps":
            return []
        as_short = "" if shape.is_of_one_length else ", each series counted as the shortest"
        return [
            f"an epoch of one bag is a pass over all {sampling.largest_batch(shape):,} windows "
            f"({counted(steps, 'step')}{as_short}), not over all series"
        ]
    left_out = shape.num_series - steps * sampling.series_per_batch
    if sampling.is_walk_in_order and left_out > 0:
        return [
            f"the walk leaves the last {left_out:,} of {shape.num_series:,} series out of every "
            f"epoch: {'it is' if left_out == 1 else 'they are'} never used"
        ]
    if sampling.has_bins and left_out > 0:
        has = f"every batch has all {shape.num_series:,} series"
        if scenario.has_several_bins:
            average = rounded(shape.num_series / steps, 4)
            has = f"a batch has {shape.num_series:,} / {steps:,} = {average} series on average"
        return [
            f"bins leave no series out: {has}, and the sum is divided by the fixed batch size "
            f"{sampling.batch_size:,}"
        ]
    return []


def _use_window_noise(scenario: Scenario) -> tuple[bool, bool]:
    """Return whether the upper bound, and the lower one, makes use of noise on windows."""
    if not scenario.noise.is_on_windows:
        return False, False
    from dpviz.guarantees import guarantee_for

    try:
        found = guarantee_for(scenario)
    except ScenarioError:  # of what can be drawn all the same
        return False, False
    return bool(found.upper.condition), bool(found.lower and found.lower.condition)


def _without_effect(field: str, value: float, why: str) -> str:
    shown = f"{value:,}" if isinstance(value, int) else shown_number(value)
    return f"{_name(field)} {shown} changes nothing here: {why}"


def _name(field: str) -> str:
    return option_of(field).removeprefix("--")


SOUGHT = {
    "noise-multiplier": "noise_multiplier",
    "steps": "steps",
    "epochs": "epochs",
    "batch-size": "batch_size",
    "subsequences": "num_subsequences",
    "forecast-noise": "forecast_noise",
}
DELTAS = command.number(
    "delta", "D", f"one or more deltas ({command.ABSENT_DELTA})", DELTA_RANGE, many=True
)
RATES = command.number(
    "false_positive_rate", "F", "one or more shares of false alarms", (0.0, 1.0), many=True
)
TARGET_EPSILON = command.number("target_epsilon", "E", "epsilon to meet", TARGET_EPSILON_RANGE)
TARGET_DELTA = command.number(
    "target_delta", "D", f"delta to meet it at ({command.ABSENT_DELTA})", DELTA_RANGE
)
FIND = command.choice(
    "find",
    "WHAT",
    f"what to leave open: {', '.join(SOUGHT)} (the first if absent)",
    tuple(SOUGHT),
    default="noise-multiplier",
)
ONE_BATCH = "also where each series is in one batch of every epoch: into bins, or shuffled"
CLOSER = "also a closer upper bound, for one window per series (takes up to minutes)"
CLOSER_NOISE = "also less noise by a closer upper bound, for one window per series (up to minutes)"
BATCHES = command.number("batches", "B", "how many batches to draw", (1, MOST_STEPS))
SEED = command.seed("the same seed gives the same counts (0 if absent)", default=0)


def _delta(options: Namespace) -> command.Told:
    scenario = scenario_from(options)
    from dpviz.accounting import account_for
    from dpviz.export.answers import delta_answer

    answer = delta_answer(account_for(scenario), options.epsilon)
    return _told(options, scenario, answer, at_delta=False)


def _epsilon(options: Namespace) -> command.Told:
    scenario = scenario_from(options)
    from dpviz.accounting import account_for
    from dpviz.export.answers import closer_answer, epsilon_answer, one_batch_answer

    deltas, account = options.delta or [scenario.delta], account_for(scenario)
    answer = epsilon_answer(account, deltas)
    if options.closer:
        answer |= {"closer": closer_answer(account, deltas)}
    if options.one_batch:
        answer |= {"one_batch": one_batch_answer(account, deltas)}
    return _told(options, scenario, answer)


def _risk(options: Namespace) -> command.Told:
    scenario = scenario_from(options)
    from dpviz.export.answers import risk_answer
    from dpviz.planning.attack_rates import risk_account

    answer = risk_answer(risk_account(scenario), options.false_positive_rate)
    return _told(options, scenario, answer)


def _calibrate(options: Namespace) -> command.Told:
    quantity = SOUGHT[options.find]
    if options.closer and quantity != "noise_multiplier":
        raise command.UsageError(
            f"--closer is not allowed with --find {options.find}: it is for --find noise-multiplier"
        )
    scenario = scenario_from(options, sought=quantity)
    delta = scenario.delta if options.target_delta is None else options.target_delta
    from dpviz.accounting import account_for
    from dpviz.export.answers import closer_noise_answer, epsilon_answer
    from dpviz.planning.calibrate import calibration
    from dpviz.planning.quantities import value_of as value_in
    from dpviz.planning.target import Target

    target = Target(epsilon=options.target_epsilon, delta=delta)
    found = calibration(scenario, quantity, target)
    certificate = epsilon_answer(account_for(found.scenario), [target.delta])
    if options.closer:
        certificate |= {"closer": closer_noise_answer(found.scenario, target)}
    cut = f"the search was cut: a larger {options.find} may meet the target, too"
    answer = {
        options.find.replace("-", "_"): value_in(found.scenario, quantity),
        "at_limit": found.at_limit,
        **certificate,
    }
    return _told(options, found.scenario, answer, *([] if found.is_complete else [cut]))


def _simulate(options: Namespace) -> command.Told:
    scenario = scenario_from(options)
    from dpviz.command_line.simulation import check_work, simulation_answer

    check_work(scenario, options.batches)
    answer = simulation_answer(scenario, options.batches, options.seed)
    return _told(options, scenario, answer)


def _told(
    options: Namespace,
    scenario: Scenario,
    answer: dict[str, Any],
    *notes: str,
    at_delta: bool = True,
) -> command.Told:
    """Return an answer with what is to be noted about it, and the same as lines."""
    from dpviz.command_line.table import table

    given = given_fields(options)
    if getattr(options, "one_batch", False):
        given.pop("steps_per_epoch", None)  # it is how many batches an epoch has
    answer = answer | {"notes": [*notes_on(scenario, given), *notes]}
    return answer, table(answer, scenario, at_delta=at_delta)


COMMANDS = (
    command.Command(
        name="delta",
        help="delta at given epsilons",
        run=_delta,
        settings=(command.EPSILONS,),
        needs=(command.EPSILONS,),
        reads_scenario=True,
        also_called={"--delta": "--epsilon"},
    ),
    command.Command(
        name="epsilon",
        help="epsilon at given deltas",
        run=_epsilon,
        settings=(DELTAS,),
        flags={"--closer": CLOSER, "--one-batch": ONE_BATCH},
        reads_scenario=True,
        also_called={"--epsilon": "--delta", "--eps": "--delta"},
    ),
    command.Command(
        name="risk",
        help="how often attackers are right: at most, and at least",
        run=_risk,
        settings=(RATES,),
        needs=(RATES,),
        reads_scenario=True,
    ),
    command.Command(
        name="calibrate",
        help="the noise, or another quantity, that just meets a target",
        run=_calibrate,
        settings=(TARGET_EPSILON, TARGET_DELTA, FIND),
        needs=(TARGET_EPSILON,),
        flags={"--closer": CLOSER_NOISE},
        reads_scenario=True,
    ),
    command.Command(
        name="simulate",
        help="draw batches and count the windows that contain one individual's values",
        run=_simulate,
        settings=(BATCHES, SEED),
        needs=(BATCHES,),
        reads_scenario=True,
        ignores=NOT_SIMULATED,
    ),
)
