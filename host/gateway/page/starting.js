// Starts a session in one of the folders that the operator allowed.

import { h, mark } from "./dom.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const MODES = ["default", "acceptEdits", "plan"];

/** The modes that can be chosen: in all of them somebody is asked. */
export function modeOptions(current, unasked = []) {
  const modes = [...MODES, ...unasked];
  const known = modes.includes(current) ? [] : [h("option", { value: "", selected: true, disabled: true }, visibleLine(current))];
  return [...known, ...modes.map((mode) => h("option", { value: mode, selected: mode === current }, words().led.mode[mode]))];
}

/** The form. `start(wanted)` resolves once it is known whether it runs; `back()` leaves. */
export function starting(folders, start, back) {
  const t = words().led;
  const folder = h("input", { id: "start-folder", list: "start-folders", value: folders[0], required: true, maxlength: 4096, autocomplete: "off", spellcheck: "false" });
  const prompt = h("textarea", { id: "start-prompt", rows: 4, maxlength: 100_000 });
  const mode = h("select", { id: "start-mode" }, modeOptions("default"));
  const model = h("input", { id: "start-model", maxlength: 200, autocomplete: "off", spellcheck: "false" });
  const button = h("button", { type: "submit", class: "approve" }, t.start);
  const field = (label, control) => h("p", {}, h("label", { for: control.id }, label), control);
  const form = h("form", { class: "starting" },
    h("datalist", { id: "start-folders" }, folders.map((one) => h("option", { value: one }))),
    field(t.folder, folder), h("p", { class: "fine" }, t.folderFine),
    field(t.prompt, prompt), field(t.modeLabel, mode), field(t.modelLabel, model), h("div", { class: "buttons" }, button));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    mark(button, "disabled", true);
    await start({
      cwd: folder.value.trim(), mode: mode.value, ...(prompt.value.trim() && { prompt: prompt.value }), ...(model.value.trim() && { model: model.value.trim() }),
    });
    mark(button, "disabled", null);
  });
  const title = h("h2", { tabindex: -1 }, t.newOne);
  const element = h("article", { class: "card session" },
    h("header", {}, h("button", { class: "back", type: "button", onclick: back, "aria-label": t.list }, "‹"), h("div", { class: "heading" }, title)),
    h("div", { class: "content" }, form));
  return { element, focus: () => prompt.focus({ preventScroll: true }) };
}
