"""How learning rates and clipping norms of ``python -m dpviz training-study`` were chosen.

``python -m bench.training_study_pilot``, with the names of models if not all, trains without
privacy on a made-up panel of another seed than the study's. Of each model the smallest learning
rate is taken whose error, a mean over seeds, is within 2 % of the smallest: noise moves parameters
by as much as the rate allows. The clipping norm is the median of the norms that windows' gradients
have on the way, by that rate, to one digit (the rule of Abadi et al., 2016). No private run is
looked at.
"""

import sys
from dataclasses import replace

import numpy as np

from dpviz.scenario import Noise, Relation, Sampling, Scenario, Training
from dpviz.training.forecaster import ClippedGradient, FloatArray
from dpviz.training.models import forecaster
from dpviz.training.panel import training_shape
from dpviz.training.panel_source import GeneratedSource
from dpviz.training.run import trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import split
from dpviz.training_study.questions import LEARNING_RATES

_RATES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
_SEEDS = (1, 2, 3)
_WITHIN = 0.02
_CONTEXT, _FORECAST, _BATCH, _STEPS, _PERIOD = 24, 6, 64, 500, 12


class _Measured:
    """A forecaster that notes the norms of gradients."""

    def __init__(self, model: str) -> None:
        self._inner = forecaster(model, _CONTEXT, _FORECAST, _PERIOD)
        self.context_length, self.forecast_length = _CONTEXT, _FORECAST
        self.num_parameters = self._inner.num_parameters
        self.initial_parameters = self._inner.initial_parameters
        self.quantiles = self._inner.quantiles
        self.norms: list[FloatArray] = []

    def clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,
    ) -> ClippedGradient:
        found = self._inner.clipped_gradient(parameters, context, forecast, clipping_norm)
        self.norms.append(found.norms)
        return found


def main() -> None:
    """Print the errors of all rates, and what is chosen."""
    panel = GeneratedSource(num_series=1000, length=240, period=_PERIOD, seed=2).panel()
    parts = split(panel, _CONTEXT, _FORECAST, validation_windows=0)
    settings = TrainingSettings(
        scenario=Scenario(
            data=training_shape(parts.training, _CONTEXT, _FORECAST),
            sampling=Sampling(batch_size=_BATCH),
            noise=Noise(noise_multiplier=1.0),
            training=Training(unit="steps", count=_STEPS),
            relation=Relation(),
        ),
        model="linear",
        target=None,
        most_steps=_STEPS,
        evaluate_every=_STEPS,
        validation="none",
        validation_windows=0,
    )
    for model in sys.argv[1:] or LEARNING_RATES:
        errors = {}
        for rate in _RATES:
            runs = [
                trained(replace(settings, model=model, learning_rate=rate, seed=seed), panel)
                for seed in _SEEDS
            ]
            errors[rate] = float(np.mean([run.crps for run in runs]))
            print(f"{model}, learning rate {rate:g}: CRPS {errors[rate]:.5f}", flush=True)
        print(f"{model}: seasonal naive {runs[0].baseline_crps:.5f}")
        least = min(errors.values())
        chosen = min(rate for rate in _RATES if errors[rate] <= (1.0 + _WITHIN) * least)
        measured = _Measured(model)
        chosen_settings = replace(settings, model=model, learning_rate=chosen, seed=_SEEDS[0])
        trained(chosen_settings, panel, forecaster=measured)
        norm = float(np.median(np.concatenate(measured.norms)))
        print(f"{model}: learning rate {chosen:g}, clipping norm {norm:.1g} (median {norm:.4f})")


if __name__ == "__main__":
    main()
