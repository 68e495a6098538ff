//! The texts of one language in the form of a record, so that a language that lacks one does not compile.

use super::{LeadWords, NoticeWords, ToolWords};
use crate::claude::Scope;

/// The texts of one language. `{}` stands for the values that the field's comment lists, in order.
#[derive(Debug)]
pub struct Words {
    /// The words of sessions that are led from a chat.
    pub lead: LeadWords,
    /// The words of notices.
    pub notices: NoticeWords,
    /// The words for what tools do.
    pub tools: ToolWords,
    /// The title of a request; the tool.
    pub request: &'static str,
    /// The title of a plan.
    pub plan: &'static str,
    /// The beginning of the line that names the agent's folder.
    pub folder: &'static str,
    /// The beginning of the line that names the subagent that asks.
    pub agent: &'static str,
    /// A line: what the session grant would store.
    pub grant: &'static str,
    /// A mode as a grant; the mode.
    pub grant_mode: &'static str,
    /// A directory as a grant; the directory.
    pub grant_directory: &'static str,
    /// A line: the rule that asks for a person; its reason and location.
    pub asked_by_rule: &'static str,
    /// A line: why rules allow less than was meant; what.
    pub policy_trouble: &'static str,
    /// What stands out about a call: it starts a program as another user.
    pub risk_elevated: &'static str,
    /// The same: a shell runs what another command writes.
    pub risk_piped_shell: &'static str,
    /// The same: it writes outside of the folder.
    pub risk_outside: &'static str,
    /// The same: it may use the network.
    pub risk_network: &'static str,
    /// The same: it names a file that usually holds credentials.
    pub risk_secret: &'static str,
    /// The beginning of the line with the request's id.
    pub id: &'static str,
    /// A line: how to answer by reactions; the legend.
    pub react: &'static str,
    /// Replaces text that is in a file; the number of characters left out, the file name.
    pub in_file: &'static str,
    /// Replaces text that is in the messages above; the number of characters left out.
    pub above: &'static str,
    /// The title of such a message; its number, the number of messages.
    pub page: &'static str,
    /// Label of the button that allows this call.
    pub approve: &'static str,
    /// The label of the button that allows similar calls for the session.
    pub session: &'static str,
    /// Label of the button that denies.
    pub deny: &'static str,
    /// The label of the prompt's button.
    pub skip: &'static str,
    /// The label of the prompt's button that opens a form.
    pub write: &'static str,
    /// Title of the form.
    pub write_reason: &'static str,
    /// Title of the form.
    pub write_changes: &'static str,
    /// The label of a form's field for a reason.
    pub write_label: &'static str,
    /// The title of a question; its number, the number of questions.
    pub question: &'static str,
    /// The title of the summary of all answers.
    pub review: &'static str,
    /// A question with its answer.
    pub answer: &'static str,
    /// Line under a question that takes several options.
    pub several: &'static str,
    /// A line: the questions cannot be shown.
    pub unanswerable: &'static str,
    /// A card where its own surface cannot approve it, because it was asked for there.
    pub asked_here: &'static str,
    /// The title of a card that lets a session go on without asking anybody.
    pub mode_change: &'static str,
    /// Button: what "always" stores has no tool; the place.
    pub always: &'static str,
    /// Button; the tool, the place.
    pub always_tool: &'static str,
    /// Button; the tools, the place.
    pub always_two_tools: &'static str,
    /// Button; the first tool, how many more, the place.
    pub always_more_tools: &'static str,
    /// Button; 1, the place.
    pub always_directory: &'static str,
    /// Button; how many directories, the place.
    pub always_directories: &'static str,
    /// Line: what "always" stores.
    pub always_line: &'static str,
    /// The same, with the place.
    pub always_line_at: &'static str,
    /// A line: where each reaction stores it.
    pub always_places: &'static str,
    /// A line of a final state: what was stored, where.
    pub stored_line: &'static str,
    /// A line: a suggestion that is broader than the call and is not stored; why.
    pub broad_left_out: &'static str,
    /// The same for one that is stored.
    pub broad_included: &'static str,
    /// Why a rule is broad: it allows any shell command.
    pub broad_shell: &'static str,
    /// Why a rule is broad: its program runs any code.
    pub broad_interpreter: &'static str,
    /// Why a rule is broad: its pattern covers other calls.
    pub broad_wildcard: &'static str,
    /// Why a rule is broad: it allows the whole tool.
    pub broad_tool: &'static str,
    /// Label of the button that changes where a rule is stored; the place.
    pub scope: &'static str,
    /// Names the place `.claude/settings.local.json`.
    pub scope_local: &'static str,
    /// Names the place `~/.claude/settings.json`.
    pub scope_user: &'static str,
    /// Names the place `.claude/settings.json`.
    pub scope_project: &'static str,
    /// Names the client's memory as the place.
    pub scope_session: &'static str,
    /// The label of the button that stores broad rules too.
    pub widen: &'static str,
    /// The label of the button that leaves out broad rules again.
    pub narrow: &'static str,
    /// Label of the button that grants exactly this call for 30 minutes.
    pub grant_half_hour: &'static str,
    /// Label of the button that grants exactly this call for the session.
    pub grant_session: &'static str,
    /// The label of the button that denies with feedback.
    pub tell: &'static str,
    /// The label of the choice that shows more choices.
    pub more: &'static str,
    /// Title of the form.
    pub tell_title: &'static str,
    /// Label of its field.
    pub tell_label: &'static str,
    /// Placeholder of its field.
    pub tell_placeholder: &'static str,
    /// Button of a plan.
    pub auto_accept: &'static str,
    /// Button of a plan.
    pub manual: &'static str,
    /// Button of a plan.
    pub keep_planning: &'static str,
    /// Button of a question.
    pub no_answer: &'static str,
    /// Button of a question.
    pub other: &'static str,
    /// Button of a question.
    pub other_away: &'static str,
    /// The label of the field for a person's own words.
    pub other_label: &'static str,
    /// Button of a question.
    pub back: &'static str,
    /// Button of a question.
    pub next: &'static str,
    /// Button of the answers.
    pub submit: &'static str,
    /// The first line of the prompt for feedback.
    pub prompt_instead: &'static str,
    /// The first line of the prompt for changes to a plan.
    pub prompt_changes: &'static str,
    /// The prompt for an answer; the question.
    pub prompt_answer: &'static str,
    /// The first line of the prompt for a reason.
    pub prompt: &'static str,
    /// The line above the codes of typed answers.
    pub typed: &'static str,
    /// The second line of the prompt for a reason, with a button.
    pub prompt_button: &'static str,
    /// The second line of the prompt for a reason, with codes.
    pub prompt_code: &'static str,
    /// The second line of the prompt for a reason, without a button; the keyword.
    pub prompt_keyword: &'static str,
    /// The third line of the prompt for a reason; the limit, as `Lang::time_limit` formats it.
    pub prompt_limit: &'static str,
    /// The answer to a late input; the request id.
    pub late: &'static str,
    /// Final title; the tool.
    pub approved: &'static str,
    /// Final title; the tool.
    pub approved_session: &'static str,
    /// Final title; the tool.
    pub approved_always: &'static str,
    /// Final title of answered questions; the tool.
    pub answered: &'static str,
    /// Line of an approved plan.
    pub edits_auto: &'static str,
    /// Line of an approved plan.
    pub edits_manual: &'static str,
    /// Line of a grant of ours.
    pub granted_half_hour: &'static str,
    /// Line of a grant of ours.
    pub granted_session: &'static str,
    /// A line: the feedback.
    pub instead: &'static str,
    /// Final title; the tool.
    pub rejected: &'static str,
    /// Final title; the tool.
    pub expired: &'static str,
    /// Final title; the tool.
    pub elsewhere: &'static str,
    /// The final title of a request whose hook died; the tool.
    pub interrupted: &'static str,
    /// A line of a final state: who, when.
    pub by: &'static str,
    /// A line of a final state without a person: when.
    pub at: &'static str,
    /// A line of a final state: the reason that was given.
    pub reason: &'static str,
    /// A line: the rule that decided.
    pub rule: &'static str,
    /// A line: denied without a reason, by choice.
    pub no_reason: &'static str,
    /// A line: denied, and no reason arrived in time.
    pub no_reason_timeout: &'static str,
    /// Line under expired: nobody answered in time.
    pub why_nobody: &'static str,
    /// Line under expired when `DMPLZ_ON_EXPIRED=deny`.
    pub why_nobody_denied: &'static str,
    /// Shown at the terminal if nobody answered.
    pub unanswered: &'static str,
    /// Shown at the terminal if nobody could be asked, or no answer could have arrived: what failed.
    pub unasked: &'static str,
    /// Shown at the terminal if no connection to the messenger could be opened: the messenger, and what failed.
    pub unreached: &'static str,
    /// Line under settled elsewhere: the terminal answered.
    pub why_terminal: &'static str,
    /// Line under settled elsewhere: the client stopped the request.
    pub why_stopped: &'static str,
    /// Line under settled elsewhere: the client is gone.
    pub why_client_gone: &'static str,
    /// Line under expired when the messenger failed.
    pub why_failed: &'static str,
    /// The same when `DMPLZ_ON_EXPIRED=deny`.
    pub why_failed_denied: &'static str,
    /// Line under interrupted: the process that asked has died.
    pub why_interrupted: &'static str,
    /// Told to a presser.
    pub not_allowed: &'static str,
    /// Told to a presser.
    pub already: &'static str,
    /// Told to a presser.
    pub too_late: &'static str,
    /// Told to a presser.
    pub not_the_denier: &'static str,
    /// Shown if a message arrived without its content.
    pub unreadable: &'static str,
    /// Shown to a person who pressed: the choice is no longer on the card.
    pub outdated: &'static str,
    /// Told to a presser.
    pub unknown_card: &'static str,
    /// Shown to a person who pressed: what was chosen on the card is too old.
    pub stale: &'static str,
    /// Shown if a text could be the reason of several requests.
    pub which_card: &'static str,
    /// Shown in the chat: presses of the time without a connection may be lost.
    pub press_again: &'static str,
    /// Replaces a past step of a request.
    pub moved_on: &'static str,
    /// Shown to a person who pressed late: how it ended, the request id.
    pub late_ended: &'static str,
    /// A line of a final state: the surface where it was answered.
    pub answered_on: &'static str,
    /// Names the page as the surface where somebody answered.
    pub on_web: &'static str,
    /// Names the command line as the surface where somebody answered.
    pub on_cli: &'static str,
    /// Shown to a person whose approval could not be stored.
    pub unrecorded: &'static str,
    /// Shown to a person whose denial counts, but could not be stored.
    pub unrecorded_deny: &'static str,
    /// Shown to a person who pressed: who denied meanwhile.
    pub denied_by: &'static str,
    /// The subject of a dmplz grant: the tool, a command.
    pub granted_command: &'static str,
    /// The same: the tool, a file.
    pub granted_file: &'static str,
    /// The same: the tool, the scheme and host.
    pub granted_site: &'static str,
    /// The same: the tool, its input.
    pub granted_input: &'static str,
    /// The same with the folder: one of the above, the folder.
    pub granted_in: &'static str,
    /// A line of a request: what a dmplz grant would cover, if that is more than exactly this call.
    pub granted_offer: &'static str,
    /// Any access to a file: the tool, the file.
    pub granted_any: &'static str,
    /// A line of a final state: the grant could not be stored.
    pub granted_not_kept: &'static str,
    /// The label of the button on a final state that revokes the grant.
    pub revoke: &'static str,
    /// A line of a final state without such a button.
    pub revoke_how: &'static str,
    /// A line of a final state: who revoked the grant, when.
    pub revoked_by: &'static str,
    /// Shown to the person who revoked it.
    pub revoked: &'static str,
    /// The grant expired: shown to a person who pressed, and a line of the final state.
    pub granted_over: &'static str,
    /// Shown to a person who pressed: it could not be revoked.
    pub not_revoked: &'static str,
    /// The title: asks somebody who was invited whether they want to answer; the computer.
    pub invited: &'static str,
    /// A line: the effect of agreeing.
    pub invited_means: &'static str,
    /// The label of the button that agrees.
    pub invited_yes: &'static str,
    /// The label of the button that refuses.
    pub invited_no: &'static str,
    /// The person accepted; the computer.
    pub invitation_accepted: &'static str,
    /// The person refused, or did not answer; the computer.
    pub invitation_refused: &'static str,
}

impl Words {
    /// Returns what people call the place where a permission is stored.
    pub fn scope_name(&self, scope: Scope) -> &'static str {
        match scope {
            Scope::Local => self.scope_local,
            Scope::User => self.scope_user,
            Scope::Project => self.scope_project,
            Scope::Session => self.scope_session,
        }
    }
}
