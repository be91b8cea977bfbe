"""What small training runs cost: beside the estimate that pages refuse by, and beside PyTorch.

    OPENBLAS_NUM_THREADS=1 python bench/training.py [--peers | --costs] [--rounds 9] [--steps 100]

The first table is the processor time of whole runs. The estimate has to be above what is measured,
or a run that was let through would be ended by the server's limit.

The second is training steps a second of dpviz's loop and of the same loop in PyTorch, with
per-sample gradients by Opacus and by ``torch.func.vmap(grad)``: in one process, in alternation, the
ratio of each round. It needs torch and opacus, of which dpviz itself needs neither. On a busy
machine second threads wait for a processor most of the time: ask for --threads 1 there, with
OPENBLAS_NUM_THREADS=1.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

from dpviz.scenario import PRESETS
from dpviz.training.panel_source import GeneratedSource, parts_of
from dpviz.training.small_run import SmallRun, estimated_seconds, small_run, told_by_run
from dpviz.wording.numbers import counted

# Series, length, context, forecast, batch, steps, model. The first is the page's default.
_SIZES = (
    (200, 144, 24, 6, 64, 500, "linear"),
    (200, 144, 24, 6, 64, 5000, "linear"),
    (200, 144, 24, 6, 64, 500, "feedforward"),
    (500, 144, 24, 6, 500, 1000, "dlinear"),
    (200, 1000, 400, 100, 150, 300, "linear"),
    (200, 1000, 400, 100, 150, 300, "feedforward"),
)
_COMPARED = (
    (200, 144, 24, 6, 64, 500, "linear"),
    (200, 144, 24, 6, 64, 500, "feedforward"),
    (200, 500, 96, 24, 200, 500, "linear"),
    (200, 500, 96, 24, 200, 500, "feedforward"),
)
_PAGE_SECONDS = 20.0


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--peers", action="store_true", help="steps a second beside PyTorch alone")
    which.add_argument("--costs", action="store_true", help="costs of whole runs alone")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--steps", type=int, default=100, help="of each side in a round")
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[1, 2], help="that PyTorch may use"
    )
    options = parser.parse_args()
    if not options.peers:
        print_costs()
    if not options.costs:
        print_peers(options.rounds, options.steps, options.threads)


def print_costs() -> None:
    """Train one run of each size, privately."""
    print("series length L_C L_F Lambda steps model: processor seconds, estimate")
    for at, size in enumerate(_SIZES):
        run, source = _run_of(size, fits_noise=True)
        begin = time.process_time()
        for _ in told_by_run(run, source):
            pass
        took = time.process_time() - begin
        said = f"{_words(size)}: {took:.2f} s, {estimated_seconds(run):.1f} s"
        if at == 0:
            said += f"; the page's default, to be under {_PAGE_SECONDS:g} s: {took < _PAGE_SECONDS}"
        print(said, flush=True)


def print_peers(rounds: int, steps: int, numbers_of_threads: Sequence[int]) -> None:
    """Time all sides in alternation, or say what is missing for that."""
    try:
        import opacus
        import torch
        import training_peers as peers
    except ImportError as problem:
        print(
            f"Steps a second beside PyTorch are left out: {problem.name} is not installed here "
            "(pip install torch opacus, in an environment of their own)."
        )
        return
    print(f"\ntorch {torch.__version__}, opacus {opacus.__version__}, numpy {np.__version__}")
    print(
        "Steps a second by the clock, median (range) of "
        f"{rounds} rounds of {steps} steps. Ratio: dpviz's over the peer's in the same round, by "
        "the clock and by processor time, which other work on the machine hardly changes. Threads: "
        "those PyTorch was allowed; NumPy's matrix library on both sides: "
        f"{os.environ.get('OPENBLAS_NUM_THREADS', 'as many as it likes')} (OPENBLAS_NUM_THREADS; "
        "dpviz's server sets 1 for what it trains). Busy: processors used on average."
    )
    for size in _COMPARED:
        run, source = _run_of(size, fits_noise=False)
        task = peers.Task(run.settings(), parts_of(source, size[2], size[3]))
        peers.check_that_all_do_the_same(task)
        print(f"\n{_words(size)}")
        for threads in numbers_of_threads:
            torch.set_num_threads(threads)
            _print_round_table(
                {
                    "dpviz": peers.dpviz_step(task),
                    f"Opacus, {counted(threads, 'thread')}": peers.opacus_step(task),
                    f"vmap(grad), {counted(threads, 'thread')}": peers.vmap_step(task),
                },
                rounds,
                steps,
            )


def _print_round_table(sides: dict[str, Callable[[], object]], rounds: int, steps: int) -> None:
    for step in sides.values():
        _timed(step, steps // 4 + 1)  # what is compiled or kept at first use
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    for at in range(rounds):
        for name in list(sides)[:: 1 if at % 2 == 0 else -1]:
            took[name].append(_timed(sides[name], steps))
    for name, rows in took.items():
        busy = statistics.median(processor / seconds for seconds, processor in rows)
        said = f"  {name}: {_spread([steps / seconds for seconds, _ in rows], 0)}; busy {busy:.1f}"
        if name != "dpviz":
            pairs = list(zip(took["dpviz"], rows, strict=True))
            by_clock = _spread([theirs[0] / ours[0] for ours, theirs in pairs], 1)
            by_processor = _spread([theirs[1] / ours[1] for ours, theirs in pairs], 1)
            said += f"; ratio {by_clock} by the clock, {by_processor} by processor time"
        print(said, flush=True)


def _timed(step: Callable[[], object], steps: int) -> tuple[float, float]:
    begin, processor = time.perf_counter(), time.process_time()
    for _ in range(steps):
        step()
    return time.perf_counter() - begin, time.process_time() - processor


def _spread(values: Sequence[float], digits: int) -> str:
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def _run_of(
    size: tuple[int, int, int, int, int, int, str], *, fits_noise: bool
) -> tuple[SmallRun, GeneratedSource]:
    num_series, length, context, forecast, batch, steps, model = size
    source = GeneratedSource(num_series=num_series, length=length, period=12, seed=1)
    run = small_run(
        PRESETS["toy"].scenario,
        parts_of(source, context, forecast),
        context_length=context,
        forecast_length=forecast,
        batch_size=batch,
        max_change=10.0,
        steps=steps,
        model=model,
        target_epsilon=10.0,
        fits_noise=fits_noise,
        learning_rate=0.01,
        seed=1,
    )
    return run, source


def _words(size: Sequence[object]) -> str:
    return " ".join(map(str, size))


if __name__ == "__main__":
    main()
