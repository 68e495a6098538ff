//! The sessions of paired pages.

use std::io;

use dmplz_state::store::StoreError;

use super::{Disk, DiskError};
use crate::web::{KeepSessions, Kept, SecretHash};

impl KeepSessions for Disk {
    fn find(&self, hash: SecretHash) -> Kept<'_, Option<u64>> {
        Box::pin(async move { Ok(self.reader.ask(move |reads| reads.session(hash.bytes())).await?) })
    }

    fn keep(&self, hash: SecretHash, expires_ms: u64) -> Kept<'_, ()> {
        Box::pin(
            async move { Ok(self.writer.write(move |writes| writes.add_session(hash.bytes(), expires_ms)).await?) },
        )
    }

    fn forget(&self, hash: SecretHash) -> Kept<'_, ()> {
        Box::pin(async move { Ok(self.writer.write(move |writes| writes.drop_session(hash.bytes())).await?) })
    }
}

impl From<DiskError> for io::Error {
    fn from(error: DiskError) -> Self {
        let kind = match &error {
            DiskError::Store(StoreError::Full(_)) => io::ErrorKind::StorageFull,
            DiskError::Store(StoreError::Busy(_)) => io::ErrorKind::ResourceBusy,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
