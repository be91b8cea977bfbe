"""A visitor's own series on the page that trains."""

from dataclasses import dataclass, field, replace

import numpy as np

from dpviz.jobs import State as RunState
from dpviz.scenario import PRESETS, TimeStep
from dpviz.series_file import Choice, SeriesLengths
from dpviz.series_file.any_layout import NO_NAMES
from dpviz.training.panel import Panel
from dpviz.training.panel_source import NOT_ACCOUNTED, GivenSource
from dpviz.ui.offered_file import UsedFile, digest_of, keep, used_files
from dpviz.ui.questions.ledger import shown_runs
from dpviz.ui.questions.planner_next_steps import small_run_view
from dpviz.ui.state import State
from dpviz.wording.numbers import rounded_up
from tests.pages.app import TOY, link_of
from tests.pages.train_page import COMPARE, LINK, PAGE, cut_off, train
from tests.scenario.changes import varied
from tests.training.runs import result_in


def opened_with(open_page, link, panel, key="file 1234"):
    """Open the page, and series as its visitor would by a file."""
    app = open_page(link, PAGE, ())
    app.state.opened["series to train on"] = GivenSource(panel, key)
    return app.act("choose_trained_on", "file")


def with_file(open_page, link):
    panel = Panel(
        series=tuple(
            [float(1 + (at + place) % 9 + at / 9) for at in range(60)] for place in range(20)
        ),
        names=tuple(f"shop {place}" for place in range(20)),
        period=7,
        time_step=TimeStep(1, "day"),
    )
    return opened_with(open_page, link, panel)


def test_a_run_on_a_file_is_the_visitors_alone_and_goes_into_the_ledger_as_it_was_trained(
    open_page, training_runs, downloads
):
    """The notes tell exactly how many values are missing; epsilon says nothing of that."""
    app = train(with_file(open_page, LINK))
    ((key, run),) = training_runs.runs.items()
    result = result_in(run.told)
    assert "file 1234" in key
    assert result.settings.seed is None
    assert "of your settings" not in app.headline  # of which nothing is planned
    assert "shop 0" in app.chart_title("forecast")
    assert all(sentence in app.all_words for sentence in NOT_ACCOUNTED)
    # It is made outside of a run of the page.
    table = downloads["Download CSV"]()
    assert NOT_ACCOUNTED[0] in table
    assert table.strip().split("\n")[-1].startswith(str(app.state.view.trained_steps))
    app.click("run_to_ledger")
    (kept,) = shown_runs(app.state)
    assert kept.scenario.training.count == result.spent.steps
    assert kept.scenario.units.time_step == TimeStep(1, "day")  # as in the file
    assert kept.scenario.data == result.settings.scenario.data
    assert f"{rounded_up(result.spent.epsilon)}" in app.headline


def test_what_was_guessed_of_a_file_is_said_before_it_is_trained_on(open_page):
    app = with_file(open_page, LINK)
    assert "guessed" not in app.headline
    kept = app.state.opened["series to train on"]
    app.state.opened["series to train on"] = replace(kept, guess="Each row was taken to be one.")
    assert "guessed to be meant.** Each row was taken to be one." in app.run().headline


def test_a_run_on_a_file_that_was_cut_off_counts_and_the_page_says_so(open_page, training_runs):
    """Before a run and after one that ended without a result; and when the file is gone, too."""
    app = with_file(open_page, LINK)
    for words in ("has fresh noise", "has spent what it showed", "[Ledger](ledger)"):
        assert words in app.headline
    gone = open_page(app.link, PAGE, ())
    assert "in no link and on no disk" in gone.notes
    assert "Was a run on your file cut off" in gone.notes
    assert "has spent what it showed" not in open_page(LINK, PAGE, ()).headline


def test_what_a_run_on_a_file_showed_before_it_was_cut_off_can_be_added_to_the_ledger(
    open_page, training_runs
):
    app = train(with_file(open_page, LINK))
    whole, cut = cut_off(training_runs, 6)
    app.run()
    assert "**Cut off after 4 training steps, without a result.**" in app.headline
    spent = rounded_up(cut.told[-1].spent.epsilon)
    assert f"at most ε = {spent} at δ" in app.headline
    assert not app.control("train_start").disabled
    app.click("run_to_ledger")
    (kept,) = shown_runs(app.state)
    assert kept.scenario.training.count == 4
    assert kept.scenario.noise == result_in(whole.told).settings.scenario.noise
    assert f"**So far: ε ≤ {spent}**" in app.headline


