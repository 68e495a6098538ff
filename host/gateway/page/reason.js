// The field that a denial opens: why, what to do instead, or what to change in a plan.
//
// | kind | words |
// |---|---|
// | `deny` | the reason, or none |
// | `tell` | what to do instead: without it there is nothing to tell |
// | `plan` | what to change, or nothing |

import { h, mark, write } from "./dom.js";
import { isOfKeyboard } from "./keys.js";
import { words } from "./words.js";

const REASON_MAX = 2_000;

/** `{element, field}`. `written(text)`: on every change. `send(answer)`, `back()`, and where it is there `stop(reason)`, which denies and
 * stops the turn: the person is done. */
export function reasonForm(kind, text, { written, send, stop, back }) {
  const t = words().why[kind];
  const submit = h("button", { type: "submit", class: "deny" });
  const stopToo = stop && kind === "deny" ? h("button", { type: "button", class: "deny stop-turn", onclick: () => stop(field.value.trim()) }, words().led.stopTurn) : null;
  const draw = () => {
    const isEmpty = !field.value.trim();
    write(submit, isEmpty ? t.without : t.with);
    mark(submit, "disabled", kind === "tell" && isEmpty);
  };
  const field = h("textarea", {
    id: "reason", rows: 2, maxlength: REASON_MAX, placeholder: t.example, enterkeyhint: "send", autocomplete: "off",
    oninput: () => {
      written(field.value);
      draw();
    },
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || isOfKeyboard(event)) return;
      event.preventDefault();
      // The Enter that pressed the button which opened this may still be held.
      if (!event.repeat && !submit.disabled) element.requestSubmit();
    },
  });
  field.value = text;
  const element = h("form", { class: "reason", "data-kind": kind },
    h("label", { for: "reason" }, t.label),
    field,
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: back }, words().back), stopToo, submit));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const reason = field.value.trim();
    const instead = kind !== "deny" && reason !== "";
    send({ decision: "deny", ...(reason && { reason }), ...(instead && { instead }) });
  });
  draw();
  return { element, field };
}
