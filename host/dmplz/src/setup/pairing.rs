//! How the bot meets a person. Both sides say yes: whoever presses in the chat, and the person at the terminal.
//!
//! ```text
//! terminal                          chat
//! link with a code       ──▶  a press on it sends the code: chat and person are known
//! Was that you? yes      ──▶  Is this you at this computer? yes
//! ```
//!
//! The code proves that whoever wrote saw this terminal. The question in the terminal catches somebody who looked over a
//! shoulder; the one in the chat, somebody who was sent a link. A wrong code is answered by nothing. The person who sets
//! `dmplz` up is asked in the chat by the test card, somebody who was invited by a card of their own.

use std::cell::RefCell;
use std::time::Duration;

use dmplz_bundled::Messenger;
use dmplz_core::card::invitation::{self, NO, YES};
use dmplz_core::messenger::{
    Chat, Event, Greeting, Introduction, MessageRef, NoConnection, Obstacle, OpenChat, ProviderError, User, Watch,
};
use dmplz_core::text::{Lang, fill, title};
use dmplz_core::visible::visible_line;
use dmplz_plugin::Provider;
use dmplz_state::{Cursor, Queue, StateDir, Ticket};
use tokio::time::{Instant, sleep};

use super::code::Code;
use super::console::Console;
use super::failure::Failure;
use crate::account::Chosen;
use crate::settings::Table;
use crate::terminal::{self, Tone};
use crate::told::Phrase;
use crate::{tag, wording};

/// One look for events takes so long, at most.
const LOOK: Duration = Duration::from_secs(25);
/// What a look may take longer than it was told to wait, and what any other call may take.
const SLACK: Duration = Duration::from_secs(15);
/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);
/// Conflicts with another program after which it is not one that is about to end.
const CONFLICTS: u32 = 3;

/// A bot that was started with what is known so far.
pub(super) struct Bot {
    pub(super) provider: Provider,
    pub(super) chosen: Chosen,
    pub(super) table: Table,
}

/// The person that was met, and their chat.
#[derive(Debug, Clone)]
pub(super) struct Met {
    pub(super) chat: Chat,
    pub(super) opened: OpenChat,
    pub(super) user: User,
}

/// Whom the bot meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    /// The person who is setting it up.
    Own,
    /// Somebody whom that person invited to answer too.
    Invited,
}

/// A bot that waits for its person. Nothing else receives its events meanwhile.
pub(super) struct Pairing<'a> {
    messenger: &'static Messenger,
    provider: &'a Provider,
    cursor: Position,
    code: &'a Code,
    /// Whether the person at the terminal is met, or somebody whom they invite.
    person: Person,
    _ticket: Ticket,
}

/// Where the next look for events goes on. That of a connection that is kept ends with it; any other is kept for the hooks.
struct Position {
    kept: Option<Cursor>,
    now: RefCell<String>,
}

impl Position {
    fn of(cursor: Cursor, provider: &Provider) -> Self {
        let kept = Some(cursor).filter(|_| !provider.transport().persistent);
        let now = kept.as_ref().and_then(|cursor| crate::trouble::report(cursor.load()));
        Self { kept, now: now.unwrap_or_default().into() }
    }

    fn get(&self) -> String {
        self.now.borrow().clone()
    }

    fn set(&self, cursor: String) {
        crate::trouble::report(self.kept.as_ref().map_or(Ok(()), |kept| kept.store(&cursor)));
        self.now.replace(cursor);
    }
}

impl<'a> Pairing<'a> {
    /// Takes the bot, and begins the time of the code.
    pub(super) fn begin(bot: &'a Bot, state: &StateDir, code: &'a mut Code, person: Person) -> anyhow::Result<Self> {
        let (key, provider) = (&bot.chosen.key, &bot.provider);
        let ticket = Queue::new(state, key).join()?;
        if !ticket.try_first()? {
            return Err(Failure::InUse(ticket.gateway_ahead()?).into());
        }
        code.begin();
        let (messenger, cursor) = (bot.chosen.choice.messenger(), Position::of(Cursor::new(state, key), provider));
        Ok(Self { messenger, provider, cursor, code, person, _ticket: ticket })
    }

    /// Shows the way, waits, and asks the person at the terminal; somebody who was invited is asked in the chat as well.
    pub(super) async fn meet(&self, introduction: &Introduction, console: &mut Console) -> anyhow::Result<Met> {
        console.write(&self.how(introduction, console));
        let Greeting { chat, user, .. } = self.greeted(console).await?;
        console.actions += 1;
        let who = named(&user);
        let question = match self.person {
            Person::Own => console.of("{} 님이 본인이신가요?", "Was that you: {}?"),
            Person::Invited => console.of("{} 님이 초대하신 분인가요?", "Is this the person you invited: {}?"),
        };
        if !console.confirm(&fill(question, &[&who]), "").await? {
            return Err(match self.person {
                Person::Own => Failure::NotYou(who),
                Person::Invited => Failure::NotInvited(who),
            }
            .into());
        }
        let opened = self.provider.open(&chat, SLACK).await.map_err(|error| failure(&error))?;
        if self.person == Person::Invited {
            self.confirmed(&opened, &user, console).await?;
            console.actions += 1;
        }
        Ok(Met { chat, opened, user })
    }

