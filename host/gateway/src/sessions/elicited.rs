//! What an MCP server of a session wants from a person (`elicitation`): a form, or an address to visit. It is put before people as
//! questions are. It allows nothing, so no rule and no grant is asked about it, and none answers it.
//!
//! | what becomes of the request | the server is told |
//! |---|---|
//! | a person answers | `accept`, with the content of the form |
//! | a person denies | `decline` |
//! | the form cannot be shown | `decline`, and those who look on are told why |
//! | the answer does not fit the form | `cancel`, and those who look on are told why |
//! | nobody answers in time, or nobody can be asked | `cancel` |
//! | it is resolved elsewhere | nothing: the client does not wait any more |

use dmplz_core::card::Subject;
use dmplz_core::claude::HookInput;
use dmplz_core::request::{ApprovalScope, Offer, Outcome, Resolution};
use dmplz_core::visible::{short, visible_line};
use dmplz_policy::KnownCommands;
use dmplz_runner::control::Elicitation;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Setup;
use super::asking::{Answer, Asking, offered, outcome};
use super::form::Form;
use crate::approvals::Approvals;

/// The longest name of a server in a notice, in characters.
const NAME: usize = 60;

impl Asking<Elicitation> {
    /// Finds the answer. It may take as long as a request may stay open.
    pub(super) async fn answer(self, approvals: Approvals, setup: Setup) -> Answer {
        let server = short(&self.asked.mcp_server_name, NAME);
        let form = match Form::read(&self.asked, setup.lang) {
            Ok(form) => form,
            Err(why) => {
                let notice =
                    format!("The MCP server {server} asked for what cannot be shown, and it was declined: {why}.");
                let (response, notice) = (Some(action("decline")), Some(notice));
                return Answer { response, notice, ..Answer::default() };
            }
        };
        let call = form.call();
        // A server is told that it was declined, and no more.
        let offer = Offer { final_denial: true, ..Offer::of(&call, &self.cwd, &KnownCommands) };
        let subject = Subject::of(&call, &self.id.to_string(), &self.cwd, None, &[], setup.lang);
        let request = self.shown(&call, None, subject, offer.clone(), &approvals);
        let began = Instant::now();
        let outcome = offered(outcome(request, &approvals).await, &offer);
        let answered_after = outcome.by().map(|_| began.elapsed());
        let input = HookInput::of_call(self.session.clone(), self.cwd.clone(), &call);
        self.record(&setup, input, &call, Resolution::of(&outcome), answered_after);
        let (response, notice) = match &outcome {
            Outcome::Approved { scope: ApprovalScope::Answers { answers }, .. } => match form.content(answers) {
                Ok(Some(content)) => (Some(json!({ "action": "accept", "content": content })), None),
                Ok(None) => (Some(action("accept")), None),
                Err(why) => {
                    let notice = format!("The MCP server {server} was not given the answer: {}.", visible_line(&why));
                    (Some(action("cancel")), Some(notice))
                }
            },
            Outcome::RejectedWithReason { .. } | Outcome::RejectedNoReason { .. } => (Some(action("decline")), None),
            Outcome::Approved { .. } | Outcome::Expired(_) => (Some(action("cancel")), None),
            Outcome::ResolvedElsewhere(_) => (None, None),
        };
        Answer { response, of_person: outcome.by().is_some(), notice, ..Answer::default() }
    }
}

fn action(action: &str) -> Value {
    json!({ "action": action })
}
