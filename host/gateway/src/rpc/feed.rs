//! The task that sends events to a session.

use std::pin::Pin;

use tokio::task::AbortHandle;

/// A subscription of a session. Dropping it ends its task.
pub(super) struct Feed {
    to_start: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    task: Option<AbortHandle>,
}

impl Feed {
    /// Creates a subscription whose task runs `telling` once it is started.
    pub(super) fn of(telling: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { to_start: Some(Box::pin(telling)), task: None }
    }

    /// Starts the task, unless it runs already.
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
