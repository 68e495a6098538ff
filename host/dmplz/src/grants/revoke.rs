//! `dmplz grants revoke`.

use anyhow::{anyhow, bail};
use dmplz_core::policy::{Change, Grant};
use dmplz_state::{Dropped, Grants};

use super::Kept;
use crate::terminal::{say, show};
use crate::{exit, owner};

/// What it is told.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Args {
    /// Which: ids of `list`, or their beginnings while only one begins so · 취소할 것의 id
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// All of them, also where the file cannot be read · 모두
    #[arg(long)]
    all: bool,
    /// Those that were given for a session: its id, or the beginning of it · 한 세션의 것
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
}

/// Takes them back.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let kept = Kept::find()?;
    let revoked = match &kept.state {
        None if args.all => Vec::new(),
        None => bail!("revoke: nothing is granted"),
        Some(state) => {
            let (dropped, by) = (revoke(args, &kept, &Grants::of(state))?, owner::at_the_terminal());
            super::tell(&dropped.changes(|grant| Change::revoked(grant, &by)), state.path());
            dropped.meant
        }
    };
    if revoked.is_empty() {
        show(say(kept.lang, "허용해 둔 것이 없습니다.\n", "Nothing is granted.\n"))?;
    }
    let done = say(kept.lang, "취소했습니다", "revoked");
    for grant in &revoked {
        show(&format!("{done}: {}  {}\n", grant.short(), grant.line(kept.lang)))?;
    }
    Ok(exit::OK)
}

fn revoke(args: &Args, kept: &Kept, grants: &Grants) -> anyhow::Result<Dropped> {
    if args.all {
        return Ok(grants.revoke_all(kept.now)?);
    }
    let listed = kept.list()?;
    let meant: Vec<&Grant> = match &args.session {
        Some(session) => {
            let of_session = |grant: &&Grant| begins(grant.session.as_deref().unwrap_or_default(), session);
            let meant: Vec<_> = listed.iter().filter(of_session).collect();
            let first = meant.first().ok_or_else(|| anyhow!("revoke: no grant is of a session {session}"))?;
            if meant.iter().any(|grant| grant.session != first.session) {
                bail!("revoke: several sessions begin with {session}");
            }
            meant
        }
        None => args.ids.iter().map(|id| one(&listed, id)).collect::<anyhow::Result<_>>()?,
    };
    Ok(grants.revoke(|grant| meant.iter().any(|one| one.id == grant.id), kept.now)?)
}

/// The one grant whose id begins so.
fn one<'a>(listed: &'a [Grant], id: &str) -> anyhow::Result<&'a Grant> {
    let mut found = listed.iter().filter(|grant| begins(&grant.id, &id.to_ascii_lowercase()));
    match (found.next(), found.next()) {
        (Some(grant), None) => Ok(grant),
        (None, _) => bail!("revoke {id}: no grant begins so"),
        (Some(_), Some(_)) => bail!("revoke {id}: several grants begin so"),
    }
}

fn begins(id: &str, beginning: &str) -> bool {
    !beginning.is_empty() && id.starts_with(beginning)
}
