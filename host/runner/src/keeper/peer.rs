//! The attached gateway.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use super::frame::{Decoder, Frame, Hello, Kind, encode};
use super::log::Log;

/// The number of bytes that are read or sent at once.
const PIECE: usize = 16 << 10;

/// How much may wait to be sent when a part of an unfinished message comes, in bytes.
const WAITING: usize = 64 << 10;
/// How the line begins with which a block of a message begins: client 2.1.330, as observed.
const BLOCK: &[u8] = b"{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_start\",";

/// A connection, and its place in the log.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) stream: UnixStream,
    incoming: Decoder,
    /// Bytes that are not sent yet.
    outgoing: Vec<u8>,
    /// The place in the log that is sent next.
    at: u64,
    /// The place where the past ends, until [`Kind::Live`] was sent.
    live: Option<u64>,
    /// Whether a part of the current block was not sent, so that what follows would make no sense.
    gap: bool,
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
            gap: true,
        })
    }

    /// Sends a part of an unfinished message, if all before it is on its way. Otherwise it is dropped, and the rest of its block too.
    pub(super) fn pass(&mut self, line: &[u8], log: &Log) {
        let keeps_up = self.live.is_none() && self.at == log.end() && self.outgoing.len() < WAITING;
        self.gap = !keeps_up || (self.gap && !line.starts_with(BLOCK));
        if !self.gap {
            self.outgoing.extend(encode(Kind::Partial, line));
        }
    }

    /// Returns whether something is left to send.
    pub(super) fn has_more(&self, log: &Log) -> bool {
        !self.outgoing.is_empty() || self.live.is_some() || self.at < log.end()
    }

    /// Sends as much as the connection accepts now. An error ends the connection, also if the log has dropped the bytes
    /// to send next.
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

    /// Reads the bytes that have arrived. The end of the connection is an error too.
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

    /// Returns the next complete frame.
    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
        self.incoming.take_frame().map_err(io::Error::other)
    }
}
