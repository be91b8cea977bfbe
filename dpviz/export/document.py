"""A document of `docs/` as a page that the app serves."""

import html
import re

import dpviz
from dpviz.export.markdown_page import html_of
from dpviz.export.report import filled_page, page_part

LIST = "documents.md"  # as what the list of all documents is served, beside them
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
# What is not served beside documents is named, and no link.
_LINK_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?:\.\./|guide/)[^)]*\)")
# In README: such a link, with what is said of it, and a row that has no other one.
_NOT_SERVED = re.compile(r"\[[^\]]+\]\((?!docs/[\w-]+\.md\))[^)]*\)(?:: [^|]*(?=\|))?(?:, )?")
_EMPTY_ROW = re.compile(r"^\|[^|]*\|\s*\|\n", re.MULTILINE)
_APP_IN_DOCUMENTS = "](http://localhost:8501/"
# Documents are served two folders below the app's own, in app/static/docs/.
_APP = "../../../"
# Sections, what they are parted into, and propositions, each with its anchor and its words.
_PLACE = re.compile(r'<(h2|h3|p) id="([^"]+)">(?:<strong>)?(.*?)\.?</(?:h2|h3|strong)>')
_FEWEST_PLACES = 3


def document_page(markdown: str, *, has_list: bool = False) -> str:
    """Return a document as a page of HTML whose links lead to other documents, and to this app.

    One of several sections has a list of them; with ``has_list`` the list of all documents is
    served beside it.
    """
    markdown = _LINK_ELSEWHERE.sub(r"\1", _COMMENT.sub("", markdown))
    title = markdown.partition("\n")[0].removeprefix("# ")
    body = html_of(markdown.replace(_APP_IN_DOCUMENTS, f"]({_APP}"), is_document=True)
    heading, end, rest = body.partition("</h1>\n")
    ways = f'<a href="{_APP}">← Back to the app</a>'
    if has_list:
        ways += f'<a href="{LIST}">All documents</a>'
    ways = f'<nav class="ways" aria-label="Ways on">{ways}</nav>\n'
    parts = {
        "version": dpviz.__version__,
        "title": f"{html.escape(title)} · dpviz",
        "style": page_part("kit.css") + page_part("document.css"),
        "script": "",
        "body": f"{ways}{heading}{end}{_contents(rest)}{rest}",
    }
    return filled_page(page_part("kit_page.html"), parts)


def list_of_documents(readme: str) -> str:
    """Return what README says of the documents that are served, as a document."""
    told = readme.partition("\n## Where to read on\n")[2].partition("\n## ")[0]
    served = _NOT_SERVED.sub("", told).replace("](docs/", "](")
    return f"# Documents\n{_EMPTY_ROW.sub('', served)}"


def _contents(body: str) -> str:
    """Return the list of sections, folded where there is no room beside the text."""
    places = _PLACE.findall(body)
    if len(places) < _FEWEST_PLACES:
        return ""
    entries = "\n".join(
        f'<li class="in-{kind}"><a href="#{name}">{words}</a></li>' for kind, name, words in places
    )
    return (
        '<details class="contents">\n<summary>Contents</summary>\n'
        f'<nav aria-label="Contents">\n<ul>\n{entries}\n</ul>\n</nav>\n</details>\n'
    )
