//! `dmplz provider dev`: builds and tests the provider of a folder whenever one of its files changes, and sends a card to the real
//! chat each time.

mod watched;

use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use dmplz_core::text::fill;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::signal::unix::SignalKind;

use super::new::{Language, named};
use super::{Place, test};
use crate::exit;
use crate::terminal::signals::signals;
use crate::terminal::{say, show};
use crate::told::{Tell, Told};
use watched::Watched;

/// How often the folder is looked at. An editor writes several files of one change within this time.
const OFTEN: Duration = Duration::from_millis(300);
/// How long a card waits for a press.
const WAIT: &str = "1h";

/// The arguments of `dev`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The folder of the provider, as `provider new` writes it · `provider new`로 만든 프로바이더의 폴더
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The command that builds it, where it is not that of the template · 템플릿과 다를 때의 빌드 명령
    #[arg(long, value_name = "COMMAND", requires = "component")]
    build: Option<String>,
    /// The component that the build writes, in the folder · 빌드가 폴더 안에 쓰는 컴포넌트
    #[arg(long, value_name = "FILE")]
    component: Option<PathBuf>,
    /// After each test that finds nothing, send a sample card to the real chat too, and show what the component asks its server
    /// · 문제가 없으면 실제 채팅에 테스트 카드도 보내고, 서버에 보내는 요청 보기
    #[arg(long = "try")]
    tries: bool,
    /// Build and test it once, for scripts · 한 번만 빌드하고 확인(스크립트용)
    #[arg(long, conflicts_with = "tries")]
    once: bool,
}

const AFTER: &str = "\
It ends with Ctrl-C. A change of any file builds anew, but for what builds write: target, node_modules, .venv, __pycache__, *.wasm and what
begins with a dot. wire.json is used where it is there. `--try` takes the settings of `provider try`, and shows every request with secrets as
their placeholders.
Ctrl-C로 끝냅니다. 빌드가 쓰는 것을 빼고 어느 파일이든 바뀌면 다시 빌드합니다. --try의 설정은 `provider try`와 같고, 요청마다 비밀을 자리 표시로 보여 줍니다.

Exit codes · 종료 코드, with --once:
  0  built, and every promise that was asked is kept · 빌드했고, 확인한 약속을 모두 지킴
  1  it could not be built or tested · 빌드하거나 확인할 수 없음
  4  a promise is broken · 지키지 않은 약속이 있음";

/// What is run in the folder.
struct Workshop {
    folder: PathBuf,
    /// What must be there before the first build, and the command that makes it.
    preparation: Option<(&'static str, &'static str)>,
    build: String,
    component: PathBuf,
}

/// Builds and tests until Ctrl-C, or once.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let workshop = Workshop::of(args)?;
    if args.once {
        workshop.build(&place)?;
        return workshop.test();
    }
    let mut end = signals(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?;
    end.set_read_timeout(Some(OFTEN))?;
    let mut watched = Watched::look(&workshop.folder);
    loop {
        let trying = crate::trouble::report(workshop.round(args.tries, &place)).flatten();
        show(say(place.lang, "바뀌기를 기다립니다. Ctrl-C로 끝냅니다.\n", "Waiting for a change. Ctrl-C ends it.\n"))?;
        loop {
            if has_ended(&mut end)? {
                return Ok(exit::OK);
            }
            let now = Watched::look(&workshop.folder);
            if now != watched {
                watched = now;
                break;
            }
        }
        drop(trying);
    }
}

impl Workshop {
    fn of(args: &Args) -> anyhow::Result<Self> {
        let given = args.folder.display().to_string();
        let folder = args.folder.canonicalize().told("폴더를 볼 수 없습니다: {}", "{} cannot be watched", &[&given])?;
        if let (Some(build), Some(component)) = (&args.build, &args.component) {
            let component = folder.join(component);
            return Ok(Self { folder, preparation: None, build: build.clone(), component });
        }
        let Some(language) = Language::of(&folder) else {
            return Told::err(
                "`dmplz provider new`로 만든 폴더가 아닙니다: {}. --build에 빌드 명령을, --component에 그 결과물을 적어 주세요",
                "{} is no folder of `dmplz provider new`: name the command with --build and what it writes with --component",
                &[&given],
            );
        };
        let name = name(language, &folder).told(
            "폴더에서 프로바이더의 이름을 찾을 수 없습니다: {}",
            "the name of the provider in {} is not found",
            &[&given],
        )?;
        Ok(Self {
            preparation: language.preparation(),
            build: named(language.build(), &name),
            component: folder.join(args.component.clone().unwrap_or_else(|| named(language.component(), &name).into())),
            folder,
        })
    }

