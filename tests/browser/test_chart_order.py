"""A chart that is handed its figures in another order than they were made keeps the last one."""

from collections.abc import Callable
from typing import Any

from dpviz.ui.static_files import CHART_FILE, PLOTLY_FILE

ASK = """async ([chart, plotly]) => {
  const { drawChart } = await import(new URL(`app/static/${chart}`, document.baseURI));
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  for (const turn of [1, 3, 2]) {
    const options = { alt: "", height: 300, fileName: "test", reportsClicks: false, turn };
    const figure = { data: [], layout: { title: { text: `figure ${turn}` }, template: "none" } };
    const data = new TextEncoder().encode(JSON.stringify([options, figure]));
    drawChart({ parentElement, data, setTriggerValue: () => {} }, plotly);
  }
  const drawn = () => parentElement.querySelector(".gtitle")?.textContent;
  while (!drawn()) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 200));
  return drawn();
}"""


def test_an_earlier_figure_that_arrives_late_is_not_drawn(visit: Callable[..., Any]) -> None:
    visitor = visit()  # a page with a chart, so that the files are there
    assert visitor.evaluate(ASK, [CHART_FILE, PLOTLY_FILE]) == "figure 3"
