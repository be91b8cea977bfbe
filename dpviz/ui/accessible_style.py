"""What Streamlit's own look leaves out for who uses the keyboard, zooms or wants little motion.

Its ring around what has the focus is half transparent, in the navigation nearly invisible, and a
radio button has none. Here every ring is as dark (or light) as text. A text field is not among
them: its edge takes the primary colour. Some colours of its code have too little contrast.
"""

from dpviz.figures.palette import PALETTE, STYLES

# Words of a program, and the series of a chart that has their colour.
_CODE_COLORS = {"keyword": STYLES[0], "number": STYLES[2], "string": STYLES[3]}
_CODE = "\n".join(
    f".stApp .stCode .token.{kind} "
    f"{{color: light-dark({PALETTE['light'][style.role]}, {PALETTE['dark'][style.role]});}}"
    for kind, style in _CODE_COLORS.items()
)
# CanvasText follows the app's own theme, not the system's. Menus and dialogs are outside of the
# app's element, where only their text's colour is known. Code breaks its lines, as what scrolls
# sideways needs a mouse. The navigation of narrow screens cannot be reached while it is not there.
# What gets the focus is scrolled clear of what stays at top and bottom.
_STYLE = """
:root :is(a, button, summary, main, [role=option], [role^=menuitem]):focus-visible,
:root :is([data-testid=stRadioOption], .stCheckbox label, .stSlider div):has(
  > :is(span, div) > input:focus-visible) {
  outline: 2px solid; outline-offset: 2px; box-shadow: none;
}
:root .stApp [role]:focus-visible, :root .stApp :is(a, button, summary, main):focus-visible,
:root .stApp :is(label, .stSlider div):has(:focus-visible) {
  outline-color: CanvasText;
}
.stCode :is(pre, code) {white-space: pre-wrap !important; overflow-wrap: anywhere;}
.stApp .stCode .token {color: inherit;}
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
"""
ACCESSIBLE_STYLE = _STYLE + _CODE
