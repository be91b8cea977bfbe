"""What a loader is worth in accuracy at equal epsilon: the table of docs/private-networks.md.

    python -m bench.loader_accuracy --rates   # how the learning rates were chosen
    python -m bench.loader_accuracy           # train what bench/loader_accuracy.jsonl lacks;
                                              # with a network's name its runs alone
    python -m bench.loader_accuracy --table   # print the table of what it has

The program that is trained is the page's own. Each run is in the file as it ends, so one that was
ended goes on. Needs PyTorch and Opacus, but for ``--table``.
"""

import json
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t

from dpviz.training.models import NETWORKS

ROOT = Path(__file__).parents[1]
PAGE, KEPT = ROOT / "docs" / "private-networks.md", ROOT / "bench" / "loader_accuracy.jsonl"
LOADERS = {"poisson": "coins", "without-replacement": "drawn", "flat": "bag"}
EPSILONS, SEEDS = (4.0, 1.0, 0.25), range(1, 6)
CONFIDENCE, WITHIN = 0.95, 0.02
_RATES, _RATE_SEEDS, _OTHER_PANEL = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05), (1, 2), 2
HEAD = (
    "| network | ε ≤ | loader | σ | against seasonal naive, % | against drawn, points | seeds |\n"
    "| --- | --: | --- | --: | --: | --: | --: |"
)


@dataclass(frozen=True, kw_only=True)
class Run:
    """One trained network; without privacy ``asked``, ``spent`` and ``sigma`` are ``None``."""

    network: str
    loader: str
    asked: float | None
    seed: int
    crps: float
    naive: float
    spent: float | None
    sigma: float | None

    @property
    def case(self) -> tuple[str, str, float | None, int]:
        """What decides it."""
        return self.network, self.loader, self.asked, self.seed


@cache
def program() -> dict[str, Any]:
    """Return what the page's program defines."""
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert source is not None
    defined: dict[str, Any] = {"__name__": "private_networks"}
    exec(compile(source[1], PAGE.name, "exec"), defined)
    return defined


def cases(networks: Sequence[str] = NETWORKS) -> Iterator[tuple[str, str, float | None, int]]:
    """Yield all cases, seed by seed: whatever was ended has as many of each."""
    for seed in SEEDS:
        for network in networks:
            yield network, "without-replacement", None, seed
            for epsilon in EPSILONS:
                yield from ((network, loader, epsilon, seed) for loader in LOADERS)


def trained(network: str, loader: str, asked: float | None, seed: int) -> Run:
    """Train one case by the page's program."""
    from dpviz.training.baselines import seasonal_naive
    from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss

    page = program()
    scenario, test = page["scenario_of"](loader, asked), page["parts"].test
    crps, spent = page["trained"](network, scenario, is_private=asked is not None, seed=seed)
    naive = seasonal_naive(test.histories, page["L_F"], page["PERIOD"], LEVELS)
    return Run(
        network=network,
        loader=loader,
        asked=asked,
        seed=seed,
        crps=crps,
        naive=mean_weighted_quantile_loss(naive, test.truth),
        spent=spent,
        sigma=None if asked is None else scenario.noise.noise_multiplier,
    )


def kept() -> list[Run]:
    """Return the runs that the file has."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    return [Run(**json.loads(line)) for line in lines]


def table(runs: list[Run]) -> str:
    """Return the table: means over the seeds that have all cases, with t intervals, in per cent."""
    known = {one.case: 100.0 * (one.crps / one.naive - 1.0) for one in runs}
    sigmas = {one.case: one.sigma for one in runs}
    lines = [HEAD]
    for network in NETWORKS:
        seeds = [
            seed
            for seed in SEEDS
            if all(case in known for case in cases([network]) if case[3] == seed)
        ]
        if len(seeds) < 2:
            continue
        for _, loader, asked, seed in cases([network]):
            if seed != SEEDS[0]:
                continue
            own = np.array([known[network, loader, asked, at] for at in seeds])
            drawn = np.array([known[network, "without-replacement", asked, at] for at in seeds])
            cells = [network, "none: no privacy", "drawn", "none", _interval(own), ""]
            if asked is not None:
                sigma = sigmas[network, loader, asked, seed]
                cells[1:4] = [f"{asked:g}", LOADERS[loader], f"{sigma:.3g}"]
                cells[5] = "" if loader == "without-replacement" else _interval(own - drawn)
            lines.append(f"| {' | '.join([*cells, str(len(seeds))])} |")
    return "\n".join(lines)


def _interval(values: np.ndarray) -> str:
    half = t.ppf((1.0 + CONFIDENCE) / 2.0, len(values) - 1) * values.std(ddof=1)
    return f"{values.mean():+.1f} ± {half / np.sqrt(len(values)):.1f}".replace("-", "−")


def choose_rates() -> None:
    """Print errors without privacy on series of another seed, and the rates that are chosen."""
    page = program()
    panel = page["generated_panel"](1000, 240, page["PERIOD"], seed=_OTHER_PANEL)
    other = page["split"](panel, page["L_C"], page["L_F"], validation_windows=0)
    scenario = page["scenario_of"]("without-replacement", None)
    for network in NETWORKS:
        errors = {}
        for rate in _RATES:
            crps = [
                page["trained"](
                    network, scenario, is_private=False, seed=seed, rate=rate, panel_parts=other
                )[0]
                for seed in _RATE_SEEDS
            ]
            errors[rate] = float(np.mean(crps))
            print(f"{network}, learning rate {rate:g}: CRPS {errors[rate]:.5f}", flush=True)
        least = min(errors.values())
        chosen = min(rate for rate in _RATES if errors[rate] <= (1.0 + WITHIN) * least)
        print(f"{network}: learning rate {chosen:g}", flush=True)


def main() -> None:
    """Do what is asked for."""
    warnings.simplefilter("ignore")
    if "--rates" in sys.argv:
        choose_rates()
        return
    if "--table" not in sys.argv:
        known = {one.case for one in kept()}
        for case in cases([name for name in NETWORKS if name in sys.argv] or NETWORKS):
            if case not in known:
                with KEPT.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(trained(*case))) + "\n")
                print(*case, flush=True)
    print(table(kept()))


if __name__ == "__main__":
    main()
