//! Checks whether the messenger can be used: the component, then token, chat and permissions over the network.

use std::time::Duration;

use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::{
    Answering, Chat, Check, Manifest, Obstacle, OpenChat, ProviderError, Subject, Tenure, Transport, Users,
};
use dmplz_core::text::fill;
use dmplz_plugin::Provider;

use super::clock;
use super::finding::{Finding, Level, Say};
use super::poller;
use crate::account::{self, Chosen};
use crate::settings::{Settings, Table};
use crate::time;

/// The time limit, which is longer than the contract's limit for `diagnose`.
const WITHIN: Duration = Duration::from_secs(15);

pub(super) async fn check(chosen: &Chosen, settings: &Settings, table: &Table, say: Say) -> Vec<Finding> {
    let provider = match account::start(chosen, settings, table, Tenure::Request).await {
        Ok(provider) => provider,
        Err(error) => {
            let fix = say.of("메시지에 나온 설정을 고쳐 주세요", "correct the setting that the message names");
            return vec![Finding::bad("provider", say.error(&error), fix)];
        }
    };
    let loaded = say.of("컴포넌트를 실행했습니다", "the component runs in its sandbox");
    let manifest = provider.manifest();
    let answering = provider.transport().answering;
    let mut found = vec![
        Finding::good("provider", format!("{loaded}: {} {}", manifest.name, manifest.version)),
        transport(manifest, provider.transport(), chosen, say),
    ];
    match provider.diagnose(&chosen.chat, WITHIN).await {
        Ok(diagnosis) => {
            let bot = say.of("메신저가 접속을 받아들였습니다, 봇", "the messenger lets dmplz in, the bot is");
            found.push(Finding::good("token", format!("{bot} {} ({})", diagnosis.bot_name, diagnosis.bot_id)));
            found.extend(diagnosis.checks.iter().map(|check| of_check(check, answering, say)));
            if diagnosis.checks.iter().all(|check| check.subject != Subject::Chat || check.ok) {
                found.extend(approvers(&provider, chosen, say).await);
            }
            if diagnosis.checks.iter().all(|check| check.subject != Subject::Events || check.ok) {
                found.extend(poller::check(&provider, chosen, settings, say).await);
            }
        }
        Err(error) => found.push(of_error(&error, settings.proxy.as_deref(), say)),
    }
    found.extend(provider.server_date().and_then(|date| clock::check(&date, time::timestamp(), say)));
    found
}

/// Returns the finding about the transport of a hook that asks alone, and about the one under `dmplz serve` if it
/// differs.
fn transport(manifest: &Manifest, alone: &Transport, chosen: &Chosen, say: Say) -> Finding {
    let served =
        manifest.transport(chosen.transport.as_deref(), Tenure::Service).filter(|served| served.name != alone.name);
    let under_serve = served.map(|transport| {
        format!("; {}: {} ({})", say.of("dmplz serve에서는", "under dmplz serve"), transport.name, transport.help)
    });
    Finding::good("transport", format!("{} ({}){}", alone.name, alone.help, under_serve.unwrap_or_default()))
}

/// What to do about a server that cannot be reached.
fn unreachable(obstacle: Obstacle, proxy: Option<&str>, say: Say) -> &'static str {
    match obstacle {
        Obstacle::Certificate => say.of(
            "다른 것이 이 연결에 끼어 있습니다. 회사의 프록시라면 그 인증서(PEM)를 DMPLZ_CA_FILE에 넣어 주세요",
            "something stands in this connection: if it is your company's proxy, name its certificate (PEM) in DMPLZ_CA_FILE",
        ),
        _ if proxy.is_some() => say.of(
            "프록시를 거쳤습니다. DMPLZ_HTTPS_PROXY가 맞는지, 그 프록시가 켜져 있는지 확인해 주세요",
            "it went through the proxy of DMPLZ_HTTPS_PROXY: check that this is right and that it runs",
        ),
        Obstacle::Name => say.of(
            "이름을 찾을 수 없습니다. 네트워크와 DNS를 확인해 주세요",
            "its name cannot be found: check the network and DNS",
        ),
        Obstacle::Other => say.of(
            "네트워크, 프록시(DMPLZ_HTTPS_PROXY), 인증서(DMPLZ_CA_FILE)를 확인해 주세요",
            "check the network, the proxy (DMPLZ_HTTPS_PROXY) and certificates (DMPLZ_CA_FILE)",
        ),
    }
}

