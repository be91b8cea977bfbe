"""What a first visit fetches, and how long a phone on a slow connection waits.

    python -m bench.first_visit [--visits 3] [--page privacy_curve]

The real server, a real Chromium of 390 pixels with an empty cache, slowed down by itself to
1.6 Mbit/s and 150 ms. Each line is the median of the visits; after a first one, so that the server
has packed what it serves. Bytes are those that the network carries, by Chromium's own count, and
what comes through the page's open connection.

Servers with the whole of plotly.js and with the third of it that deploy/small_plotly.py fetches
take turns. The goals are 2.5 MB, 5 s to the headline and 10 s to the chart.
"""

import argparse
import os
import statistics
import time
from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.load.server import served
from dpviz.figures.browser_files import path_of_small_script
from tests.browser.chromium import launched

MEGABIT = 1_000_000 / 8
SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6 * MEGABIT,
    "uploadThroughput": 0.75 * MEGABIT,
}
KINDS = ("Script", "Font", "Stylesheet", "messages", "all")
HEADLINE, CHART = ".st-key-answer p", ".js-plotly-plot .scatterlayer .trace"
MOST_MILLISECONDS = 120_000
PACKING_SECONDS = 20.0
# For a server that does not know of the small script.
WHOLE = """
from pathlib import Path
from dpviz.figures import browser_files
browser_files.path_of_small_script = lambda: Path("none")
"""


def visit(browser: Browser, url: str) -> dict[str, float]:
    """Open a page as nobody has before; return seconds and bytes."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW)
    kinds: dict[str, str] = {}
    found = dict.fromkeys(KINDS, 0.0)

    def name(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]

    def add(event: dict[str, Any]) -> None:
        size, kind = event["encodedDataLength"], kinds.get(event["requestId"], "")
        found["all"] += size
        if kind in found:
            found[kind] += size

    def hear(event: dict[str, Any]) -> None:
        size = len(event["response"]["payloadData"]) * 3 / 4  # binary frames are told in base64
        found["messages"] += size
        found["all"] += size

    network.on("Network.responseReceived", name)
    network.on("Network.loadingFinished", add)
    network.on("Network.webSocketFrameReceived", hear)
    began = time.monotonic()
    page.goto(url, wait_until="commit", timeout=MOST_MILLISECONDS)
    page.wait_for_selector(HEADLINE, timeout=MOST_MILLISECONDS)
    found["headline"] = time.monotonic() - began
    page.wait_for_selector(CHART, state="attached", timeout=MOST_MILLISECONDS)
    found["chart"] = time.monotonic() - began
    page.wait_for_load_state("networkidle", timeout=MOST_MILLISECONDS)
    context.close()
    return found


def main() -> None:
    """Start the servers, visit them in turn, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=3)
    parser.add_argument("--page", default="privacy_curve")
    options = parser.parse_args()
    changes = {"whole": WHOLE}
    if path_of_small_script().is_file():
        changes["small"] = ""
    print(f"load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = launched(playwright)
        urls = {
            kind: stack.enter_context(served("shipped", changed=changed)).url + options.page
            for kind, changed in changes.items()
        }
        for url in urls.values():
            visit(browser, url)
        time.sleep(PACKING_SECONDS)
        visits: dict[str, list[dict[str, float]]] = {kind: [] for kind in urls}
        for _ in range(options.visits):
            for kind, url in urls.items():
                visits[kind].append(visit(browser, url))
    print(f"{'plotly.js':12}{'headline, s':>12}{'chart, s':>10}", end="")
    print("".join(f"{kind + ', kB':>16}" for kind in KINDS))
    for kind, several in visits.items():
        median = {key: statistics.median(one[key] for one in several) for key in several[0]}
        print(f"{kind:12}{median['headline']:12.1f}{median['chart']:10.1f}", end="")
        print("".join(f"{median[name] / 1000:16.0f}" for name in KINDS))


if __name__ == "__main__":
    main()
