"""What differs from run to run without any change of the code: days, durations, fresh ids."""

import json
import re
from datetime import date, timedelta

from tests.goldens.entries import figure_entries

_SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
_INDEX = re.compile(r"<var>(\w)</var><sub>(\w+)</sub>")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
# The version. The day of a table: of one that is shipped it is no other tomorrow. Durations: in an
# answer as JSON, and beside the second opinion. Ids: each upload of
# a file is another one to a chart.
_VARYING = (
    (re.compile(r'(\bdpviz"?:? "?)\d+\.\d+\.\d+'), r"\1(version)"),
    (re.compile(r"(made on )(?:\d{4}-\d\d-\d\d|\(today\))(?= by dpviz)"), r"\1(day)"),
    (re.compile(r"\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b"), "(id)"),
    (re.compile(r'(seconds"?: )[\d.e+-]+'), r"\1(duration)"),
    (
        re.compile(r"(dp-accounting [^)]{0,80}?)[\d.]+ s\), rounded up"),
        r"\1(duration)), rounded up",
    ),
)


# A run of tests may pass midnight, and what is kept of a page may be older than the comparison.
_BEGUN = date.today()


def without_days(text: str, begun: date = _BEGUN) -> str:
    """Return a text that bears no date from the day it was ``begun`` until today."""
    for later in range((date.today() - begun).days + 1):
        day = begun + timedelta(days=later)
        for written in (day.isoformat(), f"{day:%d %B %Y}".lstrip("0")):
            text = text.replace(written, "(today)")
    return text


def without_what_varies(text: str) -> str:
    """Return a text that tells neither how long something took nor ids made for one visit."""
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return text


def report_entries(page: str) -> list[str]:
    """Return the parts of a report: its words, and its figures as figures of pages are told."""
    figures: list[str] = []

    def told(found: re.Match[str]) -> str:
        if found[1] == ' type="application/json"':
            options, figure = json.loads(found[2])
            figures.extend([f"chart in words: {options['alt']}", *figure_entries(figure)])
        return f"<script{found[1]}>"

    words = _INDEX.sub(r"\1_\2", _STYLE.sub("<style>", _SCRIPT.sub(told, page)))
    return [*words.split("\n<h2"), *figures]
