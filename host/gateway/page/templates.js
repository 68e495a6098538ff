// The words of notices, as the operator writes them: a headline and a text with paths in double braces.

import { h } from "./dom.js";
import { field, form, redraw, section, text, twice } from "./fields.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The section. `desk` calls the gateway. */
export function templates(desk) {
  const t = words().set;
  const list = h("ol", { class: "set-list" });
  const adding = h("details", { class: "set-add" });
  const element = section(t.templates, h("p", { class: "fine" }, t.templatesFine), list, adding);
  let version = null;
  const draw = (status) => {
    const done = () => [(adding.open = false), draw(status)];
    adding.replaceChildren(h("summary", {}, t.addTemplate), edit(null, status, desk, [], done));
  };
  const take = (status) => {
    redraw(list, status.ownTemplates.map((template) => one(template, status, desk)), status.version === version);
    // What it needs of the status does not change.
    if (version === null) draw(status);
    version = status.version;
  };
  return { element, take };
}

function one(template, status, desk) {
  const t = words().set;
  const name = visibleLine(template.name);
  const remove = twice(t.remove, t.removeAgain, () => desk.change({ kind: "remove_template", name: template.name }, item), { "aria-label": t.removeWhat(name) });
  const item = h("li", { "data-template": template.name },
    h("h3", {}, name),
    h("pre", { class: "code" }, visible([template.title, template.body].filter(Boolean).join("\n"))),
    h("details", {}, h("summary", { "aria-label": t.editWhat(name) }, t.edit), edit(template, status, desk, [remove])),
    h("p", { class: "wrong whole", role: "alert" }));
  return item;
}

function edit(template, status, desk, more, done) {
  const t = words().set;
  const name = text("", { maxlength: 32, required: true, placeholder: "short" });
  const title = text(template?.title ?? "", { placeholder: "{{session.folder}}: {{event.title}}" });
  const body = h("textarea", { rows: 4, class: "code", maxlength: 4_000, spellcheck: "false" }, template?.body ?? "");
  const fields = [
    !template && field("name", t.templateName, name, t.channelNameFine),
    field("title", t.headline, title), field("body", t.bodyText, body, t.paths(status.paths.map((path) => `{{${path}}}`).join(" "))),
  ];
  return form(fields, template ? t.save : t.add, async (form) => {
    const change = { kind: "template", name: template?.name ?? name.value.trim(), new: !template, title: title.value, body: body.value };
    if (await desk.change(change, form)) done?.();
  }, more);
}
