"""The command line and the Python that give the numbers on the page once more."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import dpviz
from dpviz.export.programs import classes_of, python_source, scenario_imports
from dpviz.scenario import Rates, Scenario, ScenarioError, Units, to_fields, worst_case_lengths
from dpviz.scenario.errors import checked_choice, checked_real
from dpviz.scenario.fields import SCHEMA_1_DEFAULTS
from dpviz.scenario.mechanism import ONE_BAG
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.settings import option_of

COMMANDS = ("epsilon", "delta", "risk")
# What is given to a command: deltas, epsilons, false positive rates.
_GIVEN = {"epsilon": "delta", "delta": "epsilon", "risk": "false_positive_rate"}
SCENARIO_FILE = "dpviz-scenario.json"
EPSILON_RANGE = (0.0, 1e9)
# Fields that no option gives: at any value but their defaults they take a file. Of the command
# epsilon the first delta asked for is the scenario's own, which also decides how fine the grid is.
FIELDS_WITHOUT_OPTION = ("longer_series_beyond", "touched_windows", "start_positions", "delta")
_COMMAND_WIDTH = 80


def command_line(scenario: Scenario, command: str = "epsilon", values: Sequence[float] = ()) -> str:
    r"""Return the shell command that answers for a scenario, as JSON.

    A scenario that options cannot give exactly is written to a file first. The data's units are
    left out: they change no number, and no text that a visitor typed gets into a shell.

    Args:
        scenario: the training set-up.
        command: ``epsilon`` (nats) at given deltas, ``delta`` at given epsilons (nats), or
            ``risk``, true positive rates at given false positive rates.
        values: the deltas (the scenario's own if there are none), the epsilons, or the rates.

    Returns:
        Lines to paste in bash; they end without a line break. The answer has the digits of
        :func:`dpviz.accounting.account_for`.

    Raises:
        ScenarioError: there is no such command, or a value is missing or out of range.

    >>> from dpviz.scenario import PRESETS
    >>> print(command_line(PRESETS["toy"].scenario))
    python -m dpviz epsilon --num-series 320 --series-length 20 --context-length 1 \
        --forecast-length 1 --batch-size 32 --noise-multiplier 1.0 --steps 1000 \
        --delta 1e-07 --json
    """
    asked_for = _checked_values(scenario, command, values)
    given = _needed_fields(scenario)
    file = ""
    options = dict(given)
    if command == "epsilon" and asked_for[0] == scenario.delta:
        options.pop("delta", None)
    elif command == "epsilon":
        options["delta"] = scenario.delta
    if _fits_in_options(scenario, options):
        words = [word for name, value in options.items() for word in _option(name, value)]
    else:
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(given[name])}" for name in given)
        file = f"cat > {SCENARIO_FILE} <<'END'\n{{\n{lines}\n}}\nEND\n"
        words = [f"--scenario {SCENARIO_FILE}"]
    words += _option(_GIVEN[command], asked_for)
    return file + _continued([f"python -m dpviz {command}", *words, "--json"])


def python_code(scenario: Scenario, command: str = "epsilon", values: Sequence[float] = ()) -> str:
    """Return a Python script that prints a scenario's upper and lower bound.

    Every value is written out, so that the script means the same where defaults are others;
    only the data's units are left out, as they change no number.

    Args:
        scenario: the training set-up.
        command: as for :func:`command_line`.
        values: likewise.

    Returns:
        The script, which ends with a line break. It prints the digits of
        :func:`dpviz.accounting.account_for`.

    Raises:
        ScenarioError: there is no such command, or a value is missing or out of range.

    >>> from dpviz.scenario import PRESETS
    >>> exec(python_code(PRESETS["toy"].scenario))  # doctest: +ELLIPSIS
    upper bound, Theorem 4.4 (upper), composed over 1,000 steps
      protects: 1-event privacy: substitution of at most 1 value of one series
      epsilon 19.0... at delta 1e-07
    lower bound, dpviz's Proposition 9 (lower), composed over 1,000 steps
      protects: 1-event privacy: substitution of at most 1 value of one series
      epsilon 17.59... at delta 1e-07
    """
    asked_for = _checked_values(scenario, command, values)
    named = {"epsilon": "deltas", "delta": "epsilons", "risk": "false_positive_rates"}[command]
    account = _ACCOUNT_OF_ATTACKS if command == "risk" else _ACCOUNT
    return (
        f'"""Privacy of a training run, by dpviz {dpviz.__version__}."""\n\n'
        f"{_NUMPY if command == 'delta' else ''}"
        f"{account[0]}"
        f"{scenario_imports(classes_of(scenario))}"
        "from dpviz.wording.scope import relation_name\n"
        "from dpviz.wording.theorems import composed_units, named_theorem\n\n"
        f"{python_source('scenario = ', scenario)}\n"
        f"{python_source(f'{named} = ', asked_for)}\n"
        f"\n{account[1]}{_BOUNDS}{_LINES[command]}"
    )


def _checked_values(scenario: Scenario, command: str, values: Sequence[float]) -> list[float]:
    checked_choice("command", command, COMMANDS)
    if command == "epsilon":
        return [checked_real("delta", delta, *DELTA_RANGE) for delta in values] or [scenario.delta]
    if command == "risk":
        if len(values) == 0:
            needed = "one or more numbers from 0 to 1 are needed"
            raise ScenarioError("false_positive_rate", None, needed)
        return [checked_real("false_positive_rate", rate, 0.0, 1.0) for rate in values]
    if len(values) == 0:
        raise ScenarioError("epsilon", None, "one or more numbers from 0 to 1e+09 are needed")
    return [checked_real("epsilon", epsilon, *EPSILON_RANGE) for epsilon in values]


def _needed_fields(scenario: Scenario) -> dict[str, Any]:
    """Return the fields that differ from what they mean when they are absent."""
    given = to_fields(replace(scenario, units=Units()))
    return {
        name: value
        for name, value in given.items()
        if name not in SCHEMA_1_DEFAULTS or value != SCHEMA_1_DEFAULTS[name]
    }


def _fits_in_options(scenario: Scenario, given: dict[str, Any]) -> bool:
    if any(name in given for name in FIELDS_WITHOUT_OPTION):
        return False
    data = scenario.data
    if isinstance(data, Rates):
        return data.last_shape is None
    # Options give the lengths of all series: of those, the ones that cannot be the worst go.
    if len(data.series_lengths) > data.num_series:
        return False
    kept = worst_case_lengths(
        data.series_lengths,
        num_series=data.num_series,
        context_length=data.context_length,
        forecast_length=data.forecast_length,
        relation=scenario.relation,
    )
    return kept == data


def _option(field: str, value: Any) -> list[str]:
    """Return the option of a field and its values, as words between which a line may break."""
    if field == "schema":
        return []
    if (field, value) == ("top_level", ONE_BAG):
        return ["--flat"]
    name = option_of(field)
    # Full digits; a text is one of a few plain words, so nothing has to be quoted.
    first, *others = [str(item) for item in (value if isinstance(value, list) else [value])]
    return [f"{name} {first}", *others]


def _continued(words: Sequence[str]) -> str:
    lines, line = [], words[0]
    for word in words[1:]:
        if len(f"{line} {word} \\") > _COMMAND_WIDTH:
            lines.append(line)
            line = f"    {word}"
        else:
            line = f"{line} {word}"
    return " \\\n".join([*lines, line])


# What is imported, and what the account is.
_ACCOUNT = ("from dpviz.accounting import account_for\n", "account = account_for(scenario)\n")
_ACCOUNT_OF_ATTACKS = (
    "from dpviz.planning.attack_rates import risk_account\n"
    "from dpviz.risk import attained_true_positive_rate, true_positive_rate\n",
    "account = risk_account(scenario)\n",
)
_BOUNDS = """\
for side, curve in (("upper", account.upper), ("lower", account.lower)):
    if curve is None:
        print(f"{side} bound: none proven")
        continue
    bound = curve.bound
    kind = bound.kind_after_composition.value
    source = f"{named_theorem(bound.theorem)} ({kind})"
    print(f"{side} bound, {source}, composed over {composed_units(bound)}")
    notes = {
        "protects": relation_name(scenario.relation),
        "only if": bound.condition,
        "note": bound.extension,
    }
    for name, words in notes.items():
        if words:
            print(f"  {name}: {words}")
"""
_EPSILONS = """\
    for delta in deltas:
        epsilon = curve.quoted_epsilon_at(delta)
        reached = "not reachable" if epsilon is None else epsilon
        print(f"  epsilon {reached} at delta {delta}")
"""
_NUMPY = "import numpy as np\n\n"
_DELTAS = """\
    deltas = curve.quoted_delta_at(np.array(epsilons))
    for epsilon, delta in zip(epsilons, deltas, strict=True):
        print(f"  delta {delta} at epsilon {epsilon}")
"""
_HITS = """\
    for rate in false_positive_rates:
        if side == "upper":
            hits = true_positive_rate(curve, rate).high
        else:
            hits = attained_true_positive_rate(curve, rate).low
        print(f"  true positive rate {hits} at false positive rate {rate}")
"""
_LINES = {"epsilon": _EPSILONS, "delta": _DELTAS, "risk": _HITS}
