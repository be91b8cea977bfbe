"""Figure 10: walking through the series, many private epochs or few less private ones?

With lambda windows per series a batch takes N / lambda series, so an epoch has lambda steps.
"""

from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Value, figure
from dpviz.planning.paper_figures.toy import toy
from dpviz.planning.top_levels import WALKED
from dpviz.scenario import Training

STEPS = 16
WINDOWS = (1, 2, 4, 8, 16)


def _draw(*values: Value) -> Drawn:
    bottom_rate, epsilon = values
    assert isinstance(bottom_rate, float)
    assert isinstance(epsilon, float)
    return Drawn(
        scenarios=tuple(
            toy(
                bottom_rate=bottom_rate,
                batch_share=1.0,
                training=Training(unit="steps", count=STEPS),
                windows=windows,
                top_level=WALKED,
            )
            for windows in WINDOWS
        ),
        pairs=tuple((0, at) for at in range(1, len(WINDOWS))),
        epsilon=epsilon,
    )


FIGURES = (
    figure(
        "10",
        "Appendix C.1.4",
        Family.EPOCH_LENGTH,
        (
            Axis(name="bottom_rate", values=(0.5, 0.1)),
            Axis(name="epsilon", values=(1.0, 4.0)),
        ),
        _draw,
    ),
)
