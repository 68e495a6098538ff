// *Notify me*: what is true on this device, and what can be done about it.

import { browsers } from "./browsers.js";
import { h, write } from "./dom.js";
import { tick } from "./fields.js";
import { state, turnOff, turnOn } from "./push.js";
import { isOn, turn } from "./sound.js";
import { words } from "./words.js";

/** Whether this page makes a sound, too. */
function sound() {
  const box = tick(words().push.sound, isOn());
  box.querySelector("input").addEventListener("change", ({ target }) => turn(target.checked));
  return box;
}

/** Opens the dialog. */
export async function notifyMe(socket) {
  const t = words().push;
  const status = h("p", { role: "status" });
  const buttons = h("p", { class: "choices" });
  const dialog = h("dialog", { class: "help notify", "aria-labelledby": "notify-title" },
    h("h2", { id: "notify-title" }, t.title), status, buttons, sound(),
    h("p", { class: "fine" }, t.privacy),
    h("p", {}, h("button", { type: "button", class: "devices", onclick: () => [dialog.close(), browsers(socket)] }, words().browsers.title)),
    h("button", { type: "button", class: "close", autofocus: true, onclick: () => dialog.close() }, words().close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();

  const button = (name, label, act) => h("button", { type: "button", class: name, onclick: () => run(act) }, label);
  const run = async (act) => {
    for (const one of buttons.children) one.disabled = true;
    write(status, t.working);
    const said = await act().catch((error) => t.failed[typeof error?.code === "string" ? error.code : error?.name] ?? t.failed.other(error?.message ?? ""));
    await draw(said);
  };
  const test = async () => {
    const { delivery, why } = await socket.call("push.test");
    return delivery === "sent" ? t.tested : t.untested(why ?? "");
  };
  const draw = async (said) => {
    const now = await state(socket).catch(() => "off");
    write(status, said ?? t.state[now]);
    dialog.dataset.state = now;
    buttons.replaceChildren(...({
      on: [button("test", t.test, test), button("off", t.turnOff, () => turnOff(socket))],
      off: [button("on", t.turnOn, () => turnOn(socket))],
    }[now] ?? []));
  };
  await draw();
}
