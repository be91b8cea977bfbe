"""Every draw of a small structure, one by one: what an episode's sum really is."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import prod

from dpviz.scenario.levels import Level

Law = dict[Fraction, Fraction]
Gradients = dict[tuple[int, ...], Fraction]


def paths(levels: tuple[Level, ...]) -> list[tuple[int, ...]]:
    """Return the places of all records."""
    found: list[tuple[int, ...]] = [()]
    for level in levels:
        found = [(*path, at) for path in found for at in range(level.size)]
    return found


def law_of_sum(levels: tuple[Level, ...], gradients: Gradients, path: tuple[int, ...] = ()) -> Law:
    """Return the probability of each sum of the drawn records' gradients, exactly."""
    if len(path) == len(levels):
        return {gradients[path]: Fraction(1)}
    level = levels[len(path)]
    below = [law_of_sum(levels, gradients, (*path, at)) for at in range(level.size)]
    choices = list(combinations(range(level.size), level.drawn))
    total: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for chosen in choices:
        law: Law = {Fraction(0): Fraction(1, len(choices))}
        for at in chosen:
            law = sum_of(law, below[at])
        for value, chance in law.items():
            total[value] += chance
    return dict(total)


def sum_of(one: Law, other: Law) -> Law:
    """Return the law of a sum of two that are independent."""
    total: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for value, chance in one.items():
        for more, weight in other.items():
            total[value + more] += chance * weight
    return dict(total)


def number_of_draws(levels: tuple[Level, ...]) -> int:
    """Return about how much work the enumeration is."""
    return prod(level.size ** (level.drawn + 1) for level in levels)


def as_mixture(law: Law) -> dict[float, float]:
    return {float(value): float(chance) for value, chance in law.items()}