def test_compared_runs_are_added_to_the_ledger_all_with_one_press(open_page, training_runs):
    """They were in no ledger: the budget that they spend on a file was told, and forgotten."""
    app = train(with_file(open_page, COMPARE | {"trained_steps": "3"}))
    (run,) = training_runs.runs.values()
    assert all(sentence in app.all_words for sentence in NOT_ACCOUNTED)
    app.click("compared_to_ledger")
    kept = {one.name: one.scenario for one in shown_runs(app.state)}
    assert list(kept) == [
        f"2 × {name} per series" for name in ("1 window", "4 windows", "16 windows")
    ]
    for at, scenario in enumerate(kept.values()):
        of_one = [one for one in run.told if one.variant == at]
        assert scenario.num_steps == sum(one.spent.steps for one in of_one) == 6
        sigma = of_one[0].noise_multiplier
        assert scenario.noise.noise_multiplier == sigma
        assert f"| 6 steps at σ = {sigma:g} |" in app.all_words


def test_a_file_of_few_series_gets_a_batch_size_that_fits_and_the_page_says_so(open_page):
    """The batch size of the made-up series is more than many files have series."""
    app = open_page({"trained_on": "file"}, PAGE, ("open_data",))
    rows = ["day," + ",".join(f"shop {shop}" for shop in range(10))]
    for day in range(80):
        values = ",".join(str(5 + (day + shop) % 7) for shop in range(10))
        rows.append(f"2024-{1 + day // 28:02}-{1 + day % 28:02},{values}")
    content = "\n".join(rows).encode()
    app.upload("panel_upload_0", "shops.csv", content)
    told = "Λ = 8 is trained: the file has too few series for 64."
    assert told in app.captions
    assert not app.error
    # Nor does what has changed the settings since, such as the browser's way back.
    app.open_link(app.link | {"trained_steps": "20"})
    assert told in app.captions
    assert not app.error
    assert told not in app.act("trained_batch", 4).captions


def with_huge_values(open_page):
    values = np.ones((20, 60))
    values[:, 3] = 1e308
    panel = Panel(series=tuple(values), names=tuple(map(str, range(20))), period=7)
    return opened_with(open_page, LINK | {"trained_steps": "3"}, panel, "file huge")


def test_a_baseline_that_is_not_finite_is_refused_or_said_beside_what_was_spent(
    open_page, training_runs, monkeypatch
):
    """It is said though no size were refused."""
    app = with_huge_values(open_page)
    assert "the size of each value must be" in app.all_words
    assert not training_runs.runs
    monkeypatch.setattr("dpviz.training.panel.LARGEST_SIZE", np.inf)
    app = train(with_huge_values(open_page))
    assert "The error of the seasonal naive forecast is not finite" in app.all_words
    assert "at most ε" in app.all_words


SCRIPT = "Training script, NumPy"
PLANNED = LINK | {"plan_chart": "curve"}  # its map takes seconds
ROWS = "\n".join(
    [",".join(f"v{at}" for at in range(60))]
    + [",".join(str((3 * at + place) % 7) for place in range(60)) for at in range(4)]
).encode()


def planned_for(open_page):
    """Use a file on the planner, whose rows are said to be series."""
    app = open_page(PLANNED, "planner", ("open_data",))
    app.upload("upload_0", "mine.csv", ROWS).act("layout_of_file", "rows")
    return app.press("use_file")


def trained_on(app):
    return app.go_to(PAGE).act("choose_trained_on", "file")


def test_a_file_that_was_planned_for_is_taken_over_as_it_was_confirmed(open_page, training_runs):
    """By itself this table has a series in each column. It is kept once, and said how long."""
    app = planned_for(open_page)
    assert "Kept in this server's memory" in app.all_words
    (used,) = used_files(app.state)
    assert (used.content, used.lengths.layout) == (ROWS, "rows")
    app = trained_on(app)
    assert "From mine.csv: 4 series." in app.all_words
    assert used.content is None
    assert not app.error
    assert "series to train on" in app.state.opened
    app.press("forget_panel")
    assert "series to train on" not in app.state.opened
    app.upload("panel_upload_1", "another.csv", ROWS)
    assert "From another.csv: 60 series." in app.all_words
    assert "more series than values" in app.state.opened["series to train on"].guess
    app.upload("panel_upload_2", "mine.csv", ROWS)
    assert "From mine.csv: 4 series." in app.all_words
    assert app.state.opened["series to train on"].guess == ""
    # A file that is used later takes the place of what was trained on.
    app.go_to("planner").upload("upload_3", "other.csv", ROWS + b"\n" + ROWS.splitlines()[1])
    app.act("layout_of_file", "rows").press("use_file")
    assert "From other.csv: 5 series." in trained_on(app).all_words


TIDY = "\n".join(
    ["store,date,sold"]
    + [f"shop {s},2024-01-{d:02},{(d + s - 1) % 7}" for s in range(9) for d in range(1, 29)]
).encode()


