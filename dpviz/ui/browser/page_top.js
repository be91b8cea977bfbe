// On the way to a page, Streamlit puts two places into the history: the page with what the link there
// named, or with nothing, before that with all that it holds; or, where that comes first, the page
// before with what the next one holds. Back would seem to do nothing: the second takes the first's
// place, unless somebody has done something between them.
if (!window.dpvizHistory) {
  window.dpvizHistory = true;
  const push = history.pushState;
  const OTHER_PAGE = 1, SAME_PAGE = 2;
  let last = OTHER_PAGE;  // the step since somebody did something, be it to open the page
  for (const kind of ["pointerdown", "keydown", "click"]) {
    addEventListener(kind, () => { last = 0; }, { capture: true, passive: true });
  }
  addEventListener("popstate", () => { last = OTHER_PAGE; closeNotices(); }, { capture: true });
  history.pushState = function (state, unused, address) {
    const next = new URL(address ?? location.href, location.href);
    const isSamePage = next.pathname === location.pathname;
    const isSecond = isSamePage ? last === OTHER_PAGE
      : last === SAME_PAGE && next.search === location.search;
    last = isSamePage ? SAME_PAGE : OTHER_PAGE;
    if (!isSamePage) closeNotices();
    return (isSecond ? history.replaceState : push).call(history, state, unused, address);
  };
}
// What was said of the page before would lie over the chart of this one.
function closeNotices() {
  const buttons = document.querySelectorAll("[data-testid=stToast] button[aria-label=Close]");
  for (const button of buttons) button.click();
}
function showTab() {
  const tab = document.querySelector(".st-key-tab_here");
  const strip = tab?.closest(".st-key-tabs");
  if (strip) strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
}
// On a phone the menu lies over the page, and Streamlit leaves it there after a choice.
function closeMenu() {
  const open = ".stSidebar[data-collapsed=false] [data-testid=stSidebarCollapseButton] button";
  document.querySelector(open)?.click();
}
export default function ({ data }) {
  const isSame = window.dpvizPage === data.page;
  const isAnother = window.dpvizPage !== undefined && !isSame;
  window.dpvizPage = data.page;
  if (isAnother) closeMenu();
  if (isAnother && !location.hash) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  for (const milliseconds of isSame ? [] : [0, 300, 1000]) setTimeout(showTab, milliseconds);
}