    fn how(&self, introduction: &Introduction, console: &Console) -> String {
        let (title, paint) = (title(self.messenger.name), console.paint);
        let strong = |line: &str| format!("  {}\n", paint.tone(Tone::Strong, &visible_line(line)));
        let mut text = String::from("\n");
        if let Some(invite) = &introduction.invite {
            let how = console.of("먼저 봇을 초대해 주세요:", "First let the bot in:");
            text.push_str(&format!("{how}\n{}\n", strong(invite)));
        }
        match &introduction.link {
            Some(link) => {
                let how = match self.person {
                    Person::Own => console.of(
                        "{}에서 이 링크를 열고(휴대폰이면 QR 코드를 찍고) 시작을 눌러 주세요:",
                        "Open this link in {} (or scan the code with your phone), and press Start:",
                    ),
                    Person::Invited => console.of(
                        "초대할 사람이 {}에서 이 링크를 열고(휴대폰이면 QR 코드를 찍고) 시작을 누르게 해 주세요:",
                        "Have the person open this link in {} (or scan the code with their phone), and press Start:",
                    ),
                };
                text.push_str(&format!("{}\n{}", fill(how, &[&title]), strong(link)));
                text.extend(crate::qr::of(link, terminal::columns(), paint).map(|code| format!("\n{code}")));
            }
            None => {
                let how = match self.person {
                    Person::Own => console.of("{}에서 {}에게 이 글을 보내 주세요:", "In {}, send this to {}:"),
                    Person::Invited => console.of(
                        "초대할 사람이 {}에서 {}에게 이 글을 보내게 해 주세요:",
                        "Have the person send this, in {}, to {}:",
                    ),
                };
                let how = fill(how, &[&title, &introduction.found.bot_name]);
                text.push_str(&format!("{how}\n{}", strong(&introduction.message)));
            }
        }
        let minutes = self.code.lasts.as_secs().div_ceil(60).to_string();
        let waits = console.of(
            "{}분 동안 기다립니다. 다른 사람에게 보여 주지 마세요.",
            "It waits for {} min. Show it to nobody else.",
        );
        text + &format!("\n{}\n", paint.tone(Tone::Faint, &fill(waits, &[&minutes])))
    }

    /// Waits for somebody who gives the code.
    async fn greeted(&self, console: &Console) -> anyhow::Result<Greeting> {
        let (mut conflicts, mut stranger, mut trouble) = (0, None, None);
        loop {
            let left = self.code.left();
            if left.is_zero() {
                let late = trouble.or_else(|| stranger.map(Failure::WrongCode));
                return Err(late.unwrap_or(Failure::NobodyPressed).into());
            }
            let wait = left.min(LOOK);
            match self.provider.meet(&self.cursor.get(), wait, wait + SLACK).await {
                Ok(meeting) => {
                    (conflicts, trouble) = (0, None);
                    self.cursor.set(meeting.cursor);
                    for greeting in meeting.greetings {
                        if self.code.is(&greeting.code) && !greeting.user.is_bot {
                            return Ok(greeting);
                        }
                        let who = named(&greeting.user);
                        if stranger.as_ref() == Some(&who) {
                            continue;
                        }
                        let what = console.of(
                            "{} 님이 이 링크의 코드 없이 봇에게 말을 걸었습니다. 본인이면 위의 링크로 시작해 주세요.",
                            "{} wrote to the bot without the code of this link. If that is you, start by the link above.",
                        );
                        console.note(&fill(what, &[&who]));
                        stranger = Some(who);
                    }
                    self.pause().await;
                }
                Err(ProviderError::Conflict(_)) => {
                    conflicts += 1;
                    if conflicts >= CONFLICTS {
                        return Err(Failure::OtherPoller.into());
                    }
                    sleep(PAUSE).await;
                }
                Err(error) => match self.may_pass(&error) {
                    Some(pause) => {
                        trouble = Some(failure(&error));
                        sleep(pause).await;
                    }
                    None => return Err(failure_of_known(&error, self.messenger).into()),
                },
            }
        }
    }

