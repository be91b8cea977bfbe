// Streamlit gives each page two places in the history, its address without and with what it holds:
// Back would seem to do nothing.
if (!window.dpvizHistory) {
  window.dpvizHistory = true;
  const push = history.pushState;
  history.pushState = function (state, unused, address) {
    const next = new URL(address ?? location.href, location.href);
    const isWhole = next.pathname === location.pathname && !location.search && next.search;
    return (isWhole ? history.replaceState : push).call(history, state, unused, address);
  };
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
