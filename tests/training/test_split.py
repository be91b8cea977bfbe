"""What is forecast is never trained on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import ScenarioError
from dpviz.training.panel import Panel
from dpviz.training.split import split


def counting_panel(lengths):
    """Each value is different from all others, and tells its own place."""
    ends = np.cumsum(lengths)
    series = [np.arange(end - length, end) + 1.0 for end, length in zip(ends, lengths, strict=True)]
    return Panel(series=tuple(series), names=tuple(map(str, range(len(lengths)))), period=4)


@given(
    extra=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    context_length=st.integers(1, 12),
    forecast_length=st.integers(1, 5),
    validation=st.integers(0, 3),
    test=st.integers(1, 3),
)
def test_each_value_is_trained_on_or_forecast_once(
    extra, context_length, forecast_length, validation, test
):
    least = (validation + test + 1) * forecast_length
    panel = counting_panel([least + more for more in extra])
    parts = split(
        panel, context_length, forecast_length, validation_windows=validation, test_windows=test
    )
    used = [*parts.training.series, parts.validation.truth.ravel(), parts.test.truth.ravel()]
    np.testing.assert_array_equal(np.sort(np.concatenate(used)), np.concatenate(panel.series))
    for windows in (parts.validation, parts.test):
        for row, (index, start) in enumerate(zip(windows.series, windows.starts, strict=True)):
            before = panel.series[index][:start]
            np.testing.assert_array_equal(windows.histories[row], before)
            padded = np.concatenate([np.zeros(context_length), before])
            np.testing.assert_array_equal(windows.context[row], padded[-context_length:])
            np.testing.assert_array_equal(
                windows.truth[row], panel.series[index][start : start + forecast_length]
            )
    for index, training in enumerate(parts.training.series):
        later = parts.validation.starts[parts.validation.series == index]
        assert np.all(later >= len(training))
        assert parts.test.starts[parts.test.series == index].min() >= later.max(initial=0)


def test_changing_what_is_forecast_changes_no_training_value():
    panel = counting_panel([20, 25])
    changed = Panel(
        series=tuple(np.append(values[:-6], np.full(6, -1.0)) for values in panel.series),
        names=panel.names,
        period=4,
    )
    for one, other in zip(
        split(panel, 4, 3).training.series, split(changed, 4, 3).training.series, strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"context_length": 0}, "context_length"),
        ({"forecast_length": 0}, "forecast_length"),
        ({"validation_windows": -1}, "validation_windows"),
        ({"test_windows": 0}, "test_windows"),
        ({"forecast_length": 9}, "series 1"),
    ],
)
def test_what_cannot_be_split_is_named(arguments, field):
    given = {"context_length": 4, "forecast_length": 3, **arguments}
    with pytest.raises(ScenarioError) as caught:
        split(counting_panel([40, 26]), **given)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"period": 0}, "period"),
        ({"names": ("a", "a")}, "names"),
        ({"names": ("a",)}, "names"),
        ({"series": ()}, "series"),
        ({"series": ([1.0], [np.nan])}, "series b"),
        ({"series": ([1.0], [])}, "series b"),
        ({"series": ([1.0], [[2.0]])}, "series b"),
        ({"series": ([1.0], ["x"])}, "series b"),
    ],
)
def test_a_panel_without_sense_is_refused(change, field):
    with pytest.raises(ScenarioError) as caught:
        Panel(**{"series": ([1.0], [2.0, 3.0]), "names": ("a", "b"), "period": 2, **change})
    assert caught.value.field == field


def test_a_panel_does_not_change_with_the_arrays_it_was_made_of():
    values = np.ones(3)
    panel = Panel(series=(values,), names=("a",), period=1)
    values[0] = 5.0
    assert panel.series[0].tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        panel.series[0][0] = 2.0
