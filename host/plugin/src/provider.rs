//! A messenger, as the desk uses it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use dmplz_core::messenger::{
    Answering, Batch, Card, Chat, Check, Chosen, Command, Diagnosis, Download, Introduction, Manifest, Meeting,
    MessageRef, OpenChat, ProviderError, SentFile, Transport, Watch,
};
use dmplz_core::text::Lang;
use tokio::time::Instant;
use wasmtime::Store;

use crate::answer::Answer;
use crate::bindings::provider::Guest;
use crate::bindings::types;
use crate::convert::{self, Convert};
use crate::instance::Instance;
use crate::state::{Access, State};
use crate::{Account, Component, Fault, Host, LogLevel, limits};
use crate::{http, log, people, typed};

mod start;

pub use start::{Described, StartError};

/// The number of instances that are kept for later calls: one for a long poll, and one for calls during it.
const IDLE: usize = 2;

/// One bot on one messenger. Calls can run concurrently; each uses an instance exclusively.
pub struct Provider {
    component: Component,
    host: Host,
    name: Arc<str>,
    manifest: Manifest,
    /// The transport with which it was connected, as the host uses it.
    transport: Transport,
    lang: Lang,
    settings: Vec<types::Setting>,
    access: Arc<Access>,
    idle: Mutex<Vec<Instance>>,
    /// The instance that is kept for `receive` of a persistent transport, so that its connection stays open.
    listener: Mutex<Option<Instance>>,
    /// The choices that were shown as codes.
    typed: Mutex<typed::Shown>,
}

impl Provider {
    /// Calls [`Described::new`] and [`Described::connect`].
    pub async fn start(component: &Component, account: Account, host: Host) -> Result<Self, StartError> {
        Described::new(component, host).await?.connect(account).await
    }

    /// Returns the component's manifest, which was checked.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the transport with which the component was connected.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Returns the `date` header of the last reply of a server, at most 64 bytes, or `None` before the first reply.
    /// `dmplz doctor` compares clocks with it.
    pub fn server_date(&self) -> Option<String> {
        self.access.date.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the configured chat.
    ///
    /// # Errors
    /// Here and in all other calls: the provider's own error, [`ProviderError::Deadline`] if it does not return
    /// `within` that time, [`ProviderError::Unreachable`] in place of either if certainly nothing was sent,
    /// [`ProviderError::Broken`] if its instance fails. Dropping a call ends it at once.
    pub async fn open(&self, chat: &Chat, within: Duration) -> Result<OpenChat, ProviderError> {
        let chat = chat.clone().convert();
        let opened = self.call("open", within, async |guest, store| guest.call_open(store, &chat).await).await?;
        Ok(people::chat(self.manifest.users, opened))
    }

    /// Checks token, chat and permissions; posts nothing.
    pub async fn diagnose(&self, chat: &Chat, within: Duration) -> Result<Diagnosis, ProviderError> {
        let chat = chat.clone().convert();
        let found = self.call("diagnose", within, async |guest, store| guest.call_diagnose(store, &chat).await).await?;
        Ok(self.cleaned(found))
    }

    /// Returns instructions for a person who received the code: how to send it to the bot. `None` if nobody can write
    /// to it first.
    pub async fn introduce(&self, code: &str, within: Duration) -> Result<Option<Introduction>, ProviderError> {
        let introduce = async |guest: &Guest, store: &mut Store<State>| guest.call_introduce(store, code).await;
        let found: Option<Introduction> = self.call("introduce", within, introduce).await?;
        Ok(found.map(|found| Introduction {
            found: self.cleaned(found.found),
            invite: found.invite.map(|link| self.clean(link)),
            link: found.link.map(|link| self.clean(link)),
            message: self.clean(found.message),
        }))
    }

    /// Receives messages of people who wrote to the bot after the cursor. The provider waits for at most `wait`,
    /// which must be less than `within`.
    pub async fn meet(&self, cursor: &str, wait: Duration, within: Duration) -> Result<Meeting, ProviderError> {
        let wait = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        let meet = async |guest: &Guest, store: &mut Store<State>| guest.call_meet(store, cursor, wait).await;
        self.listen("meet", within, meet).await.map(|meeting| people::meeting(self.manifest.users, meeting))
    }

    fn cleaned(&self, found: Diagnosis) -> Diagnosis {
        let check = |check: Check| Check { detail: self.clean(check.detail), ..check };
        Diagnosis {
            bot_id: self.clean(found.bot_id),
            bot_name: self.clean(found.bot_name),
            checks: found.checks.into_iter().map(check).collect(),
        }
    }

    /// Posts a card.
    ///
    /// # Errors
    /// As [`Self::open`]. After [`ProviderError::Unreachable`] the card was certainly not posted; after
    /// [`ProviderError::Unavailable`], [`ProviderError::Deadline`] or [`ProviderError::Broken`] that is unknown.
    pub async fn post(&self, chat: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError> {
        let (to, wired) = (chat.clone().convert(), self.on_wire(card)?.into_owned().convert());
        if self.is_typed() {
            // Before it is sent: somebody may answer before the reply is here.
            self.typed().post(&chat.id, card);
        }
        let posted: MessageRef =
            self.call("post", within, async |guest, store| guest.call_post(store, &to, &wired).await).await?;
        self.remember(&posted, card);
        Ok(posted)
    }

    /// Replaces the card that a message shows.
    pub async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError> {
        // Before it is sent: somebody may answer before the reply is here.
        self.remember(message, card);
        let (message, card) = (message.clone().convert(), self.on_wire(card)?.into_owned().convert());
        self.call("revise", within, async |guest, store| guest.call_revise(store, &message, &card).await).await
    }

    /// Receives events after the cursor. The provider waits for at most `wait`, which must be less than `within`.
    pub async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError> {
        let mut watched = Cow::Borrowed(watching);
        if self.is_typed() {
            let mut typed = self.typed();
            let events = typed.arrived(watching);
            if !events.is_empty() {
                return Ok(Batch { events, cursor: cursor.to_owned() });
            }
            watched = Cow::Owned(typed.watched(watching));
        }
        let watched: Vec<types::Watch> = watched.into_owned().convert();
        let wait = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        let receive =
            async |guest: &Guest, store: &mut Store<State>| guest.call_receive(store, cursor, &watched, wait).await;
        let batch = people::batch(self.manifest.users, self.listen("receive", within, receive).await?);
        Ok(if self.is_typed() { self.typed().answered(batch, watching) } else { batch })
    }

    /// Returns the card as the component is to show it.
    fn on_wire<'a>(&self, card: &'a Card) -> Result<Cow<'a, Card>, ProviderError> {
        match self.is_typed() {
            true if card.choices.len() > self.transport.limits.choices => Err(ProviderError::TooLarge),
            true => Ok(Cow::Owned(typed::shown(card, self.lang))),
            false => Ok(Cow::Borrowed(card)),
        }
    }

