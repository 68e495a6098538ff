// Presses that another one has to follow. A double click is one press, and a press that none follows is taken back.

import { mark } from "./dom.js";

/** What came up by itself, or under a finger, takes no press for so long: it may have been meant for what was there before. */
export const SETTLE_MS = 600;
/** The second press is waited for so long, and for so long where there is something to read before it. */
export const [ARMED_MS, READ_MS] = [6_000, 60_000];

/** What the next press does, until it is pressed, taken back or not pressed in time. */
export class Armed {
  #what = null;
  #over;
  #timer = null;

  /** `over()`: nothing waits for a second press any more. */
  constructor(over) {
    this.#over = over;
  }

  get what() {
    return this.#what;
  }

  /** Waits for the second press of this. */
  arm(what, ms = ARMED_MS) {
    clearTimeout(this.#timer);
    this.#what = what;
    this.#timer = setTimeout(() => this.forget(), ms);
  }

  /** Takes the first press back. */
  forget() {
    clearTimeout(this.#timer);
    if (this.#what === null) return;
    this.#what = null;
    this.#over();
  }
}

/** A button that acts on its second press alone. */
export class Twice {
  #button;
  #show;
  #armed = new Armed(() => this.#show(false));
  #isSettling = false;

  /** `show(isArmed)` says on the button what the next press does. */
  constructor(button, show) {
    [this.#button, this.#show] = [button, show];
    button.addEventListener("blur", () => this.#isSettling || this.forget());
  }

  /** Whether this press is the second one. The first one is answered by `show`. */
  isSure() {
    if (this.#armed.what) return !this.#isSettling;
    this.#armed.arm(true);
    this.#show(true);
    this.#isSettling = true;
    // Not every browser gives the focus to a button that is pressed.
    this.#button.focus({ preventScroll: true });
    mark(this.#button, "disabled", true);
    setTimeout(() => this.#settled(), SETTLE_MS);
    return false;
  }

  /** Takes the first press back. */
  forget() {
    this.#armed.forget();
  }

  #settled() {
    this.#isSettling = false;
    mark(this.#button, "disabled", null);
    // A button that is disabled loses the focus to what is around it. Where a person went on, it is not pressed any more.
    if (document.activeElement?.contains(this.#button)) this.#button.focus({ preventScroll: true });
    else this.forget();
  }
}
