"""A link to a theorem shows that theorem, though what stands above it is drawn later."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpviz.wording.theorems import theorem_link

ROOT = Path(__file__).parents[2]
SETTLED_MILLISECONDS = 2000
# Below the navigation, in the upper quarter of the window.
NEAR_THE_TOP = range(200)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theorem", ["4.2", "G.1"])
def test_link_to_a_theorem_puts_it_at_the_top(
    server: Callable[..., Any], page: Callable[..., Any], theorem: str, width: int
) -> None:
    address = theorem_link(theorem).partition("](")[2].rstrip(")")
    visitor = page(server(ROOT / "app.py").url + address, width=width)
    heading = visitor.locator("#" + address.partition("#")[2])
    visitor.wait_for_selector("#proposition-c-2")
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(heading.bounding_box()["y"]) in NEAR_THE_TOP


def test_visitor_who_moves_on_is_not_pulled_back(
    server: Callable[..., Any], page: Callable[..., Any]
) -> None:
    visitor = page(server(ROOT / "app.py").url + "theorems#theorem-g-1")
    visitor.wait_for_selector("#proposition-c-2")
    # Before a section is followed there is nothing to move on from.
    visitor.wait_for_function(
        "() => document.querySelector('#theorem-g-1')?.getBoundingClientRect().top < 200"
    )
    visitor.wait_for_timeout(SETTLED_MILLISECONDS // 2)
    visitor.mouse.move(400, 400)
    visitor.mouse.wheel(0, -3000)
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(visitor.locator("#theorem-g-1").bounding_box()["y"]) not in NEAR_THE_TOP
