//! A process's line to the messenger. The messenger's side continues whether the process runs or not.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::messenger::{
    Answering, Batch, Card, Chat, Chosen, Event, Limits, MessageRef, NoConnection, OpenChat, ProviderError, Transport,
    Users, Watch,
};
use dmplz_desk::Messenger;
use tokio::sync::oneshot;
use tokio::time::{sleep, sleep_until, timeout};

use super::World;
use crate::script::{Answers, Call, Fault, HookId, Refusal, Relapse};
use crate::server::{ANN, CHAT};

/// The time limit of a notice.
const WORD: Duration = Duration::from_secs(3);

/// The messenger as one process has it.
pub struct Line {
    world: Rc<World>,
    /// The hook that it belongs to; `None` for the gateway.
    hook: Option<HookId>,
    transport: Transport,
}

impl Line {
    /// Creates a line of a hook's process; with `None` one of the gateway.
    pub fn of(world: &Rc<World>, hook: Option<HookId>) -> Self {
        let (answering, poll_interval) = match world.script.frame.way {
            Answers::Buttons | Answers::Forms => (Answering::Buttons, 0),
            Answers::Reactions => (Answering::Reactions, 1000),
        };
        let limits = Limits { text: 4096, choices: 25, attachment: 1 << 20, notice: 200 };
        let (name, help) = ("simulated".to_owned(), String::new());
        let forms = world.script.frame.way == Answers::Forms;
        let persistent = forms && hook.is_none();
        let transport = Transport {
            name,
            help,
            limits,
            answering,
            poll_interval,
            presses_kept: None,
            persistent,
            reads_chat: !forms,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        };
        Self { world: Rc::clone(world), hook, transport }
    }

    /// Calls the messenger, which performs `work`. `arrives` is called once the reply is in the socket of a process
    /// that still waits for it.
    async fn call<T: 'static, F: Future<Output = Result<T, ProviderError>> + 'static>(
        &self,
        call: Call,
        within: Duration,
        work: impl FnOnce(Rc<World>, Option<Fault>) -> F + 'static,
        arrives: impl FnOnce(&World, &T) + 'static,
    ) -> Result<T, ProviderError> {
        let (world, fault) = (Rc::clone(&self.world), self.world.fault(call));
        if fault == Some(Fault::Unconnected) {
            return Err(ProviderError::Unreachable(NoConnection::other("no connection")));
        }
        let latency = Duration::from_millis(world.script.frame.latency);
        let (reply, answer) = oneshot::channel();
        self.world.spawn(async move {
            sleep(latency + fault.map(Fault::there).unwrap_or_default()).await;
            let result = match fault {
                Some(Fault::RequestLost) => return std::future::pending().await,
                Some(Fault::Refused(refusal)) => Err(refusal.error()),
                _ => work(Rc::clone(&world), fault).await,
            };
            sleep(latency + fault.map(Fault::back).unwrap_or_default()).await;
            if fault == Some(Fault::ReplyLost) {
                return reply_never(reply).await;
            }
            if !reply.is_closed() {
                if let Ok(done) = &result {
                    arrives(&world, done);
                }
                let _ = reply.send(result);
            }
        });
        match timeout(within, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(ProviderError::Unavailable(None)),
            Err(_) => Err(ProviderError::Deadline),
        }
    }
}

impl Line {
    /// Reintroduces a past bug about the result of a poll, if the script asks for one.
    async fn relapse(&self, batch: &Batch) {
        let (Some(hook), Some(relapse)) = (self.hook, self.world.script.frame.relapse) else { return };
        match relapse {
            Relapse::WordsFirst => {
                let is_other = |press: &Chosen| self.world.server.borrow().hook_of(&press.message) != Some(hook);
                for event in &batch.events {
                    if let Event::Chosen(press) = event
                        && is_other(press)
                    {
                        let _ = self.acknowledge(press, None, WORD).await;
                    }
                }
            }
            Relapse::ClockFirst => {
                let deadline = self.world.truth.borrow_mut().of(hook).deadline;
                if self.world.now() >= deadline {
                    std::future::pending().await
                }
            }
            Relapse::DenialUntold => {}
        }
    }
}

/// Records that events have reached the socket of a waiting process.
pub(super) fn handed(world: &World, hook: Option<HookId>, events: &[Event]) {
    if events.is_empty() {
        return;
    }
    let who = hook.map_or("the gateway".to_owned(), |hook| format!("hook {hook}"));
    world.tell(|| format!("{who} is handed: {}", events.iter().map(brief).collect::<Vec<_>>().join(", ")));
    for event in events {
        if let Event::Chosen(press) = event {
            world.server.borrow_mut().pressed(&press.message, world.now());
        }
    }
    if let Some(hook) = hook {
        let server = world.server.borrow();
        world.truth.borrow_mut().handed_out(hook, world.now(), events, &server);
    }
}

