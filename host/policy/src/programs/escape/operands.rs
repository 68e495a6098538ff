//! Finds effects in operands that work like options.

pub(in super::super) mod archives;
pub(in super::super) mod find;
pub(in super::super) mod git;
pub(in super::super) mod others;

use super::super::evaluated::is_plain;
use super::{Effect, Escape, Found, code, goes_nowhere};
use crate::shell::{Part, Word, variable};

/// The settings of `ssh -o` that run a command, load a library, or read more settings.
const SETTINGS: [&str; 8] = [
    "proxycommand", "localcommand", "permitlocalcommand", "knownhostscommand", "pkcs11provider", "securitykeyprovider",
    "xauthlocation", "include",
];

/// The options of rustc that set the level of lints.
const LEVELS: [&str; 9] = ["-A", "-W", "-D", "-F", "--allow", "--warn", "--deny", "--forbid", "--cap-lints"];

/// Checks the second operand of `uniq IN OUT`.
pub(in super::super) fn second(found: &Found<'_>) -> Option<Escape> {
    let word = found.nth(1)?;
    (!goes_nowhere(Some(word))).then(|| Escape::new(&word.known, Effect::Writes))
}

/// Checks `ifconfig eth0 down` and `git symbolic-ref NAME REFERENCE`: with only one name they show something.
pub(in super::super) fn second_changes(found: &Found<'_>) -> Option<Escape> {
    found.nth(1).map(|word| Escape::new(&word.known, Effect::Changes))
}

/// Checks `less +!cmd` and `vim +cmd`. A number of a line has no effect.
pub(in super::super) fn plus(found: &Found<'_>) -> Option<Escape> {
    let is_line = |rest: &str| matches!(rest, "" | "F" | "G") || rest.bytes().all(|byte| byte.is_ascii_digit());
    found.operand(Effect::Code, |word| word.known.strip_prefix('+').is_some_and(|rest| !word.exact || !is_line(rest)))
}

/// Checks the operand of `hostname NAME`.
pub(in super::super) fn any_changes(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Changes, |_| true)
}

/// Checks `pandoc URL`: the URL is fetched.
pub(in super::super) fn address(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Reads, |word| word.known.contains("://"))
}

/// Checks `pandoc -t FILE.lua` and `pandoc URL`.
pub(in super::super) fn pandoc(found: &Found<'_>) -> Option<Escape> {
    let mut formats = found.values(&["-f", "-r", "--from", "--read", "-t", "-w", "--to", "--write"]);
    let code = formats.find(|format| !format.exact || format.known.contains(".lua"));
    code.map(|word| Escape::new(&word.known, Effect::Code)).or_else(|| address(found))
}

/// Checks the file in `dd of=FILE`.
pub(in super::super) fn of(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Writes, |word| {
        word.known.strip_prefix("of=").is_some_and(|file| !word.exact || file != "/dev/null")
    })
}

/// Checks `curl -w '%output{FILE}'`, and a second URL behind one that the rule names.
pub(in super::super) fn curl(found: &Found<'_>) -> Option<Escape> {
    let writes = |word: &Word| !word.exact || word.known.contains("%output") || word.known.starts_with('@');
    if found.values(&["-w", "--write-out"]).any(writes) {
        return Some(Escape::new("--write-out", Effect::Writes));
    }
    let urls = || found.known.iter().filter(|known| known.name == "--url");
    let is_named = urls().map(|known| known.at).chain(found.operands.iter().copied()).any(|at| at < found.named);
    let others = urls().filter(|known| known.at >= found.named).filter_map(|known| known.value.as_ref());
    let other = others.chain(found.operands()).next().filter(|_| is_named)?;
    Some(Escape::new(&other.known, Effect::Changes))
}

/// Checks `rsync FILE HOST:FOLDER`, which sends files to another machine or receives them.
pub(in super::super) fn remote(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Changes, |word| {
        let host = word.known.split('/').next().unwrap_or_default();
        host.contains(':') || !word.exact && !word.known.contains('/')
    })
}

