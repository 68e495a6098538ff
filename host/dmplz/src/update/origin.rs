//! How a copy of the program came to its place.
//!
//! | origin | seen by | updated by |
//! |---|---|---|
//! | Homebrew | the program lies in `Cellar/dmplz/` | `brew upgrade dmplz` |
//! | deb | dpkg's list of the package's files names the program | the new package, by apt |
//! | rpm | rpm says that the package `dmplz` owns it | the new package, by dnf; by its repository where no release is named |
//! | cargo | `.crates2.json` beside its folder names it, with the source | `cargo install` from the same source |
//! | installer | `share/dmplz/installed-by` in its prefix | the installer again, with the same prefix |
//! | checkout | it lies in the `target` of this repository | `git pull` and a build |
//! | unknown | none of them, or a copy that was moved | |
//!
//! The first that holds counts. The packages, the archive and the installer put `share/dmplz/releases` beside the program, which
//! says where the releases are.

use std::path::{Path, PathBuf};

use dmplz_core::text::Lang;
use serde_json::Value;

use crate::terminal::say;

/// What is looked at. Files are read through a function, so that tests can have their own.
pub(super) struct Facts<'a> {
    /// The program, with links followed.
    pub(super) program: &'a Path,
    pub(super) read: &'a dyn Fn(&Path) -> Option<String>,
    /// Returns the rpm package that owns a file.
    pub(super) owner: &'a dyn Fn(&Path) -> Option<String>,
    /// The processor, as Rust names it.
    pub(super) arch: &'a str,
}

/// The ways in which a copy is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Deb,
    Rpm,
    Homebrew,
    /// The source, as Cargo writes it.
    Cargo(String),
    /// The prefix.
    Installer(PathBuf),
    Checkout {
        root: PathBuf,
        profile: String,
    },
    Unknown,
}

