// Drawings that stand for words where there is no room for them; the words stay as names.

import { svg } from "./dom.js";

const PATHS = {
  bell: "M12 4a5 5 0 0 0-5 5v4l-2 3h14l-2-3V9a5 5 0 0 0-5-5zM10 19a2 2 0 0 0 4 0",
  leave: "M14 5H6v14h8M11 12h9M17 9l3 3-3 3",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5",
  history: "M12 8v4l3 2M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4.5 9M4.5 5v4h4",
  figures: "M5 19V11M12 19V5M19 19v-5",
  grants: "M12 6v6l4 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 3.7",
  runs: "M8 5l11 7-11 7z",
  settings: "M4 7h9M17 7h3M13 5v4M4 12h3M11 12h9M7 10v4M4 17h11M19 17h1M15 15v4",
  sessions: "M4 5h16v11H10l-4 4v-4H4z",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  clip: "M18 11l-6.5 6.5a3.5 3.5 0 0 1-5-5L13 6a2.3 2.3 0 0 1 3.3 3.3L10 15.6a1.1 1.1 0 0 1-1.6-1.6l5.6-5.6",
  file: "M7 4h7l4 4v12H7zM14 4v4h4",
};

/** The drawing of this name. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
