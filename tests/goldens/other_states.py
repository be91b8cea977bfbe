"""Which states of all other pages are visited: releases, studies, figures, lessons, words."""

from collections.abc import Iterator
from urllib.parse import urlencode

from dpviz.scenario.ledger import ledger_to_query
from dpviz.settings import SETTINGS
from dpviz.settings.lessons import LESSONS
from dpviz.settings.protected_forecasts import PROTECTION_METHODS
from dpviz.settings.release import RELEASE_WAYS
from tests.goldens.files import RUNS, TOY
from tests.goldens.visits import Visit
from tests.pages.app import link_of
from tests.pages.train_page import COMPARE, LINK

_FEW = {"release_repetitions": 10, "synth_frequency": 0.0625}
_QUICK = {"live_forecasters": "ses", "forecast_count": 3}
_RUNS = {"target_epsilon": 20, **ledger_to_query(RUNS)}
_START = (("press", "train_start"),)


def other_visits() -> Iterator[Visit]:
    """Yield all of them."""
    for page in ("start", "theorems", "how_to_choose", "glossary", "paper_tables", "train"):
        yield _visit(page, "first")
    for group in (_lessons, _release, _protected, _hidden, _staged, _paper, _study, _train):
        yield from group()
    yield from _ledger()
    yield from _sweeps()
    yield _visit("glossary", "searched", {"search": "noise"})
    yield _visit("glossary", "nothing found", {"search": "qqq"})
    yield _visit("glossary", "term", {"term": "epsilon"})


def _visit(page: str, name: str, view: dict | None = None, **others: object) -> Visit:
    link = f"{page}?{urlencode(view)}" if view else page
    return Visit(group=page, name=name, link=link, **others)  # type: ignore[arg-type]


def _lessons() -> Iterator[Visit]:
    yield _visit("lessons", "first")
    for lesson in LESSONS:
        told = {"lesson": lesson, "answers": f"{lesson}-b", "revealed": lesson}
        yield _visit("lessons", lesson, told)
    yield _visit("lessons", "all", {"lesson": "all"})
    yield _visit("lessons", "asked", {"lesson": "rates", "answers": "leak-a"})
    yield _visit("lessons", "presented", {"lesson": "windows", "present": 1})


def _release() -> Iterator[Visit]:
    yield _visit("release", "first")
    for at, way in enumerate(RELEASE_WAYS):
        yield _visit("release", way, _FEW | {"release_way": way}, parts=at == 5)
    yield _visit("release", "lane", _FEW | {"release_source": "lane", "lane_days": 2})
    noisy = {"synth_noise": 20, "participation": 40, "times_per_step": 3, "release_rate": 0.3}
    yield _visit("release", "noisy", _FEW | noisy | {"participation_factor": 4})
    yield _visit("release", "refused", _FEW | {"participation": 0, "release_epsilon": 500})
    open_file = (("act", "release_source", "file"), ("upload", "counts_upload_0", "counts.csv"))
    yield _visit("release", "file", _FEW, then=open_file)


def _protected() -> Iterator[Visit]:
    page = "protected_forecasts"
    yield _visit(page, "first")
    for at, method in enumerate(PROTECTION_METHODS):
        yield _visit(page, method, _QUICK | {"protection_method": method}, parts=at == 4)
    yield _visit(page, "not installed", _QUICK | {"protected_data": "m3"})
    more = {"live_forecasters": "ses,des,tes", "forecast_series": 2, "coded_share": 0.4}
    yield _visit(page, "more forecasters", _QUICK | more)
    for name in ("series.csv", "none.csv"):
        then = (("act", "protected_data", "file"), ("upload", "upload_0", name))
        yield _visit(page, f"file {name}", _QUICK, then=then)


def _hidden() -> Iterator[Visit]:
    page = "private_inference"
    yield _visit(page, "first")
    yield _visit(page, "all parts", {"hidden_rate": 0.75}, parts=True)
    noise = {"hidden_given": "noise", "hidden_noise": 40, "hidden_level": "user", "hidden_width": 2}
    yield _visit(page, "noise", noise)
    many = {"hidden_forecasts": 7, "hidden_stride": 3, "hidden_context": 24, "hidden_epsilon": 5}
    yield _visit(page, "many forecasts", many)
    for at, model in enumerate(("dlinear", "feedforward", "naive")):
        study = {"hidden_model": model, "hidden_study_context": ("2", "24", "8")[at]}
        table = {"hidden_table": str(11 + at), "hidden_study": ("m3", "generated", "m3")[at]}
        width = {"hidden_study_width": ("one", "all", "all")[at], "hidden_series": at + 2}
        yield _visit(page, model, study | table | width, parts=True)


