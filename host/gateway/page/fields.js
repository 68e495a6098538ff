// Fields of a form in the settings. Each has a place for what is wrong with its value, and the name by which the gateway calls it.

import { h, mark } from "./dom.js";
import { Twice } from "./twice.js";

let next = 0;

/** A section with a heading that the keyboard reaches. */
export function section(title, ...children) {
  return h("section", { "aria-label": title }, h("h2", { tabindex: -1 }, title), children);
}

/** A labelled control. */
export function field(name, label, control, fine = null) {
  control.id = `set-${(next += 1)}`;
  const wrong = h("span", { class: "wrong", role: "alert", id: `${control.id}-wrong` });
  control.setAttribute("aria-describedby", wrong.id);
  return h("p", { class: "field", "data-field": name }, h("label", { for: control.id }, label), control, fine && h("span", { class: "fine" }, fine), wrong);
}

/** A text. */
export function text(value = "", more = {}) {
  return h("input", { value, maxlength: 2_000, autocomplete: "off", spellcheck: "false", ...more });
}

/** A choice among `[value, label]`. */
export function choice(options, chosen) {
  return h("select", {}, options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
}

/** A box to tick. */
export function tick(label, checked, value = "") {
  return h("label", { class: "tick" }, h("input", { type: "checkbox", checked, value }), h("span", {}, label));
}

/** Boxes under one legend; `checked()` returns what is ticked. */
export function ticks(name, legend, options, chosen) {
  const boxes = options.map(([value, label]) => tick(label, chosen.includes(value), value));
  const element = h("fieldset", { class: "field", "data-field": name }, h("legend", {}, legend), h("div", { class: "ticks" }, boxes), h("span", { class: "wrong", role: "alert" }));
  return { element, checked: () => [...element.querySelectorAll("input:checked")].map(({ value }) => value) };
}

/** A form with its buttons, and a place for what is wrong with all of it. `act(form)` runs one at a time. */
export function form(children, label, act, more = []) {
  const button = h("button", { type: "submit", class: "approve" }, label);
  const element = h("form", { class: "set-form" }, children, h("p", { class: "wrong whole", role: "alert" }), h("div", { class: "set-buttons" }, button, more));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    await act(element);
    button.ariaBusy = null;
  });
  return element;
}

/** A button that acts one at a time. */
export function press(label, act, more = {}) {
  const button = h("button", { type: "button", ...more }, label);
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    await act(button);
    button.ariaBusy = null;
  });
  return button;
}

/** A button that needs a second press. `again` says what that does, also to a screen reader where the button has a name of its own. */
export function twice(label, again, act, more = {}) {
  const button = press(label, async () => {
    if (!presses.isSure()) return;
    await act();
    presses.forget();
  }, more);
  const presses = new Twice(button, (isArmed) => {
    button.classList.toggle("armed", isArmed);
    button.textContent = isArmed ? again : label;
    mark(button, "aria-description", isArmed && button.ariaLabel ? again : null);
  });
  return button;
}

/** Puts rows in place of others. The focus stays where it was, as far as that is still there; what is being written is left alone. */
export function redraw(list, rows, isSame = false) {
  const at = document.activeElement;
  const isInside = list.contains(at);
  if (isInside && isSame && at.closest("form")) return;
  const row = [...list.children].findIndex((one) => one.contains(at));
  const name = at?.ariaLabel || at?.textContent;
  list.replaceChildren(...rows);
  if (!isInside) return;
  const next = list.children[Math.min(row, list.children.length - 1)];
  const places = [...(next?.querySelectorAll("button, summary") ?? [])].filter((one) => one.checkVisibility());
  (places.find((one) => (one.ariaLabel || one.textContent) === name) ?? places[0] ?? list.parentElement.querySelector("h2")).focus();
}
