//! `dmplz policy init`: a commented file to begin with. Its rules count because a person wrote it there, so it is shown by
//! `--print` before anything, and never put over a file that exists.

use dmplz_policy::authoring::starter::STARTER;

use super::load::WORKSPACE;
use super::sources::here;
use super::{words, write};
use crate::exit;
use crate::settings::{self, environment};
use crate::terminal::{say, show};

/// The arguments of `policy init`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// In this folder, for everybody who shares it: .dmplz/policy.toml · 이 폴더, 함께 쓰는 모두
    #[arg(long)]
    workspace: bool,
    /// Show the file and write nothing · 보여 주기만 하기
    #[arg(long)]
    print: bool,
}

/// Writes the file, or shows it.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = words::lang();
    if args.print {
        show(STARTER)?;
        return Ok(exit::OK);
    }
    let path = if args.workspace {
        let path = here()?.join(WORKSPACE);
        write::create_shared(&path, STARTER)?;
        path
    } else {
        write::create_ours(&settings::state_dir(&environment)?, USER, STARTER)?
    };
    let written = say(
        lang,
        "만들었습니다. 읽고, 고치고, 원하지 않는 것은 지우세요.",
        "written. Read it, change it, delete what you do not want.",
    );
    let next = match args.workspace {
        true => say(
            lang,
            "허용 규칙은 `dmplz policy trust` 뒤에만 적용됩니다.",
            "Its allows count only after `dmplz policy trust`.",
        ),
        false => say(lang, "확인: dmplz policy check 'git status'", "Try it: dmplz policy check 'git status'"),
    };
    show(&format!("{}: {written}\n{next}\n", path.display()))?;
    Ok(exit::OK)
}

/// The name of the user's own file, in the state directory.
const USER: &str = "policy.toml";
