"""What a visitor does who has a keyboard and nothing else."""

from typing import Any

_MOST_STEPS = 150
_HAS_FOCUS = """(selector) => {
  const outer = document.activeElement;
  const inner = outer?.shadowRoot?.activeElement ?? outer;
  return [outer, inner].some((node) => node?.closest(selector));
}"""
# The ring or, of a text field, the edge, around what has the focus; and what it lies on.
_RING = """() => {
  const outer = document.activeElement;
  const inner = outer.shadowRoot?.activeElement ?? outer;
  const near = [inner];
  while (near.at(-1).parentElement && near.length < 5) near.push(near.at(-1).parentElement);
  const isField = inner.matches("input:not([type=range], [type=radio], [type=checkbox]), textarea");
  for (const node of near) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(node);
    const isDrawn = !["none", "auto"].includes(outlineStyle) && parseFloat(outlineWidth) >= 2;
    if (isDrawn) return { color: outlineColor, name: inner.outerHTML.slice(0, 160) };
  }
  const edged = near.find((node) => parseFloat(getComputedStyle(node).borderTopWidth) > 0);
  const color = isField && edged ? getComputedStyle(edged).borderTopColor : null;
  return { color, name: inner.outerHTML.slice(0, 160) };
}"""
# Whether a point of what has the focus is what one sees there.
_IS_SEEN = """() => {
  const outer = document.activeElement;
  const inner = outer.shadowRoot?.activeElement ?? outer;
  // Of a choice the words around it are seen.
  const seen = inner.closest("label") ?? inner;
  if (seen === null || seen.matches(".stMain")) return true;
  const { left, right, top, bottom } = seen.getBoundingClientRect();
  const places = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) =>
    [left + x * (right - left), top + y * (bottom - top)]));
  return places.some(([x, y]) => {
    const found = document.elementFromPoint(x, y);
    return found && (seen.contains(found) || found.contains(seen) || found === outer);
  });
}"""


def tab_to(visitor: Any, selector: str, key: str = "Tab") -> None:
    """Press Tab until something in an element has the focus."""
    for _ in range(_MOST_STEPS):
        visitor.keyboard.press(key)
        if visitor.evaluate(_HAS_FOCUS, selector):
            return
    raise AssertionError(f"{key} does not lead to {selector}")


def ring(visitor: Any) -> dict[str, Any]:
    """Return the colour that shows where the focus is, ``None`` without one, and what has it."""
    return dict(visitor.evaluate(_RING))


def is_seen(visitor: Any) -> bool:
    """Return whether what has the focus is at least in part not covered by something else."""
    return bool(visitor.evaluate(_IS_SEEN))


def focused(visitor: Any) -> str:
    return str(visitor.evaluate("() => document.activeElement.outerHTML.slice(0, 200)"))