impl Facts<'_> {
    /// Returns the folder above `bin`.
    fn prefix(&self) -> Option<&Path> {
        self.program.parent()?.parent()
    }

    fn in_prefix(&self, file: &str) -> Option<String> {
        Some((self.read)(&self.prefix()?.join(file))?.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns the address below which the releases are.
    pub(super) fn releases(&self) -> Option<String> {
        self.in_prefix("share/dmplz/releases")
            .filter(|address| address.starts_with("https://") && !address.contains(char::is_whitespace))
    }

    fn is_homebrew(&self) -> bool {
        let names: Vec<_> = self.program.iter().collect();
        names.windows(2).any(|pair| pair == ["Cellar", "dmplz"])
    }

    fn is_deb(&self) -> bool {
        let listed = (self.read)(Path::new("/var/lib/dpkg/info/dmplz.list")).unwrap_or_default();
        listed.lines().any(|line| Path::new(line) == self.program)
    }

    /// Returns the source of the package that Cargo installed.
    fn cargo(&self) -> Option<String> {
        let known: Value = serde_json::from_str(&self.in_prefix(".crates2.json")?).ok()?;
        let package = known.get("installs")?.as_object()?.keys().find(|package| package.starts_with("dmplz "))?;
        let (_, source) = package.split_once('(')?;
        Some(source.trim_end_matches(')').to_owned())
    }

    fn checkout(&self) -> Option<Origin> {
        let target = self.program.ancestors().find(|folder| folder.ends_with("target"))?;
        let root = target.parent()?;
        let manifest = (self.read)(&root.join("host/dmplz/Cargo.toml"))?;
        let profile = self.program.parent()?.file_name()?.to_str()?;
        // The folder of the profile `dev` has a name of its own.
        let profile = if profile == "debug" { "dev" } else { profile }.to_owned();
        manifest.contains("name = \"dmplz\"").then(|| Origin::Checkout { root: root.to_owned(), profile })
    }
}

impl Origin {
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        match () {
            () if facts.is_homebrew() => return Self::Homebrew,
            () if facts.is_deb() => return Self::Deb,
            () if (facts.owner)(facts.program).is_some_and(|owner| owner == "dmplz") => return Self::Rpm,
            () => {}
        }
        let installer =
            || Some(Self::Installer(facts.in_prefix("share/dmplz/installed-by").and(facts.prefix())?.to_owned()));
        facts.cargo().map(Self::Cargo).or_else(installer).or_else(|| facts.checkout()).unwrap_or(Self::Unknown)
    }

    /// Returns the stable name for programs, and the words for people.
    pub(super) fn names(&self, lang: Lang) -> (&'static str, &'static str) {
        match self {
            Self::Deb => ("deb", say(lang, "Debian 패키지(.deb)", "a Debian package")),
            Self::Rpm => ("rpm", say(lang, "RPM 패키지", "an RPM package")),
            Self::Homebrew => ("homebrew", "Homebrew"),
            Self::Cargo(_) => ("cargo", "cargo install"),
            Self::Installer(_) => ("installer", say(lang, "설치 스크립트(install.sh)", "the installer (install.sh)")),
            Self::Checkout { .. } => {
                ("checkout", say(lang, "소스에서 직접 빌드", "a build in a checkout of the source"))
            }
            Self::Unknown => ("unknown", say(lang, "알 수 없음", "not known")),
        }
    }

    /// Returns the command that updates it. `releases` is the address of the releases.
    pub(super) fn command(&self, facts: &Facts<'_>, releases: Option<&str>) -> Option<String> {
        let fetched =
            |file: &str| releases.map(|at| format!("curl -fLO {at}/latest/download/{file} && ")).unwrap_or_default();
        Some(match self {
            Self::Homebrew => "brew upgrade dmplz".to_owned(),
            Self::Deb => {
                let arch = if facts.arch == "aarch64" { "arm64" } else { "amd64" };
                let file = format!("dmplz_{arch}.deb");
                format!("{}sudo apt install ./{file}", fetched(&file))
            }
            Self::Rpm => match releases {
                Some(at) => format!("sudo dnf install {at}/latest/download/dmplz_{}.rpm", facts.arch),
                None => "sudo dnf upgrade dmplz".to_owned(),
            },
            Self::Cargo(source) => match source.split_once('+') {
                Some(("path", address)) => {
                    let path = quoted(address.trim_start_matches("file://"));
                    format!("git -C {path} pull && cargo install --locked --path {path}")
                }
                Some(("git", address)) => {
                    let address = address.split(['?', '#']).next().unwrap_or_default();
                    format!("cargo install --locked --git {} dmplz", quoted(address))
                }
                _ => "cargo install --locked dmplz".to_owned(),
            },
            Self::Installer(prefix) => {
                let prefix = quoted(&prefix.display().to_string());
                match releases {
                    Some(at) => {
                        format!("curl -fsSL {at}/latest/download/install.sh | sh -s -- --prefix {prefix}")
                    }
                    None => format!("sh install.sh --prefix {prefix}"),
                }
            }
            Self::Checkout { root, profile } => {
                let root = quoted(&root.display().to_string());
                format!("cd {root} && git pull && cargo build --locked --profile {profile} --bin dmplz")
            }
            Self::Unknown => return None,
        })
    }
}

