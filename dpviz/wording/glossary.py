"""What every symbol and term means, in one place: page, hover help and documents say the same."""

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from dpviz.settings import SETTINGS
from dpviz.wording.texts import wording_data

MOST_NEAR = 3
# A term has several names; what is alike by less is seldom what was meant.
_MOST_ALIKE = 12
_LEAST_ALIKE = 0.7


@dataclass(frozen=True, kw_only=True)
class Term:
    """A symbol or a term.

    Args:
        group: what it is about.
        key: its name in links.
        name: the words for it.
        says: what it is, as Markdown without formulas.
        symbol: as pages write it; empty where there is none.
        unit: what it is counted or measured in; empty where it is no quantity.
        formula: what it follows from, if anything.
        fields: its names in code, JSON and links.
        also: other words and symbols for it.
        pages: where it is set, by the names of the pages' files.
        theorems: by which it enters, as in :mod:`dpviz.wording.theorems`.
    """

    group: str
    key: str
    name: str
    says: str
    symbol: str = ""
    unit: str = ""
    formula: str = ""
    fields: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    theorems: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The symbol with its words.

        >>> named_term("lambda").title
        'λ, windows per series'
        """
        if not self.symbol:
            return self.name
        return f"{self.symbol}, {self.name[0].lower()}{self.name[1:]}"

    @property
    def gist(self) -> str:
        """The first sentence of what it is, without its full stop.

        >>> named_term("steps").gist
        'A step uses one batch: clip, sum, add noise, divide by Λ'
        """
        return self.says.partition(". ")[0].removesuffix(".")


@cache
def glossary() -> tuple[Term, ...]:
    """Return all terms, group by group.

    >>> [term.symbol for term in glossary() if term.key in ("rho", "lambda")]
    ['λ', 'ρ']
    """
    return tuple(Term(**_frozen(_with_symbol(term))) for term in _data()["term"])


def _with_symbol(term: dict[str, Any]) -> dict[str, Any]:
    """Return a term with the symbol that its first field is declared with."""
    setting = SETTINGS.get(next(iter(term.get("fields", ())), ""))
    return term if setting is None else {"symbol": setting.symbol} | term


@cache
def term_of_field(field: str) -> Term | None:
    """Return the term whose name in code, JSON and links this is.

    >>> term_of_field("num_subsequences").symbol
    'λ'
    """
    return next((term for term in glossary() if field in term.fields), None)


def named_term(name: str) -> Term | None:
    """Return a term by its key, its symbol, its words, a field or another name for it.

    >>> named_term("ρ").key, named_term("Batch size").symbol, named_term("eps").symbol
    ('rho', 'Λ', 'ε')
    """
    wanted = name.strip()
    exactly = (term for term in glossary() if wanted in _names(term))
    # Λ and λ differ; words do not, however they are capitalised.
    loosely = (
        term
        for term in glossary()
        if wanted.casefold() in {one.casefold() for one in _names(term) if len(one) > 1}
    )
    return next(exactly, None) or next(loosely, None)


def found_terms(text: str) -> list[Term]:
    """Return the terms that a text is looked for in: those so named first, then the rest.

    A hyphen is as good as a blank. Words that stand nowhere together are looked for apart.

    Args:
        text: the beginning of words; an empty one finds all.

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


def near_terms(text: str) -> list[Term]:
    """Return at most ``MOST_NEAR`` terms whose names are written much like a text, nearest first.

    >>> [term.key for term in near_terms("noise multipler")][:1]
    ['sigma']
    >>> near_terms("zebra")
    []
    """
    named: dict[str, list[Term]] = {}
    for term in glossary():
        for name in (*_names(term), term.title):
            named.setdefault(_in_words(name.replace("_", " ").casefold()), []).append(term)
    alike = get_close_matches(
        _in_words(text.casefold()), sorted(named), n=_MOST_ALIKE, cutoff=_LEAST_ALIKE
    )
    return list({term.key: term for name in alike for term in named[name]}.values())[:MOST_NEAR]


def _rank(term: Term, exact: str, wanted: str) -> int | None:
    """Return how well a term fits, 0 best; ``None`` where it does not."""
    names = _names(term)
    if exact in names:
        return 0
    folded = [name.casefold() for name in names]
    if wanted in folded:
        return 1
    if any(_has_word(name, wanted) for name in folded):
        return 2
    # A single letter begins some word of every explanation.
    return 3 if len(wanted) > 1 and _has_word(term.says.casefold(), wanted) else None


def _has_all_words(term: Term, wanted: str) -> bool:
    """Return whether a term has several words, though not next to each other."""
    words, told = wanted.split(), " ".join([*_names(term), term.says]).casefold()
    return len(words) > 1 and all(_has_word(told, word) for word in words)


def _frozen(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def _has_word(text: str, beginning: str) -> bool:
    return f" {_in_words(beginning)}" in f" {_in_words(text)}"


def _in_words(text: str) -> str:
    return " ".join(text.replace("(", " ").replace("-", " ").replace("_", " _").split())


@cache
def _names(term: Term) -> tuple[str, ...]:
    return (term.key, *([term.symbol] if term.symbol else []), term.name, *term.fields, *term.also)


@cache
def _data() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(wording_data("glossary.toml"))
