"""What hovering over a control or a headline tells, of the setting's own or of the glossary."""

import re
from functools import lru_cache

from dpviz.settings import SETTINGS
from dpviz.wording.glossary import Term, glossary, named_term, term_of_field
from dpviz.wording.numbers import joined

PAGE = "glossary"
# A letter or a TeX command, with what stands below it or a prime: ε, σ_F, L_C, N', \sigma_C; the 2
# of a square is no part of it.
_TOKEN = re.compile(r"\\?[^\W\d_²³]+(?:_\\?\{?[^\W_]+\}?)?'?")


def term_address(term: Term) -> str:
    """Return the address of a term's explanation, seen from a page.

    >>> term_address(named_term("λ"))
    'glossary?term=lambda'
    """
    return f"{PAGE}?term={term.key}"


@lru_cache(maxsize=512)
def field_help(field: str, more: str = "") -> str:
    """Return the hover help of a field's control, as Markdown; empty where nothing is known.

    Args:
        field: of the scenario or of the view.
        more: what else is to say of it here.

    >>> field_help("bottom_rate").endswith("T start positions. [Glossary](glossary?term=r)")
    True
    >>> field_help("no_such_field", "A sentence.")
    'A sentence.'
    """
    setting, term = SETTINGS.get(field), term_of_field(field)
    if setting is not None and setting.help:
        says, term = setting.help, named_term(setting.term) if setting.term else None
    else:
        says = "" if term is None else term.says
    link = "" if term is None else f"[Glossary]({term_address(term)})"
    return joined(says, more, link)


@lru_cache(maxsize=512)
def symbols_help(text: str) -> str | None:
    """Return the words for the symbols in a text, as Markdown; ``None`` where it has none.

    >>> print(symbols_help("At λ = 1"))
    [λ](glossary?term=lambda), windows per series: Windows drawn from each chosen series \
(Poisson: on average).
    """
    found = dict.fromkeys(filter(None, map(symbols().get, tokens(text))))
    lines = (
        f"[{term.symbol}]({term_address(term)}), {term.name[0].lower()}{term.name[1:]}: "
        f"{term.gist}."
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
            spellings = (term.symbol, *(one for one in term.also if _is_symbol(one)))
            for token in (token for one in spellings for token in tokens(one)):
                found.setdefault(token, term)
    return found


def _is_symbol(name: str) -> bool:
    return len(name) == 1 or "\\" in name or "_{" in name
