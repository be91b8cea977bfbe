"""A piece of advice: settings that show it, what is proven of them, and what it rests on."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from dpviz.guarantees import guarantee_for
from dpviz.scenario import Scenario, to_query
from dpviz.settings import View
from dpviz.settings.view import view_to_query
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.scope import protected_in, run_length
from dpviz.wording.tables import markdown_table
from dpviz.wording.theorems import section_anchor, theorem_link

_SCOPE = ("At", "Hides", "After")


@dataclass(frozen=True, kw_only=True)
class Example:
    """Settings, and what is proven of them.

    Args:
        name: what is special about them.
        scenario: the settings.
        at_most: the upper bound on epsilon at the scenario's delta, rounded up.
        at_least: the lower bound, rounded down; empty where none is proven.
    """

    name: str
    scenario: Scenario
    at_most: str
    at_least: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A piece of advice.

    Args:
        key: its anchor, and the name of its text.
        examples: that show it.
        page: where the settings are opened.
        view: what that page shows of them.
        sections: of the page about the theorems, that it rests on.
        more: pages to go on with, with what they are for.
    """

    key: str
    examples: tuple[Example, ...]
    sections: tuple[str, ...]
    page: str = "privacy_curve"
    view: View = field(default_factory=View)
    more: tuple[tuple[str, str], ...] = ()

    def address(self, example: Example) -> str:
        """Return where the settings of an example are opened, seen from a page."""
        view = urlencode(view_to_query(self.view))
        return f"{self.page}?" + "&".join(filter(None, (to_query(example.scenario), view)))


def examples_table(choice: Choice) -> str:
    """Return the settings with their bounds, as Markdown: what all rows share stands above them.

    >>> from dpviz.scenario import PRESETS
    >>> toy = Example(name="Toy", scenario=PRESETS["toy"].scenario, at_most="20", at_least="17")
    >>> print(examples_table(Choice(key="key", examples=(toy,), sections=("4.4",))).splitlines()[0])
    For δ = 10⁻⁷, any single value of one series, 1,000 training steps:
    """
    scopes = list(zip(*(_scope(example.scenario) for example in choice.examples), strict=True))
    shared = [values[0] for values in scopes if len(set(values)) == 1]
    differ = [at for at, values in enumerate(scopes) if len(set(values)) > 1]
    # Phones show the first columns: the numbers before what they are about.
    heads = ["Settings", "ε at most", "ε at least, for some model", *(_SCOPE[at] for at in differ)]
    rows = []
    for example in choice.examples:
        bound = guarantee_for(example.scenario).upper
        least = f"≥ {example.at_least}" if example.at_least else "none proven"
        extension = ", dpviz's extension" if bound.extension else ""
        rows.append(
            [
                f"[{example.name}]({choice.address(example)})",
                f"≤ {example.at_most}",
                least,
                *(_scope(example.scenario)[at] for at in differ),
                theorem_link(bound.theorem) + extension,
            ]
        )
    table = markdown_table([*heads, "Upper bound by"], rows)
    return f"For {', '.join(shared)}:\n\n{table}" if shared else table


def _scope(scenario: Scenario) -> tuple[str, str, str]:
    """Return what a bound on the settings is about: delta, who is protected, how long training."""
    return (
        f"δ = {power_of_ten(scenario.delta)}",
        protected_in(scenario),
        run_length(scenario),
    )


def rests_on(choice: Choice) -> str:
    """Return links to what a piece of advice rests on, and where to go on, as Markdown.

    >>> rests_on(Choice(key="key", examples=(), sections=("4.4",), more=(("planner", "Plan"),)))
    'Rests on [Theorem 4.4](theorems#theorem-4-4) · [Plan](planner)'
    """
    theorems = ", ".join(map(_linked, choice.sections))
    more = (f"[{words}]({page})" for page, words in choice.more)
    return " · ".join([f"Rests on {theorems}", *more])


def _linked(section: str) -> str:
    if not section.startswith("extension "):
        return theorem_link(section)
    name = section.removeprefix("extension ")
    return f"[dpviz's extension ({name})](theorems#{section_anchor(section)})"
