"""Figure 13: all windows in one bag, or series first?"""

from dataclasses import replace

from dpviz.planning.paper_figures.panel import Axis, Drawn, Family, Value, figure
from dpviz.planning.paper_figures.toy import ONE_STEP
from dpviz.scenario import DataShape, Noise, Sampling, Scenario

WINDOW_LENGTHS = (1, 2, 4, 8, 16, 32)
# T, so that Lambda = ratio N T is at most N; N_total = N T is all that the paper gives.
_START_POSITIONS = {0.1: 10, 0.001: 100}
_OPENED_LENGTH = 8


def series_first(num_windows: int, batch_share: float, window_length: int) -> Scenario:
    """Return one step with one window from each drawn series, and Lambda = share N_total."""
    positions = _START_POSITIONS[batch_share]
    return Scenario(
        data=DataShape(
            num_series=num_windows // positions,
            series_lengths=(positions,),
            context_length=window_length - 1,
            forecast_length=1,
        ),
        sampling=Sampling(batch_size=round(batch_share * num_windows)),
        noise=Noise(noise_multiplier=1.0),
        training=ONE_STEP,
    )


def _draw(*values: Value) -> Drawn:
    num_windows, batch_share = values
    assert isinstance(num_windows, int)
    assert isinstance(batch_share, float)
    # A batch takes a series at most once, so rates above 1 do not exist.
    possible = [length for length in WINDOW_LENGTHS if length <= _START_POSITIONS[batch_share]]
    scenarios = []
    for length in possible:
        structured = series_first(num_windows, batch_share, length)
        bag = replace(structured, sampling=replace(structured.sampling, top_level="flat"))
        scenarios += [structured, bag]
    return Drawn(
        scenarios=tuple(scenarios),
        pairs=tuple((2 * at, 2 * at + 1) for at in range(len(possible))),
        opened=2 * possible.index(_OPENED_LENGTH),
        impossible=tuple(length for length in WINDOW_LENGTHS if length not in possible),
    )


FIGURES = (
    figure(
        "13",
        "Appendix C.3",
        Family.ONE_BAG,
        (
            Axis(name="num_windows", values=(10**4, 10**6)),
            Axis(name="batch_share", values=(0.1, 0.001)),
        ),
        _draw,
    ),
)
