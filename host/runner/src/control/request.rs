//! The client's requests: `control_request`, by subtype.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A request of the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Asks whether it may call a tool.
    CanUseTool(Box<CanUseTool>),
    /// A hook that was registered over the protocol.
    HookCallback {
        /// The name under which it was registered.
        callback_id: String,
    },
    /// A message to an MCP server of ours.
    McpMessage {
        /// The server.
        server_name: String,
    },
    /// A form, or an address to visit, that an MCP server wants a person to see.
    Elicitation(Box<Elicitation>),
    /// A dialog of a kind that we said we can show.
    Dialog {
        /// The kind.
        dialog_kind: String,
    },
    /// One of those, without what belongs to it.
    Malformed {
        /// Which.
        subtype: String,
        /// What is missing or wrong.
        why: String,
    },
    /// A request that this program does not know.
    Unknown {
        /// Which.
        subtype: String,
    },
}

/// Asks whether a tool may be called.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CanUseTool {
    /// The name of the tool to call.
    pub tool_name: String,
    /// Its whole input, as the agent wrote it.
    pub input: Map<String, Value>,
    /// The client's id of the call.
    pub tool_use_id: String,
    /// The MCP server of the tool: `{name, source}`. The name is untrusted.
    #[serde(default)]
    pub mcp_server: Option<Value>,
    /// What the client would store for "always", unparsed.
    #[serde(default)]
    pub permission_suggestions: Option<Value>,
    /// Why the client asks, in one word: `rule`, `mode`, `hook`, `classifier`, ...
    #[serde(default, deserialize_with = "lenient")]
    pub decision_reason_type: Option<String>,
    /// Why the client asks, in its words, which can hold names that the agent chose.
    #[serde(default, deserialize_with = "lenient")]
    pub decision_reason: Option<String>,
    /// The path that nothing permits yet.
    #[serde(default, deserialize_with = "lenient")]
    pub blocked_path: Option<String>,
    /// Whether "always" must not be offered.
    #[serde(default, deserialize_with = "flag")]
    pub suppress_always_allow_rule: bool,
    /// The person's own rule that requires a person to be asked. Then nothing else may approve the call.
    #[serde(default)]
    pub matched_ask_rule: Option<AskRule>,
    /// The settings whose rule made the client ask, if there is one: `userSettings`, ...
    #[serde(default, deserialize_with = "lenient")]
    pub decision_reason_rule_source: Option<String>,
    /// Whether the policy of an organisation requires a person to be asked.
    #[serde(default, deserialize_with = "flag")]
    pub server_policy_ask_only: bool,
    /// Whether only a person who sees it may answer, and no rule or grant.
    #[serde(default, deserialize_with = "flag")]
    pub requires_user_interaction: bool,
    /// The subagent that wants to call it.
    #[serde(default, deserialize_with = "lenient")]
    pub agent_id: Option<String>,
}

/// What the client says of every command that no rule allows (observed on 2.1.330).
const NOTHING_MORE: &str = "This command requires approval";

/// A rule of the client's settings that requires a person to be asked. It counts whatever its members are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskRule {
    /// The settings that contain it.
    pub source: Option<String>,
    /// The tool that it is about.
    pub tool_name: Option<String>,
    /// The restriction of the tool to some calls.
    pub rule_content: Option<String>,
}

/// A form, or an address to visit.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Elicitation {
    /// The MCP server that asks.
    pub mcp_server_name: String,
    /// The text, which is untrusted.
    #[serde(default)]
    pub message: String,
    /// The kind: `form` or `url`.
    #[serde(default, deserialize_with = "lenient")]
    pub mode: Option<String>,
    /// The address to visit.
    #[serde(default, deserialize_with = "lenient")]
    pub url: Option<String>,
    /// The form, as a JSON Schema of an object.
    #[serde(default)]
    pub requested_schema: Option<Value>,
    /// The order of the form's properties.
    #[serde(default)]
    pub property_order: Option<Value>,
}

impl CanUseTool {
    /// Returns whether only a person's answer may allow it, and neither a rule nor a grant.
    pub fn wants_a_person(&self) -> bool {
        self.requires_user_interaction || self.server_policy_ask_only || self.ask_rule().is_some()
    }

    /// Returns the person's own rule that requires a person to be asked. If the client names none (observed with
    /// 2.1.330 for a compound command), it still reports that a rule made it ask, and the rule has no name.
    pub fn ask_rule(&self) -> Option<AskRule> {
        let is_by_rule = self.decision_reason_type.as_deref() == Some("rule");
        let unnamed = || AskRule { source: self.decision_reason_rule_source.clone(), ..AskRule::default() };
        self.matched_ask_rule.clone().or_else(|| is_by_rule.then(unnamed))
    }

    /// Returns why the client asks, if it says more than that it asks.
    pub fn reason(&self) -> Option<&str> {
        let reason = self.decision_reason.as_deref().map(str::trim);
        reason.filter(|reason| !reason.is_empty() && *reason != NOTHING_MORE)
    }

    /// Returns the path that nothing permits yet, unless a field of the input is just that.
    pub fn blocked(&self) -> Option<&str> {
        let path = self.blocked_path.as_deref().filter(|path| !path.is_empty())?;
        let is_shown = self.input.values().any(|value| value.as_str() == Some(path));
        (!is_shown).then_some(path)
    }
}

impl Request {
    pub(super) fn read(request: &RawValue) -> Self {
        #[derive(Deserialize)]
        struct Named {
            #[serde(default)]
            subtype: String,
        }
        #[derive(Deserialize)]
        struct Callback {
            callback_id: String,
        }
        #[derive(Deserialize)]
        struct Mcp {
            server_name: String,
        }
        #[derive(Deserialize)]
        struct Shown {
            dialog_kind: String,
        }
        let text = request.get();
        let subtype = serde_json::from_str::<Named>(text).map(|named| named.subtype).unwrap_or_default();
        let read = match subtype.as_str() {
            "can_use_tool" => serde_json::from_str(text).map(|it| Self::CanUseTool(Box::new(it))),
            "hook_callback" => {
                serde_json::from_str(text).map(|Callback { callback_id }| Self::HookCallback { callback_id })
            }
            "mcp_message" => serde_json::from_str(text).map(|Mcp { server_name }| Self::McpMessage { server_name }),
            "elicitation" => serde_json::from_str(text).map(|it| Self::Elicitation(Box::new(it))),
            "request_user_dialog" => {
                serde_json::from_str(text).map(|Shown { dialog_kind }| Self::Dialog { dialog_kind })
            }
            _ => return Self::Unknown { subtype },
        };
        read.unwrap_or_else(|error| Self::Malformed { subtype, why: error.to_string() })
    }
}

impl<'de> Deserialize<'de> for AskRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rule = Value::deserialize(deserializer)?;
        let text = |key: &str| rule.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Self { source: text("source"), tool_name: text("tool_name"), rule_content: text("rule_content") })
    }
}

/// Parses a flag. Every flag requires more caution, so anything but `false`, null or an absent member sets it.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(!matches!(Value::deserialize(deserializer)?, Value::Null | Value::Bool(false)))
}

/// Parses a text that no decision depends on. A value of another type is ignored.
fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(Some(text)),
        _ => Ok(None),
    }
}
