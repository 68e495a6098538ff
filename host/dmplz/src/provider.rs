//! `dmplz provider`: messengers of third parties. They are inspected before they are trusted, installed by name, and
//! pinned. Which component runs, and whether it may, is in [`component`](crate::component).
//!
//! | file | what it is |
//! |---|---|
//! | `inspection` | what a component is and wants, and what is missing to run it |
//! | `reach` | what of that gives access, as sentences that can be compared |
//! | `location`, `registry`, `index` | where a component is before it is installed: a file, an OCI registry, or a name in a signed index |
//! | `compile` | the process that compiles a component |
//! | `new`, `test`, `try_out`, `dev` | for authors: a template, a test of a component without a network, a card in the real chat, all of it at every change |

mod add;
mod compile;
mod dev;
mod index;
mod inspect;
mod inspection;
mod list;
mod location;
mod new;
mod reach;
mod registry;
mod remove;
mod search;
mod test;
mod try_out;
mod update;
mod verify;

use clap::Subcommand;

pub(crate) use verify::{Found, State, verified};

use crate::gateway::Place;
use crate::terminal::OnlyJson;

/// The beginning of the help text.
pub(crate) const ABOUT: &str = "\
A provider teaches dmplz one messenger: a WebAssembly component in a sandbox, yours or somebody else's. Here you see what one
is and what it wants to reach before you trust it, install it under its name, and keep it from changing unnoticed.

프로바이더는 dmplz가 메신저 하나를 쓰게 해 주는, 샌드박스 안의 WebAssembly 컴포넌트입니다. 믿기 전에 무엇이고 어디에 접근하려는지
보고, 이름으로 설치하고, 모르는 사이에 바뀌지 않게 고정합니다.";

const AFTER: &str = "\
Examples · 예:
  dmplz provider inspect ./acme.wasm   what it is, wants and can reach; nothing but `describe` runs, without any network
  dmplz provider add ./acme.wasm       the same, then asks, and installs it: DMPLZ_PROVIDER=acme
  dmplz provider add oci://ghcr.io/ann/acme:1.0.0   from a registry; `dmplz provider update acme` asks it again
  dmplz provider search chat           what the index has (DMPLZ_PROVIDER_INDEX); `dmplz provider add acme` then installs it by its name
  dmplz provider add ./acme.wasm --yes --origin https://chat.acme.example   for scripts; grants only this origin
  dmplz provider add ./acme.wasm --signer acme.pub   only if this key of minisign signed it, and its updates too
  dmplz provider update ./acme.wasm    what is new in it; wanting more than before needs a yes of its own
  dmplz provider verify                does every installed file still have its digest?
For authors · 프로바이더를 만들 때:
  dmplz provider new acme              a folder with a provider that builds, passes its tests and posts a card
  dmplz provider test ./acme.wasm --wire wire.json   what it must keep to, without a network: kept, broken, not asked
  dmplz provider try ./acme.wasm       a sample card in the real chat, without Claude Code
  dmplz provider dev ./acme            builds and tests the folder at every change; --try also sends a card each time

An administrator's /etc/dmplz/providers.toml says which providers run on a machine: docs/PROVIDERS.md.
관리자는 /etc/dmplz/providers.toml로 이 컴퓨터에서 실행할 프로바이더를 정합니다: docs/PROVIDERS.ko.md

Exit codes · 종료 코드:
  0  done · 완료
  1  failed, or you said no; the message says why · 실패했거나 거절함 (이유를 알려 줍니다)
  2  the command line is not understood · 명령줄이 잘못됨
  3  a setting cannot be read · 설정을 읽을 수 없음
  4  verify: a file is missing or another, or is not compiled for this version · 파일이 없거나 바뀌었거나 컴파일되지 않음
     test: a promise is broken · 지키지 않은 약속이 있음";

/// The subcommands of `provider`.
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Command {
    /// Show what a component is, wants and can reach, without trusting it · 믿기 전에 컴포넌트 살펴보기
    Inspect(inspect::Args),
    /// Install a component under its name, once you agree · 동의를 받아 컴포넌트 설치
    Add(add::Args),
    /// List the installed providers · 설치한 프로바이더
    List(OnlyJson),
    /// Search the index of providers · 프로바이더 색인 검색
    Search(search::Args),
    /// Replace an installed provider, showing what it newly wants · 새로 원하는 것을 보이고 업데이트
    Update(update::Args),
    /// Check that every installed file is still what was installed · 설치한 그대로인지 점검
    Verify(verify::Args),
    /// Take an installed provider out · 설치한 프로바이더 제거
    Remove(remove::Args),
    /// Write a folder with a provider to begin with · 새 프로바이더의 폴더 만들기
    New(new::Args),
    /// See what a component keeps to, without a network · 네트워크 없이 컴포넌트의 약속 확인
    Test(test::Args),
    /// Build and test the provider of a folder at every change · 바뀔 때마다 빌드하고 확인
    Dev(dev::Args),
    /// Send a sample card to the real chat, without Claude Code · Claude Code 없이 실제 채팅에 테스트 카드 보내기
    Try(try_out::Args),
    /// What `add`, `update` and `verify --compile` start
    #[command(hide = true)]
    Compile,
}

/// Runs a subcommand. The exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::Inspect(args) => inspect::run(args),
        Command::Add(args) => add::run(args),
        Command::List(args) => list::run(args),
        Command::Search(args) => search::run(args),
        Command::Update(args) => update::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Remove(args) => remove::run(args),
        Command::New(args) => new::run(args),
        Command::Test(args) => test::run(args),
        Command::Dev(args) => dev::run(args),
        Command::Try(args) => try_out::run(args),
        Command::Compile => compile::run(),
    }
}

/// Formats a size for people.
fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    match bytes {
        MIB.. => format!("{}.{} MiB", bytes / MIB, bytes % MIB * 10 / MIB),
        KIB.. => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} B"),
    }
}
