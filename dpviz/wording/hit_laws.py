"""Words for how often windows that hold a protected value are in one batch."""

from collections.abc import Sequence
from itertools import pairwise

from dpviz.planning.hit_laws import HitLaw, have_equal_means
from dpviz.wording.markup import PROBABILITIES, chart_description
from dpviz.wording.numbers import counted, joined, rounded

A_HIT = "A hit is a drawn window that holds a protected value."
SHARED_NOISE = "Hits in one batch share its noise: together they reveal more."


def windows_label(windows: int) -> str:
    """Return a number of windows per series in words."""
    return f"{counted(windows, 'window')} per series"


def hits_title(laws: Sequence[HitLaw]) -> str:
    """Return what the chart of the hit laws shows, as a finding."""
    if len(laws) == 1:
        return f"Hits with {windows_label(laws[0].windows)}"
    if have_equal_means(laws):
        return "Each λ hits as often on average; more windows per series hit together"
    if laws[0].in_its_step:
        return "More windows per series hit more often in the step that uses the series"
    # Where windows per series do not divide the batch size, more of them may hit more often.
    if any(more.at_least(1) >= fewer.at_least(1) for fewer, more in pairwise(laws)):
        return "Hits of one batch, by windows per series"
    return "More windows per series hit in fewer batches, and then together"


def hits_explanation(laws: Sequence[HitLaw]) -> str:
    """Return why the number of windows per series matters, with the numbers of this run.

    Laws are in increasing order of the windows; the first and the last are told.
    """
    few, many = laws[0], laws[-1]

    def told(of_few: float, of_many: float) -> str:
        text = f"{rounded(of_few, 3)} with {windows_label(few.windows)}"
        return text if few is many else f"{text} and {rounded(of_many, 3)} with {many.windows:,}"

    mean = told(few.mean, many.mean)
    if few.in_its_step:
        average = (
            f"Hits on average in the one step of an epoch that uses the series: {mean}. More "
            "windows per series make an epoch longer: equally many steps are fewer epochs."
        )
    else:
        if have_equal_means(laws) and few is not many:
            mean = f"{rounded(few.mean, 3)}, for every λ"
        any_hit = told(few.at_least(1), many.at_least(1))
        average = f"Hits per batch on average: {mean}. Chance of any hit: {any_hit}."
    several = f"Chance of two or more: {told(few.at_least(2), many.at_least(2))}."
    return joined(A_HIT, average, several, SHARED_NOISE)


def hits_description(laws: Sequence[HitLaw]) -> str:
    """Return the chart of the hit laws for those who cannot see it."""
    named = [(windows_label(law.windows), law, rounded(law.at_least(2), 3)) for law in laws]
    return laws_description(hits_title(laws), named)


def laws_description(title: str, named: Sequence[tuple[str, HitLaw, str]]) -> str:
    """Return a chart of laws, each with its name and the chance of two hits in words."""
    place = "the step of an epoch that uses the series" if named[0][1].in_its_step else "one batch"
    lines = []
    for name, law, several in named:
        few = f"no hit {rounded(law.exactly(0), 4)}, one hit {rounded(law.exactly(1), 3)}"
        lines.append((name, f"{few}, two or more {several}, on average {rounded(law.mean, 3)}"))
    drawn = f"Probability of 0, 1, 2 and more hits in {place}"
    return chart_description(f"{title}. {drawn}", lines, PROBABILITIES)