    /// Asks the invited person in the chat, and waits for them alone.
    async fn confirmed(&self, chat: &OpenChat, user: &User, console: &Console) -> anyhow::Result<()> {
        let (lang, host) = (console.lang, host());
        let tag = tag::fresh();
        let card = invitation::question(lang, &host, &tag);
        let message = self.provider.post(chat, &card, SLACK).await.map_err(|error| failure(&error))?;
        let asked = console.of(
            "{}의 봇이 그 사람에게 묻고 있습니다. 답을 기다립니다.",
            "The bot asks the person in {}; their answer is waited for.",
        );
        let asked = fill(asked, &[&title(self.messenger.name)]);
        console.write(&format!("{asked}\n"));
        let watch = Watch { message: message.clone(), tag: tag.clone(), choices: card.choices, text: false };
        let said = self.pressed(&watch, user).await;
        self.close(&message, lang, &host, &tag, matches!(said, Ok(true))).await;
        if said? { Ok(()) } else { Err(Failure::RefusedInChat.into()) }
    }

    async fn pressed(&self, watch: &Watch, user: &User) -> anyhow::Result<bool> {
        let end = Instant::now() + self.code.lasts;
        loop {
            let wait = end.saturating_duration_since(Instant::now()).min(LOOK);
            if wait.is_zero() {
                return Err(Failure::SilentInChat.into());
            }
            match self.provider.receive(&self.cursor.get(), std::slice::from_ref(watch), wait, wait + SLACK).await {
                Ok(batch) => {
                    self.cursor.set(batch.cursor);
                    let mut said = None;
                    for event in batch.events {
                        let Event::Chosen(press) = event else { continue };
                        // A press of somebody else, or on another card, says nothing about this person.
                        if press.message != watch.message || press.user.id != user.id || press.user.is_bot {
                            continue;
                        }
                        crate::trouble::report(self.provider.acknowledge(&press, None, SLACK).await);
                        match press.choice.as_str() {
                            NO => return Ok(false),
                            YES => said = Some(true),
                            _ => {}
                        }
                    }
                    if let Some(said) = said {
                        return Ok(said);
                    }
                    self.pause().await;
                }
                Err(error) => match self.may_pass(&error) {
                    Some(pause) => sleep(pause).await,
                    None => return Err(failure_of_known(&error, self.messenger).into()),
                },
            }
        }
    }

    async fn close(&self, message: &MessageRef, lang: Lang, host: &str, tag: &str, yes: bool) {
        let end = invitation::answered(lang, host, tag, yes);
        crate::trouble::report(self.provider.revise(message, &end, SLACK).await);
    }

    /// Between two looks, where a look does not wait by itself.
    async fn pause(&self) {
        sleep(Duration::from_millis(self.provider.transport().poll_interval.into())).await;
    }

    /// How long to wait for what may pass by itself; none for anything else.
    fn may_pass(&self, error: &ProviderError) -> Option<Duration> {
        match error {
            ProviderError::RateLimited(Some(ms)) => Some(Duration::from_millis((*ms).into())),
            ProviderError::Conflict(_) => Some(PAUSE),
            error => error.passes().then_some(PAUSE),
        }
    }
}

/// What an error of the messenger comes to, where no token was just given.
pub(super) fn failure(error: &ProviderError) -> Failure {
    match error {
        ProviderError::Unreachable(NoConnection { obstacle: Obstacle::Certificate, why }) => {
            Failure::Certificate(why.clone())
        }
        error if error.is_down() => Failure::Unreachable(obstacle(error), super::proxy_of_others()),
        ProviderError::Conflict(_) => Failure::OtherPoller,
        error => Failure::Messenger(wording::phrase(error)),
    }
}

/// Why a messenger is not reached, without saying once more that it is not.
fn obstacle(error: &ProviderError) -> Phrase {
    match error {
        ProviderError::Unreachable(no) => Phrase::same(&no.why),
        ProviderError::Unavailable(Some(detail)) => Phrase::same(detail),
        error => wording::phrase(error),
    }
}

/// The same after the messenger had accepted the token.
pub(super) fn failure_of_known(error: &ProviderError, messenger: &'static Messenger) -> Failure {
    match (error, messenger.keys().first()) {
        (ProviderError::Unauthorized, Some(key)) => Failure::TokenRevoked(key.variable),
        _ => failure(error),
    }
}

/// As the terminal shows somebody. Both are the messenger's, so they are untrusted.
fn named(user: &User) -> String {
    visible_line(&format!("{} ({})", user.name, user.id))
}

/// The name of this computer, as its network knows it: letters, digits, dots and dashes, as names of hosts have.
pub(super) fn host() -> String {
    let said = std::process::Command::new("uname").arg("-n").output().ok();
    let name = said.and_then(|said| String::from_utf8(said.stdout).ok()).unwrap_or_default();
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
    Some(name).filter(|name| !name.is_empty()).unwrap_or_else(|| "localhost".to_owned())
}
