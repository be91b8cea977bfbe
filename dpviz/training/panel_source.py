"""Where a panel comes from, small enough to be told to another process."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from dpviz.training.generated_panel import generated_panel
from dpviz.training.m3 import m3_monthly_micro
from dpviz.training.panel import Panel
from dpviz.training.panel_file import NOT_ACCOUNTED
from dpviz.training.split import Split, split

_KEPT = 8


class PanelSource(Protocol):
    """A panel, or how to get it. Equal sources give equal panels."""

    @property
    def key(self) -> str:
        """Names the panel among all others."""

    @property
    def is_public(self) -> bool:
        """Whether its values are made up or known to all: the noise may then have a seed."""

    def panel(self) -> Panel:
        """Return the series."""

    def __hash__(self) -> int:
        """Return the same for equal sources."""


@dataclass(frozen=True, kw_only=True)
class GeneratedSource:
    """A generated panel; see :func:`dpviz.training.generated_panel.generated_panel`.

    >>> GeneratedSource(num_series=3, length=24, period=12, seed=1).panel().lengths
    (24, 24, 24)
    """

    num_series: int
    length: int
    period: int
    seed: int
    is_public = True

    @property
    def key(self) -> str:
        """What it is generated from."""
        return f"generated {self.num_series} {self.length} {self.period} {self.seed}"

    def panel(self) -> Panel:
        """Generate the series."""
        return generated_panel(self.num_series, self.length, self.period, self.seed)


@dataclass(frozen=True)
class M3Source:
    """The monthly microeconomic series of the M3 competition, of a package that may be missing."""

    is_public = True
    key = "m3 monthly micro"

    def panel(self) -> Panel:
        """Read the series.

        Raises:
            MissingPackageError: they are not installed.
        """
        return m3_monthly_micro()


@dataclass(frozen=True, eq=False)
class GivenSource:
    """Series that are there already.

    Args:
        series: all of them.
        key: names them; equal keys must mean equal series.
        is_public: whether they are known to all.
    """

    series: Panel
    key: str
    is_public: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenSource) and (self.key, self.series.period) == (
            other.key,
            other.series.period,
        )

    def __hash__(self) -> int:
        return hash((self.key, self.series.period))

    def panel(self) -> Panel:
        """Return the series."""
        return self.series


def not_accounted_of(source: PanelSource) -> tuple[str, ...]:
    """Return what is told of the series besides what is trained on them, as sentences."""
    return () if source.is_public else NOT_ACCOUNTED


# For the pages of several visitors; what is larger than a page trains is refused before.
@lru_cache(maxsize=_KEPT)
def parts_of(source: PanelSource, context_length: int, forecast_length: int) -> Split:
    """Return a panel split in time, with one forecast of each series for each later part.

    Raises:
        ScenarioError: an argument is out of range, or a series too short.
    """
    return split(source.panel(), context_length, forecast_length)
