// Time as people read it. The gateway's clock counts, not the phone's.

import { words, lang } from "./words.js";

let skewMs = 0;

/** Learns what time it is at the gateway. */
export function setServerTime(serverMs) {
  skewMs = serverMs - Date.now();
}

/** Now, at the gateway, in Unix milliseconds. */
export function now() {
  return Date.now() + skewMs;
}

/** `4:07`, `1:02:03`. */
export function countdown(leftMs) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How long something took. */
export function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return countdown(ms);
}

/** The hour today, the day and the hour before. */
export function moment(ms) {
  const date = new Date(ms);
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(lang(), isToday ? time : { month: "short", day: "numeric", ...time }).format(date);
}

/** Said by screen readers instead of a running clock. */
export function spoken(leftMs) {
  const minutes = Math.round(leftMs / 60_000);
  return minutes >= 1 ? words().minutesLeft(minutes) : words().secondsLeft(Math.max(0, Math.round(leftMs / 1000)));
}
