//! `dmplz approvals`: what waits for an answer, and answering it from the terminal, through the gateway.
//!
//! One file a subcommand. An answer given here is the answer of whoever this user is: only their own processes reach the
//! gateway's socket.

mod answer;
mod card;
mod chosen;
mod list;
mod offer;
mod show;
mod watch;

use clap::{Args as ClapArgs, Subcommand};
use dmplz_gateway::Standing;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::gateway::{Client, GatewayError, soon};

/// What `approvals` is told.
#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, after_long_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const AFTER: &str = "\
An id may be shortened for as long as one open request begins so. `dmplz serve` must be running.
id는 열려 있는 요청 하나만 그렇게 시작하면 줄여 쓸 수 있습니다. `dmplz serve`가 실행 중이어야 합니다.

Examples · 예:
  dmplz approvals list                          what waits for an answer
  dmplz approvals show 3f0                      all of one request
  dmplz approvals approve 3f0                   allow it, this once (--session: for the session)
  dmplz approvals approve 3f0 --always --scope user   and store the rule that show shows
  dmplz approvals approve 3f0 --for 30m         and exactly the same for 30 minutes
  dmplz approvals approve 3f0 --auto-accept     a plan, and accept its edits (--manual: one by one)
  dmplz approvals answer 3f0 --choose 1=2 --say '2=as in the old page'
  dmplz approvals deny 3f0 --reason 'not to main'
  dmplz approvals deny 3f0 --tell 'open a pull request'
  dmplz approvals watch                         show each request as it comes, and ask Y/N

Exit codes · 종료 코드: 5 no gateway is running; 6 somebody, or its time, was first (who, is said)";

#[derive(Debug, Subcommand)]
enum Command {
    /// List what waits for an answer · 답을 기다리는 요청 목록
    List(list::Args),
    /// Show all of one request · 요청 하나를 전부 보기
    Show(show::Args),
    /// Allow it · 승인
    Approve(answer::ApproveArgs),
    /// Answer its questions · 질문에 답하기
    Answer(answer::AnswerArgs),
    /// Deny it · 거부
    Deny(answer::DenyArgs),
    /// Show each request as it comes, and ask · 요청이 오는 대로 보여 주고 묻기
    Watch(watch::Args),
}

/// Runs a subcommand. The exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        Command::List(args) => list::run(args),
        Command::Show(args) => show::run(args),
        Command::Approve(args) => answer::approve(args),
        Command::Answer(args) => answer::answers(args),
        Command::Deny(args) => answer::deny(args),
        Command::Watch(args) => watch::run(args),
    }
}

/// One request, as the gateway answers with it.
#[derive(Debug, Deserialize)]
struct One {
    approval: Standing,
}

/// A page of requests, newest first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    approvals: Vec<Standing>,
    last_event_id: u64,
}

/// A request by its id, or by how it begins.
fn get(client: &mut Client, id: &str) -> Result<Standing, GatewayError> {
    let one: One = client.call("approvals.get", &json!({ "id": id }), soon())?;
    Ok(one.approval)
}
