"""Lint, format and types are tests like all others."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]], ids=" ".join
)
def test_tool_finds_nothing(command):
    if command == ["mypy"] and np.lib.NumpyVersion(np.__version__) < "2.4.0":
        pytest.skip("before 2.4 NumPy tells less of its types")
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
