// The trust in a folder's hooks: all that would run is shown, or what changed in it, and only exactly that is trusted.

import { say } from "./announce.js";
import { h } from "./dom.js";
import { press, twice } from "./fields.js";
import { visibleLine } from "./visible.js";
import { lang, words } from "./words.js";

const SIGNS = { same: " ", added: "+", removed: "-", gap: "…" };

/** The part of a section. `taken(found)` gets the hooks of the folder after a change. `show(folder)` shows its trust, if it is one. */
export function trust(desk, taken) {
  const element = h("div", { class: "trust", role: "status" });
  const show = async (folder) => {
    if (!folder) return element.replaceChildren();
    const found = await desk.call("hooks.changes", { folder, lang: lang() });
    element.replaceChildren(...(found ? drawn(found, act) : []));
  };
  const act = async (folder, digest) => {
    const t = words().set;
    const found = await desk.call("hooks.trust", { folder, lang: lang(), ...(digest && { digest }) });
    if (found) {
      taken(found);
      say(digest ? t.trustGiven : t.trustTaken, "good");
    }
    await show(folder);
    element.querySelector("h3, button")?.focus();
  };
  return { element, show };
}

function drawn(found, act) {
  const t = words().set;
  if (found.trusted === "no_hooks") return [];
  const state = h("h3", { tabindex: -1 }, t.trust[found.trusted]);
  const revoke = press(t.untrust, () => act(found.folder));
  if (found.trusted === "trusted") return [state, h("div", { class: "set-buttons" }, revoke)];
  if (found.whyNot) return [state, h("p", { class: "sign-bad" }, visibleLine(found.whyNot))];
  const line = ({ change, text }) => h("span", { class: `line-${change}` }, `${SIGNS[change]} ${text}\n`);
  const give = twice(t.trustThem, t.trustAgain, () => act(found.folder, found.digest), { class: "approve" });
  return [
    state, h("p", { class: "fine" }, t.trustFine), h("pre", { class: "code trusted-text", tabindex: 0, "aria-label": t.trustText }, found.lines.map(line)),
    h("div", { class: "set-buttons" }, give, found.trusted === "changed" && revoke),
  ];
}
