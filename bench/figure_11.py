"""Batch size against the way in which series are drawn, at a fixed epsilon and without privacy.

``python -m bench.figure_11 FOLDER`` trains the linear model of ``python -m dpviz training-study``
on its made-up series, with the batch sizes and top levels of Figure 11 of Schuchardt et al. It
keeps each run in FOLDER, goes on from there, and writes ``figure_11.csv`` beside that study's
results. Every run takes the same number of steps.
"""

import sys
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path

import dpviz
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.studies.run import Journal, answers_to, commented_csv, each
from dpviz.training.run import trained
from dpviz.training_study.questions import DATA, DELTA, WITHOUT_PRIVACY, is_private
from dpviz.training_study.results import FIGURE_11_COLUMNS, FIGURE_11_FILE, SHIPPED
from dpviz.training_study.study import PlannedRun, settings_of

BATCH_SIZES, TOP_LEVELS = (16, 32, 64, 128), ("deterministic", "shuffled", "without-replacement")
EPSILONS, SEEDS = (8.0, WITHOUT_PRIVACY), range(1, 6)
Case = tuple[int, str, float, int]


def finished(case: Case) -> list[float | str | None]:
    """Return error, baseline's error, epsilon spent, its theorem and the noise of one run."""
    batch_size, top_level, epsilon, seed = case
    run = PlannedRun(
        question="budget", data="generated", model="linear",
        value=WITHOUT_PRIVACY, epsilon=WITHOUT_PRIVACY, seed=seed,
    )  # fmt: skip
    settings = settings_of(run)
    scenario, target = settings.scenario, None
    sampling = replace(scenario.sampling, batch_size=batch_size, top_level=top_level)
    scenario = replace(scenario, sampling=sampling)
    if is_private(epsilon):
        target = Target(epsilon=epsilon, delta=DELTA)
        scenario = calibrated(scenario, "noise_multiplier", target)
    settings = replace(settings, scenario=scenario, target=target)
    found = trained(settings, DATA[run.data].source.panel())
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
        " ".join(map(str, one)): one for one in product(BATCH_SIZES, TOP_LEVELS, EPSILONS, SEEDS)
    }
    with Journal(Path(folder) / "figure-11.journal", "figure 11") as journal:
        answers = answers_to(
            cases,
            each(finished, processes),
            journal=journal,
            progress=lambda done, of: print(f"{done} of {of}", file=sys.stderr, flush=True),
        )
    rows = [[*case, *answers[name]] for name, case in cases.items()]
    about = [f"date: {date.today().isoformat()}", f"versions: dpviz {dpviz.__version__}"]
    table = commented_csv(about, FIGURE_11_COLUMNS, rows)
    (SHIPPED / FIGURE_11_FILE).write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