    fn remember(&self, message: &MessageRef, card: &Card) {
        if self.is_typed() {
            self.typed().keep(message, card);
        }
    }

    fn typed(&self) -> MutexGuard<'_, typed::Shown> {
        self.typed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_typed(&self) -> bool {
        self.transport.answering == Answering::Typed
    }

    /// Opens a thread in a chat. `None` if this chat has no threads. Who is the owner of the thread is the chat's business:
    /// what the component says of it does not count.
    pub async fn open_thread(
        &self,
        chat: &OpenChat,
        name: &str,
        within: Duration,
    ) -> Result<Option<OpenChat>, ProviderError> {
        let inside = chat.clone().convert();
        let open = async |guest: &Guest, store: &mut Store<State>| guest.call_open_thread(store, &inside, name).await;
        let thread: Option<OpenChat> = self.call("open-thread", within, open).await?;
        Ok(thread.map(|thread| chat.at(&thread.id)))
    }

    /// Names a thread, and closes it or opens it again.
    ///
    /// # Errors
    /// As [`Self::open`]; [`ProviderError::NotFound`] if somebody deleted the thread.
    pub async fn set_thread(
        &self,
        thread: &OpenChat,
        name: &str,
        closed: bool,
        within: Duration,
    ) -> Result<(), ProviderError> {
        let thread = thread.clone().convert();
        let set =
            async |guest: &Guest, store: &mut Store<State>| guest.call_set_thread(store, &thread, name, closed).await;
        self.call("set-thread", within, set).await
    }

    /// Registers the commands of a chat, in place of those that were registered there.
    pub async fn set_commands(
        &self,
        chat: &OpenChat,
        commands: &[Command],
        within: Duration,
    ) -> Result<(), ProviderError> {
        let chat = chat.clone().convert();
        let commands: Vec<types::Command> = commands.to_vec().convert();
        let set =
            async |guest: &Guest, store: &mut Store<State>| guest.call_set_commands(store, &chat, &commands).await;
        self.call("set-commands", within, set).await
    }

    /// Returns the request that gets a file that a person sent.
    ///
    /// # Errors
    /// As [`Self::open`]; [`ProviderError::NotFound`] if the file is gone.
    pub async fn locate(&self, file: &SentFile, within: Duration) -> Result<Download, ProviderError> {
        let file = file.clone().convert();
        self.call("locate", within, async |guest, store| guest.call_locate(store, &file).await).await
    }

