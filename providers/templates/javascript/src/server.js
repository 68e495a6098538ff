// Sends requests to the server, and converts its errors to errors for the host.

import http from "dmplz:messenger/http@0.10.0";
import { decode, encode, text } from "./json.js";

/** The URL of the server. It is the only thing that the provider keeps, and `connect` sets it in every instance. */
let url = "";

export function connectTo(settings) {
  const given = settings.find((setting) => setting.name === "server")?.value.trim() ?? "";
  if (!/^https?:\/\//.test(given)) {
    throw { tag: "bad-setting", val: ["server", "a URL, such as https://chat.acme.example"] };
  }
  url = given.replace(/\/+$/, "");
}

/** Sends a request, and reads its reply as JSON. */
export function call(method, path, body) {
  // The host fills in the token; this code never sees it.
  const headers = [{ name: "authorization", value: "Bearer {secret:token}" }];
  if (body !== undefined) headers.push({ name: "content-type", value: "application/json" });
  const sent = body === undefined ? new Uint8Array() : encode(body);
  const reply = send({ method, url: url + path, headers, body: sent, timeout: null });
  if (reply.status < 200 || reply.status > 299) throw refusal(reply);
  try {
    return decode(reply.body);
  } catch {
    throw { tag: "unavailable", val: "a reply that is no JSON" };
  }
}

function send(request) {
  try {
    return http.send(request);
  } catch (error) {
    throw unsent(error.payload);
  }
}

/** Converts an error of the host's HTTP. */
function unsent(error) {
  switch (error.tag) {
    case "refused":
      return { tag: "refused", val: error.val };
    case "unreachable":
      return { tag: "unavailable", val: error.val };
    case "deadline":
      return { tag: "deadline" };
    case "timeout":
      return { tag: "unavailable", val: "the server did not reply in time" };
    default:
      return { tag: "unavailable", val: "a reply that is too large" };
  }
}

/** Converts a status to an error, by which the host waits, tells the operator, or tries less text. */
function refusal(reply) {
  switch (reply.status) {
    case 401:
      return { tag: "unauthorized" };
    case 403:
      return { tag: "denied", val: null };
    case 404:
      return { tag: "not-found" };
    case 413:
      return { tag: "too-large" };
    case 429: {
      const seconds = Number(reply.headers.find((header) => header.name === "retry-after")?.value);
      return { tag: "rate-limited", val: Number.isFinite(seconds) ? Math.ceil(seconds * 1000) : null };
    }
    case 400:
    case 422:
      return { tag: "rejected", val: excerpt(reply.body) };
    default:
      return { tag: "unavailable", val: `status ${reply.status}` };
  }
}

/** Returns the beginning of a reply, for the operator. */
function excerpt(body) {
  try {
    return text(body.slice(0, 200));
  } catch {
    return "a reply that is no text";
  }
}
