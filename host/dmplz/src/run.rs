//! `dmplz run [FOLDER] [-- PROMPT]`: starts a session of Claude Code under the gateway and shows it here.
//!
//! At a terminal its requests are answered like those of `dmplz approvals watch`, here or on any other surface, and what is typed goes
//! to the session. Where stdin or stdout is no terminal, one prompt is run to the end of its turn, answered elsewhere, and the session
//! is ended.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::client::{Client, GatewayError, Incoming, read};
use dmplz_protocol::message::Subscribe;
use dmplz_protocol::session::{AnyMode, GetSession, Happening, Mode, Numbered, StartSession, StopSession};
use dmplz_protocol::{Kind, Source, Standing};
use serde::Deserialize;
use uuid::Uuid;

use crate::approvals::happenings::Lines;
use crate::approvals::{Look, follow};
use crate::environment::variables;
use crate::gateway::{Place, soon};
use crate::terminal::{say, show};
use crate::told::{Tell, Told};
use crate::{exec, exit};

/// The arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct Args {
    /// Where it works; this folder unless given · 작업 폴더 (기본값: 현재 폴더)
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The model · 모델
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The permission mode that it begins in · 시작할 때의 권한 모드
    #[arg(long, value_parser = modes(), default_value = "default")]
    mode: Mode,
    /// The first message · 첫 메시지
    #[arg(last = true, value_name = "PROMPT")]
    prompt: Vec<String>,
}

/// Parses the modes that a session may begin in. In the client's other modes nobody is asked.
fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(["default", "accept-edits", "plan"]).try_map(|name| match AnyMode::spelled(&name) {
        Some(AnyMode::Asking(mode)) => Ok(mode),
        _ => Err("it is no mode"),
    })
}

const AFTER: &str = "\
`dmplz serve` must be running, and `claude` be in your PATH. The session gets your environment. It goes on when you leave: with Ctrl-D or
/detach here, or when the gateway is stopped and started again. Ctrl-C interrupts what it does; /stop ends it.
Where stdin or stdout is no terminal, PROMPT is run to its end, and its requests are answered elsewhere.
`dmplz serve`가 실행 중이고 `claude`가 PATH에 있어야 합니다. Ctrl-D나 /detach로 나가도 세션은 계속됩니다. Ctrl-C는 하던 일을 멈추고,
/stop은 세션을 끝냅니다. 터미널이 아니면 PROMPT를 끝까지 실행하고 끝냅니다.

Examples · 예:
  dmplz run                                     a session in this folder
  dmplz run ~/work/site -- 'fix the failing test'
  dmplz run --mode plan -- 'how would you add a search page?'

Exit codes · 종료 코드:
  0  the session ended, the prompt was carried out, or you left · 세션이 끝났거나 나감
  1  failed, or the turn did not go as it should · 실패
  5  no gateway is running · 실행 중인 게이트웨이가 없음";

/// Starts a session, and shows it. The exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let prompt = Some(args.prompt.join(" ")).filter(|prompt| !prompt.is_empty());
    if prompt.is_none() && !is_terminal {
        return Told::err(
            "할 일이 없습니다. 터미널이 아니고, `--` 뒤에 지시도 없습니다",
            "there is nothing to do: this is no terminal, and no prompt is given behind `--`",
            &[],
        );
    }
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let cwd = folder.canonicalize().told(
        "폴더를 찾을 수 없습니다: {}",
        "the folder {} cannot be found",
        &[&folder.display().to_string()],
    )?;
    let start = StartSession { cwd, prompt, model: args.model.clone(), mode: args.mode, env: Some(variables()) };
    let mut client = place.connect()?;
    let session = client.call(&start, soon())?.session;
    if is_terminal {
        show(&greeting(place.lang, session.id))?;
        drop(client);
        return follow(&place, session.id);
    }
    plain(client, session.id, place.lang)
}

fn greeting(lang: Lang, id: Uuid) -> String {
    let words = say(
        lang,
        "세션 {} (Ctrl-C 멈춤, Ctrl-D 나가기, /stop 끝내기)\n",
        "Session {} (Ctrl-C interrupts, Ctrl-D leaves, /stop ends it)\n",
    );
    fill(words, &[&id.to_string()])
}

/// Shows one turn, and ends the session after it.
fn plain(mut client: Client, id: Uuid, lang: Lang) -> anyhow::Result<u8> {
    let types = [Kind::APPROVALS, &[Kind::SessionEvent]].concat();
    client.call(&Subscribe { after: None, types: Some(types) }, soon())?;
    let mut events = client.call(&GetSession { id }, soon())?.events;
    let (mut lines, mut turn) = (Lines::default(), None);
    loop {
        for event in events.drain(..) {
            if let Some(line) = lines.of(&event, Look::of_stdout(lang)) {
                show(&line)?;
            }
            match event.event {
                Happening::Turn { ok, more: false, .. } if turn.is_none() => {
                    turn = Some(ok);
                    client.call(&StopSession { id }, soon())?;
                }
                Happening::Ended { .. } => {
                    return Ok(if turn == Some(true) { exit::OK } else { exit::FAILED });
                }
                _ => {}
            }
        }
        if let Incoming::Told(told) = client.next(None)? {
            match told.method.as_str() {
                "session.event" => {
                    let told: Result<Reported, GatewayError> = read(told.raw());
                    events.extend(told.ok().filter(|told| told.session_id == id).map(|told| told.happened));
                }
                "approval.requested" => announce(read(told.raw())?, id, lang),
                _ => {}
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reported {
    session_id: Uuid,
    happened: Numbered,
}

#[derive(Deserialize)]
struct Asked {
    approval: Standing,
}

/// Reports that a person is asked, and how to answer here.
fn announce(Asked { approval }: Asked, id: Uuid, lang: Lang) {
    let Source::Session { session_id, .. } = &approval.request.source else { return };
    if *session_id == id.to_string() {
        exec::announce(approval.request.id, lang);
    }
}
