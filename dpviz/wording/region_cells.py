"""What the map of settings calls its axes, and what it says of one place."""

import textwrap

from dpviz.planning.region import Place, Refusal, RegionMap, RegionPoint
from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.settings.planner import REGION_AXES
from dpviz.wording.labels import labelled
from dpviz.wording.numbers import counted, power_of_ten, rounded, rounded_up
from dpviz.wording.plan import goal_words
from dpviz.wording.scope import protected_in, run_length
from dpviz.wording.theorems import qualified_label

_PLACES = {"event": "in a row", "user": "anywhere"}
_DIGITS = 6
# A hover text is not wrapped by itself.
_HOVER_WIDTH = 58


def axis_title(scenario: Scenario, quantity: str) -> str:
    """Return what an axis shows, with its unit.

    >>> from dpviz.scenario import PRESETS
    >>> axis_title(PRESETS["traffic"].scenario, "training")
    'training, in epochs'
    """
    if quantity == "training":
        return f"training, in {scenario.training.unit}"
    if quantity == "relation_width":
        return f"{REGION_AXES[quantity]}, {_PLACES[scenario.relation.level]}"
    unit = SETTINGS[quantity].unit
    return REGION_AXES[quantity] + (f", in {unit}" if unit else "")


def number_text(value: float) -> str:
    """Return a value of an axis.

    >>> number_text(17544), number_text(0.0625), number_text(4.0)
    ('17,544', '0.0625', '4')
    """
    return f"{value:,}" if isinstance(value, int) else rounded(value, _DIGITS)


def value_text(scenario: Scenario, quantity: str, value: float) -> str:
    """Return a value with its quantity.

    >>> from dpviz.scenario import PRESETS
    >>> traffic = PRESETS["traffic"].scenario
    >>> value_text(traffic, "batch_size", 512), value_text(traffic, "training", 2000)
    ('batch size Λ = 512', '2,000 epochs of training')
    """
    if quantity == "training":
        unit = scenario.training.unit.removesuffix("s")
        return f"{counted(int(value), unit)} of training"
    return f"{REGION_AXES[quantity]} = {number_text(value)}"


def place_text(shown: RegionMap, at: Place) -> str:
    """Return both values of a place."""
    across = value_text(shown.scenario, shown.x.quantity, shown.x.values[at[0]])
    return f"{across}, {value_text(shown.scenario, shown.y.quantity, shown.y.values[at[1]])}"


def epsilon_text(point: RegionPoint) -> str:
    """Return what is proven of epsilon at a place, and at which delta."""
    delta = power_of_ten(point.scenario.delta)
    if point.upper.quoted is None:
        return f"no finite ε proven at δ = {delta}"
    return f"ε ≤ {rounded_up(point.upper.quoted)} at δ = {delta}"


def noise_text(point: RegionPoint) -> str:
    """Return the noise-to-signal figure of a place."""
    return f"σ / Λ = {rounded_up(point.noise_per_gradient)} clipping norms"


def cell_lines(shown: RegionMap, at: Place) -> list[str]:
    """Return all that the map says of a computed place, the numbers with their meaning."""
    cell, place = shown.cells[at], place_text(shown, at)
    if isinstance(cell, Refusal):
        return [place, f"no answer: {labelled(cell.problem)}"]
    verdict = "meets" if cell.meets else "is not proven to meet"
    scenario = cell.scenario
    hides = protected_in(scenario)
    lines = [
        place,
        epsilon_text(cell),
        qualified_label(cell.bound),
        f"hides {hides}",
        f"after {run_length(scenario)}",
        f"{verdict} the goal: {goal_words(shown.goal)}",
        f"noise on each averaged gradient: {noise_text(cell)}",
    ]
    return [line for line in lines if line]


def hover_text(shown: RegionMap, at: Place, source: Place) -> str:
    """Return what is shown at a place of the map.

    Args:
        shown: the map.
        at: the place.
        source: the computed place that stands for it while the map is coarse.
    """
    first, second, *more = cell_lines(shown, source)
    if isinstance(shown.cells[source], RegionPoint):
        second = f"<b>{second}</b>"
    if source != at:
        first = f"not computed yet; near here, at {first}:"
    wrapped = [part for line in (first, second, *more) for part in _wrapped(line)]
    return "<br>".join(wrapped)


def _wrapped(line: str) -> list[str]:
    if len(line) <= _HOVER_WIDTH:  # mostly, and wrapping all would take longest of the whole figure
        return [line]
    return textwrap.wrap(line, _HOVER_WIDTH, break_long_words=False)
