"""How exact the numbers are: the tables of docs/accuracy.md, measured anew.

    python -m bench.accuracy [--write]

Exact values come from 40-digit arithmetic and closed forms (tests/accounting/exact.py), the second
opinion from dp-accounting. With --write the page's tables are replaced.
"""

import argparse
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from bench import tighter
from dpviz.accounting import Bracket, account_for, composed_curve
from dpviz.accounting.new_directions import with_new_directions
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Bound, sampled_top_level
from dpviz.scenario import PRESETS, Scenario
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.accounting.exact import gaussian_delta, single_unit_delta

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "accuracy.md"
DELTA = 1e-7
# Set-ups of which dp-accounting is asked, too.
CHECKED = ((0.01, 1.0, 1), (0.01, 1.0, 1000), (0.2, 2.0, 100), (0.9, 4.0, 10))
_ROUNDING = 1e-15  # of an exact value that is written down as a double
_SMALLEST = 1e-7  # as small a delta as is asked for


def one_step(rate: float, sigma: float, steps: int = 1) -> tuple[Bound, Bound]:
    """Return the upper and the lower bound of Theorem 4.4."""
    found = sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    assert found.lower is not None
    return found.upper, found.lower


def exact_table() -> str:
    """Compare one step, and steps at rate 1, with their exact values."""
    rates, sigmas = (1e-9, 1e-6, 1e-4, 0.01, 0.3, 0.999), (0.1, 0.5, 1.0, 4.0, 20.0, 100.0)
    epsilons = np.array([0.0, 1e-3, 0.05, 0.5, 1.0, 4.0, 20.0])
    one = _Tally()
    for rate, sigma in itertools.product(rates, sigmas):
        exact = [float(single_unit_delta(rate, sigma, float(epsilon))) for epsilon in epsilons]
        for bound in one_step(rate, sigma):
            one.add(bound, epsilons, exact)
    many = _Tally()
    for sigma, steps in itertools.product((0.5, 4.0, 100.0), (1, 100, 10_000, 1_000_000)):
        total = 2 * steps**0.5 / sigma
        if total > 30:  # the gap is then all there is: delta is 1 next to everywhere
            continue
        exact = [float(gaussian_delta(float(epsilon), sigma, steps)) for epsilon in epsilons]
        many.add(one_step(1.0, sigma, steps)[0], epsilons, exact)
    return _table(
        ("compared with", "values of δ", "in the bracket", "widest bracket where δ ≥ 10⁻⁷"),
        [
            ("40 digits: one step, upper and lower bound", *one.row()),
            ("closed form: rate 1, 1 to 10⁶ steps", *many.row()),
        ],
    )


def bracket_table() -> str:
    """Return how wide the brackets of epsilon are that pages and commands quote."""
    toy, traffic = PRESETS["toy"].scenario, PRESETS["traffic"].scenario
    settings: list[tuple[str, Scenario]] = [(name, one.scenario) for name, one in PRESETS.items()]
    settings += [
        ("toy, 8 windows per series", tighter.sampled(toy, num_subsequences=8)),
        ("toy, Poisson windows", tighter.sampled(toy, bottom_level="poisson")),
        ("toy, walked through", tighter.sampled(toy, top_level="deterministic")),
        ("traffic, 4 windows per series", tighter.sampled(traffic, num_subsequences=4)),
        ("toy, drawn by coins", tighter.sampled(toy, top_level="poisson")),
        ("toy, one bag", tighter.sampled(toy, top_level="flat")),
    ]
    rows = []
    for name, scenario in settings:
        account = account_for(scenario)
        assert account.lower is not None
        upper, lower = (side.epsilon_at(DELTA) for side in (account.upper, account.lower))
        row = (name, f"≤ {rounded_up(upper.high)}", _width(upper))
        rows.append((*row, f"≥ {rounded_down(lower.low)}", _width(lower)))
    return _table(("setting", "upper bound, ε", "bracket", "lower bound, ε", "bracket"), rows)


