// What runs: the invocations of the tool runtime that this page has heard of, with their output as it comes.

import { h, mark, write } from "./dom.js";
import { View } from "./view.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** What of an output is kept in sight: the end of it. */
const MAX_CHARS = 200_000;

/** Listens as long as the page lives. */
export class RunLog extends EventTarget {
  runs = new Map();

  constructor(store, socket) {
    super();
    store.addEventListener("approval", ({ detail }) => {
      const approval = store.get(detail.id);
      if (approval.source.kind !== "tool") return;
      const run = this.#run(approval.source.invocationId);
      run.what = approval.shown[0]?.text ?? approval.tool;
      run.cwd = approval.cwd;
      this.#changed(run);
    });
    socket.addEventListener("told", ({ detail: { method, params } }) => {
      if (!method.startsWith("tool.")) return;
      const run = this.#run(params.invocationId);
      if (method === "tool.started") run.state = "running";
      if (method === "tool.output") run.output = (run.output + params.text).slice(-MAX_CHARS);
      if (method === "tool.finished") [run.state, run.exitCode] = [params.state, params.exitCode];
      this.#changed(run);
    });
    socket.addEventListener("down", () => this.runs.forEach((run) => this.#miss(run)));
  }

  /** How a run ends is told again after a break, but not what it wrote meanwhile. */
  #miss(run) {
    if (run.state !== "running" || run.output.endsWith(words().missed)) return;
    run.output += words().missed;
    this.#changed(run);
  }

  #run(id) {
    if (!this.runs.has(id)) this.runs.set(id, { id, state: "awaiting_approval", what: "", cwd: "", output: "" });
    return this.runs.get(id);
  }

  #changed(run) {
    this.dispatchEvent(new CustomEvent("run", { detail: run }));
  }
}

/** The view. */
export class Runs extends View {
  name = "runs";
  #rows = new Map();
  #list = h("ol", { class: "runs" });
  #empty = h("p", { class: "nothing" });

  constructor(log) {
    super();
    write(this.#empty, words().noRuns);
    this.element = h("div", { class: "running" }, h("h1", { class: "unseen" }, words().runs), this.#empty, this.#list);
    log.runs.forEach((run) => this.#show(run));
    this.on(log, "run", ({ detail }) => this.#show(detail));
  }

  #show(run) {
    const row = this.#rows.get(run.id) ?? this.#row(run);
    const exit = run.exitCode === undefined || run.exitCode === null ? "" : ` · ${words().exitCode(run.exitCode)}`;
    mark(row.item, "data-state", run.state);
    write(row.state, `${words().runState[run.state] ?? run.state}${exit}`);
    write(row.what, visibleLine(run.what || run.id));
    write(row.where, visibleLine(run.cwd));
    const wasAtEnd = row.output.scrollTop + row.output.clientHeight >= row.output.scrollHeight - 8;
    write(row.output, visible(run.output));
    mark(row.output, "hidden", !run.output);
    if (wasAtEnd) row.output.scrollTop = row.output.scrollHeight;
    mark(this.#empty, "hidden", true);
  }

  #row(run) {
    const row = {
      what: h("code", { class: "what" }), state: h("span", { class: "state", role: "status" }), where: h("span", { class: "where" }),
      output: h("pre", { tabindex: 0, "aria-label": words().output }),
    };
    row.item = h("li", { "data-id": run.id }, row.what, row.where, row.state, row.output);
    this.#rows.set(run.id, row);
    this.#list.prepend(row.item);
    return row;
  }
}
