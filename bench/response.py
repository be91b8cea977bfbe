"""What moving a slider costs on each page: the server's CPU, and how long the answers take.

    python -m bench.response [--moves 3] [--drags 3]
                             [--pages privacy_curve subsequences sample_or_walk]

The real server, a real Chromium, the start scenario. Each slider is moved by the keyboard: first
to scenarios that nobody asked for before, then back and forth between two that are known by now.
For a move the first table has the mean of

- CPU: of all the server's threads, until the page is complete;
- answer: from the browser's message to the server until the new headline is in the page;
- last: from that message until the server's last one, with everything that was still to come.

The goal is 100 ms for the answer.

Then the pointer drags the sliders of the run with one window per series, over 40 stops in 4 s,
each time to scenarios that nobody asked for before. The second table has the median of

- updates: how often a second the headline changed while the slider moved;
- number: milliseconds from the release until the headline had the number of the released value,
  the first one that it tells: what holds, from above;
- final: milliseconds from the release until the whole headline was the one of that value, with the
  best lower bound.
"""

import argparse
import os
import re
import statistics
import time

from playwright.sync_api import Page, sync_playwright

from bench.load.server import LoadedServer, served
from tests.browser.chromium import launched

PAGES = ("privacy_curve", "privacy_curve?chart=training", "subsequences", "sample_or_walk")
# Not on each page; the keys lead to heavier scenarios and away from the start's.
SLIDERS = {
    "noise_multiplier": "ArrowRight",
    "bottom_rate": "ArrowLeft",
    "steps": "ArrowRight",
    "epochs": "ArrowRight",
    "num_subsequences": "ArrowRight",
}
# What leads to more windows per series has a page of its own.
DRAGGED = ("noise_multiplier", "bottom_rate", "steps", "epochs")
DRAG_STOPS = 40
DRAG_SECONDS = 4.0
DRAG_MOVES = 120
QUIET_MILLISECONDS = 250
GOAL_MILLISECONDS = 100
# Notes when the page wrote to the server, when it heard from it, and when the headline changed.
WATCH = """
window.bench = {};
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", () => { window.bench.received = performance.now(); });
  }
  send(message) {
    window.bench.sent ??= performance.now();
    super.send(message);
  }
};
window.watchHeadline = () => {
  const before = document.querySelector(".st-key-answer").innerText;
  window.bench = {};
  const observer = new MutationObserver(() => {
    const now = document.querySelector(".st-key-answer")?.innerText;
    if (now === undefined || now === before) return;
    window.bench.shown = performance.now();
    observer.disconnect();
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
};
window.noteHeadlines = () => {
  const headline = () => document.querySelector(".st-key-answer")?.textContent;
  window.bench = { headlines: [[performance.now(), headline()]] };
  new MutationObserver(() => {
    const now = headline();
    if (!now || now === window.bench.headlines.at(-1)[1]) return;
    window.bench.headlines.push([window.bench.shown = performance.now(), now]);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
};
"""
# Where the pointer takes hold of a slider, and where it is so many stops on, or back.
PLACES = """(slider, stops) => {
  const { left, top, width, height } = slider.getBoundingClientRect();
  const thumb = 16;
  const most = Number(slider.max);
  const now = Number(slider.value);
  const wanted = now + stops > most || now + stops < 0 ? now - stops : now + stops;
  const end = Math.min(Math.max(wanted, 0), most);
  const place = (at) => left + thumb / 2 + (at / most) * (width - thumb);
  return [place(now), place(end), top + height / 2];
}"""
COMPLETE = """(quiet) => {
  const { shown, received } = window.bench;
  const app = document.querySelector("[data-testid=stApp]");
  return shown !== undefined && performance.now() - received > quiet
    && app.dataset.testScriptState === "notRunning"
    && !document.documentElement.classList.contains("dpviz-waiting")
    && !document.querySelector("[data-testid=stProgress]");
}"""