def composed_table() -> str:
    """Return how far apart what is proven above and below is, by number of steps."""
    rows = []
    for steps in (1, 10, 100, 1000, 10_000, 100_000):
        upper, lower = one_step(0.01, 1.0, steps)
        high = composed_curve(upper).epsilon_at(DELTA).high
        fixed = composed_curve(lower)
        low = with_new_directions(fixed, DELTA).epsilon_at(DELTA).low
        one = fixed.epsilon_at(DELTA).low
        told = (f"≥ {rounded_down(one)}", f"≥ {rounded_down(low)}", f"≤ {rounded_up(high)}")
        rows.append((f"{steps:,}", *told, f"{high / low - 1:.1%}"))
    head = ("steps", "one direction, ε", "chosen anew, ε", "upper bound, ε", "apart")
    return _table(head, rows)


def tighter_table() -> str:
    """Return what the bounds of docs/tighter-bounds.md changed."""
    return _table(tighter.HEAD, tighter.rows())


def opinion_table() -> str:
    """Compare upper bounds with dp-accounting's number for the same profile."""
    rows = []
    for rate, sigma, steps in CHECKED:
        bound, _ = one_step(rate, sigma, steps)
        ours = composed_curve(bound).epsilon_at(DELTA)
        theirs = second_opinion(bound).epsilon_at(DELTA)
        assert theirs is not None
        name = f"q = {rate:g}, σ = {sigma:g}, {steps:,} steps"
        rows.append((name, " to ".join(_ends(ours, 6)), rounded_up(theirs, 6)))
    return _table(("upper bound", "dpviz, bracket of ε", "dp-accounting, from above"), rows)


def limit_table() -> str:
    """Return brackets where the tolerance is known to be missed, or nearly so."""
    rows = []
    for rate, sigma, steps, delta in ((2e-8, 0.84, 700, 8e-7), (1e-6, 0.5, 100_000, 1e-7)):
        bound, _ = one_step(rate, sigma, steps)
        found = composed_curve(bound).epsilon_at(delta)
        name = f"q = {rate:g}, σ = {sigma:g}, {steps:,} steps, δ = {delta:g}"
        rows.append((name, *_ends(found, 3)))
    return _table(("upper bound", "bracket from", "to"), rows)


TABLES = {
    "exact values": exact_table,
    "brackets": bracket_table,
    "above and below": composed_table,
    "before and after": tighter_table,
    "second opinion": opinion_table,
    "limits": limit_table,
}


def committed(name: str) -> str:
    """Return a table as the page has it."""
    return _place(name, PAGE.read_text(encoding="utf-8"))[1].strip()


def _place(name: str, text: str) -> tuple[str, str, str]:
    begin, end = f"<!-- table: {name} -->", f"<!-- end: {name} -->"
    before, rest = text.split(begin)
    inside, after = rest.split(end)
    return before + begin, inside, end + after


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for name, made in TABLES.items():
        table = made()
        print(f"{name}\n\n{table}\n")
        if options.write:
            before, _, after = _place(name, PAGE.read_text(encoding="utf-8"))
            PAGE.write_text(f"{before}\n\n{table}\n\n{after}", encoding="utf-8")


class _Tally:
    """How many exact values were compared, how many lay inside, and the widest bracket."""

    def __init__(self) -> None:
        self._values = self._inside = 0
        self._widest = 0.0

    def add(self, bound: Bound, epsilons: np.ndarray, exact: Sequence[float]) -> None:
        """Compare a bound's brackets with the exact values."""
        brackets = composed_curve(bound).delta_at(epsilons)
        for low, value, high in zip(brackets.low, exact, brackets.high, strict=True):
            self._values += 1
            self._inside += low <= value * (1 + _ROUNDING) and high >= value * (1 - _ROUNDING)
            if value > _SMALLEST:
                self._widest = max(self._widest, (high - low) / value)

    def row(self) -> tuple[str, str, str]:
        """Return the counts and the widest relative bracket as text."""
        return str(self._values), str(self._inside), f"{self._widest:.1e}"


def _ends(bracket: Bracket, digits: int) -> tuple[str, str]:
    return rounded_down(bracket.low, digits), rounded_up(bracket.high, digits)


def _width(bracket: Bracket) -> str:
    return f"{bracket.high / bracket.low - 1:.1e}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    main()
