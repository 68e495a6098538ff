//! A command line that is not understood: told in the reader's language, and as JSON where it asks for that.

use std::error::Error as _;
use std::ffi::OsString;
use std::num::ParseIntError;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use dmplz_core::text::{Lang, fill};

use super::suggestion;
use crate::failed::Failed;
use crate::{exit, settings, wording};

/// The commands whose `--json` is an object a line: in the place of a line there is none about an error.
const STREAMS: [&[&str]; 4] = [&["serve"], &["logs"], &["approvals", "watch"], &["audit", "show"]];

/// Tells what is wrong with a command line, or shows the help that it asks for. Returns the exit code.
pub(super) fn tell(mut error: Error, arguments: &[OsString], root: &Command) -> u8 {
    let (path, within) = named(arguments, root);
    suggestion::improve(&mut error, root, &path, within);
    if !error.use_stderr() {
        let _ = error.print();
        return exit::OK;
    }
    let (lang, json) = (settings::language(), wants_json(arguments, &path));
    let korean = (lang == Lang::Ko).then(|| korean(&error)).flatten();
    let failed = |what: String, lang| {
        let next = Some(next(&error, &path, lang));
        Failed { code: "usage", what, next, exit: code(&path), lang }
    };
    if let Some(what) = korean {
        return failed(what, Lang::Ko).tell(json);
    }
    let _ = error.print();
    let failed = failed(english(&error), Lang::En);
    if json {
        // The exit code says it too, if stdout is closed.
        let _ = failed.show();
    }
    failed.exit
}

/// Returns the names of the commands that the line begins with, and the innermost of them.
fn named<'c>(arguments: &[OsString], root: &'c Command) -> (Vec<&'c str>, &'c Command) {
    let (mut path, mut within) = (Vec::new(), root);
    for argument in arguments.iter().skip(1) {
        let Some(command) = within.find_subcommand(argument) else { break };
        path.push(command.get_name());
        within = command;
    }
    (path, within)
}

/// Returns the exit code of a malformed command line. It is not always 2, because for `policy check` 2 is an answer,
/// and for `exec` the command's own code.
fn code(path: &[&str]) -> u8 {
    match path {
        ["policy", "check"] => exit::CHECK_USAGE,
        ["exec"] => exit::EXEC_USAGE,
        _ => exit::USAGE,
    }
}

/// Returns whether a line that cannot be parsed has `--json`, for one object.
fn wants_json(arguments: &[OsString], path: &[&str]) -> bool {
    let has = |name: &str| arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == name);
    let streams = STREAMS.contains(&path) || (path == ["policy", "check"] && has("-"));
    has("--json") && !streams
}

/// Returns the parser's own message as one line.
fn english(error: &Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a subcommand is missing".to_owned();
    }
    let text = error.render().to_string();
    let message = text.split("\n\n").next().unwrap_or_default();
    let lines: Vec<&str> = message.trim_start_matches("error: ").lines().map(str::trim).collect();
    lines.join(" ")
}

/// Returns the message in Korean; `None` where the parser shows help, or for what no command line of this program causes.
fn korean(error: &Error) -> Option<String> {
    let argument = held(error, ContextKind::InvalidArg).unwrap_or_default();
    let value = held(error, ContextKind::InvalidValue).filter(|value| !value.is_empty());
    Some(match error.kind() {
        ErrorKind::UnknownArgument => fill("받지 않는 옵션이나 인자입니다: {}", &[&argument]),
        ErrorKind::InvalidSubcommand => {
            fill("없는 명령입니다: {}", &[&held(error, ContextKind::InvalidSubcommand).unwrap_or_default()])
        }
        ErrorKind::InvalidValue => {
            let wrong = match value {
                Some(value) => fill("쓸 수 없는 값입니다: {} ({})", &[&value, &argument]),
                None => fill("값이 없습니다: {}", &[&argument]),
            };
            match held(error, ContextKind::ValidValue) {
                Some(known) => format!("{wrong}. 쓸 수 있는 값: {known}"),
                None => wrong,
            }
        }
        ErrorKind::ValueValidation => {
            let wrong = fill("쓸 수 없는 값입니다: {} ({})", &[&value.unwrap_or_default(), &argument]);
            match error.source() {
                Some(why) if why.is::<ParseIntError>() => format!("{wrong}. 정수를 적어 주세요"),
                Some(why) => format!("{wrong}. {}", of_value(why)),
                None => wrong,
            }
        }
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            fill("값의 수가 맞지 않습니다: {}", &[&argument])
        }
        ErrorKind::ArgumentConflict => match held(error, ContextKind::PriorArg) {
            Some(prior) => fill("함께 쓸 수 없습니다: {}, {}", &[&argument, &prior]),
            None => fill("다른 옵션과 함께 쓸 수 없습니다: {}", &[&argument]),
        },
        ErrorKind::MissingRequiredArgument => fill("빠진 것이 있습니다: {}", &[&argument]),
        _ => return None,
    })
}

/// Says what a value takes. The parser words a range itself.
fn of_value(why: &(dyn std::error::Error + 'static)) -> String {
    let words = wording::phrase(why);
    let words = words.of(Lang::Ko);
    match words.split_once(" is not in ") {
        Some((_, range)) => fill("범위: {}", &[range]),
        None => words.to_owned(),
    }
}

/// Returns what the error holds of a kind, as text.
fn held(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) if !texts.is_empty() => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Says which command was meant, how it is used, and where more is told.
fn next(error: &Error, path: &[&str], lang: Lang) -> String {
    let command = format!("dmplz {}", path.join(" "));
    let command = command.trim_end();
    let meant = held(error, ContextKind::SuggestedSubcommand).map(|meant| format!("dmplz {meant}"));
    let meant = meant.or_else(|| held(error, ContextKind::SuggestedArg));
    let meant = meant.or_else(|| held(error, ContextKind::SuggestedValue));
    let usage = held(error, ContextKind::Usage).map(|usage| {
        let lines: Vec<&str> = usage.trim_start_matches("Usage:").lines().map(str::trim).collect();
        lines.join(" | ")
    });
    let (asks, uses, more) = match lang {
        Lang::Ko => ("혹시 이것인가요? {}. ", "쓰는 법: {}. ", "`{} --help`가 자세히 알려 줍니다."),
        Lang::En => ("did you mean {}? ", "usage: {}; ", "{} --help tells more"),
    };
    let meant = meant.map(|meant| fill(asks, &[&meant])).unwrap_or_default();
    let usage = usage.map(|usage| fill(uses, &[&usage])).unwrap_or_default();
    format!("{meant}{usage}{}", fill(more, &[command]))
}
