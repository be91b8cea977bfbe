"""Artificial series in the middle of neighbours (Bale et al., Remark 2): their last value."""

import numpy as np
from scipy.optimize import linprog

from dpviz.protected_forecasts.data import FloatArray


def centroid(windows: FloatArray) -> float:
    """Return the last component of the mean of windows, shape (windows, values).

    >>> centroid(np.array([[0.0, 2.0], [1.0, 4.0]]))
    3.0
    """
    return float(windows[:, -1].mean())


def hull_centroid(windows: FloatArray) -> float:
    """Return the last component of the mean of the corners of the convex hull of windows.

    Args:
        windows: shape (windows, values); equal ones count once.

    >>> hull_centroid(np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [1.0, 1.0]]))
    1.3333333333333333
    """
    points = np.unique(windows, axis=0)
    if len(points) > 2 and not _are_independent(points):
        points = points[[at for at in range(len(points)) if _is_corner(points, at)]]
    return centroid(points)


def _are_independent(points: FloatArray) -> bool:
    """Return whether no point lies in the plane of the others: then all are corners."""
    return bool(np.linalg.matrix_rank(points[1:] - points[0]) == len(points) - 1)


def _is_corner(points: FloatArray, at: int) -> bool:
    """Return whether a point is no mean of the others, however they are weighted."""
    others = np.delete(points, at, axis=0)
    scale = max(1.0, float(np.abs(points).max()))
    equations = np.vstack([others.T / scale, np.ones(len(others))])
    wanted = np.append(points[at] / scale, 1.0)
    # Status 2: there are no such weights.
    return int(linprog(np.zeros(len(others)), A_eq=equations, b_eq=wanted).status) == 2