/// Checks `scp` in the same way, and the settings of `ssh` that it takes.
pub(in super::super) fn remote_ssh(found: &Found<'_>) -> Option<Escape> {
    ssh(found).or_else(|| remote(found))
}

/// Checks `ssh -o ProxyCommand=CMD`.
pub(in super::super) fn ssh(found: &Found<'_>) -> Option<Escape> {
    found.values(&["-o"]).find_map(|setting| {
        let (name, _) = setting.known.split_once(['=', ' ']).unwrap_or((&setting.known, ""));
        let runs = SETTINGS.contains(&name.trim().to_ascii_lowercase().as_str());
        let unknown = !setting.exact && !setting.known.contains(['=', ' ']);
        (runs || unknown).then(|| Escape::new(format!("-o {name}"), Effect::Runs))
    })
}

/// Checks `socat - EXEC:CMD`.
pub(in super::super) fn socat(found: &Found<'_>) -> Option<Escape> {
    found.operands().find_map(|word| {
        let address = word.known.to_ascii_lowercase();
        let begins = |names: &[&str]| address.split("!!").any(|part| names.iter().any(|name| part.starts_with(name)));
        let effect = match () {
            () if !word.exact => return Some(Escape::unknown_code()),
            () if begins(&["exec", "system", "shell"]) => Effect::Runs,
            () if begins(&["open", "create", "creat", "file", "gopen", "pipe"]) => Effect::Writes,
            () => return None,
        };
        Some(Escape::new(&word.known, effect))
    })
}

/// Checks the shell in `make SHELL=CMD`, the text in `make CI='$(shell CMD)'`, `make CI!=CMD` and `just '; CMD'`, which is
/// run, and another target than the rule's.
pub(in super::super) fn make(found: &Found<'_>) -> Option<Escape> {
    assigned(found).or_else(|| found.operand(Effect::Code, |word| !is_target(word))).or_else(|| others::targets(found))
}

/// Checks `task` in the same way.
pub(in super::super) fn task(found: &Found<'_>) -> Option<Escape> {
    let code = || found.operand(Effect::Code, |word| !is_target(word));
    assigned(found).or_else(code).or_else(|| others::targets_before_dashes(found))
}

/// Checks `rake RUBYOPT=-rCODE`, and another task than the rule's.
pub(in super::super) fn rake(found: &Found<'_>) -> Option<Escape> {
    assigned(found).or_else(|| others::targets(found))
}

/// Returns the first variable that is set to code, or may be.
fn assigned(found: &Found<'_>) -> Option<Escape> {
    // An unknown word may be an assignment.
    if found.operands().any(|word| !word.exact && !word.known.contains('=')) {
        return Some(Escape::unknown());
    }
    found.operand(Effect::Code, |word| {
        let Some((name, value)) = word.known.split_once('=') else { return false };
        let is_loudness = matches!(name, "V" | "VERBOSE") && matches!(value, "0" | "1" | "2");
        if is_loudness && word.exact {
            return false;
        }
        let runs = name.ends_with('!') || !is_plain(&word.with(value));
        runs || !variable::is_safely_set(name.trim_end_matches([':', '+', '?']), &word.with(value))
    })
}

/// Returns whether a target has no sign that the builder, or the shell that it starts, would evaluate.
fn is_target(word: &Word) -> bool {
    word.known.contains('=') || is_plain(word)
}

/// Checks `cmake --build FOLDER -- OPTIONS OF make`: only targets, and how many and how much is shown, are harmless. A
/// target is passed on as well, so that `-t SHELL=CMD` is a variable of make.
pub(in super::super) fn cmake(found: &Found<'_>) -> Option<Escape> {
    if !found.known.iter().any(|known| known.name == "--build") {
        return None;
    }
    let harmless = |text: &str| {
        let count = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
        let is_option = text
            .strip_prefix('-')
            .is_some_and(|rest| matches!(rest, "s" | "v") || rest.strip_prefix(['j', 'k', 'l']).is_some_and(count));
        let is_target = text.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '_' | '.'))
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./+".contains(&byte));
        is_option || is_target || text == "VERBOSE=1"
    };
    let mut words = found.values(&["-t", "--target", "--config"]).chain(found.operands());
    let word = words.find(|word| !word.text().is_some_and(harmless))?;
    Some(if word.exact { Escape::new(&word.known, Effect::Code) } else { Escape::unknown() })
}

