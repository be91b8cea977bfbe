"""What the curves of settings cost, by this code and by that of another checkout.

    python bench/curves.py [OTHER] [--rounds 5]

For each preset, sigma, r and the length of training move by a stop at a time, as a slider does.
Each row is the mean processor time of one scenario's curves, in ms: at first roughly, as pages
show them while a slider moves, then exactly. Two processes answer in alternation, so that a busy
machine is unfair to neither; of all rounds the fastest counts. OTHER is the folder of a checkout,
as ``git worktree add`` makes one; without it there is one column.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.scenario import Scenario

ROOT = Path(__file__).parents[1]
STOPS = 6
ROUGH: dict[str, Any] = {"tolerance": 1e-2, "only_quoted": True}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answer()
        return
    sides = [start(folder) for folder in (options.other, ROOT) if folder is not None]
    names = ("before", "now") if len(sides) > 1 else ("now",)
    print(f"{'ms of processor time':32}" + "".join(f"{name:>10}" for name in names))
    rounds = [[read_all(side) for side in sides] for _ in range(options.rounds)]
    for place, (title, _) in enumerate(rounds[0][0]):
        best = [min(one[side][place][1] for one in rounds) for side in range(len(sides))]
        print(f"{title:32}" + "".join(f"{cost:10.1f}" for cost in best))
    for side in sides:
        side.terminate()


def start(folder: Path) -> "subprocess.Popen[str]":
    """Start the process that answers by a checkout's code."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve()), "--answer"],
        env=os.environ | {"PYTHONPATH": str(folder.resolve())},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def read_all(side: "subprocess.Popen[str]") -> list[tuple[str, float]]:
    """Ask a side for one round; return its rows."""
    assert side.stdin is not None
    assert side.stdout is not None
    side.stdin.write("\n")
    side.stdin.flush()
    rows = []
    while line := side.stdout.readline().rstrip("\n"):
        title, _, cost = line.rpartition("\t")
        rows.append((title, float(cost)))
    return rows


def answer() -> None:
    """Answer round after round: rows of costs, and an empty line."""
    from dpviz.planning import curves_of

    for _ in sys.stdin:
        for title, scenarios in cases():
            for how, options in (("rough", ROUGH), ("exact", {})):
                curves_of(scenarios[0], **options)  # what neighbours have in common is known
                before = time.process_time()
                for scenario in scenarios[1:]:
                    curves_of(scenario, **options)
                cost = 1000 * (time.process_time() - before) / (len(scenarios) - 1)
                print(f"{title}, {how}\t{cost}")
        print(flush=True)


def cases() -> "Iterator[tuple[str, list[Scenario]]]":
    """Yield what a slider passes, by name."""
    from dpviz.scenario import PRESETS
    from dpviz.settings.grids import BOTTOM_RATES, COUNTS, NOISE_MULTIPLIERS

    def above(stops: tuple[float, ...], value: float) -> list[float]:
        return [stop for stop in stops if stop > value][: STOPS + 1]

    for name, preset in PRESETS.items():
        own = preset.scenario
        bins = replace(own, sampling=replace(own.sampling, top_level="bins"))
        for title, one in (("", own), (", bins", bins)):
            yield (
                f"{name}{title}: sigma",
                [
                    replace(one, noise=replace(one.noise, noise_multiplier=sigma))
                    for sigma in above(NOISE_MULTIPLIERS, one.noise.noise_multiplier)
                ],
            )
        yield (
            f"{name}: r",
            [own.with_rates(bottom_rate=rate) for rate in above(BOTTOM_RATES, own.bottom_rate)],
        )
        yield (
            f"{name}: length",
            [
                replace(own, training=replace(own.training, count=int(count)))
                for count in above(COUNTS, own.training.count)
            ],
        )


if __name__ == "__main__":
    main()
