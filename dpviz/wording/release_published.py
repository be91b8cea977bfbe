"""What Koga et al. print of their experiments, beside what dpviz can compute of it."""

from dpviz.release.published import MECHANISMS, PUBLISHED, PublishedSeries
from dpviz.wording.tables import markdown_table


def published_text() -> str:
    """Return Tables 1 and 2 of the paper, as Markdown."""
    errors = [
        [f"{name}, as printed", *(f"{one.errors[at]:.1f}" for one in PUBLISHED)]
        for at, name in enumerate(MECHANISMS)
    ]
    computed = [f"{one.gaussian_error:.1f}" for one in PUBLISHED]
    errors.insert(1, ["Gaussian, by its formula", *computed])
    heads = ["Mean absolute error, counts", *(one.name for one in PUBLISHED)]
    asked = [one for one in PUBLISHED if one.most_often]
    venues = [
        [str(at), *(str(number) for number in numbers)]
        for at, numbers in enumerate(zip(*(one.most_often for one in asked), strict=True), 1)
    ]
    return "\n\n".join(
        [
            "**Table 2**, at (ε, δ) = (0.5, 10⁻⁴) and I = ⌈T / 10⌉. Noise on every step errs by "
            "√(2/π) times its standard deviation, whatever the counts.",
            markdown_table(heads, errors, "lr"),
            "PeMS comes out. " + " and ".join(map(_between, asked)) + " lie between half of the "
            "formula and all of it, where cutting off values below 0 would lead with small counts; "
            "the paper names no such step. The other rows need the series, which dpviz lacks.",
            "**Table 1**: in how many steps the most frequent individual is, by venue. "
            + " and ".join(map(_exceeded, asked))
            + ", though not at the first, which Table 2 is about.",
            markdown_table(["Venue", *(one.name for one in asked)], venues, "r"),
        ]
    )


def _between(one: PublishedSeries) -> str:
    assert one.gaussian_error / 2.0 < one.errors[0] < one.gaussian_error
    return f"{one.name} ({one.errors[0]:.1f})"


def _exceeded(one: PublishedSeries) -> str:
    assumed = one.settings.participation
    assert one.most_often[0] <= assumed
    more = sum(number > assumed for number in one.most_often)
    return f"I = {assumed} is exceeded at {more} of {len(one.most_often)} venues of {one.name}"
