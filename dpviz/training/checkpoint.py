"""A training run on disk: what it has spent, and all that it takes to go on.

One file, replaced whole. It is written *before* the steps that it counts as spent are taken, so
whenever a run ends, the file tells at least what has been spent.
"""

import contextlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.files.replacement import keeps_out_others, replace_file
from dpviz.scenario.errors import cut_off
from dpviz.training.forecaster import FloatArray

FILE_NAME = "checkpoint.npz"
_LOCK_NAME = "checkpoint.lock"
_UNFINISHED = ".checkpoint-"
_FORMAT = 1
_MEMORY = "memory_"
_ARRAYS = ("parameters", "best_parameters")
DATA = "data"
"""What names the values of a run in its identity, where it has a seed."""


class CheckpointError(ValueError):
    """A folder's checkpoint is of another run, damaged, or in use; the message is a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRow:
    """One evaluation: training steps, steps accounted for, and errors of held-out windows."""

    step: int
    accounted: int
    validation_crps: float | None
    held_out_loss: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Checkpoint:
    """A run between two steps; a model that keeps itself in ``memory`` needs no parameters.

    Args:
        identity: the settings and the lengths of the series, as data for JSON.
        steps: training steps that the model has had.
        accounted: steps that had been spent by then.
        reserved: steps that may have been spent since; at least ``accounted``.
        best_parameters: of the smallest held-out error, or the last ones.
        randomness: states of the random generators; ``None`` where they are not to be kept.
    """

    identity: dict[str, Any]
    steps: int
    accounted: int
    reserved: int
    memory: dict[str, FloatArray]
    parameters: FloatArray = field(default_factory=lambda: np.zeros(0))
    best_step: int = 0
    best_parameters: FloatArray = field(default_factory=lambda: np.zeros(0))
    curve: tuple[CurveRow, ...] = ()
    randomness: dict[str, Any] | None = None


class CheckpointFolder:
    """A folder, made if it is not there, that one process at a time trains in.

    Raises:
        CheckpointError: another process trains in it.
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / FILE_NAME

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes out; the system lets them in again however this one ends."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / _LOCK_NAME).open("a") as lock:
            if not keeps_out_others(lock):
                raise CheckpointError(f"another process trains in {self._folder}")
            for unfinished in self._folder.glob(f"{_UNFINISHED}*"):
                unfinished.unlink(missing_ok=True)  # of a run that was killed
            yield

    def save(self, checkpoint: Checkpoint) -> None:
        """Replace the file, and return only when a loss of power would not bring back the old one.

        Raises:
            OSError: there is no room.
        """
        parts = {one.name: getattr(checkpoint, one.name) for one in fields(checkpoint)}
        arrays = {name: parts.pop(name) for name in _ARRAYS}
        arrays |= {_MEMORY + name: values for name, values in parts.pop("memory").items()}
        told = {"format": _FORMAT, **parts, "curve": [asdict(row) for row in checkpoint.curve]}
        arrays["told"] = np.array(json.dumps(told, allow_nan=False))
        content = io.BytesIO()
        np.savez(content, **arrays)
        replace_file(self.path, content.getbuffer(), prefix=_UNFINISHED)
        if os.name == "posix":  # the folder itself, where the system lets one write it down
            descriptor = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def load(self, identity: dict[str, Any]) -> Checkpoint | None:
        """Return the run of that identity that was left here, or ``None`` if there is none.

        Raises:
            CheckpointError: the file is damaged, or of another run.
        """
        if not self.path.exists():
            return None
        try:
            found = self._read()
        except Exception as problem:  # there is no telling what damage leads to
            raise damaged(self.path, problem) from None
        _check_identity(found.identity, identity, self.path)
        return found

    def _read(self) -> Checkpoint:
        # By its default this reads no pickles, which could run anything.
        with np.load(self.path) as file:
            arrays = {name: file[name] for name in file.files}
        told = json.loads(str(arrays.pop("told")))
        if (form := told.pop("format")) != _FORMAT:
            raise ValueError(f"its format is {form}, and {_FORMAT} is read")
        told["curve"] = tuple(CurveRow(**row) for row in told["curve"])
        memory = {
            name.removeprefix(_MEMORY): values
            for name, values in arrays.items()
            if name.startswith(_MEMORY)
        }
        checkpoint = Checkpoint(**told, **{name: arrays[name] for name in _ARRAYS}, memory=memory)
        if not 0 <= checkpoint.steps <= checkpoint.accounted <= checkpoint.reserved:
            raise ValueError("its numbers of steps contradict each other")
        return checkpoint


def damaged(path: Path, problem: Exception) -> CheckpointError:
    """Return the error that a checkpoint cannot be used, with what to do about it."""
    return CheckpointError(
        f"{path} is damaged ({problem}), so what this run has spent is not known: count its "
        "whole target as spent, and train in another folder"
    )


def _check_identity(found: dict[str, Any], asked: dict[str, Any], path: Path) -> None:
    for name in asked:
        if found.get(name) != asked[name]:
            if name == DATA:
                raise CheckpointError(
                    f"{path} is of a run with the same seed on other data: the same noise on both "
                    "would reveal how they differ; train in another folder, with another seed "
                    "or without one"
                )
            there, here = (cut_off(json.dumps(one.get(name))) for one in (found, asked))
            raise CheckpointError(
                f"{path} is of another run: {name} is {there} there and {here} here; train in "
                "another folder, and add up what both spend"
            )
