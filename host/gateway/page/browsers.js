// *Paired browsers*: which browsers may answer here, and the way to end that.

import { moment } from "./clock.js";
import { h, write } from "./dom.js";
import { twice } from "./fields.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** Opens the dialog. */
export async function browsers(socket) {
  const t = words().browsers;
  const status = h("p", { role: "status" });
  const list = h("ul");
  const all = twice(t.all, t.allAgain, () => end({ all: true }, ""), { class: "all" });
  const dialog = h("dialog", { class: "help browsers", "aria-labelledby": "browsers-title" },
    h("h2", { id: "browsers-title" }, t.title), list, status,
    h("p", { class: "choices" }, all),
    h("p", { class: "fine" }, t.fine),
    h("button", { type: "button", class: "close", autofocus: true, onclick: () => dialog.close() }, words().close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();

  const end = async (which, name) => {
    for (const button of dialog.querySelectorAll("li button, .all")) button.disabled = true;
    const failed = await socket.call("browsers.revoke", which).then(() => null, (error) => error);
    // Who ended its own pairing is logged out by the gateway.
    await draw(failed ? t.failed(failed.message ?? "") : t.ended(name));
  };
  const row = (browser) => {
    const name = visibleLine(browser.name) || t.unknown;
    const about = [t.paired(moment(browser.pairedMs)), t.seen(moment(browser.seenMs)), browser.isNotified && t.notified];
    return h("li", { "data-id": browser.id },
      h("div", {}, h("p", {}, h("strong", {}, name), browser.isOwn ? ` · ${t.own}` : null), h("p", { class: "fine" }, about.filter(Boolean).join(" · "))),
      twice(t.end, t.endAgain, () => end({ id: browser.id }, name), { "aria-label": t.endWhat(name) }));
  };
  const draw = async (said = "") => {
    const listed = await socket.call("browsers.list").catch((error) => error);
    if (!dialog.open) return;
    write(status, listed.browsers ? said : t.failed(listed.message ?? ""));
    list.replaceChildren(...(listed.browsers ?? []).map(row));
    all.disabled = false;
  };
  await draw();
}
