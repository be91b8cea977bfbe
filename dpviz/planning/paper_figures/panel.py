"""A panel of a figure of Schuchardt et al. as data: which runs it draws, and which it compares."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import product
from math import prod

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


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One of the things in which the panels of a figure differ.

    Args:
        name: what it is: ``length`` of training, ``rates`` (r, Lambda / N), ``bottom_rate`` r,
            ``epsilon``, ``num_windows`` N_total, or ``batch_share`` Lambda / N_total.
    """

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What a family makes of the chosen values.

    Args:
        scenarios: the runs, that in the foreground first.
        pairs: places of the two runs of each comparison; the figure claims that the first one
            has the smaller delta.
        opened: place of the run that stands for the panel elsewhere.
        equal: places of two runs that the figure claims to be the same.
        epsilon: where delta is followed over the steps; ``None`` where delta(epsilon) is drawn.
        impossible: window lengths that the figure cannot have.
    """

    scenarios: tuple[Scenario, ...]
    pairs: tuple[tuple[int, int], ...]
    opened: int = 0
    equal: tuple[int, int] | None = None
    epsilon: float | None = None
    impossible: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One panel.

    Args:
        number: of the panel, from 0.
        section: where the paper has the figure.
        settings: name and value of each axis.
    """

    figure: str
    number: int
    section: str
    family: Family
    settings: tuple[tuple[str, Value], ...]
    drawn: Drawn

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The runs, that in the foreground first."""
        return self.drawn.scenarios

    @property
    def opened(self) -> Scenario:
        """The run that stands for the panel elsewhere."""
        return self.scenarios[self.drawn.opened]

    def setting(self, name: str) -> Value:
        """Return the value of an axis."""
        return dict(self.settings)[name]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure.

    Args:
        axes: in what its panels differ; they are numbered so that the last one changes first.
    """

    number: str
    section: str
    family: Family
    axes: tuple[Axis, ...]
    panels: tuple[Panel, ...]

    def panel(self, number: int) -> Panel:
        """Return a panel; beyond the last one, the last."""
        return self.panels[min(number, len(self.panels) - 1)]

    def along(self, panel: Panel, axis: Axis) -> tuple[int, ...]:
        """Return the numbers of the panels that differ from one in this axis only."""
        at = self.axes.index(axis)
        width = prod(len(later.values) for later in self.axes[at + 1 :])
        count = len(axis.values)
        first = panel.number - panel.number // width % count * width
        return tuple(first + width * place for place in range(count))


def figure(
    number: str, section: str, family: Family, axes: tuple[Axis, ...], draw: Callable[..., Drawn]
) -> Figure:
    """Return a figure with a panel for each combination of its axes' values.

    Args:
        draw: takes a value for each axis by its name, and returns a panel's runs.
    """
    names = [axis.name for axis in axes]
    settings = [
        tuple(zip(names, values, strict=True))
        for values in product(*(axis.values for axis in axes))
    ]
    panels = tuple(
        Panel(
            figure=number,
            number=at,
            section=section,
            family=family,
            settings=setting,
            drawn=draw(**dict(setting)),
        )
        for at, setting in enumerate(settings)
    )
    return Figure(number=number, section=section, family=family, axes=axes, panels=panels)
