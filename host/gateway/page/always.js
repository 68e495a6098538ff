// What "always" would store: every rule as it would be written, the file that it goes to, and the button below them, so that
// nobody presses it who could not have read them.
//
// | suggestion | part of it |
// |---|---|
// | no wider than the request | always |
// | wider | only while its box is ticked, and then the button says so |

import { h, key, mark, write } from "./dom.js";
import { fileOf, scopeName } from "./reach.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

export const SCOPES = ["localSettings", "userSettings", "projectSettings", "session"];

export class Always {
  #all;
  #draft;
  #press;
  #rules = h("ul", { class: "rules" });
  #wider = h("ul", { class: "rules wider" });

  /** `press(event)`: the person wants it. `changed()`: what it would store changed. */
  constructor({ offer }, draft, press, changed) {
    [this.#all, this.#draft, this.#press] = [offer.always, draft, press];
    const t = words();
    const change = (name, value) => {
      this.#draft.set(name, value);
      this.#draw();
      changed();
    };
    const scope = h("select", { id: "scope", onchange: () => change("scope", scope.value) },
      SCOPES.map((name) => h("option", { value: name, selected: name === this.#scope }, scopeName(name))));
    // A mode keeps its own place: then there is nothing to choose.
    const moves = this.#all.some(({ destinations }) => new Set(Object.values(destinations)).size > 1);
    const box = h("input", { type: "checkbox", id: "broad", checked: this.#isBroad, onchange: () => change("broad", box.checked) });
    const hasBroad = this.#all.some(({ broad }) => broad);
    const tick = h("label", { class: "tick", for: "broad" }, box, h("span", {}, t.always.widen));
    this.button = h("button", { type: "button", class: "keep", "data-decision": "always", "aria-describedby": "always-rules", onclick: (event) => this.#press(event) },
      h("span", {}), key("W"));
    this.element = h("section", { class: "always", "aria-labelledby": "always-title" },
      h("h3", { id: "always-title" }, t.always.title),
      moves ? h("p", { class: "where-to" }, h("label", { for: "scope" }, t.always.scope), scope) : null,
      h("div", { id: "always-rules" }, this.#rules, this.#wider),
      hasBroad ? tick : null,
      h("div", { class: "buttons" }, this.button));
    this.#draw();
  }

  /** Whether it would store anything. */
  get isReady() {
    return this.#stored().length > 0;
  }

  answer() {
    return { decision: "always", scope: this.#scope, ...(this.#isBroad && { broad: true }) };
  }

  /** The next place. */
  cycle() {
    const scope = this.element.querySelector("#scope");
    if (!scope) return;
    scope.value = SCOPES[(SCOPES.indexOf(scope.value) + 1) % SCOPES.length];
    scope.dispatchEvent(new Event("change"));
    scope.focus({ preventScroll: true });
  }

  get #scope() {
    const kept = this.#draft.get("scope");
    return SCOPES.includes(kept) ? kept : SCOPES[0];
  }

  get #isBroad() {
    return this.#draft.get("broad") === true && this.#all.some(({ broad }) => broad);
  }

  #stored() {
    return this.#all.filter(({ broad }) => !broad || this.#isBroad);
  }

  #draw() {
    const t = words();
    const item = (suggestion) => {
      const place = suggestion.destinations[this.#scope];
      return suggestion.text.map((text) => h("li", {},
        h("span", { class: "label" }, t.always.kind[suggestion.update.type] ?? ""),
        h("code", {}, visibleLine(text)),
        suggestion.broad ? h("span", { class: "because" }, t.always.why[suggestion.broad] ?? "") : null,
        h("span", { class: "file" }, h("span", { class: "unseen" }, t.always.into), h("code", {}, fileOf(place)), h("span", {}, scopeName(place)))));
    };
    this.#rules.replaceChildren(...this.#all.filter(({ broad }) => !broad).flatMap(item));
    const wider = this.#all.filter(({ broad }) => broad).flatMap(item);
    this.#wider.replaceChildren(...(wider.length ? [h("li", { class: "warning" }, t.always.wider), ...wider] : []));
    mark(this.#wider, "data-out", !this.#isBroad);
    write(this.button.querySelector("span"), label(this.#stored(), this.#scope) + (this.#isBroad ? ` ${t.always.wideToo}` : ""));
    mark(this.button, "disabled", !this.isReady);
  }
}

/** What the button says: seed 4's `buildAlwaysButtonText`. */
function label(stored, scope) {
  const t = words().always;
  const places = new Set(stored.map(({ destinations }) => destinations[scope]));
  const where = places.size === 1 ? scopeName([...places][0]) : scopeName(scope);
  const directories = stored.flatMap(({ update }) => update.directories ?? []).length;
  if (directories) return t.directories(directories, where);
  const tools = [...new Set(stored.flatMap(({ update }) => update.rules ?? []).map((rule) => visibleLine(rule.toolName)))];
  return tools.length ? t.tools(tools, where) : t.plain(where);
}
