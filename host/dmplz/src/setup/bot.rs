//! A messenger from its token to a chat that is known.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use dmplz_bundled::{Messenger, Setting, Users};
use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::{Check, Introduction, ProviderError, Subject, Tenure};
use dmplz_core::text::{fill, title};
use dmplz_state::StateDir;

use super::code::Code;
use super::failure::Failure;
use super::pairing::{Bot, Met, Pairing, Person, failure, failure_of_known};
use super::report::Named;
use super::{Setup, chosen, proof, secret};
use crate::account::{self, Chosen};
use crate::settings::edit::{self, Held};
use crate::settings::{Settings, Source, Table, environment};
use crate::time::drift::Drift;
use crate::told::Phrase;
use crate::{time, wording};

/// As the contract promises of `introduce`, and then some.
pub(super) const WITHIN: Duration = Duration::from_secs(15);
/// How often a token may be pasted wrong.
const TRIES: u32 = 3;

/// What was entered in this run, by variable; it comes before the environment.
pub(super) type Entered = BTreeMap<&'static str, String>;

impl Setup {
    /// The account, with a token that is accepted and a chat whose person said yes in the terminal; and the settings that
    /// are to be kept once they said yes in the chat as well. There are none where the chat was known before.
    pub(super) async fn messenger(
        &mut self,
        messenger: &'static Messenger,
        state: &StateDir,
    ) -> anyhow::Result<(Chosen, Vec<edit::Setting<'static>>)> {
        if environment("DMPLZ_PROVIDER").is_some_and(|name| !name.is_empty() && name != messenger.name) {
            return Err(Failure::Overridden("DMPLZ_PROVIDER".to_owned()).into());
        }
        let mut code = Code::new(self.args.wait());
        let (bot, introduction) = self.bot(messenger, &code).await?;
        let known = chosen().ok().filter(|chosen| chosen.name == messenger.name);
        if let Some(known) = known {
            let id = known.chat.id();
            let what = fill(self.console.of("채팅 {}: 이미 설정되어 있습니다", "chat {}: set up already"), &[id]);
            self.console.done(&what);
            self.report.chat = Some(id.to_owned());
            return Ok((known, Vec::new()));
        }
        let pending = match introduction {
            Some(introduction) => self.pair(messenger, &bot, &introduction, &mut code, state).await?,
            None => {
                self.name_chat(messenger, &bot).await?;
                return Ok((chosen()?, Vec::new()));
            }
        };
        let entered: Entered = pending.iter().map(|(variable, held)| (*variable, held.text())).collect();
        let environment = with(&entered);
        Ok((account::choose(&mut Table::load(&environment)?, &environment)?, pending))
    }

    /// Asks for what is missing until the bot can log in, and keeps it.
    async fn bot(&mut self, messenger: &'static Messenger, code: &Code) -> anyhow::Result<(Bot, Option<Introduction>)> {
        let mut entered = Entered::from([("DMPLZ_PROVIDER", messenger.name.to_owned())]);
        let mut tries = 0;
        loop {
            self.enter(messenger, &mut entered).await?;
            let bot = start(messenger, &entered).await?;
            tries += 1;
            match bot.provider.introduce(&code.text, WITHIN).await {
                Ok(introduction) => {
                    self.greet(messenger, &bot, introduction.as_ref());
                    self.check(messenger, &bot, introduction.as_ref())?;
                    self.keep(
                        &bot.table,
                        entered.into_iter().map(|(name, value)| (name, Held::Text(value))).collect(),
                    )?;
                    return Ok((bot, introduction));
                }
                Err(ProviderError::Unauthorized) => {
                    let refused = self.refused(messenger, &entered);
                    // What is entered now would be hidden by the environment later.
                    let is_fixed =
                        matches!(refused, Failure::TokenRevoked(variable) if is_in_environment(&bot.table, variable));
                    if is_fixed || !self.console.can_ask() || self.args.token_command.is_some() || tries >= TRIES {
                        return Err(refused.into());
                    }
                    self.console.trouble(&refused);
                    self.again(messenger, &mut entered).await?;
                }
                Err(error) => return Err(failure(&error).into()),
            }
        }
    }

