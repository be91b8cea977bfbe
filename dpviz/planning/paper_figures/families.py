"""A figure of Schuchardt et al. as data, and its runs: the toy setting of Section 5.1, App. C."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, pairwise, product

from dpviz.planning.label_noise import FORECAST_NOISES
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES
from dpviz.scenario import DataShape, Noise, Rates, Sampling, Scenario, Training
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER

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

    Its panels differ in ``axes``: ``length`` of training, ``rates`` (r, Lambda / N),
    ``bottom_rate`` r, ``epsilon``, ``num_windows`` N_total, or ``batch_share`` Lambda / N_total.
    They are numbered so that the last one changes first.
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

    A panel's runs are made of a value for each axis by its name.
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


NUM_SERIES = 320
# r and Lambda / N.
RatePair = tuple[float, float]
Runs = tuple[Scenario, ...]
ONE_STEP, HUNDRED_STEPS, THOUSAND_STEPS = (
    Training(unit="steps", count=count) for count in (1, 100, 1000)
)


def _series_of_rate(bottom_rate: float, context_length: int, forecast_length: int) -> DataShape:
    """Return the series that have r exactly: L = (L_C + L_F) / r + L_F - 1, as in Section 5.1."""
    length = round((context_length + forecast_length) / bottom_rate) + forecast_length - 1
    return DataShape(
        num_series=NUM_SERIES,
        series_lengths=(length,),
        context_length=context_length,
        forecast_length=forecast_length,
    )


def toy(
    bottom_rate: float,
    batch_share: float,
    training: Training,
    *,
    windows: int = 1,
    top_level: str = AT_RANDOM,
    context_length: int = 1,
    forecast_length: int = 1,
    forecast_noise: float = 0.0,
) -> Scenario:
    """Return a run with N = 320 and sigma = 1.

    The paper gives r alone; the bounds without noise on labels depend on the lengths of the
    windows by nothing else.

    Args:
        bottom_rate: r with one window per series.
        batch_share: Lambda / N.
        forecast_noise: sigma_F.
    """
    return Scenario(
        data=_series_of_rate(bottom_rate, context_length, forecast_length),
        sampling=Sampling(
            batch_size=round(batch_share * NUM_SERIES),
            num_subsequences=windows,
            top_level=top_level,
        ),
        noise=Noise(noise_multiplier=1.0, forecast_noise=forecast_noise),
        training=training,
    )


# Figures 2, 5, 6 and 7: one window of many series, or many windows of few series?


def _windows(*, rates: RatePair, length: Training) -> Runs:
    return tuple(toy(*rates, length, windows=count) for count in COMPARED_SUBSEQUENCES)


# Figures 3 and 8: series drawn at random, or walked through?


def _top_levels(*, rates: RatePair, length: Training) -> Runs:
    return tuple(toy(*rates, length, top_level=way) for way in (AT_RANDOM, IN_ORDER))


# Figures 4 and 9: noise on what is to be forecast. The paper's text names neither the values of
# sigma_F, nor how the windows are parted, nor after how many steps its curves are.
_CONTEXT_LENGTH = _FORECAST_LENGTH = 4


def _without_forecast(bottom_rate: float, batch_share: float, training: Training) -> Scenario:
    """Return the same T and L_C with L_F = 0: an individual is in L_C of the T windows."""
    shape = _series_of_rate(bottom_rate, _CONTEXT_LENGTH, _FORECAST_LENGTH)
    return Scenario(
        data=Rates(
            bottom_rate=_CONTEXT_LENGTH / shape.start_positions,
            top_rate=batch_share,
            steps_per_epoch=round(1 / batch_share),
        ),
        sampling=Sampling(batch_size=round(batch_share * NUM_SERIES)),
        noise=Noise(noise_multiplier=1.0),
        training=training,
    )


def _label_noise(*, rates: RatePair, length: Training) -> Runs:
    """Return runs with ever more noise, and as the last one that without a forecast."""
    noisy = (
        toy(
            *rates,
            length,
            context_length=_CONTEXT_LENGTH,
            forecast_length=_FORECAST_LENGTH,
            forecast_noise=noise,
        )
        for noise in FORECAST_NOISES
    )
    return (*noisy, _without_forecast(*rates, length))


# Figure 10: walking through the series, many private epochs or few less private ones? With lambda
# windows per series a batch takes N / lambda series, so an epoch has lambda steps.
STEPS_OF_A_WALK = 16


def _epoch_length(*, bottom_rate: float, epsilon: float) -> Runs:
    del epsilon  # where delta is told
    steps = Training(unit="steps", count=STEPS_OF_A_WALK)
    return tuple(
        toy(bottom_rate, 1.0, steps, windows=windows, top_level=IN_ORDER)
        for windows in (1, 2, 4, 8, 16)
    )


# Figure 13: all windows in one bag, or series first?
_WINDOW_LENGTHS = (1, 2, 4, 8, 16, 32)
# T, so that Lambda = ratio N T is at most N; N_total = N T is all that the paper gives.
_START_POSITIONS = {0.1: 10, 0.001: 100}


def series_first(num_windows: int, batch_share: float, window_length: int) -> Scenario:
    """Return one step with one window from each drawn series, and Lambda = share N_total."""
    positions = _START_POSITIONS[batch_share]
    return Scenario(
        data=DataShape(
            num_series=num_windows // positions,
            series_lengths=(positions,),
            context_length=window_length - 1,
            forecast_length=1,
        ),
        sampling=Sampling(batch_size=round(batch_share * num_windows)),
        noise=Noise(noise_multiplier=1.0),
        training=ONE_STEP,
    )


def _one_bag(*, num_windows: int, batch_share: float) -> Runs:
    """Return both ways with windows of each length, one after the other."""
    # A batch takes a series at most once, so rates above 1 do not exist.
    possible = [length for length in _WINDOW_LENGTHS if length <= _START_POSITIONS[batch_share]]
    first = [series_first(num_windows, batch_share, length) for length in possible]
    bags = [replace(run, sampling=replace(run.sampling, top_level="flat")) for run in first]
    return tuple(chain.from_iterable(zip(first, bags, strict=True)))


def impossible_lengths(panel: Panel) -> list[int]:
    """Return the window lengths that a panel of Figure 13 cannot have."""
    drawn = {run.given_shape.window_length for run in panel.scenarios}
    return [length for length in _WINDOW_LENGTHS if length not in drawn]


_SHORT = (ONE_STEP, HUNDRED_STEPS)
_LONG = (ONE_STEP, HUNDRED_STEPS, THOUSAND_STEPS)
_EPOCHS = (ONE_STEP, *(Training(unit="epochs", count=count) for count in (1, 10)))
_TEXT = ((0.1, 0.1),)
# From the most private setting to the least; both are varied so.
_FOUR = ((0.5, 0.5), (0.5, 0.1), (0.1, 0.5), (0.1, 0.1))
_FIGURES = (
    figure("2", "Section 5.1", Family.WINDOWS, _windows, rates=_TEXT, length=_SHORT),
    figure("3", "Section 5.1", Family.TOP_LEVELS, _top_levels, rates=_TEXT, length=_EPOCHS),
    figure("4", "Section 5.1", Family.LABEL_NOISE, _label_noise, rates=_TEXT, length=_SHORT),
    figure("5", "Appendix C.1.1", Family.WINDOWS, _windows, rates=((0.5, 0.1),), length=_LONG),
    figure("6", "Appendix C.1.1", Family.WINDOWS, _windows, rates=((0.1, 0.5),), length=_LONG),
    figure("7", "Appendix C.1.1", Family.WINDOWS, _windows, rates=_TEXT, length=_LONG),
    figure("8", "Appendix C.1.2", Family.TOP_LEVELS, _top_levels, rates=_FOUR, length=_EPOCHS),
    figure("9", "Appendix C.1.3", Family.LABEL_NOISE, _label_noise, rates=_FOUR, length=_SHORT),
    figure(
        "10",
        "Appendix C.1.4",
        Family.EPOCH_LENGTH,
        _epoch_length,
        bottom_rate=(0.5, 0.1),
        epsilon=(1.0, 4.0),
    ),
    figure(
        "13",
        "Appendix C.3",
        Family.ONE_BAG,
        _one_bag,
        num_windows=(10**4, 10**6),
        batch_share=(0.1, 0.001),
    ),
)
FIGURES: dict[str, Figure] = {one.number: one for one in _FIGURES}
