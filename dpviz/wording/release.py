"""What a release's noise means, and what has to hold for it."""

import math

from dpviz.release import Calibration
from dpviz.settings.release import RELEASE_WAYS
from dpviz.wording.numbers import rounded_up

MECHANISM_NAMES = {
    "gaussian": "Noise on every step",
    "dft": "Low frequencies only",
    "subsample": "Some steps, kept by chance",
    "filter-subsample": "Filtered, then some steps",
}
ACCOUNTING_NAMES = {
    "classical": "classical",
    "analytic": "exact for one Gaussian",
    "paper": "as in the paper",
    "exact": "exact over what is kept",
}
SHORT_NAMES = {
    (way.rpartition("-")[0], way.rpartition("-")[2]): name for way, name in RELEASE_WAYS.items()
}


def unit_of(calibration: Calibration) -> str:
    """Return who is protected by a release, in words.

    >>> from dpviz.release import ReleaseSettings, calibrated
    >>> settings = ReleaseSettings(length=100, participation=9)
    >>> unit_of(calibrated(settings, "gaussian", "analytic"))
    'one individual, present or not, who is counted in at most 9 of the 100 steps'
    """
    settings = calibration.settings
    return (
        "one individual, present or not, who is counted in at most "
        f"{settings.participation:,} of the {settings.length:,} steps"
    )


def kind_of(calibration: Calibration) -> str:
    """Return what the noise is: enough, and whether less would do."""
    if calibration.is_tight:
        return "a guarantee, and tight: less noise breaks it"
    if calibration.is_extension:
        return "a guarantee by dpviz's own extension: an upper bound"
    return "a guarantee: an upper bound, not tight"


def simulated_kind_of(calibration: Calibration) -> str:
    """Return what the noise would be, of values whose noise comes from a seed."""
    return f"none for values from a seed, a simulation; without a seed {kind_of(calibration)}"


def short_kind_of(calibration: Calibration) -> str:
    """Return the same in few words."""
    if calibration.is_tight:
        return "guarantee, tight"
    return "guarantee, upper bound" + (" (dpviz's own)" if calibration.is_extension else "")


def theorem_of(calibration: Calibration) -> str:
    """Return the theorem, and on what the filter's bound rests."""
    if not calibration.is_extension:
        return calibration.theorem
    if calibration.is_filter_free:
        return f"{calibration.theorem}, free here (I ≤ 2 ε σ²)"
    return f"{calibration.theorem}, by its tangent (I > 2 ε σ²)"


def assumptions(calibration: Calibration, *, has_seed: bool = False) -> list[str]:
    """Return what has to hold for the budget, as sentences without full stops."""
    settings = calibration.settings
    said = [
        f"nobody is counted in more than {settings.participation:,} steps, nor more than once in "
        "a step; to hide who is replaced by another, plan for twice as many",
        "the number of steps is public, and so are the mechanism and all its settings; none of "
        "them was chosen by looking at these counts",
        "this is the only release of these counts: another one adds to the loss",
    ]
    if calibration.mechanism in ("subsample", "filter-subsample"):
        said.append(
            "which steps were kept is public and drawn without a look at the data; where none was "
            "kept, zeros are released"
        )
    if has_seed:
        said.append(
            "this is a simulation and not private: who knows the seed can take the noise off, and "
            "noise from a seed is drawn in floating point, which no bound here covers"
        )
    else:
        said.append(
            "the noise is secret: it comes from the system's entropy, not from a seed, and it is "
            "drawn and added exactly, so that delta leaves out nothing for floating point"
        )
    return said


def epsilon_text(epsilon: float, digits: int = 3) -> str:
    """Return an epsilon rounded up, or that there is none."""
    return "none" if math.isinf(epsilon) else rounded_up(epsilon, digits)


def noise_text(calibration: Calibration) -> str:
    """Return the noise, rounded up to be enough."""
    return rounded_up(calibration.noise, 3)


def budget_text(calibration: Calibration) -> str:
    """Return the budget in symbols."""
    settings = calibration.settings
    return f"ε = {rounded_up(settings.epsilon)}, δ = {rounded_up(settings.delta)}"
