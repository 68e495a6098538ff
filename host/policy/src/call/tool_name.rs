//! Decides whether a rule means a call's tool, which may be that of an MCP server.
//!
//! Claude Code calls a server's tool `mcp__server__tool`, gemini-cli `mcp_server_tool`; both write `_` for characters
//! that no name may have. If the call names its server, it is known where the tool's name begins. Otherwise a joined
//! name may be split in several places, and a rule that means only some of them may match.
//!
//! | rule | means |
//! |---|---|
//! | `*` | every tool |
//! | `Bash`, `discovered_tool_*` | tools of that name that belong to no server |
//! | `mcp_*`, `mcpName = "*"` | every server's tools |
//! | `mcp__s__t`, `mcp_s_t` | the tool `t` of the server `s` |
//! | `mcp__s`, `mcp__s__*`, `mcp_s_*`, `mcpName = "s"` | every tool of `s` |
//! | `mcp__*__t`, `mcp_*_t`, `mcpName = "*"` and `t` | the tool `t` of any server |
//! | `codebase_investigator` | also starting the agent of that name |

use std::borrow::Cow;

use super::Call;
use crate::rules::decision::Match;
use crate::rules::pattern::Glob;
use crate::tools::{canonical, find};

/// The tool of a call, read once for all rules.
#[derive(Debug, Clone)]
pub struct ToolName<'a> {
    written: &'a str,
    canonical: Cow<'a, str>,
    /// The agent that it starts.
    agent: Option<&'a str>,
    /// The ways to cut it into a server and a tool. None for tools of no server.
    cuts: Vec<Cut<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut<'a> {
    server: &'a str,
    tool: &'a str,
}

impl<'a> ToolName<'a> {
    /// Returns the tool of a call.
    pub fn of(call: &Call<'a>) -> Self {
        let cuts = cuts(call.tool, call.server);
        let canonical = match cuts.as_slice() {
            [] => canonical(call.tool),
            [cut] => Cow::Owned(cut.joined()),
            _ => Cow::Borrowed(call.tool),
        };
        let agent = (canonical == "Agent")
            .then(|| ["subagent_type", "agent_name"].into_iter().find_map(|key| call.input.get(key)?.as_str()))
            .flatten();
        Self { written: call.tool, canonical, agent, cuts }
    }

    /// Returns its first name ([`canonical`]).
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Returns whether it belongs to an MCP server.
    pub fn is_mcp(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// Returns the keys under which the index finds rules that may mean it: the [`key`] of each of its names.
    pub(crate) fn keys(&self) -> Vec<Cow<'_, str>> {
        if self.cuts.is_empty() {
            let agent = self.agent.filter(|agent| *agent != self.canonical);
            return std::iter::once(self.canonical.as_ref()).chain(agent).map(key).collect();
        }
        let of_cut = |cut: &Cut<'_>| [key_of_server(cut.server), key_of(cut.server, cut.tool)].map(Cow::Owned);
        let mut keys: Vec<_> = self.cuts.iter().flat_map(of_cut).chain([Cow::Borrowed(self.written)]).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns whether a rule of these names and this server means it. Without a server they are [`canonical`] ones,
    /// else its own.
    pub fn matches(&self, tools: Option<&[Glob]>, server: Option<&Glob>) -> Match {
        if self.cuts.is_empty() {
            let named = tools.is_none_or(|tools| tools.iter().any(|tool| self.is_called(tool)));
            return Match::from(server.is_none() && named);
        }
        let mut cuts = self.cuts.iter().map(|cut| match server {
            Some(server) if !is_server(server.as_str(), cut.server) => Match::No,
            Some(_) => one_of(tools, |tool| cut.is_meant_by(tool).or(tool.matches(cut.tool).into())),
            None => one_of(tools, |tool| cut.is_meant_by(tool).or(self.is_called_of_server(tool, cut))),
        });
        let first = cuts.next().unwrap_or(Match::No);
        if cuts.all(|other| other == first) { first } else { Match::Maybe }
    }

    /// Returns whether a name of a rule that names no server means a server's tool.
    fn is_called_of_server(&self, tool: &Glob, cut: &Cut<'_>) -> Match {
        if tool.as_str().starts_with("mcp_") {
            return Match::No;
        }
        // With a bare name and a server, it is unknown whether the rule means this tool or the built-in one.
        let bare = !self.written.starts_with("mcp_") && tool.matches(self.written);
        Match::from(tool.matches(&cut.joined())).or(if bare { Match::Maybe } else { Match::No })
    }

    fn is_called(&self, tool: &Glob) -> bool {
        is_one_of(tool, &[&self.canonical, self.written])
            || self.agent.is_some_and(|agent| tool.matches(agent))
            // A pattern may be of any of its names.
            || (tool.literal().is_none() && find(self.written).is_some_and(|known| is_one_of(tool, known.names)))
    }
}

/// Returns the key of a rule's name without `*`.
pub(crate) fn key(name: &str) -> Cow<'_, str> {
    if name.starts_with("mcp_") { Cow::Owned(plain(name).replace("__", "_")) } else { Cow::Borrowed(name) }
}

