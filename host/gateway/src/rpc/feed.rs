//! What tells a session of events.

use std::pin::Pin;

use tokio::task::AbortHandle;

/// A subscription of a session. Dropping it ends it.
pub(super) struct Feed {
    to_start: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    task: Option<AbortHandle>,
}

impl Feed {
    /// A subscription that `telling` serves, once it is started.
    pub(super) fn of(telling: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { to_start: Some(Box::pin(telling)), task: None }
    }

    /// Begins to tell, unless it has begun.
    pub(super) fn start(&mut self) {
        if let Some(telling) = self.to_start.take() {
            self.task = Some(tokio::spawn(telling).abort_handle());
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
