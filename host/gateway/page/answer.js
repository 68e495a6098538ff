// The buttons of a request.
//
// | by | approve, session | deny |
// |---|---|---|
// | pointer | one press on a button that has been in sight for a moment | one press, then the reason or none |
// | keyboard | `a` or `s` arms the button, the same key or Enter presses it | `d`, then the reason and Enter, or Enter alone |
//
// A request that is not wholly unfolded is unfolded first and armed. Anything else disarms. Nothing is sent twice.

import { h, key, mark, write } from "./dom.js";
import { ending } from "./ending.js";
import { words } from "./words.js";

const ARMED_MS = 6_000;
/** A request that came up by itself takes no press for so long: it may have been meant for the one before. */
const SETTLE_MS = 450;
const REASON_MAX = 2_000;

export class Answering {
  #approval;
  #hooks;
  #armed = null;
  #sending = false;
  #timer = null;

  /** `hooks`: `send(decision, reason)`, `isWhole()`, `unfold()`, `next()`. */
  constructor(approval, hooks) {
    this.#approval = approval;
    this.#hooks = hooks;
    this.element = h("footer", { class: "actions" });
    this.#draw();
  }

  /** The request went on. */
  update(approval) {
    this.#approval = approval;
    this.#draw();
  }

  /** It came up by itself: waits a moment before it takes anything. */
  settle() {
    const buttons = [...this.element.querySelectorAll("button")];
    buttons.forEach((button) => mark(button, "disabled", true));
    setTimeout(() => buttons.forEach((button) => mark(button, "disabled", this.#sending)), SETTLE_MS);
  }

  /** `approve` or `session` by key. */
  key(decision) {
    const button = this.#button(decision);
    if (!button || button.disabled) return;
    if (this.#armed === decision) return this.#send(decision);
    this.#arm(decision);
  }

  /** Opens the field for the reason. */
  deny() {
    const button = this.#button("deny");
    if (!button || button.disabled) return;
    this.#disarm();
    this.element.replaceChildren(this.#reasonForm());
    this.element.querySelector("textarea").focus();
  }

  /** Takes back what was begun. Returns whether there was anything. */
  escape() {
    const begun = this.#armed || this.element.querySelector("textarea");
    if (!begun || this.#sending) return false;
    this.#disarm();
    if (this.element.querySelector("textarea")) {
      this.element.replaceChildren();
      this.#draw();
      this.#button("deny").focus({ preventScroll: true });
    }
    return true;
  }

  #draw() {
    if (this.#approval.status !== "open") {
      this.#disarm();
      const next = h("button", { class: "next", type: "button", onclick: () => this.#hooks.next() }, words().next);
      this.element.replaceChildren(ending(this.#approval), this.#approval.status === "ended" ? next : "");
      return;
    }
    if (this.element.querySelector("textarea")) return;
    const button = (decision, label, name, press) =>
      h("button", { type: "button", class: decision, "data-decision": decision, onclick: press }, h("span", {}, label), key(name));
    const t = words();
    const buttons = [button("deny", t.deny, "D", () => this.deny())];
    if (this.#approval.offersSession) {
      const session = button("session", t.session, "S", () => this.#press("session"));
      mark(session, "aria-describedby", "grant");
      buttons.push(session);
    }
    buttons.push(button("approve", t.approve, "A", () => this.#press("approve")));
    this.element.replaceChildren(h("p", { class: "hint" }), h("div", { class: "buttons" }, buttons));
  }

  #reasonForm() {
    const t = words();
    const submit = h("button", { type: "submit", class: "deny" }, t.denyWithout);
    const field = h("textarea", {
      id: "reason", rows: 2, maxlength: REASON_MAX, placeholder: t.reasonExample, enterkeyhint: "send", autocomplete: "off",
      oninput: () => write(submit, field.value.trim() ? t.denyWith : t.denyWithout),
      onkeydown: (event) => {
        // Enter also ends a Korean syllable: then it belongs to the keyboard, not to us.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
        event.preventDefault();
        form.requestSubmit();
      },
    });
    const form = h("form", { class: "reason" },
      h("label", { for: "reason" }, t.reason),
      field,
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => this.escape() }, t.back), submit));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send("deny", field.value.trim() || undefined);
    });
    return form;
  }

  #press(decision) {
    if (!this.#hooks.isWhole() && this.#armed !== decision) return this.#arm(decision);
    this.#send(decision);
  }

  #arm(decision) {
    this.#disarm();
    const isWhole = this.#hooks.isWhole();
    if (!isWhole) this.#hooks.unfold();
    this.#armed = decision;
    const [button, t] = [this.#button(decision), words()];
    button.classList.add("armed");
    button.focus({ preventScroll: true });
    write(this.element.querySelector(".hint"), (isWhole ? t.again : t.unfoldedFirst)(t.act[decision]));
    this.#timer = setTimeout(() => this.#disarm(), isWhole ? ARMED_MS : ARMED_MS * 10);
  }

  #disarm() {
    clearTimeout(this.#timer);
    this.#armed = null;
    const hint = this.element.querySelector(".hint");
    if (hint) write(hint, "");
    this.element.querySelector(".armed")?.classList.remove("armed");
  }

  async #send(decision, reason) {
    if (this.#sending) return;
    this.#sending = true;
    const controls = [...this.element.querySelectorAll("button, textarea")];
    controls.forEach((control) => mark(control, "disabled", true));
    mark(this.element, "aria-busy", "true");
    const isSent = await this.#hooks.send(decision, reason);
    this.#sending = false;
    mark(this.element, "aria-busy", null);
    if (isSent || this.#approval.status !== "open") return;
    controls.forEach((control) => mark(control, "disabled", null));
    this.#disarm();
    this.element.querySelector("textarea, .approve")?.focus();
  }

  #button(decision) {
    return this.element.querySelector(`[data-decision="${decision}"]`);
  }
}
