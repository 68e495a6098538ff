// The hooks that people wrote for Claude Code: their files with the trust that they have, and whether each would run.

import { h } from "./dom.js";
import { field, form, section, text } from "./fields.js";
import { visibleLine } from "./visible.js";
import { lang, words } from "./words.js";

/** The section. */
export function hooks(desk) {
  const t = words().set;
  const folder = text("", { maxlength: 4_096, placeholder: "/home/me/shop" });
  const shown = h("div", { role: "status" });
  const read = async () => {
    const found = await desk.call("hooks.list", { lang: lang(), ...(folder.value.trim() && { folder: folder.value.trim() }) });
    if (found) shown.replaceChildren(...drawn(found));
  };
  const element = section(t.hooks, h("p", { class: "fine" }, t.hooksFine), form([field("folder", t.hookFolder, folder, t.hookFolderFine)], t.show, read), shown);
  let isRead = false;
  // Their files are read once, and then when somebody asks.
  return { element, take: () => isRead || [(isRead = true), read()] };
}

function drawn(found) {
  const t = words().set;
  const source = ({ source, path, standing, means, problems }) => h("li", { "data-source": source, "data-standing": standing },
    h("p", {}, h("strong", {}, t.source[source] ?? source), " ", h("code", {}, visibleLine(path))),
    h("p", { class: standing === "on" ? "sign-good" : "fine" }, visibleLine(means)), problems.map((problem) => h("p", { class: "fine" }, visibleLine(problem))));
  const hook = (one) => h("li", { "data-runs": one.whyNot ? "no" : "yes" },
    h("p", {}, h("span", { class: one.whyNot ? "sign-spent" : "sign-good" }, one.whyNot ? "–" : "✓"), " ", h("strong", {}, visibleLine(one.event)), " ", h("code", {}, visibleLine(one.matcher || "*"))),
    h("p", {}, h("code", {}, visibleLine(one.command || one.type))),
    h("p", { class: "fine" }, one.whyNot ? t.notRun(visibleLine(one.whyNot)) : t.runs),
    one.description && h("p", { class: "fine" }, visibleLine(one.description)));
  const unsupported = Object.entries(found.unsupported).map(([type, count]) => `${visibleLine(type)} ${count}`).join(", ");
  return [
    h("ol", { class: "set-list" }, found.sources.map(source)),
    found.hooks.length ? h("ol", { class: "set-list" }, found.hooks.map(hook)) : h("p", { class: "nothing" }, t.noHooks),
    unsupported && h("p", { class: "fine" }, t.unsupported(unsupported)),
  ].filter(Boolean);
}
