// Several requests answered together, after a look at them.
//
// | answer | takes |
// |---|---|
// | deny | every request that is selected and open |
// | approve | nothing but calls that only read, without a mark, each of which was shown whole on this page |
//
// Each request gets an answer of its own, by its id: it is taken or refused by itself, and is recorded by itself.

import { say } from "./announce.js";
import { h, mark, write } from "./dom.js";
import { respond } from "./respond.js";
import { Armed, SETTLE_MS } from "./twice.js";
import { words } from "./words.js";

/** The tools of Claude Code that only read files. What they are about is in their input, all of which is shown. */
const READS = ["Read", "Grep", "Glob", "LS", "NotebookRead"];
/** Fewer are answered one by one. */
const LEAST = 2;

export class Several extends EventTarget {
  isOn = false;
  #store;
  #socket;
  #picked = new Set();
  /** Requests that were shown whole. */
  #seen = new Set();
  #sure = new Armed(() => this.draw());
  #isSending = false;
  #isSettling = false;
  #begin = h("button", { type: "button", class: "begin", onclick: () => this.#turn(true) });
  #count = h("p", { role: "status" });
  #deny = h("button", { type: "button", class: "deny", onclick: () => this.#press("deny") });
  #approve = h("button", { type: "button", class: "approve", "aria-describedby": "several-reads", onclick: () => this.#press("approve") });
  #bar;

  constructor(store, socket) {
    super();
    [this.#store, this.#socket] = [store, socket];
    const t = words().several;
    write(this.#begin, t.begin);
    this.#bar = h("div", { class: "bar", hidden: true }, this.#count, h("p", { id: "several-reads", class: "fine" }, t.reads),
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => this.#turn(false) }, words().back), this.#deny, this.#approve));
    this.element = h("div", { class: "several" }, this.#begin, this.#bar);
    this.draw();
  }

  /** A request was shown whole. */
  saw(id) {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.draw();
  }

  /** A person picks a request, or not any more. */
  pick(id, isPicked) {
    if (isPicked) this.#picked.add(id);
    else this.#picked.delete(id);
    this.#sure.forget();
    this.draw();
  }

  isPicked(id) {
    return this.#picked.has(id);
  }

  /** Requests came, went on or left. */
  draw() {
    const open = this.#open();
    for (const id of this.#picked) if (!open.some((approval) => approval.id === id)) this.#picked.delete(id);
    const [t, picked] = [words().several, this.#chosen()];
    mark(this.element, "hidden", !this.isOn && open.length < LEAST);
    mark(this.#begin, "hidden", this.isOn);
    mark(this.#bar, "hidden", !this.isOn);
    write(this.#count, t.count(picked.length));
    const mayApprove = picked.length > 0 && picked.every((approval) => this.#mayApprove(approval));
    for (const [decision, button, isReady] of [["deny", this.#deny, picked.length > 0], ["approve", this.#approve, mayApprove]]) {
      write(button, (this.#sure.what === decision ? t.again : t)[decision](picked.length));
      mark(button, "disabled", this.#isSending || this.#isSettling || !isReady);
    }
  }

  #open() {
    return this.#store.waiting().filter((approval) => approval.status === "open");
  }

  #chosen() {
    return this.#open().filter((approval) => this.#picked.has(approval.id));
  }

  #mayApprove({ id, tool, source, subject }) {
    return READS.includes(tool) && source.kind !== "tool" && !subject?.risks?.length && this.#seen.has(id);
  }

  #turn(isOn) {
    this.isOn = isOn;
    this.#sure.forget();
    this.#picked.clear();
    this.draw();
    this.dispatchEvent(new Event("turned"));
    (isOn ? this.#bar.querySelector("button") : this.#begin).focus({ preventScroll: true });
  }

  /** Asks for a second press, which the second click of a double click is not. */
  #ask(decision) {
    this.#sure.arm(decision);
    this.#isSettling = true;
    this.draw();
    setTimeout(() => {
      this.#isSettling = false;
      this.draw();
      // A button that is disabled loses the focus to what is around it.
      const button = { deny: this.#deny, approve: this.#approve }[decision];
      if (document.activeElement.contains(button)) button.focus({ preventScroll: true });
    }, SETTLE_MS);
  }

  async #press(decision) {
    if (this.#isSending) return;
    if (this.#sure.what !== decision) return this.#ask(decision);
    // What is chosen now, and not what was when the button was drawn.
    const chosen = this.#chosen().filter((approval) => decision === "deny" || this.#mayApprove(approval));
    this.#isSending = true;
    this.#sure.forget();
    let taken = 0;
    for (const { id } of chosen) if (this.#socket.isUp && (await respond(this.#socket, this.#store, id, { decision }))) taken += 1;
    this.#isSending = false;
    const t = words().several;
    say(t.done[decision](taken, chosen.length), taken < chosen.length ? "bad" : "good");
    this.#turn(false);
  }
}
