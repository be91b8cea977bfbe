"""The runs of each figure: the toy setting of Section 5.1 and Appendix C of Schuchardt et al."""

from dataclasses import replace
from itertools import pairwise

from dpviz.planning.label_noise import FORECAST_NOISES
from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Figure, figure
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES
from dpviz.scenario import DataShape, Noise, Rates, Sampling, Scenario, Training
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER

NUM_SERIES = 320
# r and Lambda / N.
RatePair = tuple[float, float]
# From the most private setting to the least; both are varied so.
_FOUR_RATES = ((0.5, 0.5), (0.5, 0.1), (0.1, 0.5), (0.1, 0.1))
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


def _against_the_first(runs: tuple[Scenario, ...], epsilon: float | None = None) -> Drawn:
    pairs = tuple((0, at) for at in range(1, len(runs)))
    return Drawn(scenarios=runs, pairs=pairs, epsilon=epsilon)


# Figures 2, 5, 6 and 7: one window of many series, or many windows of few series?


def _windows(*, rates: RatePair, length: Training) -> Drawn:
    runs = tuple(toy(*rates, length, windows=count) for count in COMPARED_SUBSEQUENCES)
    return _against_the_first(runs)


# Figures 3 and 8: series drawn at random, or walked through?


def _top_levels(*, rates: RatePair, length: Training) -> Drawn:
    ways = (AT_RANDOM, IN_ORDER)
    return _against_the_first(tuple(toy(*rates, length, top_level=way) for way in ways))


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


def _label_noise(*, rates: RatePair, length: Training) -> Drawn:
    noisy = [
        toy(
            *rates,
            length,
            context_length=_CONTEXT_LENGTH,
            forecast_length=_FORECAST_LENGTH,
            forecast_noise=noise,
        )
        for noise in FORECAST_NOISES
    ]
    last = len(noisy) - 1
    return Drawn(
        scenarios=(*noisy, _without_forecast(*rates, length)),
        pairs=tuple((more, less) for less, more in pairwise(range(len(noisy)))),
        opened=FORECAST_NOISES.index(1.0),
        equal=(last, last + 1),
    )


# Figure 10: walking through the series, many private epochs or few less private ones? With lambda
# windows per series a batch takes N / lambda series, so an epoch has lambda steps.
STEPS_OF_A_WALK = 16


def _epoch_length(*, bottom_rate: float, epsilon: float) -> Drawn:
    steps = Training(unit="steps", count=STEPS_OF_A_WALK)
    runs = tuple(
        toy(bottom_rate, 1.0, steps, windows=windows, top_level=IN_ORDER)
        for windows in (1, 2, 4, 8, 16)
    )
    return _against_the_first(runs, epsilon)


# Figure 13: all windows in one bag, or series first?
_WINDOW_LENGTHS = (1, 2, 4, 8, 16, 32)
_OPENED_LENGTH = 8
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


def _one_bag(*, num_windows: int, batch_share: float) -> Drawn:
    # A batch takes a series at most once, so rates above 1 do not exist.
    possible = [length for length in _WINDOW_LENGTHS if length <= _START_POSITIONS[batch_share]]
    scenarios = []
    for length in possible:
        structured = series_first(num_windows, batch_share, length)
        bag = replace(structured, sampling=replace(structured.sampling, top_level="flat"))
        scenarios += [structured, bag]
    return Drawn(
        scenarios=tuple(scenarios),
        pairs=tuple((2 * at, 2 * at + 1) for at in range(len(possible))),
        opened=2 * possible.index(_OPENED_LENGTH),
        impossible=tuple(length for length in _WINDOW_LENGTHS if length not in possible),
    )


def _rates(*pairs: RatePair) -> Axis:
    return Axis(name="rates", values=pairs)


def _length(*lengths: Training) -> Axis:
    return Axis(name="length", values=lengths)


_SHORT = _length(ONE_STEP, HUNDRED_STEPS)
_LONG = _length(ONE_STEP, HUNDRED_STEPS, THOUSAND_STEPS)
_EPOCHS = _length(ONE_STEP, *(Training(unit="epochs", count=count) for count in (1, 10)))
_TEXT, _APPENDIX = _rates((0.1, 0.1)), _rates(*_FOUR_RATES)
_OF_A_WALK = (Axis(name="bottom_rate", values=(0.5, 0.1)), Axis(name="epsilon", values=(1.0, 4.0)))
_OF_A_BAG = (
    Axis(name="num_windows", values=(10**4, 10**6)),
    Axis(name="batch_share", values=(0.1, 0.001)),
)
_FIGURES = (
    figure("2", "Section 5.1", Family.WINDOWS, (_TEXT, _SHORT), _windows),
    figure("3", "Section 5.1", Family.TOP_LEVELS, (_TEXT, _EPOCHS), _top_levels),
    figure("4", "Section 5.1", Family.LABEL_NOISE, (_TEXT, _SHORT), _label_noise),
    figure("5", "Appendix C.1.1", Family.WINDOWS, (_rates((0.5, 0.1)), _LONG), _windows),
    figure("6", "Appendix C.1.1", Family.WINDOWS, (_rates((0.1, 0.5)), _LONG), _windows),
    figure("7", "Appendix C.1.1", Family.WINDOWS, (_TEXT, _LONG), _windows),
    figure("8", "Appendix C.1.2", Family.TOP_LEVELS, (_APPENDIX, _EPOCHS), _top_levels),
    figure("9", "Appendix C.1.3", Family.LABEL_NOISE, (_APPENDIX, _SHORT), _label_noise),
    figure("10", "Appendix C.1.4", Family.EPOCH_LENGTH, _OF_A_WALK, _epoch_length),
    figure("13", "Appendix C.3", Family.ONE_BAG, _OF_A_BAG, _one_bag),
)
FIGURES: dict[str, Figure] = {one.number: one for one in _FIGURES}
