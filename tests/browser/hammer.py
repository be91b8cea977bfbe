"""Hammers controls as an impatient visitor does, and tells what the page should say afterwards.

What is done is noted as the visitor sees it: the value that a control shows right after each act.
What has to come out is told by the same acts, one after the other, in a session where nothing is
late (`tests.pages.app.Page`).
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.pages.app import Page

FEWEST, MOST = 20, 90  # milliseconds between two acts
# Presses of a key with less between them are one change; see browser/controls.js.
_ONE_CHANGE = 1000
_ROUNDS = 3  # of what is chosen, as some pages have little else
KEYS = ("ArrowRight", "ArrowLeft", "ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home", "End")
# When a key was pressed is told by the page's clock: that of the test may be late.
_CLOCK = """() => addEventListener(
  "keydown", () => { window.hammerPressed = performance.now(); }, { capture: true }
)"""
# Of each control: its name, its kind, and what it shows.
CONTROLS = """() => [...document.querySelectorAll("[class*=st-key-]")].flatMap((holder) => {
  const node = holder.querySelector(":scope .dpviz-control");
  // A part that is folded away may hold one control, too.
  if (node?.closest("[class*=st-key-]") !== holder) return [];
  const name = [...holder.classList].find((one) => one.startsWith("st-key-")).slice(7);
  const kind = node.className.match(/dpviz-kind-(\\w+)/)[1];
  const slides = kind === "number" && !node.querySelector("input[type=range]").hidden;
  const input = node.querySelector("input:not([hidden]), select, button.dpviz-button");
  return input === null || input.disabled ? [] : [{ name, kind: slides ? "slider" : kind }];
})"""
# Chooses another option, as a click does; tells which.
CHOOSE = """([name, chance]) => {
  const node = document.querySelector(`.st-key-${name} .dpviz-control`);
  const pick = (all) => all[Math.floor(chance * all.length)];
  const menu = node?.querySelector("select");
  if (menu) {
    const other = pick([...menu.options].filter(({ value }) => value && value !== menu.value));
    if (!other) return null;
    menu.value = other.value;
    menu.dispatchEvent(new Event("change", { bubbles: true }));
    return other.value;
  }
  const other = pick([...(node?.querySelectorAll("input") ?? [])].filter((one) => !one.checked));
  other?.click();
  return other?.value ?? null;
}"""
SHOWN = """(name) => {
  const node = document.querySelector(`.st-key-${name} .dpviz-control`);
  if (!node) return null;
  const checked = [...node.querySelectorAll("input:is([type=radio], [type=checkbox]):checked")];
  const box = node.querySelector(".dpviz-box, select");
  if (box?.value.startsWith("≈ ")) return box.title;  // all of its digits
  return box ? box.value : checked.map(({ value }) => value).join(" ");
}"""


@dataclass
class Hammer:
    """Does things to a page, and notes them.

    Args:
        visitor: the open page.
        chance: chooses what is done.
        done: the acts as the server is told them, in their order: name, value, gesture.
    """

    visitor: Any
    chance: random.Random
    done: list[tuple[str, Any, int]] = field(default_factory=list)
    _gesture: int = 0
    _pressed: float = 0.0

    def controls(self, *kinds: str) -> list[str]:
        """Return the names of the controls that can be used."""
        found = self.visitor.evaluate(CONTROLS)
        return sorted({one["name"] for one in found if one["kind"] in kinds})

    def pause(self) -> None:
        """Wait as long as an impatient visitor does."""
        self.visitor.wait_for_timeout(self.chance.uniform(FEWEST, MOST))

    def press_keys(self, name: str, count: int) -> None:
        self._begin(name)
        self._slider(name).focus()
        for _ in range(count):
            before = self.shown(name)
            self.visitor.keyboard.press(self.chance.choice(KEYS))
            at = self.visitor.evaluate("window.hammerPressed")
            if at - self._pressed > _ONE_CHANGE:  # on a machine with other work
                self._gesture += 1
            if self.shown(name) != before:
                self._pressed = at
            self._note(name, before)
            self.pause()

    def drag(self, name: str, count: int) -> None:
        slider = self._slider(name)
        slider.scroll_into_view_if_needed()
        place = slider.bounding_box()
        mouse, height = self.visitor.mouse, place["y"] + place["height"] / 2
        self._begin(name, anew=True)
        before = self.shown(name)
        mouse.move(place["x"] + place["width"] * self.chance.uniform(0.1, 0.9), height)
        mouse.down()
        for _ in range(count):
            self._note(name, before)
            before = self.shown(name)
            mouse.move(place["x"] + place["width"] * self.chance.uniform(0.02, 0.98), height)
            self.pause()
        self._note(name, before)
        mouse.up()
        self._pressed = -_ONE_CHANGE  # what follows is another change

    def choose(self, name: str) -> None:
        """Choose another option of a menu, or another segment."""
        # In one go: an answer that comes in between may make another option the chosen one.
        chosen = self.visitor.evaluate(CHOOSE, [name, self.chance.random()])
        if chosen is not None:
            self._begin(name, anew=True)
            self.done.append((name, chosen, self._gesture))
        self.pause()

    def undo(self) -> None:
        """Take the last change back, where the page offers it."""
        button = self.visitor.locator(".st-key-undo button.dpviz-button")
        if button.count() and button.is_enabled():
            self._gesture += 1
            button.click()
            self.done.append(("undo", "", self._gesture))
            self.pause()

    def is_there(self, name: str) -> bool:
        return bool(self.visitor.locator(f".st-key-{name} .dpviz-control:visible").count())

    def shown(self, name: str) -> str | None:
        return self.visitor.evaluate(SHOWN, name)

    def _slider(self, name: str) -> Any:
        """Return a slider, once what stood in its place before is gone."""
        place = f".st-key-{name} input[type=range]"
        self.visitor.wait_for_function(
            "place => document.querySelectorAll(place).length === 1", arg=place
        )
        return self.visitor.locator(place)

    def _begin(self, name: str, *, anew: bool = False) -> None:
        if anew or not self.done or self.done[-1][0] != name:
            self._gesture += 1

    def _note(self, name: str, before: str | None) -> None:
        now = self.shown(name)
        if now is not None and now != before:
            self.done.append((name, now, self._gesture))


def hammer(
    visitor: Any, seed: str, settled: Callable[[], None] | None = None, *, most: int | None = None
) -> Hammer:
    """Use every control of a page, two in turn, with ways back in between; return what was done.

    Args:
        visitor: the open page.
        seed: chooses what is done.
        settled: waits for the answer to a choice, where it decides which others there are.
        most: so many sliders, and what is chosen once each; all, and several times, if ``None``.
    """
    visitor.evaluate(_CLOCK)
    hits = Hammer(visitor, random.Random(seed))
    sliders = hits.controls("slider")
    for name in hits.chance.sample(sliders, most) if most else sliders:
        if not hits.is_there(name):  # what was done has folded it away
            continue
        use = hits.press_keys if hits.chance.random() < 0.5 else hits.drag
        use(name, 8)
        other = hits.chance.choice(sliders)
        if hits.is_there(other):
            hits.press_keys(other, 3)
        if hits.chance.random() < 0.4:
            hits.undo()
    for name in (1 if most else _ROUNDS) * hits.controls("select", "segments"):
        if hits.is_there(name):
            hits.choose(name)
            if settled is not None:
                settled()
            if hits.chance.random() < 0.3:
                hits.undo()
    return hits


def told_one_by_one(
    page: str,
    link: dict[str, str],
    done: Sequence[tuple[str, Any, int]],
    unfolded: Sequence[str] = (),
) -> Page:
    """Return the page after the same acts, each of them answered in its turn.

    Args:
        page: its name in the address.
        link: what the page was opened with.
        done: name, value and gesture of each act.
        unfolded: keys of the parts that were opened before.
    """
    app = Page(link=link, parts=unfolded)
    app.switch_page(f"pages/{page}.py")
    app.run()
    waiting: list[tuple[str, Any, int]] = []
    for name, value, gesture in done:
        # What the page has to draw first: a button that can be pressed by now, a new control.
        if name == "undo" or name not in app.controls:
            _tell(app, waiting)
            waiting = []
        waiting.append((name, value, gesture))
    return _tell(app, waiting)


def _tell(app: Page, done: list[tuple[str, Any, int]]) -> Page:
    told = app.message([(name, value) for name, value, _ in done])
    for act, (_, _, gesture) in zip(told["acts"], done, strict=True):
        act["gesture"] = gesture
    return app.send(told)
