"""What pages ask for can be computed by another process, which knows nothing of the app."""

import pickle
import subprocess
import sys
from collections import OrderedDict
from urllib.parse import parse_qsl

import pytest

from dpviz.ui import filling
from tests.goldens.test_every_page import PAGES, QUESTIONS
from tests.pages.app import ROOT
from tests.pages.train_page import LINK, PAGE, train

# Every kind of thing that a page computes; what is shipped is not, nor what a typed epsilon means.
LINKS = {
    name: seen.visit.link
    for name, seen in PAGES.items()
    if seen.visit.group in QUESTIONS.keys() - {"train", "training_study"}
    and seen.visit.name in ("first", "view 1", "view 2", "view 3", "figure 10")
    and "meant_epsilon=typed" not in seen.visit.link
}
READER = """
import pickle, sys
count = len(pickle.load(sys.stdin.buffer))
print(count, [name for name in ("streamlit", "plotly", "dp_accounting") if name in sys.modules])
"""


@pytest.fixture
def asked(monkeypatch):
    """Return what pages ask to be computed from now on."""
    asked = []
    compute_here = filling._compute_here

    def noted(parts, *limits):
        asked.extend(part.compute for part in parts)
        compute_here(parts, *limits)

    monkeypatch.setattr(filling, "_compute_here", noted)
    # Nothing is known: what an earlier test asked for would not be asked for again.
    monkeypatch.setattr(filling.RESULTS, "_outcomes", OrderedDict())
    monkeypatch.setattr(filling.RESULTS, "_bytes", 0)
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
def test_parts_are_found_without_the_app(open_page, asked, name):
    page, _, query = LINKS[name].partition("?")
    open_page(dict(parse_qsl(query)), page, parts=("open_ways",))
    assert_found_without_the_app(asked)


@pytest.mark.slow
def test_parts_of_a_trained_model_are_found_without_the_app(open_page, training_runs, asked):
    """What is computed beside a run: simple forecasts, and the curves behind its epsilon."""
    train(open_page(LINK, PAGE, parts=("open_certificate",)))
    assert len(asked) >= 2
    assert_found_without_the_app(asked)


def assert_found_without_the_app(asked):
    assert asked
    done = subprocess.run(
        [sys.executable, "-c", READER],
        input=pickle.dumps(asked),
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.decode().strip() == f"{len(asked)} []"
