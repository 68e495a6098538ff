//! `dmplz grants revoke`.

use clap_complete::ArgValueCompleter;
use dmplz_core::grant::{Change, Grant};
use dmplz_state::{Dropped, Grants};

use super::Kept;
use crate::completions::grants;
use crate::named::{IdError, Kind, Named};
use crate::terminal::{say, show};
use crate::told::Told;
use crate::{exit, owner};

/// The arguments of `revoke`.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Args {
    /// Which: ids of `list`, or the first 4 characters of one, or more · 취소할 것의 id
    #[arg(value_name = "ID", add = ArgValueCompleter::new(grants))]
    ids: Vec<String>,
    /// All of them, also where the file cannot be read · 모두
    #[arg(long)]
    all: bool,
    /// Those that were given for a session: its id, or 4 characters of it or more · 한 세션의 것
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
}

/// The grants to revoke.
enum Wanted<'a> {
    All,
    Session(Named<'a>),
    These(Vec<Named<'a>>),
}

/// Takes them back.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let wanted = args.wanted()?;
    let kept = Kept::find()?;
    let revoked = match &kept.state {
        None if matches!(wanted, Wanted::All) => Vec::new(),
        None => {
            let nothing =
                ["취소할 것이 없습니다. 허용해 둔 것이 없습니다", "there is nothing to revoke: nothing is granted"];
            return Told::err(nothing[0], nothing[1], &[]);
        }
        Some(state) => {
            let (dropped, by) = (revoke(&wanted, &kept, &Grants::of(state))?, owner::at_the_terminal());
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

impl Args {
    /// Parses all ids, before anything is looked up.
    fn wanted(&self) -> Result<Wanted<'_>, IdError> {
        Ok(match &self.session {
            _ if self.all => Wanted::All,
            Some(session) => Wanted::Session(Named::read(Kind::SESSION, session)?),
            None => Wanted::These(self.ids.iter().map(|id| Named::read(Kind::GRANT, id)).collect::<Result<_, _>>()?),
        })
    }
}

fn revoke(wanted: &Wanted<'_>, kept: &Kept, grants: &Grants) -> anyhow::Result<Dropped> {
    let session = |grant: &Grant| grant.session.clone();
    match wanted {
        Wanted::All => Ok(grants.revoke_all(kept.now)?),
        Wanted::Session(named) => {
            let sessions: Vec<String> = kept.list()?.iter().filter_map(session).collect();
            let meant = named.among(sessions.iter().map(String::as_str))?;
            Ok(grants.revoke(|grant| grant.session.as_deref() == Some(meant), kept.now)?)
        }
        Wanted::These(named) => {
            let listed = kept.list()?;
            let one = |named: &Named<'_>| named.among(listed.iter().map(|grant| grant.id.as_str()));
            let meant = named.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            Ok(grants.revoke(|grant| meant.contains(&grant.id.as_str()), kept.now)?)
        }
    }
}
