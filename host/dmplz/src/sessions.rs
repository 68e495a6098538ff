//! `dmplz sessions`: the sessions that the gateway runs.

mod lead;
mod undo;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::client::Client;
use dmplz_protocol::session::{
    AnyMode, GetSession, InterruptSession, ListSessions, RenameSession, RevokePermission, SendToSession, Session,
    SetSessionMode, SetSessionModel, State, StopSession,
};
use uuid::Uuid;

use crate::approvals::happenings::Lines;
use crate::approvals::{Look, follow};
use crate::exit;
use crate::gateway::session_refused::SessionRefused;
use crate::gateway::{Place, soon};
use crate::named::{IdError, Kind, Named, short};
use crate::terminal::{OnlyJson, Tone, say, show, show_json, tell};
use crate::time::moment;

const AFTER: &str = "\
You can shorten an id to its first 4 characters or more, if only one session starts with them. With --json, give the whole id.
id는 하나로 정해지면 4자 이상으로 줄여 쓸 수 있습니다.

Examples · 예:
  dmplz sessions list                           what runs, and what ran lately
  dmplz sessions show 3f0c                      what a session did
  dmplz sessions attach 3f0c                    follow it here, as dmplz run does
  dmplz sessions send 3f0c 'and now the tests'
  dmplz sessions interrupt 3f0c                 stop what it does, and deny what it asks
  dmplz sessions mode 3f0c plan                 from now on: default, accept-edits or plan
  dmplz sessions model 3f0c opus                another model; without a name the default
  dmplz sessions rules 3f0c                     the permission rules of its Claude Code
  dmplz sessions revoke 3f0c 2                  what was allowed on a card, by its number in that list
  dmplz sessions stop 3f0c                      end it
  dmplz sessions resume 3f0c                    go on with one that has ended
  dmplz sessions fork 3f0c                      another one that goes on from its conversation
  dmplz sessions rename 3f0c 'the tests'        give it a name; '' takes it away
  dmplz sessions undo 3f0c                      show what its last turn did to files, and undo it if you say so";