/// Never replies. A connection that is lost is not closed, so the process does not notice it.
pub(super) async fn reply_never<T>(reply: oneshot::Sender<T>) {
    std::future::pending::<()>().await;
    drop(reply);
}

impl Messenger for Line {
    fn transport(&self) -> &Transport {
        &self.transport
    }

    async fn open(&self, _: &Chat, within: Duration) -> Result<OpenChat, ProviderError> {
        let chat = OpenChat { id: CHAT.into(), owner: Some(ANN.into()), users: Users::Identified };
        self.call(Call::Open, within, |_, _| std::future::ready(Ok(chat)), |_, _| {}).await
    }

    async fn post(&self, _: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError> {
        let card = card.clone();
        let work = move |world: Rc<World>, _| async move {
            let posted = world.server.borrow_mut().post(card.clone());
            world.tell(|| format!("the chat shows {} ({}): {}", posted.id, card.tag, title(&card)));
            Ok(posted)
        };
        let posted = self.call(Call::Post, within, work, |_, _| {}).await?;
        self.world.server.borrow_mut().known(&posted, self.world.now());
        Ok(posted)
    }

    async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError> {
        let (message, card, sent) = (message.clone(), card.clone(), self.world.now());
        // Dropped with this call, whether its process is killed or gives the call up.
        let awaited = Rc::new(());
        let waits = Rc::downgrade(&awaited);
        let work = move |world: Rc<World>, _| async move {
            world.tell(|| format!("the chat shows on {}: {}", message.id, title(&card)));
            let is_awaited = waits.strong_count() > 0;
            world.server.borrow_mut().revise(&message, card, sent, is_awaited)
        };
        let revised = self.call(Call::Revise, within, work, |_, ()| {}).await;
        drop(awaited);
        revised
    }

    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError> {
        let (hook, cursor, watching) = (self.hook, cursor.to_owned(), watching.to_vec());
        let work = move |world: Rc<World>, fault: Option<Fault>| async move {
            let end = tokio::time::Instant::now() + wait;
            loop {
                let looked = world.server.borrow_mut().look(&cursor, &watching, fault == Some(Fault::Repeated));
                if let Some(mut batch) = looked {
                    if fault == Some(Fault::Reordered) {
                        batch.events.reverse();
                    }
                    return Ok(batch);
                }
                tokio::select! {
                    biased;
                    () = world.news.notified() => {}
                    () = sleep_until(end) => return Ok(Batch { events: Vec::new(), cursor }),
                }
            }
        };
        let arrives = move |world: &World, batch: &Batch| {
            handed(world, hook, &batch.events);
        };
        let batch = self.call(Call::Look, within, work, arrives).await?;
        self.relapse(&batch).await;
        Ok(batch)
    }

    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, within: Duration) -> Result<(), ProviderError> {
        let (who, notice) = (event.user.name.clone(), notice.map(str::to_owned));
        let work = move |world: Rc<World>, _| async move {
            world.tell(|| format!("{who} is told: {}", notice.as_deref().unwrap_or("-")));
            Ok(())
        };
        self.call(Call::Acknowledge, within, work, |_, ()| {}).await
    }
}

impl Fault {
    pub(super) fn there(self) -> Duration {
        match self {
            Self::SlowThere(ms) => Duration::from_millis(ms),
            _ => Duration::ZERO,
        }
    }

    pub(super) fn back(self) -> Duration {
        match self {
            Self::SlowBack(ms) => Duration::from_millis(ms),
            _ => Duration::ZERO,
        }
    }
}

impl Refusal {
    fn error(self) -> ProviderError {
        match self {
            Self::Unavailable => ProviderError::Unavailable(None),
            Self::RateLimited(ms) => ProviderError::RateLimited(Some(ms)),
            Self::Conflict => ProviderError::Conflict(None),
            Self::Broken => ProviderError::Broken("trap".into()),
            Self::Rejected => ProviderError::Rejected(None),
            Self::Unauthorized => ProviderError::Unauthorized,
            Self::TooLarge => ProviderError::TooLarge,
        }
    }
}

/// Returns what a card shows, for the story.
pub(super) fn title(card: &Card) -> String {
    use dmplz_core::messenger::Block;
    let text = |block: &Block| match block {
        Block::Text(text) | Block::Hint(text) | Block::Code(text) => Some(text.clone()),
        Block::File(_) => None,
    };
    let choices: Vec<&str> = card.choices.iter().map(|choice| choice.id.as_str()).collect();
    let title =
        if card.title.is_empty() { card.body.iter().find_map(text).unwrap_or_default() } else { card.title.clone() };
    format!("{title} [{}]", choices.join(" "))
}

fn brief(event: &Event) -> String {
    match event {
        Event::Chosen(press) => format!("{} presses {} on {}", press.user.name, press.choice, press.message.id),
        Event::Said(said) => format!("{} says {:?}", said.user.name, said.text),
    }
}
