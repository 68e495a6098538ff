//! Many pieces of work, one commit.

use std::ops::Deref;

use rusqlite::{Connection, Savepoint, Transaction, TransactionBehavior};

use super::head::HeadFile;
use super::{Reads, StoreError};

/// A transaction in which each piece of work stands or falls for itself. Dropping it undoes everything.
#[derive(Debug)]
pub struct Batch<'a> {
    transaction: Transaction<'a>,
    head: &'a mut HeadFile,
}

/// Everything that can be written, and read, within a [`Batch`].
#[derive(Debug, Clone, Copy)]
pub struct Writes<'a> {
    reads: Reads<'a>,
    /// The last entry of the trail that `audit.head` is known to name.
    pub(super) head: u64,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(connection: &'a mut Connection, head: &'a mut HeadFile) -> Result<Self, StoreError> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Self { transaction, head })
    }

    /// Does one piece of work. Where it fails, nothing of it stays, and what was done before it does, unless
    /// [`Batch::is_undone`].
    pub fn attempt<T, E: From<StoreError>>(&mut self, work: impl FnOnce(&Writes<'_>) -> Result<T, E>) -> Result<T, E> {
        let savepoint: Savepoint<'_> = self.transaction.savepoint().map_err(StoreError::from)?;
        let done = work(&Writes { reads: Reads { connection: &savepoint }, head: self.head.written() })?;
        savepoint.commit().map_err(StoreError::from)?;
        Ok(done)
    }

    /// Whether an error undid all work so far: SQLite does that where it cannot undo a part, such as on a full disk.
    pub fn is_undone(&self) -> bool {
        self.transaction.is_autocommit()
    }

    /// Makes it last: when this returns, everything is on the disk.
    pub fn commit(self) -> Result<(), StoreError> {
        let last = Reads { connection: &self.transaction }.last()?;
        self.transaction.commit()?;
        self.head.write(&last);
        Ok(())
    }
}

impl<'a> Deref for Writes<'a> {
    type Target = Reads<'a>;

    fn deref(&self) -> &Reads<'a> {
        &self.reads
    }
}
