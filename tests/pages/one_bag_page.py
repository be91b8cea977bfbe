"""What the tests of the page that compares one bag with series first share."""

from dataclasses import replace

from dpviz.scenario import Training
from tests.pages.app import TOY, chart, link_of

PAGE = "one_bag"
KEYS = {"lengths": "bag_lengths", "curve": "one_bag"}
SHORT = replace(TOY, training=Training(unit="steps", count=10))
LINK = link_of(SHORT)


def lines(app, key="bag_lengths"):
    return {trace["uid"]: trace for trace in chart(app, key)["data"]}
