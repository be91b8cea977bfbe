"""Values swapped for those of similar series: k-nTS and delta-nTS swapping (Bale et al.)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls
from scipy.spatial.distance import cdist

from dpviz.protected_forecasts.data import FloatArray, Series, places_by_length
from dpviz.scenario import ScenarioError

IntArray = npt.NDArray[np.int64]
_ROUNDING = 1e-7  # of windows whose largest value is 1


def centroid(windows: FloatArray) -> float:
    """Return the last component of the mean of windows, shape (windows, values)."""
    return float(windows[:, -1].mean())


def hull_centroid(windows: FloatArray) -> float:
    """Return the last component of the mean of the corners of the convex hull of windows.

    Equal ones count once.

    >>> hull_centroid(np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [1.0, 1.0]]))
    1.3333333333333333
    """
    points = np.unique(windows, axis=0)
    # Where no point lies in the plane of the others, all are corners.
    if len(points) > 2 and np.linalg.matrix_rank(points[1:] - points[0]) < len(points) - 1:
        scale = max(1.0, float(np.abs(points).max()))
        columns = np.vstack([points.T / scale, np.ones(len(points))])
        points = points[[_is_corner(columns, at) for at in range(len(points))]]
    return centroid(points)


def _is_corner(columns: FloatArray, at: int) -> bool:
    """Return whether a column is no sum of the others, however they are weighted, from 0 on."""
    others = np.delete(columns, at, axis=1)
    missed = nnls(others, columns[:, at], maxiter=100 * others.shape[1])[1]
    return float(missed) > _ROUNDING


@dataclass(frozen=True)
class NearestSwap:
    """k-nTS swapping: each value becomes that of one of the k nearest series (Algorithm 1).

    At every time the nearest are found among the series of the same length, by the Euclidean
    distance of their last n (``swap_window``) original values, the one to be replaced included;
    before there are n, of as many as there are. Of equally near ones the earlier in the data comes
    first. No privacy guarantee: values of others are released as they are, and a centroid draws
    nothing at all.

    Args:
        replacement: what takes a value's place; the centroids are those of Remark 2.
    """

    neighbours: int
    swap_window: int
    replacement: str = "neighbour"

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series; ``ScenarioError`` where fewer than k others are as long."""
        for group in places_by_length(series).values():
            if len(group) <= self.neighbours:
                length = len(series[group[0]])
                raise ScenarioError(
                    "neighbours",
                    self.neighbours,
                    f"it must be less than the number of series of the same length, and "
                    f"{len(group)} series have {length} values",
                )
        return _swapped(series, self, rng)

    def chosen(self, distances: FloatArray, window: FloatArray) -> list[IntArray]:
        """Return the neighbours of each series, shape (k,) each; see :func:`_swapped`."""
        del window
        return list(np.argsort(distances, axis=1, kind="stable")[:, : self.neighbours])


@dataclass(frozen=True)
class RadiusSwap:
    """delta-nTS swapping: each value becomes that of a series within a radius (Algorithm 2).

    As :class:`NearestSwap`, with all series nearer than the radius (in the data's unit, of the
    Euclidean distance of windows) in the place of the k nearest. A value without such a series is
    released as it is: :meth:`kept_share` counts them. No privacy guarantee.

    Args:
        swap_radius: delta of the paper, which is no failure probability here.
        most_change: M, the largest difference allowed within the window; ``None`` for any.
    """

    swap_radius: float
    swap_window: int
    most_change: float | None = None
    replacement: str = "neighbour"

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series."""
        return _swapped(series, self, rng)

    def chosen(self, distances: FloatArray, window: FloatArray) -> list[IntArray]:
        """Return the neighbours of each series, none or more; see :func:`_swapped`."""
        near = distances < self.swap_radius**2
        if self.most_change is not None:
            near &= cdist(window, window, "chebyshev") <= self.most_change
        return [np.flatnonzero(row) for row in near]

    def kept_share(self, series: Series) -> float:
        """Return the share of values that no series is near enough to replace, from 0 to 1."""
        kept = total = 0
        for group in places_by_length(series).values():
            for distances, window in _windows(np.stack([series[at] for at in group]), self):
                kept += sum(len(found) == 0 for found in self.chosen(distances, window))
                total += len(group)
        return kept / total


def _swapped(series: Series, swap: NearestSwap | RadiusSwap, rng: np.random.Generator) -> Series:
    """Return the series with each value replaced by one of its neighbours.

    A swap chooses neighbours by squared distances, shape (series, series), infinite from a series
    to itself, and by the windows, shape (series, values).
    """
    released = list(series)
    for group in places_by_length(series).values():
        values = np.stack([series[at] for at in group])
        protected = values.copy()
        for time, (distances, window) in enumerate(_windows(values, swap)):
            for own, near in enumerate(swap.chosen(distances, window)):
                if len(near):
                    protected[own, time] = _replaced(swap.replacement, window, own, near, rng)
        for place, at in enumerate(group):
            released[at] = protected[place]
    return tuple(released)


@dataclass(frozen=True, eq=False)
class LastChoice:
    """What the last value of one series is replaced by: windows of all series of its length.

    They have the shape (series, values), and places in the data.
    """

    windows: FloatArray
    own: int
    near: IntArray
    places: tuple[int, ...]

    def centroid(self, replacement: str) -> FloatArray:
        """Return a mean of Remark 2 as a window: the last component takes the value's place."""
        rng = np.random.default_rng(0)  # draws nothing for a mean
        turned = [np.roll(self.windows, shift, axis=1) for shift in range(self.windows.shape[1])]
        found = [_replaced(replacement, one, self.own, self.near, rng) for one in turned]
        return np.array(found)[::-1]


def last_choice(series: Series, at: int, swap: NearestSwap | RadiusSwap) -> LastChoice:
    """Return among which series a swap looks for the last value of one, and which it finds."""
    group = next(found for found in places_by_length(series).values() if at in found)
    values = np.stack([series[place] for place in group])[:, -swap.swap_window :]
    *_, (distances, windows) = _windows(values, swap)
    own = group.index(at)
    return LastChoice(windows, own, swap.chosen(distances, windows)[own], tuple(group))


def _windows(
    values: FloatArray, swap: NearestSwap | RadiusSwap
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield at each time the squared distances of windows, and the windows themselves."""
    for time in range(values.shape[1]):
        window = values[:, max(0, time + 1 - swap.swap_window) : time + 1]
        # Equation (3) of the paper gives the same by inner products, whose rounding confuses series
        # of large values that hardly differ.
        distances = cdist(window, window, "sqeuclidean")
        np.fill_diagonal(distances, np.inf)
        yield distances, window


def _replaced(
    replacement: str, window: FloatArray, own: int, near: IntArray, rng: np.random.Generator
) -> float:
    """Return what takes a value's place: a neighbour's at random, or a centroid's (Remark 2).

    Centroids are of the neighbours, of them and the series itself (as in the paper's Figure 3),
    or of the corners of their convex hull.
    """
    if replacement == "neighbour":
        return float(window[near[rng.integers(len(near))], -1])
    if replacement == "centroid":
        return centroid(window[near])
    if replacement == "centroid-with-own":
        return centroid(window[[*near, own]])
    return hull_centroid(window[near])
