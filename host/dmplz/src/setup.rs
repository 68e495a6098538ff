//! `dmplz setup`: from nothing to a test card that a person pressed.
//!
//! | step | what | skipped where |
//! |---|---|---|
//! | look | Claude Code, other agents, whether hooks may run, whether settings can be kept | never |
//! | place | where the person reads: a messenger, the page, the terminal | it is set up, or an option names it |
//! | token | pasted hidden, or from a command; checked; kept in `config.toml` | it is set up |
//! | pairing | a link or words with a code, and a yes in the terminal ([`pairing`]) | the chat is set up |
//! | test | the real hook with a recorded request, whose card must be pressed ([`proof`]); after a pairing an approval of it is the yes in the chat, and the person is kept | never with a messenger |
//! | hooks | as `dmplz install --user` | they are registered, or `--no-install` |
//!
//! Each step is kept when it is done, so another run goes on where this one stopped. An agent may run all of it but cannot
//! pair itself: that takes a person at a terminal and a press in the messenger. A failure says what was tried, what came
//! back, and the one next thing to do ([`failure`]).

mod answers;
mod bot;
mod code;
mod console;
mod failure;
pub(crate) mod invite;
mod pairing;
mod place;
mod proof;
mod report;
mod secret;
mod surroundings;

use std::path::PathBuf;
use std::time::Duration;

use dmplz_core::claude::SettingsFile;
use dmplz_core::text::{fill, title};
use dmplz_state::StateDir;
use tokio::time::Instant;

pub(crate) use failure::Failure;
pub(crate) use proof::{Proof, Trial};
pub(crate) use report::Test;

use crate::account::{self, Chosen};
use crate::install::{self, Managed, settings_path};
use crate::settings::{Settings, Table, edit, environment, language};
use crate::temporary::without_name;
use crate::terminal::{Tone, show_json};
use crate::{duration, plain_file, trouble, wording};
pub(crate) use console::Console;
use place::{Place, TERMINAL};
use report::{Hooks, Report, Trouble};
use surroundings::Surroundings;

/// What `setup` is told.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Where you read: a messenger, `page` or `terminal` · 답할 곳: 메신저, page 또는 terminal
    #[arg(long, value_name = "NAME")]
    messenger: Option<String>,
    /// A command that prints the bot's token, such as 'pass show bot' · 봇 토큰을 출력하는 명령
    #[arg(long, value_name = "COMMAND")]
    token_command: Option<String>,
    /// Answers in a TOML file: messenger, token or token_command, wait, yes, install · 답을 담은 TOML 파일
    #[arg(long, value_name = "FILE")]
    from_file: Option<PathBuf>,
    /// Take the usual answer; who may answer is asked all the same · 기본값으로 진행 (본인 확인은 그래도 묻습니다)
    #[arg(long)]
    yes: bool,
    /// Leave Claude Code's settings alone · Claude Code 설정은 그대로 두기
    #[arg(long)]
    no_install: bool,
    /// How long each press is waited for, such as 90s; 5m unless given · 누르기를 기다리는 시간(기본값 5m)
    #[arg(long, value_name = "TIME", value_parser = duration::patience)]
    wait: Option<Duration>,
    /// One JSON object at the end; all else on stderr · 결과를 JSON 하나로
    #[arg(long)]
    json: bool,
}

impl Args {
    fn wait(&self) -> Duration {
        self.wait.unwrap_or(Duration::from_secs(300))
    }
}

/// One run.
struct Setup {
    args: Args,
    /// A token that was given before it was asked for: in the file, or in place of a messenger's number.
    token: Option<String>,
    console: Console,
    report: Report,
    started: Instant,
}

/// Runs it. The exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = language();
    let console = Console::new(lang, args.json);
    let mut args = args.clone();
    let read = args.from_file.clone().map(|file| answers::read(&file, &mut args)).transpose();
    let mut setup = Setup { args, token: None, console, report: Report::default(), started: Instant::now() };
    match read {
        Ok(token) => setup.token = token.flatten(),
        Err(failure) => return setup.end(Err(failure.into())),
    }
    let runtime = crate::runtime::runtime()?;
    let done = runtime.block_on(Failure::or_interrupted(setup.go()));
    setup.end(done)
}

