// Small helps that any page may use.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText((source.value ?? source.textContent).trim());
    button.textContent = button.dataset.done;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
  }
});

// On a narrow screen the menu scrolls sideways: the one we are on is brought into view.
for (const strip of document.querySelectorAll(".menu")) {
  const here = strip.querySelector("[aria-current]")?.getBoundingClientRect();
  const around = strip.getBoundingClientRect();
  if (here) strip.scrollLeft += here.left + here.width / 2 - around.left - around.width / 2;
}
