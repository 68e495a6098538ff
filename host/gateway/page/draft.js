// What was begun on a request and not sent. It is kept for this tab, so that a reload of the page loses nothing; nothing of
// it answers anything.

const PREFIX = "dmplz-draft-";

export class Draft {
  #id;
  #fields;

  constructor(id) {
    this.#id = id;
    this.#fields = read(PREFIX + id);
  }

  get(name) {
    return this.#fields[name];
  }

  set(name, value) {
    if (value === undefined) delete this.#fields[name];
    else this.#fields[name] = value;
    try {
      sessionStorage.setItem(PREFIX + this.#id, JSON.stringify(this.#fields));
    } catch {
      // A browser that keeps nothing loses it with a reload.
    }
  }
}

/** Nothing can be sent any more. */
export function forget(id) {
  try {
    sessionStorage.removeItem(PREFIX + id);
  } catch {
    // Nothing was kept.
  }
}

function read(key) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key));
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}
