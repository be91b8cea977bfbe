"""Windows from one bag, as common data loaders draw them (Propositions C.1, C.2 and dpviz's 4)."""

from collections.abc import Iterator

import numpy as np

from dpviz.sampling.arrays import IntArray
from dpviz.sampling.scheme import Scheme


def bag_draws(scheme: Scheme, rng: np.random.Generator) -> Iterator[tuple[IntArray, IntArray]]:
    """Return an endless stream of batches' series and start positions, no window twice in a batch.

    Of all N_total windows Lambda are drawn, every subset being equally likely; or each comes by a
    coin of probability Lambda / N_total, so that the batch's size varies and may be 0.
    """
    positions, size = scheme.start_positions, scheme.series_per_batch  # one window each
    # One number seen N times takes no memory, and its sums would.
    ends = None if positions.strides == (0,) else np.cumsum(positions)
    total = len(positions) * int(positions[0]) if ends is None else int(ends[-1])
    while True:
        # Given their number, the windows whose coins came up are any of so many.
        many = int(rng.binomial(total, size / total)) if scheme.bottom_level == "poisson" else size
        drawn = rng.choice(total, size=many, replace=False, shuffle=False)
        if ends is None:
            yield drawn // positions[0], drawn % positions[0]
        else:
            series = np.searchsorted(ends, drawn, side="right")
            yield series, drawn - (ends - positions)[series]