    /// Gets a file that a person sent, at most 20 MiB. The component says where it is; its bytes do not go through it.
    ///
    /// # Errors
    /// As [`Self::locate`]; [`ProviderError::TooLarge`] if it is larger, [`ProviderError::Refused`] if it is where the
    /// component may send nothing.
    pub async fn fetch(&self, file: &SentFile, within: Duration) -> Result<Bytes, ProviderError> {
        let begun = Instant::now();
        let found = self.locate(file, within).await?;
        let left = within.saturating_sub(begun.elapsed());
        http::download(&self.access, &found, left).await
    }

    /// Shows in a private chat what is being written, as a preview that goes by itself. Calls with the same `key`, which is
    /// not 0, are about the same text.
    pub async fn draft(&self, chat: &OpenChat, key: u32, text: &str, within: Duration) -> Result<(), ProviderError> {
        let chat = chat.clone().convert();
        self.call("draft", within, async |guest, store| guest.call_draft(store, &chat, key, text).await).await
    }

    /// Ends the progress indicator of a press.
    pub async fn acknowledge(
        &self,
        event: &Chosen,
        notice: Option<&str>,
        within: Duration,
    ) -> Result<(), ProviderError> {
        let event = typed::acknowledged(event).into_owned().convert();
        self.call("acknowledge", within, async |guest, store| guest.call_acknowledge(store, &event, notice).await).await
    }

    /// Runs an export in an idle instance or a new one, which is kept only when it came back with a proper answer.
    async fn call<T: Convert<U>, U: Answer>(
        &self,
        name: &str,
        within: Duration,
        export: impl AsyncFnOnce(&Guest, &mut Store<State>) -> wasmtime::Result<Result<T, types::Error>>,
    ) -> Result<U, ProviderError> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (instance, answer) = self.run(name, kept, within, export).await?;
        self.keep(instance);
        answer
    }

    /// Does the same, for a persistent transport in the listener's instance, which no other export uses. Dropping the call
    /// then drops that instance and its connections.
    async fn listen<T: Convert<U>, U: Answer>(
        &self,
        name: &str,
        within: Duration,
        export: impl AsyncFnOnce(&Guest, &mut Store<State>) -> wasmtime::Result<Result<T, types::Error>>,
    ) -> Result<U, ProviderError> {
        if !self.transport.persistent {
            return self.call(name, within, export).await;
        }
        let listener = || self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = listener().take();
        let (instance, answer) = self.run(name, kept, within, export).await?;
        *listener() = Some(instance);
        answer
    }

    async fn run<T: Convert<U>, U: Answer>(
        &self,
        name: &str,
        kept: Option<Instance>,
        within: Duration,
        export: impl AsyncFnOnce(&Guest, &mut Store<State>) -> wasmtime::Result<Result<T, types::Error>>,
    ) -> Result<(Instance, Result<U, ProviderError>), ProviderError> {
        let begun = Instant::now();
        let mut instance = match kept {
            Some(instance) => instance,
            None => self.fresh(within).await.map_err(|fault| self.broken(&fault))?,
        };
        let left = within.saturating_sub(begun.elapsed());
        let ran = instance.run(name, left, true, export).await;
        let contact = std::mem::take(&mut instance.store.data_mut().call.contact).clean(|why| self.clean(why));
        let answer = match ran {
            Ok(answer) => answer.map(T::convert).map_err(|error| contact.of(self.told(error))),
            Err(fault) => return Err(contact.of(self.broken(&fault))),
        };
        if let Ok(answer) = &answer {
            answer.check().map_err(|fault| self.broken(&fault))?;
        }
        Ok((instance, answer))
    }

    async fn fresh(&self, within: Duration) -> Result<Instance, Fault> {
        let begun = Instant::now();
        let within = within.min(limits::START);
        let (mut instance, manifest) =
            Instance::start(&self.component, self.host.clone(), Arc::clone(&self.name), within).await?;
        if manifest != self.manifest {
            return Err(Fault::ManifestChanged);
        }
        let left = within.saturating_sub(begun.elapsed());
        instance
            .connect(&self.access, &self.settings, &self.transport.name, left)
            .await?
            .map_err(|_| Fault::Refused)?;
        Ok(instance)
    }

    fn keep(&self, instance: Instance) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(instance);
        }
    }

    /// Converts the provider's error, without any secret.
    fn told(&self, error: types::Error) -> ProviderError {
        convert::error(error, |text| self.clean(text))
    }

    /// Cleans a text for the operator.
    fn clean(&self, text: String) -> String {
        log::shown(&self.access.egress.leaks().withhold(text))
    }

    fn broken(&self, fault: &Fault) -> ProviderError {
        self.host.log.write(&self.name, LogLevel::Warn, &format!("its instance was thrown away: {fault}"));
        match fault {
            Fault::Overstayed => ProviderError::Deadline,
            fault => ProviderError::Broken(format!("{}: {fault}", self.name)),
        }
    }
}
