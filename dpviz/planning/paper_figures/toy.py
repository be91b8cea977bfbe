"""The toy setting of Section 5.1 and Appendix C.1 of Schuchardt et al."""

from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training

NUM_SERIES = 320
NOISE_MULTIPLIER = 1.0
# r and Lambda / N, from the most private setting to the least; both are varied so.
FOUR_RATES = ((0.5, 0.5), (0.5, 0.1), (0.1, 0.5), (0.1, 0.1))
WINDOWS = (1, 2, 4, 8, 16, 32)
ONE_STEP = Training(unit="steps", count=1)
HUNDRED_STEPS = Training(unit="steps", count=100)
THOUSAND_STEPS = Training(unit="steps", count=1000)


def series_of_rate(bottom_rate: float, context_length: int, forecast_length: int) -> DataShape:
    """Return the series that have r exactly: L = (L_C + L_F) / r + L_F - 1, as in Section 5.1.

    >>> series_of_rate(0.1, 1, 1).series_lengths
    (20,)
    """
    length = round((context_length + forecast_length) / bottom_rate) + forecast_length - 1
    return DataShape(
        num_series=NUM_SERIES,
        series_lengths=(length,),
        context_length=context_length,
        forecast_length=forecast_length,
    )


def toy(
    *,
    bottom_rate: float,
    batch_share: float,
    training: Training,
    windows: int = 1,
    top_level: str = "without-replacement",
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
        training: how long.
        windows: lambda.
        top_level: how series are chosen.
        context_length: L_C.
        forecast_length: L_F.
        forecast_noise: sigma_F.
    """
    return Scenario(
        data=series_of_rate(bottom_rate, context_length, forecast_length),
        sampling=Sampling(
            batch_size=round(batch_share * NUM_SERIES),
            num_subsequences=windows,
            top_level=top_level,
        ),
        noise=Noise(noise_multiplier=NOISE_MULTIPLIER, forecast_noise=forecast_noise),
        training=training,
    )
