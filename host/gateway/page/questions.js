// The agent's questions, one at a time: options with what they mean, words of one's own, a way back, and a look at all answers
// before they are sent.
//
// | question | answer |
// |---|---|
// | single | one option, or words instead |
// | multiple | options, and words besides |
// | left open | none yet: all of them have to be answered |

import { h } from "./dom.js";
import { answers } from "./reach.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The gateway takes no more. */
const WORDS_MAX = 4_000;

export class Questions {
  #asked;
  #draft;
  #changed;
  #done;

  /** `changed(isStep)`: another step, or other answers. `done()`: the person wants to send them. */
  constructor({ offer }, draft, changed, done) {
    [this.#asked, this.#draft, this.#changed, this.#done] = [offer.questions, draft, changed, done];
    this.element = h("form", { class: "questions", onsubmit: (event) => this.#submitted(event) });
    this.#draw();
  }

  /** The question in sight, from 0; their number where the answers are looked over. */
  get step() {
    const kept = this.#draft.get("step");
    return Number.isInteger(kept) ? Math.max(0, Math.min(this.#last, kept)) : 0;
  }

  get isLast() {
    return this.step === this.#last;
  }

  /** Whether every question has its answer. */
  get isReady() {
    return this.#answers().length === this.#asked.length;
  }

  answer() {
    return { decision: "answers", answers: this.#answers() };
  }

  go(step) {
    this.#draft.set("step", step);
    this.#draw();
    this.#changed(true);
    (this.element.querySelector("input:checked, input") ?? this.element.querySelector("[tabindex]"))?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  get #last() {
    return this.#asked.length > 1 ? this.#asked.length : 0;
  }

  #submitted(event) {
    event.preventDefault();
    if (this.isLast) this.#done();
    else this.go(this.step + 1);
  }

  /** `{options, own, text}` of one question, read so that whatever the tab kept is one. */
  #said(at) {
    const { options, own, text } = this.#draft.get("answers")?.[at] ?? {};
    const known = Array.isArray(options) ? options.filter((option) => this.#asked[at].options[option]) : [];
    return { options: known, own: own === true, text: typeof text === "string" ? text : "" };
  }

  #keep(at, said) {
    const all = this.#asked.map((_, other) => (other === at ? said : this.#said(other)));
    this.#draft.set("answers", all);
    this.#changed(false);
  }

  /** In the questions' order; what is left open is not among them. */
  #answers() {
    return this.#asked.flatMap(({ question, options }, at) => {
      const said = this.#said(at);
      const labels = said.options.map((option) => options[option].label);
      const text = said.own ? said.text.trim() : "";
      return labels.length || text ? [{ question, labels, ...(text && { text }) }] : [];
    });
  }

  #draw() {
    this.element.replaceChildren(this.step < this.#asked.length ? this.#question(this.step) : this.#review());
  }

  #review() {
    const given = new Map(this.#answers().map(({ question, labels, text }) => [question, [...labels, ...(text ? [text] : [])]]));
    return h("section", { class: "question", "aria-labelledby": "review" },
      h("h3", { id: "review", tabindex: -1 }, words().ask.review),
      answers(this.#asked.map(({ question }) => [question, given.get(question) ?? []])));
  }

  #question(at) {
    const [{ question, header, multiSelect, options }, t] = [this.#asked[at], words().ask];
    const type = multiSelect ? "checkbox" : "radio";
    const said = this.#said(at);
    const boxes = options.map((_, option) => h("input", { type, name: "answer", value: option, checked: said.options.includes(option) }));
    const own = h("input", { type, name: "answer", value: "own", checked: said.own, "aria-label": t.own });
    const text = h("textarea", { id: "own-words", rows: 2, maxlength: WORDS_MAX, placeholder: t.example, "aria-label": t.own, autocomplete: "off" });
    text.value = said.text;
    const read = () => this.#keep(at, { options: boxes.flatMap((box, option) => (box.checked ? [option] : [])), own: own.checked, text: text.value });
    text.addEventListener("input", () => {
      // Writing an own answer also selects it.
      own.checked = text.value.trim() !== "";
      read();
    });
    return h("fieldset", { class: "question", onchange: read },
      h("legend", {},
        h("span", { class: "label" }, t.step(at + 1, this.#asked.length), header ? ` · ${visibleLine(header)}` : null),
        h("span", { class: "asked" }, visible(question)),
        multiSelect ? h("span", { class: "label" }, t.several) : null),
      options.map(({ label, description }, option) => h("label", { class: "option" }, boxes[option],
        h("span", {}, h("strong", {}, visible(label)), description ? h("span", { class: "means" }, visible(description)) : null))),
      h("div", { class: "option own" }, own, text));
  }
}
