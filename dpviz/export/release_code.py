"""The command and the program that give the numbers of a release."""

from collections.abc import Sequence

from dpviz.release import Calibration

_OPTIONS = {
    "subsample": ("rate",),
    "filter-subsample": ("rate", "filter_width"),
}


def release_command_line(calibration: Calibration, *, has_file: bool) -> str:
    """Return the command that tells the noise, or writes the release of a file.

    Args:
        calibration: mechanism and noise.
        has_file: whether the series is in a file of the visitor's.
    """
    settings = calibration.settings
    given = {
        "mechanism": calibration.mechanism,
        "accounting": calibration.accounting,
        "participation": settings.participation,
        **{name: getattr(settings, name) for name in _OPTIONS.get(calibration.mechanism, ())},
        "epsilon": settings.epsilon,
        "delta": settings.delta,
    }
    given |= (
        {"data": "counts.csv", "out": "released.csv"} if has_file else {"length": settings.length}
    )
    options = [f"--{name.replace('_', '-')} {value}" for name, value in given.items()]
    return "python -m dpviz release " + " \\\n    ".join(options)


def release_python(
    calibration: Calibration, series: str, chunks: Sequence[int], seed: int, draw: Sequence[int]
) -> str:
    """Return a program that prints noise and mean error, and makes the very release of the page.

    Args:
        calibration: mechanism and noise.
        series: the expression that makes the series; see :mod:`dpviz.release.series`.
        chunks: the page tries the mechanism in portions of so many repetitions.
        seed: of them.
        draw: seed of the release that is drawn.
    """
    settings = calibration.settings
    fields = ("participation", "epsilon", "delta", "rate", "filter_width")
    given = ", ".join(f"{name}={getattr(settings, name)!r}" for name in fields)
    return f"""import numpy as np

from dpviz.release import ReleaseSettings, calibrated, release
from dpviz.release.mechanisms import absolute_errors, error_summary
from dpviz.release.series import TruthAndSeries, lane_like, synthetic

series = {series}
settings = ReleaseSettings(length=len(series.series), {given})
plan = calibrated(settings, {calibration.mechanism!r}, {calibration.accounting!r})
print(plan.noise, plan.theorem)
released = release(series.series, plan, np.random.default_rng({list(draw)})).values.real
errors = [
    absolute_errors(series, plan, repetitions, [{seed}, at])
    for at, repetitions in enumerate({list(chunks)})
]
print(error_summary(np.concatenate(errors)).mean)
"""
