// What an event would send over each channel, at each level of detail. Nothing is sent. What is masked is marked.

import { h } from "./dom.js";
import { choice, field, form, section } from "./fields.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The events that a client reports to hooks, so that there are examples of them. */
const EXAMPLES = ["Notification", "Stop", "StopFailure", "SubagentStop", "SessionStart", "SessionEnd", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PermissionDenied"];
const MASK = "****";

/** The section. */
export function preview(desk) {
  const t = words().set;
  const example = choice(EXAMPLES.map((event) => [event, t.event[event]]), "PostToolUseFailure");
  const input = h("textarea", { rows: 6, maxlength: 100_000, spellcheck: "false", class: "code" });
  const shown = h("div", { class: "previews", role: "status" });
  const show = async (params) => {
    const found = await desk.call("notify.preview", params);
    if (!found) return;
    if (found.input) input.value = found.input;
    shown.replaceChildren(...(found.channels.length ? found.channels.map(one) : [h("p", { class: "nothing" }, t.noChannels)]));
  };
  example.addEventListener("change", () => (input.value = ""));
  const element = section(t.preview, h("p", { class: "fine" }, t.previewFine),
    form([field("example", t.example, example), field("input", t.input, input, t.inputFine)], t.show,
      () => show(input.value.trim() ? { input: input.value } : { example: example.value })), shown);
  return { element };
}

function one(channel) {
  const t = words().set;
  const level = ({ detail, title, text, masked }) => {
    const isSent = channel.sends === detail;
    return h("div", { class: "level", "data-detail": detail, "data-sent": isSent },
      h("p", { class: "label" }, t.detail[detail], isSent ? ` · ${t.isSent}` : "", masked ? ` · ${t.masked(masked)}` : ""),
      h("pre", { tabindex: 0 }, marked(visible(`${title}\n${text}`.trim()))));
  };
  return h("section", { class: "previewed", "aria-label": visibleLine(channel.channel) },
    h("h3", {}, visibleLine(channel.channel), h("span", { class: "label" }, ` ${t.now[channel.now] ?? t.noRoute}`)), channel.levels.map(level));
}

/** The text, with every mask in it marked. */
function marked(text) {
  return text.split(MASK).flatMap((piece, at) => (at === 0 ? [piece] : [h("mark", {}, MASK), piece]));
}
