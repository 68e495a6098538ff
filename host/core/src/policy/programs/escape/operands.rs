//! Operands that are options in all but name.

pub(in super::super) mod git;

use super::super::mark;
use super::super::options::{Item, Reader};
use super::super::starts::find as starts;
use super::{Effect, Escape, Found, goes_nowhere};
use crate::policy::shell::{Word, variable};

/// The predicates of `find` that delete, write, or read where to start. Those that run a command are wrappers.
const PREDICATES: [(&str, Effect); 6] = [
    ("-delete", Effect::Deletes),
    ("-fprint", Effect::Writes),
    ("-fprint0", Effect::Writes),
    ("-fprintf", Effect::Writes),
    ("-fls", Effect::Writes),
    ("-files0-from", Effect::Reads),
];

/// The predicates and options of `find` that do nothing else: those without a value, then those with one.
const TESTS: &str = "- H L P E X d s x O0 O1 O2 O3 daystart depth follow warn nowarn mount noleaf xdev ignore_readdir_race \
    noignore_readdir_race empty false true nouser nogroup readable writable executable print print0 printx ls exit prune quit not a \
    and o or acl xattr sparse help -help version -version";
const TESTS_OF_A_VALUE: &str = "f D regextype maxdepth mindepth amin anewer atime cmin cnewer context ctime fstype gid group \
    ilname iname inum iwholename iregex links lname mmin mtime name newer path ipath perm regex wholename size type uid used \
    user xtype samefile printf Bmin Btime Bnewer flags xattrname mnewer since";

/// The settings of `ssh -o` that run something, load something, or read more settings.
const SETTINGS: [&str; 8] = [
    "proxycommand",
    "localcommand",
    "permitlocalcommand",
    "knownhostscommand",
    "pkcs11provider",
    "securitykeyprovider",
    "xauthlocation",
    "include",
];

/// `find`: its predicates are words of their own, wherever they stand, `--` or not.
pub(in super::super) fn find(found: &Found<'_>) -> Option<Escape> {
    let listed = |names: &str, word: &str| names.split(' ').any(|name| word.strip_prefix('-') == Some(name));
    let mut takes_value = false;
    let mut command_end = 0;
    for (at, word) in found.words.iter().enumerate().skip(1) {
        let text = word.text().unwrap_or_default();
        let is_value = std::mem::replace(&mut takes_value, false);
        let in_command = at < command_end;
        if at >= found.named && !(is_value && word.one) && found.may_be_any(at) {
            return Some(Escape::unknown());
        }
        // Also where a value or a command stands: other versions may read it otherwise.
        if let Some((name, effect)) = PREDICATES.iter().find(|(name, _)| *name == text) {
            let nowhere = *effect == Effect::Writes && goes_nowhere(found.words.get(at + 1));
            if at >= found.named && !nowhere {
                return Some(Escape::new(*name, *effect));
            }
        } else if is_value || in_command {
            continue;
        } else if starts::EXEC.contains(&text) {
            let rest = found.words.get(at + 1..).unwrap_or_default();
            command_end = at + 1 + starts::end_of(rest);
        } else if listed(TESTS_OF_A_VALUE, text) || (text.starts_with("-newer") && text.len() == "-newerXY".len()) {
            takes_value = true;
        } else if at >= found.named && word.known.starts_with('-') && !listed(TESTS, text) {
            return Some(Escape::unknown());
        }
    }
    None
}

