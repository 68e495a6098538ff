//! The targets of a call: the files, the URLs and the command that its input names.
//!
//! The table of tools lists the keys. For an unknown tool (an MCP server's) the usual keys are used, and a target
//! that is found there may stop a call but never allow it, because another path may be under an unknown key.
//!
//! A file is judged twice: by its own path and by the target of its links. An allow must match both, a deny one.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::rules::pattern::{Anchors, Domains, Extent, Paths, Site, keys, places};
use crate::tools::{self, Kind};
use crate::{Call, Match, Reading};

/// The usual keys of a path in the input of unknown tools.
const USUAL_PATHS: &[&str] = &[
    "file_path", "filePath", "file", "path", "paths", "absolute_path", "dir_path", "directory", "notebook_path",
    "source", "destination", "uri",
];

/// The usual keys of a URL in the input of unknown tools.
const USUAL_URLS: &[&str] = &["url", "urls", "uri", "uris", "link"];

/// The files of a call, and the targets of their links.
#[derive(Debug, Clone, Default)]
pub struct Files<'a> {
    files: Vec<File<'a>>,
    /// Whether there may be other files.
    open: bool,
    /// Whether the tool is known to use files.
    known: bool,
}

#[derive(Debug, Clone)]
struct File<'a> {
    path: Cow<'a, str>,
    /// The target of its links, if it is another path.
    real: Vec<PathBuf>,
    /// Whether it stands for everything in the folder.
    below: bool,
}

impl<'a> Files<'a> {
    /// Collects them. [`Call::real_path`] follows links.
    pub fn of(call: &Call<'a>) -> Self {
        let (named, open, known) = match tools::find(call.tool) {
            Some(tool) if call.server.is_none() && matches!(tool.kind, Kind::File | Kind::Search) => {
                let (named, open) = of_tool(&tool, call.input);
                (named, open, true)
            }
            // Tools of the table that do not use files.
            Some(_) if call.server.is_none() => (Vec::new(), false, false),
            _ => (usual_paths(call.input).collect(), true, false),
        };
        let files = named.into_iter().map(|(path, below)| File { real: real(&path, call), path, below }).collect();
        Self { files, open, known }
    }

    /// Returns their paths as written.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_ref())
    }

    /// Returns their possible absolute paths, with links followed and not followed, and `..` not resolved.
    pub fn places(&self, call: &Call<'_>) -> Vec<PathBuf> {
        let written = |file: &File<'_>| places(&file.path, call.home, call.cwd).unwrap_or_default();
        let all = self.files.iter().flat_map(|file| {
            written(file).into_iter().map(PathBuf::from).chain(file.real.iter().cloned()).collect::<Vec<_>>()
        });
        all.collect()
    }

    /// Returns the keys by which rules about `paths` that may match are found. `None` if any rule may match.
    pub fn keys(&self, call: &Call<'_>) -> Option<Vec<String>> {
        let is_anywhere = |file: &File<'_>| file.below || places(&file.path, call.home, call.cwd).is_none();
        let anywhere = self.open || self.files.iter().any(is_anywhere);
        // A pattern that begins in an unknown folder may match any path.
        let known = call.cwd.is_some() && call.home.is_some();
        (known && !anywhere).then(|| self.places(call).iter().flat_map(|place| keys(place)).collect())
    }

    /// Matches a rule about `paths`: an allow must match all files, a deny one.
    pub fn matches(&self, paths: &Paths, at: &Anchors<'_>, call: &Call<'_>, reading: Reading) -> Match {
        let each = self.files.iter().map(|file| file.matches(paths, at, call, reading));
        match reading {
            Reading::Narrow if self.open || self.files.is_empty() => Match::No,
            Reading::Narrow => each.min().unwrap_or(Match::No),
            Reading::Broad if self.open && self.known => each.max().unwrap_or(Match::No).or(Match::Maybe),
            Reading::Broad => each.max().unwrap_or(Match::No),
        }
    }
}

impl File<'_> {
    fn matches(&self, paths: &Paths, at: &Anchors<'_>, call: &Call<'_>, reading: Reading) -> Match {
        let extent = if self.below { Extent::Below } else { Extent::File };
        let judge = |path: &str, at: &Anchors<'_>| paths.matches(path, extent, at, call.cwd, reading);
        let written = judge(&self.path, at);
        if self.real.is_empty() {
            return written;
        }
        // The base folders of the patterns may be links themselves.
        let [root, home] = [at.root, at.home]
            .map(|folder| folder.map(|folder| (call.real_path)(folder).unwrap_or_else(|| folder.to_owned())));
        let at = Anchors { root: root.as_deref(), home: home.as_deref() };
        let real = self.real.iter().map(|path| path.to_str().map_or(Match::Maybe, |path| judge(path, &at)));
        match reading {
            Reading::Narrow => written.and(real.min().unwrap_or(written)),
            Reading::Broad => written.or(real.max().unwrap_or(written)),
        }
    }
}

/// The URLs of a call.
#[derive(Debug, Clone, Default)]
pub struct Urls<'a> {
    urls: Vec<&'a str>,
    sites: Vec<Site>,
    /// Whether the tool is known to fetch them and to do nothing else.
    known: bool,
}

