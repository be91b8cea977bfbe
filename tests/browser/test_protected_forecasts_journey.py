"""A visitor protects data: made-up series first, then a file that stays out of the link."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.visitor import (
    downloaded,
    drawn,
    headline,
    in_link,
    menu,
    segment,
    settle,
    shared,
    table_in,
    wait_for_link,
    wait_for_other_headline,
)

QUICK = "live_forecasters=ses&forecast_count=3"


def test_data_are_protected_downloaded_and_replaced_by_a_file(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Chart, link and file are those of the protection; a file's name and values are in no link."""
    visitor = visit(f"protected_forecasts?{QUICK}")
    before = headline(visitor)
    assert "After top coding of 10 %" in before
    assert visitor.get_by_text("No privacy guarantee:").is_visible()
    visitor.locator("summary", has_text="Another protection").click()
    menu(visitor, "protection_method").select_option("laplace-known-bounds")
    wait_for_link(visitor, protection_method="laplace-known-bounds")
    wait_for_other_headline(visitor, before)
    assert visitor.get_by_text("Proven, for one value of one series:").is_visible()
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    assert [row["series"] for row in rows] == ["1", "2", "3"]
    assert drawn(visitor)["box-protected"]["y"] == [
        float(row["absolute_error_of_protected"]) for row in rows
    ]
    segment(visitor, "A file").click()
    wait_for_link(visitor, protected_data="file")
    visitor.get_by_text("No link holds a file").first.wait_for()
    path = tmp_path / "secret_sales.csv"
    lines = [
        f"shop {at},{time},{500 + 9 * at + time % 12}" for at in range(3) for time in range(40)
    ]
    path.write_text("\n".join(["series_id,t,value", *lines]), encoding="utf-8")
    visitor.locator("input[type=file]").set_input_files(path)
    visitor.get_by_text("3 series of your file are protected.").wait_for()
    settle(visitor)
    assert "(your file)" in headline(visitor)
    link = str(in_link(visitor))
    assert not any(word in link for word in ("secret", "sales", "shop"))
