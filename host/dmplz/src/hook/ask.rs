//! Handles a PermissionRequest: asks a person, waits, and answers.

use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;
use dmplz_core::card::{Ended, GrantEnd, Subject};
use dmplz_core::claude::{self, HookEvent, HookInput, ToolCall};
use dmplz_core::flow::Rules;
use dmplz_core::messenger::{ProviderError, Tenure};
use dmplz_core::request::{ExpiredCause, Offer, Outcome, Resolution, Resolver, Trouble};
use dmplz_core::text::Lang;
use dmplz_desk::{Ask, Asked, Desk, Face, Files, TimeLimits};
use dmplz_plugin::Provider;
use dmplz_policy::{KnownCommands, risks};
use dmplz_state::{CardRecord, Cards, OpenCard, Queue, Stage, StateDir, Ticket};
use rustls::pki_types::CertificateDer;
use tokio::time::Instant;
use uuid::Uuid;

use super::gateway::{self, Asked as Gateway};
use super::grants::{self, Kept};
use super::rules::{Ruling, complain};
use super::{QUESTIONS, deadline, environment, explain, hand_over, stop, unasked};
use crate::account::{self, Chosen};
use crate::journals;
use crate::runtime::runtime;
use crate::settings::{Settings, Table};
use crate::told::Phrase;
use crate::{tag, time, trouble, wording};

/// How long to wait for a gateway that holds the bot, because it may be about to end.
const GATEWAY_LEAVES: Duration = Duration::from_secs(3);
/// The time limit for the last edits in the chat. The client gives a stopped hook 1.5 s.
const CLOSING: Duration = Duration::from_secs(3);
const CLOSING_STOPPED: Duration = Duration::from_millis(1300);

type Card = OpenCard<Face>;
type Sign<'a> = Pin<&'a mut dyn Future<Output = Resolver>>;

/// One PermissionRequest.
struct Request<'a> {
    input: &'a HookInput,
    call: ToolCall,
    ruling: &'a Ruling,
    id: String,
    tag: String,
    offer: Offer,
    subject: Subject,
    started: Instant,
    deadline: Duration,
    settings: Settings,
    chosen: Chosen,
    /// What is trusted besides Mozilla's certificates.
    certificates: Vec<CertificateDer<'static>>,
    /// Why a gateway that runs was not asked.
    why_alone: Option<Phrase>,
}

/// Asks a person and writes the decision for the client.
pub(super) fn ask(input: &HookInput, call: ToolCall, ruling: &Ruling, started: Instant) -> anyhow::Result<()> {
    // Questions that cannot be parsed are left to the terminal.
    if Offer::of(&call, &input.cwd, &KnownCommands).unanswerable {
        return Ok(());
    }
    let asked_for = call.clone();
    let mut table = Table::load(&environment)?;
    let asked = Settings::of(&table).map_err(anyhow::Error::from).and_then(|settings| {
        trouble::set_verbosity(settings.verbose);
        // The client sends both events for questions, and one of them asks.
        if call.tool == QUESTIONS && settings.questions_ahead != (input.event() == HookEvent::ToolAhead) {
            return Ok(());
        }
        complain(ruling);
        let started = deadline::counted_from(started, Instant::now(), time::age(), settings.hook_timeout);
        let no_gateway = match gateway::ask(input, &call, ruling, &settings, started)? {
            Gateway::Concluded => return Ok(()),
            Gateway::Alone(why) => why,
        };
        let why_alone = no_gateway.as_ref().map(wording::whole);
        let chosen = account::choose(&mut table, &environment).map_err(|error| no_gateway.unwrap_or(error))?;
        // Told as a setting that is wrong is, before anything is opened.
        let certificates = settings.certificates()?;
        let request =
            Request { why_alone, certificates, ..Request::new(input, call, ruling, settings, chosen, started) };
        let runtime = runtime()?;
        let ran = runtime.block_on(request.run(&table));
        // A name may still be looked up on a thread of the runtime, for as long as the system's resolver likes.
        runtime.shutdown_background();
        ran
    });
    match asked {
        Err(error) if table.entry("DMPLZ_ON_EXPIRED").is_some_and(|entry| entry.value == "deny") => {
            let outcome = unasked(wording::whole(&error));
            hand_over(&outcome.decision(true), input, &asked_for)?;
            Err(error)
        }
        asked => asked,
    }
}

