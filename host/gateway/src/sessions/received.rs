//! Files that people send to a session.
//!
//! A file is kept in the session's folder, and the message mentions it as the client's own prompt does, `@"PATH"`: the
//! client attaches a picture, a PDF or a text that is mentioned so, and the agent sees the path of any other file, and of
//! all files of a message that it gets in the middle of a turn (observed on 2.1.330). It may read them without asking
//! ([`Launch::received`](dmplz_runner::keeper::Launch)). So no file goes over the session's pipes or into its log.
//!
//! | of a file's name | becomes |
//! |---|---|
//! | letters and digits of any script, `.`, `_` and `-` | the same |
//! | anything else | `_` |
//! | more than [`NAME`] characters | the last ones, with the extension |
//!
//! The message's id, or that of an upload, and a number come before it, so that the same file of a message that is told
//! again replaces itself.

use std::borrow::Cow;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use dmplz_protocol::Refusal;
use dmplz_protocol::session::{FilePart, MAX_FILE, MAX_FILES, MAX_PART, Uploaded};
use dmplz_runner::keeper::{SessionDir, SessionDirError};
use uuid::Uuid;

use super::Sessions;

/// The most characters that are kept of a file's name.
const NAME: usize = 60;
/// How many characters of a message's id begin the name of its files.
const ID: usize = 8;
/// The folder in which the files of a session are, with the slashes around it, as it stands in a mention.
const FOLDER: &str = "/received/";

/// A file that a person sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The file's name. It is untrusted.
    pub name: String,
    /// What is in it.
    pub content: Bytes,
}

impl Sessions {
    /// Keeps the files of a message to a session, and returns the text with their mentions. It writes files.
    pub async fn attach(&self, id: Uuid, message: Uuid, text: &str, files: Vec<Upload>) -> Result<String, Refusal> {
        if files.len() > MAX_FILES {
            return Err(Refusal::TooManyFiles);
        }
        if files.iter().any(|file| file.content.len() > MAX_FILE) {
            return Err(Refusal::LargeFile);
        }
        let mentions = self.write(id, move |dir| keep(dir, message, &files)).await?;
        let text = text.trim_end();
        let gap = if text.is_empty() || mentions.is_empty() { "" } else { "\n\n" };
        Ok(format!("{text}{gap}{}", mentions.join("\n")))
    }

    /// Takes a part of a file for a message to a session. It writes files.
    pub async fn upload(&self, id: Uuid, part: FilePart) -> Result<Uploaded, Refusal> {
        let content = STANDARD.decode(&part.content).map_err(|_| Refusal::BadPart)?;
        if content.len() > MAX_PART {
            return Err(Refusal::BadPart);
        }
        let end = part.at.saturating_add(content.len() as u64);
        if end > MAX_FILE as u64 {
            return Err(Refusal::LargeFile);
        }
        let kept = move |dir: &SessionDir| {
            dir.append(part.upload, part.at, &content)?;
            part.last.then(|| receive(dir, part.upload, (part.upload, 1), &part.name)).transpose()
        };
        Ok(Uploaded { at: end, mention: self.write(id, kept).await? })
    }

    /// Writes files of a session, on a thread that may block.
    async fn write<T: Send + 'static>(
        &self,
        id: Uuid,
        write: impl FnOnce(&SessionDir) -> Result<T, SessionDirError> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.find(id)?;
        let dir = SessionDir::of(&self.shared.setup.state, id);
        let path = dir.path().to_owned();
        let written = tokio::task::spawn_blocking(move || write(&dir)).await;
        let written = written.map_err(|error| SessionDirError::Io { path, source: io::Error::other(error) });
        Ok(written??)
    }
}

/// Keeps the files of a message, and returns their mentions.
fn keep(dir: &SessionDir, message: Uuid, files: &[Upload]) -> Result<Vec<String>, SessionDirError> {
    let kept = |(at, file): (usize, &Upload)| {
        let upload = Uuid::new_v4();
        dir.append(upload, 0, &file.content)?;
        receive(dir, upload, (message, at + 1), &file.name)
    };
    files.iter().enumerate().map(kept).collect()
}

/// Gives an upload the name of a file of a message, and returns its mention.
fn receive(dir: &SessionDir, upload: Uuid, of: (Uuid, usize), name: &str) -> Result<String, SessionDirError> {
    let message = of.0.simple().to_string();
    let name = format!("{}-{}-{}", message.get(..ID).unwrap_or_default(), of.1, plain(name));
    Ok(format!("@\"{}\"", dir.receive(upload, &name)?.display()))
}

/// Makes a name one that cannot lead elsewhere, and that a mention can hold.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name: Vec<char> = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let name: String = name.iter().skip(name.len().saturating_sub(NAME)).collect();
    if name.is_empty() { "file".to_owned() } else { name }
}

/// Returns a text as people are shown it: a file that was kept here by its name alone, `📎 NAME`.
pub(super) fn as_sent(text: &str) -> Cow<'_, str> {
    if !text.contains(FOLDER) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, mention)) = rest.split_once("@\"") {
        let (path, after) = mention.split_once('"').unwrap_or((mention, ""));
        shown.push_str(before);
        match kept_name(path) {
            Some(name) => {
                shown.push_str("📎 ");
                shown.push_str(name);
                rest = after;
            }
            None => {
                shown.push_str("@\"");
                rest = mention;
            }
        }
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Returns the name of a file by its path, if it was kept here.
fn kept_name(path: &str) -> Option<&str> {
    let (_, kept) = path.rsplit_once(FOLDER)?;
    let mut parts = kept.splitn(3, '-');
    let (message, number, name) = (parts.next()?, parts.next()?, parts.next()?);
    let is_ours = message.len() == ID && message.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_ours && number.parse::<usize>().is_ok() && !kept.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leads_elsewhere_and_keeps_its_extension() {
        let long = format!("{}.png", "x".repeat(300));
        for (name, is) in [
            ("shot.png", "shot.png".to_owned()),
            ("../../.ssh/id_rsa", ".._.._.ssh_id_rsa".to_owned()),
            ("화면 2026.png", "화면_2026.png".to_owned()),
            ("a\"b\n.txt", "a_b_.txt".to_owned()),
            ("", "file".to_owned()),
            (&long, format!("{}.png", "x".repeat(NAME - 4))),
        ] {
            assert_eq!(plain(name), is, "{name}");
        }
    }

    #[test]
    fn what_is_kept_is_mentioned_and_shown_by_its_name() {
        let state = tempfile::tempdir().unwrap();
        let dir = SessionDir::of(state.path(), Uuid::nil());
        dir.make().unwrap();
        let upload = |name: &str| Upload { name: name.to_owned(), content: Bytes::from_static(b"x") };
        let mentions = keep(&dir, Uuid::from_u128(0xab << 120), &[upload("a-b.png"), upload("../x")]).unwrap();
        let folder = dir.path().join("received");
        assert_eq!(
            mentions,
            [
                format!("@\"{}/ab000000-1-a-b.png\"", folder.display()),
                format!("@\"{}/ab000000-2-.._x\"", folder.display()),
            ]
        );
        assert_eq!(std::fs::read(folder.join("ab000000-1-a-b.png")).unwrap(), b"x");
        let text = format!("look @\"/etc/passwd\"\n\n{}", mentions.join("\n"));
        assert_eq!(as_sent(&text), "look @\"/etc/passwd\"\n\n📎 a-b.png\n📎 .._x");
        for text in ["a @\"x", "@\"/received/", "@\"/received/ab-1-x\"", "/received/ no mention"] {
            assert_eq!(as_sent(text), text);
        }
    }
}
