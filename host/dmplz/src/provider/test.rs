//! `dmplz provider test`: tests without a network what every component must do, whatever its messenger is.
//!
//! | file | what it is |
//! |---|---|
//! | `promise` | the tested promises, and the report |
//! | `weather` | servers that are down, lie or answer nonsense |
//! | `subject` | the component under test: started with made-up settings, called export by export |
//! | `called`, `example` | the calls of exports and what they break; the chat and the cards that they are called with |
//! | `cards` | every kind of card that the host posts |
//! | `recording` | an exchange with the real messenger, from a file: a card that is posted, answered and ended |
//!
//! Nothing leaves the machine, because an [`HttpBackend`](dmplz_plugin::HttpBackend) replaces the network. The sandbox
//! logs what it refuses, by which a request to an undeclared server is noticed.

mod called;
mod cards;
mod example;
mod promise;
mod recording;
mod subject;
mod weather;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::builder::NonEmptyStringValueParser;
use dmplz_core::messenger::ChatKind;
use dmplz_core::text::{Lang, fill};
use dmplz_plugin::{Component, Digest, Engine, Outline, StartError};
use dmplz_state::Providers;

use super::Place;
use super::location::is_location;
use crate::component::administrator::{self, Candidate, Held};
use crate::component::choice;
use crate::terminal::tell_findings;
use crate::told::{Phrase, Tell, Told};
use crate::wording;
use called::Export;
use promise::{Promise, Report, Why};
use recording::Recording;
use subject::Subject;
use weather::{Server, WEATHERS, Weather};

/// The time limit of an export with a faulty server. It is enough for any computation, also on a slow machine.
const WITHIN: Duration = Duration::from_secs(5);

/// The arguments of `test`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// A .wasm file, or the name of a bundled messenger or an installed provider · .wasm 파일, 들어 있는 메신저나 설치한 프로바이더의 이름
    #[arg(value_name = "FILE|NAME", value_parser = NonEmptyStringValueParser::new())]
    provider: String,
    /// A recorded exchange (JSON): a card is posted, answered and ended over it · 기록한 통신(JSON). 카드를 보내고, 답하고, 끝내 봅니다
    #[arg(long, value_name = "FILE")]
    wire: Option<PathBuf>,
    /// A setting of the manifest, where a made-up one will not do; may be given more than once · 지어낸 값으로 안 될 때의 설정. 여러 번 쓸 수 있습니다
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// The id of a chat, where a made-up one will not do · 지어낸 값으로 안 될 때의 채팅 id
    #[arg(long, value_name = "ID", default_value = example::CHAT)]
    chat: String,
    /// Only this transport of the manifest · 이 연결 방식만
    #[arg(long, value_name = "NAME")]
    transport: Option<String>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the arguments that test a component with what its manifest says alone, over a recorded exchange if there is one.
    pub(super) fn of(component: &str, wire: Option<PathBuf>) -> Self {
        let provider = component.to_owned();
        Self { provider, wire, set: Vec::new(), chat: example::CHAT.to_owned(), transport: None, json: false }
    }
}

const AFTER: &str = "\
Everything runs in the sandbox, without a network: a script stands in for the messenger's server. What cannot be seen without
the messenger is \"not asked\"; `--wire` shows it with an exchange that you recorded: docs/PROVIDERS.md.
네트워크 없이 샌드박스에서만 실행합니다. 메신저가 있어야 볼 수 있는 것은 --wire로 녹화한 대화를 주면 확인합니다: docs/PROVIDERS.ko.md

Exit codes · 종료 코드:
  0  every promise that was asked is kept · 확인한 약속을 모두 지킴
  1  it could not be tested; the message says why · 확인할 수 없음 (이유를 알려 줍니다)
  2  the command line is not understood · 명령줄이 잘못됨
  4  a promise is broken · 지키지 않은 약속이 있음";

fn setting(text: &str) -> Result<(String, String), Told> {
    let (ko, en) = ("이름=값 모양으로 적어 주세요", "it must be NAME=VALUE");
    let (name, value) = text.split_once('=').ok_or_else(|| Told::new(ko, en, &[]))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Tests it. Exit code 4 where a promise is broken.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let recording = args.wire.as_deref().map(Recording::read).transpose()?;
    let report = crate::runtime::runtime()?.block_on(test(args, recording, &place))?;
    tell_findings(&report, args.json, report.ok(), |report, paint| report.text(place.lang, paint))
}

