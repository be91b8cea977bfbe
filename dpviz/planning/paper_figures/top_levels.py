"""Figures 3 and 8: series drawn at random, or walked through?"""

from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Value, figure
from dpviz.planning.paper_figures.toy import FOUR_RATES, ONE_STEP, toy
from dpviz.planning.top_levels import DRAWN, WALKED
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
                top_level=top_level,
            )
            for top_level in (DRAWN, WALKED)
        ),
        pairs=((0, 1),),
    )


_LENGTH = Axis(
    name="length",
    values=(ONE_STEP, Training(unit="epochs", count=1), Training(unit="epochs", count=10)),
)
_IN_THE_TEXT = Axis(name="rates", values=((0.1, 0.1),))
_IN_THE_APPENDIX = Axis(name="rates", values=FOUR_RATES)
FIGURES = (
    figure("3", "Section 5.1", Family.TOP_LEVELS, (_IN_THE_TEXT, _LENGTH), _draw),
    figure("8", "Appendix C.1.2", Family.TOP_LEVELS, (_IN_THE_APPENDIX, _LENGTH), _draw),
)