/// Checks `gcc @FILE`, which reads more options from a file, also as the value of another option.
pub(in super::super) fn at_file(found: &Found<'_>) -> Option<Escape> {
    let mut words = found.words.iter().skip(found.named.max(1));
    words.find(|word| word.known.starts_with('@')).map(|word| Escape::new(&word.known, Effect::Reads))
}

/// Checks `git fetch 'ext::sh -c CMD'`.
pub(in super::super) fn transport(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Runs, |word| {
        let (helper, _) = word.known.split_once("::").unwrap_or_default();
        !helper.is_empty()
            && helper.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_'))
    })
}

/// Checks `gh api https://HOST/PATH` for a host other than the configured one, and its filter.
pub(in super::super) fn url(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Changes, |word| word.known.contains("://")).or_else(|| code::shown(found))
}

/// Checks `kubectl apply --dry-run=client --dry-run=none`, in which the last option counts.
pub(in super::super) fn dry_run(found: &Found<'_>) -> Option<Escape> {
    let mut values = found.values(&["--dry-run"]);
    let off = values.find(|value| !matches!(value.text(), Some("client" | "server" | "true")))?;
    Some(Escape::new(format!("--dry-run={}", off.known), Effect::Changes))
}

/// Checks `cargo fmt -- OPTIONS OF rustfmt`, of which only the checking ones are harmless.
pub(in super::super) fn rustfmt(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Writes, |word| {
        let name = word.text().map(|text| text.split('=').next().unwrap_or(text));
        !name.is_some_and(|name| {
            matches!(name, "--check" | "--verbose" | "--quiet" | "-v" | "-q" | "-l" | "--color" | "--edition")
        })
    })
}

/// Checks `cargo clippy -- OPTIONS OF rustc`, of which only the levels of lints are harmless.
pub(in super::super) fn clippy(found: &Found<'_>) -> Option<Escape> {
    let mut is_value = false;
    for at in &found.operands {
        let word = found.words.get(*at)?;
        let text = word.text().unwrap_or_default();
        let harmless = if is_value { is_lint(text) } else { LEVELS.contains(&text) || sets_level(text) };
        is_value = !is_value && LEVELS.contains(&text);
        if harmless || *at < found.named {
            continue;
        }
        let runs = ["-C", "-Z", "--codegen", "@"].iter().any(|begin| text.starts_with(begin));
        let effect = if runs { Effect::Runs } else { Effect::Unlisted };
        return Some(if word.exact { Escape::new(text, effect) } else { Escape::unknown() });
    }
    None
}

/// Returns whether an option of rustc sets the level of a lint: `-Dwarnings`, `--deny=warnings`.
fn sets_level(text: &str) -> bool {
    let lint = LEVELS.iter().find_map(|level| {
        let rest = text.strip_prefix(*level)?;
        if level.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) }
    });
    text == "--no-deps" || lint.is_some_and(is_lint)
}

/// Returns whether a text may be the name of a lint: `clippy::all`.
fn is_lint(name: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-');
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(known)
}

/// Checks `jest ../x`: the tests of another folder are code that the rule does not mean.
pub(in super::super) fn outside(found: &Found<'_>) -> Option<Escape> {
    found.operands().find_map(elsewhere)
}

/// Checks `go test -mod=mod PACKAGE`, which fetches a package that the project does not have, and tests of another folder.
pub(in super::super) fn go_tests(found: &Found<'_>) -> Option<Escape> {
    let fetches = |word: &Word| !matches!(word.text(), Some("readonly" | "vendor"));
    if found.unnamed_values(&["-mod"]).any(fetches) {
        return Some(Escape::new("-mod", Effect::Changes));
    }
    outside(found)
}

