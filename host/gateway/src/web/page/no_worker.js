// Our page has no service worker at this address. One that asks for its script here was put in place by another program, which had this port
// before us, to stand between the browser and us: this takes its place, leaves, and loads the page anew.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const left = self.registration.unregister().then(() => self.clients.matchAll({ type: "window" }));
  event.waitUntil(left.then((pages) => Promise.all(pages.map((page) => page.navigate(page.url)))));
});