/// Checks that somebody may answer in this chat. A chat with a person is not opened, because some messengers would create it,
/// and its owner is known.
async fn approvers(provider: &Provider, chosen: &Chosen, say: Say) -> Option<Finding> {
    let users = provider.manifest().users;
    let chat = match &chosen.chat {
        Chat::Person(id) => {
            let owner = (users == Users::Identified).then(|| id.clone());
            OpenChat { id: id.clone(), owner, users }
        }
        room @ Chat::Room(_) => provider.open(room, WITHIN).await.ok()?,
    };
    Some(of_approvers(&chat, &chosen.allowed_users, chosen.choice.messenger().allowed_users, say))
}

/// Returns the finding about who may answer in a chat, by the listed ids. `variable` is the messenger's own list.
pub(super) fn of_approvers(chat: &OpenChat, listed: &[String], variable: &str, say: Say) -> Finding {
    let everyone = listed.iter().any(|id| id == "*") && chat.owner.is_none();
    if Approvers::of("messenger", chat, listed).is_empty() {
        let what = say.of("이 채팅에서는 아무도 답할 수 없습니다", "nobody may answer in this chat");
        let fix = match chat.users {
            Users::Identified => say.of(
                "답할 사람의 id를 {}에 넣어 주세요 (*는 채팅의 모두)",
                "list the ids of those who may in {} (* for everyone in the chat)",
            ),
            Users::Anonymous => say.of(
                "이 메신저는 누가 답했는지 알려 주지 않습니다. 채팅에 접근할 수 있는 모두가 승인해도 되면 {}=*로 설정해 주세요",
                "this messenger does not tell who answers: set {}=* only if everybody who reaches the chat may approve",
            ),
        };
        Finding::bad("approvers", what, fill(fix, &[variable]))
    } else if everyone {
        let what = say.of("채팅에 있는 누구나 승인할 수 있습니다", "everyone in the chat may approve");
        let fix = match chat.users {
            Users::Identified => {
                say.of("의도한 것이 아니면 id를 나열해 주세요", "list ids instead of *, unless that is what you want")
            }
            Users::Anonymous => say.of(
                "채팅의 이름을 비밀번호처럼 지켜 주세요. 이 메신저는 누가 답했는지 알려 주지 않습니다",
                "keep the name of the chat as secret as a password: this messenger does not tell who answers",
            ),
        };
        Finding::doubtful("approvers", what, fix)
    } else {
        say.good("approvers", "답할 사람이 정해져 있습니다", "it is known who may answer")
    }
}

fn of_check(check: &Check, answering: Answering, say: Say) -> Finding {
    let (about, good, bad, fix) = words(check.subject);
    if check.ok {
        return Finding::good(about, format!("{} ({})", say.of(good[0], good[1]), check.detail));
    }
    let what = format!("{}: {}", say.of(bad[0], bad[1]), check.detail);
    match level(check.subject, answering) {
        Level::Bad => Finding::bad(about, what, say.of(fix[0], fix[1])),
        _ => Finding::doubtful(about, what, say.of(fix[0], fix[1])),
    }
}

/// Returns how severe a failed check is. Without files one card cannot show a long request in full. With buttons a
/// reply to the bot is always seen, so a reason can be written; with reactions no text would be seen.
fn level(subject: Subject, answering: Answering) -> Level {
    match (subject, answering) {
        (Subject::Attach, _) | (Subject::Read, Answering::Buttons) => Level::Doubtful,
        _ => Level::Bad,
    }
}

