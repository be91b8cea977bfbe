"""Why one bag differs from series first: how many of an individual's windows share a batch."""

from dpviz.planning.one_bag import has_one_length, is_one_record
from dpviz.planning.subsequences import HitCounts, have_equal_means
from dpviz.scenario import Scenario
from dpviz.wording.numbers import rounded

_Named = list[tuple[str, HitCounts]]


def bag_hits_title(scenario: Scenario, first: Scenario | None) -> str:
    """Return what the chart of the two laws shows, as a finding."""
    if is_one_record(scenario):
        return "An individual in one window is in a batch at most once, either way"
    most = "" if first is None else _most(first)
    if most == "one":
        return "From one bag several windows of one individual share a batch; series first, one"
    return "Several windows of one individual can share a batch"


def bag_hits_explanation(scenario: Scenario, named: _Named) -> str:
    """Return why it matters how many windows of one individual fall together.

    Args:
        scenario: the run from one bag.
        named: the law of the bag and, where there is one, of series first, with their names.
    """
    laws = [law for _, law in named]
    (_, bag), *others = named
    parts = ["A hit is a drawn window that contains what is protected."]
    if others and have_equal_means(laws):
        parts.append(
            f"Both ways hit equally often, on average {rounded(bag.mean, 3)} times in a batch."
        )
    else:
        told = "; ".join(f"{name}: {rounded(law.mean, 3)}" for name, law in named)
        parts.append(f"The average number of hits in a batch is {told}.")
    told = "; ".join(f"{name}: {_chance(law)}" for name, law in named)
    parts.append(f"The chance of two hits or more in the same batch: {told}.")
    if not is_one_record(scenario):
        parts.append(
            "A stock accountant's promise allows for one hit. Hits that fall together show more "
            "at once, under the same noise."
        )
    if not has_one_length(scenario):
        parts.append("Series of several lengths count as the shortest here.")
    return " ".join(parts)


def bag_hits_description(title: str, named: _Named) -> str:
    """Return the chart of the laws for those who cannot see it."""
    parts = [f"{title}. Probability of 0, 1, 2 and more hits in one batch."]
    for name, law in named:
        parts.append(
            f"{name[0].upper()}{name[1:]}: no hit {rounded(law.exactly(0), 4)}, one hit "
            f"{rounded(law.exactly(1), 3)}, two or more {_chance(law)}, on average "
            f"{rounded(law.mean, 3)}."
        )
    return " ".join([*parts, "Probabilities are on a logarithmic axis."])


def _most(first: Scenario) -> str:
    sampling = first.sampling
    single = sampling.num_subsequences == 1 and sampling.bottom_level == "with-replacement"
    return "one" if single else ""


def _chance(law: HitCounts) -> str:
    chance = law.at_least(2)
    return "none" if chance == 0.0 else rounded(chance, 3)
