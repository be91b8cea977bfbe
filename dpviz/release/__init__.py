"""Private release of one series of counts in the time domain (Koga et al.)."""

from dpviz.release.calibration import Calibration, calibrated, calibrated_all
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.entropy import Randomness, SystemEntropy
from dpviz.release.gaussian import (
    analytic_noise,
    classical_noise,
    filtered_delta,
    is_filter_free,
    subsampled_delta,
)
from dpviz.release.mechanisms import release
from dpviz.release.noisy import change_on_grid, coins, noisy_values
from dpviz.scenario.release_settings import ACCOUNTINGS, MECHANISMS, ReleaseSettings

__all__ = [
    "ACCOUNTINGS",
    "MECHANISMS",
    "Calibration",
    "CircularFilter",
    "Randomness",
    "ReleaseSettings",
    "SystemEntropy",
    "analytic_noise",
    "calibrated",
    "calibrated_all",
    "change_on_grid",
    "classical_noise",
    "coins",
    "filtered_delta",
    "is_filter_free",
    "noisy_values",
    "release",
    "subsampled_delta",
]
