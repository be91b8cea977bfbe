"""What the pages show of a scenario: part of the link, but of no number's meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from dpviz.scenario.errors import ScenarioError, checked_choice, checked_integer, checked_real
from dpviz.scenario.mechanism import MOST_STEPS

CHARTS = ("curve", "training")
LENGTHS = ("step", "epoch", "ten-epochs", "run")
EPSILON_RANGE = (1e-4, 1e3)


@dataclass(frozen=True, kw_only=True)
class View:
    """Choices of the pages beside the scenario.

    Args:
        chart: what the first page draws: delta against epsilon, or epsilon over training.
        target_epsilon: the budget whose end is looked for.
        fixed_epsilon: where delta is followed over training steps.
        compared_steps: after how many steps windows per series are compared; 0 for the run's.
        compared_length: after how much training the ways of choosing series are compared.

    Raises:
        ScenarioError: a value is not allowed.
    """

    chart: str = "curve"
    target_epsilon: float = 10.0
    fixed_epsilon: float = 1.0
    compared_steps: int = 0
    compared_length: str = "run"

    def __post_init__(self) -> None:
        checked_choice("chart", self.chart, CHARTS)
        checked_choice("compared_length", self.compared_length, LENGTHS)
        for name in ("target_epsilon", "fixed_epsilon"):
            value = checked_real(name, getattr(self, name), *EPSILON_RANGE)
            object.__setattr__(self, name, value)
        steps = checked_integer("compared_steps", self.compared_steps, 0, MOST_STEPS)
        object.__setattr__(self, "compared_steps", steps)


_DEFAULT = View()
VIEW_PARAMETERS = tuple(field.name for field in fields(View))


def view_to_query(view: View) -> dict[str, str]:
    """Return the parameters of a link for what is not as at first."""
    return {
        name: str(getattr(view, name))
        for name in VIEW_PARAMETERS
        if getattr(view, name) != getattr(_DEFAULT, name)
    }


def view_from_query(query: Mapping[str, str]) -> tuple[View, list[ScenarioError]]:
    """Return a link's view, and an error for each parameter that is not used.

    >>> view, problems = view_from_query({"fixed_epsilon": "2", "chart": "pie"})
    >>> view.fixed_epsilon, [problem.field for problem in problems]
    (2.0, ['chart'])
    """
    view, problems = _DEFAULT, []
    for name in VIEW_PARAMETERS:
        if (text := query.get(name)) is None:
            continue
        try:
            view = replace(view, **{name: _read(name, text)})
        except ScenarioError as problem:
            problems.append(problem)
    return view, problems


def _read(name: str, text: str) -> Any:
    if isinstance(getattr(_DEFAULT, name), str):
        return text
    try:
        return float(text)
    except ValueError:
        raise ScenarioError(name, text, "it must be a number") from None