/// Quotes a word for a shell where it needs it.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@:=%~".contains(&byte);
    if word.bytes().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write;

    use super::*;

    const AT: &str = "https://example.org/dmplz/releases";

    fn told(program: &str, files: &[(&str, &str)], rpm: Option<&str>) -> String {
        let files: BTreeMap<&Path, &str> = files.iter().map(|(path, text)| (Path::new(*path), *text)).collect();
        let read = |path: &Path| files.get(path).map(|text| (*text).to_owned());
        let owner = |_: &Path| rpm.map(str::to_owned);
        let facts = Facts { program: Path::new(program), read: &read, owner: &owner, arch: "x86_64" };
        let origin = Origin::of(&facts);
        let command = origin.command(&facts, facts.releases().as_deref());
        format!("{}: {}", origin.names(Lang::En).0, command.as_deref().unwrap_or("nothing is said"))
    }

    #[test]
    fn each_origin_has_its_command() {
        let crates = |source: &str| {
            format!(
                r#"{{"installs":{{"dmplz-x 1.0.0 (registry+x)":{{}},"dmplz 0.1.0 ({source})":{{"bins":["dmplz"]}}}}}}"#
            )
        };
        let path = crates("path+file:///home/ann/my dmplz/host/dmplz");
        let git = crates("git+https://example.org/dmplz?branch=main#0123");
        let registry = crates("registry+https://github.com/rust-lang/crates.io-index");
        let cargo = |text: &str| told("/h/.cargo/bin/dmplz", &[("/h/.cargo/.crates2.json", text)], None);
        let deb = [("/var/lib/dpkg/info/dmplz.list", "/.\n/usr/bin/dmplz\n")];
        let releases = [deb[0], ("/usr/share/dmplz/releases", AT)];
        let by_script =
            [("/h/.local/share/dmplz/installed-by", "install.sh\n"), ("/h/.local/share/dmplz/releases", AT)];
        let checkout = [("/src/host/dmplz/Cargo.toml", "[package]\nname = \"dmplz\"\n")];
        let mut all = String::new();
        for line in [
            told("/opt/homebrew/Cellar/dmplz/0.1.0/bin/dmplz", &[], None),
            told("/usr/bin/dmplz", &deb, None),
            told("/usr/bin/dmplz", &releases, None),
            told("/usr/bin/dmplz", &[], Some("dmplz")),
            told("/usr/bin/dmplz", &[("/usr/share/dmplz/releases", AT)], Some("dmplz")),
            cargo(&path),
            cargo(&git),
            cargo(&registry),
            told("/h/.local/bin/dmplz", &by_script, None),
            told("/h/.local/bin/dmplz", &by_script[..1], None),
            told("/src/target/debug/dmplz", &checkout, None),
            told("/src/target/x86_64-unknown-linux-musl/dist/dmplz", &checkout, None),
            told("/h/bin/dmplz", &[], None),
            told("/opt/bin/dmplz", &deb, Some("other")),
            told("/h/.cargo/bin/dmplz", &[("/h/.cargo/.crates2.json", "{")], None),
        ] {
            writeln!(all, "{line}").unwrap();
        }
        insta::assert_snapshot!(all, @r"
        homebrew: brew upgrade dmplz
        deb: sudo apt install ./dmplz_amd64.deb
        deb: curl -fLO https://example.org/dmplz/releases/latest/download/dmplz_amd64.deb && sudo apt install ./dmplz_amd64.deb
        rpm: sudo dnf upgrade dmplz
        rpm: sudo dnf install https://example.org/dmplz/releases/latest/download/dmplz_x86_64.rpm
        cargo: git -C '/home/ann/my dmplz/host/dmplz' pull && cargo install --locked --path '/home/ann/my dmplz/host/dmplz'
        cargo: cargo install --locked --git https://example.org/dmplz dmplz
        cargo: cargo install --locked dmplz
        installer: curl -fsSL https://example.org/dmplz/releases/latest/download/install.sh | sh -s -- --prefix /h/.local
        installer: sh install.sh --prefix /h/.local
        checkout: cd /src && git pull && cargo build --locked --profile dev --bin dmplz
        checkout: cd /src && git pull && cargo build --locked --profile dist --bin dmplz
        unknown: nothing is said
        unknown: nothing is said
        unknown: nothing is said
        ");
    }

    #[test]
    fn an_address_that_could_be_read_as_more_than_an_address_is_left_out() {
        let read = |_: &Path| Some("https://example.org/x; rm -rf ~".to_owned());
        let facts = Facts { program: Path::new("/usr/bin/dmplz"), read: &read, owner: &|_| None, arch: "x86_64" };
        assert_eq!(facts.releases(), None);
    }
}