async fn test(args: &Args, recording: Option<Recording>, place: &Place) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let Some((component, sha256)) = load(&args.provider, place, &mut report)? else { return Ok(report) };
    report.sha256 = sha256;
    let Some(manifest) = subject::described(&component, &mut report).await else { return Ok(report) };
    let mut settings: BTreeMap<String, String> = args.set.iter().cloned().collect();
    if let Some(recording) = &recording {
        settings.extend(recording.settings.clone());
    }
    if let Some(unknown) = settings.keys().find(|name| !manifest.settings.iter().any(|it| it.name == **name)) {
        return Told::err("없는 설정입니다: {}", "its manifest has no setting {}", &[unknown]);
    }
    if let Some(named) =
        args.transport.as_ref().filter(|named| !manifest.transports.iter().any(|it| it.name == **named))
    {
        return Told::err("없는 연결 방식입니다: {}", "its manifest has no transport {}", &[named]);
    }
    let kind = manifest.chats.first().map_or(ChatKind::Room, |chat| chat.kind);
    let subject =
        Arc::new(Subject::new(component, manifest, settings, kind.chat(args.chat.clone()), args.transport.as_deref()));
    connects(&subject, &mut report).await?;
    for transport in &subject.transports {
        weathers(&subject, transport, &mut report).await?;
        cards::post(&subject, transport, &mut report).await?;
        match &recording {
            Some(recording) if recording.transport(&subject.manifest) == Some(transport.as_str()) => {
                recording.play(&subject, transport, &mut report).await?;
            }
            Some(_) => report.not_asked(&promise::OF_A_RECORDING, Some(transport), Why::OtherTransport),
            None => report.not_asked(&promise::OF_A_RECORDING, Some(transport), Why::NoRecording),
        }
        if subject.manifest.transports.iter().any(|it| it.name == *transport && it.persistent) {
            report.not_asked(&[Promise::Frames], Some(transport), Why::NoServer);
        }
    }
    if let Some(recording) = recording.filter(|it| it.transport(&subject.manifest).is_none()) {
        return Told::err(
            "기록한 연결 방식이 컴포넌트에 없습니다: {}",
            "the recording is of a transport that it does not have: {}",
            &[&recording.transport.unwrap_or_default()],
        );
    }
    Ok(report)
}

/// Loads the component. Returns it with its SHA-256; `None` if the file is not a provider, which is then in the report.
fn load(name: &str, place: &Place, report: &mut Report) -> anyhow::Result<Option<(Component, String)>> {
    let engine = Engine::new()?;
    if is_location(name) {
        let wasm =
            dmplz_plugin::read(Path::new(name)).told("테스트할 수 없습니다: {}", "{} cannot be tested", &[name])?;
        let sha256 = Digest::of(&wasm).to_string();
        let candidate =
            Candidate { provider: name, sha256: &sha256, held: Held::File(Path::new(name)), signature: None };
        administrator::of_this_machine().admits(candidate)?;
        let loaded = Outline::of(&wasm).map_err(Into::into).and_then(|_| Component::from_wasm(&engine, &wasm));
        return Ok(match loaded {
            Ok(component) => {
                report.kept(Promise::Component, None);
                Some((component, sha256))
            }
            Err(why) => {
                report.sha256 = sha256;
                report.broken(Promise::Component, None, wording::phrase(&why).of(place.lang));
                None
            }
        });
    }
    let (component, sha256) = match (dmplz_bundled::embedded(name), Providers::of(&place.state).find(name)?) {
        (Some(embedded), _) => (embedded.component(&engine)?, embedded.sha256.to_owned()),
        (None, Some(provider)) => {
            choice::admitted(&provider, &place.state)?;
            (choice::pinned(&provider, &place.state, &engine)?, provider.sha256)
        }
        (None, None) => return Err(choice::unknown(name).into()),
    };
    report.kept(Promise::Component, None);
    Ok(Some((component, sha256)))
}

const REAL_SETTINGS: [&str; 2] = [
    "테스트용으로 지어낸 설정을 받아 주지 않습니다: {}. --set 이름=값으로 실제 값을 주세요",
    "it does not take the made-up settings of this test: {}; give a real one with --set NAME=VALUE",
];

/// Checks that it accepts settings, and names a setting that it cannot use.
async fn connects(subject: &Subject, report: &mut Report) -> anyhow::Result<()> {
    for transport in &subject.transports {
        match subject.start(transport, Server::gone()).await {
            Ok(_) => {}
            Err(StartError::Refused(why)) => {
                let (why, [ko, en]) = (wording::phrase(&why), REAL_SETTINGS);
                let both = [fill(ko, &[why.of(Lang::Ko)]), fill(en, &[why.of(Lang::En)])];
                return Err(Told::from(Phrase::from(both)).into());
            }
            Err(StartError::Fault(fault)) => {
                report.broken(Promise::Sound, Some(transport), &format!("connect: {fault}"))
            }
            Err(other) => bail!(other),
        }
        subject.look_at_log(Promise::Offline, "connect", report);
        for setting in &subject.manifest.settings {
            subject.garbage(transport, &setting.name, report).await;
        }
    }
    report.kept(Promise::Settings, None);
    report.kept(Promise::Offline, None);
    Ok(())
}

/// Calls every export with every faulty server. An export that broke is not called again, because it would break each
/// time.
async fn weathers(subject: &Subject, transport: &str, report: &mut Report) -> anyhow::Result<()> {
    for promise in promise::OF_A_CALL {
        report.kept(promise, Some(transport));
    }
    let mut gone: Vec<Export> = Vec::new();
    for weather in WEATHERS {
        let backend = Weather::backend(weather);
        let Ok(provider) = subject.start(transport, backend.clone()).await else {
            report.broken(Promise::Settings, Some(transport), "it refuses settings that it took before");
            return Ok(());
        };
        let mut can_meet = true;
        for (export, name) in Export::ALL {
            let is_called = export.is_called(provider.transport()) && (export != Export::Meet || can_meet);
            if gone.contains(&export) || !is_called {
                continue;
            }
            backend.forget();
            let called = subject.call(&provider, export, weather.within()).await;
            can_meet &= export != Export::Introduce || called.may_meet;
            if called.judge((export, name), weather, backend.asked(), transport, report) {
                gone.push(export);
            }
        }
    }
    Ok(())
}
