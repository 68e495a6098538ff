// The routes, which send events to channels; and the quiet hours.

import { h, write } from "./dom.js";
import { choice, field, form, redraw, section, text, ticks, twice } from "./fields.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const DETAILS = ["minimal", "normal", "verbose"];
const FRONTS = ["page", "terminal"];
const PRIORITIES = ["permission", "failure", "done", "progress"];

/** The section of the routes. */
export function routes(desk) {
  const t = words().set;
  const list = h("ol", { class: "set-list" });
  const none = h("p", { class: "nothing" }, t.noRoutes);
  const adding = h("details", { class: "set-add" });
  const element = section(t.routes, none, list, adding);
  let version = null;
  const take = (status) => {
    none.hidden = status.routes.length > 0 || Boolean(status.error);
    redraw(list, status.routes.map((route) => one(route, status, desk)), status.version === version);
    version = status.version;
    adding.hidden = status.channels.length === 0;
    if (adding.open) return;
    const done = () => [(adding.open = false), desk.refresh()];
    adding.replaceChildren(h("summary", {}, t.addRoute), edit({ events: [], only: [], to: [], detail: "minimal", skipIf: [] }, status, desk, t.add, [], done));
  };
  return { element, take };
}

function one(route, status, desk) {
  const t = words().set;
  const to = route.to.map(visibleLine).join(", ");
  const about = [
    t.detail[route.detail], route.only.length > 0 && t.onlyThese(route.only.map(visibleLine).join(", ")), route.afterMs && t.after(span(route.afterMs)),
    route.skipIf?.length && t.skips(route.skipIf.map((front) => t.front[front]).join(", ")), route.throughQuiet && t.through(t.priority[route.throughQuiet]),
  ].filter(Boolean).join(" · ");
  const remove = twice(t.remove, t.removeAgain, () => desk.change({ kind: "remove_route", number: route.number }, item), { "aria-label": t.removeWhat(t.route(route.number)) });
  const item = h("li", { "data-route": route.number },
    h("h3", {}, `${route.events.map((event) => t.event[event] ?? visibleLine(event)).join(", ")} → ${to}`),
    h("p", { class: "fine" }, about),
    h("details", {}, h("summary", { "aria-label": t.editWhat(t.route(route.number)) }, t.edit), edit(route, status, desk, t.save, [remove])),
    h("p", { class: "wrong whole", role: "alert" }));
  return item;
}

function edit(route, status, desk, label, more, done) {
  const t = words().set;
  const events = ticks("events", t.events, status.events.map((event) => [event, `${t.event[event] ?? event}`]), route.events);
  const to = ticks("to", t.to, status.channels.map(({ name }) => [name, visibleLine(name)]), route.to);
  const detail = choice(DETAILS.map((name) => [name, t.detail[name]]), route.detail);
  const only = text(route.only.join(", "), { placeholder: "Bash, mcp__*" });
  const after = text(route.afterMs ? span(route.afterMs) : "", { placeholder: "90s", maxlength: 20 });
  const skipIf = ticks("skip_if", t.skipIf, FRONTS.map((front) => [front, t.front[front]]), route.skipIf ?? []);
  const through = choice([["", t.nothingThrough], ...PRIORITIES.map((name) => [name, t.priority[name]])], route.throughQuiet ?? "");
  const fields = [
    events.element, to.element, field("detail", t.detailLabel, detail, t.detailFine), field("only", t.only, only, t.onlyFine),
    field("after", t.afterLabel, after, t.afterFine), skipIf.element, field("through_quiet", t.throughLabel, through),
  ];
  return form(fields, label, async (form) => {
    const change = {
      kind: "route", ...(route.number && { number: route.number }), events: events.checked(), to: to.checked(), detail: detail.value,
      only: only.value.split(",").map((pattern) => pattern.trim()).filter(Boolean), after: after.value.trim(), skipIf: skipIf.checked(), throughQuiet: through.value,
    };
    if (await desk.change(change, form)) done?.();
  }, more);
}

/** The section of the quiet hours. */
export function quiet(desk) {
  const t = words().set;
  const hours = text("", { maxlength: 20, placeholder: "22:00-07:00" });
  const zone = text("", { maxlength: 60, placeholder: "Asia/Seoul" });
  const now = h("p", { class: "fine" });
  const element = section(t.quiet, now, form([field("quiet", t.quietHours, hours), field("zone", t.zone, zone, t.zoneFine)], t.save,
    (form) => desk.change({ kind: "quiet", quiet: hours.value.trim(), zone: zone.value.trim() }, form)));
  const take = (status) => {
    write(now, status.quiet ? t.quietNow(visibleLine(status.quiet), visibleLine(status.zone ?? "")) : t.noQuiet);
    if (element.contains(document.activeElement)) return;
    [hours.value, zone.value] = [status.quiet ?? "", status.zone ?? ""];
  };
  return { element, take };
}

/** A time as the settings write it. */
function span(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
