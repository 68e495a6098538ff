//! Verifies that the audit trail is as recorded, and that the stored requests agree with it.
//!
//! | change | detected by |
//! |---|---|
//! | edited a column | the entry's hash; if that was recomputed, the next entry, or the head |
//! | removed or inserted an entry | the numbers, which have no gap; then as above |
//! | swapped entries | the hash, which covers the number |
//! | removed the end | the head, in `audit.head` |
//! | removed the beginning | the numbers; with a forged `audit.cut` entry **nothing in here**, as below |
//! | rewrote everything from some entry on, including hashes | the head |
//! | the same, including `audit.head` | **nothing in here** |
//! | added an entry at the end, with valid hashes | **nothing in here**: a process killed before it wrote the head does too |
//! | removed `audit.head` | it is missing, and the gateway's next start records that in the trail |
//! | changed a stored request: its asker, tool, outcome, approver, times or masked text | the entries of that request |
//! | changed the exact text of an open request | **nothing in here**: only the gateway could check its input's hash |
//!
//! A chain is only as good as the place where its head is kept. A program that can write to the state directory, such
//! as any program of the same user, can rewrite the trail and its head, and nothing else would show it. To detect that
//! too, copy a head to a place where that user cannot write (print it, mail it), and pass it in later: the trail must
//! still hold it.

mod history;

use super::audit::Entry;
use super::hash::Hash;
use super::head_file::HeadFile;
use super::{Head, Reader, Reads, StoreError};

/// The result of verifying the audit trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The whole trail is valid.
    Verified {
        /// The last entry that was cut off from its beginning; the default if none was.
        cut: Head,
        /// The last entry of the trail.
        last: Head,
        /// The head in `audit.head`. If it is `None`, a removed end would not have been detected.
        head: Option<Head>,
    },
    /// The trail is not as recorded.
    Broken {
        /// The first invalid entry.
        seq: u64,
        /// What is wrong with it.
        what: Break,
    },
}

/// What is wrong with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    /// The entry does not exist, although a later one does.
    #[error("is missing")]
    Missing,
    /// The entry's number comes before the first possible one, or is no number of an entry.
    #[error("comes before the first one")]
    Inserted,
    /// A column holds an invalid value.
    #[error("cannot be read")]
    Unreadable,
    /// The entry was not written after the entry before it.
    #[error("does not follow the entry before it")]
    Chain,
    /// The entry's content does not match its hash.
    #[error("was edited")]
    Edited,
    /// `audit.head` names the entry, and it does not exist.
    #[error("was removed: `audit.head` names it")]
    Removed,
    /// `audit.head` has another hash for this number, so this entry or an earlier one was rewritten.
    #[error("is not the one that `audit.head` names")]
    Rewritten,
    /// The given head names the entry, but it was cut off, so its hash can no longer be compared.
    #[error("was cut off with the beginning of the trail, so the given head, which names it, cannot be compared")]
    CutOff,
    /// The given head names the entry, and it does not exist or has another hash.
    #[error("is not the one that the given head names")]
    Unexpected,
    /// The stored request contradicts the entry.
    #[error("says something else than what is kept of its request")]
    Differs,
    /// The stored requests hold something that no entry records.
    #[error("is missing: something is kept of a request that the trail does not tell")]
    Untold,
}

impl Reader {
    /// Verifies the whole trail. `expected` is a head that was kept elsewhere.
    pub fn verify(&self, expected: Option<Head>) -> Result<Verdict, StoreError> {
        // The head is read first: it is written after the entries, so it is never ahead of what is read after it.
        let head = self.head.as_ref().map(HeadFile::read).transpose()?.flatten();
        let transaction = self.connection.unchecked_transaction()?;
        let mut statement =
            transaction.prepare("SELECT seq, at_ms, kind, request_id, body, prev, hash FROM audit ORDER BY seq")?;
        let mut rows = statement.query([])?;
        let cut = Reads { connection: &transaction }.base()?;
        let mut last = cut;
        let heads = Heads { head, expected };
        if let Err((seq, what)) = heads.begin(cut) {
            return Ok(Verdict::Broken { seq, what });
        }
        while let Some(row) = rows.next()? {
            let (number, due): (i64, _) = (row.get(0)?, last.seq + 1);
            let what = match u64::try_from(number) {
                Ok(number) if number == due => link(&Entry::of(row), &last.hash),
                Ok(number) if number > due => Err(Break::Missing),
                _ => Err(Break::Inserted),
            };
            match what.and_then(|hash| heads.pass(Head { seq: due, hash })) {
                Ok(passed) => last = passed,
                Err(what) => return Ok(Verdict::Broken { seq: due, what }),
            }
        }
        Ok(match heads.end(last) {
            Verdict::Verified { last, head, .. } => match history::contradiction(&transaction, last, cut.seq > 0)? {
                Some((seq, what)) => Verdict::Broken { seq, what },
                None => Verdict::Verified { cut, last, head },
            },
            broken => broken,
        })
    }
}

/// The heads that the trail has not reached yet.
struct Heads {
    head: Option<Head>,
    expected: Option<Head>,
}

impl Heads {
    /// Compares the heads with the beginning of the trail, for heads that name an entry that was cut off.
    fn begin(&self, cut: Head) -> Result<(), (u64, Break)> {
        let other = |head: Option<Head>| head.filter(|head| head.seq == cut.seq && *head != cut);
        let before = |head: Option<Head>| head.filter(|head| head.seq < cut.seq);
        match (other(self.head).or(before(self.head)), other(self.expected), before(self.expected)) {
            (Some(head), ..) => Err((head.seq, Break::Rewritten)),
            (_, Some(head), _) => Err((head.seq, Break::Unexpected)),
            (.., Some(head)) => Err((head.seq, Break::CutOff)),
            _ => Ok(()),
        }
    }

    fn pass(&self, entry: Head) -> Result<Head, Break> {
        let other = |head: Option<Head>| head.is_some_and(|head| head.seq == entry.seq && head != entry);
        match (other(self.head), other(self.expected)) {
            (true, _) => Err(Break::Rewritten),
            (_, true) => Err(Break::Unexpected),
            _ => Ok(entry),
        }
    }

    fn end(&self, last: Head) -> Verdict {
        let ahead = |head: Option<Head>| head.is_some_and(|head| head.seq > last.seq);
        let seq = last.seq + 1;
        match (ahead(self.head), ahead(self.expected)) {
            (true, _) => Verdict::Broken { seq, what: Break::Removed },
            (_, true) => Verdict::Broken { seq, what: Break::Unexpected },
            _ => Verdict::Verified { cut: Head::default(), last, head: self.head },
        }
    }
}

fn link(entry: &rusqlite::Result<Entry>, before: &Hash) -> Result<Hash, Break> {
    match entry {
        Err(_) => Err(Break::Unreadable),
        Ok(entry) if entry.prev != *before => Err(Break::Chain),
        Ok(entry) if entry.computed() != entry.hash => Err(Break::Edited),
        Ok(entry) => Ok(entry.hash),
    }
}
