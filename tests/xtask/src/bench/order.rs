//! Writes `host/dmplz/startup.ld`, by which the linker puts what a hook runs into one place, in the order in which it first runs.
//!
//! A hook runs 2.6 MB of functions that lie all over 21 MB, and the system maps at least 64 KiB around each first use. Side by side, the
//! hook is 15 % quicker and takes 5 MiB less memory with the list than without.
//!
//! | step | how |
//! |---|---|
//! | what the functions are | the linker's map of a `dist` build (`DMPLZ_LINK_MAP`) |
//! | what runs | one round of the benchmark's hooks in `qemu-x86_64` (Debian: `qemu-user`), which logs each piece of code when it first runs |
//! | what is written | the names of their sections, with `*` for what differs from build to build |
//!
//! A name that a later build does not have does nothing, so the list has to be made anew only now and then: `cargo xtask tidy` tells
//! when.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::candidates::Candidates;
use super::notices::Notices;
use crate::dist;

const QEMU: &str = "/usr/bin/qemu-x86_64";
/// How much the system maps around each first use, in bytes. A name stands for all instances of a generic function: it is left out if
/// those that do not run take more room than this for each that runs.
const AROUND: u64 = 64 << 10;

/// The list that was written.
#[derive(Debug)]
pub struct Order {
    /// The file that was written.
    pub file: PathBuf,
    /// The number of names.
    pub names: usize,
    /// The size of all code with these names, in bytes.
    pub bytes: u64,
}

/// The code of one function.
struct Section {
    begin: u64,
    length: u64,
    /// Its name, as the list has it.
    name: String,
}

/// Traces the hook, and writes the list.
///
/// # Errors
/// Returns an error if the program does not build, or does not run as in the benchmark.
pub fn startup_order(root: &Path) -> anyhow::Result<Order> {
    anyhow::ensure!(Path::new(QEMU).exists(), "find {QEMU}: it is in Debian's qemu-user");
    let scratch = tempfile::tempdir()?;
    let (map, traces, traced) = ["map", "traces", "dmplz"].map(|name| scratch.path().join(name)).into();
    let dmplz = dist::build(root, &dist::this_target()?, Some(&map))?;
    fs::create_dir(&traces)?;
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = hook ] && exec {QEMU} -d in_asm -D {}/$$ {dmplz} \"$@\"\nexec {dmplz} \"$@\"\n",
        traces.display(),
        dmplz = dmplz.display()
    );
    fs::write(&traced, script)?;
    fs::set_permissions(&traced, Permissions::from_mode(0o755))?;
    Candidates::prepare(root, &traced)?.round()?;
    Notices::prepare(root, &traced)?.round()?;

    let sections = sections(&fs::read_to_string(&map).context("read the linker's map")?);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&traces)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    files.sort();
    let mut first = Vec::new();
    for file in files {
        first.extend(addresses(&String::from_utf8_lossy(&fs::read(file)?)));
    }
    let (names, bytes) = order(&sections, &first);
    let file = root.join("host/dmplz/startup.ld");
    fs::write(&file, script_of(&names))?;
    Ok(Order { file, names: names.len(), bytes })
}

/// Returns the sections with code, by their addresses.
fn sections(map: &str) -> BTreeMap<u64, Section> {
    let section = |line: &str| {
        let mut words = line.split_whitespace();
        let number = |text: Option<&str>| u64::from_str_radix(text?, 16).ok();
        let (begin, _, length) = (number(words.next())?, words.next()?, number(words.next())?);
        let name = line.rsplit_once(":(")?.1.strip_suffix(')')?;
        let is_one = name.starts_with(".text.") && length > 0;
        is_one.then(|| Section { begin, length, name: lasting(name) })
    };
    map.lines().filter_map(section).map(|section| (section.begin, section)).collect()
}

/// Returns the addresses of all instructions in a trace, in the order in which they first ran.
fn addresses(trace: &str) -> impl Iterator<Item = u64> {
    trace.lines().filter_map(|line| u64::from_str_radix(line.strip_prefix("0x")?.split_once(':')?.0, 16).ok())
}

