"""The mechanisms that the bounds are about, as code (Schuchardt et al., Algorithms 1 to 6).

Arrays and numbers that are not allowed raise ValueError, as :class:`~dpviz.scenario.ScenarioError`
is one.
"""

from dpviz.sampling.batches import Batch, batches
from dpviz.sampling.hits import middle_position, simulate_hits, touching_starts
from dpviz.sampling.noisy_step import clipped_sum, noisy_average, noisy_gradient
from dpviz.sampling.windows import Windows, noise_of_windows, noisy_windows, windows

__all__ = [
    "Batch",
    "Windows",
    "batches",
    "clipped_sum",
    "middle_position",
    "noise_of_windows",
    "noisy_average",
    "noisy_gradient",
    "noisy_windows",
    "simulate_hits",
    "touching_starts",
    "windows",
]
