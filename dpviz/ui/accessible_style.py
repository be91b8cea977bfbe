"""What Streamlit's own look leaves out for who uses the keyboard, zooms or wants little motion.

Its ring around what has the focus is half transparent, in the navigation nearly invisible. Here
every ring is as dark (or light) as text; the controls of settings bring their own. Some colours of
its code have too little contrast.
"""

import streamlit as st

# CanvasText follows the app's own theme, not the system's; buttons have it before they have a ring,
# which would else fade over from the colour of their words. Menus and dialogs are outside of the
# app's element, where only their text's colour is known. Code breaks its lines, as what scrolls
# sideways needs a mouse. The navigation of narrow screens cannot be reached while it is not there.
# What gets the focus is scrolled clear of what stays at top and bottom. Words of a program have
# colours of the charts' series. What waits for a long run to draw it anew pales less than
# Streamlit's third, at which it could not be read.
_STYLE = """<style>
:root :is(a, button, summary, main, [role^=menuitem]):focus-visible {
  outline: 2px solid; outline-offset: 2px; box-shadow: none;
}
:root .stApp [role]:focus-visible, :root .stApp :is(a, button, summary, main):focus-visible,
:root .stApp button {
  outline-color: CanvasText;
}
.stCode :is(pre, code) {white-space: pre-wrap !important; overflow-wrap: anywhere;}
.stApp .stCode .token {color: inherit;}
.stApp .stCode .token.keyword {color: light-dark(#0b6075, #5cc3d6);}
.stApp .stCode .token.number {color: light-dark(#7b3fa0, #c9a0ec);}
.stApp .stCode .token.string {color: light-dark(#3a6b1e, #9ccc65);}
.stApp [data-testid=stElementContainer][data-stale=true] {opacity: 0.8;}
.stSidebar[data-collapsed=true] {visibility: hidden;}
.stMain {scroll-padding: 4rem 0 1rem;}
@media (max-width: 640px) {
  .stMain {scroll-padding-bottom: 26vh;}
}
.stMain:focus-visible {outline-offset: -2px;}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after {
    animation-duration: 0.01ms !important; animation-iteration-count: 1 !important;
    transition-duration: 0.01ms !important; scroll-behavior: auto !important;
  }
}
</style>"""


def draw_accessible_style() -> None:
    """Add to a page what it takes."""
    st.html(_STYLE)
