"""One training run under each way of choosing series, after several lengths of training."""

from dataclasses import replace

from dpviz.scenario import Scenario, Training
from dpviz.scenario.mechanism import MOST_STEPS


def under_top_level(scenario: Scenario, top_level: str) -> Scenario:
    """Return the same run with series chosen in another way.

    Raises:
        ScenarioError: the way does not fit the rest; names the field.
    """
    return replace(scenario, sampling=replace(scenario.sampling, top_level=top_level))


def after(scenario: Scenario, length: str) -> Scenario:
    """Return the run cut, or prolonged, to a length to compare at.

    Args:
        scenario: the training set-up.
        length: one of those of the setting ``compared_length``.

    >>> from dpviz.scenario import PRESETS
    >>> after(PRESETS["traffic"].scenario, "ten-epochs").num_steps
    30
    """
    if length == "run":
        return scenario
    if length == "step":
        return replace(scenario, training=Training(unit="steps", count=1))
    epochs = 10 if length == "ten-epochs" else 1
    epochs = min(epochs, MOST_STEPS // scenario.steps_per_epoch)
    return replace(scenario, training=Training(unit="epochs", count=epochs))
