"""What a report costs to make, and how large it is.

    python bench/report.py [--runs 5]

For each preset: the time to make the report of a run that is known already, as a page has it (the
first one of a process packs plotly.js as well), the time to compute what is known, and the size of
the file. The goals are 1 s and 6 MB.
"""

import argparse
import os
import statistics
from datetime import date
from time import perf_counter

from dpviz.export.report import html_report
from dpviz.planning import ScenarioCurves, curves_of
from dpviz.planning.attack_rates import Gain, attackers_gain
from dpviz.scenario import PRESETS

GOAL_SECONDS = 1.0
GOAL_BYTES = 6_000_000


def main() -> None:
    """Print a row for each preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(f"load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
    print(f"{'':18}{'compute':>10}{'first':>10}{'median':>10}{'size':>10}")
    for name, preset in PRESETS.items():
        began = perf_counter()
        known = curves_of(preset.scenario), attackers_gain(preset.scenario)
        computed = perf_counter() - began
        times = [seconds_for(*known) for _ in range(1 + runs)]
        size = len(report_of(*known).encode())
        missed = "" if max(times) <= GOAL_SECONDS and size <= GOAL_BYTES else "  over the goal"
        print(
            f"{name:18}{1000 * computed:7.0f} ms{1000 * times[0]:7.0f} ms"
            f"{1000 * statistics.median(times[1:]):7.0f} ms{size / 1e6:7.2f} MB{missed}"
        )


def report_of(curves: ScenarioCurves, gain: Gain) -> str:
    """Return the report with a day that does not matter."""
    return html_report(curves, gain, made_on=date(2026, 1, 1))


def seconds_for(curves: ScenarioCurves, gain: Gain) -> float:
    """Return how long one report takes."""
    began = perf_counter()
    report_of(curves, gain)
    return perf_counter() - began


if __name__ == "__main__":
    main()
