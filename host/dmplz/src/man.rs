//! `dmplz man`: the manual pages, one for each command, made from the same tree as the help. For packages.

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use crate::exit;
use crate::terminal::show;

/// What `man` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write the pages of all commands into this folder; without it the page of dmplz is printed
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Prints or writes them.
pub(crate) fn run<C: CommandFactory>(args: &Args) -> anyhow::Result<u8> {
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(C::command()).render(&mut page).context("the page cannot be written")?;
        show(&String::from_utf8_lossy(&page))?;
        return Ok(exit::OK);
    };
    let cannot = || format!("the pages cannot be written to {}", dir.display());
    std::fs::create_dir_all(dir).with_context(cannot)?;
    clap_mangen::generate_to(C::command(), dir).with_context(cannot)?;
    Ok(exit::OK)
}
