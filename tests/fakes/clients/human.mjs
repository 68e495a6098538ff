// The person at the other end, for the JavaScript clients.
export const fake = JSON.parse(process.env.FAKE);

export async function human(action, query = {}) {
  const answer = await fetch(`${fake.human}/${action}?${new URLSearchParams(query)}`, { method: "POST" });
  return answer.json();
}

export function check(what, ok) {
  console.log(`  ${ok ? "ok  " : "FAIL"} ${what}`);
  if (!ok) process.exit(1);
}