impl Setup {
    async fn go(&mut self) -> anyhow::Result<()> {
        self.look()?;
        let table = Table::load(&environment)?;
        let settings = Settings::of(&table)?;
        trouble::set_verbosity(settings.verbose);
        let state = keepable(&settings)?;
        self.report.settings_file = Some(table.file.display().to_string());
        match self.place(&table).await? {
            Place::Messenger(messenger) => {
                self.report.place = Some(messenger.name);
                let (chosen, pending) = self.messenger(messenger, &state).await?;
                self.test(&chosen, &state, &pending).await?;
                self.keep_person(&table, pending)?;
                self.install()?;
                self.next(
                    chosen.transport.is_none()
                        && messenger.usual_transports().is_some_and(|(alone, served)| alone.name != served.name),
                );
            }
            Place::Component(chosen) => {
                self.test(&chosen, &state, &[]).await?;
                self.install()?;
                self.next(false);
            }
            Place::WithoutMessenger(name) => {
                self.report.place = Some(name);
                self.install()?;
                self.without_messenger(name);
            }
        }
        self.report.ok = true;
        Ok(())
    }

    /// What is there. Only what would make all of it useless ends the setup.
    fn look(&self) -> anyhow::Result<()> {
        let console = &self.console;
        let found = Surroundings::find();
        match (&found.claude, found.was_used) {
            (Some(program), _) => console.done(&format!("Claude Code: {}", program.display())),
            (None, true) => {
                console.done(console.of("Claude Code: 설정 폴더가 있습니다", "Claude Code: its folder is there"))
            }
            (None, false) => console.note(console.of(
                "Claude Code가 보이지 않습니다. 지금 설정해 두고 나중에 설치해도 됩니다",
                "Claude Code is not here yet; you can set up everything now, and install it later",
            )),
        }
        if !found.others.is_empty() {
            let what = console.of(
                "다른 에이전트도 있습니다({}). 아직 연결하지 않습니다",
                "other agents are here, and not connected yet: {}",
            );
            console.note(&fill(what, &[&found.others.join(", ")]));
        }
        if self.args.no_install {
            return Ok(());
        }
        match install::managed() {
            Some((Managed::Off, path)) => return Err(Failure::HooksOff(path.display().to_string()).into()),
            Some((Managed::OnlyTheirs, path)) => {
                return Err(Failure::OnlyManagedHooks(path.display().to_string()).into());
            }
            None => {}
        }
        let off = install::status(&environment)
            .into_iter()
            .find(|file| file.hooks.as_ref().is_ok_and(|hooks| hooks.disabled));
        off.map_or(Ok(()), |file| Err(Failure::HooksOff(file.path.display().to_string()).into()))
    }

