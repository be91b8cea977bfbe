"""Every draw of a small structure, one by one: what an episode's sum really is.

A structure is a tree: a number of records, or a list of units that are such trees.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

from dpviz.multistage.counterexample import hockey_stick
from dpviz.scenario.levels import Level

Law = dict[Fraction, Fraction]
Gradients = dict[tuple[int, ...], Fraction]


def tree_of(levels: tuple[Level, ...]) -> Any:
    """Return the tree of units of equal sizes."""
    tree: Any = levels[-1].size
    for level in reversed(levels[:-1]):
        tree = [tree] * level.size
    return tree


def _below(tree: Any) -> list[Any]:
    return [None] * tree if isinstance(tree, int) else tree


def paths(tree: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Return the places of all records."""
    if tree is None:
        return [path]
    return [found for at, one in enumerate(_below(tree)) for found in paths(one, (*path, at))]


def law_of_sum(
    tree: Any, drawn: Sequence[int], gradients: Gradients, path: tuple[int, ...] = ()
) -> Law:
    """Return the probability of each sum of the drawn records' gradients, exactly."""
    if tree is None:
        return {gradients[path]: Fraction(1)}
    below = [law_of_sum(one, drawn, gradients, (*path, at)) for at, one in enumerate(_below(tree))]
    choices = list(combinations(below, drawn[len(path)]))
    total: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for chosen in choices:
        law: Law = {Fraction(0): Fraction(1, len(choices))}
        for one in chosen:
            law = _sum_of(law, one)
        for value, chance in law.items():
            total[value] += chance
    return dict(total)


def _sum_of(one: Law, other: Law) -> Law:
    """Return the law of a sum of two that are independent."""
    total: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for value, chance in one.items():
        for more, weight in other.items():
            total[value + more] += chance * weight
    return dict(total)


def number_of_draws(levels: tuple[Level, ...]) -> int:
    """Return about how much work the enumeration is."""
    return prod(level.size ** (level.drawn + 1) for level in levels)


def true_delta(
    tree: Any,
    drawn: Sequence[int],
    gradients: Gradients,
    other: Gradients,
    sigma: float,
    epsilon: float,
) -> float:
    """Return the larger delta of both directions, of noise on the sums of two data sets."""
    first, second = (
        {float(value): float(chance) for value, chance in law_of_sum(tree, drawn, one).items()}
        for one in (gradients, other)
    )
    return max(
        hockey_stick(first, second, sigma, epsilon), hockey_stick(second, first, sigma, epsilon)
    )


def true_delta_of_levels(
    levels: tuple[Level, ...], gradients: Gradients, other: Gradients, sigma: float, epsilon: float
) -> float:
    """Return the same of units of equal sizes."""
    drawn = [level.drawn for level in levels]
    return true_delta(tree_of(levels), drawn, gradients, other, sigma, epsilon)
