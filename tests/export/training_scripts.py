"""Small scenarios of every scheme, and their exported scripts as modules and as processes."""

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from types import ModuleType
from unittest.mock import patch

import numpy as np
import pytest

from dpviz.export.training_script import training_script
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, Training
from tests.scenario.changes import varied

SMALL = Scenario(
    data=DataShape(num_series=12, series_lengths=(10,), context_length=3, forecast_length=2),
    sampling=Sampling(batch_size=6),
    noise=Noise(noise_multiplier=2.0),
    training=Training(unit="steps", count=8),
)


def drawn(scenario=SMALL, **sampling):
    return varied(scenario, **sampling)


NOISY = replace(
    SMALL,
    noise=Noise(noise_multiplier=2.0, context_noise=0.5, forecast_noise=2.0),
    relation=Relation(max_change=3.0),
)
PACKAGES = {"numpy": "numpy", "pytorch": "torch", "opacus": "opacus"}
KINDS = ["numpy", *(pytest.param(kind, marks=pytest.mark.torch) for kind in ("pytorch", "opacus"))]
SCHEMES = {
    "without-replacement": SMALL,
    "without-replacement, two windows": drawn(num_subsequences=2),
    "deterministic": drawn(top_level="deterministic"),
    "deterministic, two windows": drawn(top_level="deterministic", num_subsequences=2),
    "shuffled": drawn(top_level="shuffled", num_subsequences=2),
    "bins": drawn(top_level="bins"),
    "poisson series": drawn(top_level="poisson", batch_size=2),
    "poisson windows": drawn(bottom_level="poisson", num_subsequences=2),
    "poisson both": drawn(top_level="poisson", bottom_level="poisson", batch_size=2),
    "one bag": drawn(top_level="flat"),
    "one bag by coins": drawn(top_level="flat", bottom_level="poisson"),
    "noise on windows": NOISY,
    "no context": varied(SMALL, context_length=0),
    "epochs": varied(SMALL, epochs=3),
}


def module_of(source):
    module = ModuleType("exported_script")
    exec(compile(source, "exported_script.py", "exec"), module.__dict__)
    return module


def loaded(scenario, kind, target_epsilon=None):
    """Return an exported script as a module."""
    return module_of(_script(scenario, kind, target_epsilon))


@cache
def _script(scenario, kind, target_epsilon):
    return training_script(scenario, kind=kind, target_epsilon=target_epsilon)


def series_of(scenario, value=None):
    """Return series of the scenario's shape, waves or one value all over."""
    shape = scenario.data
    lengths = np.resize(shape.series_lengths, shape.num_series).tolist()
    if value is not None:
        return [np.full(length, value) for length in lengths]
    rng = np.random.default_rng(5)
    return [5.0 + np.sin(np.arange(length)) + rng.normal(size=length) for length in lengths]


def run(source, folder, *arguments):
    """Run a script as a user does: from a file, in an environment with nothing set."""
    path = folder / "script.py"
    path.write_text(source, encoding="ascii")
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return subprocess.run(
        [sys.executable, str(path), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**kept, "OMP_NUM_THREADS": "1"},
        check=False,
    )


def ran(source, folder, *arguments):
    """Return what :func:`run` does, from this process: no other one has to start."""
    said, complained, status = io.StringIO(), io.StringIO(), 0
    with (
        contextlib.chdir(folder),
        patch.object(sys, "argv", ["script.py", *map(str, arguments)]),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        try:
            module_of(source).main()
        except SystemExit as ended:  # with a sentence, which Python prints
            status = 1
            print(ended, file=sys.stderr)
    return subprocess.CompletedProcess(arguments, status, said.getvalue(), complained.getvalue())


def record_in(folder):
    """Return what a run says of itself in its folder."""
    return json.loads((folder / "privacy.json").read_text(encoding="utf-8"))


def finished(source, folder, *arguments, by=ran):
    """Run a script to its end; return what it prints, and its record where that usually is."""
    done = by(source, folder, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, record_in(folder / "private-model")


class Recorder:
    """Notes what a function is called with and what it returns."""

    def __init__(self, function):
        self.function = function
        self.arguments, self.results = [], []

    def __call__(self, *arguments, **named):
        """Call the function and note it."""
        result = self.function(*arguments, **named)
        self.arguments.append(arguments)
        self.results.append(result)
        return result


def trained(module, folder, scenario):
    """Train on small data in this process; return the drawn batches and the statement."""
    module.windows = Recorder(module.windows)
    module.train(series_of(scenario), folder)
    batches = [arguments[1] for arguments in module.windows.arguments]
    return batches, record_in(folder)


class Silent:
    """A model without any gradient."""

    num_parameters = 200_000

    def clipped_sum(self, *_):
        """Return zeros, whatever the windows."""
        return np.zeros(self.num_parameters)


class NoNoise:
    """A generator whose noise is zero."""

    def normal(self, *_, size):
        """Return zeros, whatever the deviation."""
        return np.zeros(size)
