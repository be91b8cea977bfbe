"""Ready-made scenarios: the main paper's toy setting and the shapes of its three data sets."""

from dataclasses import dataclass

from dpviz.scenario.data import DataShape
from dpviz.scenario.mechanism import Noise, Sampling, Training
from dpviz.scenario.relation import TimeStep, Units
from dpviz.scenario.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named scenario and where its numbers come from."""

    title: str
    source: str
    scenario: Scenario


_APPENDIX_B = (
    "Schuchardt et al., App. B, with the whole series as L and its largest number of epochs. The "
    "paper trained on a part of the series and let DeepAR read more lags than L_C: both make ε "
    "larger than here."
)

PRESETS: dict[str, Preset] = {
    # L = 10 (L_C + L_F) + L_F - 1 makes r exactly 0.1.
    "toy": Preset(
        title="Toy: 320 short series",
        source="N, Λ, σ and r of Schuchardt et al., Fig. 2; the short series are chosen to give "
        "that r.",
        scenario=Scenario(
            data=DataShape(
                num_series=320, series_lengths=(20,), context_length=1, forecast_length=1
            ),
            sampling=Sampling(batch_size=32),
            noise=Noise(noise_multiplier=1.0),
            training=Training(unit="steps", count=1000),
        ),
    ),
    "traffic": Preset(
        title="traffic: 862 road sensors, hourly",
        source=_APPENDIX_B,
        scenario=Scenario(
            data=DataShape(
                num_series=862, series_lengths=(17_544,), context_length=96, forecast_length=24
            ),
            sampling=Sampling(batch_size=256),
            noise=Noise(noise_multiplier=4.0),
            training=Training(unit="epochs", count=4000),
            units=Units(time_step=TimeStep(1, "hour")),
        ),
    ),
    "electricity": Preset(
        title="electricity: 321 customers, hourly",
        source=_APPENDIX_B,
        scenario=Scenario(
            data=DataShape(
                num_series=321, series_lengths=(26_304,), context_length=24, forecast_length=24
            ),
            sampling=Sampling(batch_size=128),
            noise=Noise(noise_multiplier=2.0),
            training=Training(unit="epochs", count=8000),
            units=Units(time_step=TimeStep(1, "hour")),
        ),
    ),
    "solar_10_minutes": Preset(
        title="solar: 137 power plants, every 10 minutes",
        source=_APPENDIX_B,
        scenario=Scenario(
            data=DataShape(
                num_series=137, series_lengths=(52_560,), context_length=240, forecast_length=60
            ),
            sampling=Sampling(batch_size=128),
            noise=Noise(noise_multiplier=4.0),
            training=Training(unit="epochs", count=16_000),
            units=Units(time_step=TimeStep(10, "minute")),
        ),
    ),
}
