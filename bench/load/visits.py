"""What participants open: every page of the app, plainly and by prepared links."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

from dpviz.scenario import PRESETS, to_query
from dpviz.settings.destinations import PAGE_NAMES, START

ROOT = Path(__file__).parents[2]
# Views of a page beside its first one.
_VIEWS: dict[str, tuple[dict[str, str], ...]] = {
    "privacy_curve": ({"chart": "training"},),
    "subsequences": ({"chart": "training"}, {"compared_steps": "100"}),
    "sample_or_walk": ({"compared_length": "epoch"},),
    "label_noise": ({"noise_chart": "map"},),
    "one_bag": ({"bag_chart": "curve"},),
    "protection": ({"first_date": "2023-03-01"},),
    "epsilon_meaning": ({"rate_axes": "log"},),
    "train": ({"training_chart": "compare"},),
    "planner": ({"plan_chart": "map"}, {"plan_chart": "compare"}),
    "paper_figures": ({"figure": "5"}, {"figure": "10"}),
    "paper_tables": ({"reported_table": "6"}, {"reported_table": "9"}),
    "training_study": ({"study_question": "windows"}, {"study_data": "m3"}),
}
_PREPARED = ("toy", "traffic", "electricity")


def page_names() -> list[str]:
    """Return the address of each page, in the order of the menu; that of Start is ''."""
    return ["" if name == START else name for name in PAGE_NAMES]


def links(pages: list[str]) -> list[str]:
    """Return links to pages: plain ones, ready-made scenarios, and other views of a page.

    Neighbours in the list are of different pages, so that any number of participants is spread.
    """
    by_page = [[name, *_prepared(name)] for name in pages]
    longest = max(map(len, by_page))
    return [one[turn % len(one)] for turn in range(longest) for one in by_page]


def class_links(pages: list[str]) -> list[str]:
    """Return one link to each page, with a ready-made scenario where it shows one."""
    return [next(iter(_prepared(name)), name) for name in pages]


def heavy_links(pages: list[str]) -> list[str]:
    """Return one link to each page, where it shows one with a scenario that takes long."""
    toy = PRESETS["toy"].scenario
    heavy = replace(
        toy,
        sampling=replace(toy.sampling, bottom_level="poisson", num_subsequences=16),
        training=replace(toy.training, count=10_000_000),
    )
    return [f"{name}?{to_query(heavy)}" if _prepared(name) else name for name in pages]


def _prepared(page: str) -> list[str]:
    if page in ("", "theorems"):  # they show no scenario
        return []
    scenarios = [f"{page}?{to_query(PRESETS[name].scenario)}" for name in _PREPARED]
    toy = to_query(PRESETS["toy"].scenario)
    return scenarios + [f"{page}?{toy}&{urlencode(view)}" for view in _VIEWS.get(page, ())]
