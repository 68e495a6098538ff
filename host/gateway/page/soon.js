// Many changes at once are drawn once.

/** Wraps an act so that it runs once after all that is going on now, however often it is asked for. */
export function soon(act) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      act();
    });
  };
}
