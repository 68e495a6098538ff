// What a person chose on this device. A browser that keeps nothing, such as in some private windows, forgets it with the page.

/** The choice, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, choice) {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // It counts until the page is left.
  }
}
