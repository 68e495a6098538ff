//! Checks the result of a demo: the hook's output, the cards, the log, and the traffic with the server.

use dmplz_core::reason::ReasonRules;
use dmplz_core::redact::mask;
use dmplz_core::request::ReasonSource;
use dmplz_core::text::{Lang, fill};
use dmplz_fakes::telegram::Message;
use serde_json::{Value, json};

use super::answer::Answer;
use super::stage::Stage;

/// The default maximum length of a reason, in characters.
const REASON_CHARS: usize = 300;

/// The state after the hook has ended.
pub(super) struct Seen {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) log: Vec<String>,
    code: Option<i32>,
    messages: Vec<Message>,
    violations: Vec<String>,
}

/// The state that is expected.
struct Expected {
    /// The expected JSON on stdout.
    output: Value,
    /// The expected title of the card.
    title: &'static str,
    /// The expected reason and source in the log.
    logged: Option<(String, ReasonSource)>,
}

impl Seen {
    pub(super) fn of(stage: &Stage, stdout: String, stderr: String, code: Option<i32>) -> anyhow::Result<Self> {
        Ok(Self { stdout, stderr, code, log: stage.log()?, messages: stage.messages(), violations: stage.violations() })
    }

    /// Returns every difference from the expected state; for a script, also whether its answer was the outcome.
    pub(super) fn faults(&self, answer: Option<&Answer>, lang: Lang) -> Vec<String> {
        let mut faults: Vec<String> = self.violations.iter().map(|what| format!("wire: {what}")).collect();
        let mut check = |ok: bool, fault: String| {
            if !ok {
                faults.push(fault)
            }
        };
        check(self.code == Some(0), format!("exit code: {:?}, not 0", self.code));
        check(self.stderr.is_empty(), format!("stderr: {:?}, not empty", self.stderr));
        let buttons = self.messages.iter().filter(|message| !message.keyboard().is_empty()).count();
        check(buttons == 0, format!("chat: {buttons} messages still have buttons"));
        if let Some(answer) = answer {
            let expected = Expected::of(answer, lang);
            let output = &expected.output;
            check(self.output().as_ref() == Some(output), format!("stdout: {:?}, not {output}", self.stdout));
            let title = fill(expected.title, &["Bash"]);
            let card = self.messages.first().map_or("", Message::text);
            check(card.lines().next() == Some(&title), format!("card: {card:?} does not begin with {title:?}"));
            check(self.logged() == expected.line().into_iter().collect::<Vec<_>>(), format!("log: {:?}", self.log));
        }
        faults
    }

    /// Returns stdout as JSON, if it is one line of it.
    fn output(&self) -> Option<Value> {
        let line = self.stdout.strip_suffix('\n').filter(|line| !line.contains('\n'))?;
        serde_json::from_str(line).ok()
    }

    /// Returns the log without the values that differ in every run.
    fn logged(&self) -> Vec<Value> {
        let fixed = |line: &String| {
            let mut line: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(line) = line.as_object_mut() {
                line.retain(|key, _| !matches!(key.as_str(), "timestamp" | "request_id"));
            }
            line
        };
        self.log.iter().map(fixed).collect()
    }
}

impl Expected {
    fn of(answer: &Answer, lang: Lang) -> Self {
        let words = lang.words();
        let session = json!({ "behavior": "allow", "updatedPermissions": [session_rule()] });
        let deny =
            |how: &str| output(&json!({ "behavior": "deny", "message": format!("User rejected the request. {how}") }));
        let silent = |source| Some((String::new(), source));
        let (output, title, logged) = match answer {
            Answer::Approve => (output(&json!({ "behavior": "allow" })), words.approved, None),
            Answer::Session => (output(&session), words.approved_session, None),
            Answer::Deny(reason) => {
                let rules = ReasonRules { max_chars: REASON_CHARS, skip_keywords: Vec::new() };
                let reason = rules.normalise(reason).unwrap_or_default();
                let logged = (mask(&reason).to_string(), ReasonSource::UserInput);
                (deny(&format!("Reason: {reason}")), words.rejected, Some(logged))
            }
            Answer::Timeout => (deny("(No reason provided: timeout)"), words.rejected, silent(ReasonSource::Timeout)),
            Answer::Skip => (deny("(No reason provided)"), words.rejected, silent(ReasonSource::ExplicitSkip)),
            Answer::Expired => (json!({ "systemMessage": words.unanswered }), words.expired, None),
        };
        Self { output, title, logged }
    }

    /// Returns the rejection record for the request of the demo.
    fn line(&self) -> Option<Value> {
        self.logged.as_ref().map(|(reason, source)| {
            json!({
                "provider": "telegram",
                "decision": "deny",
                "session_id": "04d4b5b5-edf0-4b8f-9ba4-f09096346f86",
                "tool_name": "Bash",
                "cwd": "/home/user/project",
                "reason": reason,
                "reason_source": source,
            })
        })
    }
}

/// Returns the client's own suggestion, for the session only.
fn session_rule() -> Value {
    json!({
        "type": "addRules",
        "rules": [{ "toolName": "Bash", "ruleContent": "git push *" }],
        "behavior": "allow",
        "destination": "session",
    })
}

fn output(decision: &Value) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
}

#[cfg(test)]
mod tests;
