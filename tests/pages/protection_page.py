"""What the tests of the page about who is protected share."""

from dataclasses import replace

from tests.pages.app import TOY, chart, link_of

KEY, WIDTHS = "protection", "protection_widths"
SHORT = replace(TOY, training=replace(TOY.training, count=10))
LINK = link_of(SHORT)
HOURLY = LINK | {"series_length": "2000", "context_length": "5", "time_step": "1 hour"}


def lines(app) -> dict[str, dict]:
    return {trace["uid"]: trace for trace in chart(app, WIDTHS)["data"]}
