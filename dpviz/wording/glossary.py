"""What every symbol and term means, in one place: page, hover help and documents say the same."""

import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from dpviz.settings import SETTINGS
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.wording.numbers import joined
from dpviz.wording.texts import FOLDER, with_formulas
from dpviz.wording.theorems import section_anchor, short_name

_MOST_NEAR = 3
# A term has several names; what is alike by less is seldom what was meant.
_MOST_ALIKE = 12
_LEAST_ALIKE = 0.7


@dataclass(frozen=True, kw_only=True)
class Term:
    """A symbol or a term.

    Args:
        group: what it is about.
        says: what it is, and in what unit, as Markdown without formulas.
        symbol: as pages write it; empty where there is none.
        formula: what it follows from, if anything that ``says`` does not tell.
        fields: its names in code, JSON and links.
        also: other words and symbols for it.
        page: where it is set first, by the name of the page's file.
        theorems: by which it enters, as in :mod:`dpviz.wording.theorems`.
    """

    group: str
    key: str
    name: str
    says: str
    symbol: str = ""
    formula: str = ""
    fields: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    page: str = ""
    theorems: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The symbol with its words."""
        return f"{self.symbol}, {self.words}" if self.symbol else self.name

    @property
    def words(self) -> str:
        """Its name in the middle of a sentence."""
        return f"{self.name[0].lower()}{self.name[1:]}"

    @property
    def short_title(self) -> str:
        """The symbol, or the words where there is none."""
        return self.symbol or self.name

    @property
    def gist(self) -> str:
        """The first sentence of what it is, without its full stop."""
        return self.says.partition(". ")[0].removesuffix(".")

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        own = (self.key, self.symbol, self.name, *self.fields, *self.also)
        return tuple(filter(None, own))

    @property
    def address(self) -> str:
        """Of its explanation, seen from a page."""
        return f"{PAGE}?term={self.key}"

    @property
    def link(self) -> str:
        """Its title, leading to its explanation, as Markdown."""
        return f"[{self.title}]({self.address})"


@cache
def glossary() -> tuple[Term, ...]:
    """Return all terms, group by group."""
    return tuple(map(_term, _data()["term"]))


def _term(values: dict[str, Any]) -> Term:
    """Return a term, with the symbol that its first field is declared with."""
    setting = SETTINGS.get(next(iter(values.get("fields", ())), ""))
    told: dict[str, Any] = {} if setting is None else {"symbol": setting.symbol}
    for name, value in values.items():
        told[name] = tuple(value) if isinstance(value, list) else value
    return Term(**told)


def named_term(name: str) -> Term | None:
    """Return a term by its key, its symbol, its words, a field or another name for it.

    >>> named_term("ρ").key, named_term("Batch size").symbol, named_term("eps").symbol
    ('rho', 'Λ', 'ε')
    """
    wanted = name.strip()
    exactly = (term for term in glossary() if wanted in term.names)
    # Λ and λ differ; words do not, however they are capitalised.
    loosely = (
        term
        for term in glossary()
        if wanted.casefold() in {one.casefold() for one in term.names if len(one) > 1}
    )
    return next(exactly, None) or next(loosely, None)


def found_terms(text: str) -> list[Term]:
    """Return the terms that a text is looked for in: those so named first, then the rest.

    A hyphen is as good as a blank. Words that stand nowhere together are looked for apart. An empty
    text finds all.

    >>> [term.symbol for term in found_terms("lambda")][:2]
    ['λ', 'Λ']
    >>> len(found_terms("")) == len(glossary())
    True
    """
    wanted = text.strip().casefold()
    if not wanted:
        return list(glossary())
    ranked = [(_rank(term, text.strip(), wanted), term) for term in glossary()]
    found = [one for one in ranked if one[0] is not None]
    if not found:
        return [term for term in glossary() if _has_all_words(term, wanted)]
    return [term for _, term in sorted(found, key=lambda one: one[0] or 0)]


def _near_terms(text: str) -> list[Term]:
    """Return at most three terms whose names are written much like a text, nearest first."""
    named: dict[str, list[Term]] = {}
    for term in glossary():
        for name in (*term.names, term.title):
            named.setdefault(_in_words(name.replace("_", " ").casefold()), []).append(term)
    alike = get_close_matches(
        _in_words(text.casefold()), sorted(named), n=_MOST_ALIKE, cutoff=_LEAST_ALIKE
    )
    return list({term.key: term for name in alike for term in named[name]}.values())[:_MOST_NEAR]


def _rank(term: Term, exact: str, wanted: str) -> int | None:
    """Return how well a term fits, 0 best; ``None`` where it does not."""
    if exact in term.names:
        return 0
    folded = [name.casefold() for name in term.names]
    if wanted in folded:
        return 1
    # A single letter begins some word of every explanation.
    if any((_has_word if len(wanted) > 1 else _has_letter)(name, wanted) for name in folded):
        return 2
    return 3 if len(wanted) > 1 and _has_word(term.says.casefold(), wanted) else None


def _has_all_words(term: Term, wanted: str) -> bool:
    """Return whether a term has several words, though not next to each other."""
    words, told = wanted.split(), " ".join([*term.names, term.says]).casefold()
    return len(words) > 1 and all(_has_word(told, word) for word in words)


def _has_word(text: str, beginning: str) -> bool:
    return f" {_in_words(beginning)}" in f" {_in_words(text)}"


def _has_letter(text: str, letter: str) -> bool:
    return letter in _in_words(text).split()


def _in_words(text: str) -> str:
    return " ".join(text.replace("(", " ").replace("-", " ").replace("_", " _").split())


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "glossary.toml").read_text(encoding="utf-8"))


LONGEST_SEARCH = 40


def term_text(term: Term) -> str:
    """Return what is said of a term below its title, as Markdown."""
    bounds = ", ".join(
        f"[{short_name(one)}](theorems#{section_anchor(one)})" for one in term.theorems
    )
    names = [f"`{name}`" for name in term.fields]
    if term.page:
        names = [f"[{name}]({term.page})" for name in names or [PAGE_NAMES[term.page]]]
    facts = [
        term.formula and f"**Is** {with_formulas(term.formula)}",
        *names,
        bounds and f"**Bounds:** {bounds}",
    ]
    return f"{with_formulas(term.says)}\n\n{' · '.join(filter(None, facts))}".strip()


_TABLES_ONLY = ("paper_tables", "training_study")


@cache
def symbols_line(page: str) -> str:
    """Return a page's symbols that no control of it explains, with their words, as Markdown.

    A link's name is text: the symbols stand before it, to be set as formulas.
    """
    listed = _data()["symbols"]
    keys = [*listed["tables" if page in _TABLES_ONLY else "settings"], *listed.get(page, ())]
    terms = (term for term in glossary() if term.key in keys)
    return " · ".join(f"{term.symbol}, [{term.words}]({term.address})" for term in terms)


def search_problem(text: str) -> str:
    """Return why a text from a link is not searched for; empty where it is."""
    if _is_short(text):
        return ""
    return (
        "From the link: search is not used: it must be at most "
        f"{LONGEST_SEARCH} printable characters."
    )


def not_found_text(text: str) -> str:
    """Return, as Markdown, where to go on from a search that found nothing."""
    links = " or ".join(term.link for term in _near_terms(text))
    near = f"Did you mean {links}?  \n" if links else ""
    return f"{near}[All terms]({PAGE})"


def linked_term(name: str) -> tuple[Term | None, str]:
    """Return the term that a link asks for, and why there is none, if so."""
    term = named_term(name[: LONGEST_SEARCH + 1]) if name else None
    if term is not None or not name:
        return term, ""
    shown = name if _is_short(name) else "this one"
    return None, f"From the link: term = {shown} is not in the glossary: look for it below."


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST_SEARCH and text.isprintable()


PAGE = "glossary"
# A letter or a TeX command, with what stands below it or a prime: ε, σ_F, L_C, N', \sigma_C; the 2
# of a square is no part of it.
_TOKEN = re.compile(r"\\?[^\W\d_²³]+(?:_\\?\{?[^\W_]+\}?)?'?")


def explained(*keys: str) -> str:
    """Return what some terms are, by their keys, as a Markdown list in the glossary's order."""
    return "\n".join(f"- **{one.name}.** {one.says}" for one in glossary() if one.key in keys)


