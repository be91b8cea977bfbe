"""Which commands are run."""

from collections.abc import Iterator

from tests.goldens.visits import Visit

_SHAPE = "--num-series 320 --series-length 20 --context-length 1 --forecast-length 1"
_RUN = f"{_SHAPE} --batch-size 32 --noise-multiplier 1"
_PANEL = "--context-length 12 --forecast-length 3 --batch-size 16"
_EACH = {
    "epsilon": [
        "--scenario toy.json --delta 1e-7 1e-5",
        "--scenario walk.json",
        "--scenario traffic.json",
        f"{_RUN} --steps 40 --flat",
        f"{_RUN} --steps 40 --flat --bottom-level poisson",
        f"{_RUN} --steps 40 --subsequences 4 --bottom-level poisson --top-level poisson",
        f"{_RUN} --epochs 3 --top-level deterministic --relation user --relation-width 2",
        f"{_RUN} --steps 40 --forecast-noise 2 --max-change 1.5",
        "--top-rate 0.1 --bottom-rate 0.2 --noise-multiplier 1 --steps 100",
        "",
        f"{_RUN} --steps many",
        f"{_RUN} --steps 10 --noise-multiplier 0.001",
        "--scenario missing.json",
        "--help",
    ],
    "delta": ["--scenario toy.json --epsilon 0.5 1 4", "--scenario walk.json --epsilon 2", ""],
    "risk": [
        "--scenario toy.json --false-positive-rate 0.001 0.01 0.1",
        "--scenario walk.json --false-positive-rate 0.5",
        "--scenario toy.json --false-positive-rate 2",
    ],
    "calibrate": [
        f"{_SHAPE} --batch-size 32 --steps 40 --target-epsilon 2",
        f"{_RUN} --find steps --target-epsilon 6 --target-delta 1e-6",
        f"{_SHAPE} --noise-multiplier 1 --epochs 3 --find batch-size --target-epsilon 6",
        f"{_RUN} --epochs 3 --find subsequences --target-epsilon 9",
        f"{_RUN} --steps 40 --max-change 1 --find forecast-noise --target-epsilon 4",
        f"{_RUN} --find epochs --target-epsilon 1e-8",
    ],
    "simulate": [
        "--scenario toy.json --batches 2000 --seed 1",
        f"{_RUN} --steps 40 --top-level poisson --subsequences 2 --batches 500 --seed 3",
        "--scenario toy.json --batches 10000000000",
    ],
    "multistage": [
        "--level 5:64 --level 1:20 --noise-multiplier 1 --episodes 100 --epsilon 1 8",
        "--level 5:64 --level 1:20 --noise-multiplier 1 --epsilon 1 --reading printed",
        "--level 9:2 --noise-multiplier 1 --epsilon 1",
        "--tree [[4,2,3],[4,5]] --drawn 1 1 2 --noise-multiplier 4 --episodes 10 --epsilon 1",
        "--tree [[4,2],3] --drawn 1 1 1 --noise-multiplier 4 --epsilon 1",
    ],
    "release": [
        f"--mechanism {mechanism} --length 1800 --participation 180 --epsilon 0.5 --delta 1e-4"
        for mechanism in (
            "gaussian",
            "gaussian --accounting classical",
            "dft --coefficients 20",
            "dft --accounting paper",
            "subsample --rate 0.1",
            "subsample --rate 0.1 --accounting paper",
            "filter-subsample --rate 0.1 --filter-width 10",
            "filter-subsample --rate 0.1 --filter-width 10 --accounting paper",
            "filter-subsample --rate 0.1 --filter-width 10 --times-per-step 3",
        )
    ]
    + [
        "--mechanism subsample --participation 30 --rate 0.1 --epsilon 0.5 --delta 1e-4 --data "
        "counts.csv --out released.csv --seed 1",
        "--mechanism subsample",
    ],
    "ledger": [
        "runs.json --delta 1e-7 1e-5 --epsilon 1",
        "runs.json --next main --target-epsilon 15",
        "toy.json",
    ],
    "sweep": [
        "grid.json --out results.csv --epsilon 1 --processes 1",
        "toy.json --out results.csv --processes 1",
    ],
    "forecast-study": [
        "--data generated --protection top-coding:0.2 laplace-known-bounds:10:0:20000 nearest-swap:"
        "3:12 --forecaster ses --out errors.csv --features features.csv --reasons reasons.csv",
        "--data generated --protection none:1",
    ],
    "train": [
        f"--data synthetic {_PANEL} --steps 15 --target-epsilon 8 --seed 1 --out made",
        f"--data series.csv {_PANEL} --steps 10 --target-epsilon 9 --model dlinear --seed 2",
        f"--data series.csv {_PANEL} --steps 10 --no-privacy --model feedforward --seed 2",
        "--data series.csv --model naive --context-length 12 --forecast-length 3",
        "--data synthetic --model none",
    ],
    "inference-study": ["--data nothing", "--help"],
    "training-study": ["--question nothing", "--help"],
}
_DOCUMENTS = {
    "statement": [
        "--scenario toy.json --delta 1e-6 --output statement.md",
        "--scenario walk.json",
        f"{_RUN} --steps 40 --forecast-noise 2 --max-change 1.5",
        "--scenario toy.json --base-url https://dpviz.example",
    ],
    "report": [
        "--scenario toy.json --output report.html",
        "--scenario walk.json --output report.html --base-url https://dpviz.example",
    ],
}


def command_visits() -> Iterator[Visit]:
    """Yield all of them, for people and for programs."""
    for command, several in _EACH.items():
        for at, options in enumerate(several, start=1):
            for form in ("", "--json"):
                if options == "--help" and form:
                    continue
                words = " ".join(filter(None, (command, options, form)))
                name = f"{at} as {'JSON' if form else 'text'}"
                yield Visit(group=f"command-{command}", name=name, link=words)
    for command, several in _DOCUMENTS.items():
        for at, options in enumerate(several, start=1):
            yield Visit(group=f"command-{command}", name=str(at), link=f"{command} {options}")
    yield Visit(group="command-help", name="help", link="--help")
    yield Visit(group="command-help", name="nothing", link="nothing")
