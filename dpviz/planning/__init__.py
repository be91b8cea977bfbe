"""Comparing scenarios."""

from dpviz.planning.top_levels import SchemeCurves, TopLevelComparison, compare_top_levels

__all__ = ["SchemeCurves", "TopLevelComparison", "compare_top_levels"]
