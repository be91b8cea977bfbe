"""What the pages show that follow one training run: its curve, and comparisons of it."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.settings.grids import BUDGETS, FIXED_EPSILONS
from dpviz.settings.setting import ViewPart, choice, number, slider, text

EPSILON_RANGE = (1e-4, 1e3)
FIRST_DATES = (date(1800, 1, 1), date(2200, 12, 31))


def _checked_date(name: str, value: object) -> str:
    """Return a day as it is written in a link; a drawn series has to end before the year 10000."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        day = None
    # Python reads other spellings of a day, too, which a link would not give back.
    if day is None or day.isoformat() != value or not FIRST_DATES[0] <= day <= FIRST_DATES[1]:
        first, last = (limit.isoformat() for limit in FIRST_DATES)
        raise ScenarioError(name, value, f'it must be a day from {first} to {last}, "2024-01-31"')
    return day.isoformat()


def _budget(label: str, explained: str, **about: Any) -> Any:
    return number(
        10.0,
        EPSILON_RANGE,
        label,
        **slider(BUDGETS, "more private", "more accurate"),
        help=explained,
        term="epsilon",
        **about,
    )


@dataclass(frozen=True, kw_only=True)
class CurvesView(ViewPart):
    """What is drawn of a run, and at which budgets or length runs are compared."""

    chart: str = choice(
        "curve",
        {"curve": "δ against ε", "training": "ε over training"},
        "Chart",
        help="δ and ε bound the whole run either way.",
        term="epsilon",
        is_looked_at=True,
    )
    target_epsilon: float = _budget(
        "Privacy budget ε", "The ε that training may come to, at this δ."
    )
    ledger_budget: float = _budget(
        "Budget ε of all runs",
        "The ε that all runs on the same data may come to together, at this δ.",
        instead="target_epsilon",
    )
    fixed_epsilon: float = number(
        1.0,
        EPSILON_RANGE,
        "At ε",
        **slider(FIXED_EPSILONS, "stricter", "looser"),
        help="δ is told at this ε.",
        term="epsilon",
    )
    compared_steps: int = number(
        0,
        (0, MOST_STEPS),
        "After how many steps",
        help="All runs are compared after as many steps, however long yours is.",
        term="steps",
    )
    compared_length: str = choice(
        "run",
        {"step": "1 step", "epoch": "1 epoch", "ten-epochs": "10 epochs", "run": "the whole run"},
        "Compare after",
        named="Compared after",
        help="A walk pays once per epoch, random draws once per step.",
        term="composition",
    )
    noise_chart: str = choice(
        "curve",
        {"curve": "δ against ε", "map": "map of ε over both noises"},
        "Chart",
        is_looked_at=True,
    )
    bag_chart: str = choice(
        "lengths",
        {"lengths": "ε over window lengths", "curve": "δ against ε"},
        "Chart",
        help="The promise for one window is the same at any length; an individual's bounds grow.",
        term="one-bag",
        is_looked_at=True,
    )
    first_date: str = text("2024-01-01", _checked_date, "First day of the drawing")
