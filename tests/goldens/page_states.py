"""Which states of the pages that explore and plan a training run are visited."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

from dpviz.planning.over_steps import under_top_level
from dpviz.scenario import PRESETS, Noise, Relation, Sampling, Scenario
from dpviz.scenario.mechanism import BOTTOM_LEVELS, TOP_LEVELS
from dpviz.settings import SETTINGS
from dpviz.settings.planner import REGION_AXES
from tests.goldens.drawing_states import query, settings, some_pins
from tests.goldens.files import TOY
from tests.goldens.visits import Visit
from tests.scenario.changes import varied

LESS = varied(TOY, steps=12)
WINDOWS = replace(LESS, sampling=Sampling(batch_size=32, num_subsequences=4))
COINS = replace(LESS, sampling=Sampling(batch_size=32, top_level="poisson"))
WALK = varied(LESS, sampling=Sampling(batch_size=32, top_level="shuffled"), epochs=3)
BINS = under_top_level(WALK, "bins")
BAG = replace(LESS, sampling=Sampling(batch_size=32, top_level="flat"))
LABELS = replace(
    LESS, noise=Noise(noise_multiplier=1.0, forecast_noise=2.0), relation=Relation(max_change=2.0)
)
USER = replace(LESS, relation=Relation(level="user", width=3))
RATES = LESS.with_rates(bottom_rate=0.2)
# Of the planner, where a state is not about its map of hundreds of fields.
CURVE = {"plan_chart": "curve"}
# The choices of a page that show another chart, or answer another question.
VIEWS: dict[str, tuple[dict[str, object], ...]] = {
    "privacy_curve": ({"chart": "training", "target_epsilon": 6},),
    "subsequences": ({"chart": "training", "fixed_epsilon": 0.5}, {"compared_steps": 3}),
    "sample_or_walk": tuple({"compared_length": name} for name in ("step", "epoch", "ten-epochs")),
    "label_noise": ({"noise_chart": "map"},),
    "one_bag": ({"bag_chart": "curve"},),
    "protection": ({"first_date": "2024-01-31", "time_step": "1 day"},),
    "epsilon_meaning": (
        {"rate_axes": "log", "target_false_positive_rate": 0.01, "prior": 0.1},
        {"game_kind": "drawn", "game_seed": 5},
        {"meant_epsilon": "typed", "typed_epsilon": 2.0},
    ),
    "batch_drawing": ({"drawn_batch": 7, "drawing_seed": 3},),
    "theory_check": (
        {"simulated_runs": 2000, "simulated_units": 3},
    ),
    "planner": (
        {"plan_chart": "map", "region_x": "batch_size", "region_y": "training"},
        {"plan_chart": "map", "region_layer": "noise"},
        {"plan_chart": "compare"},
        CURVE,
    ),
}  # fmt: skip
_DRAWN_EACH = 3


def page_visits() -> Iterator[Visit]:
    """Yield all of them."""
    for page, views in VIEWS.items():
        yield from _of_each(page, views)
    yield from _schemes()
    yield from _curve()
    yield from _planner()
    yield _visit(
        "epsilon_meaning", "a game", COINS, then=(("press", "game_y"), ("press", "game_n"))
    )
    yield _visit("batch_drawing", "next hit", LESS, then=(("press", "next_hit"),))
    yield _visit("label_noise", "labels", LABELS, parts=True)
    yield _visit("protection", "user", USER)
    yield _visit("subsequences", "refused", BAG)
    yield _visit("one_bag", "from rates", RATES)
    # Kinds of sampling that have a walk or coins of their own on these pages.
    for page in ("epsilon_meaning", "batch_drawing", "theory_check", "one_bag"):
        for name, scenario in (("walk", WALK), ("bins", BINS), ("coins", COINS), ("bag", BAG)):
            yield _visit(page, name, scenario)
    yield _visit("planner", "bins", BINS, view=CURVE | {"target_epsilon": 2})
    yield _visit("label_noise", "bins", replace(BINS, noise=LABELS.noise, relation=LABELS.relation))


def _visit(page: str, name: str, scenario: Scenario, **others: object) -> Visit:
    view = others.pop("view", {})
    parts, then = bool(others.pop("parts", False)), others.pop("then", ())
    pins = others.pop("pins", ())
    link = f"{page}?{query(scenario, pins, **view)}"  # type: ignore[arg-type]
    return Visit(group=page, name=name, link=link, parts=parts, then=then)  # type: ignore[arg-type]


def _of_each(page: str, views: tuple[dict[str, object], ...]) -> Iterator[Visit]:
    yield Visit(group=page, name="first", link=page)
    yield _visit(page, "all parts", WINDOWS, parts=True)
    for at, view in enumerate(views, start=1):
        yield _visit(page, f"view {at}", LESS, view=view)
    for at in range(1, _DRAWN_EACH + 1):
        draw = Random(f"{page} {at}")
        pins = some_pins(draw, draw.choice((0, 0, 1, 2)))
        view = draw.choice(({}, *views))
        yield _visit(page, f"drawn {at}", settings(draw), pins=pins, view=view)


def _schemes() -> Iterator[Visit]:
    noisy = Noise(noise_multiplier=1.0, forecast_noise=1.5)
    for top, bottom in product(TOP_LEVELS, BOTTOM_LEVELS):
        sampling = Sampling(batch_size=32, top_level=top, bottom_level=bottom)
        try:
            scenario = replace(LESS, sampling=sampling)
        except ValueError:
            continue
        name = f"{top} {bottom}"
        yield _visit("privacy_curve", name, scenario, parts=bottom == "poisson")
        labels = replace(scenario, noise=noisy, relation=Relation(max_change=1.0))
        yield _visit("sample_or_walk", name, labels)


def _curve() -> Iterator[Visit]:
    page = "privacy_curve"
    for name, preset in PRESETS.items():
        yield _visit(page, f"preset {name}", preset.scenario, parts=name == "traffic")
        yield _visit(
            "planner", f"preset {name}", preset.scenario, view=CURVE | {"target_epsilon": 2}
        )
        yield _visit("protection", f"preset {name}", preset.scenario)
    yield _visit(page, "pins", LESS, pins=some_pins(Random(page), 5), parts=True)
    yield _visit(page, "rates", RATES, parts=True)
    yield _visit(page, "rates alone", LESS, view={"bottom_rate": 0.5, "top_rate": 0.25})
    yield _visit(page, "presented", LESS, view={"present": 1, "lesson": "rates"})
    wrong = {"noise_multiplier": "-1", "chart": "pie", "steps": "many", "batch_size": "9999"}
    yield _visit(page, "refused", LESS, view=wrong)
    yield _visit(page, "walk over training", WALK, view={"chart": "training"})
    yield _visit(page, "a table", LESS, then=(("click", "show_table"),))
    changes = (
        ("press", "pin"),
        ("act", "noise_multiplier", 2.0),
        ("act", "num_series", 7),
        ("act", "steps", "a lot"),
        ("press", "undo"),
    )
    for count in range(1, len(changes) + 1):
        yield _visit(page, f"after {count} acts", LESS, then=changes[:count])
    for name in ("series.csv", "walk.json", "none.csv"):
        yield _visit(page, f"file {name}", LESS, parts=True, then=(("upload", "upload_0", name),))
    then = (("upload", "upload_0", "series.csv"), ("press", "use_file"))
    yield _visit(page, "file used", LESS, parts=True, then=then)


def _planner() -> Iterator[Visit]:
    epochs = varied(LESS, epochs=10)
    for goal, free in product(SETTINGS["goal"].choices, SETTINGS["free_quantity"].choices):
        view = CURVE | {"goal": goal, "free_quantity": free, "target_epsilon": 2}
        scenario = LABELS if free == "forecast_noise" else epochs
        yield _visit("planner", f"{goal} {free}", scenario, view=view, parts=free == "training")
    axes = list(REGION_AXES)
    for at, axis in enumerate(axes):
        other = axes[at - 2]
        view = {"plan_chart": "map", "region_x": axis, "region_y": other, "target_epsilon": 3}
        yield _visit("planner", f"map of {axis}", epochs, view=view)
    compared = {"plan_chart": "compare", "target_epsilon": 3}
    pins = some_pins(Random("planner"), 3)
    yield _visit("planner", "compared", epochs, view=compared, pins=pins)
    adopted = (("press", "plan_adopt"),)
    yield _visit("planner", "adopted", epochs, view=CURVE | {"target_epsilon": 3}, then=adopted)
