//! What people allowed a session's client to do from then on, when they answered its requests: rules and directories, with
//! who allowed them and when.
//!
//! | stored for | it is in force by | it is taken back by |
//! |---|---|---|
//! | the session | settings that each client of the session is told (`apply_flag_settings`), so also after a resume | telling the client the rest |
//! | a project, or all of them | the client's settings files, which the client writes | removing it from that file |
//!
//! They are kept in `permissions.json` of the session's folder, and go with it. A file that cannot be read allows nothing, and
//! the log says so. A fork begins without those of its original.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dmplz_core::approvers::Approver;
use dmplz_core::claude::{Permission, PermissionUpdate, Scope};
use dmplz_core::visible::visible_line;
use dmplz_protocol::RequestId;
use dmplz_protocol::session::GivenPermission;
use dmplz_runner::control::{Command, FlagSettings, PermissionLists};
use serde::{Deserialize, Serialize};

use crate::mutex::Mutex;
use crate::secret_file::{self, Unusable};

const FILE: &str = "permissions.json";
/// The most bytes of the file that are read.
const LONGEST: u64 = 1 << 20;
/// The most permissions of a session. Beyond, calls are asked about again.
const MOST: usize = 500;

/// What people allowed the client of one session. Cheap to clone.
#[derive(Clone)]
pub(super) struct Permissions {
    file: PathBuf,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Kept {
    /// The number of the last one, so that none is used again.
    last: u32,
    given: Vec<Given>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Given {
    request: RequestId,
    #[serde(flatten)]
    shown: GivenPermission,
}

impl Permissions {
    /// Reads those of the session with this folder. `warn` is called if they cannot be read.
    pub(super) fn open(folder: &Path, warn: &dyn Fn(&str)) -> Self {
        let file = folder.join(FILE);
        let kept = read(&file).unwrap_or_else(|why| {
            let path = file.display();
            warn(&format!(
                "{path} cannot be read, so what people allowed this session from then on is not in force, and is asked again: {why}"
            ));
            Kept::default()
        });
        Self { file, kept: Arc::new(Mutex::new(kept)) }
    }

    /// Returns those that are in force, oldest first. Their texts are as the client's settings write them.
    pub(super) fn list(&self) -> Vec<GivenPermission> {
        self.kept.lock().given.iter().map(|given| given.shown.clone()).collect()
    }

    /// Keeps what an answer stored. An answer that is kept already changes nothing: it may be given again by another gateway.
    pub(super) fn keep(
        &self,
        request: RequestId,
        stored: &[PermissionUpdate],
        by: &Approver,
        at_ms: u64,
    ) -> io::Result<()> {
        let mut kept = self.kept.lock();
        if kept.given.iter().any(|given| given.request == request) {
            return Ok(());
        }
        let mut changed = kept.clone();
        for (permission, scope) in
            stored.iter().flat_map(|update| update.permissions().into_iter().map(|it| (it, update.destination())))
        {
            if changed.given.iter().any(|given| given.shown.permission == permission && given.shown.scope == scope) {
                continue;
            }
            if changed.given.len() >= MOST {
                return Err(io::Error::other(format!("a session has at most {MOST} of them")));
            }
            changed.last += 1;
            let by = by.answerer().clone();
            let shown = GivenPermission { number: changed.last, permission, scope, by, at_ms };
            changed.given.push(Given { request, shown });
        }
        self.write(&mut kept, changed).map(drop)
    }

    /// Forgets the one with this number.
    pub(super) fn remove(&self, number: u32) -> io::Result<()> {
        self.retain(|given| given.shown.number != number).map(drop)
    }

    /// Forgets what an answer stored that the client did not take. Whether there was anything.
    pub(super) fn take_back(&self, request: RequestId) -> io::Result<bool> {
        self.retain(|given| given.request != request)
    }

    /// Returns whether there ever were any, so that the client may have been told of some that count no more.
    pub(super) fn were_any(&self) -> bool {
        self.kept.lock().last > 0
    }

    /// Returns the request that tells the client what the session may do.
    pub(super) fn command(&self) -> Command {
        let mut permissions = PermissionLists::default();
        for GivenPermission { permission, .. } in self.list().into_iter().filter(|it| it.scope == Scope::Session) {
            match permission {
                Permission::Rule(rule) => permissions.allow.push(rule),
                Permission::Directory(directory) => permissions.additional_directories.push(directory),
            }
        }
        Command::ApplyFlagSettings { settings: FlagSettings { permissions } }
    }

    /// Forgets what does not stay. Whether there was anything.
    fn retain(&self, stays: impl Fn(&Given) -> bool) -> io::Result<bool> {
        let mut kept = self.kept.lock();
        let mut changed = kept.clone();
        changed.given.retain(stays);
        self.write(&mut kept, changed)
    }

    /// Writes what has changed; nothing counts before. Whether anything has.
    fn write(&self, kept: &mut Kept, changed: Kept) -> io::Result<bool> {
        let is_other = changed.last != kept.last || changed.given.len() != kept.given.len();
        if is_other {
            secret_file::write(&self.file, &serde_json::to_string(&changed)?)?;
            *kept = changed;
        }
        Ok(is_other)
    }
}

/// Reads the file. The text of an error says what is wrong with it.
fn read(file: &Path) -> Result<Kept, String> {
    match secret_file::read_at_most(file, LONGEST) {
        Err(Unusable::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(Unusable::Io(error)) => Err(error.to_string()),
        Err(Unusable::Exposed) => Err("it is no plain file that only this user can read".to_owned()),
        Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
    }
}

/// Returns the permission as people read it: what would hide or redraw a line is shown escaped.
pub(super) fn shown(given: GivenPermission) -> GivenPermission {
    let permission = match given.permission {
        Permission::Rule(rule) => Permission::Rule(visible_line(&rule)),
        Permission::Directory(directory) => Permission::Directory(visible_line(&directory)),
    };
    GivenPermission { permission, ..given }
}

#[cfg(test)]
mod tests {
    use dmplz_core::approvers::Approvers;
    use dmplz_core::messenger::User;
    use serde_json::json;

    use super::*;

    fn person() -> Approver {
        let user = User { id: "7".into(), name: "Ada".into(), is_bot: false };
        Approvers::owner("web", "7").admit(&user).unwrap()
    }

    fn open(folder: &Path) -> Permissions {
        Permissions::open(folder, &|line| panic!("{line}"))
    }

    fn updates(json: serde_json::Value) -> Vec<PermissionUpdate> {
        serde_json::from_value(json).unwrap()
    }

    fn stored() -> Vec<PermissionUpdate> {
        updates(json!([
            { "type": "addRules", "rules": [{ "toolName": "Bash", "ruleContent": "git push *" }], "behavior": "allow", "destination": "session" },
            { "type": "addDirectories", "directories": ["/data"], "destination": "session" },
            { "type": "setMode", "mode": "acceptEdits", "destination": "session" },
            { "type": "addRules", "rules": [{ "toolName": "WebSearch" }], "behavior": "allow", "destination": "userSettings" },
        ]))
    }

    fn told(permissions: &Permissions) -> String {
        serde_json::to_string(&permissions.command()).unwrap()
    }

    #[test]
    fn what_a_person_allowed_is_kept_with_who_and_when_and_the_client_is_told_what_is_the_sessions() {
        let folder = tempfile::tempdir().unwrap();
        let permissions = open(folder.path());
        assert_eq!(
            told(&permissions),
            r#"{"subtype":"apply_flag_settings","settings":{"permissions":{"allow":[],"additionalDirectories":[]}}}"#
        );
        let request = RequestId::of_secret([1; 16]);
        permissions.keep(request, &stored(), &person(), 5).unwrap();
        // Another gateway gives the same answer again.
        permissions.keep(request, &stored(), &person(), 9).unwrap();
        let kept = open(folder.path()).list();
        let kept: Vec<String> = kept.iter().map(|given| serde_json::to_string(given).unwrap()).collect();
        insta::assert_snapshot!(kept.join("\n"), @r#"
        {"number":1,"permission":{"kind":"rule","text":"Bash(git push *)"},"scope":"session","by":{"surface":"web","id":"7","name":"Ada"},"atMs":5}
        {"number":2,"permission":{"kind":"directory","text":"/data"},"scope":"session","by":{"surface":"web","id":"7","name":"Ada"},"atMs":5}
        {"number":3,"permission":{"kind":"rule","text":"WebSearch"},"scope":"userSettings","by":{"surface":"web","id":"7","name":"Ada"},"atMs":5}
        "#);
        assert_eq!(
            told(&permissions),
            r#"{"subtype":"apply_flag_settings","settings":{"permissions":{"allow":["Bash(git push *)"],"additionalDirectories":["/data"]}}}"#
        );
    }

    #[test]
    fn a_number_is_not_used_again_and_what_was_taken_back_does_not_return() {
        let folder = tempfile::tempdir().unwrap();
        let permissions = open(folder.path());
        let (first, second) = (RequestId::of_secret([1; 16]), RequestId::of_secret([2; 16]));
        permissions.keep(first, &stored(), &person(), 5).unwrap();
        permissions.remove(3).unwrap();
        permissions.remove(3).unwrap();
        let again = open(folder.path());
        again.keep(second, &stored(), &person(), 6).unwrap();
        let numbers =
            |permissions: &Permissions| permissions.list().iter().map(|given| given.number).collect::<Vec<_>>();
        assert_eq!(numbers(&again), [1, 2, 4], "what is in force already is not kept twice");
        assert!(again.take_back(first).unwrap() && !again.take_back(first).unwrap());
        assert_eq!(numbers(&open(folder.path())), [4]);
    }

    #[test]
    fn a_file_that_cannot_be_read_allows_nothing_and_one_that_cannot_be_written_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let permissions = open(folder.path());
        permissions.keep(RequestId::of_secret([1; 16]), &stored(), &person(), 5).unwrap();
        let path = folder.path().join(FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() / 2]).unwrap();
        let warned = std::cell::RefCell::new(Vec::new());
        let warn = |line: &str| warned.borrow_mut().push(line.to_owned());
        assert!(Permissions::open(folder.path(), &warn).list().is_empty());
        std::fs::write(&path, &text).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
        assert!(Permissions::open(folder.path(), &warn).list().is_empty(), "others could have written it");
        let warned = warned.take();
        let follows = format!("{} cannot be read, so what people allowed this session", path.display());
        assert!(warned.len() == 2 && warned.iter().all(|line| line.starts_with(&follows)), "{warned:?}");
        assert!(warned[1].ends_with("it is no plain file that only this user can read"), "{warned:?}");
        std::fs::remove_dir_all(folder.path()).unwrap();
        assert!(permissions.remove(1).is_err());
        assert_eq!(permissions.list().len(), 3);
    }
}
