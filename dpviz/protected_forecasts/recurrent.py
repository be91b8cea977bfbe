"""A recurrent network, one for all series, by Darts, which Bale et al. use too."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

import numpy as np

from dpviz.protected_forecasts.data import SHORTEST_KNOWN, FloatArray, Series
from dpviz.scenario.missing_package import MissingPackageError

PACKAGE = "darts[torch]"
# Two years are read before a forecast. A window to learn from is as long as the shortest series
# allow, which its forecasts, one value further on, have to fit into.
NUM_READ, NUM_LEARNED = 24, SHORTEST_KNOWN - 1
# Darts' own defaults: the size of the network's memory, and the rate of its optimiser (Adam).
_MEMORY, _RATE = 25, 1e-3
_BATCH, _STEPS = 128, 1200
_SEED = 1


def recurrent_network(series: Series) -> FloatArray:
    """Return forecasts by one network of long short-term memory cells (LSTM) for all series.

    Of each series its mean is taken away, so that all are told on one scale, and added to the
    forecast. The network has one layer of 25 cells and is trained by about 1,200 steps of Adam on
    128 windows each, to forecast every value of a window from those before it. Bale et al. search
    for such settings, and do not print those found.

    The same forecasts come out on the same machine with the same PyTorch; others may differ in the
    last digits, and these add up while it learns. Nothing is written and nothing downloaded.

    Raises:
        MissingPackageError: Darts or PyTorch is not installed.
    """
    try:
        import torch
        from darts import TimeSeries
        from darts.models import RNNModel
    except ImportError:  # Darts says so of its own parts, too
        raise MissingPackageError(PACKAGE) from None
    means = np.array([values.mean() for values in series])
    told = [
        TimeSeries.from_values((values - mean).astype(np.float32))
        for values, mean in zip(series, means, strict=True)
    ]
    num_windows = sum(len(values) - NUM_LEARNED for values in series)
    with _quietly_on_one_thread(torch):
        model = RNNModel(
            NUM_READ,
            model="LSTM",
            hidden_dim=_MEMORY,
            training_length=NUM_LEARNED,
            batch_size=_BATCH,
            n_epochs=ceil(_STEPS / ceil(num_windows / _BATCH)),
            optimizer_kwargs={"lr": _RATE},
            random_state=_SEED,
            pl_trainer_kwargs={
                "accelerator": "cpu",
                "logger": False,
                "enable_checkpointing": False,
                "enable_progress_bar": False,
                "enable_model_summary": False,
            },
        )
        model.fit(told, verbose=False)
        found = model.predict(1, series=told, verbose=False)
    forecasts: FloatArray = means + np.array([float(one.values()[0, 0]) for one in found])
    return forecasts


@contextmanager
def _quietly_on_one_thread(torch: Any) -> Iterator[None]:
    """Let sums have the same order wherever it runs, and Lightning keep its remarks to itself."""
    threads, log = torch.get_num_threads(), logging.getLogger("pytorch_lightning")
    level = log.level
    torch.set_num_threads(1)
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        log.setLevel(level)
