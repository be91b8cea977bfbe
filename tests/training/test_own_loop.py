"""The loop that docs/own-loop.md shows runs as it stands, within its budget."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "own-loop.md"


@pytest.mark.torch
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")
def test_the_loop_trains_and_tells_what_it_has_spent(tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    script = tmp_path / "own_loop.py"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        cwd=PAGE.parents[1],
    )
    steps, epsilon = re.match(
        r"(\d+) steps: epsilon <= ([\d.]+) at delta = 1e-05", done.stdout
    ).groups()
    assert 0 < int(steps) <= 60
    assert 0 < float(epsilon) <= 8
