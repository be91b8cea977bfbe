"""What an attacker gains from what training reveals."""

from dpviz.risk.attack import (
    advantage,
    attained_true_positive_rate,
    attained_true_positive_rates,
    directed_true_positive_rates,
    success,
    true_positive_rate,
    true_positive_rates,
)
from dpviz.risk.posterior import (
    gaussian_dp_mu,
    loss_exceeded_with,
    posterior_at_loss,
    posterior_of_claim,
)

__all__ = [
    "advantage",
    "attained_true_positive_rate",
    "attained_true_positive_rates",
    "directed_true_positive_rates",
    "gaussian_dp_mu",
    "loss_exceeded_with",
    "posterior_at_loss",
    "posterior_of_claim",
    "success",
    "true_positive_rate",
    "true_positive_rates",
]
