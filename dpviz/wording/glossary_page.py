"""The glossary as Markdown: what is said of each term, and the table of all symbols."""

from functools import cache

from dpviz.settings.destinations import PAGE_NAMES
from dpviz.wording.glossary import Term, glossary, named_term, near_terms
from dpviz.wording.hover_help import PAGE, term_address
from dpviz.wording.tables import markdown_table
from dpviz.wording.texts import with_formulas
from dpviz.wording.theorems import OWN, section_anchor

LONGEST_SEARCH = 40


def term_text(term: Term) -> str:
    """Return what is said of a term below its title, as Markdown.

    >>> term_text(named_term("rho")).splitlines()[-1].partition(" · **Set on")[0]
    "**Unit:** a probability · **Is** $N$' / $N$"
    """
    facts = {
        "Unit:": term.unit,
        "Is": with_formulas(term.formula),
        "Set on": ", ".join(f"[{PAGE_NAMES[page]}]({page})" for page in term.pages),
        "Bounds:": ", ".join(map(_section_link, term.theorems)),
    }
    told = [f"**{name}** {fact}" for name, fact in facts.items() if fact]
    told += [f"`{name}`" for name in term.fields]
    return f"{with_formulas(term.says)}\n\n{' · '.join([*told, f'[Link]({term_address(term)})'])}"


@cache
def symbols_table() -> str:
    """Return all symbols with what they stand for, as a Markdown table.

    >>> "| [λ](glossary?term=lambda) | Windows per series |" in symbols_table()
    True
    """
    rows = [
        (f"[{term.symbol}]({term_address(term)})", term.name, f"{term.gist}.")
        for term in glossary()
        if term.symbol
    ]
    return markdown_table(["Symbol", "Words", "What it is"], rows)


def search_problem(text: str) -> str:
    """Return why a text from a link is not searched for; empty where it is.

    >>> search_problem("noise"), search_problem("x" * 41)
    ('', 'From the link: search is not used: it must be at most 40 printable characters.')
    """
    if len(text) <= LONGEST_SEARCH and text.isprintable():
        return ""
    return (
        "From the link: search is not used: it must be at most "
        f"{LONGEST_SEARCH} printable characters."
    )


def not_found_text(text: str) -> str:
    """Return, as Markdown, where to go on from a search that found nothing.

    >>> not_found_text("zebra")
    '[All terms](glossary)'
    >>> not_found_text("noise multipler").partition("?  ")[0]
    'Did you mean [σ, noise multiplier](glossary?term=sigma)'
    """
    links = [f"[{term.title}]({term_address(term)})" for term in near_terms(text)]
    near = f"Did you mean {' or '.join(links)}?  \n" if links else ""
    return f"{near}[All terms]({PAGE})"


def linked_term(name: str) -> tuple[Term | None, str]:
    """Return the term that a link asks for, and why there is none, if so.

    >>> linked_term("λ")[0].key, linked_term("lamda")[1]
    ('lambda', 'From the link: term = lamda is not in the glossary: look for it below.')
    """
    term = named_term(name[: LONGEST_SEARCH + 1]) if name else None
    if term is not None or not name:
        return term, ""
    shown = name if len(name) <= LONGEST_SEARCH and name.isprintable() else "this one"
    return None, f"From the link: term = {shown} is not in the glossary: look for it below."


def _section_link(section: str) -> str:
    name = section.replace(OWN, "Proposition ")
    return f"[{name}](theorems#{section_anchor(section)})"
