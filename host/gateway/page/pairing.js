// The screens of a browser that has not reached its gateway yet, and of one that is not paired.

import { h, mark, write } from "./dom.js";
import { Refused, meet } from "./handshake.js";
import { create, isPossible, keep } from "./identity.js";
import { words } from "./words.js";

/** Shows that the gateway is being reached. Returns what says that it was not. */
export function connecting(root) {
  const t = words();
  const status = h("p", { role: "status" }, t.connecting);
  root.replaceChildren(h("main", { class: "pairing" }, h("img", { src: "/assets/icon.svg", alt: "", width: 48, height: 48 }), h("h1", {}, "dmplz"), status));
  return () => write(status, `${t.pairing.down} ${t.retrying}`);
}

/**
 * Asks for the code until one is right. `why` is what the gateway, or what took its place, said last; `code` that of the link
 * by which the page was opened, which is tried first. Returns as `meet` does.
 */
export function pairing(root, why, code = null) {
  const t = words();
  return new Promise((paired) => {
    const field = h("input", {
      id: "code", name: "code", required: true, autocomplete: "one-time-code", autocapitalize: "characters",
      spellcheck: "false", maxlength: 64, "aria-describedby": "pair-trouble",
    });
    const trouble = h("p", { id: "pair-trouble", class: "trouble", role: "alert" });
    const button = h("button", { class: "approve", type: "submit" }, t.pair);
    const form = h("form", {}, h("label", { for: "code" }, t.code), field, trouble, button);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      write(trouble, "");
      mark(button, "disabled", true);
      try {
        const met = await meet(await create(), field.value);
        await keep(met.keys);
        return paired(met);
      } catch (error) {
        write(trouble, t.pairing[error instanceof Refused ? error.why : "down"] ?? t.pairing.down);
      }
      mark(button, "disabled", null);
      mark(field, "aria-invalid", "true");
      field.select();
    });
    root.replaceChildren(h("main", { class: "pairing" },
      h("img", { src: "/assets/icon.svg", alt: "", width: 48, height: 48 }),
      h("h1", {}, t.pairTitle),
      h("ol", {}, h("li", {}, ...t.pairRun(h("code", {}, "dmplz pair"))), h("li", {}, t.pairEnter)),
      form,
      h("p", { class: "fine" }, t.pairFine)));
    if (why) write(trouble, t.pairing[why] ?? "");
    mark(button, "disabled", !isPossible);
    if (!isPossible) write(trouble, t.pairing.insecure);
    field.focus();
    if (!code || !isPossible) return;
    field.value = code;
    form.requestSubmit();
  });
}
