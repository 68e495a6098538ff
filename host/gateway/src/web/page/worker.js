// The service worker of the page. It shows notices that come by web push, and a sentence where the gateway cannot be reached.
//
// It keeps nothing: no cache, no database, no key. What it shows, the push service could not read (RFC 8291).

const OFFLINE = `<!doctype html>
<html lang="ko"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>dmplz</title>
<h1>dmplz</h1>
<p>게이트웨이에 연결할 수 없습니다. 연결되면 이 페이지를 새로 고치세요.</p>
<p lang="en">The gateway cannot be reached. Reload this page once it can be.</p>
</html>`;
const HEADERS = { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'; frame-ancestors 'none'", "cache-control": "no-store" };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The answers that a notice may offer. Pressing one answers nothing: the page shows the request, with that answer begun. */
const ANSWERS = new Set(["approve", "deny"]);
/** What was pressed on a notice, for the page that opens because of it. */
let pressed = null;
const ICON = { icon: "/assets/icon-192.png", badge: "/assets/badge.png" };

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => new Response(OFFLINE, { status: 503, headers: HEADERS })));
});
self.addEventListener("push", (event) => event.waitUntil(received(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(opened(event.notification, event.action)));
self.addEventListener("message", ({ data, source }) => {
  if (data?.asks !== "pressed" || !pressed) return;
  source?.postMessage(pressed);
  pressed = null;
});

/** Pages that another worker had, which may be another program's, are loaded anew; what it cached is dropped. */
async function takeOver() {
  for (const name of await caches.keys()) await caches.delete(name);
  const pages = await self.clients.matchAll({ type: "window" });
  // Not waited for: a navigation waits in turn until this worker is active.
  for (const page of pages) page.navigate(page.url).catch(() => null);
}

/** `{kind, id, tag, title, body, waiting, open, answers}`: `asked` is shown and opens its request, `ended` takes it away, `notice` is shown. */
async function received(data) {
  const told = read(data);
  if (Number.isInteger(told.waiting)) await count(told.waiting);
  const tag = ID.test(told.id) ? told.id : String(told.tag ?? "dmplz");
  if (Array.isArray(told.open)) await keep(new Set(told.open));
  if (told.kind === "ended") return take(tag);
  await self.registration.showNotification(String(told.title ?? "dmplz"), { body: String(told.body ?? ""), tag, data: { id: ID.test(told.id) ? told.id : null }, actions: actions(told), ...ICON, ...(told.lang && { lang: String(told.lang) }) });
}

/** The buttons of a notice: `answers` is `[{answer, title}]`. Platforms without buttons leave them out. */
function actions({ kind, answers }) {
  if (kind !== "asked" || !Array.isArray(answers)) return [];
  return answers.filter((one) => ANSWERS.has(one?.answer)).map(({ answer, title }) => ({ action: answer, title: String(title ?? answer) }));
}

function read(data) {
  try {
    return data.json() ?? {};
  } catch {
    return {};
  }
}

/** Closes the notices of requests that are not open any more. */
async function keep(open) {
  for (const notice of await self.registration.getNotifications()) if (notice.data?.id && !open.has(notice.data.id)) notice.close();
}

async function take(tag) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

async function count(waiting) {
  if (!navigator.setAppBadge) return;
  await (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => null);
}

/** Shows the request in a page that is open, or opens one, which asks what was pressed: an address could be anybody's. */
async function opened(notification, action) {
  notification.close();
  const id = notification.data?.id ?? null;
  const told = { open: id, answer: ANSWERS.has(action) ? action : null };
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) {
    pressed = id && told;
    return self.clients.openWindow(id ? `/#${id}` : "/");
  }
  if (id) page.postMessage(told);
  return page.focus().catch(() => null);
}
