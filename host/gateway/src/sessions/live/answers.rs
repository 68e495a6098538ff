//! What the client asks of people, and how their answers go to it.

use dmplz_core::request::Resolver;
use dmplz_protocol::RequestId;
use dmplz_protocol::session::Happening;

use super::super::asking::Answer;
use super::super::link::Link;
use super::Live;

impl Live {
    /// Asks people what the client asked under this id.
    pub(super) fn ask(&mut self, id: String, answer: impl Future<Output = Answer> + Send + 'static) {
        let key = id.clone();
        let asking = self.asking.spawn(async move { (key, answer.await) });
        self.open.insert(id, asking);
        self.view.asks(self.open.len());
    }

    /// Tells the client what the session may do. If it refuses, those who look on are told.
    pub(super) async fn permit(&mut self, link: &mut Link) -> std::io::Result<()> {
        let (_, line) = self.exchange.command(&self.permissions.command());
        link.write(&line).await
    }

    /// Hands an answer to the client, unless it has been cancelled meanwhile.
    pub(super) async fn answered(&mut self, id: String, answer: Answer, link: &mut Link) -> std::io::Result<()> {
        self.open.remove(&id);
        self.view.asks(self.open.len());
        if let Some(text) = answer.notice {
            self.tell(self.view.add(self.at, Happening::Notice { text }));
        }
        let line = answer.response.and_then(|response| self.exchange.answer(&id, &response));
        match line {
            Some(line) => {
                if answer.of_person {
                    self.on_their_way.insert(id);
                }
                if answer.permits {
                    self.permit(link).await?;
                }
                link.write(&line).await
            }
            // The client has it: it stopped, and drops whatever else such a denial says.
            None if self.stopped.remove(&id) => {
                self.approvals.taken(self.request_id(&id), true).await;
                Ok(())
            }
            None => {
                if answer.of_person && self.not_taken(self.request_id(&id)).await {
                    self.permit(link).await?;
                }
                Ok(())
            }
        }
    }

    /// Whether somebody is asked this.
    pub(in crate::sessions) fn is_asked(&self, id: &str) -> bool {
        self.open.contains_key(id)
    }

    /// Nobody has to answer any more. Whether what the session may do has changed with it.
    pub(super) async fn retire(&mut self, id: &str, resolver: Resolver) -> bool {
        if self.denied_by_interrupt(id, self.request_id(id)).await {
            // What follows from the denial follows as from any other.
            self.stopped.insert(id.to_owned());
            return false;
        }
        if let Some(asking) = self.open.remove(id) {
            asking.abort();
        }
        self.view.asks(self.open.len());
        let request = self.request_id(id);
        // One that nobody was asked, or that has ended, is no error.
        let _ = self.approvals.withdraw(request, resolver).await;
        if self.on_their_way.remove(id) {
            return self.not_taken(request).await;
        }
        false
    }

    /// The client did not take what a person answered. Whether what the session may do has changed with it.
    async fn not_taken(&self, request: RequestId) -> bool {
        let (consent, permissions) = (self.setup.consent.clone(), self.permissions.clone());
        let taken_back = tokio::task::spawn_blocking(move || {
            consent.take_back(request);
            permissions.take_back(request)
        });
        let changed = taken_back.await.is_ok_and(|changed| changed.unwrap_or_default());
        self.approvals.taken(request, false).await;
        changed
    }
}
