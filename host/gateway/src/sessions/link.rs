//! The connection to a keeper. One whose keeper is gone tells what its log holds.

use std::collections::VecDeque;
use std::io;

use dmplz_runner::keeper::{Decoder, Frame, Hello, Kind, SessionDir, encode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::{spawn_blocking, yield_now};

/// What is read at once, in bytes.
const PIECE: usize = 64 << 10;

/// Held while what an ended session left is in memory: a gateway that starts finds many of them, of some megabytes each.
static TURN: Semaphore = Semaphore::const_new(1);

/// The frames of a session, and the way to its client.
pub(super) struct Link {
    reader: Option<OwnedReadHalf>,
    writer: Option<OwnedWriteHalf>,
    decoder: Decoder,
    past: VecDeque<Frame>,
    _turn: Option<SemaphorePermit<'static>>,
}

impl Link {
    /// Connects to the keeper, or reads what it left.
    pub(super) async fn open(dir: &SessionDir) -> Result<Self, String> {
        let connected = match dir.socket() {
            Ok(path) => UnixStream::connect(path.as_path()).await,
            Err(error) => Err(io::Error::other(error)),
        };
        match connected {
            Ok(stream) => {
                let (reader, writer) = stream.into_split();
                let (decoder, past) = (Decoder::default(), VecDeque::new());
                Ok(Self { reader: Some(reader), writer: Some(writer), decoder, past, _turn: None })
            }
            Err(error) if dir.is_kept() => Err(format!("its keeper cannot be reached: {error}")),
            Err(_) => {
                let (turn, dir) = (TURN.acquire().await.ok(), dir.clone());
                let found = spawn_blocking(move || dir.past()).await.map_err(|error| error.to_string())?;
                let found = found.map_err(|error| error.to_string())?;
                let hello = serde_json::to_vec(&found.hello).unwrap_or_default();
                let first = Frame { kind: Kind::Hello, bytes: hello };
                let live = Frame { kind: Kind::Live, bytes: Vec::new() };
                let past = std::iter::once(first).chain(found.frames).chain([live]).collect();
                Ok(Self { reader: None, writer: None, decoder: Decoder::default(), past, _turn: turn })
            }
        }
    }

    /// The next frame; none once the keeper is gone. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if !self.past.is_empty() {
                // It is there at once and can be long, and everything else on this thread is to go on.
                yield_now().await;
                return Ok(self.past.pop_front());
            }
            if let Some(frame) = self.decoder.take_frame().map_err(io::Error::other)? {
                return Ok(Some(frame));
            }
            let Some(reader) = &mut self.reader else { return Ok(None) };
            let mut piece = vec![0; PIECE];
            match reader.read(&mut piece).await? {
                0 => return Ok(None),
                count => self.decoder.feed(piece.get(..count).unwrap_or_default()),
            }
        }
    }

    /// Whether there is a keeper, or was when this was opened.
    pub(super) fn is_connected(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes a line to the client.
    pub(super) async fn write(&mut self, line: &str) -> io::Result<()> {
        self.send(Kind::Stdin, line.as_bytes()).await
    }

    /// Tells the client to end.
    pub(super) async fn quit(&mut self) -> io::Result<()> {
        self.send(Kind::Quit, &[]).await
    }

    async fn send(&mut self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        match &mut self.writer {
            Some(writer) => writer.write_all(&encode(kind, bytes)).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

/// What a keeper says first.
pub(super) fn hello(frame: &Frame) -> Hello {
    serde_json::from_slice(&frame.bytes).unwrap_or(Hello { version: 0, cut: true })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn what_an_ended_session_left_is_read_while_everything_else_goes_on() {
        let state = tempfile::tempdir().unwrap();
        let dir = SessionDir::of(state.path(), Uuid::new_v4());
        dir.make().unwrap();
        let log = [encode(Kind::Place, &0_u64.to_le_bytes()), encode(Kind::Stdout, b"{}\n").repeat(100)].concat();
        std::fs::write(dir.path().join("log"), log).unwrap();
        let mut link = Link::open(&dir).await.unwrap();
        let (mut frames, mut others) = (0, 0_usize);
        let reading = async {
            while link.next().await.unwrap().is_some() {
                frames += 1;
            }
        };
        let going_on = async {
            while others < usize::MAX {
                others += 1;
                yield_now().await;
            }
        };
        tokio::select! {
            biased;
            () = reading => {}
            () = going_on => {}
        }
        assert_eq!(frames, 103, "with hello, place and live");
        assert!(others >= 100, "{others}");
        let next = tokio::time::timeout(std::time::Duration::from_millis(1), Link::open(&dir));
        assert!(next.await.is_err(), "one is in memory at a time");
        drop(link);
        assert!(Link::open(&dir).await.is_ok());
    }

    #[tokio::test]
    async fn a_keeper_is_reached_however_long_the_path_of_the_state_directory_is() {
        let state = tempfile::tempdir().unwrap();
        for depth in [0, 1, 9] {
            let dir = SessionDir::of(&state.path().join("a-folder-with-a-long-name/".repeat(depth)), Uuid::new_v4());
            dir.make().unwrap();
            let _keeper = UnixListener::bind(dir.socket().unwrap().as_path()).unwrap();
            assert!(Link::open(&dir).await.unwrap().is_connected(), "{depth}");
        }
    }
}
