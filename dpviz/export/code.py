"""The command line and the Python that give the numbers on the page once more."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.export.programs import program, python_source, template
from dpviz.multistage import StagedDraw
from dpviz.release import Calibration
from dpviz.scenario import (
    Rates,
    Scenario,
    ScenarioError,
    Units,
    to_fields,
    to_json,
    worst_case_lengths,
)
from dpviz.scenario.errors import checked_choice, checked_real
from dpviz.scenario.fields import SCHEMA_1_DEFAULTS
from dpviz.scenario.mechanism import ONE_BAG
from dpviz.scenario.release_settings import OWN_SETTINGS, PAPER_COEFFICIENTS
from dpviz.scenario.scenario import DELTA_RANGE, EPSILON_RANGE
from dpviz.settings import View, option_of
from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource
from dpviz.training.settings import TrainingSettings

# What is given to a command, each from where to where.
_GIVEN = {
    "epsilon": ("delta", DELTA_RANGE),
    "delta": ("epsilon", EPSILON_RANGE),
    "risk": ("false_positive_rate", (0.0, 1.0)),
}
COMMANDS = tuple(_GIVEN)
# Which bounds its numbers are by, in Python.
_BOUNDS = {
    "epsilon": "[curve.bound_at(delta) for delta in deltas]",
    "delta": "[curve.bound_at_epsilon(epsilon) for epsilon in epsilons]",
    "risk": "[curve.bound]",
}
SCENARIO_FILE = "dpviz-scenario.json"
# Fields that no option gives: at any value but their defaults they take a file. Of the command
# epsilon the first delta asked for is the scenario's own, which also decides how fine the grid is.
FIELDS_WITHOUT_OPTION = ("longer_series_beyond", "touched_windows", "start_positions", "delta")
_COMMAND_WIDTH = 80


def command_line(scenario: Scenario, command: str = "epsilon", values: Sequence[float] = ()) -> str:
    r"""Return the shell command that answers for a scenario, as JSON.

    A scenario that options cannot give exactly is written to a file first. The data's units are
    left out: they change no number, and no text that a visitor typed gets into a shell.

    Args:
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
    # The fields that differ from what they mean when they are absent.
    given = {
        name: value
        for name, value in to_fields(replace(scenario, units=Units())).items()
        if name not in SCHEMA_1_DEFAULTS or value != SCHEMA_1_DEFAULTS[name]
    }
    file, options = "", dict(given)
    if command == "epsilon" and asked_for[0] == scenario.delta:
        options.pop("delta", None)
    elif command == "epsilon":
        options["delta"] = scenario.delta
    if _fits_in_options(scenario, options):
        words = [word for name, value in options.items() for word in _option(name, value)]
    else:
        fields = ",\n".join(f"  {json.dumps(name)}: {json.dumps(given[name])}" for name in given)
        file = f"cat > {SCENARIO_FILE} <<'END'\n{{\n{fields}\n}}\nEND\n"
        words = [f"--scenario {SCENARIO_FILE}"]
    words += _option(_GIVEN[command][0], asked_for)
    lines, line = [], f"python -m dpviz {command}"
    for word in (*words, "--json"):
        if len(f"{line} {word} \\") > _COMMAND_WIDTH:
            lines.append(line)
            line = f"    {word}"
        else:
            line = f"{line} {word}"
    return file + " \\\n".join([*lines, line])


