// The files that go with the next message to a session: chosen, pasted or dropped. Each is uploaded at once, in parts; the message then
// mentions it.

import { say } from "./announce.js";
import { h, mark, write } from "./dom.js";
import { icon } from "./icons.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The bytes of one part, of one file and of the files of one message: `MAX_PART`, `MAX_FILE`, `MAX_FILES` of `dmplz_protocol::session`. */
const PART = 128 << 10;
const LARGEST = 20 << 20;
const MOST = 10;

export class Attached extends EventTarget {
  #id;
  #log;
  #files = new Map();
  #list;
  #input;

  /** `changed` is told when there is another file, or one is ready. */
  constructor(id, log) {
    super();
    [this.#id, this.#log] = [id, log];
    const t = words().led;
    this.#input = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.#chosen() });
    this.#list = h("ul", { class: "attached", "aria-label": t.attached, hidden: true });
    this.button = h("button", { type: "button", class: "attach", onclick: () => this.#input.click(), "aria-label": t.attach, title: t.attach }, icon("clip"));
    this.element = h("div", { class: "files" }, this.#list, this.#input);
  }

  /** Takes the files that are pasted into a form or dropped on it. */
  listen(form) {
    form.addEventListener("paste", (event) => {
      if (event.clipboardData?.files.length) this.#take(event, event.clipboardData.files);
    });
    form.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    form.addEventListener("drop", (event) => {
      if (event.dataTransfer?.files.length) this.#take(event, event.dataTransfer.files);
    });
  }

  /** Whether a file is still on its way. */
  get isBusy() {
    return [...this.#files.values()].some(({ mention }) => !mention);
  }

  /** What a message has to say so that it has the files. */
  get mentions() {
    return [...this.#files.values()].map(({ mention }) => mention).filter(Boolean);
  }

  /** Drops the files that these words mention. */
  clear(mentions) {
    for (const [file, { mention }] of [...this.#files]) if (mentions.includes(mention)) this.#drop(file);
  }

  #take(event, files) {
    event.preventDefault();
    for (const file of files) this.#add(file);
  }

  #chosen() {
    for (const file of this.#input.files) this.#add(file);
    this.#input.value = "";
  }

  async #add(file) {
    const t = words().led;
    const name = visibleLine(file.name);
    if (this.#files.size >= MOST) return say(t.tooManyFiles(MOST), "bad");
    if (file.size > LARGEST) return say(t.fileTooLarge(name, LARGEST >> 20), "bad");
    const come = h("small");
    const row = h("li", {}, icon("file"), h("span", { class: "what" }, name), come,
      h("button", { type: "button", onclick: () => this.#drop(file), "aria-label": t.detach(name) }, "×"));
    const kept = { row, mention: null };
    this.#files.set(file, kept);
    this.#list.append(row);
    this.#changed();
    const mention = await this.#upload(file, (at) => write(come, `${Math.floor((100 * at) / file.size)}%`));
    // It may have been dropped meanwhile.
    if (this.#files.get(file) !== kept) return;
    if (!mention) return this.#drop(file);
    kept.mention = mention;
    write(come, "");
    this.#changed();
  }

  /** Uploads a file. How a message mentions it, or null; why is said. */
  async #upload(file, progress) {
    const upload = crypto.randomUUID();
    for (let at = 0; this.#files.has(file); at += PART) {
      const end = Math.min(at + PART, file.size);
      const content = await base64(file.slice(at, end)).catch(() => null);
      if (content === null) {
        say(words().led.fileUnread(visibleLine(file.name)), "bad");
        return null;
      }
      const part = { upload, name: file.name, at, content, last: end === file.size };
      const done = await this.#log.call("session.upload", { id: this.#id, part });
      if (!done || part.last) return done?.mention ?? null;
      progress(end);
    }
    return null;
  }

  #drop(file) {
    this.#files.get(file)?.row.remove();
    this.#files.delete(file);
    this.#changed();
  }

  #changed() {
    mark(this.#list, "hidden", !this.#files.size);
    this.dispatchEvent(new Event("changed"));
  }
}

/** The bytes in Base64, as the browser writes it behind the comma of a `data:` URL. */
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