impl<'a> Request<'a> {
    fn new(
        input: &'a HookInput,
        call: ToolCall,
        ruling: &'a Ruling,
        settings: Settings,
        chosen: Chosen,
        started: Instant,
    ) -> Self {
        let id = call.tool_use_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
        let tag = tag::fresh();
        let grants = claude::session_grant(&call, &input.cwd, &KnownCommands);
        let offer = Offer { granted: ruling.grantable.is_some(), ..Offer::of(&call, &input.cwd, &KnownCommands) };
        let subject = Subject::of(&call, &id, &input.cwd, input.subagent(), &grants, settings.lang);
        let subject = subject.in_mode(input.permission_mode.as_deref(), settings.lang);
        let subject = subject.with(&ruling.remarks, settings.lang).granting(ruling.grantable.as_ref(), settings.lang);
        let home = environment("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let subject = subject.marked(risks(&call.tool, &call.input, Path::new(&input.cwd), home.as_deref()));
        let deadline = deadline::of(&settings);
        let (certificates, why_alone) = (Vec::new(), None);
        Self {
            input,
            call,
            ruling,
            id,
            tag,
            offer,
            subject,
            started,
            deadline,
            settings,
            chosen,
            certificates,
            why_alone,
        }
    }

    /// Returns an error only if nothing was written for the client yet.
    async fn run(&self, table: &Table) -> anyhow::Result<()> {
        let state = StateDir::open(&self.settings.state_dir)?;
        let signals = stop::Signals::listen();
        let ticket = Queue::new(&state, &self.chosen.key).join().context("the queue for the bot cannot be joined")?;
        let card = self.open_card(&state);
        let mut sign = pin!(stop::sign(signals, card.as_ref().map(OpenCard::answered_marker)));
        // From here on the ledger removes the card's record, whatever fails before a card is posted.
        let ledger = account::ledger(&state, &self.chosen.key, card);
        let end = self.started + self.deadline;
        if let Some(outcome) = self.turn(&ticket, sign.as_mut(), end).await? {
            self.conclude(&outcome, None, ticket);
            if let Outcome::Expired(ExpiredCause::Failed(why)) = &outcome {
                trouble::error(&format!("nobody was asked: {why}"));
            }
            return Ok(());
        }
        self.at_the_desk(ledger, sign, ticket, table).await
    }

    /// Waits for its turn. Returns an outcome if the request ends before that, without anybody having been asked.
    async fn turn(&self, ticket: &Ticket, mut sign: Sign<'_>, end: Instant) -> anyhow::Result<Option<Outcome>> {
        if ticket.try_first()? {
            return Ok(None);
        }
        let (sender, mut receiver) = tokio::sync::oneshot::channel();
        ticket.when_first(move |first| drop(sender.send(first)))?;
        loop {
            tokio::select! {
                first = &mut receiver => {
                    return first.context("its turn on the bot cannot be waited for")?.map(|()| None).context("its turn on the bot cannot be waited for");
                }
                resolver = sign.as_mut() => return Ok(Some(Outcome::ResolvedElsewhere(resolver))),
                () = tokio::time::sleep_until(end) => {
                    return Ok(Some(unasked([
                        "이 봇의 앞선 요청들이 답을 받지 못했습니다",
                        "the requests before it on this bot were not answered",
                    ])));
                }
                () = tokio::time::sleep(GATEWAY_LEAVES) => {
                    if let Some(process) = ticket.gateway_ahead()? {
                        return Ok(Some(unasked(self.behind_a_gateway(process))));
                    }
                }
            }
        }
    }

    /// Why a request cannot be asked alone while a gateway runs.
    fn behind_a_gateway(&self, process: u32) -> Phrase {
        let why = match &self.why_alone {
            Some(why) => Phrase::from([
                format!("게이트웨이를 통해 묻지 못했습니다: {}", why.of(Lang::Ko)),
                format!("asking through it did not work: {}", why.of(Lang::En)),
            ]),
            None if !self.settings.gateway.is_used => Phrase::from([
                "이 훅은 게이트웨이를 통해 물을 수 없습니다(DMPLZ_GATEWAY=off)",
                "this hook may not ask through it (DMPLZ_GATEWAY=off)",
            ]),
            None => Phrase::from([
                "이 훅이 게이트웨이의 소켓을 찾지 못합니다. `dmplz serve`를 다시 시작해 주세요",
                "this hook does not find its socket (restart dmplz serve)",
            ]),
        };
        let name = &self.chosen.name;
        Phrase::from([
            format!("게이트웨이(프로세스 {process})가 {name} 봇을 쓰고 있습니다. {}", why.of(Lang::Ko)),
            format!("the gateway (process {process}) has the bot of {name}, and {}", why.of(Lang::En)),
        ])
    }

    async fn at_the_desk(
        &self,
        ledger: Files,
        mut sign: Sign<'_>,
        ticket: Ticket,
        table: &Table,
    ) -> anyhow::Result<()> {
        let opened = tokio::select! {
            opened = self.desk(ledger, table) => opened,
            resolver = &mut sign => {
                self.conclude(&Outcome::ResolvedElsewhere(resolver), None, ticket);
                return Ok(());
            }
        };
        let ready = opened.and_then(|desk| Ok((self.rules(&desk)?, desk)));
        let (rules, mut desk) = match ready {
            Ok(ready) => ready,
            Err(why) => {
                let told = match &why {
                    Trouble::Messenger(_) => format!("the chat on {} cannot be opened: {why}", self.chosen.name),
                    Trouble::Worded { .. } | Trouble::Other(_) => why.to_string(),
                };
                let told = format!("{told}{}", hint(&why));
                self.conclude(&Outcome::Expired(ExpiredCause::Failed(why)), None, ticket);
                trouble::error(&told);
                return Ok(());
            }
        };
        let asked = desk.ask(&Ask { subject: &self.subject, tag: &self.tag, rules: &rules }, sign).await;
        let outcome = asked.outcome.clone();
        let conflicts = asked.conflicts;
        let (taken, kept) = self.conclude(&outcome, asked.answered_after, ticket);
        self.close(&mut desk, asked, &outcome, taken, kept).await;
        if let Outcome::Expired(ExpiredCause::Failed(why)) = &outcome {
            trouble::error(&format!("nobody could be asked on {}: {why}{}", self.chosen.name, hint(why)));
        } else if conflicts > 0 {
            trouble::warn(&format!(
                "another program, or another computer, receives the presses of this bot on {} ({conflicts} times): they may be lost; give each computer a bot of its own (dmplz doctor)",
                self.chosen.name
            ));
        }
        Ok(())
    }

    async fn desk(&self, ledger: Files, table: &Table) -> Result<Desk<Provider, Files>, Trouble> {
        let lang = self.settings.lang;
        let (certificates, chosen, settings) = (self.certificates.clone(), &self.chosen, &self.settings);
        let provider = account::start_trusting(Ok(certificates), chosen, settings, table, Tenure::Request).await;
        let provider = provider.map_err(|error| Trouble::from(wording::whole(&error)))?;
        let limits = TimeLimits { deadline: time::millis(self.deadline), unreachable: Some(self.settings.unreachable) };
        let opened = Desk::open(Rc::new(provider), ledger, &self.chosen.chat, lang, self.started, limits).await;
        Ok(opened?)
    }

    fn rules(&self, desk: &Desk<Provider, Files>) -> Result<Rules, Trouble> {
        let approvers = self.chosen.approvers(desk.chat()).map_err(|nobody| Trouble::from(wording::phrase(&nobody)))?;
        let mut reason = self.settings.reason.clone();
        if desk.style().answering.has_labels() {
            reason.skip_keywords.clear();
        }
        Ok(Rules {
            approvers,
            offer: self.offer.clone(),
            deadline: time::millis(self.deadline),
            reason_timeout: time::millis(self.settings.reason_timeout),
            reason,
        })
    }

    /// Stores a grant, writes the decision for the client, frees the queue and writes the logs, in this order.
    /// Returns whether the client took the decision, and what happened to the grant.
    fn conclude(&self, outcome: &Outcome, answered_after: Option<u64>, ticket: Ticket) -> (bool, Kept) {
        let kept =
            grants::keep(outcome, self.ruling.grantable.as_ref(), self.input, &self.id, &self.settings.state_dir);
        let decision = outcome.decision(self.settings.deny_on_expired);
        let taken = hand_over(&decision, self.input, &self.call)
            .and_then(|()| explain(outcome, &decision, Some(&self.chosen.name), self.settings.lang));
        drop(ticket);
        let (input, call) = (self.input, &self.call);
        let subject = journals::Subject { provider: &self.chosen.name, request_id: &self.id, input, call };
        journals::record(&subject, &Resolution::of(outcome), answered_after, &self.settings);
        trouble::report(
            taken.as_ref().map_err(|error| anyhow::anyhow!("the decision cannot be handed to the client: {error}")),
        );
        let kept = kept.settle(taken.is_ok(), &self.id, &self.settings.state_dir).tell(&self.settings.state_dir);
        (taken.is_ok(), kept)
    }

    /// Shows the card's end. "Allowed" is shown only if the client took the decision.
    async fn close(&self, desk: &mut Desk<Provider, Files>, asked: Asked, outcome: &Outcome, taken: bool, kept: Kept) {
        let gone = Outcome::ResolvedElsewhere(Resolver::ClientGone);
        let allowed = matches!(outcome, Outcome::Approved { .. });
        let shown = if allowed && !taken { &gone } else { outcome };
        let lang = self.settings.lang;
        let ended = Ended::of(shown, self.settings.deny_on_expired, &time::time_of_day(), lang);
        let ended = ended.storing(shown, &self.offer, lang);
        let ended = match kept {
            Kept::None => ended,
            Kept::Yes => ended.with_grant(GrantEnd::Holds, lang),
            Kept::No => ended.with_grant(GrantEnd::NotKept, lang),
        };
        // From then on the client may stop the hook at any time.
        let left = (self.started + self.settings.hook_timeout).saturating_duration_since(Instant::now());
        let within = if asked.stopped { CLOSING_STOPPED } else { CLOSING.min(left * 4 / 5) };
        desk.close(asked, ended, within).await;
    }

    /// Writes the record by which other processes know of the card. If that fails, the request is asked anyway.
    fn open_card(&self, state: &StateDir) -> Option<Card> {
        let record = CardRecord {
            request_id: self.id.clone(),
            session_id: self.input.session_id.clone(),
            agent_id: self.input.agent_id.clone(),
            account: self.chosen.key.clone(),
            tag: self.tag.clone(),
            tool_name: self.call.tool.clone(),
            input_digest: claude::input_digest(&self.call.input),
            stage: Stage::Queued,
            card: None,
            prompt: None,
            denier: None,
            created_ms: time::now_ms(),
            ended_ms: None,
            told: Vec::new(),
            face: Face::new(self.subject.brief(0)),
        };
        trouble::report(Cards::new(state).open_card(record))
    }
}

/// Returns a hint at how to fix an error.
fn hint(why: &Trouble) -> &'static str {
    let Trouble::Messenger(error) = why else { return "" };
    match error {
        ProviderError::Unauthorized => " (check the token; dmplz doctor)",
        ProviderError::NotFound => " (check the chat's id, and whether it may be used; dmplz doctor)",
        ProviderError::Denied(_) => " (give the bot the right in that chat; dmplz doctor)",
        ProviderError::Conflict(_) => {
            " (another program polls this bot or a webhook is set: stop it, or use a bot of its own; dmplz doctor)"
        }
        ProviderError::RateLimited(_)
        | ProviderError::TooLarge
        | ProviderError::BadSetting(..)
        | ProviderError::Unavailable(_)
        | ProviderError::Unreachable(_)
        | ProviderError::Deadline
        | ProviderError::Refused(_)
        | ProviderError::Rejected(_)
        | ProviderError::Other(_)
        | ProviderError::Broken(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::NoConnection;

    use super::*;

    #[test]
    fn the_hint_follows_from_the_kind_of_the_messengers_error_alone() {
        let errors = [
            ProviderError::Unauthorized,
            ProviderError::NotFound,
            ProviderError::Denied(Some("no right to post".into())),
            ProviderError::Conflict(Some("a webhook is set".into())),
            ProviderError::RateLimited(None),
            ProviderError::TooLarge,
            ProviderError::BadSetting("chat-id".into(), "it must be a number".into()),
            ProviderError::Unavailable(Some("the bot cannot log in".into())),
            ProviderError::Unreachable(NoConnection::other("https://api.telegram.org: no such name")),
            ProviderError::Deadline,
            ProviderError::Refused("https://example.org is not granted".into()),
            ProviderError::Rejected(Some("the chat or message was not found".into())),
            ProviderError::Other(None),
            ProviderError::Broken("telegram: it trapped".into()),
        ];
        let troubles = errors.map(Trouble::Messenger).into_iter().chain([Trouble::Other("it went away".into())]);
        let lines: Vec<_> = troubles.map(|why| format!("{why}{}", hint(&why))).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        the bot cannot log in: its token was not accepted (check the token; dmplz doctor)
        the chat or message was not found (check the chat's id, and whether it may be used; dmplz doctor)
        the bot may not act there: no right to post (give the bot the right in that chat; dmplz doctor)
        another program receives this bot's events: a webhook is set (another program polls this bot or a webhook is set: stop it, or use a bot of its own; dmplz doctor)
        the messenger takes no more requests for now
        the message is too large for the messenger
        the setting chat-id cannot be used: it must be a number
        the messenger cannot be reached: the bot cannot log in
        the messenger cannot be reached: https://api.telegram.org: no such name
        the messenger did not answer in time
        the sandbox refused a request: https://example.org is not granted
        the messenger calls the request malformed: the chat or message was not found
        the provider failed
        the provider broke: telegram: it trapped
        it went away
        ");
    }
}
