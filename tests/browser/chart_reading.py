"""How the tests of the chart component find the chart, and what they read off it."""

from pathlib import Path
from typing import Any

APP = Path(__file__).parent / "chart_app.py"
CURVE = ".dpviz-chart .scatterlayer path.js-line"
SLIDER = ".st-key-noise input[type=range]"
BUTTON = ".dpviz-chart .modebar-btn"
# The plot's numbers, read where Plotly keeps them.
STATE = """() => {
  const { data, _fullLayout: layout } = document.querySelector(".dpviz-chart");
  const curves = document.querySelectorAll(".dpviz-chart .scatterlayer .js-line");
  return {
    hidden: data.map((trace) => trace.visible === "legendonly"),
    xRange: layout.xaxis.range,
    yRange: layout.yaxis.range,
    lastValue: Array.from(data[0].y._inputArray ?? data[0].y).at(-1),
    text: layout.font.color,
    strokes: [...curves].map((curve) => curve.style.stroke),
  };
}"""


def press(page: Any, key: str, noise: int) -> None:
    """Move the slider by a key and wait until the chart shows this noise."""
    page.locator(SLIDER).press(key)
    page.wait_for_selector(f'.dpviz-chart [aria-label="δ against ε with noise {noise}"]')
