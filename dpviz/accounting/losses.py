"""Which privacy loss a pair has."""

from functools import lru_cache

import numpy as np

from dpviz.accounting.allocated_loss import AllocatedLoss
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.cell_loss import CellLoss
from dpviz.accounting.coupling_thresholds import ThresholdSolver
from dpviz.accounting.labelled_loss import LabelledLoss, Parts, PoissonLoss
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.mixture_loss import MixtureLoss
from dpviz.accounting.privacy_loss import PrivacyLoss
from dpviz.accounting.two_component_loss import TwoComponentLoss
from dpviz.guarantees import (
    AbsentPoissonPair,
    AllocatedPair,
    CoupledPair,
    DominatingPair,
    PlanarPair,
    ShiftedMixturePair,
)


class CouplingLoss(LabelledLoss):
    """One label for each count, and one for a step without the series."""

    def __init__(self, pair: CoupledPair) -> None:
        scale = 1.0 / pair.noise_multiplier
        distances, weights = scale * np.array(pair.distances), np.array(pair.weights)
        self._solver = ThresholdSolver(distances, weights, pair.rate, scale * pair.absence)
        self._elements = int(np.count_nonzero(distances))
        parts = Parts(
            labels=np.arange(len(weights) + 1),
            weights=np.append(pair.rate * weights, 1.0 - pair.rate),
            upper=np.append(distances, 0.0),
            lower=np.zeros(len(weights) + 1),
        )
        super().__init__(parts, pair.unlisted)

    def _at_once(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self._solver.thresholds(losses)


_CACHED_LOSSES = 64


@lru_cache(maxsize=_CACHED_LOSSES)
def loss_of(pair: DominatingPair, rounding: Rounding) -> PrivacyLoss:
    """Return the privacy loss of a pair whose two distributions differ.

    Args:
        rounding: the side to which weight that the pair does not list is moved.
    """
    if isinstance(pair, ShiftedMixturePair):
        return TwoComponentLoss(pair)
    if isinstance(pair, AllocatedPair):
        return AllocatedLoss(pair, rounding)
    if isinstance(pair, CoupledPair | AbsentPoissonPair | PlanarPair):
        if rounding is Rounding.DOWN:
            up = loss_of(pair, Rounding.UP)
            assert isinstance(up, LabelledLoss | CellLoss)
            return up.without_unlisted()
        if isinstance(pair, PlanarPair):
            return CellLoss(pair)
        return CouplingLoss(pair) if isinstance(pair, CoupledPair) else PoissonLoss(pair)
    return MixtureLoss(pair, rounding)
