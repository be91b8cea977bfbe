"""Batch size, windows per series and the way to draw series, on a budget and without privacy.

``python -m bench.drawing_study FOLDER`` trains the linear model of ``python -m dpviz
training-study`` with the batch sizes, windows and top levels of Figures 11 and 12 of Schuchardt et
al., on that study's made-up series and on some of the shape of the paper's. It keeps each run in
FOLDER, goes on from there, and writes ``drawing.csv`` beside that study's results. Every run takes
the same number of steps.
"""

import sys
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import product
from pathlib import Path

import dpviz
from dpviz.files.commented_csv import commented_csv
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.studies.run import Journal, answers_to, each
from dpviz.training.panel import Panel, training_shape
from dpviz.training.panel_source import GeneratedSource
from dpviz.training.run import trained
from dpviz.training.split import split
from dpviz.training_study.questions import (
    BATCH_SIZE,
    CONTEXT_LENGTH,
    DATA,
    DELTA,
    FORECAST_LENGTH,
    WITHOUT_PRIVACY,
    is_private,
)
from dpviz.training_study.results import DRAWING_COLUMNS, DRAWING_FILE, SHIPPED, Drawing
from dpviz.training_study.study import PlannedRun, settings_of

SOURCES = {
    "generated": DATA["generated"].source,
    # N of the paper's electricity data, and a year of hours of its three.
    "hourly": GeneratedSource(num_series=321, length=8760, period=24, seed=1),
}
TOP_LEVELS = ("deterministic", "shuffled", "without-replacement")
EPSILONS, SEEDS = (8.0, WITHOUT_PRIVACY), range(1, 6)
FIGURE_11 = product(("generated",), (16, 32, 64, 128), (1,), TOP_LEVELS, EPSILONS, SEEDS)
FIGURE_12 = product(SOURCES, (BATCH_SIZE,), (1, 2, 4, 8, 16), TOP_LEVELS, EPSILONS, SEEDS)


@lru_cache(maxsize=len(SOURCES))
def _panel(data: str) -> Panel:
    return SOURCES[data].panel()


def finished(case: tuple[Drawing, int]) -> list[float | str | None]:
    """Return error, baseline's error, epsilon spent, its theorem and the noise of one run."""
    drawing, seed = case
    run = PlannedRun(
        question="budget", data="generated", model="linear",
        value=WITHOUT_PRIVACY, epsilon=WITHOUT_PRIVACY, seed=seed,
    )  # fmt: skip
    settings, panel, target = settings_of(run), _panel(drawing.data), None
    parts = split(panel, CONTEXT_LENGTH, FORECAST_LENGTH, validation_windows=0)
    scenario = settings.scenario
    sampling = replace(
        scenario.sampling,
        batch_size=drawing.batch_size,
        num_subsequences=drawing.num_subsequences,
        top_level=drawing.top_level,
    )
    shape = training_shape(parts.training, CONTEXT_LENGTH, FORECAST_LENGTH, scenario.relation)
    scenario = replace(scenario, data=shape, sampling=sampling)
    if is_private(drawing.epsilon):
        target = Target(epsilon=drawing.epsilon, delta=DELTA)
        scenario = calibrated(scenario, "noise_multiplier", target)
    found = trained(replace(settings, scenario=scenario, target=target), panel)
    spent = found.spent
    return [
        found.crps,
        found.baseline_crps,
        None if spent is None else spent.epsilon,
        None if spent is None else spent.bound.theorem,
        None if spent is None else scenario.noise.noise_multiplier,
    ]


def main(folder: str, processes: int = 1) -> None:
    """Train what is lacking, and write the table."""
    Path(folder).mkdir(exist_ok=True)
    cases = {
        " ".join(map(str, one)): (Drawing(*one[:-1]), one[-1]) for one in (*FIGURE_11, *FIGURE_12)
    }
    with Journal(Path(folder) / "drawing.journal", "drawing") as journal:
        answers = answers_to(
            cases,
            each(finished, processes),
            journal=journal,
            progress=lambda done, of: print(f"{done} of {of}", file=sys.stderr, flush=True),
        )
    rows = [[*drawing, seed, *answers[name]] for name, (drawing, seed) in cases.items()]
    about = [f"date: {date.today().isoformat()}", f"versions: dpviz {dpviz.__version__}"]
    table = commented_csv(about, DRAWING_COLUMNS, rows)
    (SHIPPED / DRAWING_FILE).write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
