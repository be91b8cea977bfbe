"""What Streamlit's own look leaves out for who uses the keyboard or wants little motion.

Its ring around what has the focus is half transparent, in the navigation nearly invisible, and a
radio button has none. Here every ring is as dark (or light) as text. A text field is not among
them: its edge takes the primary colour.
"""

# CanvasText follows the app's own theme, not the system's. Menus and dialogs are outside of the
# app's element, where only their text's colour is known. Code breaks its lines, as what scrolls
# sideways needs a mouse. What gets the focus is scrolled clear of what stays at top and bottom.
ACCESSIBLE_STYLE = """
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
