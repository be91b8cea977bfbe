export default function ({ parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.textContent = "Print";
    button.onclick = () => window.print();
    parentElement.append(button);
  }
}
