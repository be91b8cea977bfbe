"""Where the app leads to: ten destinations, each of one page or of several as its tabs."""

START = "start"
# By their names in the menu: the names of their tabs, by address: that of the page's file. The menu
# leads to the first one.
DESTINATIONS = {
    "Start": {START: "Start"},
    "See it": {"batch_drawing": "How a batch is drawn", "protection": "Who is protected"},
    "What epsilon means": {"epsilon_meaning": "What epsilon means"},
    "Compare sampling": {
        "privacy_curve": "Privacy curve",
        "subsequences": "Windows per series",
        "sample_or_walk": "Sample or walk",
        "one_bag": "Standard DP-SGD",
        "label_noise": "Noise on windows",
    },
    "Plan": {"planner": "Plan", "how_to_choose": "How to choose"},
    "Train": {"train": "Small run", "training_study": "What privacy costs"},
    "Ledger": {"ledger": "Ledger", "sweep_results": "Sweep results"},
    "Lessons": {"lessons": "Lessons"},
    "Beyond training": {
        "release": "Release one series",
        "protected_forecasts": "Protect the data",
        "private_inference": "Hide the context",
        "multistage": "Sampling in stages",
    },
    "Evidence and reference": {
        "theory_check": "Does the theory hold?",
        "paper_figures": "Paper figures",
        "paper_tables": "Paper tables",
        "theorems": "Theorems",
        "glossary": "Glossary",
    },
}
# By address, in the order of the menu.
PAGE_NAMES = {address: name for pages in DESTINATIONS.values() for address, name in pages.items()}


def destination_of(address: str) -> str:
    """Return the name of the destination that a page belongs to.

    >>> destination_of("subsequences")
    'Compare sampling'
    """
    return next(name for name, pages in DESTINATIONS.items() if address in pages)
