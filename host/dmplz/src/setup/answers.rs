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

use dmplz_core::text::Lang;
use toml::{Table, Value};

use super::failure::Failure;
use super::{Args, secret};
use crate::duration::Unit;
use crate::settings::line_of;
use crate::told::Phrase;
use crate::{duration, plain_file, wording};

const KEYS: [&str; 6] = ["messenger", "token", "token_command", "wait", "yes", "install"];

/// Reads the file into what is not said on the command line. Returns the token that stands in it.
pub(super) fn read(file: &Path, args: &mut Args) -> Result<Option<String>, Failure> {
    let wrong = |why: Phrase| Failure::AnswersFile(file.display().to_string(), why);
    let told = |ko: &str, en: &str, values: &[&str]| wrong(Phrase::fill(ko, en, values));
    let text = plain_file::text(file).map_err(|error| wrong(wording::phrase(&error)))?;
    let table: Table = text.parse().map_err(|error| {
        told("{}번째 줄이 TOML이 아닙니다", "line {} is not TOML", &[&line_of(&error, &text).to_string()])
    })?;
    if let Some(unknown) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let (ko, en) = ("없는 답입니다: {}. 쓸 수 있는 것: {}", "it has no answer {}; it takes {}");
        return Err(told(ko, en, &[&format!("{unknown:?}"), &KEYS.join(", ")]));
    }
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
        Some(_) => Err(told("{}에는 따옴표로 묶은 글을 적어 주세요", "{} takes a text", &[key])),
    };
    let is = |key: &str, usual: bool| match table.get(key) {
        None => Ok(usual),
        Some(Value::Boolean(is)) => Ok(*is),
        Some(_) => Err(told("{}에는 true나 false를 적어 주세요", "{} takes true or false", &[key])),
    };
    let holds_none = || told("token에 토큰이 없습니다", "token holds none", &[]);
    let token = text("token")?.map(|token| secret::in_text(&token).ok_or_else(holds_none)).transpose()?;
    let command = text("token_command")?;
    if token.is_some() && command.is_some() {
        let (ko, en) = ("token과 token_command는 함께 쓸 수 없습니다", "it takes token or token_command, not both");
        return Err(told(ko, en, &[]));
    }
    if token.is_some() {
        let mode = std::fs::metadata(file).map_err(|error| wrong(wording::phrase(&error)))?.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(told(
                "토큰이 든 파일을 다른 사용자가 읽을 수 있습니다({}). `chmod 600`을 실행해 주세요",
                "others may read it ({}), and a token is in it: chmod 600",
                &[&format!("{mode:03o}")],
            ));
        }
    }
    if let Some(wait) = text("wait")? {
        let takes = |lang| duration::takes(duration::LEAST_PATIENCE, duration::MOST_PATIENCE, Unit::SECOND, lang);
        let wait = duration::patience(&wait).map_err(|_| {
            wrong([format!("wait에 적을 것: {}", takes(Lang::Ko)), format!("wait takes {}", takes(Lang::En))].into())
        })?;
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
            Failure::AnswersFile(_, why) => why.to_string(),
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

    #[test]
    fn what_is_wrong_with_it_is_told_in_korean_too() {
        let korean = |file: &Path| read(file, &mut args()).unwrap_err().what(Lang::Ko);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("answers.toml");
        for (text, why) in [
            ("yes = 1\n", "yes에는 true나 false를 적어 주세요"),
            ("messenger = 1\n", "messenger에는 따옴표로 묶은 글을 적어 주세요"),
            ("x = [\n", "번째 줄이 TOML이 아닙니다"),
            ("wait = \"2h\"\n", "wait에 적을 것: 1s부터 1h까지의 기간(예: 90s, 5m, 1h30m). 숫자만 쓰면 초 단위"),
        ] {
            std::fs::write(&file, text).unwrap();
            let told = korean(&file);
            assert!(told.contains(&format!("쓸 수 없습니다: {}: ", file.display())) && told.ends_with(why), "{told}");
        }
        assert!(korean(Path::new("/no")).ends_with("쓸 수 없습니다: /no: No such file or directory (os error 2)"));
    }
}
