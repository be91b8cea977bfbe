function showTab() {
  const tab = document.querySelector(".st-key-tab_here");
  const strip = tab?.closest(".st-key-tabs");
  if (strip) strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
}
export default function ({ data }) {
  const isSame = window.dpvizPage === data.page;
  const isAnother = window.dpvizPage !== undefined && !isSame;
  window.dpvizPage = data.page;
  if (isAnother && !location.hash) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  for (const milliseconds of isSame ? [] : [0, 300, 1000]) setTimeout(showTab, milliseconds);
}
