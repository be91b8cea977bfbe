"""Which privacy loss a pair has."""

from functools import lru_cache

from dpviz.accounting.cell_loss import CellLoss
from dpviz.accounting.coupling_loss import CouplingLoss
from dpviz.accounting.labelled_loss import LabelledLoss
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.mixture_loss import MixtureLoss
from dpviz.accounting.poisson_loss import PoissonLoss
from dpviz.accounting.privacy_loss import PrivacyLoss
from dpviz.accounting.two_component_loss import TwoComponentLoss
from dpviz.guarantees import (
    AbsentPoissonPair,
    CoupledPair,
    DominatingPair,
    PlanarPair,
    ShiftedMixturePair,
)

_CACHED_LOSSES = 64


@lru_cache(maxsize=_CACHED_LOSSES)
def loss_of(pair: DominatingPair, rounding: Rounding) -> PrivacyLoss:
    """Return the privacy loss of a pair whose two distributions differ.

    Args:
        pair: the pair.
        rounding: the side to which weight that the pair does not list is moved.
    """
    if isinstance(pair, ShiftedMixturePair):
        return TwoComponentLoss(pair)
    if isinstance(pair, CoupledPair | AbsentPoissonPair | PlanarPair):
        if rounding is Rounding.DOWN:
            up = loss_of(pair, Rounding.UP)
            assert isinstance(up, LabelledLoss | CellLoss)
            return up.without_unlisted()
        if isinstance(pair, PlanarPair):
            return CellLoss(pair)
        return CouplingLoss(pair) if isinstance(pair, CoupledPair) else PoissonLoss(pair)
    return MixtureLoss(pair, rounding)
