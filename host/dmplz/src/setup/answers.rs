//! Answers from a file, `--from-file`. An option on the command line comes before the file.
//!
//! | key | is |
//! |---|---|
//! | `messenger = "telegram"` | `--messenger` |
//! | `token = "..."` | the token itself; the file must be readable by its owner alone |
//! | `token_command = "pass show bot"` | `--token-command` |
//! | `wait = "5m"` | `--wait` |
//! | `yes = true`, `install = false` | `--yes`, `--no-install` |
//!
//! No key says who may answer: a person does, at the terminal and in the chat. An error names a key and never a value, which
//! could be the token.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use toml::{Table, Value};

use super::failure::Failure;
use super::{Args, secret};
use crate::settings::line_of;
use crate::{duration, plain_file};

const KEYS: [&str; 6] = ["messenger", "token", "token_command", "wait", "yes", "install"];

/// Reads the file into what is not said on the command line. Returns the token that stands in it.
pub(super) fn read(file: &Path, args: &mut Args) -> Result<Option<String>, Failure> {
    let wrong = |why: String| Failure::AnswersFile(file.display().to_string(), why);
    let text = plain_file::text(file).map_err(|error| wrong(error.to_string()))?;
    let table: Table = text.parse().map_err(|error| wrong(format!("line {} is not TOML", line_of(&error, &text))))?;
    if let Some(unknown) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(wrong(format!("it has no answer {unknown:?}; it takes {}", KEYS.join(", "))));
    }
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
        Some(_) => Err(wrong(format!("{key} takes a text"))),
    };
    let is = |key: &str, usual: bool| match table.get(key) {
        None => Ok(usual),
        Some(Value::Boolean(is)) => Ok(*is),
        Some(_) => Err(wrong(format!("{key} takes true or false"))),
    };
    let token = text("token")?.map(|token| secret::in_text(&token).ok_or_else(|| wrong("token holds none".to_owned())));
    let token = token.transpose()?;
    let command = text("token_command")?;
    if token.is_some() && command.is_some() {
        return Err(wrong("it takes token or token_command, not both".to_owned()));
    }
    if token.is_some() {
        let mode = std::fs::metadata(file).map_err(|error| wrong(error.to_string()))?.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(wrong(format!("others may read it ({mode:03o}), and a token is in it: chmod 600")));
        }
    }
    if let Some(wait) = text("wait")? {
        let wait = duration::patience(&wait).map_err(|takes| wrong(format!("wait takes {takes}")))?;
        args.wait.get_or_insert(wait);
    }
    args.yes |= is("yes", false)?;
    args.no_install |= !is("install", true)?;
    let messenger = text("messenger")?;
    args.messenger = args.messenger.take().or(messenger);
    let is_overruled = args.token_command.is_some();
    args.token_command = args.token_command.take().or(command);
    Ok(token.filter(|_| !is_overruled))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;

    const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";

    fn args() -> Args {
        Args {
            messenger: None,
            from_file: None,
            token_command: None,
            yes: false,
            no_install: false,
            wait: None,
            json: false,
        }
    }

    fn read_text(text: &str, mode: u32, args: &mut Args) -> Result<Option<String>, String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("answers.toml");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        read(&file, args).map_err(|failure| match failure {
            Failure::AnswersFile(_, why) => why,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_file_answers_what_the_command_line_does_not() {
        let mut args = Args { messenger: Some("discord".into()), ..args() };
        let text =
            format!("messenger = \"telegram\"\ntoken = \" {TOKEN} \"\nwait = \"90s\"\nyes = true\ninstall = false\n");
        assert_eq!(read_text(&text, 0o600, &mut args).unwrap().as_deref(), Some(TOKEN));
        assert_eq!(args.messenger.as_deref(), Some("discord"));
        assert_eq!((args.wait, args.yes, args.no_install), (Some(Duration::from_secs(90)), true, true));
        let mut args = Args { token_command: Some("echo".into()), ..self::args() };
        assert_eq!(read_text(&text, 0o600, &mut args).unwrap(), None, "the option comes first");
    }

    #[test]
    fn what_is_wrong_with_it_is_told_without_any_value() {
        let token = format!("token = \"{TOKEN}\"\n");
        for (text, mode, why) in [
            (token.as_str(), 0o644, "others may read it (644), and a token is in it: chmod 600"),
            (&format!("{token}token_command = \"x\"\n"), 0o600, "it takes token or token_command, not both"),
            ("token = \"short\"\n", 0o600, "token holds none"),
            ("yes = \"110201543:AAH\"\n", 0o600, "yes takes true or false"),
            (&format!("token = {TOKEN}\n"), 0o600, "line 1 is not TOML"),
            (
                "wait = \"2h\"\n",
                0o600,
                "wait takes a duration from 1s to 1h, such as 90s, 5m or 1h30m; a number alone is seconds",
            ),
            (
                "chat_id = \"7\"\n",
                0o600,
                "it has no answer \"chat_id\"; it takes messenger, token, token_command, wait, yes, install",
            ),
        ] {
            let told = read_text(text, mode, &mut args()).unwrap_err();
            assert_eq!(told, why, "{text}");
            assert!(!told.contains("AAH"));
        }
    }
}
