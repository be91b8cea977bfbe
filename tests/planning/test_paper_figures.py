"""The panels of the paper's figures: their parameters, and which are next to each other."""

import pytest

from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.panel import Family
from dpviz.scenario import Rates
from dpviz.settings import SETTINGS
from dpviz.settings.paper import MOST_PANELS

PANELS = [panel for figure in FIGURES.values() for panel in figure.panels]
RATES = {"2": (0.1, 0.1), "3": (0.1, 0.1), "4": (0.1, 0.1), "5": (0.5, 0.1), "6": (0.1, 0.5)} | {
    "7": (0.1, 0.1)
}


def test_every_figure_of_a_link_is_there():
    assert tuple(FIGURES) == tuple(SETTINGS["figure"].choices)
    assert max(len(figure.panels) for figure in FIGURES.values()) <= MOST_PANELS + 1


def test_number_of_panels():
    """As the captions list them; lengths of training apart from rates."""
    counts = {number: len(figure.panels) for number, figure in FIGURES.items()}
    assert counts == {
        "2": 2, "3": 3, "4": 2, "5": 3, "6": 3, "7": 3, "8": 12, "9": 8, "10": 4, "13": 4,
    }  # fmt: skip


def test_toy_setting_of_all_but_the_bag():
    """N = 320, sigma = 1, and r and Lambda / N to the last bit."""
    for panel, scenario in [(one, run) for one in PANELS for run in one.scenarios]:
        assert scenario.noise.noise_multiplier == 1.0
        assert scenario.relation.width == 1
        if panel.family is Family.ONE_BAG:
            continue
        if panel.family is Family.EPOCH_LENGTH:
            bottom_rate, batch_share = panel.setting("bottom_rate"), 1.0
        else:
            bottom_rate, batch_share = panel.setting("rates")
        assert scenario.sampling.batch_size == {0.1: 32, 0.5: 160, 1.0: 320}[batch_share]
        if isinstance(scenario.data, Rates):  # no forecast: half of the values are left
            assert scenario.bottom_rate == bottom_rate / 2
            assert scenario.top_rate == batch_share
        else:
            assert scenario.data.num_series == 320
            assert scenario.bottom_rate == bottom_rate


@pytest.mark.parametrize(("number", "rates"), RATES.items())
def test_rates_of_the_figures_that_have_one_pair(number, rates):
    assert {panel.setting("rates") for panel in FIGURES[number].panels} == {rates}


@pytest.mark.parametrize("number", ["2", "5", "6", "7"])
def test_steps_and_windows_of_the_figures_on_windows(number):
    lengths = (1, 100) if number == "2" else (1, 100, 1000)
    for panel, steps in zip(FIGURES[number].panels, lengths, strict=True):
        assert [run.sampling.num_subsequences for run in panel.scenarios] == [1, 2, 4, 8, 16, 32]
        assert {run.num_steps for run in panel.scenarios} == {steps}
        assert {run.sampling.top_level for run in panel.scenarios} == {"without-replacement"}


@pytest.mark.parametrize("number", ["3", "8"])
def test_ways_and_lengths_of_the_figures_on_top_levels(number):
    for panel in FIGURES[number].panels:
        drawn, walked = panel.scenarios
        assert drawn.sampling.top_level == "without-replacement"
        assert walked.sampling.top_level == "deterministic"
        per_epoch = round(1 / panel.setting("rates")[1])
        assert drawn.num_steps == walked.num_steps == (1, per_epoch, 10 * per_epoch)[
            panel.number % 3
        ]  # fmt: skip


@pytest.mark.parametrize("number", ["4", "9"])
def test_noise_of_the_figures_on_labels(number):
    for panel in FIGURES[number].panels:
        *noisy, none = panel.scenarios
        assert [run.noise.forecast_noise for run in noisy] == [0.0, 0.5, 1.0, 2.0, 5.0, 1e6]
        assert {run.noise.context_noise for run in panel.scenarios} == {0.0}
        assert none.noise.forecast_noise == 0.0
        assert {run.num_steps for run in panel.scenarios} == {(1, 100)[panel.number % 2]}


def test_walks_of_figure_10():
    for panel in FIGURES["10"].panels:
        assert [run.steps_per_epoch for run in panel.scenarios] == [1, 2, 4, 8, 16]
        assert {run.num_steps for run in panel.scenarios} == {16}
    settings = [(panel.setting("bottom_rate"), panel.drawn.epsilon) for panel in
                FIGURES["10"].panels]  # fmt: skip
    assert settings == [(0.5, 1.0), (0.5, 4.0), (0.1, 1.0), (0.1, 4.0)]


def test_windows_and_rates_of_figure_13():
    for panel in FIGURES["13"].panels:
        total, share = panel.setting("num_windows"), panel.setting("batch_share")
        lengths = []
        for first, second in panel.drawn.pairs:
            structured, bag = panel.scenarios[first], panel.scenarios[second]
            shape = structured.data
            assert shape.num_series * shape.start_positions == total
            assert structured.sampling.batch_size == bag.sampling.batch_size == share * total
            assert bag.sampling.top_level == "flat"
            assert structured.num_steps == bag.num_steps == 1
            lengths.append(shape.context_length + shape.forecast_length)
            rate = structured.bottom_rate * structured.top_rate
            assert rate == pytest.approx(share * lengths[-1])
        assert [*lengths, *panel.drawn.impossible] == [1, 2, 4, 8, 16, 32]
        assert panel.drawn.impossible == ((16, 32) if share == 0.1 else ())


@pytest.mark.parametrize("number", FIGURES)
def test_panels_along_an_axis_differ_in_it_alone(number):
    figure = FIGURES[number]
    for panel in figure.panels:
        for axis in figure.axes:
            others = [figure.panels[at] for at in figure.along(panel, axis)]
            assert [other.setting(axis.name) for other in others] == list(axis.values)
            assert panel in others
            for other in others:
                assert dict(other.settings) | {axis.name: panel.setting(axis.name)} == dict(
                    panel.settings
                )


def test_panel_beyond_the_last_is_the_last():
    assert FIGURES["2"].panel(31) is FIGURES["2"].panels[-1]