/// The subcommands of `sessions`.
#[derive(Debug, Subcommand)]
#[command(after_long_help = AFTER)]
pub(crate) enum Command {
    /// List the sessions · 세션 목록
    List(OnlyJson),
    /// Show what a session did lately · 세션이 최근에 한 일 보기
    Show {
        /// Its id · 세션의 id
        id: String,
        /// JSON for programs · 프로그램이 읽을 JSON
        #[arg(long)]
        json: bool,
    },
    /// Follow a session at this terminal · 이 터미널에서 세션 이어 보기
    Attach {
        /// Its id · 세션의 id
        id: String,
    },
    /// Send a message to a session · 세션에 메시지 보내기
    Send {
        /// Its id · 세션의 id
        id: String,
        /// What to say · 할 말
        text: String,
        /// JSON for programs · 프로그램이 읽을 JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop what a session does, and deny what it asks; it goes on · 하던 일 멈추기
    Interrupt {
        /// Its id · 세션의 id
        id: String,
        /// Why, for the agent and the history · 사유. 에이전트와 기록에 남습니다
        #[arg(long)]
        reason: Option<String>,
    },
    /// Change the permission mode of a session · 권한 모드 바꾸기
    Mode {
        /// Its id · 세션의 id
        id: String,
        /// The mode from now on; in the last three nobody is asked, so they need DMPLZ_RUN_MODES and a confirmation elsewhere
        /// · 이제부터의 모드. 마지막 셋은 묻지 않는 모드라 DMPLZ_RUN_MODES와 다른 곳의 확인이 필요합니다
        #[arg(value_parser = modes())]
        mode: AnyMode,
    },
    /// Change the model of a session · 모델 바꾸기
    Model {
        /// Its id · 세션의 id
        id: String,
        /// The model from now on; the client's default where it is not given · 이제부터의 모델(없으면 Claude Code의 기본값)
        model: Option<String>,
    },
    /// Show the permission rules of a session's Claude Code · 세션의 권한 규칙 보기
    Rules {
        /// Its id · 세션의 id
        id: String,
        /// JSON for programs · 프로그램이 읽을 JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke what was allowed on a card: it is asked about again · 카드에서 허용한 것을 취소하고 다시 묻게 하기
    Revoke {
        /// Its id · 세션의 id
        id: String,
        /// The number that `rules` shows · `rules`가 보여 주는 번호
        number: u32,
    },
    /// End a session · 세션 끝내기
    Stop {
        /// Its id · 세션의 id
        id: String,
    },
    /// Go on with a session that has ended, in the mode that it ended in · 끝난 세션 이어 하기
    Resume {
        /// Its id · 세션의 id
        id: String,
        /// JSON for programs: it is not followed · 프로그램이 읽을 JSON. 이어 보지 않습니다
        #[arg(long)]
        json: bool,
    },
    /// Start another session that goes on from the conversation of this one · 대화를 이어받는 새 세션 시작하기
    Fork {
        /// Its id · 세션의 id
        id: String,
        /// JSON for programs: it is not followed · 프로그램이 읽을 JSON. 이어 보지 않습니다
        #[arg(long)]
        json: bool,
    },
    /// Give a session a name · 세션에 이름 붙이기
    Rename {
        /// Its id · 세션의 id
        id: String,
        /// The name, at most 80 characters; an empty one takes it away · 이름(80자까지). 비우면 지웁니다
        name: String,
    },
    /// Undo the edits of files since a message, after showing them · 메시지 이후의 파일 편집을 보여 주고 되돌리기
    Undo {
        /// Its id · 세션의 id
        id: String,
        /// The id of the message; the last one that the agent received unless given · 메시지의 id(기본값: 에이전트가 마지막으로 받은 메시지)
        #[arg(long, value_name = "ID")]
        message: Option<Uuid>,
        /// Do it without asking · 묻지 않고 실행
        #[arg(long)]
        yes: bool,
        /// JSON for programs: without --yes it only shows what would change · 프로그램이 읽을 JSON. --yes가 없으면 바뀔 것만 보여 줍니다
        #[arg(long)]
        json: bool,
    },
}

/// Runs a subcommand. The exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    carry_out(command).map_err(|error| SessionRefused::of(error, matches!(command, Command::Revoke { .. })))
}

fn carry_out(command: &Command) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let mut client = place.connect()?;
    match command {
        Command::List(args) => {
            let listed = client.call(&ListSessions {}, soon())?;
            tell(&listed, args.json, |listed, _| table(&listed.sessions, Look::of_stdout(place.lang)))?;
        }
        Command::Show { id, json } => {
            let id = find(&mut client, id, *json)?;
            let one = client.call(&GetSession { id }, soon())?;
            tell(&one, *json, |one, _| {
                let (look, mut lines) = (Look::of_stdout(place.lang), Lines::default());
                let heading = [Some(row(&one.session, look)), limit(&one.session, look)];
                let events = one.events.iter().map(|event| lines.of(event, look));
                heading.into_iter().chain(events).flatten().collect()
            })?;
        }
        Command::Attach { id } => {
            let id = find(&mut client, id, false)?;
            drop(client);
            return follow(&place, id);
        }
        Command::Send { id, text, json } => {
            let id = find(&mut client, id, *json)?;
            let sent = client.call(&SendToSession { id, text: text.clone() }, soon())?;
            if *json {
                show_json(&sent)?;
            }
        }
        Command::Interrupt { id, reason } => {
            let id = find(&mut client, id, false)?;
            client.call(&InterruptSession { id, reason: reason.clone(), cancel_queued: false }, soon())?;
        }
        Command::Mode { id, mode } => {
            let id = find(&mut client, id, false)?;
            if client.call(&SetSessionMode { id, mode: *mode }, soon())?.confirm {
                let line = say(
                    place.lang,
                    "이 모드에서는 아무에게도 묻지 않으므로, 웹 페이지나 메신저에서 승인하면 바뀝니다.",
                    "Nobody is asked in this mode, so it is set once somebody approves it on the page or in a messenger.",
                );
                show(&format!("{line}\n"))?;
            }
        }
        Command::Model { id, model } => {
            let id = find(&mut client, id, false)?;
            client.call(&SetSessionModel { id, model: model.clone() }, soon())?;
        }
        Command::Rules { id, json } => {
            let id = find(&mut client, id, *json)?;
            lead::rules(&mut client, id, *json, place.lang)?;
        }
        Command::Revoke { id, number } => {
            let id = find(&mut client, id, false)?;
            client.call(&RevokePermission { id, number: *number }, soon())?;
        }
        Command::Resume { id, json } => {
            let id = find(&mut client, id, *json)?;
            return lead::resume(client, &place, id, *json);
        }
        Command::Fork { id, json } => {
            let id = find(&mut client, id, *json)?;
            return lead::fork(client, &place, id, *json);
        }
        Command::Rename { id, name } => {
            let id = find(&mut client, id, false)?;
            client.call(&RenameSession { id, name: name.clone() }, soon())?;
        }
        Command::Undo { id, message, yes, json } => {
            let id = find(&mut client, id, *json)?;
            return undo::undo(&mut client, id, *message, *yes, *json, place.lang);
        }
        Command::Stop { id } => {
            let id = find(&mut client, id, false)?;
            client.call(&StopSession { id }, soon())?;
        }
    }
    Ok(exit::OK)
}

