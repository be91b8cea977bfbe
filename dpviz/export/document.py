"""A document of `docs/` as a page that the app serves."""

import html
import re

import dpviz
from dpviz.export.markdown_page import html_of
from dpviz.export.report import filled_page, page_part

_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
# What is not served beside documents is named, and no link.
_LINK_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?:\.\./|guide/)[^)]*\)")
_APP_IN_DOCUMENTS = "](http://localhost:8501/"
# Documents are served two folders below the app's own, in app/static/docs/.
_APP = "../../../"


def document_page(markdown: str) -> str:
    """Return a document as a page of HTML whose links lead to other documents, and to this app."""
    markdown = _LINK_ELSEWHERE.sub(r"\1", _COMMENT.sub("", markdown))
    title = markdown.partition("\n")[0].removeprefix("# ")
    body = html_of(markdown.replace(_APP_IN_DOCUMENTS, f"]({_APP}"), is_document=True)
    parts = {
        "version": dpviz.__version__,
        "title": f"{html.escape(title)} · dpviz",
        "style": page_part("kit.css") + page_part("document.css"),
        "script": "",
        "body": f'<p><a href="{_APP}">dpviz</a></p>\n{body}',
    }
    return filled_page(page_part("kit_page.html"), parts)
