// Small helps that any page may use.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = button.dataset.done;
  } catch {
    getSelection().selectAllChildren(source);
  }
});
