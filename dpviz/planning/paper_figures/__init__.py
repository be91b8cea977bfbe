"""The figures of Schuchardt et al. that bounds alone decide, at the paper's parameters."""

from dpviz.planning.paper_figures import (
    epoch_length,
    label_noise,
    one_bag,
    top_levels,
    windows,
)
from dpviz.planning.paper_figures.panel import Axis, Family, Figure, Panel

FIGURES = {
    figure.number: figure
    for figure in sorted(
        (
            *windows.FIGURES,
            *top_levels.FIGURES,
            *label_noise.FIGURES,
            *epoch_length.FIGURES,
            *one_bag.FIGURES,
        ),
        key=lambda figure: int(figure.number),
    )
}

__all__ = ["FIGURES", "Axis", "Family", "Figure", "Panel"]
