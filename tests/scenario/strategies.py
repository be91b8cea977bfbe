"""Strategies for all scenarios that are valid, and some with every field set."""

from hypothesis import strategies as st

from dpviz.scenario import DataShape, Noise, Rates, Sampling, Scenario, Training
from dpviz.scenario.mechanism import MOST_STEPS
from tests.scenario.changes import TRAFFIC, varied
from tests.settings.random_states import random_scenario


@st.composite
def small_shapes(
    draw: st.DrawFn, *, longest: int, most_context: int, most_forecast: int
) -> DataShape:
    """One series, short enough for whoever counts all of its windows."""
    forecast = draw(st.integers(1, most_forecast))
    return DataShape(
        num_series=1,
        series_lengths=(draw(st.integers(forecast, longest)),),
        context_length=draw(st.integers(0, most_context)),
        forecast_length=forecast,
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Scenarios with a shape, or with rates that came from one."""
    return random_scenario(
        draw(st.randoms(use_true_random=False)),
        most_series=10_000,
        widest=1000,
        top_levels=("without-replacement", "deterministic", "shuffled", "poisson"),
        may_be_bare=False,
    )


_WINDOWS = st.none() | st.integers(1, 10**9)
RATES_ONLY = st.builds(
    lambda r, rho, per_epoch, share, windows, sigma, steps: Scenario(
        data=Rates(
            bottom_rate=r,
            top_rate=rho,
            steps_per_epoch=per_epoch,
            forecast_share=share,
            touched_windows=windows[0],
            start_positions=windows[1],
        ),
        sampling=Sampling(batch_size=1),
        noise=Noise(noise_multiplier=sigma),
        training=Training(unit="steps", count=steps),
    ),
    st.floats(1e-9, 1),
    st.floats(1e-9, 1),
    st.integers(1, 1000),
    st.none() | st.floats(0, 1),
    st.tuples(_WINDOWS, _WINDOWS).map(lambda pair: pair if None in pair else sorted(pair)),
    st.floats(0.1, 100),
    st.integers(1, MOST_STEPS),
)


SHAPE = varied(TRAFFIC, max_change=0.1, value_unit="occupancy", longer_series_beyond=120)
RATES = SHAPE.with_rates()
BARE = varied(RATES, last_shape=None)
