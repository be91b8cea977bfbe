"""One training step's gradient: windows cut, noised, clipped, summed, noised (Algorithm 2)."""

import numpy as np

from dpviz.sampling import Batch, Windows, noisy_average, noisy_windows
from dpviz.sampling.noisy_step import CLIPPING_NORM_RANGE
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.panel import Panel
from dpviz.training.randomness import Randomness
from dpviz.training.settings import TrainingSettings
from dpviz.training.window_reader import WindowReader

# No gradient that is a number a computer can sum is as long.
_NO_CLIPPING = CLIPPING_NORM_RANGE[1]
_ROUNDING = 1e-9  # of a sum of norms


class Mechanism:
    """Computes the gradients of a run; the only place that sees the training values.

    Args:
        settings: what is added to windows and gradients; without a target nothing is.
        training: the series that are trained on.
        forecaster: whose gradients.
        randomness: of all noise.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        training: Panel,
        forecaster: Forecaster,
        randomness: Randomness,
    ) -> None:
        self._settings, shape = settings, settings.shape
        self._reader = WindowReader(training.series, shape.context_length, shape.forecast_length)
        self._forecaster, self._randomness = forecaster, randomness

    # A warning would tell which values had caused it.
    @np.errstate(all="ignore")
    def gradient(self, parameters: FloatArray, batch: Batch) -> FloatArray:
        """Return what the optimiser sees of a batch, which may be empty, shape (parameters,)."""
        settings, cut = self._settings, self._reader.read(batch)
        if not settings.is_private:
            return self._sum(parameters, cut, _NO_CLIPPING) / settings.scenario.sampling.batch_size
        noise, change = settings.scenario.noise, settings.scenario.relation.max_change
        if change is not None and (noise.context_noise > 0.0 or noise.forecast_noise > 0.0):
            cut = noisy_windows(
                cut,
                self._randomness["windows"],
                context_noise=noise.context_noise,
                forecast_noise=noise.forecast_noise,
                max_change=change,
            )
        return noisy_average(
            self._sum(parameters, cut, settings.clipping_norm),
            self._randomness["gradients"],
            clipping_norm=settings.clipping_norm,
            noise_multiplier=noise.noise_multiplier,
            batch_size=settings.scenario.sampling.batch_size,
        )

    def _sum(self, parameters: FloatArray, cut: Windows, clipping_norm: float) -> FloatArray:
        context, forecast = (np.asarray(part, np.float64) for part in (cut.context, cut.forecast))
        total = self._forecaster.clipped_gradient(
            parameters, context, forecast, clipping_norm
        ).total
        # A forecaster that clips wrongly would make every epsilon wrong.
        most = len(context) * clipping_norm if len(context) else 0.0
        if not np.linalg.norm(total) <= most * (1.0 + _ROUNDING):
            raise AssertionError("the forecaster's sum is longer than clipped gradients are")
        return total
