"""The privacy loss of coupled counts (docs/tighter-bounds.md, Lemma 3)."""

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.coupling_thresholds import ThresholdSolver
from dpviz.accounting.labelled_loss import LabelledLoss, Parts, Thresholds
from dpviz.guarantees import CoupledPair


class CouplingLoss(LabelledLoss):
    """One label for each count, and one for a step without the series."""

    def __init__(self, pair: CoupledPair) -> None:
        scale = 1.0 / pair.noise_multiplier
        distances, weights = scale * np.array(pair.distances), np.array(pair.weights)
        self._solver = ThresholdSolver(distances, weights, pair.rate, scale * pair.absence)
        parts = Parts(
            labels=np.arange(len(weights) + 1),
            weights=np.append(pair.rate * weights, 1.0 - pair.rate),
            upper=np.append(distances, 0.0),
            lower=np.zeros(len(weights) + 1),
        )
        super().__init__(parts, pair.unlisted)

    def _thresholds(self, losses: FloatArray) -> Thresholds:
        return self._solver.thresholds(losses)
