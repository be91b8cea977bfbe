"""One forecast of a hidden context as CSV, with the noise that it takes."""

import csv
import io
from collections.abc import Sequence

import dpviz
from dpviz.private_inference.example import Example
from dpviz.private_inference.noise import NoiseAtRate
from dpviz.private_inference.plan import HidingPlan
from dpviz.training.quantiles import LEVELS

COLUMNS = (
    "part", "number", "as_it_is", "seen", "kept",
    *(f"q{round(100 * level)}" for level in LEVELS),
    *(f"q{round(100 * level)}_from_context_as_it_is" for level in LEVELS),
)  # fmt: skip


def private_inference_csv(
    plan: HidingPlan,
    noise: float,
    epsilon: float,
    example: Example,
    at_rates: Sequence[NoiseAtRate],
    *,
    model: str,
    seed: int,
) -> str:
    """Return a row for each value of the context and of the forecast, of a made-up series.

    Lines that begin with # describe it, the noise of each rate among them;
    ``pandas.read_csv(path, comment="#")`` reads the table.
    """
    text = io.StringIO()
    for line in (
        f"dpviz {dpviz.__version__}: a forecast that reads a hidden context (made-up series)",
        f"epsilon: {epsilon!r}, upper bound at delta {plan.delta!r}, exact accounting (tight), of "
        f"{plan.forecasts} released forecast(s) {plan.stride} time steps apart",
        f"protected: {plan.level} level, {plan.width} value(s) of one series changed by at most "
        f"{plan.max_change!r}; read at most {plan.readings} time(s) in all",
        f"rate: {plan.rate!r}; noise: {noise!r} (standard deviation on each kept value)",
        f"model: {model}, trained on other made-up series without privacy",
        f"seed {seed}: a simulation, not private; who knows the seed can take the noise off",
        "noise by rate: rate, exact, Theorem 2 with tight Gaussian noise, Theorem 2 as printed",
        *(f"noise by rate: {_noises(one)}" for one in at_rates),
    ):
        text.write(f"# {line}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    nothing = [""] * (2 * len(LEVELS))
    for at, value in enumerate(example.context.tolist()):
        seen, kept = float(example.seen[at]), int(example.kept[at])
        writer.writerow(["context", example.first + at, repr(value), repr(seen), kept, *nothing])
    for at, value in enumerate(example.truth.tolist()):
        place = example.first + len(example.context) + at
        quantiles = [
            number
            for forecast in (example.hidden, example.clear)
            if forecast is not None
            for number in forecast[at].tolist()
        ]
        writer.writerow(["forecast", place, repr(value), "", "", *map(repr, quantiles)])
    return text.getvalue()


def _noises(one: NoiseAtRate) -> str:
    told = [one.by(name) for name in ("exact", "failure", "paper")]
    return ", ".join([repr(one.rate), *("" if noise is None else repr(noise) for noise in told)])
