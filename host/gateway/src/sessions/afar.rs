//! Sessions that are started, resumed and forked by somebody who is at no terminal: in the folders that the operator allowed in
//! that place, with the gateway's environment.

use std::collections::BTreeMap;
use std::path::Path;

use dmplz_protocol::session::{OneSession, Session, StartSession};
use uuid::Uuid;

use super::{Place, SessionError, Sessions};

impl Sessions {
    /// The folders in which sessions may be started from a place.
    pub fn folders(&self, place: Place<'_>) -> Vec<String> {
        self.shared.setup.folders.of(place).map(|folder| folder.display().to_string()).collect()
    }

    /// Starts a session for somebody who is at no terminal: in a folder that the operator allowed, with the gateway's environment.
    pub async fn start_from_afar(&self, wanted: StartSession, place: Place<'_>) -> Result<OneSession, SessionError> {
        if wanted.env.is_some() {
            return Err(SessionError::Env);
        }
        let cwd = self.shared.setup.folders.allowed(place, &wanted.cwd)?;
        self.start(StartSession { cwd, ..wanted }).await
    }

    /// The same for what a messenger may tell twice: where there is a session of this id, it is the one that was started before. Its first
    /// message is sent by [`Self::send_once`].
    pub async fn start_from_afar_once(
        &self,
        id: Uuid,
        wanted: StartSession,
        place: Place<'_>,
    ) -> Result<Session, SessionError> {
        let cwd = self.shared.setup.folders.allowed(place, &wanted.cwd)?;
        if self.find(id).is_err() {
            self.start_as(id, StartSession { cwd, env: None, prompt: None, ..wanted }).await?;
        }
        Ok(self.find(id)?.view.session())
    }

    /// Goes on with a session that has ended.
    pub async fn resume_from_afar(
        &self,
        id: Uuid,
        env: Option<BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<OneSession, SessionError> {
        self.may_go_on_from_afar(id, env.as_ref(), place)?;
        self.resume(id, None).await
    }

    /// Insists that somebody who is at no terminal may go on with a session: with the gateway's environment, in a folder that the
    /// operator allowed.
    fn may_go_on_from_afar(
        &self,
        id: Uuid,
        env: Option<&BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<(), SessionError> {
        if env.is_some() {
            return Err(SessionError::Env);
        }
        self.shared.setup.folders.allowed(place, Path::new(&self.find(id)?.view.session().cwd)).map(drop)
    }

    /// Starts another session that goes on from the conversation of one.
    pub async fn fork_from_afar(
        &self,
        id: Uuid,
        env: Option<BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<OneSession, SessionError> {
        self.may_go_on_from_afar(id, env.as_ref(), place)?;
        self.fork(id, None).await
    }
}
