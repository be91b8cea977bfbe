"""What is proven about scenarios, compared, and turned around into what to choose.

What computes bounds raises :class:`~dpviz.scenario.ScenarioError` where none covers the scenario.
Arguments ``tolerance``, ``only_quoted`` and ``may_change_direction`` mean what they mean for
:func:`dpviz.accounting.account_for`, unless a function says otherwise. Of several bounds the best
is meant; a lower one is ``None`` where none is proven.
"""

from dpviz.planning.curves import ProvenCurve, ScenarioCurves, curves_of
from dpviz.planning.order import Order, Stretch, proven_order, proven_order_at_delta

__all__ = [
    "Order",
    "ProvenCurve",
    "ScenarioCurves",
    "Stretch",
    "curves_of",
    "proven_order",
    "proven_order_at_delta",
]