def test_a_batch_of_one_bag_may_have_more_windows_than_there_are_series(open_page):
    bag = varied(TOY, top_level="flat")
    app = open_page(link_of(bag) | {"trained_on": "file"}, PAGE, ())
    app.upload("panel_upload_0", "tidy.csv", TIDY)
    assert "From tidy.csv: 9 series." in app.all_words
    assert app.state.view.trained_batch == 64
    assert not app.error
    assert small_run_view(varied(bag, batch_size=1000), 1.0, None)["trained_batch"] == 1000


CHOSEN = {
    "context_length": 5, "forecast_length": 2, "batch_size": 4, "relation_width": 1, "training": 20
}  # fmt: skip


def with_all_chosen(app, **others):
    """Choose what a tidy file leaves open."""
    return app.acts([(f"first_{field}", value) for field, value in (CHOSEN | others).items()])


def planned_tidily(open_page, link=PLANNED, **others):
    app = open_page(link, "planner", ("open_data",))
    return with_all_chosen(app.open_series("tidy.csv", TIDY), **others)


def test_rates_and_lengths_that_are_typed_are_no_file_to_train_on(open_page, downloads):
    """Nor is one that was used before them."""
    app = planned_tidily(open_page)
    assert app.button(key="train_plan").label == "Train with this plan"
    assert '"store"' in downloads[SCRIPT]()
    app.act("bottom_rate", 0.2)
    assert app.button(key="train_plan").label == "Train a small run with this plan"
    app.press("undo")
    app.act("series_length", "60 x 40, 50 x 30")
    assert '"store"' not in downloads[SCRIPT]()
    assert app.button(key="train_plan").label == "Train a small run with this plan"
    assert app.click("train_plan").state.view.trained_on == "generated"


def test_a_file_that_is_forgotten_on_the_planner_has_to_be_opened_again(open_page, training_runs):
    app = planned_for(open_page).press("forget_kept")
    assert "Kept in this server's memory" not in app.all_words
    assert "series to train on" not in trained_on(app).state.opened


def test_a_plan_is_trained_on_the_file_that_it_is_for_and_on_no_other(open_page, training_runs):
    app = open_page(PLANNED | {"trained_on": "file"}, PAGE, ("open_data",))
    app.upload("panel_upload_0", "another.csv", ROWS)
    assert "From another.csv: 60 series." in app.all_words
    with_all_chosen(app.go_to("planner").open_series("tidy.csv", TIDY, "upload_1"))
    assert "the file is taken over" in app.button(key="train_plan").help
    app.press("forget_kept")
    assert "the file has to be opened there again" in app.button(key="train_plan").help
    app.click("train_plan")
    assert "**No file is open.**" in app.notes
    app.upload("panel_upload_2", "tidy.csv", TIDY)
    app.go_to("planner")
    assert "the file is taken over" in app.button(key="train_plan").help
    assert "From tidy.csv: 9 series." in app.click("train_plan").all_words
    # The plan counted all values, also those that are kept for a test.
    less = (
        "**L = 24 values of each series are trained on, not the 28 of your settings**: the last 4"
    )
    assert less in app.headline
    assert less in train(app.go_to(PAGE)).headline


def test_undo_brings_back_the_file_that_a_plan_is_for(open_page, training_runs, downloads):
    """The settings went back to the file before, and the page that trains had the later one."""
    app = planned_tidily(open_page)
    app.upload("upload_1", "mine.csv", ROWS).act("layout_of_file", "rows").press("use_file")
    assert "Train*: tidy.csv and mine.csv; at most" in app.captions
    app.press("undo")
    assert '"store"' in downloads[SCRIPT]()
    assert "the file is taken over" in app.button(key="train_plan").help
    assert "From tidy.csv: 9 series." in app.click("train_plan").all_words
    # What was read there is kept once: after a later file it has to be opened again.
    app.go_to("planner").upload("upload_2", "mine.csv", ROWS).act("layout_of_file", "rows")
    assert "From mine.csv: 4 series." in app.press("use_file").go_to(PAGE).all_words
    assert "**Your settings are for another file, tidy.csv**" in app.press("undo").headline


def test_the_plan_is_told_where_its_file_is_trained_on_with_what_it_finds(open_page):
    """Steps and batch size are the page's own, and what trains without privacy has no noise."""
    app = trained_on(planned_tidily(open_page, PLANNED | {"trained_noise": "set"}))
    assert "*Plan* finds noise multiplier σ = " in app.said
    assert "*Plan* finds" not in app.act("choose_trained_privacy", "none").said
    assert "*Plan* finds" in app.act("choose_trained_privacy", "private").said
    for quantity in ("training", "batch_size"):
        found = app.go_to("planner").act("free_quantity", quantity)
        assert "*Plan* finds" in found.go_to("privacy_curve").said
        assert "*Plan* finds" not in app.go_to(PAGE).said