/// `fd`: what comes after `--exec` is a command, up to `;`.
pub(in super::super) fn fd(found: &Found<'_>) -> Option<Escape> {
    let mut reader = Reader::new(starts::FD, found.words, 1);
    while let Some(item) = reader.next() {
        match item {
            Item::Known(known) if known.mark == Some(mark::ENTRY) => {
                let rest = found.words.get(reader.at..).unwrap_or_default();
                reader.at += rest.iter().position(|word| word.text() == Some(";")).unwrap_or(rest.len());
            }
            Item::Known(known) => {
                let effect = known.mark.filter(|_| known.at >= found.named).and_then(Effect::of);
                if let Some(effect) = effect {
                    return Some(Escape::new(&known.name, effect));
                }
            }
            Item::Unknown(at) if at >= found.named => return Some(Escape::unknown()),
            Item::Operand(at) if !reader.ended && found.may_be_any(at) => return Some(Escape::unknown()),
            Item::Operand(_) | Item::Unknown(_) => {}
        }
    }
    None
}

/// `uniq IN OUT`
pub(in super::super) fn second(found: &Found<'_>) -> Option<Escape> {
    let at = found.operands.get(1).filter(|at| **at >= found.named)?;
    let word = found.words.get(*at)?;
    (!goes_nowhere(Some(word))).then(|| Escape::new(&word.known, Effect::Writes))
}

/// `less +!cmd`, `vim +cmd`. A line to begin at is none.
pub(in super::super) fn plus(found: &Found<'_>) -> Option<Escape> {
    let is_line = |rest: &str| matches!(rest, "" | "F" | "G") || rest.bytes().all(|byte| byte.is_ascii_digit());
    let is_command = |word: &&Word| word.known.strip_prefix('+').is_some_and(|rest| !word.exact || !is_line(rest));
    found.operands().find(is_command).map(|word| Escape::new(&word.known, Effect::Code))
}

/// `tar -cf ARCHIVE`, `tar cf ARCHIVE`, `tar xIf CMD ARCHIVE`
pub(in super::super) fn tar(found: &Found<'_>) -> Option<Escape> {
    let row = super::super::table::find("tar")?;
    // Without a dash, the first word is options, and their values follow in turn.
    if found.operands.first() == Some(&1) && found.named == 1 {
        let letters = found.words.get(1)?.text()?;
        let mut words = found.words.get(..1).unwrap_or_default().to_vec();
        let mut rest = found.words.iter().skip(2);
        for letter in letters.chars() {
            words.push(Word::exact(format!("-{letter}")));
            if "bCFfgHIKLNTVX".contains(letter) {
                words.extend(rest.next().cloned());
            }
        }
        words.extend(rest.cloned());
        let all = Found {
            open: found.open,
            words: &words,
            named: 1,
            minds: found.minds,
            careful: true,
            known: Vec::new(),
            operands: Vec::new(),
        };
        return all.scan(row, 1);
    }
    let is = |names: &[&str]| found.known.iter().find(|known| names.contains(&known.name.as_str()));
    let archive = is(&["-f", "--file"]).filter(|known| known.at >= found.named)?;
    if archive.value.as_ref().is_some_and(|file| file.known.contains(':')) {
        // `HOST:FILE` is reached with `ssh`.
        return Some(Escape::new(&archive.name, Effect::Runs));
    }
    let changes =
        ["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate", "--delete"];
    is(&changes)?;
    (!goes_nowhere(archive.value.as_ref())).then(|| Escape::new(&archive.name, Effect::Writes))
}

