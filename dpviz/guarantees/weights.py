"""How many of the drawn windows touch one individual: exact laws, cut where nothing is left."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext

# Weight beyond both ends together that is not listed component by component.
NEGLIGIBLE_WEIGHT = Decimal("1e-40")
_DIGITS = 60
# The default exponents end at 10^-999999, which of many windows that nearly all come is not enough.
DECIMALS = Context(prec=_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)


@dataclass(frozen=True, kw_only=True)
class CountLaw:
    """Probabilities of the counts first, first + 1, ..., correctly rounded.

    Args:
        first: smallest listed count.
        weights: probability of each listed count, above 0.
        below: probability of all smaller counts.
        above: probability of all larger counts.
        largest: no larger count is possible.
    """

    first: int
    weights: tuple[float, ...]
    below: float
    above: float
    largest: int


def binomial_law(trials: int, probability: float) -> CountLaw:
    """Return the law of the number of successes in independent trials.

    >>> binomial_law(2, 0.5).weights
    (0.25, 0.5, 0.25)
    """
    if probability == 0.0 or probability == 1.0:
        count = trials if probability == 1.0 else 0
        return CountLaw(first=count, weights=(1.0,), below=0.0, above=0.0, largest=trials)
    with localcontext(DECIMALS):
        p = Decimal(probability)
        odds = p / (1 - p)
        none = (1 - p) ** trials
        return _cut(none, (odds * (trials - i) / (i + 1) for i in range(trials)), largest=trials)


def hypergeometric_law(population: int, marked: int, drawn: int) -> CountLaw:
    """Return the law of how many of the marked ones are drawn without replacement.

    >>> [round(weight, 4) for weight in hypergeometric_law(10, 2, 5).weights]
    [0.2222, 0.5556, 0.2222]
    """
    least, most = max(0, drawn + marked - population), min(drawn, marked)
    with localcontext(DECIMALS):
        start = _smallest_count_weight(population, marked, drawn, least)
        ratios = _drawn_ratios(population, marked, drawn)
        return _cut(start, ratios, largest=most, first=least)


def drawn_weights(population: int, marked: int, drawn: int) -> tuple[int, list[Decimal]]:
    """Return the smallest number of marked ones drawn, and the weights of all from it on, uncut."""
    least = max(0, drawn + marked - population)
    with localcontext(DECIMALS):
        weights = [_smallest_count_weight(population, marked, drawn, least)]
        for ratio in _drawn_ratios(population, marked, drawn):
            weights.append(weights[-1] * ratio)
    return least, weights


def _drawn_ratios(population: int, marked: int, drawn: int) -> Iterator[Decimal]:
    """Yield how often i + 1 marked ones are drawn, as a multiple of i, from the smallest i on."""
    for i in range(max(0, drawn + marked - population), min(drawn, marked)):
        left = (i + 1) * Decimal(population - marked - drawn + i + 1)
        yield Decimal(marked - i) * (drawn - i) / left


def drawn_and_kept_law(population: int, marked: int, drawn: int, probability: float) -> CountLaw:
    """Return the law of how many marked ones are drawn without replacement and then kept.

    Each marked one that is drawn is kept by a coin of its own.

    >>> [round(weight, 4) for weight in drawn_and_kept_law(10, 2, 5, 0.5).weights]
    [0.5556, 0.3889, 0.0556]
    """
    if probability == 1.0:
        return hypergeometric_law(population, marked, drawn)
    if probability == 0.0:
        return binomial_law(marked, 0.0)
    most = min(drawn, marked)
    least, drawn_law = drawn_weights(population, marked, drawn)
    with localcontext(DECIMALS):
        p = Decimal(probability)
        # Of j that are drawn a binomial number is kept: sums of positive terms alone.
        weights = [Decimal(0)] * (most + 1)
        odds = p / (1 - p)
        for j, weight in enumerate(drawn_law, least):
            kept = weight * (1 - p) ** j
            for i in range(j + 1):
                weights[i] += kept
                kept = kept * odds * (j - i) / (i + 1)
                if i > j * p and kept < NEGLIGIBLE_WEIGHT * NEGLIGIBLE_WEIGHT:
                    break
        first, end = 0, most + 1
        below = above = Decimal(0)
        while end > 1 and above + weights[end - 1] < NEGLIGIBLE_WEIGHT / 4:
            above += weights[end - 1]
            end -= 1
        while first + 1 < end and below + weights[first] < NEGLIGIBLE_WEIGHT / 4:
            below += weights[first]
            first += 1
        # What the loop has left out is far below what is left out here: so it is rounded up.
        return CountLaw(
            first=first,
            weights=tuple(float(weight) for weight in weights[first:end]),
            below=float(NEGLIGIBLE_WEIGHT) if first > 0 else 0.0,
            above=float(NEGLIGIBLE_WEIGHT) if end <= most else 0.0,
            largest=most,
        )


def _smallest_count_weight(population: int, marked: int, drawn: int, least: int) -> Decimal:
    """Return the probability of the smallest possible count."""
    if least == 0:  # C(population - marked, drawn) / C(population, drawn), in the shorter form
        first, factors = population - max(marked, drawn), min(marked, drawn)
    else:  # every unmarked one is drawn
        first, factors = drawn, population - marked
    product = Decimal(1)
    for j in range(factors):
        product = product * (first - j) / (population - j)
    return product


def _cut(start: Decimal, ratios: Iterator[Decimal], *, largest: int, first: int = 0) -> CountLaw:
    """List the probabilities that are not negligible, from the recurrence between neighbours."""
    weights, total = [start], start
    for ratio in ratios:
        weights.append(weights[-1] * ratio)
        total += weights[-1]
        # Past the peak the ratios fall, so what is left is less than a geometric series.
        if ratio < 1 and weights[-1] * ratio / (1 - ratio) < NEGLIGIBLE_WEIGHT / 4:
            break
    skipped, below = 0, Decimal(0)
    while below + weights[skipped] < NEGLIGIBLE_WEIGHT / 4 and skipped + 1 < len(weights):
        below += weights[skipped]
        skipped += 1
    above = max(1 - total, Decimal(0)) if first + len(weights) - 1 < largest else Decimal(0)
    return CountLaw(
        first=first + skipped,
        weights=tuple(float(weight) for weight in weights[skipped:]),
        below=float(below),
        above=float(above),
        largest=largest,
    )
