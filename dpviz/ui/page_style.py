"""How every page is laid out, on wide screens and on phones."""

import streamlit as st

# The empty band under the navigation goes, so that the chart is in the first screen; a table that
# is wider than a phone scrolls by itself instead of widening the page. The answer stays in sight
# while the settings are scrolled: on a wide screen the chart with its headline, on a phone the
# headline, at the bottom. What Redo is called is for screen readers, as its icon shows it; so it is
# for what removes a level, and for what can be taken away where all the words would not fit beside
# the page's question. Streamlit's headings are larger than this app's titles. An answer that a run
# has not drawn anew yet says so, unless that takes but a moment: it may be of the settings before.
# On a phone, where a chart goes because a file is to be opened first, its room stays: the box for
# the file is not to move away from the finger. What only listens for a connection takes no room.
# There a small chart stays at the top while the settings pass under it; what is said of it below
# comes after them. On a screen that is low, too, as one is where all is enlarged, both scroll.
# Greek letters of prose are set in the face that Streamlit's own formulas have, which it serves
# under these names; without these files they are upright. So are symbols in labels of controls.
_STYLE = """<style>
@font-face {
  font-family: "dpviz symbols"; unicode-range: U+3B1-3C9; size-adjust: 115%;
  src: url("static/media/KaTeX_Math-Italic.t53AETM-.woff2");
}
@font-face {
  font-family: "dpviz symbols"; unicode-range: U+3B1-3C9; size-adjust: 115%; font-weight: bold;
  src: url("static/media/KaTeX_Math-BoldItalic.CZnvNsCZ.woff2");
}
@font-face {
  font-family: "dpviz letters"; font-style: italic; size-adjust: 115%;
  src: url("static/media/KaTeX_Math-Italic.t53AETM-.woff2");
}
.stApp {--dpviz-page: light-dark(#ffffff, #030508);}
.stMainBlockContainer {padding-top: 4rem; padding-bottom: 3rem;}
:is(.st-key-connection, .st-key-page_top) {position: absolute;}
.stApp :is([data-testid=stMarkdownContainer] :is(p, li, td, th), .dpviz-control) {
  font-family: "dpviz symbols", "Source Sans", sans-serif;
}
.stMarkdown table {display: block; max-width: 100%; overflow-x: auto;}
.stMarkdown td {min-width: 6rem;}
.stMain .stMarkdown :is(p, ul, ol) {max-width: 64rem;}
:is(.st-key-redo, [class*="_reset"]:not(.st-key-reset_all)) .dpviz-button-words {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
.st-key-answer:has([data-stale=true])::after {
  content: "being updated …"; position: absolute; right: 0; bottom: 100%;
  padding: 0 0.5rem; font-size: 0.8rem; color: CanvasText; background: light-dark(#fff3c4, #4a3b00);
  border-radius: 0.25rem; animation: dpviz-late 0.01ms 0.5s both;
}
@keyframes dpviz-late {from {visibility: hidden;}}
@keyframes dpviz-fade {
  from, 95% {mask: linear-gradient(to left, transparent, black 2.5rem);}
  to {mask: linear-gradient(to left, black, black 2.5rem);}
}
.st-key-head {row-gap: 0;}
.st-key-share {margin-left: auto; width: auto;}
.st-key-tabs {flex: 1 1 auto; flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none;}
.st-key-tabs > * {flex: none; width: auto;}
.st-key-tabs p {white-space: nowrap;}
.st-key-tab_here {
  padding: 0.25rem 0.5rem; border-radius: var(--st-base-radius, 0.375rem);
  background: rgba(128, 128, 128, 0.15);
}
.st-key-tab_here p {font-size: 0.875rem; line-height: 1.4;}
[class*="st-key-says_"] {position: relative;}
[class*="st-key-says_"] summary {padding-top: 0.25rem; padding-bottom: 1.5rem;}
[class*="st-key-says_"] > .stElementContainer {
  position: absolute; top: 1.45rem; left: 2.3rem; right: 0.75rem; width: auto; pointer-events: none;
}
[class*="st-key-says_"] > .stElementContainer p {
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.st-key-lesson_line p, .st-key-lessons p {white-space: normal;}
.stHorizontalBlock:has(> .st-key-undo) {gap: 0.5rem;}
.stMainBlockContainer > .stVerticalBlock {gap: 0.5rem;}
.st-key-settings, .stColumn:has(.st-key-answer) > .stVerticalBlock {gap: 0.625rem;}
.stMain h1 {font-size: 1.5rem; padding: 0.25rem 0;}
.stMain h2 {font-size: 1.4rem; padding: 1rem 0 0.5rem;}
.stMain h3 {font-size: 1.15rem;}
@media (max-width: 1199px) {
  .stHorizontalBlock:has(> .st-key-undo) {gap: 0.25rem;}
  :is(.st-key-undo, .st-key-redo, .st-key-reset_all, .st-key-pin) .dpviz-button {
    padding-inline: 0.5rem;
  }
}
@media (min-width: 641px) and (max-width: 1279px) {
  .stMainBlockContainer {padding-inline: 2rem;}
}
@media (min-width: 641px) {
  .st-key-answer {position: relative;}
  .stColumn:has(.st-key-answer) {
    position: sticky; top: 3.5rem; align-self: flex-start;
  }
}
@media (max-width: 640px) {
  .stMarkdown table {
    width: fit-content; animation: dpviz-fade linear both; animation-timeline: scroll(self inline);
  }
  .stMarkdown :is(th, td):first-child {
    position: sticky; left: 0; background: var(--dpviz-page);
  }
  .stMarkdown :is(th, td):first-child::before {
    content: ""; position: absolute; inset: 0 100% 0 -0.5rem; background: inherit;
  }
  .st-key-head > :has(> .st-key-tabs), .st-key-tabs {
    order: 3; flex: 1 0 100%; min-height: 2rem;
  }
  .st-key-tabs {
    position: relative; animation: dpviz-fade linear both;
    animation-timeline: scroll(self inline);
  }
  .stHorizontalBlock:has(.st-key-answer):has(.st-key-settings) {
    flex-flow: column nowrap; gap: 0.5rem;
  }
  :is(.stColumn, .stVerticalBlock, [data-testid=stLayoutWrapper]):has(.st-key-answer):has(
    .dpviz-chart):not(:has(.st-key-settings)) {
    display: contents;
  }
  .stColumn:has(.st-key-settings) {order: 2; width: 100%;}
  .stColumn:has(.st-key-answer) .stElementContainer:has(.dpviz-chart) {
    position: sticky; top: 3.5rem; z-index: 50; order: -1;
    background: var(--dpviz-page);
  }
  .stColumn:has(.st-key-answer) :is(.stElementContainer, .stBidiComponent, .stBidiComponent *):has(
    .dpviz-chart), .stColumn:has(.st-key-answer) .dpviz-chart {
    flex: none; height: 17.5rem !important; min-height: 0;
  }
  .stColumn:has(.st-key-answer) .stElementContainer:has(.dpviz-chart) ~ * {order: 3;}
  .st-key-answer {
    position: fixed; inset: auto 0 0 0; z-index: 90; width: 100%; padding: 0.5rem 1rem;
    max-height: 24vh; overflow-y: auto;
    background: var(--dpviz-page); border-top: 1px solid rgba(128, 128, 128, 0.5);
  }
  .st-key-answer p {font-size: 0.8rem; line-height: 1.35;}
  .st-key-answer:has([data-stale=true])::after {right: 0.25rem; bottom: 0.25rem;}
  .st-key-plan_chart {order: 3;}
  .st-key-no_file {min-height: 57.5rem;}
  .stMainBlockContainer {padding-bottom: 10rem;}
}
@media (max-width: 640px) and (max-height: 599px) {
  .st-key-answer, .stColumn:has(.st-key-answer) .stElementContainer:has(.dpviz-chart) {
    position: static; max-height: none;
  }
}
</style>"""


def draw_page_style() -> None:
    """Add to a page what it takes."""
    st.html(_STYLE)
