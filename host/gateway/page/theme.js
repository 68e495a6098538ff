// The colours: as the system has them, or as the person chose on this device.

const KEPT = "dmplz.theme";
const ALL = ["auto", "light", "dark"];

let current = kept();
show();

/** `auto`, `light` or `dark`. */
export function theme() {
  return current;
}

/** The next of them. */
export function nextTheme() {
  current = ALL[(ALL.indexOf(current) + 1) % ALL.length];
  try {
    localStorage.setItem(KEPT, current);
  } catch {
    // A browser that keeps nothing shows the system's colours the next time.
  }
  show();
}

function show() {
  if (current === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}

function kept() {
  try {
    const found = localStorage.getItem(KEPT);
    return ALL.includes(found) ? found : "auto";
  } catch {
    return "auto";
  }
}
