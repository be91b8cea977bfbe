"""A panel of a figure of Schuchardt et al. as data: which runs it draws, and which it compares."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise, product

from dpviz.scenario import Scenario, Training

# What one panel may have chosen: a length of training, rates, an epsilon, a number of windows.
Value = Training | tuple[float, float] | float | int


class Family(Enum):
    """What the figures of one family compare."""

    WINDOWS = "windows per series"
    TOP_LEVELS = "drawing or walking"
    LABEL_NOISE = "noise on labels"
    EPOCH_LENGTH = "windows per series of a walk"
    ONE_BAG = "one bag or series first"


# Place of the run that stands for a panel elsewhere, where that is not the first: sigma_F = 1, and
# windows of 8 values.
_OPENED = {Family.LABEL_NOISE: 2, Family.ONE_BAG: 6}


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One panel.

    Args:
        number: of the panel, from 0.
        section: where the paper has the figure.
        settings: the value of each axis, by its name.
        scenarios: the runs, that in the foreground first.
    """

    figure: str
    number: int
    section: str
    family: Family
    settings: dict[str, Value]
    scenarios: tuple[Scenario, ...]

    @property
    def opened(self) -> Scenario:
        """The run that stands for the panel elsewhere."""
        return self.scenarios[_OPENED.get(self.family, 0)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of two runs of which the figure claims that the first has the smaller delta."""
        places = range(len(self.scenarios))
        if self.family is Family.ONE_BAG:
            return list(zip(places[::2], places[1::2], strict=True))
        if self.family is Family.LABEL_NOISE:  # more noise and less; the last run has no forecast
            return [(more, less) for less, more in pairwise(places[:-1])]
        return [(0, other) for other in places[1:]]

    @property
    def epsilon(self) -> float | None:
        """Where delta is followed over the steps; ``None`` where delta(epsilon) is drawn."""
        epsilon = self.settings.get("epsilon")
        return epsilon if isinstance(epsilon, float) else None


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure.

    Args:
        axes: in what its panels differ, by name: ``length`` of training, ``rates`` (r, Lambda / N),
            ``bottom_rate`` r, ``epsilon``, ``num_windows`` N_total, or ``batch_share``
            Lambda / N_total. They are numbered so that the last one changes first.
    """

    number: str
    section: str
    family: Family
    axes: dict[str, tuple[Value, ...]]
    panels: tuple[Panel, ...]

    def panel(self, number: int) -> Panel:
        """Return a panel; beyond the last one, the last."""
        return self.panels[min(number, len(self.panels) - 1)]

    def along(self, panel: Panel, axis: str) -> tuple[int, ...]:
        """Return the numbers of the panels that differ from one in this axis only."""
        own = {axis: panel.settings[axis]}
        return tuple(one.number for one in self.panels if one.settings | own == panel.settings)


def figure(
    number: str,
    section: str,
    family: Family,
    runs: Callable[..., tuple[Scenario, ...]],
    **axes: tuple[Value, ...],
) -> Figure:
    """Return a figure with a panel for each combination of its axes' values.

    Args:
        runs: takes a value for each axis by its name, and returns a panel's runs.
    """
    settings = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    panels = tuple(
        Panel(
            figure=number,
            number=at,
            section=section,
            family=family,
            settings=setting,
            scenarios=runs(**setting),
        )
        for at, setting in enumerate(settings)
    )
    return Figure(number=number, section=section, family=family, axes=axes, panels=panels)
