//! `dmplz approvals approve`, `answer` and `deny`. The first answer wins; a later one is told who was first.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dmplz_core::claude::Scope;
use dmplz_core::request::Term;
use dmplz_core::text::fill;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::list::StatusFilter;
use dmplz_protocol::{AnswerBody, Code, Standing, Status};

use super::card::Look;
use super::{Which, chosen};
use crate::gateway::{Place, soon};
use crate::named::{Kind, Named, short};
use crate::terminal::{Paint, say, show, show_json};
use crate::{exit, trouble};

/// What `approve` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    /// Also what the request says that it would allow for the session · 요청에 적힌 세션 허용까지
    #[arg(long, group = "reach")]
    session: bool,
    /// Also store what the client suggests, as `show` shows it · `show`가 보여 주는 제안까지 저장
    #[arg(long, group = "reach")]
    always: bool,
    /// With --always: where it is stored · --always일 때 저장할 곳
    #[arg(long, requires = "always", default_value = "local", value_parser = scopes())]
    scope: Scope,
    /// With --always: also store what reaches further than the call · --always일 때 이 호출보다 넓은 규칙도 저장
    #[arg(long, requires = "always")]
    broad: bool,
    /// Also allow exactly the same for a while · 정확히 같은 것을 잠시 허용
    #[arg(long = "for", group = "reach", value_name = "TIME", value_parser = terms())]
    term: Option<Term>,
    /// A plan: accept its edits automatically · 계획: 편집은 자동 승인
    #[arg(long, group = "reach")]
    auto_accept: bool,
    /// A plan: approve its edits one by one · 계획: 편집은 하나씩 승인
    #[arg(long, group = "reach")]
    manual: bool,
    #[command(flatten)]
    which: Which,
}

/// What `answer` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// A question, by its number or its text, and the options chosen, by number or label; alone where one is asked
    /// · 질문(번호나 글)과 고른 답(번호나 이름). 질문이 하나면 답만
    #[arg(long, value_name = "[QUESTION=]OPTION[,OPTION]", required_unless_present = "say")]
    choose: Vec<String>,
    /// A question and an answer in your own words · 질문과 직접 쓴 답
    #[arg(long, value_name = "[QUESTION=]TEXT")]
    say: Vec<String>,
    #[command(flatten)]
    which: Which,
}

/// Parses where a permission is stored.
fn scopes() -> impl TypedValueParser<Value = Scope> {
    let names = [
        ("local", "This project, just you"),
        ("user", "All projects"),
        ("project", "This project, shared"),
        ("session", "This session"),
    ];
    let names = names.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "local" => Scope::Local,
        "user" => Scope::User,
        "project" => Scope::Project,
        _ => Scope::Session,
    })
}

/// Parses how long exactly the same is allowed.
fn terms() -> impl TypedValueParser<Value = Term> {
    let names = [("30m", "30 minutes"), ("session", "Until the session ends")];
    let names = names.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(|name| if name == "30m" { Term::HalfHour } else { Term::Session })
}

/// What `deny` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct DenyArgs {
    /// Why; the agent reads it · 사유. 에이전트가 읽습니다
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// What to do instead; the agent reads it · 대신 할 일. 에이전트가 읽습니다
    #[arg(long, value_name = "TEXT", conflicts_with = "reason")]
    tell: Option<String>,
    #[command(flatten)]
    which: Which,
}

/// Allows a request.
pub(super) fn approve(args: &ApproveArgs) -> anyhow::Result<u8> {
    let said = match *args {
        ApproveArgs { session: true, .. } => AnswerBody::Session,
        ApproveArgs { always: true, scope, broad, .. } => AnswerBody::Always { scope, broad },
        ApproveArgs { term: Some(term), .. } => AnswerBody::Grant { term },
        ApproveArgs { auto_accept: true, .. } => AnswerBody::AutoAccept,
        ApproveArgs { manual: true, .. } => AnswerBody::Manual,
        _ => AnswerBody::Approve,
    };
    answer(&args.which, |_| Ok(said))
}

/// Answers the questions of a request.
pub(super) fn answers(args: &AnswerArgs) -> anyhow::Result<u8> {
    answer(&args.which, |asked| {
        let answers = chosen::answers(&asked.request.offer.questions, &args.choose, &args.say)?;
        Ok(AnswerBody::Answers { answers })
    })
}

/// Denies a request.
pub(super) fn deny(args: &DenyArgs) -> anyhow::Result<u8> {
    let reason = args.tell.as_ref().or(args.reason.as_ref()).cloned();
    let said = AnswerBody::Deny { reason, instead: args.tell.is_some() };
    answer(&args.which, |_| Ok(said))
}

/// Answers the request that is meant. `said` returns the answer for the request that was found.
fn answer(which: &Which, said: impl FnOnce(&Standing) -> anyhow::Result<AnswerBody>) -> anyhow::Result<u8> {
    let named = Named::read_for(Kind::REQUEST, &which.id, which.json)?;
    let place = Place::find()?;
    let mut client = place.connect()?;
    // The whole id is resolved before the answer is sent, because another request with the same beginning may arrive
    // meanwhile.
    let standing = super::find(&mut client, named, StatusFilter::Open)?;
    let answered = match standing.status {
        Status::Ended { .. } => Err(standing),
        Status::Open | Status::Denied { .. } => {
            let (id, answer) = (standing.request.id, said(&standing)?);
            match client.call(&Respond { id, answer, reason_to_come: false }, soon()) {
                Ok(one) => Ok(one.approval),
                Err(error) => Err(first(error)?),
            }
        }
    };
    let look = Look::of_stdout(place.lang);
    let (Ok(standing) | Err(standing)) = &answered;
    if which.json {
        show_json(standing)?;
    } else if answered.is_ok() {
        show(&format!("{} · {}\n", look.status(standing), short(standing.request.id)))?;
    }
    if answered.is_err() {
        let late = say(
            place.lang,
            "이미 처리된 요청이라 답할 수 없습니다: {}: {}",
            "request {} cannot be answered: it was answered already: {}",
        );
        let status = Look { paint: Paint::PLAIN, ..look }.status(standing);
        trouble::error(&fill(late, &[&standing.request.id.to_string(), &status]));
    }
    Ok(if answered.is_ok() { exit::OK } else { exit::ANSWERED })
}

/// Explains an answer that came too late: how the request ended, or that it was denied.
pub(super) fn first(error: GatewayError) -> Result<Standing, GatewayError> {
    match error {
        GatewayError::Refused(refusal) if refusal.code == Code::ANSWERED => match refusal.data.clone() {
            Some(data) => serde_json::from_value(data).map_err(GatewayError::Garbled),
            None => Err(GatewayError::Refused(refusal)),
        },
        other => Err(other),
    }
}
