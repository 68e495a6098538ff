// A small column chart: what requests came to, in steps of time. What stands on what is the order of the legend, and
// denials are hatched, so that nobody needs to tell the colours apart; the same numbers stand in a table for those who do
// not see it.

import { h, svg } from "./dom.js";

const [HEIGHT, GAP, FOOT] = [160, 0.28, 22];
/** The drawing scales with its box: on a phone it is drawn narrower, so that its words stay readable. */
const width = () => (matchMedia("(min-width: 40em)").matches ? 640 : 330);

/** `columns`: `[{label, values: {series: number}}]`; `series`: `[{name, label}]`, from the ground up. */
export function chart(columns, series, title) {
  const [whole, feet] = [width(), width() > 400 ? 8 : 5];
  const total = ({ values }) => series.reduce((sum, { name }) => sum + (values[name] ?? 0), 0);
  const top = Math.max(1, ...columns.map(total));
  const step = whole / Math.max(1, columns.length);
  const scale = (HEIGHT - FOOT - 14) / top;
  const ground = HEIGHT - FOOT;
  const drawn = columns.map((column, at) => {
    let y = ground;
    const bars = series.map(({ name, label }) => {
      const value = column.values[name] ?? 0;
      const height = value * scale;
      y -= height;
      return value ? svg("rect", { class: `bar-${name}`, fill: name === "denied" && "url(#hatch)", x: at * step + (step * GAP) / 2, y, width: step * (1 - GAP), height, rx: 1 },
        svg("title", {}, `${column.label}: ${label} ${value}`)) : null;
    });
    const every = Math.ceil(columns.length / feet);
    const foot = at % every === 0 ? svg("text", { class: "foot", x: (at + 0.5) * step, y: HEIGHT - 5, "text-anchor": "middle" }, column.label) : null;
    const sum = total(column) ? svg("text", { class: "sum", x: (at + 0.5) * step, y: y - 5, "text-anchor": "middle" }, String(total(column))) : null;
    return svg("g", {}, bars, sum, foot);
  });
  const picture = svg("svg", { viewBox: `0 0 ${whole} ${HEIGHT}`, class: "chart", "aria-hidden": "true" },
    svg("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "hatch", width: 5, height: 5 }), svg("line", { class: "hatch", y2: 5 })),
    svg("line", { class: "ground", x1: 0, x2: whole, y1: ground + 0.5, y2: ground + 0.5 }), drawn);
  const legend = h("ul", { class: "legend", "aria-hidden": "true" }, series.map(({ name, label }) => h("li", {}, h("span", { class: `swatch bar-${name}` }), label)));
  // A table is as wide as its words whatever its style says, so what hides it stands around it: else a phone scrolls sideways.
  const table = h("div", { class: "unseen" }, h("table", {}, h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td", {}), series.map(({ label }) => h("th", { scope: "col" }, label)))),
    h("tbody", {}, columns.map((column) => h("tr", {}, h("th", { scope: "row" }, column.label), series.map(({ name }) => h("td", {}, String(column.values[name] ?? 0))))))));
  return h("figure", {}, h("figcaption", {}, title, legend), picture, table);
}

/** One share of a whole as a bar. */
export function meter(rate) {
  const width = Math.round(Math.max(0, Math.min(1, rate ?? 0)) * 1000) / 10;
  return svg("svg", { viewBox: "0 0 100 4", class: "meter", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 4, rx: 2 }), svg("rect", { class: "fill", width, height: 4, rx: 2 }));
}
