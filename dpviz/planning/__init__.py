"""What is proven about scenarios, compared, and turned around into what to choose."""

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
