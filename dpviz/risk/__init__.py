"""What an attacker gains from what training reveals."""

from dpviz.risk.attack import advantage, success, true_positive_rate

__all__ = ["advantage", "success", "true_positive_rate"]