/// Returns the key of all tools of a server.
pub(crate) fn key_of_server(server: &str) -> String {
    key(&format!("mcp_{server}")).into_owned()
}

/// Returns the key of a tool of a server.
pub(crate) fn key_of(server: &str, tool: &str) -> String {
    let whole = if tool.starts_with("mcp_") { Cow::Borrowed(tool) } else { format!("mcp_{server}_{tool}").into() };
    key(&whole).into_owned()
}

impl Cut<'_> {
    /// Returns whether a name of a rule that begins with `mcp_` means it, or `*`.
    fn is_meant_by(&self, tool: &Glob) -> Match {
        let text = tool.as_str();
        if text == "*" || text == "mcp_*" {
            return Match::Yes;
        }
        if let Some(rest) = text.strip_prefix("mcp__") {
            let server = is_server(rest, self.server);
            return match rest.contains("__") {
                false => Match::from(server || (rest.contains('*') && tool.matches(&self.joined()))),
                true if splits(rest, "__").any(|(server, tool)| self.fits(server, tool)) => Match::Yes,
                // A server with `__` in its name, or a server and a tool.
                true if server => Match::Maybe,
                true => Match::No,
            };
        }
        let Some(rest) = text.strip_prefix("mcp_") else { return Match::No };
        Match::from(match rest.strip_suffix("_*") {
            // gemini-cli's own wildcard: exactly that server, even with `_` in its name.
            Some(server) if !server.contains('*') => is_server(server, self.server),
            _ => {
                let joined = || format!("mcp_{}_{}", plain(self.server), self.tool);
                splits(rest, "_").any(|(server, tool)| self.fits(server, tool))
                    || (rest.contains('*') && tool.matches(&joined()))
            }
        })
    }

    fn fits(&self, server: &str, tool: &str) -> bool {
        is_server(server, self.server) && Glob::new(tool).matches(self.tool)
    }

    fn joined(&self) -> String {
        format!("mcp__{}__{}", plain(self.server), self.tool)
    }
}

/// Returns every way to split a tool's name into the server's and the tool's.
fn cuts<'a>(name: &'a str, server: Option<&'a str>) -> Vec<Cut<'a>> {
    let by_name = || {
        let (rest, joint) = match (name.strip_prefix("mcp__"), name.strip_prefix("mcp_")) {
            (Some(rest), _) => (rest, "__"),
            (None, Some(rest)) => (rest, "_"),
            (None, None) => return Vec::new(),
        };
        splits(rest, joint).map(|(server, tool)| Cut { server, tool }).collect()
    };
    let Some(server) = server else { return by_name() };
    let own = |prefix: &str, joint: &str| {
        let rest = name.strip_prefix(prefix)?;
        let rest = rest.strip_prefix(server).or_else(|| rest.strip_prefix(plain(server).as_ref()))?;
        rest.strip_prefix(joint)
    };
    match own("mcp__", "__").or_else(|| own("mcp_", "_")) {
        Some(tool) => vec![Cut { server, tool }],
        None if !name.starts_with("mcp_") => vec![Cut { server, tool: name }],
        // The name and the server do not fit each other: neither is believed alone.
        None => by_name().into_iter().chain([Cut { server, tool: name }]).collect(),
    }
}

/// Splits a text at every joint: `a_b_c` into (`a`, `b_c`) and (`a_b`, `c`).
fn splits<'a>(text: &'a str, joint: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let at = move |(at, _): (usize, char)| {
        let (left, rest) = text.split_at_checked(at)?;
        let right = rest.strip_prefix(joint)?;
        (!left.is_empty() && !right.is_empty()).then_some((left, right))
    };
    text.char_indices().filter_map(at)
}

/// Returns whether a server is meant, under its own name or the one that it has in tools' names.
fn is_server(pattern: &str, server: &str) -> bool {
    Glob::new(pattern).matches(server) || Glob::new(plain(pattern)).matches(&plain(server))
}

/// Returns a server's name with `_` in place of characters that a tool's name cannot have.
fn plain(server: &str) -> Cow<'_, str> {
    let odd = |char: char| !(char.is_ascii_alphanumeric() || "_-*".contains(char));
    if server.contains(odd) { Cow::Owned(server.replace(odd, "_")) } else { Cow::Borrowed(server) }
}

/// Returns the best match of several names. `None` means every tool.
fn one_of(tools: Option<&[Glob]>, means: impl FnMut(&Glob) -> Match) -> Match {
    tools.map_or(Match::Yes, |tools| tools.iter().map(means).max().unwrap_or(Match::No))
}

fn is_one_of(pattern: &Glob, names: &[&str]) -> bool {
    names.iter().any(|name| pattern.matches(name))
}

#[cfg(test)]
mod tests;
