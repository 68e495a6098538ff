// The figures of a period, and how they came about.

import { chart, meter } from "./chart.js";
import { duration, now } from "./clock.js";
import { h, mark } from "./dom.js";
import { View } from "./view.js";
import { words, lang } from "./words.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long, and in how many columns. */
const PERIODS = { day: [DAY, 12], week: [7 * DAY, 7], month: [28 * DAY, 14] };

export class Figures extends View {
  name = "figures";
  #socket;
  #period = "week";
  #asked = 0;
  #body = h("div", { class: "body" });

  constructor(store, socket) {
    super();
    this.#socket = socket;
    const t = words();
    const choice = (name) => h("label", {},
      h("input", { type: "radio", name: "period", value: name, checked: name === this.#period, onchange: () => this.#show(name) }), h("span", {}, t.period[name]));
    this.element = h("div", { class: "figures" }, h("h1", { class: "unseen" }, t.figures),
      h("fieldset", { class: "periods" }, h("legend", { class: "unseen" }, t.periodLegend), Object.keys(PERIODS).map(choice)), this.#body);
    const again = () => this.#show(this.#period);
    this.on(socket, "settled", again);
    this.on(store, "left", again);
    again();
  }

  async #show(period) {
    this.#period = period;
    const asked = (this.#asked += 1);
    mark(this.#body, "aria-busy", "true");
    const [span, count] = PERIODS[period];
    const step = span / count;
    // Columns begin at whole hours or days here, and the last one is still growing.
    const until = Math.ceil((now() - offset()) / step) * step + offset();
    const from = (at) => Math.round(until - (count - at) * step);
    try {
      const whole = await this.#figures(from(0), until);
      const columns = [];
      for (let at = 0; at < count; at += 1) {
        columns.push({ label: label(from(at), period), values: series(await this.#figures(from(at), from(at + 1))) });
        if (asked !== this.#asked) return;
      }
      if (asked !== this.#asked) return;
      this.#body.replaceChildren(...draw(whole, columns));
    } catch (error) {
      if (asked === this.#asked && error.code !== "lost") this.#body.replaceChildren(h("p", {}, words().failed(error.message)));
    }
    mark(this.#body, "aria-busy", null);
  }

  async #figures(sinceMs, untilMs) {
    return camel(await this.#socket.call("metrics.get", { sinceMs, untilMs }));
  }
}

function draw(all, columns) {
  const t = words();
  const big = (label, value, note) => h("div", { class: "big" }, h("dt", {}, label), h("dd", {}, value, note && h("small", {}, note)));
  const share = (label, { count, of, rate }, whole) => h("div", { class: "share" },
    h("dt", {}, label), h("dd", {}, h("strong", {}, percent(rate)), h("small", {}, t.countOf(count, of, whole))), h("dd", { class: "bar" }, meter(rate)));
  const names = ["approved", "denied", "nobody", "elsewhere", "rule"];
  return [
    h("dl", { class: "bigs" },
      big(t.fig.requests, String(all.requests)),
      big(t.fig.median, duration(all.answers.medianMs), t.fig.p90(duration(all.answers.p90Ms))),
      big(t.fig.approved, String(all.approved + all.approvedForSession), t.fig.session(all.approvedForSession)),
      big(t.fig.denied, percent(all.denied.rate), t.countOf(all.denied.count, all.denied.of, ""))),
    chart(columns, names.map((name) => ({ name, label: t.series[name] })), t.fig.chart),
    h("dl", { class: "shares" },
      share(t.fig.denials, all.denied, t.fig.ofAnswered),
      share(t.fig.reasons, all.withReason, t.fig.ofDenied),
      share(t.fig.skips, all.explicitSkip, t.fig.ofDenied),
      share(t.fig.timeouts, all.reasonTimeout, t.fig.ofDenied),
      share(t.fig.hookTimeouts, all.hookTimeout, t.fig.ofAsked),
      share(t.fig.failures, all.failed, t.fig.ofAsked),
      share(t.fig.elsewhere, all.elsewhere, t.fig.ofAsked),
      share(t.fig.byPolicy, all.byPolicy, t.fig.ofAll)),
  ];
}

function series(figures) {
  return {
    approved: figures.approved + figures.approvedForSession, denied: figures.denied.count,
    nobody: figures.hookTimeout.count + figures.failed.count, elsewhere: figures.elsewhere.count, rule: figures.byPolicy.count,
  };
}

function percent(rate) {
  return rate === null || rate === undefined ? "–" : `${(rate * 100).toFixed(rate > 0 && rate < 0.1 ? 1 : 0)} %`;
}

function label(ms, period) {
  const how = period === "day" ? { hour: "2-digit", hourCycle: "h23" } : { month: "numeric", day: "numeric" };
  return new Intl.DateTimeFormat(lang(), how).format(new Date(ms));
}

/** The local midnight's distance from a whole day since 1970. */
function offset() {
  return new Date().getTimezoneOffset() * 60_000;
}

/** The figures are the ones of `dmplz stats`, whose JSON has its names in snake case. */
function camel(value) {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replace(/_(\w)/g, (_, char) => char.toUpperCase()), camel(inner)]));
}