    /// A token that was just given is mistyped; one that was set up was revoked.
    fn refused(&self, messenger: &'static Messenger, entered: &Entered) -> Failure {
        match messenger.keys().first() {
            Some(key) if entered.contains_key(key.variable) => Failure::TokenRefused(self.help(key)),
            Some(key) => Failure::TokenRevoked(key.variable),
            None => failure(&ProviderError::Unauthorized),
        }
    }

    /// Asks for all that the messenger cannot do without and nobody set.
    async fn enter(&mut self, messenger: &'static Messenger, entered: &mut Entered) -> anyhow::Result<()> {
        let table = Table::load(&environment)?;
        let missing = messenger.settings.iter().filter(|it| it.required && it.default.is_none());
        let secrets: Vec<&str> = messenger.secrets().map(|secret| secret.variable).collect();
        for setting in missing {
            if entered.contains_key(setting.variable) {
                continue;
            }
            // The command prints the bot's token, and the file contains it: the first secret.
            let is_token = secrets.first() == Some(&setting.variable);
            let command = self.args.token_command.as_ref().filter(|_| is_token);
            let is_given = command.is_some() || (is_token && self.token.is_some());
            if messenger.is_met(setting, |variable| table.is_set(variable)) && !is_given {
                let from = match table.entry(setting.variable).map(|entry| entry.source) {
                    Some(Source::Environment) => self.console.of(
                        "환경 변수에서 (Claude Code도 그 환경에서 시작해야 합니다)",
                        "from the environment (Claude Code must be started with it too)",
                    ),
                    _ => self.console.of("이미 설정되어 있습니다", "set up already"),
                };
                self.console.done(&format!("{}: {from}", setting.variable));
                continue;
            }
            is_kept_in_the_file(&table, setting.variable)?;
            let is_secret = secrets.contains(&setting.variable);
            let value = match (is_secret, self.token.take_if(|_| is_token), command) {
                (true, Some(token), _) => token,
                (true, None, Some(command)) => printed(command)?,
                (true, None, None) => self.ask_secret(setting).await?,
                (false, ..) => self.console.ask(&format!("{}:", self.help(setting)), setting.variable).await?,
            };
            entered.insert(setting.variable, value);
        }
        Ok(())
    }

    async fn ask_secret(&mut self, setting: &'static Setting) -> anyhow::Result<String> {
        let ask = self.console.of(
            "{}\n붙여 넣고 Enter를 눌러 주세요 (화면에 보이지 않습니다):",
            "{}\nPaste it and press Enter (it stays hidden):",
        );
        let prompt = format!("\n{}", fill(ask, &[&title(self.help(setting))]));
        self.console.ask_secret(&prompt, "--token-command").await
    }

    /// Asks for the token anew, in place of one that was not accepted.
    async fn again(&mut self, messenger: &'static Messenger, entered: &mut Entered) -> anyhow::Result<()> {
        if let Some(key) = messenger.secrets().find(|secret| secret.required) {
            let value = self.ask_secret(key).await?;
            entered.insert(key.variable, value);
        }
        Ok(())
    }

