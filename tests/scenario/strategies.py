"""Strategies for all scenarios that are valid, and some with every field set."""

from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    DataShape,
    Noise,
    Rates,
    Relation,
    Sampling,
    Scenario,
    ScenarioError,
    TimeStep,
    Training,
    Units,
)
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.relation import TIME_UNITS
from tests.scenario.changes import varied


@st.composite
def data_shapes(draw: st.DrawFn) -> DataShape:
    forecast = draw(st.integers(1, 200))
    lengths = draw(st.sets(st.integers(forecast, 100_000), min_size=1, max_size=4))
    return DataShape(
        num_series=draw(st.integers(1, 10_000)),
        series_lengths=tuple(sorted(lengths)),
        context_length=draw(st.integers(0, 500)),
        forecast_length=forecast,
        longer_series_beyond=draw(st.none() | st.integers(1, 1000)),
    )


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
    shape = draw(data_shapes())
    in_rates_mode = draw(st.booleans())
    windows = draw(st.integers(1, min(64, shape.num_series)))
    series = draw(st.integers(1, shape.num_series))
    batch = min(series * windows + draw(st.integers(0, windows - 1)), shape.num_series * windows)
    sampling = Sampling(
        batch_size=batch,
        num_subsequences=windows,
        top_level=draw(
            st.sampled_from(["without-replacement", "deterministic", "shuffled", "poisson"])
        ),
        bottom_level="with-replacement"
        if in_rates_mode
        else draw(st.sampled_from(["with-replacement", "poisson"])),
    )
    per_epoch = shape.num_series * windows // batch
    unit = draw(st.sampled_from(["steps", "epochs"]))
    most = MOST_STEPS if unit == "steps" else MOST_STEPS // per_epoch
    step = st.builds(TimeStep, st.integers(1, 10**15), st.sampled_from(TIME_UNITS))
    words = st.text(st.sampled_from("abc kWh/€&=?+%#°"), min_size=1, max_size=20)
    scenario = Scenario(
        data=shape,
        sampling=sampling,
        noise=Noise(
            noise_multiplier=draw(st.floats(0.1, 100)),
            context_noise=draw(st.floats(0, 1e6)),
            forecast_noise=draw(st.floats(0, 1e6)),
        ),
        training=Training(unit=unit, count=draw(st.integers(1, most))),
        relation=Relation(
            level=draw(st.sampled_from(["event", "user"])),
            width=draw(st.integers(1, 1000)),
            max_change=draw(st.none() | st.floats(1e-12, 1e12)),
            num_channels=draw(st.integers(1, 100)),
        ),
        units=Units(
            time_step=draw(st.none() | step),
            value_unit=draw(st.none() | words.map(str.strip).filter(bool)),
        ),
        delta=draw(st.floats(1e-15, 0.999)),
    )
    if not in_rates_mode:
        return scenario
    rates = st.none() | st.floats(1e-9, 1)
    bottom_rate, top_rate = draw(rates), draw(rates)
    try:
        return scenario.with_rates(bottom_rate=bottom_rate, top_rate=top_rate)
    except ScenarioError:  # the epochs of so small a rate are too many steps
        return scenario.with_rates(bottom_rate=bottom_rate)


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


SHAPE = varied(
    PRESETS["traffic"].scenario, max_change=0.1, value_unit="occupancy", longer_series_beyond=120
)
RATES = SHAPE.with_rates()
BARE = varied(RATES, last_shape=None)