def main() -> None:
    """Start a server, move the sliders, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=3)
    parser.add_argument("--drags", type=int, default=3)
    parser.add_argument("--pages", nargs="+", default=PAGES)
    options = parser.parse_args()
    with served("shipped") as server, sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(WATCH)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
        if options.moves:
            print(f"{'mean of a move, in ms':54}{'CPU':>7}{'answer':>8}{'last':>8}")
        for number, path in enumerate(options.pages if options.moves else ()):
            for field, key in SLIDERS.items():
                # A delta of its own keeps one measurement's results from the next.
                delta = f"1.{number}{list(SLIDERS).index(field)}e-7"
                open_page(page, address(server, path, delta))
                if page.locator(slider(field)).count():
                    measure(page, server, path, field, key, options.moves)
        if options.drags:
            columns = f"{'updates a second':>18}{'number, ms':>12}{'final, ms':>11}"
            print(f"{'median of drags':54}{columns}")
        for number, path in enumerate(options.pages if options.drags else ()):
            for field in DRAGGED:
                found = []
                for again in range(options.drags):
                    delta = f"2.{number}{DRAGGED.index(field)}{again:02d}e-7"
                    open_page(page, address(server, path, delta))
                    if page.locator(slider(field)).count():
                        found.append(drag(page, field))
                if found:
                    print(row_of_drags(path, field, found), flush=True)
        browser.close()


def measure(page: Page, server: LoadedServer, path: str, field: str, key: str, moves: int) -> None:
    """Move a slider to new scenarios and back and forth between known ones; print two rows."""
    back = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[key]
    for kind, keys in (("new", [key] * moves), ("known", [back, key] * (moves // 2 + 1))):
        before = server.usage().cpu
        times = [press(page, field, one) for one in keys]
        # One difference over all moves: the clock ticks every 10 ms only.
        cpu = 1000 * (server.usage().cpu - before) / len(keys)
        answer, last = (statistics.mean(column) for column in zip(*times, strict=True))
        missed = "  over the goal" if answer > GOAL_MILLISECONDS else ""
        row = f"{path:30}{field:18}{kind:6}"
        print(f"{row}{cpu:7.0f}{answer:8.0f}{last:8.0f}{missed}", flush=True)


def address(server: LoadedServer, path: str, delta: str) -> str:
    """Return the link to a page with a delta."""
    mark = "&" if "?" in path else "?"
    return f"{server.url}{path}{mark}delta={delta}"


def open_page(page: Page, link: str) -> None:
    """Open a link and wait for the whole answer."""
    page.goto(link)
    page.wait_for_selector(".dpviz-chart .main-svg")
    page.evaluate("() => { window.bench.shown = 0; }")
    page.wait_for_function(COMPLETE, arg=QUIET_MILLISECONDS)


def press(page: Page, field: str, key: str) -> tuple[float, float]:
    """Move a slider by one stop; return milliseconds until the answer and the last message."""
    page.evaluate("() => window.watchHeadline()")
    page.locator(slider(field)).press(key)
    page.wait_for_function(COMPLETE, arg=QUIET_MILLISECONDS)
    times = page.evaluate("() => window.bench")
    return times["shown"] - times["sent"], times["received"] - times["sent"]


def drag(page: Page, field: str) -> tuple[float, float, float]:
    """Drag a slider; return updates a second, and milliseconds to the final number and headline."""
    handle = page.locator(slider(field))
    handle.scroll_into_view_if_needed()
    begin, end, height = handle.evaluate(PLACES, DRAG_STOPS)
    page.mouse.move(begin, height)
    page.mouse.down()
    page.evaluate("() => window.noteHeadlines()")
    began = time.monotonic()
    for at in range(1, DRAG_MOVES + 1):
        time.sleep(max(0.0, began + DRAG_SECONDS * at / DRAG_MOVES - time.monotonic()))
        page.mouse.move(begin + (end - begin) * at / DRAG_MOVES, height)
    released = page.evaluate("() => performance.now()")
    page.mouse.up()
    page.wait_for_function(COMPLETE, arg=QUIET_MILLISECONDS)
    (start, _), *changes = page.evaluate("() => window.bench.headlines")
    seen = sum(moment <= released for moment, _ in changes)
    final = changes[-1][0] if changes else released
    number = final
    for moment, told in reversed(changes):
        if told_number(told) != told_number(changes[-1][1]):
            break
        number = moment
    waited = (max(0.0, moment - released) for moment in (number, final))
    return 1000 * seen / (released - start), *waited


def told_number(headline: str) -> str:
    """Return the first bound that a headline tells."""
    found = re.search(r"ε\s≤\s\S+", headline)
    return headline if found is None else found[0]


def row_of_drags(path: str, field: str, found: list[tuple[float, float, float]]) -> str:
    """Return the medians of some drags as a row of the table."""
    updates, number, final = (statistics.median(column) for column in zip(*found, strict=True))
    return f"{path:30}{field:24}{updates:18.1f}{number:12.0f}{final:11.0f}"


def slider(field: str) -> str:
    """Return where a field's slider is in the page."""
    return f".st-key-{field} input[type=range]"


if __name__ == "__main__":
    main()
