// The log of notices: what was sent, what waits, and what could not be sent, which is sent again from here.

import { say } from "./announce.js";
import { moment } from "./clock.js";
import { h } from "./dom.js";
import { press, redraw, section, tick } from "./fields.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The section. */
export function noticeLog(desk) {
  const t = words().set;
  const list = h("ol", { class: "notice-log" });
  const none = h("p", { class: "nothing" }, t.noNotices);
  const dead = tick(t.onlyDead, false);
  const read = async () => {
    const found = await desk.call("notify.log", { limit: 50, dead: dead.querySelector("input").checked });
    if (!found) return;
    none.hidden = found.notices.length > 0;
    redraw(list, found.notices.map((notice) => row(notice, desk)));
  };
  dead.addEventListener("change", read);
  return { element: section(t.log, dead, none, list), take: read };
}

function row(notice, desk) {
  const t = words().set;
  const isOver = notice.status === "dead" || notice.status === "skipped" || notice.status === "held";
  const again = isOver && press(t.again, async () => {
    const retried = await desk.call("notify.retry", { number: notice.number });
    if (!retried) return;
    say(retried.notices ? t.queued : t.notAgain, retried.notices ? "good" : "bad");
    desk.refresh();
  }, { "aria-label": t.againWhat(notice.number) });
  const tone = { sent: "sign-good", dead: "sign-bad" }[notice.status] ?? "sign-spent";
  return h("li", { "data-number": notice.number, "data-status": notice.status },
    h("p", {}, h("span", { class: tone }, t.status[notice.status] ?? visibleLine(notice.status)), " ", h("strong", {}, notice.title ? visibleLine(notice.title) : t.unreadable)),
    h("p", { class: "fine" }, `${visibleLine(notice.channel)} · ${moment(notice.createdMs)} · ${t.attempts(notice.attempts)}`),
    notice.why && h("p", { class: "fine why" }, visibleLine(notice.why)),
    again && h("div", { class: "set-buttons" }, again));
}