/// `hostname NAME`
pub(in super::super) fn any_changes(found: &Found<'_>) -> Option<Escape> {
    found.operands().next().map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `date 01312359`. With `-j`, which only BSD has, it changes nothing.
pub(in super::super) fn date(found: &Found<'_>) -> Option<Escape> {
    let only_shows = found.known.iter().any(|known| known.name == "-j");
    let mut sets = found.operands().filter(|word| !only_shows && !word.known.starts_with('+'));
    sets.next().map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `sysctl NAME=VALUE`
pub(in super::super) fn sets(found: &Found<'_>) -> Option<Escape> {
    let mut sets = found.operands().filter(|word| !word.exact || word.known.contains('='));
    sets.next().map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `service NAME start`
pub(in super::super) fn service(found: &Found<'_>) -> Option<Escape> {
    let mut actions = found.operands.iter().skip(1).filter(|at| **at >= found.named);
    let action = actions.next().and_then(|at| found.words.get(*at))?;
    (action.text() != Some("status")).then(|| Escape::new(&action.known, Effect::Changes))
}

/// `ps axe`: it shows the variables of processes, and so their secrets.
pub(in super::super) fn ps(found: &Found<'_>) -> Option<Escape> {
    let mut is_value = false;
    found.operands().find_map(|word| {
        let shows =
            !std::mem::replace(&mut is_value, word.known.ends_with(['o', 'O', 'k'])) && word.known.contains('e');
        shows.then(Escape::unknown)
    })
}

/// `pandoc URL`: it is fetched.
pub(in super::super) fn address(found: &Found<'_>) -> Option<Escape> {
    found.operands().find(|word| word.known.contains("://")).map(|word| Escape::new(&word.known, Effect::Reads))
}

/// `dd of=FILE`
pub(in super::super) fn of(found: &Found<'_>) -> Option<Escape> {
    let is_output = |word: &&Word| {
        let file = word.known.strip_prefix("of=");
        file.is_some_and(|file| !word.exact || file != "/dev/null")
    };
    found.operands().find(is_output).map(|word| Escape::new(&word.known, Effect::Writes))
}

/// `curl -w '%output{FILE}'`
pub(in super::super) fn curl(found: &Found<'_>) -> Option<Escape> {
    let writes = |word: &Word| !word.exact || word.known.contains("%output") || word.known.starts_with('@');
    found.values(&["-w", "--write-out"]).any(writes).then(|| Escape::new("--write-out", Effect::Writes))
}

/// `rsync FILE HOST:FOLDER`: another machine gets it, or gives it.
pub(in super::super) fn remote(found: &Found<'_>) -> Option<Escape> {
    let is_remote = |word: &&Word| {
        let host = word.known.split('/').next().unwrap_or_default();
        host.contains(':') || !word.exact && !word.known.contains('/')
    };
    found.operands().find(is_remote).map(|word| Escape::new(&word.known, Effect::Changes))
}

/// The same of `scp`, which has the settings of `ssh` as well.
pub(in super::super) fn remote_ssh(found: &Found<'_>) -> Option<Escape> {
    ssh(found).or_else(|| remote(found))
}

/// `ssh -o ProxyCommand=CMD`
pub(in super::super) fn ssh(found: &Found<'_>) -> Option<Escape> {
    found.values(&["-o"]).find_map(|setting| {
        let (name, _) = setting.known.split_once(['=', ' ']).unwrap_or((&setting.known, ""));
        let runs = SETTINGS.contains(&name.trim().to_ascii_lowercase().as_str());
        let unknown = !setting.exact && !setting.known.contains(['=', ' ']);
        (runs || unknown).then(|| Escape::new(format!("-o {name}"), Effect::Runs))
    })
}

/// `socat - EXEC:CMD`
pub(in super::super) fn socat(found: &Found<'_>) -> Option<Escape> {
    found.operands().find_map(|word| {
        let address = word.known.to_ascii_lowercase();
        let begins = |names: &[&str]| address.split("!!").any(|part| names.iter().any(|name| part.starts_with(name)));
        let effect = match () {
            () if !word.exact => return Some(Escape::unknown()),
            () if begins(&["exec", "system", "shell"]) => Effect::Runs,
            () if begins(&["open", "create", "creat", "file", "gopen", "pipe"]) => Effect::Writes,
            () => return None,
        };
        Some(Escape::new(&word.known, effect))
    })
}

/// `make SHELL=CMD`
pub(in super::super) fn make(found: &Found<'_>) -> Option<Escape> {
    let sets = |word: &&Word| {
        let name = word.known.split_once('=').map(|(name, _)| name.trim_end_matches([':', '+', '?', '!']));
        name.is_some_and(|name| !variable::is_safe(name))
    };
    found.operands().find(sets).map(|word| Escape::new(&word.known, Effect::Code))
}

/// `gcc @FILE`: more options.
pub(in super::super) fn at_file(found: &Found<'_>) -> Option<Escape> {
    found.operands().find(|word| word.known.starts_with('@')).map(|word| Escape::new(&word.known, Effect::Reads))
}

/// `git fetch 'ext::sh -c CMD'`
pub(in super::super) fn transport(found: &Found<'_>) -> Option<Escape> {
    let is_helper = |word: &&Word| {
        let (helper, _) = word.known.split_once("::").unwrap_or_default();
        !helper.is_empty()
            && helper.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_'))
    };
    found.operands().find(is_helper).map(|word| Escape::new(&word.known, Effect::Runs))
}

/// `gh api https://HOST/PATH`: another host than the one that it belongs to.
pub(in super::super) fn url(found: &Found<'_>) -> Option<Escape> {
    found.operands().find(|word| word.known.contains("://")).map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `kubectl apply --dry-run=client --dry-run=none`: the last one counts.
pub(in super::super) fn dry_run(found: &Found<'_>) -> Option<Escape> {
    let mut values = found.values(&["--dry-run"]);
    let off = values.find(|value| !matches!(value.text(), Some("client" | "server" | "true")))?;
    Some(Escape::new(format!("--dry-run={}", off.known), Effect::Changes))
}

/// `cargo fmt -- OPTIONS OF rustfmt`: only looking is harmless.
pub(in super::super) fn rustfmt(found: &Found<'_>) -> Option<Escape> {
    let harmless = |word: &Word| {
        let name = word.text().map(|text| text.split('=').next().unwrap_or(text));
        name.is_some_and(|name| {
            matches!(name, "--check" | "--verbose" | "--quiet" | "-v" | "-q" | "-l" | "--color" | "--edition")
        })
    };
    found.operands().find(|word| !harmless(word)).map(|word| Escape::new(&word.known, Effect::Writes))
}

/// `jest ../x`: the tests of another folder are code that nobody meant.
pub(in super::super) fn outside(found: &Found<'_>) -> Option<Escape> {
    let is_outside = |word: &&Word| {
        let path = &word.known;
        path.starts_with(['/', '~'])
            || path.contains(':') && path.contains('\\')
            || path.split('/').any(|part| part == "..")
    };
    found.operands().find(is_outside).map(|word| Escape::new(&word.known, Effect::Code))
}

/// `pytest --cov-report=html:FOLDER`, and tests of another folder.
pub(in super::super) fn tests(found: &Found<'_>) -> Option<Escape> {
    let writes = |word: &Word| !word.exact || !word.known.is_empty() && !word.known.starts_with("term");
    let report = found.values(&["--cov-report"]).any(writes);
    if report { Some(Escape::new("--cov-report", Effect::Writes)) } else { outside(found) }
}

/// `ar rcs ARCHIVE FILE`: the first word is options, and `@FILE` more of them.
pub(in super::super) fn ar(found: &Found<'_>) -> Option<Escape> {
    let known = |letters: &str| {
        letters.trim_start_matches('-').chars().all(|letter| "dmpqrstxabcDfilNoOPsSTuUvV".contains(letter))
    };
    let letters = found.operands().next().filter(|_| found.operands.first().is_some_and(|at| *at >= found.named));
    let unlisted = letters.is_some_and(|word| !word.text().is_some_and(known));
    if unlisted { Some(Escape::unknown()) } else { at_file(found) }
}

/// `ifconfig eth0 down`: only one name shows something.
pub(in super::super) fn second_changes(found: &Found<'_>) -> Option<Escape> {
    let at = found.operands.get(1).filter(|at| **at >= found.named)?;
    found.words.get(*at).map(|word| Escape::new(&word.known, Effect::Changes))
}
