"""What an attacker gains from what training reveals."""

from dpviz.risk.attack import advantage, success, true_positive_rate
from dpviz.risk.attained import (
    DirectedRates,
    attained_true_positive_rate,
    directed_true_positive_rates,
)
from dpviz.risk.gaussian import gaussian_dp_mu
from dpviz.risk.posterior import loss_exceeded_with, posterior_at_loss, posterior_of_claim

__all__ = [
    "DirectedRates",
    "advantage",
    "attained_true_positive_rate",
    "directed_true_positive_rates",
    "gaussian_dp_mu",
    "loss_exceeded_with",
    "posterior_at_loss",
    "posterior_of_claim",
    "success",
    "true_positive_rate",
]
