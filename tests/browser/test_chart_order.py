"""A chart that is asked for several figures while it loads draws the last one."""

import re
from collections.abc import Callable
from typing import Any

from dpviz.ui.chart import LOADER

# In the place of the chart's own module: notes what it is asked to draw.
MODULE = "data:text/javascript,export const drawChart = ({ data }) => { window.asked.push(data); };"
ASK = """async (loader) => {
  window.asked = [];
  const url = URL.createObjectURL(new Blob([loader], { type: "text/javascript" }));
  const { default: draw } = await import(url);
  const [one, other] = [document.createElement("div"), document.createElement("div")];
  await Promise.all([1, 2, 3].map((data) => draw({ parentElement: one, data })));
  await draw({ parentElement: one, data: 4 });
  await draw({ parentElement: other, data: 5 });
  return window.asked;
}"""


def test_only_the_latest_of_the_figures_that_waited_is_drawn(visit: Callable[..., Any]) -> None:
    """Else one that waited longer could be drawn over it. Other charts have their own order."""
    visitor = visit("theorems")
    loader, places = re.subn(r"new URL\([^)]*\)", f'"{MODULE}"', LOADER)
    assert places == 1
    assert visitor.evaluate(ASK, loader) == [3, 4, 5]