@lru_cache(maxsize=512)
def field_help(field: str, more: str = "") -> str:
    """Return the hover help of a field's control, as Markdown; empty where nothing is known.

    It says what the field is; the glossary has the rest.
    """
    setting, says = SETTINGS.get(field), ""
    term = named_term(setting.term) if setting is not None and setting.term else None
    if setting is not None and setting.help:
        says = setting.help
    else:
        term = term or next((one for one in glossary() if field in one.fields), None)
        says = "" if term is None else f"{term.gist}."
    return joined(says, more, "" if term is None else f"[Glossary]({term.address})")


@lru_cache(maxsize=512)
def symbols_help(text: str) -> str | None:
    """Return the words for the symbols in a text, as Markdown; ``None`` where it has none."""
    found = dict.fromkeys(filter(None, map(symbols().get, tokens(text))))
    lines = (
        f"[{term.symbol}]({term.address}){term.title.removeprefix(term.symbol)}: {term.gist}."
        for term in found
    )
    return "\n\n".join(lines) or None


def tokens(text: str) -> list[str]:
    r"""Return words and symbols of a text, TeX commands among them, without braces.

    >>> tokens(r"L_C and $\\sigma_F$, N' of N")
    ['L_C', 'and', '\\sigma_F', "N'", 'of', 'N']
    """
    return [token.replace("{", "").replace("}", "") for token in _TOKEN.findall(text)]


@lru_cache(maxsize=1)
def symbols() -> dict[str, Term]:
    """Return the term that each symbol stands for, also as TeX writes it."""
    found: dict[str, Term] = {}
    for term in glossary():
        if term.symbol:
            others = (one for one in term.also if len(one) == 1 or "\\" in one or "_{" in one)
            for token in (token for one in (term.symbol, *others) for token in tokens(one)):
                found.setdefault(token, term)
    return found
