//! The permissions of a session: those that its client lists, and those that people gave on cards, which are revoked here.

use std::io;
use std::path::Path;
use std::time::Duration;

use dmplz_core::claude::{Permission, Scope};
use dmplz_core::visible::visible_line;
use dmplz_protocol::Refusal;
use dmplz_protocol::session::{ClientRule, GivenPermission, SessionRules, State};
use dmplz_runner::control::Command;
use dmplz_runner::keeper::SessionDir;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::notes::Notes;
use super::order::Order;
use super::permissions::shown;
use super::{Sessions, told};

/// How long the client may take to notice that a settings file has changed; it was seen to take less than 2 seconds.
const NOTICES: Duration = Duration::from_secs(10);
/// How often it is asked meanwhile.
const AGAIN: Duration = Duration::from_millis(500);
/// How the client names the source of rules that the session was told.
const FLAGS: &str = "flagSettings";

impl Sessions {
    /// The permission rules of a session's client, none where it has ended, and what people allowed on cards, which is not among them.
    pub async fn rules(&self, id: Uuid) -> Result<SessionRules, Refusal> {
        let known = self.find(id)?;
        let given: Vec<GivenPermission> = known.permissions.list().into_iter().map(shown).collect();
        let is_given = |rule: &ClientRule| {
            let is_it = |given: &GivenPermission| given.scope == Scope::Session && given.permission.text() == rule.rule;
            rule.source == FLAGS && given.iter().any(is_it)
        };
        let rules = match known.view.session().state {
            State::Ended => Vec::new(),
            _ => self.client_rules(id).await?.into_iter().filter(|rule| !is_given(rule)).collect(),
        };
        Ok(SessionRules { rules, given })
    }

    /// Revokes what a person allowed on a card. Returns once the client asks about it again.
    pub async fn revoke(&self, id: Uuid, number: u32) -> Result<(), Refusal> {
        let permissions = self.find(id)?.permissions;
        let found = permissions.list().into_iter().find(|given| given.number == number);
        let GivenPermission { permission, scope, .. } = found.ok_or(Refusal::NoPermission { number })?;
        let runs = || self.find(id).is_ok_and(|known| known.view.session().state != State::Ended);
        let Some(settings) = scope.settings_file() else {
            permissions.remove(number).map_err(not_written)?;
            return if runs() { self.permit(id).await } else { Ok(()) };
        };
        let notes = Notes::of_known(&SessionDir::of(&self.shared.setup.state, id))?;
        let settings = settings.path(Path::new(&notes.cwd), &notes.config_dir);
        let (consent, removed) = (self.shared.setup.consent.clone(), permission.clone());
        let removed = tokio::task::spawn_blocking(move || consent.remove(&removed, &settings)).await;
        removed.unwrap_or_else(|error| Err(error.to_string())).map_err(|why| Refusal::SettingsNotChanged { why })?;
        // It stays in the list for as long as the client has it.
        if runs() {
            self.notices(id, &permission, scope.name()).await?;
        }
        permissions.remove(number).map_err(not_written)
    }

    /// Tells the client what the session may do.
    async fn permit(&self, id: Uuid) -> Result<(), Refusal> {
        self.answered(id, Order::Permit).await.map(drop)
    }

    /// Waits until the client does not list a rule any more. It does not say of directories what it knows.
    async fn notices(&self, id: Uuid, permission: &Permission, source: &str) -> Result<(), Refusal> {
        let Permission::Rule(rule) = permission else { return Ok(()) };
        let (behavior, source) = ("allow".to_owned(), source.to_owned());
        let rule = ClientRule { behavior, rule: visible_line(rule), source };
        let until = Instant::now() + NOTICES;
        while self.client_rules(id).await?.contains(&rule) {
            if Instant::now() >= until {
                return Err(Refusal::RuleInForce { rule: rule.rule });
            }
            sleep(AGAIN).await;
        }
        Ok(())
    }

    async fn client_rules(&self, id: Uuid) -> Result<Vec<ClientRule>, Refusal> {
        let told = self.ask(id, Command::ListPermissionRules).await?;
        told::rules(&told).ok_or(Refusal::ClientUnclear)
    }
}

fn not_written(error: io::Error) -> Refusal {
    Refusal::PermissionsNotWritten { why: error.to_string() }
}
