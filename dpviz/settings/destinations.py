"""Where the app leads to: ten destinations, each of one page or of several as its tabs."""

from collections.abc import Mapping
from dataclasses import dataclass

START = "start"


@dataclass(frozen=True, kw_only=True)
class Destination:
    """An entry of the menu.

    Args:
        pages: the names of its tabs, by address: that of the page's file. The menu leads to the
            first one.
    """

    name: str
    pages: Mapping[str, str]


def _alone(address: str, name: str) -> Destination:
    return Destination(name=name, pages={address: name})


DESTINATIONS = (
    _alone(START, "Start"),
    Destination(
        name="See it",
        pages={"batch_drawing": "How a batch is drawn", "protection": "Who is protected"},
    ),
    _alone("epsilon_meaning", "What epsilon means"),
    Destination(
        name="Compare sampling",
        pages={
            "privacy_curve": "Privacy curve",
            "subsequences": "Windows per series",
            "sample_or_walk": "Sample or walk",
            "one_bag": "Standard DP-SGD",
            "label_noise": "Noise on windows",
        },
    ),
    Destination(name="Plan", pages={"planner": "Plan", "how_to_choose": "How to choose"}),
    Destination(name="Train", pages={"train": "Small run", "training_study": "What privacy costs"}),
    Destination(name="Ledger", pages={"ledger": "Ledger", "sweep_results": "Sweep results"}),
    _alone("lessons", "Lessons"),
    Destination(
        name="Beyond training",
        pages={
            "release": "Release one series",
            "protected_forecasts": "Protect the data",
            "private_inference": "Hide the context",
            "multistage": "Sampling in stages",
        },
    ),
    Destination(
        name="Evidence and reference",
        pages={
            "theory_check": "Does the theory hold?",
            "paper_figures": "Paper figures",
            "paper_tables": "Paper tables",
            "theorems": "Theorems",
            "glossary": "Glossary",
        },
    ),
)
# By address, in the order of the menu.
PAGE_NAMES = {address: name for one in DESTINATIONS for address, name in one.pages.items()}


def destination_of(address: str) -> Destination:
    """Return the destination that a page belongs to.

    >>> destination_of("subsequences").name
    'Compare sampling'
    """
    return next(one for one in DESTINATIONS if address in one.pages)
