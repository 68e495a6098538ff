// Buttons that act on their second press alone. A double click is one press.

import { mark } from "./dom.js";

/** What came up by itself, or under a finger, takes no press for so long: it may have been meant for what was there before. */
export const SETTLE_MS = 600;

export class Twice {
  #button;
  #show;
  #isArmed = false;
  #isSettling = false;

  /** `show(isArmed)` says on the button what the next press does. */
  constructor(button, show) {
    [this.#button, this.#show] = [button, show];
    button.addEventListener("blur", () => this.#isSettling || this.forget());
  }

  /** Whether this press is the second one. The first one is answered by `show`. */
  isSure() {
    if (this.#isArmed) return !this.#isSettling;
    this.#turn(true);
    this.#isSettling = true;
    // Not every browser gives the focus to a button that is pressed.
    this.#button.focus({ preventScroll: true });
    mark(this.#button, "disabled", true);
    setTimeout(() => this.#settled(), SETTLE_MS);
    return false;
  }

  /** Takes the first press back. */
  forget() {
    if (this.#isArmed) this.#turn(false);
  }

  #turn(isArmed) {
    this.#isArmed = isArmed;
    this.#show(isArmed);
  }

  #settled() {
    this.#isSettling = false;
    mark(this.#button, "disabled", null);
    // A button that is disabled loses the focus to what is around it. Where a person went on, it is not pressed any more.
    if (document.activeElement?.contains(this.#button)) this.#button.focus({ preventScroll: true });
    else this.forget();
  }
}
