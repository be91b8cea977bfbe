"""Why one bag differs from series first: how many of an individual's windows share a batch."""

from dpviz.planning.hit_laws import HitCounts, have_equal_means
from dpviz.planning.one_bag import has_one_length, is_one_record
from dpviz.scenario import Scenario
from dpviz.wording.numbers import capitalised, rounded
from dpviz.wording.scope import per_series
from dpviz.wording.subsequences import laws_description

_Named = list[tuple[str, HitCounts]]


def bag_hits_title(bag: Scenario, first: Scenario | None) -> str:
    """Return what the chart of the two laws shows, as a finding."""
    of_bag, of_first = _can_share(bag), first is not None and _can_share(first)
    if of_bag and first is not None and not of_first:
        return "From one bag several windows of one individual can share a batch; else one at most"
    if of_first and not of_bag:
        return "Series first, several draws can hit one individual; from one bag, one at most"
    if of_bag:
        return "Several windows of one individual can share a batch"
    return "One window of an individual at most is in a batch"


def bag_hits_explanation(bag: Scenario, named: _Named) -> str:
    """Return why it matters how many windows of one individual fall together."""
    laws = [law for _, law in named]
    parts = ["A hit is a drawn window that holds a protected value.", *per_series(bag)]
    if not is_one_record(bag):
        parts.append(
            "A standard accountant counts one window, in a batch with probability "
            f"{rounded(bag.top_rate, 3)} and never twice."
        )
    if len(named) > 1 and have_equal_means(laws):
        parts.append(
            f"Either way a batch has {rounded(laws[0].mean, 3)} hits of one individual on average."
        )
    else:
        told = "; ".join(f"{name}: {rounded(law.mean, 3)}" for name, law in named)
        parts.append(f"Hits of one individual per batch, on average: {told}.")
    told = "; ".join(f"{name}: {_chance(law)}" for name, law in named)
    parts.append(f"Chance of two or more: {told}.")
    parts.append("Hits in one batch share its noise: together they show more.")
    if not has_one_length(bag):
        parts.append("Series of several lengths count as the shortest.")
    return " ".join(parts)


def bag_hits_description(title: str, named: _Named) -> str:
    """Return the chart of the laws for those who cannot see it."""
    return laws_description(title, [(capitalised(name), law, _chance(law)) for name, law in named])


def _can_share(scenario: Scenario) -> bool:
    """Return whether a batch can have two hits; a chance may be too small to be listed."""
    sampling, shape = scenario.sampling, scenario.given_shape
    touched = scenario.relation.touched_windows(shape)
    if sampling.is_bag:
        return min(touched, sampling.batch_size) > 1
    trials = touched if sampling.takes_windows_by_coins else sampling.num_subsequences
    return trials > 1


def _chance(law: HitCounts) -> str:
    chance = law.at_least(2)
    if chance > 0.0:
        return rounded(chance, 3)
    return "none" if law.remainder == 0.0 else "below 10⁻⁴⁰"
