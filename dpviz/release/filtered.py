"""Privacy of filtering before steps are kept: dpviz's own extension (docs/release.md)."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.release.gaussian import gaussian_delta
from dpviz.release.subsampled import kept_steps, mean_delta


def is_filter_free(epsilon: float, participation: int, noise: float) -> bool:
    """Return whether the bound with a filter is that without one: I <= 2 epsilon noise^2.

    >>> is_filter_free(0.5, 100, 20.0), is_filter_free(0.0096, 1, 0.041)
    (True, False)
    """
    return participation <= 2.0 * epsilon * noise**2


def convex_delta(epsilon: float, signal_to_noise: ArrayLike) -> NDArray[np.float64]:
    """Return the Gaussian delta, and from where it bends down its tangent: convex, rounded up."""
    mu = np.asarray(signal_to_noise, dtype=np.float64)
    # The second derivative changes its sign where mu^2 = 2 epsilon; the slope there is phi(0).
    bend = math.sqrt(2.0 * epsilon)
    below = gaussian_delta(epsilon, np.minimum(mu, bend))
    return below + np.maximum(mu - bend, 0.0) / math.sqrt(2.0 * math.pi)


def filtered_delta(epsilon: float, participation: int, rate: float, noise: float) -> float:
    """Return an upper bound on delta for any filter before :func:`subsampled_delta`'s mechanism.

    For every filter of non-negative weights that sum to 1 over each row and over each column of
    its matrix, such as a circular one with weights of sum 1; values outside of the series are none
    of its inputs. Proven in docs/release.md; never more than without keeping only some of
    the steps.

    Args:
        epsilon: at least 0.
        participation: I, the most steps in which one individual is counted.
        rate: p, the probability with which each step is kept.
        noise: standard deviation, in counts.

    >>> filtered_delta(0.5, 180, 0.1, 26.13) <= 1e-4
    True
    """
    kept, masses = kept_steps(participation, rate)
    tangent = mean_delta(masses, convex_delta(epsilon, np.sqrt(kept) / noise))
    # A filter's matrix lengthens no vector, so all steps together are a Gaussian mechanism.
    plain = float(gaussian_delta(epsilon, math.sqrt(participation) / noise))
    return min(tangent, plain)