def _staged() -> Iterator[Visit]:
    yield _visit("multistage", "first")
    levels = {"staged_levels": "1:2,3:6", "staged_noise": 2, "staged_episodes": 4}
    for example in SETTINGS["staged_example"].choices:
        view = levels | {"staged_example": example, "fixed_epsilon": 0.5}
        yield _visit("multistage", example, view, parts=True)
    yield _visit("multistage", "three levels", {"staged_levels": "2:9,1:4,5:8"})
    yield _visit("multistage", "refused", {"staged_levels": "9:2"})
    yield _visit("multistage", "added", levels, then=(("press", "staged_add"),))


def _paper() -> Iterator[Visit]:
    for figure in SETTINGS["figure"].choices:
        yield _visit("paper_figures", f"figure {figure}", {"figure": figure}, parts=figure == "3")
    yield _visit("paper_figures", "another panel", {"figure": "4", "panel": 2})
    for at, table in enumerate(SETTINGS["reported_table"].choices):
        view = {"reported_table": table, "reported_column": at % 3}
        view |= {"reported_windows": "lags"} if at % 2 else {}
        yield _visit("paper_tables", f"table {table}", view, parts=at == 1)


def _study() -> Iterator[Visit]:
    page = "training_study"
    yield _visit(page, "first")
    for at, question in enumerate(SETTINGS["study_question"].choices):
        for model in SETTINGS["study_model"].choices:
            data = "m3" if (at + len(model)) % 2 else "generated"
            view = {"study_question": question, "study_model": model, "study_data": data}
            yield _visit(page, f"{question} {model}", view, parts=at == 1)


def _train() -> Iterator[Visit]:
    for model in SETTINGS["hidden_model"].choices:  # without those that need PyTorch
        yield _visit("train", model, LINK | {"trained_model": model}, then=_START)
    yield _visit("train", "all parts", LINK, parts=True, then=_START)
    yield _visit("train", "without privacy", LINK | {"trained_privacy": "none"}, then=_START)
    by_hand = {"trained_noise": "set", "noise_multiplier": "2", "forecast_noise": "1"}
    yield _visit("train", "noise by hand", LINK | by_hand, then=_START)
    for setting in SETTINGS["compared_setting"].choices:
        view = COMPARE | {"compared_setting": setting, "trained_steps": "5"}
        yield _visit("train", f"compared {setting}", view, then=_START)
    # A file is never trained with a seed: what a run on it says is another thing each time.
    then = (("act", "choose_trained_on", "file"), ("upload", "panel_upload_0", "series.csv"))
    yield _visit("train", "file", LINK, then=then)
    yield _visit("train", "refused", LINK | {"trained_context": "79", "target_epsilon": "0.001"})


def _ledger() -> Iterator[Visit]:
    link = link_of(TOY) | _RUNS
    yield _visit("ledger", "first")
    yield _visit("ledger", "three runs", link)
    yield _visit("ledger", "all parts", link | {"target_epsilon": 8}, parts=True)
    yield _visit("ledger", "removed", link, then=(("press", "ledger_remove_1"),))
    yield _visit("ledger", "added", link_of(TOY), then=(("press", "ledger_add"),))
    opened = (("upload", "ledger_file_0", "runs.json"),)
    yield _visit("ledger", "file", link, parts=True, then=opened)
    yield _visit("ledger", "refused", link | {"run_2": "nonsense"})


def _sweeps() -> Iterator[Visit]:
    page = "sweep_results"
    yield _visit(page, "first", parts=True)
    view = {"sweep_chart": "scatter", "sweep_x": "batch_size", "sweep_y": "epsilon_lower"}
    yield _visit(page, "scatter", view)
    yield _visit(page, "few rows", {"sweep_most_epsilon": 5, "sweep_row": 4})
    yield _visit(page, "a file", then=(("upload", "sweep_file_0", "sweep.csv"),))
    yield _visit(page, "no table", then=(("upload", "sweep_file_0", "none.csv"),))
