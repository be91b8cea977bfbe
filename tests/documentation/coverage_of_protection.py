"""The numbers of Bale et al. that docs/coverage.md calls dpviz's own, and those printed."""

from collections.abc import Callable, Sequence
from functools import partial

from dpviz.protected_forecasts.study_tables import (
    PROTECTIONS,
    PUBLISHED_ERRORS,
    relative_variances,
    shipped_horizons,
    shipped_study,
    shipped_tree,
)
from dpviz.wording.protected_horizons import told_orders

Numbers = Sequence[float]
Computed = Callable[[], Numbers]


def protected_errors(forecaster: str) -> Numbers:
    return [shipped_study().errors[protection, forecaster].mean for protection in PROTECTIONS]


def error_variances() -> Numbers:
    """Return the least and the largest variance of errors, original and with 40 % top coding.

    In parts of the least one of the original series, as the paper has it.
    """
    found = list(relative_variances().values())
    return [end(one[at] for one in found) for at in (0, -1) for end in (min, max)]


def entropies() -> Numbers:
    """Return the median spectral entropy, original and with 40 % top coding."""
    return [shipped_study().features[one][1, 0] for one in ("none", "top-coding:0.4")]


def explained() -> Numbers:
    """Return the explained share, in per cent, of what 10 % top coding does to TES."""
    return [100.0 * shipped_study().reasons["top-coding:0.1", "tes"].explained]


def degraded() -> Numbers:
    """Return how many cells of the table have more errors that grew than errors that shrank."""
    found = [one for (protection, _), one in shipped_study().errors.items() if protection != "none"]
    return [sum(one.degraded_share > one.improved_share for one in found), len(found)]


def forest() -> Numbers:
    """Return in per cent how often our forest is right, and one answer for all series."""
    row = shipped_tree()[0]
    return [100.0 * float(row[name]) for name in ("held_out_accuracy", "larger_share")]


def purest_leaves() -> Numbers:
    """Return the mean entropies of the purest leaves with several series, improved and degraded."""
    leaves = [row for row in shipped_tree()[1:] if int(row["series"]) > 1]
    ends = [end(leaves, key=lambda row: float(row["improved_share"])) for end in (max, min)]
    return [float(row["spectral_entropy"]) for row in ends]


def directions() -> Numbers:
    """Return bias, shares of raised forecasts and of improved ones among them, in per cent."""
    cell = ("top-coding:0.1", "tes", "12")
    (row,) = (
        one
        for one in shipped_horizons()
        if (one["protection"], one["forecaster"], one["horizon"]) == cell
    )
    shares = [100.0 * float(row[name]) for name in ("raised_share", "improved_of_raised")]
    return [abs(float(row["bias"])), *shares]


def smoothing_against_trees() -> Numbers:
    """Return of each smoothing how often it errs less than LightGBM, and more, as is told."""
    return [number for one in told_orders(shipped_horizons()).values() for number in one[:2]]


FORECASTERS = {
    "SES": "ses",
    "DES": "des",
    "TES": "tes",
    "Auto-ARIMA": "auto-arima",
    "VAR": "lasso-var",
    "LGBM": "boosted-trees",
    "RNN": "recurrent",
}
BALE: dict[str, Computed] = {
    "M3, monthly micro": lambda: [shipped_study().errors["none", "ses"].num_series],
    **{f"Table 2, {item}": partial(protected_errors, name) for item, name in FORECASTERS.items()},
    "Figure 4": error_variances,
    "Figure 5": entropies,
    "Figure 6": lambda: [*explained(), *forest()],
    "Figure 7, Table 3": purest_leaves,
    "Abstract, first claim": degraded,
    "Abstract, second claim": smoothing_against_trees,
    "Horizons beyond one, bias, direction": directions,
}
PRINTED_BALE: dict[str, Computed] = {
    f"Table 2, {item}": partial(PUBLISHED_ERRORS.__getitem__, name)
    for item, name in FORECASTERS.items()
}
