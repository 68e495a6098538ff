//! Whether the audit trail is what was recorded, and the history of requests what the trail tells.
//!
//! | what somebody did | found by |
//! |---|---|
//! | edited a column | the entry's hash; where that was computed anew, the next entry, or the head |
//! | removed an entry, or inserted one | the numbers, which have no gap; then as above |
//! | exchanged entries | the hash, which covers the number |
//! | removed the end | the head, in `audit.head` |
//! | removed the beginning | the numbers; where an `audit.cut` entry was added that says so, **nothing in here**, as below |
//! | wrote everything from some entry on anew, hashes included | the head |
//! | the same, and `audit.head` with it | **nothing in here** |
//! | added an entry at the end, with the right hashes | **nothing in here**: so does a process that is killed before it wrote the head |
//! | removed `audit.head` | it is missing, and the gateway's next start says so in the trail |
//! | changed what `requests` keeps: who asked for which tool, how it ended, by whom, when, the masked text | the entries of that request |
//! | changed the exact text of a request that is open | **nothing in here**: the trail has the hash of its input, which the gateway could tell |
//!
//! A chain is only as good as where its head is kept. Whoever can write to the state directory, so whatever runs as the
//! same user, can write the trail and its head anew, and nothing beside them tells. To find that too, copy a head to
//! where that user cannot write (print it, mail it) and hand it in later: the trail must still hold it.

mod history;

use super::audit::Entry;
use super::hash::Hash;
use super::head::HeadFile;
use super::{Head, Reader, Reads, StoreError};

/// What verifying the audit trail came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All of it is in order.
    Verified {
        /// The last entry that was cut off from its beginning; the default where none was.
        cut: Head,
        /// Its end.
        last: Head,
        /// What `audit.head` says. None where it is missing: then a removed end would not have been found.
        head: Option<Head>,
    },
    /// It is not what was recorded.
    Broken {
        /// The first entry that is not in order.
        seq: u64,
        /// What is wrong with it.
        what: Break,
    },
}

/// What is wrong with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    /// It is not there, though a later one is.
    #[error("is missing")]
    Missing,
    /// It has a number that no entry has.
    #[error("comes before the first one")]
    Inserted,
    /// A column does not hold what belongs there.
    #[error("cannot be read")]
    Unreadable,
    /// It was not written after the entry before it.
    #[error("does not follow the entry before it")]
    Chain,
    /// Its content does not have its hash.
    #[error("was edited")]
    Edited,
    /// `audit.head` names it, and it is not there.
    #[error("was removed: `audit.head` names it")]
    Removed,
    /// `audit.head` names another one of its number, so it or one before it was written anew.
    #[error("is not the one that `audit.head` names")]
    Rewritten,
    /// The head that was handed in names it, and it was cut off: whether it was that one cannot be known any more.
    #[error("was cut off with the beginning of the trail, so the given head, which names it, cannot be compared")]
    CutOff,
    /// The head that was handed in names it, and it is not there, or is another one.
    #[error("is not the one that the given head names")]
    Unexpected,
    /// What is kept of its request says something else.
    #[error("says something else than what is kept of its request")]
    Differs,
    /// Something is kept of a request that no entry tells.
    #[error("is missing: something is kept of a request that the trail does not tell")]
    Untold,
}

impl Reader {
    /// Reads the whole trail. `expected` is a head that somebody kept elsewhere.
    pub fn verify(&self, expected: Option<Head>) -> Result<Verdict, StoreError> {
        // The head first: it is written after the entries, so it is never ahead of what is read after it.
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

/// The heads that the trail has yet to come to.
struct Heads {
    head: Option<Head>,
    expected: Option<Head>,
}

impl Heads {
    /// The heads that name what was cut off, or the last of it.
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