    fn help(&self, setting: &'static Setting) -> &'static str {
        let [ko, en] = setting.help;
        self.console.of(ko, en)
    }

    fn greet(&mut self, messenger: &Messenger, bot: &Bot, introduction: Option<&Introduction>) {
        if let Some(introduction) = introduction {
            let (id, name) = (introduction.found.bot_id.clone(), introduction.found.bot_name.clone());
            self.console.done(&format!("{}: {name} ({id})", title(messenger.name)));
            self.report.bot = Some(Named { id, name });
        }
        let drift = bot.provider.server_date().and_then(|date| Drift::of(&date, time::timestamp()));
        if let Some(drift) = drift.filter(|drift| !drift.is_tolerated()) {
            let lang = self.console.lang;
            self.console.note(&format!("{} ({})", drift.told(lang), Drift::fix(lang)));
        }
    }

    /// Whether the bot's events can come here at all.
    fn check(&self, messenger: &Messenger, bot: &Bot, introduction: Option<&Introduction>) -> anyhow::Result<()> {
        let checks = introduction.into_iter().flat_map(|introduction| &introduction.found.checks);
        match checks.into_iter().find(|check| !check.ok) {
            Some(check) => Err(Failure::Webhook(check.detail.clone()).into()),
            None => bot.table.allowed_users(messenger).map(drop).map_err(Into::into),
        }
    }

    /// Meets the person, and returns the settings that say who they are. Nothing else may receive the bot's events meanwhile.
    async fn pair(
        &mut self,
        messenger: &'static Messenger,
        bot: &Bot,
        introduction: &Introduction,
        code: &mut Code,
        state: &StateDir,
    ) -> anyhow::Result<Vec<edit::Setting<'static>>> {
        if !self.console.can_ask() {
            return Err(Failure::NeedsPairing.into());
        }
        proof::will_be_asked()?;
        let pairing = Pairing::begin(bot, state, code, Person::Own)?;
        let met = pairing.meet(introduction, &mut self.console).await?;
        self.report.chat = Some(met.chat.id().to_owned());
        self.report.person = Some(Named { id: met.user.id.clone(), name: met.user.name.clone() });
        of_person(messenger, bot, &met)
    }

    /// Keeps who was met, if somebody was.
    pub(super) fn keep_person(&self, table: &Table, pending: Vec<edit::Setting<'static>>) -> anyhow::Result<()> {
        let Some(person) = self.report.person.as_ref().filter(|_| !pending.is_empty()) else { return Ok(()) };
        self.keep(table, pending)?;
        self.console.done(&fill(self.console.of("{} 님과 연결되었습니다", "connected to {}"), &[&person.name]));
        Ok(())
    }

    /// Where nobody can write to the bot first, the person names the chat, and who may answer where the chat has no owner.
    async fn name_chat(&mut self, messenger: &'static Messenger, bot: &Bot) -> anyhow::Result<()> {
        let Some((setting, kind)) = messenger.chats().next() else { return Ok(()) };
        if !self.console.can_ask() {
            return Err(Failure::NeedsPairing.into());
        }
        let id = self.console.ask(&format!("{}:", title(self.help(setting))), setting.variable).await?;
        let chat = kind.chat(id.clone());
        let found = bot.provider.diagnose(&chat, WITHIN).await.map_err(|error| failure_of_known(&error, messenger))?;
        let is_vital = |check: &&Check| matches!(check.subject, Subject::Chat | Subject::Post) && !check.ok;
        if let Some(check) = found.checks.iter().find(is_vital) {
            return Err(Failure::Messenger(Phrase::same(&check.detail)).into());
        }
        let opened = bot.provider.open(&chat, WITHIN).await.map_err(|error| failure(&error))?;
        let mut kept = vec![(setting.variable, Held::Text(id.clone()))];
        if Approvers::of(messenger.name, &opened, &bot.table.allowed_users(messenger)?).is_empty() {
            kept.push((messenger.allowed_users, Held::List(self.name_approvers(messenger).await?)));
        }
        self.report.chat = Some(id);
        self.keep(&bot.table, kept)
    }

