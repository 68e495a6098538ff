// The channels: how each does, a test that is sent over it and asks for a press back where there are buttons, and what its settings say.

import { moment } from "./clock.js";
import { h, write } from "./dom.js";
import { choice, field, form, press, redraw, section, text, tick, twice } from "./fields.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const TYPES = ["messenger", "discord", "webhook", "push", "desktop", "terminal"];
/** The keys of a type besides its words. Secrets are written only. */
const KEYS = { messenger: ["messenger", "chat"], discord: ["url", "thread", "username", "avatar"], webhook: ["url", "secret"], push: [], desktop: [], terminal: ["sequence"] };
/** The types that can send without a sound. */
const SILENT = ["messenger", "discord"];
const SECRET = ["url", "secret"];
const SEQUENCES = ["9", "777", "99", "bell"];

/** The section. `desk` calls the gateway. */
export function channels(desk) {
  const t = words().set;
  const list = h("ol", { class: "set-list" });
  const none = h("p", { class: "nothing" }, t.noChannels);
  const adding = h("details", { class: "set-add" });
  const element = section(t.channels, none, list, adding);
  const results = new Map();
  const tell = (name, words) => {
    results.set(name, words);
    for (const row of list.children) if (row.dataset.channel === name) write(row.querySelector(".result"), words);
  };
  const test = (name) => prove(name, desk, tell, () => list.isConnected);
  let version = null;
  const take = (status) => {
    none.hidden = status.channels.length > 0 || Boolean(status.error);
    redraw(list, status.channels.map((channel) => one(channel, status, desk, results, test)), status.version === version);
    version = status.version;
    if (!adding.open) adding.replaceChildren(h("summary", {}, t.addChannel), add(status, desk, adding));
  };
  return { element, take };
}

/** Sends a test, and waits for the press that it asks for, where it asks for one. `tell(name, words)` shows how far it is. */
async function prove(name, desk, tell, isHere) {
  const t = words().set;
  tell(name, t.testing);
  const sent = await desk.call("notify.test", { channel: name });
  tell(name, sent ? (sent.press ? t.press.waiting() : t.tested[sent.delivery](visibleLine(sent.why ?? ""))) : "");
  if (sent) desk.refresh();
  waitForPress(name, sent, desk, tell, isHere);
}

async function waitForPress(name, sent, desk, tell, isHere) {
  let press = sent?.press;
  while (press?.state === "waiting" && isHere()) {
    const heard = await desk.call("notify.press", { number: sent.number });
    if (!heard) return tell(name, "");
    press = heard.press ?? { state: "over" };
    tell(name, words().set.press[press.state](visibleLine(press.by ?? "")));
  }
}

/** `results` holds what came of each channel's last test. */
function one(channel, status, desk, results, prove) {
  const t = words().set;
  const result = h("p", { class: "result", role: "status" }, results.get(channel.name) ?? "");
  // It is notified by the hook, so the gateway has nothing to say of it.
  const isTerminal = channel.type === "terminal";
  const test = !isTerminal && press(t.test, () => prove(channel.name), { "aria-label": t.testWhat(channel.name), class: "test" });
  const again = channel.dead > 0 && press(t.againAll(channel.dead), async () => {
    const retried = await desk.call("notify.retry", { channel: channel.name });
    if (retried) desk.refresh();
  });
  const { failing } = channel;
  const state = failing ? t.failing(moment(failing.sinceMs), visibleLine(failing.why)) : channel.sentMs ? t.sent(moment(channel.sentMs)) : t.neverSent;
  const counts = [channel.waiting && t.waiting(channel.waiting), channel.held && t.heldCount(channel.held), channel.dead && t.deadCount(channel.dead)].filter(Boolean).join(" · ");
  const name = visibleLine(channel.name);
  const remove = twice(t.remove, t.removeAgain, () => desk.change({ kind: "remove_channel", name: channel.name }, item), { "aria-label": t.removeWhat(name) });
  const item = h("li", { "data-channel": channel.name, "data-failing": failing ? true : null },
    h("h3", {}, name, h("span", { class: "label" }, ` ${t.type[channel.type] ?? visibleLine(channel.type)}${channel.messenger ? ` · ${visibleLine(channel.messenger)}` : ""}`)),
    h("p", { class: failing ? "state sign-bad" : "state" }, isTerminal ? t.atTerminal(name) : failing ? `✗ ${state}` : state),
    counts && h("p", { class: "fine" }, counts),
    channel.missing.length > 0 && h("p", { class: "state sign-bad" }, t.missing(channel.missing.map(visibleLine).join(", "))),
    h("div", { class: "set-buttons" }, test, again),
    result,
    h("details", {}, h("summary", { "aria-label": t.editWhat(name) }, t.edit), edit(channel, status, desk, remove)),
    h("p", { class: "wrong whole", role: "alert" }));
  return item;
}

function edit(channel, status, desk, remove) {
  const t = words().set;
  const controls = Object.fromEntries(KEYS[channel.type].map((key) => [key, control(key, channel[key], status)]));
  if (channel.type !== "push") controls.template = templates(channel.template, status);
  const verbose = tick(t.verbose, channel.verbose);
  const silent = SILENT.includes(channel.type) ? tick(t.silent, channel.silent) : null;
  const fields = Object.entries(controls).map(([key, one]) => field(key, t.key[key], one, SECRET.includes(key) ? t.secretKept : null));
  return form([fields, silent, verbose, h("p", { class: "fine" }, t.verboseFine)], t.save, (form) => {
    const values = Object.fromEntries(Object.entries(controls).filter(([key, one]) => !SECRET.includes(key) || one.value.trim()).map(([key, one]) => [key, one.value]));
    const isTicked = (tick) => Boolean(tick?.querySelector("input").checked);
    return desk.change({ kind: "channel", name: channel.name, new: false, values, silent: isTicked(silent), verbose: isTicked(verbose) }, form);
  }, [remove]);
}

function add(status, desk, adding) {
  const t = words().set;
  const name = text("", { maxlength: 32, required: true, placeholder: "phone" });
  const type = choice(TYPES.map((type) => [type, t.type[type]]), status.messengers.length ? "messenger" : "push");
  const keys = h("div", { class: "set-keys" });
  let controls = {};
  const draw = () => {
    controls = Object.fromEntries(KEYS[type.value].map((key) => [key, control(key, "", status)]));
    keys.replaceChildren(...Object.entries(controls).map(([key, one]) => field(key, t.key[key], one)));
  };
  type.addEventListener("change", draw);
  draw();
  return form([field("name", t.channelName, name, t.channelNameFine), field("type", t.typeLabel, type), keys], t.add, async (form) => {
    const values = Object.fromEntries(Object.entries(controls).map(([key, one]) => [key, one.value]));
    const isDone = await desk.change({ kind: "channel", name: name.value.trim(), new: true, type: type.value, values, verbose: false }, form);
    if (!isDone) return;
    adding.open = false;
    desk.refresh();
  });
}

function control(key, value, status) {
  if (key === "messenger") {
    const names = [...new Set([...(value ? [value] : []), ...status.messengers])];
    return choice(names.map((name) => [name, visibleLine(name)]), value);
  }
  if (key === "sequence") return choice([["", words().set.ownSequence], ...SEQUENCES.map((name) => [name, name])], value ?? "");
  return text(value ?? "", SECRET.includes(key) ? { type: "password", autocomplete: "new-password" } : {});
}

function templates(chosen, status) {
  return choice([["", words().set.noTemplate], ...status.templates.map((name) => [name, visibleLine(name)])], chosen ?? "");
}
