// st.html removes SVG, and st.image would cut it off from the page's text colour.
export default function ({ parentElement, data }) {
  let place = parentElement.querySelector("div");
  if (!place) {
    place = document.createElement("div");
    place.style.color = "var(--st-text-color)";
    place.style.fontFamily = "var(--st-font)";
    parentElement.append(place);
  }
  place.innerHTML = data;
}