def python_code(scenario: Scenario, command: str = "epsilon", values: Sequence[float] = ()) -> str:
    """Return a Python script that prints a scenario's upper and lower bound.

    Every value is written out, so that the script means the same where defaults are others;
    only the data's units are left out, as they change no number. It is asked as
    :func:`command_line` is.

    Returns:
        The script, which ends with a line break. It prints the digits of
        :func:`dpviz.accounting.account_for`.

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
    account = "risk" if command == "risk" else "curve"
    return program(
        "bounds",
        scenario,
        numpy="import numpy as np\n\n" if command == "delta" else "",
        account_imports=template(f"bounds_imports_{account}"),
        asked_for=python_source(f"{_GIVEN[command][0]}s = ", asked_for),
        account="risk_account" if command == "risk" else "account_for",
        bounds=_BOUNDS[command],
        lines=template(f"bounds_{command}"),
    )


def _checked_values(scenario: Scenario, command: str, values: Sequence[float]) -> list[float]:
    name, (low, high) = _GIVEN[checked_choice("command", command, COMMANDS)]
    if len(values) > 0:
        return [checked_real(name, value, low, high) for value in values]
    if command == "epsilon":
        return [scenario.delta]
    needed = f"one or more numbers from {low:g} to {high:g} are needed"
    raise ScenarioError(name, None, needed)


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


INFERENCE_STUDY_COMMAND = "python -m dpviz inference-study --out inference-study"
SWEEP_TOML = """\
# grid.toml: a list is several values, and all are combined
num_series = 320
series_length = 20
context_length = 1
forecast_length = 1
batch_size = [16, 32, 64, 128]
noise_multiplier = [0.8, 1.0, 1.5, 2.0, 4.0]
steps = [100, 300, 1000]
delta = 1e-7
"""
SWEEP_COMMAND = "python -m dpviz sweep grid.toml --out results.parquet --epsilon 0.5 1"
# Of the series that ``--data synthetic`` makes up.
SYNTHETIC_SEED = 1
# What the command takes if no option says otherwise.
_RELEASE_DEFAULTS = {"times_per_step": 1, "coefficients": PAPER_COEFFICIENTS}


def release_command_line(calibration: Calibration, *, has_file: bool) -> str:
    """Return the command that tells the noise, or writes the release of a file."""
    settings = calibration.settings
    given: dict[str, object] = {
        "mechanism": calibration.mechanism,
        "accounting": calibration.accounting,
    }
    own = OWN_SETTINGS[calibration.mechanism]
    for name in ("participation", "times_per_step", *own, "epsilon", "delta"):
        if (value := getattr(settings, name)) != _RELEASE_DEFAULTS.get(name):
            given[name] = value
    data: dict[str, object] = {"length": settings.length}
    if has_file:
        data = {"data": "counts.csv", "out": "released.csv"}
    options = [f"--{name.replace('_', '-')} {value}" for name, value in (given | data).items()]
    return "python -m dpviz release " + " \\\n    ".join(options)


def staged_command_line(
    draw: StagedDraw, noise_multiplier: float, episodes: int, epsilon: float
) -> str:
    r"""Return the command that prints both bounds.

    >>> from dpviz.multistage.guarantee import draw_in
    >>> print(staged_command_line(draw_in("5:64,1:20"), 1.0, 10, 1.0))
    python -m dpviz multistage --level 5:64 --level 1:20 --noise-multiplier 1.0 \
        --episodes 10 --epsilon 1.0
    """
    levels = " ".join(f"--level {level.drawn}:{level.size}" for level in draw.levels)
    return (
        f"python -m dpviz multistage {levels} --noise-multiplier {noise_multiplier!r} \\\n"
        f"    --episodes {episodes} --epsilon {epsilon!r}"
    )


def study_command(view: View, protection: str) -> str:
    """Return the command that studies all series; empty for a file, which it cannot read."""
    if view.protected_data == "file":
        return ""
    return (
        f"python -m dpviz forecast-study --data {view.protected_data} --protection {protection} "
        f"\\\n    --forecaster {view.live_forecasters.replace(',', ' ')} "
        f"--seed {view.protection_seed} --out table.csv"
    )


def train_command(settings: TrainingSettings, source: PanelSource) -> str:
    """Return the shell command that trains the same run; empty where no option says which data.

    Of a file the command reads ``series.csv``.
    """
    data = "series.csv"
    if isinstance(source, GeneratedSource):
        if source.seed != SYNTHETIC_SEED:
            return ""
        data, period = "synthetic", source.period
    elif isinstance(source, M3Source):
        return ""
    else:
        period = source.panel().period
        if source.choice.names_columns:
            return ""
        if source.choice.layout != "auto":
            data += f" --layout {source.choice.layout}"
    scenario, target = to_json(replace(settings.scenario, units=Units()), indent=2), settings.target
    budget = ["--no-privacy"]
    if target is not None:
        budget = [f"--target-epsilon {target.epsilon!r}", f"--target-delta {target.delta!r}"]
    words = [
        f"--data {data}",
        f"--model {settings.model}",
        f"--period {period}",
        f"--learning-rate {settings.learning_rate!r}",
        f"--evaluate-every {settings.evaluate_every}",
        *([] if settings.seed is None else [f"--seed {settings.seed}"]),
        *budget,
    ]
    command = " \\\n    ".join([f"python -m dpviz train --scenario {SCENARIO_FILE}", *words])
    return f"cat > {SCENARIO_FILE} <<'END'\n{scenario}\nEND\n{command}"
