"""The figures of Schuchardt et al. that bounds alone decide, at the paper's parameters."""

from dpviz.planning.paper_figures.families import FIGURES
from dpviz.planning.paper_figures.panel import Axis, Family, Figure, Panel

__all__ = ["FIGURES", "Axis", "Family", "Figure", "Panel"]
