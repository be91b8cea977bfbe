"""What axe-core finds on a page that is open: the rules of WCAG that a program can check."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

from tests.browser.visitor import SETTLED

# Nobody can use, or only with trouble, what these name; the milder ones are good practice.
_IMPACTS = ("serious", "critical")
# Who listens goes through a page by its headings: these hold, too, although axe calls them milder.
_RULES = ("heading-order", "page-has-heading-one")
# Charts and captions take their time to follow the theme, on a busy machine more than once.
_LOOKS, _WAIT = 4, 300  # milliseconds
# What is Streamlit's own and cannot be mended from outside: rule, element, why. An entry names an
# element, never a rule as a whole.
ALLOWED = (
    (
        "list",
        "[data-testid=stSidebarNavItems]",
        "the navigation of narrow screens puts its groups between list and items; its links are "
        "read out and reached all the same",
    ),
    ("listitem", "[data-testid=stSidebarNavItems] li", "likewise"),
    (
        "scrollable-region-focusable",
        ".stMarkdown table",
        "Chromium and Firefox let Tab reach what scrolls, and arrow keys scroll it; nothing makes "
        "Markdown's tables reachable in Safari",
    ),
)
_LOOK = """async (allowed) => {
  const options = { resultTypes: ["violations"], elementRef: true };
  const { violations } = await axe.run(document, options);
  const isAllowed = (id, element) =>
    allowed.some(([rule, place]) => rule === id && element.matches(place));
  return violations.flatMap(({ id, impact, nodes }) => nodes
    .filter(({ element }) => !isAllowed(id, element))
    .map(({ html, any, all }) => ({
      id, impact, html: html.slice(0, 300),
      message: [...any, ...all].map(({ message }) => message).join("; ").slice(0, 300),
    })));
}"""


def violations(visitor: Any) -> list[str]:
    """Return what would keep somebody from using the page as it is shown now."""
    if not visitor.evaluate("() => Boolean(window.axe)"):
        visitor.evaluate(Axe().axe_script)
    return [
        f"{found['id']} ({found['impact']}): {found['html']}: {found['message']}"
        for found in visitor.evaluate(_LOOK, [[rule, place] for rule, place, _ in ALLOWED])
        if found["impact"] in _IMPACTS or found["id"] in _RULES
    ]


def assert_accessible(visitor: Any, *color_schemes: str, made_so: str = "() => {}") -> None:
    """Look at the page in the dark and in the light theme, or in those that are named.

    Before each look the page is made so as a function in JavaScript makes it.
    """
    # Half-way from one theme to the other, colours have any contrast.
    visitor.emulate_media(reduced_motion="reduce")
    for color_scheme in color_schemes or ("dark", "light"):
        visitor.emulate_media(color_scheme=color_scheme)
        visitor.wait_for_function(
            "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme",
            arg=color_scheme,
        )
        for _ in range(_LOOKS):
            visitor.wait_for_timeout(_WAIT)
            visitor.wait_for_function(SETTLED)  # pages run anew when their theme changes
            visitor.evaluate(made_so)
            if not (found := violations(visitor)):
                break
        assert not found, f"{color_scheme}: " + "\n".join(found)
    visitor.emulate_media(reduced_motion="no-preference")
