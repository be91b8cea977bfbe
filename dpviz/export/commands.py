"""The commands that give the numbers of single pages once more."""

from dataclasses import replace

from dpviz.export.code import SCENARIO_FILE
from dpviz.multistage import StagedDraw
from dpviz.release import Calibration
from dpviz.scenario import Units, to_json
from dpviz.settings import View
from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource
from dpviz.training.settings import TrainingSettings

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
_RELEASE_OPTIONS = {
    "subsample": ("rate",),
    "filter-subsample": ("rate", "filter_width"),
}


def release_command_line(calibration: Calibration, *, has_file: bool) -> str:
    """Return the command that tells the noise, or writes the release of a file.

    Args:
        calibration: mechanism and noise.
        has_file: whether the series is in a file of the visitor's.
    """
    settings = calibration.settings
    names = _RELEASE_OPTIONS.get(calibration.mechanism, ())
    given = {
        "mechanism": calibration.mechanism,
        "accounting": calibration.accounting,
        "participation": settings.participation,
        **{name: getattr(settings, name) for name in names},
        "epsilon": settings.epsilon,
        "delta": settings.delta,
    }
    given |= (
        {"data": "counts.csv", "out": "released.csv"} if has_file else {"length": settings.length}
    )
    options = [f"--{name.replace('_', '-')} {value}" for name, value in given.items()]
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
