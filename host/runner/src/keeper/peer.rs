//! The gateway that is attached.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use super::frame::{Decoder, Frame, Hello, Kind, encode};
use super::log::Log;

/// What is read or sent at once, in bytes.
const PIECE: usize = 16 << 10;

/// A connection, and how far it was told.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) stream: UnixStream,
    incoming: Decoder,
    /// Not sent yet.
    outgoing: Vec<u8>,
    /// What follows in the log.
    at: u64,
    /// Where the past ends, until that was told.
    live: Option<u64>,
}

impl Peer {
    pub(super) fn attach(stream: UnixStream, log: &Log) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let hello = serde_json::to_vec(&Hello { version: 1, cut: log.is_cut() })?;
        Ok(Self {
            stream,
            incoming: Decoder::default(),
            outgoing: encode(Kind::Hello, &hello),
            at: log.begin(),
            live: Some(log.end()),
        })
    }

    /// Whether something is left to send.
    pub(super) fn has_more(&self, log: &Log) -> bool {
        !self.outgoing.is_empty() || self.live.is_some() || self.at < log.end()
    }

    /// Sends what it takes now. An error ends the connection; so does a log that has dropped what would follow.
    pub(super) fn send(&mut self, log: &Log) -> io::Result<()> {
        loop {
            if self.outgoing.is_empty() {
                self.fill(log)?;
            }
            if self.outgoing.is_empty() {
                return Ok(());
            }
            match self.stream.write(&self.outgoing) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => drop(self.outgoing.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn fill(&mut self, log: &Log) -> io::Result<()> {
        let until = match self.live {
            Some(live) if self.at >= live => {
                self.live = None;
                self.outgoing = encode(Kind::Live, &[]);
                return Ok(());
            }
            Some(live) => live,
            None => log.end(),
        };
        let most = usize::try_from(until.saturating_sub(self.at)).unwrap_or(PIECE).min(PIECE);
        let mut piece = vec![0; most];
        let count = log.read(self.at, &mut piece)?.ok_or(ErrorKind::TimedOut)?;
        piece.truncate(count);
        self.at += count as u64;
        self.outgoing = piece;
        Ok(())
    }

    /// Reads what came; an error also where it hung up.
    pub(super) fn receive(&mut self) -> io::Result<()> {
        let mut piece = [0; PIECE];
        match self.stream.read(&mut piece) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.incoming.feed(piece.get(..count).unwrap_or_default());
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The next whole frame that came.
    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
        self.incoming.take_frame().map_err(io::Error::other)
    }
}
