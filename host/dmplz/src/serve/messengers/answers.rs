//! What people do on a messenger, brought to the owner of the requests.

use std::cell::RefCell;
use std::rc::Rc;

use dmplz_core::approvers::Approver;
use dmplz_core::card;
use dmplz_core::grant::Grant;
use dmplz_core::messenger::{Event, OpenChat, ProviderError, Watch};
use dmplz_core::request::Command;
use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_desk::{Claim, News, Owner, Revocation, Verdict};
use dmplz_gateway::{AnswerError, Approvals, Attached, Grants, Health, Polled};
use dmplz_plugin::Provider;
use dmplz_protocol::{Source, Standing, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;
use uuid::Uuid;

use super::Common;
use super::lead::Lead;
use super::proof::Proofs;
use super::shown::Shown;
use crate::trouble;

/// The owner, as one desk sees it.
pub(super) struct Answers {
    approvals: Approvals,
    grants: Grants,
    shown: Shown,
    /// There while the messenger can be used.
    attached: RefCell<Option<Attached>>,
    health: Health,
    /// There where sessions are led in the chat.
    lead: Option<Rc<Lead>>,
    /// The tests that wait for a press.
    proofs: Rc<Proofs<Provider>>,
}

impl Answers {
    /// From now on the messenger counts as a surface.
    pub(super) fn new(common: &Common, surface: &str, lead: Option<Rc<Lead>>, proofs: Rc<Proofs<Provider>>) -> Self {
        let Common { settings, approvals, grants, state, health, .. } = common.clone();
        let attached = RefCell::new(Some(approvals.attach_messenger(surface)));
        health.reachable(surface);
        let (surface, state) = (surface.to_owned(), state.path().to_owned());
        let shown = Shown { surface, state, deny_on_expired: false, lang: settings.lang };
        Self { approvals, grants, shown, attached, health, lead, proofs }
    }

    fn verdict(&self, answered: Result<Standing, AnswerError>, denies: bool) -> Verdict {
        let (told, news) = match answered {
            Ok(_) => return Verdict::COUNTS,
            Err(AnswerError::NotRecorded(..)) => {
                let words = self.shown.lang.words();
                let told = if denies { words.unrecorded_deny } else { words.unrecorded };
                return Verdict { counts: denies, told: Some(told.to_owned()), news: None };
            }
            Err(AnswerError::Unreadable(..)) => {
                let told = self.shown.lang.words().unread;
                return Verdict { counts: false, told: Some(told.to_owned()), news: None };
            }
            Err(AnswerError::Ended(standing)) => (self.who_won(&standing), News::Over),
            Err(AnswerError::Denied(standing)) => match &standing.status {
                Status::Denied { by, .. } => {
                    (Some(fill(self.shown.lang.words().denied_by, &[&visible_line(&by.name)])), News::Denied)
                }
                _ => (None, News::Over),
            },
            Err(AnswerError::Unknown(_) | AnswerError::NotOffered { .. } | AnswerError::Closing(_)) => {
                (None, News::Over)
            }
        };
        let told = told.or_else(|| Some(self.shown.lang.words().already.to_owned()));
        Verdict { counts: false, told, news: Some(news) }
    }

    /// Returns the session that a request is of, and who leads it.
    async fn led(&self, id: &str) -> Option<(&Lead, Uuid)> {
        let (lead, id) = (self.lead.as_ref()?, id.parse().ok()?);
        match self.approvals.get(id).await?.request.source {
            Source::Session { session_id, .. } => Some((lead, Uuid::try_parse(&session_id).ok()?)),
            Source::Hook { .. } | Source::Tool { .. } => None,
        }
    }

    fn who_won(&self, standing: &Standing) -> Option<String> {
        let ended = self.shown.ended(standing, true)?;
        Some(card::late_ended(self.shown.lang, &ended, &standing.request.subject))
    }
}

impl Owner for Answers {
    async fn carry_out(&self, id: &str, command: &Command) -> Verdict {
        let Ok(id) = id.parse() else { return Verdict::default() };
        match self.approvals.apply(id, command.clone()).await {
            // Nobody has dealt with it, so that the messenger hands it to the next gateway as well.
            Err(AnswerError::Closing(_)) => std::future::pending().await,
            answered => self.verdict(answered, command.denies()),
        }
    }

    async fn revoked(&self, id: &str, by: &Approver) -> Revocation {
        let request = id.to_owned();
        let of_request = move |grant: &Grant| grant.request_id == request;
        match self.grants.revoke(of_request, by.answerer()).await {
            Ok(revoked) => {
                if let Some(why) = revoked.unrecorded {
                    let why = trouble::chain(&why.into());
                    trouble::warn(&format!("that the grant of request {id} was taken back is not recorded: {why}"));
                }
                if revoked.grants.is_empty() { Revocation::Over } else { Revocation::Done }
            }
            Err(error) => {
                let (who, why) = (visible_line(by.name()), trouble::chain(&error.into()));
                trouble::warn(&format!("the grant of request {id} cannot be taken back for {who}: {why}"));
                Revocation::Failed
            }
        }
    }

    /// A messenger that comes back within a minute is not worth a word: [`Health`] says when it is.
    fn reachable(&self, trouble: Option<&str>) {
        match trouble {
            Some(why) => {
                self.attached.borrow_mut().take();
                self.health.unreachable(&self.shown.surface, why);
                trouble::info(&format!("{} cannot be used at present: {why}", self.shown.surface));
            }
            None => {
                self.attached.borrow_mut().get_or_insert_with(|| self.approvals.attach_messenger(&self.shown.surface));
                self.health.reachable(&self.shown.surface);
                trouble::info(&format!("{} can be used again", self.shown.surface));
            }
        }
    }

    fn polled(&self, failed: Option<&ProviderError>) {
        let how = match failed {
            None => Polled::Ok,
            Some(ProviderError::Conflict(_)) => Polled::Conflict,
            Some(_) => Polled::Error,
        };
        self.health.polled(&self.shown.surface, how);
    }

    fn looked(&self, began: Instant) {
        self.approvals.looked(&self.shown.surface, began);
    }

    async fn place(&self, id: &str) -> Option<OpenChat> {
        let (lead, session) = self.led(id).await?;
        lead.place(session).await
    }

    async fn displaced(&self, id: &str) {
        match self.led(id).await {
            Some((lead, session)) => lead.in_chat(session).await,
            None => std::future::pending().await,
        }
    }

    fn shown(&self, id: &str) {
        if let Ok(id) = id.parse() {
            self.approvals.shown(id, &self.shown.surface);
        }
    }

    fn unshown(&self, id: &str, why: &str) {
        trouble::warn(&format!("request {id} is not shown on {}: {why}", self.shown.surface));
    }
    fn watches(&self) -> Vec<Watch> {
        let of_lead = self.lead.as_ref().map(|lead| lead.watches()).unwrap_or_default();
        of_lead.into_iter().chain(self.proofs.watches()).collect()
    }

    async fn watches_changed(&self) {
        let of_lead = async {
            match &self.lead {
                Some(lead) => lead.grown().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = of_lead => {}
            () = self.proofs.grown() => {}
        }
    }

    fn take(&self, event: &Event, claim: Claim) -> Option<oneshot::Receiver<()>> {
        self.proofs.take(event, claim).or_else(|| self.lead.as_ref()?.take(event, claim))
    }
}
