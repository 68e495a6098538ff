// A part of the page that comes and goes. What it listens to and what it does again and again ends when it is left.

export class View extends EventTarget {
  #left = new AbortController();

  /** Calls `then` for every such event. */
  on(target, name, then) {
    target.addEventListener(name, then, { signal: this.#left.signal });
  }

  every(ms, act) {
    const clock = setInterval(act, ms);
    this.#left.signal.addEventListener("abort", () => clearInterval(clock));
  }

  /** Whether the page shows something else by now. */
  get isLeft() {
    return this.#left.signal.aborted;
  }

  leave() {
    this.#left.abort();
  }
}
