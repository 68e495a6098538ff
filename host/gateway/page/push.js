// Notices on this device: the service worker, the subscription with the browser's push service, and which of them are possible.

import { lang } from "./words.js";

const WORKER = "/worker.js";
const READY_MS = 10_000;
/** A browser that does not reach its push service may try for ever. */
const SUBSCRIBE_MS = 15_000;

let isSubscribed = false;

/** Whether notices reach this browser by web push, so that the page need not show them as well. */
export function isPushed() {
  return isSubscribed;
}

/** Puts the page's service worker in place. Only after the gateway has proved who it is. */
export async function install() {
  try {
    await navigator.serviceWorker?.register(WORKER, { scope: "/", updateViaCache: "none" });
  } catch {
    // A browser without service workers, such as in some private windows, shows the page all the same.
  }
}

/**
 * What is true on this device: `on`; `off` (it can be turned on); `denied` (by the person, in the browser's settings);
 * `install` (only an installed page may, as on an iPhone); `unsupported`.
 */
export async function state(socket) {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return isApplesPhone() && !isInstalled() ? "install" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  // The push service may have told the gateway that the subscription has ended.
  isSubscribed = Boolean(await subscription()) && (await socket.call("push.status")).on;
  return isSubscribed ? "on" : "off";
}

/** Asks for the permission and subscribes: only ever after a press. Throws where the push service cannot be used. */
export async function turnOn(socket) {
  if ((await Notification.requestPermission()) !== "granted") return;
  const { key } = await socket.call("push.status");
  const wanted = { userVisibleOnly: true, applicationServerKey: unbase64(key) };
  const { pushManager } = await ready();
  // An earlier one has ended, or is for another gateway at this address.
  await (await pushManager.getSubscription())?.unsubscribe();
  await tell(socket, await within(SUBSCRIBE_MS, pushManager.subscribe(wanted)));
}

/** Ends the subscription here and at the gateway. */
export async function turnOff(socket) {
  isSubscribed = false;
  await (await subscription())?.unsubscribe();
  await socket?.call("push.unsubscribe");
}

/** Tells the gateway of a subscription that this browser has: after pairing anew, the gateway does not know it. */
export async function renew(socket) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const kept = await subscription().catch(() => null);
  if (kept) await tell(socket, kept).catch(() => null);
}

/** Closes the notices of requests that do not wait any more, and shows how many do. */
export async function settle(waiting) {
  badge(waiting.size);
  const notices = (await worker().catch(() => null))?.getNotifications?.() ?? [];
  for (const notice of await notices) if (notice.data?.id && !waiting.has(notice.data.id)) notice.close();
}

/** Calls `open(id, answer)` when a notice was tapped, or a button of it, while the page is open or so that it opened. Returns how to stop. */
export function onTap(open) {
  const heard = ({ data }) => typeof data?.open === "string" && open(data.open, typeof data.answer === "string" ? data.answer : null);
  navigator.serviceWorker?.addEventListener("message", heard);
  navigator.serviceWorker?.controller?.postMessage({ asks: "pressed" });
  return () => navigator.serviceWorker?.removeEventListener("message", heard);
}

function badge(count) {
  const shown = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  shown?.catch(() => null);
}

async function tell(socket, kept) {
  const { endpoint, keys } = kept.toJSON();
  await socket.call("push.subscribe", { endpoint, p256dh: keys.p256dh, auth: keys.auth, lang: lang() });
  isSubscribed = true;
}

async function subscription() {
  return (await worker())?.pushManager?.getSubscription() ?? null;
}

function worker() {
  return navigator.serviceWorker?.getRegistration("/") ?? Promise.resolve(null);
}

/** `ready` alone would wait for ever where no worker could be put in place. */
async function ready() {
  return within(READY_MS, navigator.serviceWorker.ready);
}

function within(ms, promise) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new DOMException("no answer in time", "AbortError")), ms));
  return Promise.race([promise, late]);
}

function isApplesPhone() {
  return /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

function isInstalled() {
  return navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
}

function unbase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
