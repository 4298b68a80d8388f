// Ticking rows and the dialog before deleting. Without this file the form asks on a page of its own.
const form = document.getElementById("selection");
const dialog = document.getElementById("delete-dialog");

if (form) {
  const all = document.getElementById("select-all");
  const said = document.getElementById("selected");
  const remove = document.getElementById("delete-selected");
  const title = document.getElementById("delete-title");
  const boxes = () => [...form.querySelectorAll('input[name="ids"]')];
  const ticked = () => boxes().filter((box) => box.checked);
  const words = (data, n) => (n === 1 ? data.one : n === 0 && data.none ? data.none : data.many.replace("{n}", n));

  const show = () => {
    const n = ticked().length;
    said.textContent = words(said.dataset, n);
    remove.disabled = n === 0;
    all.checked = n > 0 && n === boxes().length;
    all.indeterminate = n > 0 && !all.checked;
  };

  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    show();
  });
  form.addEventListener("change", show);
  document.addEventListener("htmx:afterSwap", show);
  form.addEventListener("submit", (event) => {
    const by = event.submitter;
    if (by && (by.name === "confirmed" || by.hasAttribute("formaction"))) return;
    event.preventDefault();
    title.textContent = words(title.dataset, ticked().length);
    dialog.showModal();
  });
  document.getElementById("delete-cancel").addEventListener("click", () => dialog.close());
  addEventListener("pageshow", show);
  show();
}
