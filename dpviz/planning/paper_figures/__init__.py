"""The figures of Schuchardt et al. that bounds alone decide, at the paper's parameters."""

from dpviz.planning.paper_figures.families import FIGURES, Family, Panel

__all__ = ["FIGURES", "Family", "Panel"]
