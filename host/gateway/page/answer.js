// The answers to a request: the buttons at its foot, and what has to be read or filled in before some of them count.
//
// | by | what allows | what denies |
// |---|---|---|
// | pointer | one press on a button that has been in sight for a moment | one press, then the words or none |
// | keyboard | its letter arms the button, the same key or Enter presses it | `d` or `t`, then the words and Enter |
// | a button of a notice | it only arms the button | it only asks for the words |
//
// A request that is not wholly unfolded is unfolded first and armed, and takes nothing but a denial for a moment, because nobody has
// read it. Of a double click only the first click counts, except on a denial. Anything else disarms. Nothing is sent twice. What was begun
// and not sent is kept for this tab (draft.js).

import { Always } from "./always.js";
import { h, key, mark, write } from "./dom.js";
import { Draft, forget } from "./draft.js";
import { ending } from "./ending.js";
import { Questions } from "./questions.js";
import { reasonForm } from "./reason.js";
import { ARMED_MS, Armed, READ_MS, SETTLE_MS } from "./twice.js";
import { words } from "./words.js";

/** What is sent for a button that is not called so there. */
const GRANTS = { "grant-30m": "halfHour", "grant-session": "session" };

/** What allows nothing. A button that decides nothing has no decision. */
const DENIALS = ["deny", "tell", undefined];

export class Answering {
  #approval;
  #hooks;
  #draft;
  #always = null;
  #questions = null;
  #armed = new Armed(() => this.#disarmed());
  /** What had the focus before a button was armed. */
  #before = null;
  #sending = false;
  #settling = false;
  /** Whether it was unfolded a moment ago. */
  #isUnread = false;