    /// Builds it, tests it and, if all is well, tries it. Returns what still runs.
    fn round(&self, tries: bool, place: &Place) -> anyhow::Result<Option<Trying>> {
        self.build(place)?;
        if self.test()? != exit::OK || !tries {
            return Ok(None);
        }
        Trying::start(&self.component).map(Some)
    }

    fn build(&self, place: &Place) -> anyhow::Result<()> {
        if let Some((_, command)) = self.preparation.filter(|(made, _)| !self.folder.join(made).exists()) {
            self.command(command, place)?;
        }
        self.command(&self.build, place)
    }

    fn command(&self, command: &str, place: &Place) -> anyhow::Result<()> {
        show(&format!("{}\n", fill(say(place.lang, "실행: {}", "Running: {}"), &[command])))?;
        let status = Command::new("sh").args(["-c", command]).current_dir(&self.folder).status();
        let status = status.told("sh를 실행할 수 없습니다", "sh cannot be started", &[])?;
        if status.success() {
            return Ok(());
        }
        let (ko, en) = ("명령이 실패했습니다: {} ({})", "{} failed: {}");
        Told::err(ko, en, &[command, &status.to_string()])
    }

    fn test(&self) -> anyhow::Result<u8> {
        let wire = Some(self.folder.join("wire.json")).filter(|wire| wire.is_file());
        let component = in_utf8(&self.component)?;
        test::run(&test::Args::of(component, wire))
    }
}

/// Returns the name that the folder's provider was written under.
fn name(language: Language, folder: &Path) -> anyhow::Result<String> {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).not_read(Path::new(file));
    let found = match language {
        Language::Rust => read("Cargo.toml")?
            .parse::<toml::Table>()?
            .get("package")
            .and_then(|package| package.get("name")?.as_str().map(str::to_owned)),
        Language::Javascript => serde_json::from_str::<serde_json::Value>(&read("package.json")?)?
            .get("name")
            .and_then(|name| name.as_str().map(str::to_owned)),
        Language::Python => folder.file_name().and_then(|name| name.to_str().map(str::to_owned)),
    };
    found.told("이름이 없습니다", "there is none", &[])
}

fn in_utf8(component: &Path) -> anyhow::Result<&str> {
    component.to_str().told("컴포넌트의 경로가 UTF-8이 아닙니다", "the path of the component is not UTF-8", &[])
}

/// Waits for Ctrl-C or the end of the terminal, at most for the stream's read time-out. Returns whether it came, now or before.
fn has_ended(end: &mut UnixStream) -> anyhow::Result<bool> {
    match end.read(&mut [0]) {
        Ok(_) => Ok(true),
        Err(error) if [ErrorKind::WouldBlock, ErrorKind::Interrupted].contains(&error.kind()) => Ok(false),
        Err(error) => Err(error).told("Ctrl-C를 기다릴 수 없습니다", "Ctrl-C cannot be listened for", &[]),
    }
}

/// A card in the real chat, and the log that shows what is asked for it. Both end with this value.
struct Trying([Child; 2]);

impl Trying {
    fn start(component: &Path) -> anyhow::Result<Self> {
        let program = std::env::current_exe().told(
            "이 프로그램의 경로를 찾을 수 없습니다",
            "this program's own path cannot be found",
            &[],
        )?;
        let start = |arguments: &[&str]| {
            let mut command = Command::new(&program);
            // A group of its own, because the hook that it starts has to end with it.
            command.args(arguments).env("DMPLZ_LOG", "debug").process_group(0).stdin(Stdio::null());
            command.spawn().told("dmplz를 실행할 수 없습니다", "dmplz cannot be started", &[])
        };
        let log = start(&["logs", "--follow", "--level", "debug", "--limit", "0"])?;
        let component = in_utf8(component)?;
        Ok(Self([start(&["provider", "try", component, "--wait", WAIT])?, log]))
    }
}

impl Drop for Trying {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // As Ctrl-C: the hook then retires its card.
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(pid, Signal::INT);
            }
            let _ = child.wait();
        }
    }
}
