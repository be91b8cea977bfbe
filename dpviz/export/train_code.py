"""The commands and the Python that train the page's run once more."""

from dataclasses import replace

import dpviz
from dpviz.export.code import SCENARIO_FILE
from dpviz.export.scenario_code import classes_of, python_source, scenario_imports
from dpviz.scenario import Units, to_json
from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource
from dpviz.training.settings import TrainingSettings

# Of the series that ``--data synthetic`` makes up.
SYNTHETIC_SEED = 1


def train_code(settings: TrainingSettings, source: PanelSource) -> str:
    """Return a Python script that trains the same run and prints its result.

    Args:
        settings: of the run, its noise found already.
        source: the data; of a file the script reads ``series.csv``.

    >>> from dpviz.scenario import PRESETS
    >>> from dpviz.training.panel_source import parts_of
    >>> from dpviz.training.small_run import small_run
    >>> source = GeneratedSource(num_series=20, length=60, period=12, seed=1)
    >>> run = small_run(PRESETS["toy"].scenario, parts_of(source, 12, 6), context_length=12,
    ...     forecast_length=6, batch_size=16, max_change=10.0, steps=5, model="linear",
    ...     target_epsilon=20.0, fits_noise=True, learning_rate=0.01, seed=1)
    >>> exec(train_code(run.settings(), source))  # doctest: +ELLIPSIS
    CRPS 0... against 0... of the seasonal naive forecast
    epsilon at most ... at delta 1e-07
    """
    scenario, target = settings.scenario, settings.target
    budget = "None  # without privacy"
    if target is not None:
        budget = f"Target(epsilon={target.epsilon!r}, delta={target.delta!r})"
    imports, panel = _panel(source)
    return (
        f'"""A small training run, by dpviz {dpviz.__version__}."""\n\n'
        "from dpviz.planning.target import Target\n"
        f"{scenario_imports(classes_of(scenario))}"
        f"{imports}"
        "from dpviz.training.run import trained\n"
        "from dpviz.training.settings import TrainingSettings\n\n"
        f"{panel}"
        f"{python_source('scenario = ', scenario)}\n"
        "settings = TrainingSettings(\n"
        "    scenario=scenario,\n"
        f'    model="{settings.model}",\n'
        f"    target={budget},\n"
        f"    most_steps={settings.most_steps},\n"
        f"    learning_rate={settings.learning_rate!r},\n"
        f"    seed={settings.seed!r},\n"
        f"    evaluate_every={settings.evaluate_every},\n"
        ")\n"
        "result = trained(settings, panel)\n"
        'baseline = f"{result.baseline_crps:.4f} of the seasonal naive forecast"\n'
        'print(f"CRPS {result.crps:.4f} against {baseline}")\n'
        "if result.spent is not None:\n"
        '    print(f"epsilon at most {result.spent.epsilon} at delta {result.spent.delta}")\n'
    ).replace("target=None  # without privacy,", "target=None,  # without privacy")


def train_command(settings: TrainingSettings, source: PanelSource) -> str:
    """Return the shell command that trains the same run; empty where no option says which data.

    Args:
        settings: of the run, its noise found already.
        source: the data; of a file the command reads ``series.csv``.
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
    scenario = replace(settings.scenario, units=Units())
    words = [
        f"--data {data}",
        f"--model {settings.model}",
        f"--period {period}",
        f"--learning-rate {settings.learning_rate!r}",
        f"--evaluate-every {settings.evaluate_every}",
    ]
    if settings.seed is not None:
        words.append(f"--seed {settings.seed}")
    if settings.target is None:
        words.append("--no-privacy")
    else:
        words.append(f"--target-epsilon {settings.target.epsilon!r}")
        words.append(f"--target-delta {settings.target.delta!r}")
    joined = " \\\n    ".join(words)
    file = f"cat > {SCENARIO_FILE} <<'END'\n{to_json(scenario, indent=2)}\nEND\n"
    return f"{file}python -m dpviz train --scenario {SCENARIO_FILE} \\\n    {joined}"


def _panel(source: PanelSource) -> tuple[str, str]:
    if isinstance(source, GeneratedSource):
        return (
            "from dpviz.training.panel_source import generated_panel\n",
            f"panel = generated_panel({source.num_series}, {source.length}, {source.period}, "
            f"seed={source.seed})\n",
        )
    if isinstance(source, M3Source):
        return (
            "from dpviz.training.panel_source import m3_monthly_micro\n",
            "panel = m3_monthly_micro()\n",
        )
    period = source.panel().period
    return (
        "from pathlib import Path\n\nfrom dpviz.training.panel_source import panel_from_file\n",
        'path = Path("series.csv")  # your file\n'
        f"panel = panel_from_file(path.read_bytes(), path.name, period={period}).panel\n",
    )