    /// The ids of those who may answer. That everybody may, a person has to say.
    async fn name_approvers(&mut self, messenger: &Messenger) -> anyhow::Result<Vec<String>> {
        if messenger.users == Users::Identified {
            let prompt = self
                .console
                .of("답할 수 있는 사람의 id (여럿이면 쉼표로):", "Ids of those who may answer, between commas:");
            loop {
                let ids = self.console.ask(prompt, messenger.allowed_users).await?;
                let ids: Vec<_> =
                    ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect();
                if !ids.is_empty() {
                    return Ok(ids);
                }
            }
        }
        let question = self.console.of(
            "이 메신저는 누가 답했는지 알려 주지 않습니다. 그 채팅을 아는 사람은 누구나 허용할 수 있습니다. 괜찮은가요?",
            "This messenger does not tell who answers, so everybody who knows the chat may approve. Is that what you want?",
        );
        match self.console.confirm(question, messenger.allowed_users).await? {
            true => Ok(vec!["*".to_owned()]),
            false => Err(Failure::NobodyMayAnswer.into()),
        }
    }

    /// Writes settings, and the language that the person read this in where none is set.
    fn keep(&self, table: &Table, mut settings: Vec<edit::Setting<'_>>) -> anyhow::Result<()> {
        if !table.is_set("DMPLZ_LANG") {
            let lang = self.console.of("ko", "en");
            settings.push(("DMPLZ_LANG", Held::Text(lang.to_owned())));
        }
        let not_writable = |error: edit::FileError| {
            Failure::NotWritable(table.file.display().to_string(), wording::whole(&error.into()))
        };
        Ok(edit::write(&table.file, &settings).map_err(not_writable)?)
    }
}

/// The settings that let this person answer in this chat, and nobody else who was not listed before.
fn of_person(messenger: &'static Messenger, bot: &Bot, met: &Met) -> anyhow::Result<Vec<edit::Setting<'static>>> {
    let id = met.chat.id();
    let setting = messenger.chats().find(|(_, kind)| kind.chat(id.to_owned()) == met.chat);
    let other = ["프로바이더가 실패했습니다: 다른 종류의 채팅입니다", "the provider failed: a chat of another kind"];
    let (setting, _) = setting.ok_or_else(|| Failure::Messenger(other.into()))?;
    let mut settings = vec![(setting.variable, Held::Text(id.to_owned()))];
    let mut listed = bot.table.allowed_users(messenger)?;
    if Approvers::of(messenger.name, &met.opened, &listed).admit(&met.user).is_none() {
        is_kept_in_the_file(&bot.table, messenger.allowed_users)?;
        listed.push(met.user.id.clone());
        settings.push((messenger.allowed_users, Held::List(listed)));
    }
    Ok(settings)
}

/// Returns the environment with what was entered.
fn with(entered: &Entered) -> impl Fn(&str) -> Option<String> + '_ {
    |name| entered.get(name).cloned().or_else(|| environment(name))
}

/// Starts the messenger's component with what was entered.
pub(super) async fn start(messenger: &'static Messenger, entered: &Entered) -> anyhow::Result<Bot> {
    let table = Table::load(&with(entered))?;
    let settings = Settings::of(&table)?;
    let chosen = account::without_chat(messenger, &table)?;
    let provider = account::start(&chosen, &settings, &table, Tenure::Service).await?;
    Ok(Bot { provider, chosen, table })
}

/// What stands in the environment would hide what is written.
pub(super) fn is_kept_in_the_file(table: &Table, variable: &str) -> Result<(), Failure> {
    match is_in_environment(table, variable) {
        true => Err(Failure::Overridden(variable.to_owned())),
        false => Ok(()),
    }
}

fn is_in_environment(table: &Table, variable: &str) -> bool {
    table.entry(variable).is_some_and(|entry| entry.source == Source::Environment) && environment(variable).is_some()
}

/// The token that a command prints.
fn printed(command: &str) -> Result<String, Failure> {
    let failed = |why: Phrase| Failure::TokenCommand(why);
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let output = shell.output().map_err(|error| failed(wording::phrase(&error)))?;
    if !output.status.success() {
        return Err(failed(Phrase::fill("명령이 실패했습니다({})", "{}", &[&output.status.to_string()])));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let none = ["명령이 출력한 것에 토큰이 없습니다", "no token in what it printed"];
    secret::in_text(&text).ok_or_else(|| failed(none.into()))
}
