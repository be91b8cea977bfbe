// What was predicted and looked up in lessons would give the truth away to who opens the link; the
// order of choices, the rounds of the game, and the key in a class, are one's own (settings/lessons.py).
// The address bar keeps all of it. The rest stays, letter by letter. Another link may be given, which
// a room is not to see. Clipboards need https or localhost: elsewhere browsers copy what is selected,
// and only where that is refused does the link stay in sight, to copy by hand.
const OWN = /^(answers|revealed|participant|class_key|game_seed|game_answers)=/;

function linkForOthers() {
  const [place, query = ""] = location.href.split("#")[0].split("?");
  const kept = query.split("&").filter((part) => part && !OWN.test(part)).join("&");
  return place + (kept && `?${kept}`) + location.hash;
}

export default function ({ data, parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    const field = document.createElement("input");
    field.readOnly = true;
    field.hidden = true;
    field.setAttribute("aria-label", "Link to copy");
    parentElement.append(button, said, field);
  }
  const [, said, field] = parentElement.querySelectorAll("button, span, input");
  button.textContent = "Copy link";
  button.disabled = data?.disabled ?? false;
  said.textContent = "";
  field.hidden = true;
  button.onclick = async () => {
    const link = data?.link ?? linkForOthers();
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Copied";
    } catch {
      field.value = link;
      field.hidden = false;
      field.select();
      field.hidden = document.execCommand("copy");
      said.textContent = field.hidden ? "Copied" : "Press Ctrl+C to copy";
      if (field.hidden) button.focus();
    }
  };
}
