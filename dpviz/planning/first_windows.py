"""What a file of series leaves open, such as windows and batch. Examples are no defaults."""

from dpviz.scenario import Scenario, TimeStep

# Of a link whose settings nobody has chosen in these fields: they are asked for.
ASKED = "ask"
FIELDS = ("context_length", "forecast_length", "batch_size", "relation_width", "training")
# Those that are meant as times.
IN_TIME = frozenset({"context_length", "forecast_length", "relation_width"})

# After so much training a small model that sees noise has mostly learnt what it can.
_USUAL_TRAINING = {"epochs": 100, "steps": 1000}
# What is forecast, and what the model reads for it, by the unit of the time step: a day ahead of
# hourly values from the week before, and so on. What is forecast is also what is protected: a day.
_USUAL = {
    "second": ((1, "minute"), (10, "minute")),
    "minute": ((1, "hour"), (1, "day")),
    "hour": ((1, "day"), (1, "week")),
    "day": ((1, "week"), (4, "week")),
    "week": ((4, "week"), (52, "week")),
    "month": ((1, "year"), (3, "year")),
    "quarter": ((1, "year"), (3, "year")),
    "year": ((1, "year"), (5, "year")),
}


def usual_windows(step: TimeStep | None) -> tuple[int, int] | None:
    """Return usual lengths of forecast and context, in values; ``None`` where nothing is usual.

    >>> usual_windows(TimeStep(1, "hour")), usual_windows(TimeStep(1, "day")), usual_windows(None)
    ((24, 168), (7, 28), None)
    """
    if step is None or step.unit not in _USUAL:
        return None
    forecast, context = (step.values_in(*time) for time in _USUAL[step.unit])
    return None if forecast is None or context is None else (forecast, context)


def suggested(scenario: Scenario, series_length: float) -> dict[str, int]:
    """Return numbers to begin with, for series of a known time step whose usual length has room.

    The batch is the largest power of two with which an eighth of the series are drawn at most.
    """
    shape, usual = scenario.shape, usual_windows(scenario.units.time_step)
    if shape is None or usual is None or sum(usual) > series_length:
        return {}
    series = 1 << max((shape.num_series // 8).bit_length() - 1, 0)
    return {
        "context_length": usual[1],
        "forecast_length": usual[0],
        "batch_size": series * scenario.sampling.num_subsequences,
        "relation_width": usual[0],
        "training": _USUAL_TRAINING[scenario.training.unit],
    }


def left_open(before: Scenario, origin: Scenario) -> frozenset[str]:
    """Return which of the fields nobody has chosen when a file gives its shape to a scenario.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> sorted(left_open(toy.with_shape_value("batch_size", 8)[0], toy))
    ['context_length', 'forecast_length', 'relation_width', 'training']
    """
    if before.shape is None or origin.shape is None:
        return frozenset(FIELDS)
    same = (field for field in FIELDS if chosen_value(before, field) == chosen_value(origin, field))
    return frozenset(same)


def chosen_value(scenario: Scenario, field: str) -> int:
    """Return the value of one of the fields; 0 for one of a shape where there is none."""
    own = {
        "batch_size": scenario.sampling.batch_size,
        "relation_width": scenario.relation.width,
        "training": scenario.training.count,
    }
    if field in own:
        return own[field]
    return 0 if scenario.shape is None else int(getattr(scenario.shape, field))
