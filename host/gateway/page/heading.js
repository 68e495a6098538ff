// What a call wants, in words: the same rules and words as those of the gateway (host/core/src/present/heading.rs).

import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const ACTS = {
  Bash: "command", PowerShell: "command", Edit: "edit", MultiEdit: "edit", Write: "write", NotebookEdit: "notebook", Read: "read", Glob: "look", Grep: "look", LS: "look",
  WebFetch: "page", WebSearch: "search", Task: "agent", Agent: "agent", Skill: "skill",
};
/** Names of servers that are not written as a capital letter and small ones. */
const SERVERS = { github: "GitHub", gitlab: "GitLab", youtube: "YouTube", postgresql: "PostgreSQL" };

/** "Claude wants to run a command", "Plan", "GitHub: create pull request". */
export function heading(tool, isOfClient) {
  const t = words().heading;
  const by = isOfClient ? t.client : t.program;
  if (tool === "ExitPlanMode") return t.plan;
  if (tool === "AskUserQuestion") return t.question;
  if (tool === "SetPermissionMode") return t.mode;
  const [, server, call] = /^mcp__([^]*?)__([^]+)$/.exec(tool) ?? [];
  if (server) return `${serverName(server)}: ${spaced(call)}`;
  return Object.hasOwn(ACTS, tool) ? t.act[ACTS[tool]](by) : t.other(by, visibleLine(tool));
}

/** The heading of a request. */
export function headingOf({ tool, source }) {
  return heading(tool, source.kind !== "tool");
}

function serverName(server) {
  if (Object.hasOwn(SERVERS, server)) return SERVERS[server];
  return spaced(server).replace(/^[a-z]/, (first) => first.toUpperCase());
}

function spaced(name) {
  return visibleLine(name.replace(/[_-]/g, " "));
}