    /// Sends the test card by the real hook, and waits for its press. `pending` are the settings of a person who was just
    /// met: they have to approve it.
    async fn test(
        &mut self,
        chosen: &Chosen,
        state: &StateDir,
        pending: &[edit::Setting<'static>],
    ) -> anyhow::Result<()> {
        let console = &self.console;
        let is_met = !pending.is_empty();
        let (command, sent) = if is_met {
            let asks = console.of(
                "echo '{}에서 dmplz를 설정하고 계신 분이 맞나요? 승인하면 예, 거부하면 아니요입니다. 실행되는 것은 없습니다.'",
                "echo 'Is this you, setting up dmplz on {}? Approve means yes, Deny means no. Nothing runs.'",
            );
            let sent = console.of(
                "{}에 테스트 카드를 보냅니다. 본인이 맞는지 묻습니다. 승인을 눌러 주세요. 실제로 실행되는 것은 없습니다.",
                "A test card is on its way to {}. It asks whether this is you: approve it. Nothing runs.",
            );
            (Some(fill(asks, &[&pairing::host()])), sent)
        } else {
            let sent = console.of(
                "{}에 테스트 카드를 보냅니다. 아무 버튼이나 눌러 주세요. 실제로 실행되는 것은 없습니다.",
                "A test card is on its way to {}: press any of its buttons. Nothing runs.",
            );
            (None, sent)
        };
        let settings = pending.iter().map(|(variable, held)| (*variable, held.text())).collect();
        let trial = Trial { prefix: "dmplz-setup-", command, settings };
        let proof = Proof::start(chosen, state, self.args.wait(), trial)?;
        console.write(&format!("\n{}\n", fill(sent, &[&title(&chosen.name)])));
        let test = proof.ended().await?;
        self.console.actions += 1;
        if is_met && test.pressed != "allow" {
            return Err(Failure::RefusedInChat.into());
        }
        let console = &self.console;
        console.done(console.of(
            "테스트 카드에 답했습니다. Claude Code는 이것을 받게 됩니다:",
            "The test card was answered. Claude Code would get:",
        ));
        console.write(&format!("  {}\n", test.written));
        self.report.test = Some(test);
        Ok(())
    }

    /// Registers the hooks.
    fn install(&mut self) -> anyhow::Result<()> {
        let console = &self.console;
        let plugin =
            || install::status(&environment).into_iter().any(|file| file.hooks.is_ok_and(|hooks| hooks.plugin));
        let hooks = if self.args.no_install {
            Hooks::Skipped
        } else if plugin() {
            console.done(console.of("훅: 플러그인이 등록합니다", "hooks: the plugin registers them"));
            Hooks::Plugin
        } else {
            let before = self.registered();
            let told = install::registered(SettingsFile::User, false)
                .map_err(|error| Failure::NotInstalled(wording::whole(&error)))?;
            console.done(&format!("{}: {}", console.of("훅", "hooks"), told.trim_end()));
            if before == self.registered() { Hooks::Kept } else { Hooks::Installed }
        };
        self.report.hooks = Some(hooks);
        Ok(())
    }

    /// The text of the user's settings file.
    fn registered(&self) -> Option<String> {
        plain_file::text(&settings_path(SettingsFile::User, &environment).ok()?).ok()
    }

    /// What makes it better still. `by_gateway`: the messenger has more to offer where a process stays.
    fn next(&self, by_gateway: bool) {
        let console = &self.console;
        let seconds = self.started.elapsed().as_secs().to_string();
        let ready = fill(console.of("준비되었습니다. {}초 걸렸습니다.", "Ready after {} s."), &[&seconds]);
        let more = match by_gateway {
            true => console.of(
                "`dmplz serve`를 켜 두면 버튼으로 답하고, 여러 세션을 한 번에 처리하며, 웹 페이지에서도 답할 수 있습니다.",
                "While `dmplz serve` runs, cards have buttons; it takes many sessions at once, and answers on a web page.",
            ),
            false => console.of(
                "`dmplz serve`를 켜 두면 여러 세션을 한 번에 처리하고 웹 페이지에서도 답할 수 있습니다.",
                "While `dmplz serve` runs, it takes many sessions at once, and answers on a web page.",
            ),
        };
        let always =
            console.of("`dmplz service install`이 항상 켜 둡니다.", "`dmplz service install` keeps it running.");
        let more = console.paint.tone(Tone::Faint, &format!("{more} {always}"));
        console.write(&format!("\n{}\n{more}\n", console.paint.tone(Tone::Good, &ready)));
    }

    fn without_messenger(&self, place: &str) {
        let console = &self.console;
        let next = match place {
            TERMINAL => console.of(
                "`dmplz serve`를 켜 두고 다른 터미널에서 `dmplz approvals watch`로 답해 주세요.",
                "Keep `dmplz serve` running, and answer by `dmplz approvals watch` in another terminal.",
            ),
            _ => console.of(
                "`dmplz serve`를 켜 두고 `dmplz pair`로 브라우저를 연결해 주세요.",
                "Keep `dmplz serve` running, and connect a browser by `dmplz pair`.",
            ),
        };
        console.write(&format!("\n{next}\n"));
    }

    /// Tells how it ended.
    fn end(mut self, done: anyhow::Result<()>) -> anyhow::Result<u8> {
        self.report.seconds = self.started.elapsed().as_secs_f64();
        self.report.actions = self.console.actions;
        let lang = self.console.lang;
        self.report.error = done.as_ref().err().map(|error| Trouble::of(error, lang));
        if self.args.json {
            show_json(&self.report)?;
        }
        Failure::end(done, lang, "dmplz setup", false)
    }
}

/// The state directory, where settings can be kept in it.
fn keepable(settings: &Settings) -> anyhow::Result<StateDir> {
    let not_writable = |why| Failure::NotWritable(settings.state_dir.display().to_string(), why);
    let state = StateDir::open(&settings.state_dir).map_err(|error| not_writable(wording::whole(&error.into())))?;
    tempfile::NamedTempFile::new_in(state.path())
        .map_err(|error| not_writable(wording::phrase(&without_name(error))))?;
    Ok(state)
}

/// A proxy that other programs of this environment use, and that this one does not look for.
fn proxy_of_others() -> Option<&'static str> {
    let is_set = |name: &&str| environment(name).is_some_and(|value| !value.is_empty());
    let own = environment("DMPLZ_HTTPS_PROXY").is_some_and(|value| !value.is_empty());
    ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].into_iter().find(is_set).filter(|_| !own)
}

/// The account as a hook of this environment would choose it.
fn chosen() -> anyhow::Result<Chosen> {
    account::choose(&mut Table::load(&environment)?, &environment)
}
