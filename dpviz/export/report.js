// What the report does beyond its text: draws the charts in the page's theme, and copies code.
{
  const plotlyFile = `data:application/gzip;base64,${document.getElementById("plotly").textContent}`;
  const encoder = new TextEncoder();

  const draw = () => {
    for (const place of document.querySelectorAll(".chart")) {
      const data = encoder.encode(place.querySelector("script").textContent);
      drawChart({ parentElement: place, data, setTriggerValue: () => {} }, plotlyFile);
    }
  };

  const printing = (is) => () => {
    document.documentElement.classList.toggle("printing", is);
    draw();
  };

  const addCopyButton = (block) => {
    const button = document.createElement("button");
    button.textContent = "Copy";
    button.type = "button";
    button.addEventListener("click", async () => {
      const code = block.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: press Ctrl+C";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 3000);
    });
    block.append(button);
  };

  document.querySelectorAll(".code").forEach(addCopyButton);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // On paper everything is light.
  addEventListener("beforeprint", printing(true));
  addEventListener("afterprint", printing(false));
  draw();
}
