"""Commands whose answer is numbers about one scenario."""

import json
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.scenario_options import NOT_SIMULATED, given_fields, scenario_from
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.scenario import DELTA_RANGE

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
TARGET_EPSILON = command.number(
    "target_epsilon", "E", "epsilon to meet", command.TARGET_EPSILON_RANGE
)
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
SEED = command.number(
    "seed",
    "S",
    "the same seed gives the same counts (0 if absent)",
    (0, command.LARGEST_SEED),
    default=0,
)


def _delta(options: Namespace) -> dict[str, Any]:
    epsilons = command.needed(options, command.EPSILONS)
    scenario = scenario_from(options)
    # Imported here, as below, so that a wrong option is answered at once.
    from dpviz.accounting import account_for
    from dpviz.export import delta_answer

    return delta_answer(account_for(scenario), epsilons) | _notes(options, scenario)


def _epsilon(options: Namespace) -> dict[str, Any]:
    deltas = command.value_of(options, DELTAS)
    scenario = scenario_from(options)
    from dpviz.accounting import account_for
    from dpviz.export import closer_answer, epsilon_answer, one_batch_answer

    deltas, account = deltas or [scenario.delta], account_for(scenario)
    answer = epsilon_answer(account, deltas)
    if options.closer:
        answer |= {"closer": closer_answer(account, deltas)}
    if options.one_batch:
        answer |= {"one_batch": one_batch_answer(account, deltas)}
    return answer | _notes(options, scenario)


def _risk(options: Namespace) -> dict[str, Any]:
    rates = command.needed(options, RATES)
    scenario = scenario_from(options)
    from dpviz.export import risk_answer
    from dpviz.planning.attack_rates import risk_account

    return risk_answer(risk_account(scenario), rates) | _notes(options, scenario)


def _calibrate(options: Namespace) -> dict[str, Any]:
    command.needed(options, TARGET_EPSILON)
    command.value_of(options, TARGET_DELTA)
    find = command.value_of(options, FIND)
    quantity = SOUGHT[find]
    if options.closer and quantity != "noise_multiplier":
        raise command.UsageError(
            f"--closer is not allowed with --find {find}: it is for --find noise-multiplier"
        )
    scenario = scenario_from(options, sought=quantity)
    delta = scenario.delta if options.target_delta is None else options.target_delta
    from dpviz.accounting import account_for
    from dpviz.export import closer_noise_answer, epsilon_answer
    from dpviz.planning.calibrate import calibration
    from dpviz.planning.quantities import value_of as value_in
    from dpviz.planning.target import Target

    target = Target(epsilon=options.target_epsilon, delta=delta)
    found = calibration(scenario, quantity, target)
    certificate = epsilon_answer(account_for(found.scenario), [target.delta])
    if options.closer:
        certificate |= {"closer": closer_noise_answer(found.scenario, target)}
    notes = _notes(options, found.scenario)
    if not found.is_complete:
        notes["notes"].append(f"the search was cut: a larger {find} may meet the target, too")
    return {
        find.replace("-", "_"): value_in(found.scenario, quantity),
        "at_limit": found.at_limit,
        **certificate,
        **notes,
    }


def _simulate(options: Namespace) -> dict[str, Any]:
    batches = command.needed(options, BATCHES)
    scenario = scenario_from(options)
    from dpviz.command_line.simulation import check_work, simulation_answer

    check_work(scenario, batches)
    return simulation_answer(scenario, batches, command.value_of(options, SEED)) | _notes(
        options, scenario
    )


def _notes(options: Namespace, scenario: Scenario) -> dict[str, list[str]]:
    from dpviz.command_line.notes import notes_on

    return {"notes": notes_on(scenario, given_fields(options))}


def _printed(answer_of: Callable[[Namespace], dict[str, Any]]) -> Callable[[Namespace], str]:
    def run(options: Namespace) -> str:
        answer = answer_of(options)
        if options.json:
            return json.dumps(answer, allow_nan=False)
        from dpviz.command_line.table import table

        return table(answer, at_delta=options.command != "delta")

    return run


COMMANDS = (
    command.Command(
        name="delta",
        help="delta at given epsilons",
        run=_printed(_delta),
        settings=(("", (command.EPSILONS,)),),
        reads_scenario=True,
        also_called={"--delta": "--epsilon", "--target-epsilon": "--epsilon", "--eps": "--epsilon"},
    ),
    command.Command(
        name="epsilon",
        help="epsilon at given deltas",
        run=_printed(_epsilon),
        settings=(("", (DELTAS,)),),
        flags={"--closer": CLOSER, "--one-batch": ONE_BATCH},
        reads_scenario=True,
        also_called={"--epsilon": "--delta", "--target-delta": "--delta", "--eps": "--delta"},
    ),
    command.Command(
        name="risk",
        help="how often attackers are right: at most, and at least",
        run=_printed(_risk),
        settings=(("", (RATES,)),),
        reads_scenario=True,
        also_called=dict.fromkeys(
            ("--fpr", "--false-positive-rates", "--false-alarms", "--alpha"),
            "--false-positive-rate",
        ),
    ),
    command.Command(
        name="calibrate",
        help="the noise, or another quantity, that just meets a target",
        run=_printed(_calibrate),
        settings=(("", (TARGET_EPSILON, TARGET_DELTA, FIND)),),
        flags={"--closer": CLOSER_NOISE},
        reads_scenario=True,
        also_called={
            "--epsilon": "--target-epsilon",
            "--eps": "--target-epsilon",
            "--target": "--target-epsilon",
            "--delta": "--target-delta",
        },
    ),
    command.Command(
        name="simulate",
        help="draw batches and count the windows that contain one individual's values",
        run=_printed(_simulate),
        settings=(("", (BATCHES, SEED)),),
        reads_scenario=True,
        ignores=NOT_SIMULATED,
        also_called={"--num-batches": "--batches"},
    ),
)
