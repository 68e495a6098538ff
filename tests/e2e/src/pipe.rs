use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The output of one end of a socket, which a separate thread reads.
#[derive(Clone)]
pub(crate) struct Pipe(Arc<(Mutex<Content>, Condvar)>);

#[derive(Default)]
struct Content {
    bytes: Vec<u8>,
    is_over: bool,
    /// Since when.
    over_at: Option<Instant>,
}

impl Pipe {
    pub(crate) fn read(mut socket: UnixStream) -> Self {
        let pipe = Self(Arc::default());
        let shared = pipe.clone();
        std::thread::spawn(move || {
            let mut chunk = [0; 16384];
            loop {
                let count = socket.read(&mut chunk).unwrap_or(0);
                let (state, changed) = &*shared.0;
                let mut state = state.lock().unwrap();
                state.bytes.extend_from_slice(&chunk[..count]);
                state.is_over = count == 0;
                state.over_at = (count == 0).then(Instant::now);
                changed.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        pipe
    }

    /// Waits for the end of the input, or for bytes that satisfy `enough`. Returns `None` if neither came in time.
    pub(crate) fn wait(&self, wait: Duration, enough: impl Fn(&[u8]) -> bool) -> Option<String> {
        let end = Instant::now() + wait;
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        while !state.is_over && !enough(&state.bytes) {
            let left = end.checked_duration_since(Instant::now())?;
            state = changed.wait_timeout(state, left).unwrap().0;
        }
        Some(String::from_utf8(state.bytes.clone()).expect("UTF-8"))
    }

    /// Returns when it ended; `None` while it is open.
    pub(crate) fn over_at(&self) -> Option<Instant> {
        self.0.0.lock().unwrap().over_at
    }

    /// Returns the text so far.
    pub(crate) fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.0.0.lock().unwrap().bytes).into_owned()
    }
}
