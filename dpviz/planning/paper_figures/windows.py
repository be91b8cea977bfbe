"""Figures 2, 5, 6 and 7: one window of many series, or many windows of few series?"""

from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Figure, Value, figure
from dpviz.planning.paper_figures.toy import (
    HUNDRED_STEPS,
    ONE_STEP,
    THOUSAND_STEPS,
    WINDOWS,
    toy,
)
from dpviz.scenario import Training


def _draw(*values: Value) -> Drawn:
    rates, training = values
    assert isinstance(rates, tuple)
    assert isinstance(training, Training)
    bottom_rate, batch_share = rates
    return Drawn(
        scenarios=tuple(
            toy(
                bottom_rate=bottom_rate,
                batch_share=batch_share,
                training=training,
                windows=windows,
            )
            for windows in WINDOWS
        ),
        pairs=tuple((0, at) for at in range(1, len(WINDOWS))),
    )


_TWO = (ONE_STEP, HUNDRED_STEPS)
_THREE = (ONE_STEP, HUNDRED_STEPS, THOUSAND_STEPS)


def _figure(
    number: str, section: str, rates: tuple[float, float], lengths: tuple[Training, ...]
) -> Figure:
    axes = (Axis(name="rates", values=(rates,)), Axis(name="length", values=lengths))
    return figure(number, section, Family.WINDOWS, axes, _draw)


FIGURES = (
    _figure("2", "Section 5.1", (0.1, 0.1), _TWO),
    _figure("5", "Appendix C.1.1", (0.5, 0.1), _THREE),
    _figure("6", "Appendix C.1.1", (0.1, 0.5), _THREE),
    _figure("7", "Appendix C.1.1", (0.1, 0.1), _THREE),
)