def test_a_file_before_the_last_two_is_not_kept(open_page):
    app = planned_for(open_page)
    for at, name in enumerate(("b.csv", "c.csv"), start=1):
        app.upload(f"upload_{at}", name, ROWS).act("layout_of_file", "rows").press("use_file")
    assert [one.content for one in used_files(app.state)] == [None, ROWS, ROWS]
    app.press("forget_kept")
    assert not any(one.content for one in used_files(app.state))


def test_a_plan_whose_training_is_refused_says_so_and_what_helps(open_page, training_runs):
    rows = [f"s{at},{t},{t % 7}" for at, L in enumerate((5, 90, 80)) for t in range(L)]
    app = open_page(PLANNED, "planner", ("open_data",))
    app = app.open_series("uneven.csv", "\n".join(["name,t,value", *rows]).encode())
    app = with_all_chosen(app, batch_size=2)
    assert "this plan for the file**: 1 of 3 series has fewer than 6 values" in app.words
    assert "Leave it out of the file, or plan for L_F ≤ 1." in app.words
    app.click("train_plan")
    assert app.errors == (
        "These settings are not trained. Forecast length L_F = 2 is not allowed: it must be at "
        "most 1, or shorter series have to be left out: each needs 6 values, room for 3 forecasts, "
        'all but one of them kept from training. 1 of 3 series has fewer: "s0" has 5.'
    )


def test_series_that_a_plan_leaves_out_and_a_shorter_forecast_does_not_are_told(
    open_page, training_runs
):
    rows = [f"s{L},{t},{t % 7}" for L in (20, 100, 200) for t in range(L)]
    table = "\n".join(["name,t,value", *rows]).encode()
    traffic = link_of(PRESETS["traffic"].scenario) | {"plan_chart": "curve"}
    app = open_page(traffic, "planner", ("open_data",)).open_series("uneven.csv", table)
    app = trained_on(with_all_chosen(app, forecast_length=24, batch_size=2))
    app.act("trained_forecast", 6)
    assert "**L = 8 or more values of each series are trained on, not the 100" in app.headline
    assert "the last 12 are for validation and test. N is 3, not 2: your settings" in app.headline
    assert "leave out series shorter than their L_F = 24. So ε is" in app.headline


def test_what_of_a_plan_is_trained_otherwise_is_still_said_when_its_file_is_read(
    open_page, training_runs
):
    noisy = link_of(varied(TOY, forecast_noise=2.0)) | {"plan_chart": "curve"}
    app = planned_tidily(open_page, noisy, training=200_000)
    changes = len(app.state.history.past)
    app.click("train_plan")
    assert "From tidy.csv: 9 series." in app.all_words
    assert "Training steps asked for: 100,000, not the plan's 200,000." in app.notes
    assert app.state.view.panel_period == 7  # the file's
    assert len(app.state.history.past) == changes + 1
    assert "Largest change v in these data: 10, which the plan leaves open." in app.notes


@dataclass
class _Held:
    """A place where a file is read when the test says so, and what is read there."""

    told: list = field(default_factory=list)
    state: RunState = RunState.WAITING
    error: None = None

    def start(self, _, steps, *__, **___):
        self.steps = steps
        return self

    def read(self):
        self.told, self.state = [*self.steps()], RunState.DONE

    def place(self, _):
        return 0

    forget = watch = place


def test_a_change_while_a_plans_file_is_read_is_undone_alone(open_page, training_runs, monkeypatch):
    app, place = planned_tidily(open_page), _Held()
    monkeypatch.setattr("dpviz.ui.file_reading._places", dict.fromkeys((True, False), place))
    monkeypatch.setattr("dpviz.ui.frame.follow_reading", lambda _: None)
    before = len(app.state.history.past)
    app.click("train_plan").go_to(PAGE)
    assert "The file is being read." in app.notes
    app.act("trained_batch", 16)
    chosen = app.state.view
    place.read()
    assert "From tidy.csv: 9 series." in app.run().all_words
    assert (app.state.view.trained_batch, app.state.view.panel_period) == (16, 7)
    assert len(app.state.history.past) == before + 3
    assert app.press("undo").state.view == chosen


def test_a_server_keeps_only_so_much_and_the_oldest_goes_first(monkeypatch):
    monkeypatch.setattr("dpviz.ui.offered_file._MOST_BYTES_KEPT", 2 * len(ROWS))
    lengths, states = SeriesLengths(lengths=(60,) * 4, layout="rows"), [State() for _ in range(3)]
    for state in states:
        read = {"choice": Choice(), "lengths": lengths, "columns": NO_NAMES}
        keep(state, UsedFile("mine.csv", len(ROWS), digest_of(ROWS), **read, content=ROWS))
    assert [used_files(state)[-1].content for state in states] == [None, ROWS, ROWS]
