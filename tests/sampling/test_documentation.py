"""The example that people copy."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "sampling.md"


def test_the_training_loop_of_the_page_runs_and_learns():
    """A random walk is best forecast by its last value: the one weight approaches 1."""
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert len(example.splitlines()) <= 16
    unseeded = (
        "rng = np.zeros((shape.context_length, shape.forecast_length)), np.random.default_rng()"
    )
    assert unseeded in example
    names = {}
    exec(example.replace(unseeded, unseeded[:-1] + "1)"), names)
    # 1000 steps, each with noise of deviation 0.1 * sigma / Lambda on the weight.
    assert np.abs(names["weights"] - 1.0).max() < 0.1
