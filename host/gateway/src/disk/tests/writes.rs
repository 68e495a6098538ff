//! The records of a request as single calls, for tests. Nobody is told their numbers but the caller.

use super::*;
use crate::disk::ledger::Record;

impl Disk {
    pub(crate) async fn add(&self, request: &Request) -> Result<u64, DiskError> {
        self.write_silently(Record::Asked(Arc::new(request.clone())), 0).await.map(Option::unwrap)
    }

    pub(crate) async fn settle(&self, request: &Request, end: &Resolution, at_ms: u64) -> Result<u64, DiskError> {
        let record = Record::Ruled { request: Arc::new(request.clone()), resolution: end.clone() };
        self.write_silently(record, at_ms).await.map(Option::unwrap)
    }

    pub(crate) async fn deny(
        &self,
        id: RequestId,
        by: &Answerer,
        until_ms: u64,
        instead: bool,
        at_ms: u64,
    ) -> Result<Option<u64>, DiskError> {
        self.write_silently(Record::Denied { id, by: by.clone(), until_ms, instead }, at_ms).await
    }

    pub(crate) async fn resolve(&self, id: RequestId, end: &Resolution, at_ms: u64) -> Result<Option<u64>, DiskError> {
        self.write_silently(Record::Ended { id, resolution: end.clone() }, at_ms).await
    }

    pub(crate) async fn taken(&self, id: RequestId, taken: bool, at_ms: u64) -> Result<Option<u64>, DiskError> {
        self.write_silently(Record::Taken { id, taken }, at_ms).await
    }

    pub(crate) async fn record(&self, message: &Message, at_ms: u64) -> Result<u64, DiskError> {
        self.write_silently(Record::Told(message.clone()), at_ms).await.map(Option::unwrap)
    }

    async fn write_silently(&self, record: Record, at_ms: u64) -> Result<Option<u64>, DiskError> {
        self.write(record, at_ms, Box::new(|_| {})).await
    }
}
