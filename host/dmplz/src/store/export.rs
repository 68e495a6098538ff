//! `dmplz store export`: the history for other programs.

use std::io::{BufWriter, ErrorKind, Write};

use dmplz_gateway::{masked, readable};
use dmplz_protocol::{Approval, Standing, Status};

use super::open_at;
use crate::gateway::Place;
use crate::{exit, trouble};

/// Writes every request, oldest first. Returns exit code 4 if one cannot be read; the others are written nevertheless.
pub(super) fn run() -> anyhow::Result<u8> {
    let Some(reader) = open_at(&Place::find()?)? else { return Ok(exit::OK) };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut unreadable = 0;
    let written = readable(&reader, |row| {
        match row {
            Ok(standing) => {
                serde_json::to_writer(&mut out, &Approval::from(as_history_shows(standing)))?;
                out.write_all(b"\n")?;
            }
            Err(row) => {
                unreadable += 1;
                trouble::warn(&row.to_string());
            }
        }
        anyhow::Ok(())
    });
    match written.and_then(|()| Ok(out.flush()?)) {
        // A reader that closes the pipe early is not an error.
        Err(error) if is_closed(&error) => Ok(exit::OK),
        Err(error) => Err(error),
        Ok(()) => Ok(if unreadable == 0 { exit::OK } else { exit::UNWELL }),
    }
}

/// Masks the secrets of open requests, as those of ended ones are.
fn as_history_shows(standing: Standing) -> Standing {
    match standing.status {
        Status::Ended { .. } => standing,
        Status::Open | Status::Denied { .. } => Standing { request: masked(&standing.request), ..standing },
    }
}

fn is_closed(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    let json = error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    kind.or(json) == Some(ErrorKind::BrokenPipe)
}
