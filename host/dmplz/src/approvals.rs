//! `dmplz approvals`: lists open requests and answers them from the terminal, through the gateway.
//!
//! There is one file per subcommand; `card` shows a request, and `happenings` the events of a session that is followed.
//! An answer given here is that of the user who runs the gateway, because only processes of that user can connect to its
//! socket.

mod answer;
mod card;
mod chosen;
pub(crate) mod happenings;
mod list;
mod offer;
mod show;
mod watch;

pub(crate) use card::Look;
pub(crate) use watch::follow;

use clap::Subcommand;
use clap_complete::ArgValueCompleter;
use dmplz_core::text::Lang;
use dmplz_protocol::Standing;
use dmplz_protocol::approval::GetApproval;
use dmplz_protocol::client::{Client, GatewayError};
use dmplz_protocol::health::GetStatus;
use dmplz_protocol::list::{ListApprovals, StatusFilter};

use crate::completions::requests;
use crate::gateway::soon;
use crate::named::Named;
use crate::{outage, time};

const AFTER: &str = "\
At a terminal you can shorten an id to its first 4 characters or more, as long as only one open request (for show: one
listed request) begins with them. Where stdin is no terminal, and with --json, the id has to be whole. `dmplz serve` must be running.
터미널에서는 열려 있는 요청 하나만(show는 목록의 요청 하나만) 그렇게 시작하면 id를 4자 이상으로 줄여 쓸 수 있습니다. stdin이 터미널이 아니거나 --json을 쓰면 전체를
적어야 합니다. `dmplz serve`가 실행 중이어야 합니다.

Examples · 예:
  dmplz approvals list                          what waits for an answer
  dmplz approvals show 3f0c                     all of one request
  dmplz approvals approve 3f0c                  allow it, this once (--session: for the session)
  dmplz approvals approve 3f0c --always --scope user   and store the rule that show shows
  dmplz approvals approve 3f0c --for 30m        and exactly the same for 30 minutes
  dmplz approvals approve 3f0c --auto-accept    a plan, and accept its edits (--manual: one by one)
  dmplz approvals answer 3f0c --choose 1=2 --say '2=as in the old page'
  dmplz approvals deny 3f0c --reason 'not to main'
  dmplz approvals deny 3f0c --tell 'open a pull request'
  dmplz approvals watch                         answer on the whole screen (--plain: line by line)

Exit codes · 종료 코드:
  0  done · 완료
  1  failed, such as no open request, or several, that begin so · 실패 (그런 요청이 없거나 여럿인 경우 등)
  2  the command line is not understood, or the id is empty, too short, or shortened by a program · 명령줄이나 id가 잘못됨
  5  no gateway is running · 실행 중인 게이트웨이가 없음
  6  somebody answered first, or the time ended (the message says who) · 이미 처리된 요청";

/// The subcommands of `approvals`.
#[derive(Debug, Subcommand)]
#[command(after_long_help = AFTER)]
pub(crate) enum Command {
    /// List what waits for an answer · 답을 기다리는 요청 목록
    List(list::Args),
    /// Show all of one request · 요청 하나를 전부 보기
    Show(Which),
    /// Allow it · 승인
    Approve(answer::ApproveArgs),
    /// Answer its questions · 질문에 답하기
    Answer(answer::AnswerArgs),
    /// Deny it · 거부
    Deny(answer::DenyArgs),
    /// Show each request as it comes, and ask · 요청이 오는 대로 보여 주고 묻기
    Watch(watch::Args),
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::List(args) => list::run(args),
        Command::Show(args) => show::run(args),
        Command::Approve(args) => answer::approve(args),
        Command::Answer(args) => answer::answers(args),
        Command::Deny(args) => answer::deny(args),
        Command::Watch(args) => watch::run(args),
    }
}

/// The request that a subcommand is about.
#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// Its id; at a terminal 4 characters of it or more · 요청의 id. 터미널에서는 4자 이상
    #[arg(add = ArgValueCompleter::new(requests))]
    id: String,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Finds the request that is meant: any by its whole id, or one of those `among` by the beginning of it.
fn find(client: &mut Client, named: Named<'_>, among: StatusFilter) -> anyhow::Result<Standing> {
    let id = match named.whole() {
        Ok(id) => id,
        Err(_) => {
            let mut shown = open(client)?;
            if among == StatusFilter::All {
                let limit = Some(ListApprovals::MOST);
                let all = ListApprovals { status: StatusFilter::All, limit, ..ListApprovals::default() };
                shown.extend(client.call(&all, soon())?.approvals);
            }
            let ids: Vec<String> = shown.iter().map(|standing| standing.request.id.to_string()).collect();
            named.among(ids.iter().map(String::as_str))?.parse()?
        }
    };
    Ok(client.call(&GetApproval { id }, soon())?.approval)
}

/// Returns all open requests, newest first.
fn open(client: &mut Client) -> Result<Vec<Standing>, GatewayError> {
    let mut all: Vec<Standing> = Vec::new();
    loop {
        let before = all.last().map(|last| last.request.id);
        let wanted = ListApprovals { limit: Some(ListApprovals::MOST), before, ..ListApprovals::default() };
        let page = client.call(&wanted, soon())?;
        let is_last = page.approvals.len() < ListApprovals::MOST as usize;
        all.extend(page.approvals);
        if is_last {
            return Ok(all);
        }
    }
}

/// Reports messengers that are unavailable. If the gateway does not say, everything else is shown anyway.
fn alerts(client: &mut Client, lang: Lang) -> Vec<String> {
    let status = client.call(&GetStatus {}, soon()).unwrap_or_default();
    outage::alerts(lang, &status.messengers, time::now_ms())
}
