"""The study's questions, and when one counts as answered: fixed before anything was computed.

Does it help to keep only a part of each context, at the same budget? For each model, data set,
context length, protected width and epsilon, forecasts with r = 0.5 and r = 0.75 are compared with
those of r = 1, the plain Gaussian mechanism. Each has the least noise that its budget needs, by the
exact accounting. As in Appendix H of Schuchardt et al., models are trained without privacy and on
contexts as they are, delta is 1e-4, and contexts are short. Otherwise than there, models are
trained on other series than they forecast, so that epsilon, which is of one released forecast of
each series, leaves nothing out but public data; and a context of which nothing was kept becomes the
mean of those other series.

**Subsampling helps** where the mean error (CRPS) over the noise draws is smaller than with r = 1
for every one of the seeds; it **hurts** where it is larger for every one; else the case is
**open**.
A seed decides the model, which values are kept and the noise, and is the same for both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource

RATES = (1.0, 0.75, 0.5)
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
NO_NOISE = inf
"""In the place of epsilon: values are left out, and nothing is hidden."""
DELTA = 1e-4
CONTEXT_LENGTHS = (2, 8, 24)
FORECAST_LENGTH = 6
MODELS = ("linear", "dlinear", "feedforward", "naive")
SEEDS = tuple(range(1, 11))
DRAWS = 5
STEPS = 1000
LOWEST = 0.0
"""All data here are known to be positive."""
HELPS, HURTS, OPEN = "helps", "hurts", "open"


@dataclass(frozen=True, kw_only=True)
class StudiedData:
    """A panel, of which every other series is trained on and the rest forecast.

    Args:
        name: in tables and links.
        words: what it is.
        source: the series.
        max_change: v, about a tenth of the mean value.
    """

    name: str
    words: str
    source: PanelSource
    max_change: float


DATA = {
    one.name: one
    for one in (
        StudiedData(
            name="generated",
            words="200 made-up series with a season of 12",
            source=GeneratedSource(num_series=200, length=144, period=12, seed=1),
            max_change=10.0,
        ),
        StudiedData(
            name="m3",
            words="474 monthly micro series of the M3 competition",
            source=M3Source(),
            max_change=400.0,
        ),
    )
}


def widths(context_length: int) -> tuple[int, int]:
    """Return the protected widths w: one value, and all of the context."""
    return 1, context_length


def verdict(errors: Sequence[float], with_all_values: Sequence[float]) -> str:
    """Return whether keeping a part helps, by the criterion above.

    Args:
        errors: of each seed.
        with_all_values: likewise, with r = 1.

    >>> verdict([1.0, 2.0], [1.5, 2.5]), verdict([1.0, 3.0], [1.5, 2.5])
    ('helps', 'open')
    """
    pairs = list(zip(errors, with_all_values, strict=True))
    if all(one < other for one, other in pairs):
        return HELPS
    return HURTS if all(one > other for one, other in pairs) else OPEN
