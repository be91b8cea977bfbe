"""A visitor's own series on the page that trains."""

import pytest

from dpviz.training.panel import Panel
from dpviz.training.panel_source import NOT_ACCOUNTED, GivenSource
from tests.pages.acts import act
from tests.pages.app import chart_title, checked, headline, link_in_address_bar, notes, state_of
from tests.pages.train_page import COMPARE, LINK, PAGE, said, train


def with_file(open_page, link):
    """Open the page, and a file of twenty series as its visitor would."""
    panel = Panel(
        series=tuple(
            [float(1 + (at + place) % 9 + at / 9) for at in range(60)] for place in range(20)
        ),
        names=tuple(f"shop {place}" for place in range(20)),
        period=7,
    )
    app = open_page(link, PAGE, ())
    state_of(app).opened["series to train on"] = GivenSource(panel, "file 1234")
    act(app, "choose_trained_on", "file")
    return checked(app)


def test_a_file_is_trained_without_a_seed_and_other_visitors_cannot_ask_for_it(
    open_page, training_runs
):
    app = train(with_file(open_page, LINK))
    (key,) = training_runs.runs
    assert "file 1234" in key
    assert training_runs.runs[key].told[-1].settings.seed is None
    assert "shop 0" in chart_title(app, "forecast")
    assert "never stored and not in the link" in notes(
        open_page(link_in_address_bar(app), PAGE, ())
    )


@pytest.mark.parametrize("link", [LINK, COMPARE | {"trained_steps": "3"}])
def test_what_reading_a_file_tells_is_listed_as_not_covered(link, open_page, training_runs):
    """The notes tell exactly how many values are missing; epsilon says nothing of that."""
    app = train(with_file(open_page, link))
    for sentence in NOT_ACCOUNTED:
        assert sentence in said(app)
    public = said(train(open_page(link, PAGE, ())))
    assert not any(sentence in public for sentence in NOT_ACCOUNTED)


def test_a_run_on_a_file_that_was_cut_off_counts_and_the_page_says_so(open_page, training_runs):
    """Before a run and after one that ended without a result; and when the file is gone, too."""
    app = with_file(open_page, LINK)
    for words in ("has fresh noise", "has spent what it showed", "[Ledger](ledger)"):
        assert words in headline(app)
    gone = open_page(link_in_address_bar(app), PAGE, ())
    assert "never stored and not in the link" in notes(gone)
    assert "Was a run on your file cut off" in notes(gone)
    assert "has spent what it showed" not in headline(open_page(LINK, PAGE, ()))


def test_a_download_is_of_the_file_that_is_open(open_page, training_runs, downloads):
    """It is made outside of a run of the page."""
    app = train(with_file(open_page, LINK))
    table = downloads["Download CSV"]()
    assert NOT_ACCOUNTED[0] in table
    assert table.strip().split("\n")[-1].startswith(str(state_of(app).view.trained_steps))


def test_a_file_of_few_series_gets_a_batch_size_that_fits_and_the_page_says_so(open_page):
    """The batch size of the made-up series is more than many files have series."""
    app = open_page({"trained_on": "file"}, PAGE, ())
    rows = ["day," + ",".join(f"shop {shop}" for shop in range(10))]
    for day in range(80):
        values = ",".join(str(5 + (day + shop) % 7) for shop in range(10))
        rows.append(f"2024-{1 + day // 28:02}-{1 + day % 28:02},{values}")
    content = "\n".join(rows).encode()
    app.file_uploader(key="panel_upload_0").set_value(("shops.csv", content, "text/csv")).run()
    assert link_in_address_bar(checked(app))["trained_batch"] == "8"
    told = said(app).replace("\\", "")
    assert "The batch size is now Λ = 8: the file has too few series for 64." in told
    assert not app.error
