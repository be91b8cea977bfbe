"""The pictures of the lessons."""

import re
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

from dpviz.settings.lessons import LESSONS
from dpviz.ui.page_style import style_part


def test_every_lesson_has_a_picture():
    style = style_part("lesson_cards.css")
    for name in LESSONS:
        drawn = rf'_lesson_{name}"\] {{\s*--picture: url\("data:image/svg\+xml,(.+)"\)'
        picture = re.search(drawn, style)
        assert fromstring(unquote(picture[1])).tag.endswith("svg")
    assert style.count("--picture: url(") == len(LESSONS)