  /** `hooks`: `send(answer)`, `isWhole()`, `unfold()`, `next()`, perhaps `stop(reason)`. `panel` belongs to the request's content. */
  constructor(approval, hooks) {
    [this.#approval, this.#hooks] = [approval, hooks];
    this.#draft = new Draft(approval.id);
    this.element = h("footer", { class: "actions" });
    const { offer } = approval;
    if (offer?.questions.length) {
      this.#questions = new Questions(approval, this.#draft, (isStep) => this.#changed(isStep), () => this.#press("answers"));
    } else if (offer?.always.length) {
      this.#always = new Always(approval, this.#draft, (event) => this.#press("always", event), () => this.#disarm());
    }
    const why = isAskedHere(offer) ? words().ask.askedHere : offer?.unanswerable ? words().ask.unanswerable : null;
    const unanswerable = why ? h("p", { class: "unanswerable" }, why) : null;
    this.panel = h("div", { class: "offers" }, unanswerable, this.#questions?.element, this.#always?.element);
    this.#draw();
    const begun = this.#draft.get("why");
    if (approval.status === "open" && words().why[begun]) this.#ask(begun, false);
  }

  /** The request went on. */
  update(approval) {
    this.#approval = approval;
    this.#draw();
  }

  /** It has just come up: waits a moment before it takes anything. */
  settle() {
    this.#settling = true;
    this.#enable();
    setTimeout(() => {
      this.#settling = false;
      this.#enable();
    }, SETTLE_MS);
  }

  /** What a key does. */
  keys() {
    const first = this.#questions ? "answers" : this.#approval.offer?.plan ? "manual" : "approve";
    const second = this.#approval.offer?.plan ? "auto-accept" : "session";
    return {
      a: () => this.#key(first), s: () => this.#key(second), w: () => this.#key("always"), c: () => this.#always?.cycle(),
      e: () => this.#key("grant-30m"), r: () => this.#key("grant-session"), d: () => this.deny(), t: () => this.#open("tell"),
    };
  }

  /** Begins an answer whose button was pressed on a notice. It sends nothing: the notice does not show what is asked. */
  begin(decision) {
    if (decision === "deny") this.deny();
    else if (decision === "approve" && this.#button(decision)?.disabled === false) this.#arm(decision);
  }

  /** Opens the field for the reason, or begins the denial where nobody would read one. */
  deny() {
    if (this.#approval.offer?.finalDenial) this.#key("deny");
    else this.#open("deny");
  }

  /** Takes back what was begun. Returns whether there was anything. */
  escape() {
    const form = this.element.querySelector(".reason");
    if (!(this.#armed.what || form) || this.#sending) return false;
    this.#disarm();
    if (form) {
      this.#draft.set("why");
      form.remove();
      this.#draw();
      this.#button("deny").focus({ preventScroll: true });
    }
    return true;
  }

  #draw() {
    const { status } = this.#approval;
    const isOpen = status === "open";
    mark(this.panel, "hidden", !isOpen);
    if (!isOpen) {
      this.#disarm();
      forget(this.#approval.id);
      const next = h("button", { class: "next", type: "button", onclick: () => this.#hooks.next() }, words().next);
      this.element.replaceChildren(ending(this.#approval), status === "ended" ? next : "");
      return;
    }
    if (this.element.querySelector(".reason")) return;
    this.#disarm();
    const rows = this.#questions ? [this.#questionButtons()] : this.#approval.offer?.plan ? [this.#planButtons()] : this.#callButtons();
    this.element.replaceChildren(h("p", { class: "hint", role: "status" }), ...rows.map((row, at) => h("div", { class: at < rows.length - 1 ? "buttons besides" : "buttons" }, row)));
    this.#enable();
  }

  /** A field that is left changes while its neighbour is pressed: the buttons stay the ones that are under the finger. */
  #changed(isStep) {
    if (isStep) this.#draw();
    else this.#enable();
  }

  #make(decision, label, name, press = (event) => this.#press(decision, event), style = decision) {
    return h("button", { type: "button", class: style, "data-decision": decision, onclick: press }, h("span", {}, label), name ? key(name) : null);
  }

  #callButtons() {
    const [t, { offer, offersSession }] = [words(), this.#approval];
    if (isAskedHere(offer)) return [[this.#make("deny", t.deny, "D", () => this.deny())]];
    if (offer?.unanswerable) return [[this.#make("deny", t.ask.none, "D", () => this.deny())]];
    const grants = offer?.granted ? [this.#make("grant-30m", t.grants.halfHour, "E", undefined, "besides"), this.#make("grant-session", t.grants.session, "R", undefined, "besides")] : [];
    const tell = this.#make("tell", t.why.tell.open, "T", () => this.#open("tell"), "besides");
    const session = offersSession ? this.#make("session", t.session, "S") : null;
    if (session) mark(session, "aria-describedby", "grant");
    const first = [this.#make("deny", t.deny, "D", () => this.deny()), session, this.#make("approve", t.approve, "A")];
    return [[tell, ...grants], first];
  }

  #planButtons() {
    const t = words();
    return [
      this.#make("deny", t.plan.keep, "D", () => this.#open("deny")), this.#make("auto-accept", t.plan.autoAccept, "S", undefined, "session"),
      this.#make("manual", t.plan.manual, "A", undefined, "approve"),
    ];
  }

  #questionButtons() {
    const [t, asked] = [words(), this.#questions];
    const back = asked.step > 0 ? h("button", { type: "button", class: "step back-step", onclick: () => asked.go(asked.step - 1) }, t.ask.back) : null;
    const forward = asked.isLast
      ? this.#make("answers", t.ask.submit, "A", undefined, "approve")
      : h("button", { type: "button", class: "step approve next-step", onclick: () => asked.go(asked.step + 1) }, t.ask.next);
    const deny = this.#approval.offer?.finalDenial ? undefined : () => this.deny();
    return [this.#make("deny", t.ask.none, "D", deny), back, forward];
  }

  #open(name) {
    const button = this.#button(name);
    if (!button || button.disabled) return;
    this.#ask(name === "deny" && this.#approval.offer?.plan ? "plan" : name, true);
  }

  #ask(kind, byHand) {
    this.#disarm();
    const { element, field } = reasonForm(kind, this.#draft.get("words") ?? "", {
      written: (text) => this.#draft.set("words", text),
      send: (answer) => this.#deliver(() => this.#hooks.send(answer)),
      stop: this.#hooks.stop && ((reason) => this.#deliver(() => this.#hooks.stop(reason))),
      back: () => this.escape(),
    });
    this.#draft.set("why", kind);
    this.element.replaceChildren(element);
    if (byHand) field.focus();
  }

  #key(decision) {
    const button = this.#button(decision);
    if (!button || button.disabled) return;
    if (this.#armed.what === decision) return this.#send(decision);
    this.#arm(decision);
  }

  #press(decision, event) {
    if (this.#button(decision)?.disabled ?? true) return;
    // The second click of a double click was meant for what stood there before.
    if (event?.detail > 1 && decision !== "deny") return;
    if (!this.#hooks.isWhole() && this.#armed.what !== decision) return this.#arm(decision);
    this.#send(decision);
  }

  #arm(decision) {
    this.#disarm();
    const isWhole = this.#hooks.isWhole();
    if (!isWhole) this.#unfold();
    this.#armed.arm(decision, isWhole ? ARMED_MS : READ_MS);
    const [button, t] = [this.#button(decision), words()];
    this.#before = document.activeElement;
    button.classList.add("armed");
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: "nearest" });
    write(this.element.querySelector(".hint"), (isWhole ? t.again : t.unfoldedFirst)(t.act[decision]));
  }

  /** Shows all of it, and lets a person begin to read. */
  #unfold() {
    this.#hooks.unfold();
    this.#isUnread = true;
    this.#enable();
    setTimeout(() => {
      this.#isUnread = false;
      this.#enable();
    }, SETTLE_MS);
  }

  #disarm() {
    this.#armed.forget();
  }

  #disarmed() {
    const button = this.element.querySelector(".armed") ?? this.panel.querySelector(".armed");
    const hint = this.element.querySelector(".hint");
    if (hint) write(hint, "");
    button?.classList.remove("armed");
    // Enter would press a button that kept the focus: it goes back to where it was.
    if (!button || button !== document.activeElement || button === this.#before) return;
    button.blur();
    if (this.#before?.isConnected) this.#before.focus({ preventScroll: true });
  }

  #send(decision) {
    if (this.#isUnread && decision !== "deny") return;
    const special = { always: () => this.#always.answer(), answers: () => this.#questions.answer() };
    const answer = decision in GRANTS ? { decision: "grant", term: GRANTS[decision] } : special[decision]?.() ?? { decision };
    return this.#deliver(() => this.#hooks.send(answer), decision);
  }

  /** The focus is afterwards where the same answer is given again, and never on another one. */
  async #deliver(send, decision) {
    if (this.#sending) return;
    this.#sending = true;
    this.#enable();
    mark(this.element, "aria-busy", "true");
    const isSent = await send();
    this.#sending = false;
    mark(this.element, "aria-busy", null);
    if (isSent || this.#approval.status !== "open") return;
    this.#enable();
    this.#disarm();
    (this.element.querySelector("textarea") ?? this.#button(decision))?.focus();
  }

  /** Whether each control takes anything now. */
  #enable() {
    const isHeld = this.#sending || this.#settling;
    const ready = { always: this.#always?.isReady, answers: this.#questions?.isReady };
    for (const part of [this.element, this.panel]) {
      for (const control of part.querySelectorAll("button")) {
        const { decision } = control.dataset;
        mark(control, "disabled", isHeld || ready[decision] === false);
        // It keeps the focus, which a disabled button loses.
        mark(control, "aria-disabled", this.#isUnread && !DENIALS.includes(decision) && "true");
      }
      for (const field of part.querySelectorAll("textarea, input, select")) mark(field, "disabled", this.#sending);
    }
    const tell = this.element.querySelector(".reason[data-kind=tell]");
    if (tell && !isHeld) mark(tell.querySelector("[type=submit]"), "disabled", !tell.querySelector("textarea").value.trim());
  }

  #button(decision) {
    const selector = `[data-decision="${decision}"]`;
    return this.element.querySelector(selector) ?? this.panel.querySelector(selector);
  }
}

/** Whether a page asked for it, so that another surface approves it. */
function isAskedHere(offer) {
  return offer?.askedOn === "web";
}
