//! The text that the agent is writing, on its way to those who look on.

use std::time::Duration;

use dmplz_runner::control::Partial;
use tokio::time::{Instant, sleep_until};

/// How often it is told at most.
const PAUSE: Duration = Duration::from_millis(100);
/// How much of one text is told while it is written, in bytes. The finished text has all of it.
pub(super) const MOST: usize = 64 << 10;

/// What was written, and is not told yet.
#[derive(Debug, Default)]
pub(super) struct Writing {
    /// Whether a text is being written. What comes without its beginning is left out.
    is_open: bool,
    /// Whether the next part begins a text.
    begins: bool,
    text: String,
    /// How much of the text has come, in bytes.
    length: usize,
    due: Option<Instant>,
}

impl Writing {
    /// Takes a part in.
    pub(super) fn take(&mut self, part: Partial) {
        match part {
            Partial::Begins => *self = Self { is_open: true, begins: true, ..Self::default() },
            Partial::Text(text) if self.is_open && self.length + text.len() <= MOST => {
                self.length += text.len();
                self.text.push_str(&text);
                self.due.get_or_insert_with(|| Instant::now() + PAUSE);
            }
            Partial::Text(_) => self.is_open = false,
        }
    }

    /// Waits until something is to be told. Forever if nothing is.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Returns what is to be told now, and whether it begins a text.
    pub(super) fn told(&mut self) -> (bool, String) {
        self.due = None;
        (std::mem::take(&mut self.begins), std::mem::take(&mut self.text))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    fn text(text: &str) -> Partial {
        Partial::Text(text.to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_written_within_a_moment_is_told_together() {
        let mut writing = Writing::default();
        writing.take(text("the end of what nobody heard the beginning of"));
        assert!(timeout(PAUSE * 10, writing.due()).await.is_err(), "nothing is told");
        writing.take(Partial::Begins);
        let begun = Instant::now();
        writing.take(text("Hel"));
        writing.take(text("lo"));
        writing.due().await;
        assert_eq!((begun.elapsed(), writing.told()), (PAUSE, (true, "Hello".to_owned())));
        writing.take(text(" you"));
        writing.due().await;
        assert_eq!(writing.told(), (false, " you".to_owned()));
        assert!(timeout(PAUSE * 10, writing.due()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn of_a_long_text_the_beginning_is_told() {
        let mut writing = Writing::default();
        writing.take(Partial::Begins);
        writing.take(text(&"x".repeat(MOST)));
        writing.take(text("y"));
        writing.take(text("z"));
        assert_eq!(writing.told().1.len(), MOST);
        assert!(timeout(PAUSE * 10, writing.due()).await.is_err());
    }
}
