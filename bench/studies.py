"""The tables of runs that come with dpviz: what made them, and all of them made anew.

``python -m bench.studies`` tells which version made each. ``python -m bench.studies FOLDER`` makes
them with this one: hours of processor time, and all optional packages. What is finished is kept in
FOLDER, and after Ctrl-C or a kill the same command goes on from there. The tables of a study
replace those shipped when all of it is there.
"""

import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from shutil import copy

import dpviz.private_inference
from bench import drawing_study, forecast_horizons
from dpviz.command_line import main as run_command
from dpviz.command_line.inference_study import TABLE
from dpviz.files.commented_csv import said_above
from dpviz.protected_forecasts import FORECASTERS
from dpviz.protected_forecasts.study_tables import RESULTS as PROTECTED
from dpviz.protected_forecasts.study_tables import shipped_study
from dpviz.training.models import NETWORKS
from dpviz.training_study.questions import LEARNING_RATES, QUESTIONS
from dpviz.training_study.results import (
    ABOUT_FILE,
    DRAWING_FILE,
    ROWS_FILE,
    SHIPPED,
)
from dpviz.training_study.results import NETWORKS as OF_NETWORKS

INFERENCE = Path(dpviz.private_inference.__file__).parent / "results"


def _command(*words: str) -> None:
    """Run a command of dpviz; end where it is stopped or refuses, as it says itself."""
    if code := run_command(list(words)):
        raise SystemExit(code)


def _training(models: Iterable[str], shipped: Path, folder: Path) -> None:
    models = tuple(models)
    asked = [name for name, one in QUESTIONS.items() if set(models) & set(one.models)]
    out = str(folder)
    _command("training-study", "--out", out, "--model", *models, "--question", *asked)
    for name in (ROWS_FILE, ABOUT_FILE):
        copy(folder / name, shipped / name)


def _inference(folder: Path) -> None:
    _command("inference-study", "--out", str(folder))
    copy(folder / TABLE, INFERENCE / TABLE)


def _protected(folder: Path) -> None:
    options = [
        word
        for name in ("errors", "features", "reasons")
        for word in ("--out" if name == "errors" else f"--{name}", f"{PROTECTED}/m3_{name}.csv")
    ]
    _command(
        "forecast-study", "--cache", str(folder), *options,
        "--protection", *shipped_study().features, "--forecaster", *FORECASTERS,
    )  # fmt: skip


STUDIES: dict[str, tuple[Callable[[Path], None], tuple[Path, ...]]] = {
    "training": (
        partial(_training, [name for name in LEARNING_RATES if name not in NETWORKS], SHIPPED),
        (SHIPPED / ABOUT_FILE,),
    ),
    "networks": (
        partial(_training, [name for name in LEARNING_RATES if name in NETWORKS], OF_NETWORKS),
        (OF_NETWORKS / ABOUT_FILE,),
    ),
    "drawing": (
        lambda folder: drawing_study.main(str(folder)),
        (SHIPPED / DRAWING_FILE,),
    ),
    "inference": (_inference, (INFERENCE / TABLE,)),
    "protected": (
        _protected,
        tuple(PROTECTED / f"m3_{name}.csv" for name in ("errors", "features", "reasons")),
    ),
    "horizons": (
        lambda folder: forecast_horizons.main(str(folder)),
        tuple(PROTECTED / f"m3_{name}.csv" for name in ("horizons", "tree")),
    ),
}
"""What makes a study in a folder and ships its tables, and files that say what made them."""


def made_by(path: Path) -> tuple[str, str]:
    """Return the date of a table of runs, and the version of dpviz that made it, if it says so."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        about = json.loads(text)
        return about["date"], about["versions"]["dpviz"]
    about = said_above(text)
    named = dict(one.rpartition(" ")[::2] for one in about["versions"].split(", "))
    return about["date"], named.get("dpviz", "not told")


def main(words: list[str]) -> None:
    """Tell what made the tables, or make them anew in a folder."""
    for name, (make, tables) in STUDIES.items():
        if words:
            print(f"{name}:", file=sys.stderr, flush=True)
            folder = Path(words[0]) / name
            folder.mkdir(parents=True, exist_ok=True)
            make(folder)
        for path in tables:
            date, version = made_by(path)
            print(f"{path.relative_to(Path(dpviz.__file__).parent)}: {date}, dpviz {version}")


if __name__ == "__main__":
    main(sys.argv[1:])
