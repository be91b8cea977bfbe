"""The programs that give a page's numbers once more: templates in which a set-up is filled in."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any

import dpviz
from dpviz.multistage import StagedDraw
from dpviz.planning.paper_figures.families import Family, Panel
from dpviz.private_inference.plan import HidingPlan
from dpviz.release import Calibration
from dpviz.scenario import Scenario
from dpviz.series_file.adopt import Choice
from dpviz.settings import View
from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource
from dpviz.training.settings import TrainingSettings
from dpviz.wording.paper_figures import panel_name

PYTHON_WIDTH = 88
_TEMPLATES = files("dpviz.export") / "templates"
_PLACE = re.compile(r"@@([\w.]+(?:!r)?)@@")
# What has to be imported for a page's data, and the data.
_PROTECTED_DATA = {
    "generated": (
        "from dpviz.protected_forecasts import generated_series\n",
        "generated_series(np.random.default_rng(1))",
    ),
    "m3": ("from dpviz.protected_forecasts import m3_monthly_micro\n", "m3_monthly_micro()"),
    "file": (
        "from pathlib import Path\n\nfrom dpviz.protected_forecasts.data import series_from_file\n",
        'series_from_file(Path("mine.csv").read_bytes(), "mine.csv")',
    ),
}


def template(name: str) -> str:
    """Return a template: a program with places ``@@name@@``, also ``@@name.of_part!r@@``."""
    return (_TEMPLATES / f"{name}.py.txt").read_text(encoding="utf-8")


def filled(text: str, parts: Mapping[str, object]) -> str:
    """Return a template with all its places filled; what is filled in has none of its own.

    >>> filled("epsilon = @@epsilon@@", {"epsilon": 0.5})
    'epsilon = 0.5'
    """
    return _PLACE.sub(lambda place: f"{{{place[1]}}}".format_map(parts), text)


def program(name: str, scenario: Scenario | None = None, /, **parts: object) -> str:
    """Return the program of a template; of a scenario both what it imports and what it is."""
    set_up = {}
    if scenario is not None:
        source = python_source("scenario = ", scenario)
        set_up = {"imports": scenario_imports(source).rstrip(), "scenario": source}
    return filled(template(name), {"version": dpviz.__version__, **set_up, **parts})


def batch_code(scenario: Scenario, seed: int, number: int) -> str:
    """Return a Python script that prints the windows of a batch; its number is from 1.

    >>> from dpviz.scenario import PRESETS
    >>> exec(batch_code(PRESETS["toy"].scenario, 1, 7))  # doctest: +ELLIPSIS
    batch 7: 32 windows
    series ... forecast from value ... on
    """
    return program("batch", scenario, seed=seed, number=number, before=number - 1)


def theory_code(scenario: Scenario, units: int, sizes: list[int], seed: int) -> str:
    """Return a Python script that prints what is simulated and what is proven at some epsilons.

    >>> from dpviz.scenario import PRESETS
    >>> exec(theory_code(PRESETS["toy"].scenario, 1, [1000], 1))  # doctest: +ELLIPSIS
    1,000 runs contradict nothing: True
    epsilon 0.1: simulated delta ... to ... (95 %), at most ... (tight bound, Theorem 4.4 ...)
    epsilon 1: simulated delta ... to ... (95 %), at most ... (tight bound, Theorem 4.4 ...)
    """
    return program("theory_check", scenario, units=units, sizes=sizes, seed=seed)


def paper_python(panel: Panel) -> str:
    """Return a Python script that prints what the paper draws of a panel's runs.

    >>> from dpviz.planning.paper_figures import FIGURES
    >>> exec(paper_python(FIGURES["3"].panel(0)))  # doctest: +ELLIPSIS
    tight bound, Theorem 4.4, 1 step
      delta from 0.00... to 0.00... at epsilon 0.1
    ...
    """
    name = "paper_steps" if panel.family is Family.EPOCH_LENGTH else "paper_panel"
    return program(name, name=panel_name(panel), figure=panel.figure, number=panel.number)


def example_code(
    plan: HidingPlan, given_noise: float | None, *, model: str, series: int, seed: int
) -> str:
    """Return the program that prints epsilon, the noise and the forecast of a hidden context."""
    noise = "exact_noise(plan).noise" if given_noise is None else given_noise
    return program("hidden_context", plan=plan, noise=noise, model=model, series=series, seed=seed)


def study_code(view: View, protection: str) -> str:
    """Return the program that prints the errors of the protected series that are shown."""
    load, data = _PROTECTED_DATA[view.protected_data]
    names = view.live_forecasters.split(",")
    loaded = {"load": load, "data": data, "forecasters": names}
    return program("protected_forecasts", **loaded, view=view, protection=protection)


def release_python(
    calibration: Calibration, series: str, chunks: Sequence[int], seed: int, draw: Sequence[int]
) -> str:
    """Return a program that prints noise and mean error, and makes the very release of the page.

    ``series`` is an expression, ``chunks`` the repetitions of each portion in which the page tries
    the mechanism, ``draw`` the seed of the release that is drawn.
    """
    drawn = {"chunks": list(chunks), "seed": seed, "draw": list(draw)}
    return program("release", series=series, plan=calibration, **drawn)


def staged_python(draw: StagedDraw, noise_multiplier: float, episodes: int, epsilon: float) -> str:
    """Return a Python script that prints both bounds of episodes that are drawn in stages.

    >>> from dpviz.multistage.guarantee import draw_in
    >>> exec(staged_python(draw_in("1:2,1:3"), 1.0, 1, 1.0))  # doctest: +ELLIPSIS
    delta at most 0.0439... at epsilon 1.0, by Proposition 1 of docs/multistage.md
    delta at least 0.0439... at epsilon 1.0, by Proposition 2 of docs/multistage.md
    """
    levels = ", ".join(map(repr, draw.levels))
    asked = {"noise_multiplier": noise_multiplier, "episodes": episodes, "epsilon": epsilon}
    return program("multistage", levels=levels, **asked)


def train_code(settings: TrainingSettings, source: PanelSource) -> str:
    """Return a Python script that trains the same run and prints its result.

    Of a file the script reads ``series.csv``.

    >>> from dpviz.scenario import PRESETS
    >>> from dpviz.training.panel_source import parts_of
    >>> from dpviz.training.small_run import small_run
    >>> source = GeneratedSource(num_series=20, length=60, period=12, seed=1)
    >>> run = small_run(PRESETS["toy"].scenario, parts_of(source, 12, 6), context_length=12,
    ...     forecast_length=6, batch_size=16, max_change=10.0, steps=5, model="linear",
    ...     target_epsilon=20.0, fits_noise=True, learning_rate=0.01, seed=1)
    >>> exec(train_code(run.settings(), source))  # doctest: +ELLIPSIS
    CRPS 0... against 0... of the seasonal naive forecast
    epsilon at most ... at delta 1e-07 (upper bound, Theorem 4.4 composed over 5 steps)
    """
    panel_import, panel = _panel(source)
    data = {"panel_import": panel_import, "panel": panel}
    note = "  # without privacy" if settings.target is None else ""
    return program("train", settings.scenario, **data, settings=settings, budget_note=note)


def _panel(source: PanelSource) -> tuple[str, str]:
    """Return what has to be imported for a panel of series, and the panel."""
    if isinstance(source, GeneratedSource):
        size = f"{source.num_series}, {source.length}, {source.period}"
        return (
            "from dpviz.training.panel_source import generated_panel",
            f"panel = generated_panel({size}, seed={source.seed})",
        )
    if isinstance(source, M3Source):
        return (
            "from dpviz.training.panel_source import m3_monthly_micro",
            "panel = m3_monthly_micro()",
        )
    told, imports, choice = f"period={source.panel().period}", "", ""
    if source.choice != Choice():
        imports = "from dpviz.series_file.adopt import Choice\n"
        told, choice = f"{told}, choice=choice", f"choice = {source.choice!r}\n"
    return (
        f"from pathlib import Path\n\n{imports}"
        "from dpviz.training.panel_source import panel_from_file",
        f'path = Path("series.csv")  # your file\n{choice}'
        f"panel = panel_from_file(path.read_bytes(), path.name, {told}).panel",
    )


def scenario_imports(source: str, *others: str) -> str:
    r"""Return the lines that import what a scenario's source constructs, and other names.

    >>> scenario_imports("Scenario(data=DataShape(num_series=3, ...))")
    'from dpviz.scenario import DataShape, Scenario\n'
    """
    names = sorted({*re.findall(r"\b[A-Z]\w+(?=\()", source), *others})
    line = f"from dpviz.scenario import {', '.join(names)}\n"
    if len(line) <= PYTHON_WIDTH + 1:
        return line
    lines = "".join(f"    {name},\n" for name in names)
    return f"from dpviz.scenario import (\n{lines})\n"


def _arguments(value: Any) -> list[tuple[str, Any]]:
    """Return what has to be said of a value.

    The data's units are left out: they change no number, and no text that a visitor typed gets into
    a program. One series per person is what a program says that does not name them.
    """
    named = ((field.name, getattr(value, field.name)) for field in fields(value))
    return [
        (name, item)
        for name, item in named
        if item is not None and name != "units" and (name, item) != ("series_per_person", 1)
    ]


def python_source(start: str, value: Any, indent: str = "") -> str:
    """Return ``start`` and a value as Python, over several lines where one is too short.

    >>> from dpviz.scenario import Training
    >>> python_source("training=", Training(unit="steps", count=5))
    'training=Training(unit="steps", count=5)'
    """
    line = f"{indent}{start}{_expression(value)}"
    if len(line) < PYTHON_WIDTH:  # a comma may follow
        return line
    inner = indent + "    "
    if is_dataclass(value):
        opening, closing = f"{type(value).__name__}(", ")"
        lines = ",\n".join(
            python_source(f"{name}=", item, inner) for name, item in _arguments(value)
        )
    else:
        opening, closing = "[]" if isinstance(value, list) else "()"
        numbers = ", ".join(map(repr, value))
        lines = textwrap.fill(
            numbers, PYTHON_WIDTH - 1, initial_indent=inner, subsequent_indent=inner
        )
    return f"{indent}{start}{opening}\n{lines},\n{indent}{closing}"


def _expression(value: Any) -> str:
    if is_dataclass(value):
        inner = ", ".join(f"{name}={_expression(item)}" for name, item in _arguments(value))
        return f"{type(value).__name__}({inner})"
    return f'"{value}"' if isinstance(value, str) else repr(value)
