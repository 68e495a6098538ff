//! Commits many pieces of work in one transaction.

use std::ops::Deref;

use rusqlite::{Connection, Savepoint, Transaction, TransactionBehavior};

use super::head_file::HeadFile;
use super::{Reads, StoreError};

/// A transaction in which each piece of work succeeds or fails on its own. Dropping it undoes everything.
#[derive(Debug)]
pub struct Batch<'a> {
    transaction: Transaction<'a>,
    head: &'a mut HeadFile,
}

/// All writes, and all queries, within a [`Batch`].
#[derive(Debug, Clone, Copy)]
pub struct Writes<'a> {
    reads: Reads<'a>,
    /// The last entry that `audit.head` is known to name.
    pub(super) head: u64,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(connection: &'a mut Connection, head: &'a mut HeadFile) -> Result<Self, StoreError> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Self { transaction, head })
    }

    /// Does one piece of work. If it fails, its own changes are undone and earlier work stays, unless
    /// [`Batch::is_undone`].
    pub fn attempt<T, E: From<StoreError>>(&mut self, work: impl FnOnce(&Writes<'_>) -> Result<T, E>) -> Result<T, E> {
        let savepoint: Savepoint<'_> = self.transaction.savepoint().map_err(StoreError::from)?;
        let done = work(&Writes { reads: Reads { connection: &savepoint }, head: self.head.written() })?;
        savepoint.commit().map_err(StoreError::from)?;
        Ok(done)
    }

    /// Returns whether an error undid all work so far. SQLite does that if it cannot undo a part, such as on a full
    /// disk.
    pub fn is_undone(&self) -> bool {
        self.transaction.is_autocommit()
    }

    /// Commits the transaction. When this returns, everything is on disk.
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