/// Checks `pytest -p PLUGIN`, of which only `no:PLUGIN` loads nothing, `pytest --cov-report=html:FOLDER`, `pytest @FILE`,
/// and tests of another folder.
pub(in super::super) fn tests(found: &Found<'_>) -> Option<Escape> {
    let writes = |word: &Word| !word.exact || !word.known.is_empty() && !word.known.starts_with("term");
    let loads = |word: &Word| !word.text().is_some_and(|plugin| plugin.starts_with("no:"));
    if found.unnamed_values(&["-p"]).any(loads) {
        return Some(Escape::new("-p", Effect::Runs));
    }
    let report = found.values(&["--cov-report"]).any(writes);
    if report { Some(Escape::new("--cov-report", Effect::Writes)) } else { at_file(found).or_else(|| outside(found)) }
}

/// Checks `python -m unittest discover -s FOLDER`, and tests of another folder.
pub(in super::super) fn discovers(found: &Found<'_>) -> Option<Escape> {
    let mut folders = found.values(&["-s", "--start-directory", "-t", "--top-level-directory"]);
    folders.find_map(elsewhere).or_else(|| outside(found))
}

/// Checks `tox exec -- CMD`, which runs any command.
pub(in super::super) fn tox(found: &Found<'_>) -> Option<Escape> {
    const EXEC: &str = "exec";
    found.operand(Effect::Runs, |word| match word.exact {
        true => matches!(word.known.as_str(), EXEC | "e"),
        false => EXEC.starts_with(&word.known),
    })
}

/// Returns an escape for a word that leads out of the folder, or may.
fn elsewhere(word: &Word) -> Option<Escape> {
    let paths: Option<Vec<String>> = match (word.text(), word.shapes.as_deref()) {
        (Some(text), _) => Some(vec![text.to_owned()]),
        (None, Some(shapes)) if !shapes.is_empty() => shapes.iter().map(|shape| spelled(shape)).collect(),
        (None, _) => None,
    };
    let Some(paths) = paths else { return Some(Escape::unknown()) };
    paths.iter().any(|path| leads_out(path)).then(|| Escape::new(&word.known, Effect::Code))
}

/// Returns a path in which `*` stands for what a glob matches. `None` if it may be any other.
fn spelled(shape: &[Part]) -> Option<String> {
    let text = |part: &Part| match part {
        Part::Text(text) => Some(text.clone()),
        Part::Name | Part::Folders | Part::Files | Part::Revision => Some("*".to_owned()),
        Part::Any | Part::Unquoted(_) | Part::Variable { .. } => None,
    };
    shape.iter().map(text).collect()
}

/// Returns whether a path, or the path in `--option=path`, leads out of the folder. Some shells expand `.*` to `..`.
fn leads_out(word: &str) -> bool {
    let path = word.split_once('=').filter(|_| word.starts_with('-')).map_or(word, |(_, value)| value);
    let is_above = |part: &str| part == ".." || part.starts_with('.') && part.contains('*');
    path.starts_with(['/', '~']) || path.contains(':') && path.contains('\\') || path.split('/').any(is_above)
}

/// Checks `date 01312359`, which sets the clock. With `-j`, which only BSD has, it changes nothing.
pub(in super::super) fn date(found: &Found<'_>) -> Option<Escape> {
    let only_shows = found.known.iter().any(|known| known.name == "-j");
    found.operand(Effect::Changes, |word| !only_shows && !word.known.starts_with('+'))
}

/// Checks the value in `sysctl NAME=VALUE`.
pub(in super::super) fn sets(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Changes, |word| !word.exact || word.known.contains('='))
}

/// Checks `service NAME start`.
pub(in super::super) fn service(found: &Found<'_>) -> Option<Escape> {
    let mut actions = found.operands.iter().skip(1).filter(|at| **at >= found.named);
    let action = actions.next().and_then(|at| found.words.get(*at))?;
    (action.text() != Some("status")).then(|| Escape::new(&action.known, Effect::Changes))
}

/// Checks `ps axe`, which shows the variables of processes, and so their secrets.
pub(in super::super) fn ps(found: &Found<'_>) -> Option<Escape> {
    let mut is_value = false;
    found.operand(Effect::Unlisted, |word| {
        !std::mem::replace(&mut is_value, word.known.ends_with(['o', 'O', 'k'])) && word.known.contains('e')
    })
}