impl<'a> Urls<'a> {
    /// Collects the URLs of a call.
    pub fn of(call: &Call<'a>) -> Self {
        let (urls, known): (Vec<&str>, bool) = match tools::find(call.tool) {
            Some(tool) if call.server.is_none() && tool.kind == Kind::Web => {
                // gemini-cli's tool has a prompt and fetches the URLs in it.
                let prompt = (call.tool == "web_fetch").then(|| call.input.get("prompt")?.as_str()).flatten();
                let words = prompt.into_iter().flat_map(|prompt| prompt.split(is_blank));
                (texts(call.input, &["url"]).chain(words.filter(|word| word.contains("://"))).collect(), true)
            }
            Some(_) if call.server.is_none() => (Vec::new(), false),
            _ => (texts(call.input, USUAL_URLS).collect(), false),
        };
        let sites = urls.iter().map(|url| Site::of(url)).collect();
        Self { urls, sites, known }
    }

    /// Returns them as written.
    pub fn urls(&self) -> &[&'a str] {
        &self.urls
    }

    /// Matches a rule about `domains`: an allow must match all URLs, a deny one.
    pub fn matches(&self, domains: &Domains, reading: Reading) -> Match {
        let each = self.sites.iter().map(|site| domains.matches(site, reading));
        match reading {
            Reading::Narrow if !self.known => Match::No,
            Reading::Narrow => each.min().unwrap_or(Match::No),
            // A fetch without a recognizable URL.
            Reading::Broad if self.known => each.max().unwrap_or(Match::Maybe),
            Reading::Broad => each.max().unwrap_or(Match::No),
        }
    }
}

/// Returns the command line of the shell tool; `None` for any other tool, or if it is not a text.
pub fn command<'a>(call: &Call<'a>) -> Option<&'a str> {
    (tools::kind(call.tool) == Kind::Shell).then(|| call.input.get("command")?.as_str()).flatten()
}

/// Returns the folder in which gemini-cli's shell starts if the input names one, which may differ from the working
/// directory.
pub fn command_folder<'a>(call: &Call<'a>) -> Option<&'a str> {
    let named = |key: &&str| call.input.get(*key)?.as_str().filter(|folder| !folder.is_empty());
    (tools::kind(call.tool) == Kind::Shell).then(|| ["dir_path", "directory"].iter().find_map(named)).flatten()
}

/// Returns the paths of a tool of the table, whether each stands for everything below it, and whether there may be
/// others.
fn of_tool<'a>(tool: &tools::Tool, input: &'a Map<String, Value>) -> (Vec<(Cow<'a, str>, bool)>, bool) {
    let below = tool.kind == Kind::Search;
    let folders: Vec<&str> = texts(input, tool.paths).collect();
    // It is unknown how a value of another type would be read.
    let odd = tool.paths.iter().chain(tool.globs).filter_map(|key| input.get(*key)).any(|value| !is_texts(value));
    let globs: Vec<&str> = texts(input, tool.globs).collect();
    let mut open = odd || (!below && folders.is_empty());
    let mut found: Vec<(Cow<'a, str>, bool)> = folders.iter().map(|path| (Cow::Borrowed(*path), below)).collect();
    if below && found.is_empty() {
        found.push((Cow::Borrowed("."), true));
    }
    for glob in globs {
        if glob.starts_with('/') {
            let fixed = glob.split(['*', '?', '[', '{', '(', '!', '\\']).next().unwrap_or_default();
            let folder = fixed.rsplit_once('/').map_or("", |(folder, _)| folder);
            found.push((Cow::Borrowed(if folder.is_empty() { "/" } else { folder }), true));
        }
        // The files are below the folders and begin with the pattern's own beginning, unless it leaves them.
        let leaves = glob.split(['/', '{', ',', '}', '(', '|', ')']).any(|name| name == "..");
        open |= leaves || glob.contains('\\') || glob.starts_with(['~', '{', '(']);
    }
    (found, open)
}

/// Returns the possible paths of an unknown tool: files, or folders with everything in them.
fn usual_paths(input: &Map<String, Value>) -> impl Iterator<Item = (Cow<'_, str>, bool)> {
    texts(input, USUAL_PATHS).map(|path| (Cow::Borrowed(path.strip_prefix("file://").unwrap_or(path)), true))
}

/// Returns whether JavaScript's `\s` matches a character. gemini-cli splits its prompt there.
fn is_blank(char: char) -> bool {
    (char.is_whitespace() && char != '\u{85}') || char == '\u{feff}'
}

/// Returns the texts under some keys, including those in lists.
fn texts<'a>(input: &'a Map<String, Value>, keys: &[&str]) -> impl Iterator<Item = &'a str> {
    let values = keys.iter().filter_map(|key| input.get(*key)).collect::<Vec<_>>();
    values.into_iter().flat_map(|value| match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect::<Vec<_>>(),
    })
}

fn is_texts(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Null => true,
        Value::Array(items) => items.iter().all(Value::is_string),
        _ => false,
    }
}

/// Returns the targets of links for every possible path. `..` is not resolved before, because a link may precede it.
fn real(path: &str, call: &Call<'_>) -> Vec<PathBuf> {
    let places = places(path, call.home, call.cwd).unwrap_or_default();
    places.iter().filter_map(|place| (call.real_path)(Path::new(place))).collect()
}

#[cfg(test)]
mod tests;