/// Reads a mode by its name on the command line.
fn modes() -> impl TypedValueParser<Value = AnyMode> {
    const NAMES: [&str; 6] = ["default", "accept-edits", "plan", "bypass-permissions", "auto", "dont-ask"];
    PossibleValuesParser::new(NAMES).try_map(|name| AnyMode::spelled(&name).ok_or("it is no mode"))
}

/// Finds the session that is meant. A program must give the whole id.
fn find(client: &mut Client, id: &str, json: bool) -> anyhow::Result<Uuid> {
    let named = Named::read_for(Kind::RUN, id, json)?;
    if let Ok(id) = named.whole() {
        return Ok(id.to_string().parse()?);
    }
    let known = client.call(&ListSessions {}, soon())?.sessions;
    let ids: Vec<String> = known.iter().map(|session| session.id.to_string()).collect();
    let found: Result<&str, IdError> = named.among(ids.iter().map(String::as_str));
    Ok(found?.parse()?)
}

fn table(sessions: &[Session], look: Look) -> String {
    match sessions {
        [] => format!(
            "{}\n",
            say(look.lang, "세션이 없습니다. dmplz run으로 시작합니다.", "There is no session; dmplz run starts one.")
        ),
        sessions => sessions.iter().map(|session| row(session, look)).collect(),
    }
}

/// Returns a line with id, state, mode, folder, and name or title.
fn row(session: &Session, look: Look) -> String {
    let Session { id, cwd, state, mode, .. } = session;
    let (words, tone) = of_state(*state, look.lang);
    let state = look.paint.tone(tone, words);
    let id = short(id);
    let [cwd, label, mode] = [cwd.as_str(), session.label(), mode].map(visible_line);
    // A session that nobody named yet has no label.
    format!("{}\n", fill("{}  {}  {}  {}  {}", &[&id, &state, &mode, &cwd, &label]).trim_end())
}

/// Returns a line about the limit of the plan, if the client reported one.
fn limit(session: &Session, look: Look) -> Option<String> {
    let limit = session.limit.as_ref()?;
    let used = visible_line(&limit.short());
    let line = match limit.resets_ms {
        Some(at) => fill(
            say(look.lang, "요금제 한도: {}, {}에 다시 시작", "Plan limit: {}, begins anew at {}"),
            &[&used, &moment(at)],
        ),
        None => fill(say(look.lang, "요금제 한도: {}", "Plan limit: {}"), &[&used]),
    };
    Some(format!("{}\n", look.paint.tone(Tone::Faint, &line)))
}

fn of_state(state: State, lang: Lang) -> (&'static str, Tone) {
    match state {
        State::Starting => (say(lang, "시작 중", "starting"), Tone::Faint),
        State::Idle => (say(lang, "대기", "idle"), Tone::Faint),
        State::Working => (say(lang, "작업 중", "working"), Tone::Good),
        State::Asking => (say(lang, "답 기다림", "asking"), Tone::Doubtful),
        State::Ended => (say(lang, "끝남", "ended"), Tone::Faint),
    }
}
