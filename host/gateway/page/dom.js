// Elements. What strangers wrote becomes text nodes only; there is no other way in here.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (`onclick`) and children: elements, texts, or nothing. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  const wanted = children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
  element.append(...wanted);
  return element;
}

/** Sets an attribute, or takes it away. */
export function mark(element, name, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Changes a text only where it differs, so that nothing is announced twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A key, as it looks on a keyboard. */
export function key(name) {
  return h("kbd", { "aria-hidden": "true" }, name);
}
