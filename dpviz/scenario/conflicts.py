"""What the fields of a scenario leave for one another, in words."""

from typing import TYPE_CHECKING

from dpviz.scenario.data import DataShape

if TYPE_CHECKING:
    from dpviz.scenario.scenario import Scenario


def most_epochs(steps_per_epoch: int, most_steps: int) -> str:
    """Return how many epochs come to at most ``most_steps``."""
    if steps_per_epoch > most_steps:
        return f"one epoch alone has more than {most_steps:,} steps"
    return f"it must be at most {most_steps // steps_per_epoch:,}, {_to_come_to(most_steps)}"


def smallest_top_rate(epochs: int, most_steps: int) -> str:
    """Return from which rho on so many epochs come to at most ``most_steps``.

    >>> smallest_top_rate(100, 10**7)
    'it must be at least 1e-05, for 100 epochs to come to at most 10,000,000 steps'
    """
    least = 1.0 / (most_steps // epochs)
    # Six digits say it, if not rounded to a smaller rate.
    told = f"{least:.6g}" if float(f"{least:.6g}") >= least else repr(least)
    counted = f"{epochs:,} epoch{'s' if epochs > 1 else ''}"
    return f"it must be at least {told}, for {counted} {_to_come_to(most_steps)}"


def allowed_beside(scenario: "Scenario", field: str, most_steps: int) -> str:
    """Return what the other fields allow for ``field`` of a scenario's data shape.

    Args:
        scenario: one with a data shape.
        field: ``forecast_length``, which the series must hold, or ``num_series`` or
            ``batch_size``, which decide the steps of an epoch.
        most_steps: how many steps all epochs may come to.
    """
    shape, sampling = scenario.data, scenario.sampling
    assert isinstance(shape, DataShape)  # rates leave nothing to decide
    if field == "forecast_length":
        shortest = "" if len(shape.series_lengths) == 1 else "shortest "
        return f"it must be at most {shape.series_lengths[0]:,}, the {shortest}series length"
    # floor(N lambda / Lambda) is at most s exactly where N lambda < (s + 1) Lambda.
    epochs = scenario.training.count
    too_many = most_steps // epochs + 1
    if field == "num_series":
        per_series = sampling.largest_batch(shape) // shape.num_series
        most = (too_many * sampling.batch_size - 1) // per_series
        bound = f"at most {most:,}"
    else:
        least = sampling.largest_batch(shape) // too_many + 1
        bound = f"at least {least:,}"
    counted = f"{epochs:,} epoch{'s' if epochs > 1 else ''}"
    return f"it must be {bound}, for {counted} {_to_come_to(most_steps)}"


def _to_come_to(most_steps: int) -> str:
    return f"to come to at most {most_steps:,} steps"