type Words = [&'static str; 2];

/// Returns the name of a check, the texts of success and failure, and what to do about a failure.
fn words(subject: Subject) -> (&'static str, Words, Words, Words) {
    match subject {
        Subject::Events => (
            "events",
            ["이 봇의 이벤트를 받을 수 있습니다", "the bot's events come here"],
            ["다른 곳이 이 봇의 이벤트를 가져갑니다", "somebody else takes the bot's events"],
            ["webhook을 지우거나 전용 봇을 쓰세요", "remove the webhook, or use a bot of its own"],
        ),
        Subject::Chat => (
            "chat",
            ["채팅을 찾았습니다", "the chat is there"],
            ["채팅을 쓸 수 없습니다", "the chat cannot be used"],
            ["채팅 id를 확인하고, 위에 적힌 대로 해 주세요", "check the chat's id, and do what is named here"],
        ),
        Subject::Post => (
            "post",
            ["메시지를 보낼 수 있습니다", "it may post"],
            ["메시지를 보낼 수 없습니다", "it may not post"],
            ["그 채팅에서 봇에게 이 권한을 주세요", "give the bot this right in that chat"],
        ),
        Subject::React => (
            "react",
            ["리액션을 달 수 있습니다", "it may react"],
            ["리액션을 달 수 없어 답을 고를 수 없습니다", "it may not react, so there is nothing to choose from"],
            ["봇에게 이 권한들을 주세요", "give the bot these rights"],
        ),
        Subject::Attach => (
            "attach",
            ["파일을 첨부할 수 있습니다", "it may attach files"],
            ["파일을 첨부할 수 없습니다", "it may not attach files"],
            ["긴 요청을 위해 이 권한을 주세요", "give it this right, for long requests"],
        ),
        Subject::Read => (
            "read",
            ["거부 사유를 읽을 수 있습니다", "it can read reasons"],
            ["거부 사유를 모두 읽지는 못합니다", "it cannot read every reason"],
            [
                "괄호 안의 설정을 켜거나, 봇의 메시지에 답장으로 사유를 써 주세요",
                "turn on what is named here, or write the reason as a reply to the bot's message",
            ],
        ),
    }
}

fn of_error(error: &ProviderError, proxy: Option<&str>, say: Say) -> Finding {
    let about = if *error == ProviderError::Unauthorized { "token" } else { "messenger" };
    let fix = match error {
        ProviderError::Unauthorized => say.of(
            "토큰을 다시 복사하거나 새로 발급받아 주세요",
            "copy the token again, or have a new one made where it came from",
        ),
        ProviderError::Unreachable(no) => unreachable(no.obstacle, proxy, say),
        ProviderError::Unavailable(_) | ProviderError::Deadline => unreachable(Obstacle::Other, proxy, say),
        ProviderError::RateLimited(_) => say.of("잠시 뒤 다시 실행해 주세요", "try again in a moment"),
        ProviderError::Conflict(_) => {
            say.of("이 봇을 쓰는 다른 프로그램을 멈춰 주세요", "stop the other program that uses this bot")
        }
        ProviderError::Denied(_) | ProviderError::NotFound => {
            say.of("채팅 id와 그 채팅의 사용 권한을 확인해 주세요", "check the chat's id, and whether it may be used")
        }
        ProviderError::BadSetting(..) => say.of("그 설정을 고쳐 주세요", "correct that setting"),
        ProviderError::Refused(_) => say.of(
            "DMPLZ_PROVIDER_ORIGINS와 API 주소를 확인해 주세요",
            "check DMPLZ_PROVIDER_ORIGINS and the address of the API",
        ),
        ProviderError::TooLarge | ProviderError::Rejected(_) | ProviderError::Other(_) | ProviderError::Broken(_) => {
            say.of(
                "DMPLZ_LOG=debug로 다시 실행해 자세한 내용을 보세요",
                "run it again with DMPLZ_LOG=debug to see more",
            )
        }
    };
    Finding::bad(about, say.error(&error.clone().into()), fix)
}
