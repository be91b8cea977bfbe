"""Figures 4 and 9: noise on what is to be forecast."""

from itertools import pairwise

from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Value, figure
from dpviz.planning.paper_figures.toy import (
    FOUR_RATES,
    HUNDRED_STEPS,
    NUM_SERIES,
    ONE_STEP,
    series_of_rate,
    toy,
)
from dpviz.scenario import Noise, Rates, Sampling, Scenario, Training
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION

# The paper's text names neither the values of sigma_F, nor how the windows are parted, nor after
# how many steps its curves are.
CONTEXT_LENGTH = FORECAST_LENGTH = 4
FORECAST_NOISE = (0.0, 0.5, 1.0, 2.0, 5.0, LARGEST_AUGMENTATION)
_OPENED = FORECAST_NOISE.index(1.0)


def _without_forecast(bottom_rate: float, batch_share: float, training: Training) -> Scenario:
    """Return the same T and L_C with L_F = 0: an individual is in L_C of the T windows."""
    shape = series_of_rate(bottom_rate, CONTEXT_LENGTH, FORECAST_LENGTH)
    return Scenario(
        data=Rates(
            bottom_rate=CONTEXT_LENGTH / shape.start_positions,
            top_rate=batch_share,
            steps_per_epoch=round(1 / batch_share),
        ),
        sampling=Sampling(batch_size=round(batch_share * NUM_SERIES)),
        noise=Noise(noise_multiplier=1.0),
        training=training,
    )


def _draw(*values: Value) -> Drawn:
    rates, training = values
    assert isinstance(rates, tuple)
    assert isinstance(training, Training)
    bottom_rate, batch_share = rates
    noisy = [
        toy(
            bottom_rate=bottom_rate,
            batch_share=batch_share,
            training=training,
            context_length=CONTEXT_LENGTH,
            forecast_length=FORECAST_LENGTH,
            forecast_noise=noise,
        )
        for noise in FORECAST_NOISE
    ]
    last = len(noisy) - 1
    return Drawn(
        scenarios=(*noisy, _without_forecast(bottom_rate, batch_share, training)),
        pairs=tuple((more, less) for less, more in pairwise(range(len(noisy)))),
        opened=_OPENED,
        equal=(last, last + 1),
    )


_LENGTH = Axis(name="length", values=(ONE_STEP, HUNDRED_STEPS))
_IN_THE_TEXT = Axis(name="rates", values=((0.1, 0.1),))
_IN_THE_APPENDIX = Axis(name="rates", values=FOUR_RATES)
FIGURES = (
    figure("4", "Section 5.1", Family.LABEL_NOISE, (_IN_THE_TEXT, _LENGTH), _draw),
    figure("9", "Appendix C.1.3", Family.LABEL_NOISE, (_IN_THE_APPENDIX, _LENGTH), _draw),
)
