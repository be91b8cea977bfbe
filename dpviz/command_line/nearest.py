"""Which option somebody may have meant who typed another word."""

from collections.abc import Sequence
from difflib import get_close_matches

# In a statement and a report.
_OF_DOCUMENTS = {
    "--target-delta": "--delta",
    "--o": "--output",
    "--out": "--output",
    "--url": "--base-url",
}
# What other programs, papers and people call things here.
_ALSO_CALLED = {
    "--noise": "--noise-multiplier",
    "--sigma": "--noise-multiplier",
    "--series": "--num-series",
    "--n": "--num-series",
    "--length": "--series-length",
    "--lengths": "--series-length",
    "--context": "--context-length",
    "--lookback": "--context-length",
    "--forecast": "--forecast-length",
    "--horizon": "--forecast-length",
    "--prediction-length": "--forecast-length",
    "--rho": "--top-rate",
    "--r": "--bottom-rate",
    "--rate": "--top-rate",
    "--batch": "--batch-size",
    "--lambda": "--subsequences",
    "--num-subsequences": "--subsequences",
    "--windows": "--subsequences",
    "--num-steps": "--steps",
    "--num-epochs": "--epochs",
    "--label-noise": "--forecast-noise",
    "--sigma-c": "--context-noise",
    "--sigma-f": "--forecast-noise",
    "--width": "--relation-width",
    "--level": "--relation",
    "--num-channels": "--channels",
    "--file": "--scenario",
    "--config": "--scenario",
}
_IN_COMMAND = {
    "delta": {"--delta": "--epsilon", "--target-epsilon": "--epsilon", "--eps": "--epsilon"},
    "epsilon": {"--epsilon": "--delta", "--target-delta": "--delta", "--eps": "--delta"},
    "risk": {
        "--fpr": "--false-positive-rate",
        "--false-positive-rates": "--false-positive-rate",
        "--false-alarms": "--false-positive-rate",
        "--alpha": "--false-positive-rate",
    },
    "calibrate": {
        "--epsilon": "--target-epsilon",
        "--eps": "--target-epsilon",
        "--target": "--target-epsilon",
        "--delta": "--target-delta",
    },
    "train": {
        "--epsilon": "--target-epsilon",
        "--eps": "--target-epsilon",
        "--delta": "--target-delta",
        "--output": "--out",
        "--o": "--out",
        "--lr": "--learning-rate",
        "--clip": "--clipping-norm",
        "--optimiser": "--optimizer",
        "--season": "--period",
        "--file": "--data",
    },
    "simulate": {"--num-batches": "--batches"},
    "statement": _OF_DOCUMENTS,
    "report": _OF_DOCUMENTS,
    "inference-study": {"--output": "--out", "--o": "--out"},
    "training-study": {"--output": "--out", "--o": "--out"},
    "forecast-study": {"--output": "--out", "--o": "--out", "--model": "--forecaster"},
    "release": {
        "--t": "--length",
        "--steps": "--length",
        "--i": "--participation",
        "--p": "--rate",
        "--sigma-g": "--filter-width",
        "--width": "--filter-width",
        "--eps": "--epsilon",
        "--output": "--out",
        "--file": "--data",
    },
    "multistage": {"--levels": "--level", "--steps": "--episodes", "--k": "--episodes"},
    "sweep": {
        "--output": "--out",
        "--o": "--out",
        "--epsilons": "--epsilon",
        "--eps": "--epsilon",
        "--jobs": "--processes",
        "--workers": "--processes",
        "--cluster": "--dask",
    },
    "ledger": {"--target": "--target-epsilon", "--eps": "--epsilon"},
}


def nearest_option(given: str, command: str, known: Sequence[str]) -> str | None:
    """Return the option of a command that is most like what was typed, if any is.

    >>> nearest_option("--noise", "epsilon", ["--noise-multiplier", "--epsilon"])
    '--noise-multiplier'
    >>> nearest_option("--delta", "delta", ["--epsilon", "--scenario"])
    '--epsilon'
    >>> nearest_option("--colour", "delta", ["--epsilon", "--scenario"]) is None
    True
    """
    word = "--" + given.split("=")[0].lstrip("-").lower().replace("_", "-")
    also = _IN_COMMAND.get(command, {}).get(word) or _ALSO_CALLED.get(word, word)
    if also in known:
        return also
    begun = (
        [option for option in known if option.startswith(word)] if len(word) > len("--x") else []
    )
    return next(iter(begun or get_close_matches(word, known, n=1)), None)