/// Returns the names of what ran, in its order, and the size of all code with these names.
fn order(sections: &BTreeMap<u64, Section>, ran: &[u64]) -> (Vec<String>, u64) {
    let mut all: HashMap<&str, u64> = HashMap::new();
    for section in sections.values() {
        *all.entry(&section.name).or_default() += section.length;
    }
    let (mut seen, mut names, mut of_name) = (HashSet::new(), Vec::new(), HashMap::<&str, (u64, u64)>::new());
    for address in ran {
        let Some((_, section)) = sections.range(..=address).next_back() else { continue };
        if *address >= section.begin + section.length || !seen.insert(section.begin) {
            continue;
        }
        let (run, count) = of_name.entry(&section.name).or_insert_with(|| {
            names.push(section.name.as_str());
            (0, 0)
        });
        (*run, *count) = (*run + section.length, *count + 1);
    }
    let of_all = |name: &str| all.get(name).copied().unwrap_or_default();
    names.retain(|name| {
        let (run, count) = of_name.get(name).copied().unwrap_or_default();
        of_all(name) - run <= AROUND * count
    });
    let bytes = names.iter().map(|name| of_all(name)).sum();
    (names.into_iter().map(str::to_owned).collect(), bytes)
}

/// Returns a section's name with `*` for the hashes in it: `17h` and 16 digits in Rust's old names, `Cs` and up to 13 letters before a
/// crate's name in its new ones, and the numbers behind them.
fn lasting(name: &str) -> String {
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    if let Some((start, end)) = name.rsplit_once("17h")
        && let Some((hash, rest)) = end.split_once('E')
        && hash.len() == 16
        && hash.bytes().all(|it| it.is_ascii_hexdigit())
        && (rest.is_empty() || rest.starts_with('.'))
    {
        return format!("{start}17h*E*");
    }
    let mut parts = name.split("Cs");
    let mut lasting = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('_') {
            Some((hash, rest))
                if (8..=13).contains(&hash.len()) && hash.bytes().all(|it| it.is_ascii_alphanumeric()) =>
            {
                lasting.push_str("Cs*_");
                lasting.push_str(rest);
            }
            _ => {
                lasting.push_str("Cs");
                lasting.push_str(part);
            }
        }
    }
    lasting
}

fn script_of(names: &[String]) -> String {
    let names: String = names.iter().map(|name| format!("    *({name})\n")).collect();
    format!(
        "/* What a hook runs, in the order in which it first runs. Written by `cargo xtask startup-order`, which says why. */\n\
         SECTIONS\n{{\n  .text.startup :\n  {{\n{names}  }}\n}}\nINSERT BEFORE .text;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_lasts_over_builds() {
        for (name, expected) in [
            (".text._ZN4core3fmt5write17h0123456789abcdefE", ".text._ZN4core3fmt5write17h*E*"),
            (".text._ZN1a1b17h0123456789abcdefE.llvm.123", ".text._ZN1a1b17h*E*"),
            (".text._RNvNtCsjrHSEGnQ3l9_3std4argsCs12345678_1x", ".text._RNvNtCs*_3std4argsCs*_1x"),
            (".text._ZN1a1b17h0123456789abcdefE.8977", ".text._ZN1a1b17h*E*"),
            (".text.main", ".text.main"),
            (".text.Cs_x", ".text.Cs_x"),
        ] {
            assert_eq!(lasting(name), expected);
        }
    }

    #[test]
    fn what_ran_is_named_once_and_a_name_of_mostly_other_code_is_left_out() {
        let map = "  VMA  LMA  Size Align Out In Symbol\n\
             100 100 10 16  /x/a.o:(.text.main)\n\
             110 110 10 16  /x/a.o:(.text.drop17h0123456789abcdefE)\n\
             120 120 10001 16 /x/a.o:(.text.drop17h1123456789abcdefE)\n\
             20000 20000 10 16 /x/a.o:(.text.last)\n\
             20010 20010 10 16 /x/a.o:(.rodata.x)\n";
        let trace = "IN: \n0x00020000:  55 push\n0x00020004:  55 push\n0x00000100:  55 push\n0x00000118:  55\n0x00ffffff:  55\nx\n";
        let ran: Vec<u64> = addresses(trace).collect();
        assert_eq!(order(&sections(map), &ran), (vec![".text.last".to_owned(), ".text.main".to_owned()], 0x20));
    }
}
