// The hooks that people wrote for Claude Code: which of their files count, with the trust that they have, and whether each would run.

import { h } from "./dom.js";
import { field, form, section, text, ticks } from "./fields.js";
import { trust } from "./trust.js";
import { visibleLine } from "./visible.js";
import { lang, words } from "./words.js";

/** The section. */
export function hooks(desk) {
  const t = words().set;
  const folder = text("", { maxlength: 4_096, placeholder: "/home/me/shop" });
  const shown = h("div", { role: "status" });
  const trusting = trust(desk, (found) => shown.replaceChildren(...drawn(found)));
  const read = async () => {
    const named = folder.value.trim();
    const found = await desk.call("hooks.list", { lang: lang(), ...(named && { folder: named }) });
    if (found) shown.replaceChildren(...drawn(found));
    trusting.show(found && named ? found.folder : null);
  };
  const switches = h("div");
  const element = section(t.hooks, h("p", { class: "fine" }, t.hooksFine), switches,
    form([field("folder", t.hookFolder, folder, t.hookFolderFine)], t.show, read), shown, trusting.element);
  let seen = null;
  const take = (status) => {
    if (!switches.contains(document.activeElement)) switches.replaceChildren(sources(status, desk));
    // Their files are read once, and then when somebody asks, or when other sources count.
    const on = status.sources.join();
    if (on !== seen) read();
    seen = on;
  };
  return { element, take };
}

function sources(status, desk) {
  const t = words().set;
  const boxes = ticks("hooks", t.sources, Object.entries(t.source), status.sources);
  if (status.sourcesFrom) {
    for (const box of boxes.element.querySelectorAll("input")) box.disabled = true;
    return h("div", { class: "set-form" }, boxes.element, h("p", { class: "fine" }, t.sourcesFrom(visibleLine(status.sourcesFrom))));
  }
  return form([boxes.element, h("p", { class: "fine" }, t.sourcesFine)], t.save, async (form) => {
    if (await desk.change({ kind: "sources", sources: boxes.checked() }, form, t.switched)) desk.refresh();
  });
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
    one.remark && h("p", { class: "fine" }, visibleLine(one.remark)),
    one.description && h("p", { class: "fine" }, visibleLine(one.description)));
  const unsupported = Object.entries(found.unsupported).map(([type, count]) => `${visibleLine(type)} ${count}`).join(", ");
  return [
    h("ol", { class: "set-list" }, found.sources.map(source)),
    found.hooks.length ? h("ol", { class: "set-list" }, found.hooks.map(hook)) : h("p", { class: "nothing" }, t.noHooks),
    unsupported && h("p", { class: "fine" }, t.unsupported(unsupported)),
  ].filter(Boolean);
}
