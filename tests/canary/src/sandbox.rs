//! A sandbox for one line at a time: namespaces of its own, no network, nothing of the real disk writable, and a new
//! home directory for every line.
//!
//! The home directory and `/tmp` are overlays on templates. The changes of a line are the contents of the upper layer,
//! so nothing has to be compared; for a line that changed nothing that is one look into an empty folder.

mod mounts;
mod run;
mod trace;

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

pub use self::run::Ran;
pub use self::trace::{Change, How, Trace};
use crate::layout::{HOME, USER, WORKSPACE};
use crate::shell::Shell;

/// The folder of the sandbox's own files. Only the worker may read it.
const PRIVATE: &str = "/mnt/private";
/// The file to which canaries append their names.
const LOG: &str = "/mnt/log/started";
/// The folders that a line may change, each with a template.
const ROOTS: [&str; 2] = ["/home", "/tmp"];

/// The sandbox of one worker.
#[derive(Debug)]
pub struct Sandbox {
    /// The number of layers that were used.
    layer: u64,
    watch: Option<trace::Watch>,
    /// Whether lines run as a user without privileges.
    drops_rights: bool,
    /// The log, which is kept open so that a write of a line cannot end the worker.
    _log: OwnedFd,
}

impl Sandbox {
    /// Builds the sandbox. The process must be the first one of its namespaces: see [`crate::fleet`].
    ///
    /// # Errors
    /// If it is not, or if the system does not permit the mounts.
    pub fn build(drops_rights: bool) -> anyhow::Result<Self> {
        let first = std::process::id() == 1 && fs::read_link("/proc/self").is_ok_and(|it| it == Path::new("1"));
        anyhow::ensure!(first, "build the sandbox: this process is not the first of its namespace");
        std::env::set_current_dir("/")?;
        mounts::hide()?;
        let log = Path::new(LOG);
        fs::create_dir_all(log.parent().unwrap_or(log))?;
        let log = fs::File::create(log)?;
        rustix::fs::fchmod(&log, rustix::fs::Mode::from_raw_mode(0o666))?;
        let mut sandbox = Self { layer: 0, watch: None, drops_rights, _log: log.into() };
        sandbox.template()?;
        mounts::freeze()?;
        mounts::over(
            "/etc/passwd",
            &format!("me:x:{USER}:{USER}:me:{HOME}:/bin/bash\nroot:x:0:0:root:/root:/bin/bash\n"),
        )?;
        sandbox.fresh()?;
        sandbox.settle()?;
        run::limit()?;
        Ok(sandbox)
    }

    /// Runs a line, and returns its effects. The next line sees none of them.
    ///
    /// # Errors
    /// If the sandbox itself fails.
    pub fn run(&mut self, shell: Shell, line: &str) -> anyhow::Result<(Ran, Trace)> {
        fs::write(LOG, "")?;
        let ran = run::run(shell, line, self.drops_rights)?;
        let mut trace =
            Trace { started: fs::read_to_string(LOG)?.lines().map(str::to_owned).collect(), ..Trace::default() };
        if let Some(watch) = &self.watch {
            trace.opened = watch.opened();
        }
        trace.shown = ran.output.contains(crate::layout::MARKER);
        trace.changes = ROOTS
            .iter()
            .map(|root| trace::changes(&self.upper(root), &template(root), root))
            .collect::<anyhow::Result<Vec<_>>>()?
            .concat();
        let used = ROOTS.iter().any(|root| fs::read_dir(self.upper(root)).is_ok_and(|mut it| it.next().is_some()));
        if used {
            self.fresh()?;
        }
        Ok((ran, trace))
    }

    /// Builds the templates.
    fn template(&self) -> anyhow::Result<()> {
        let home = template(HOME);
        let (tmp, script) = (template("/tmp"), Path::new(PRIVATE).join("layout.sh"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&tmp)?;
        fs::set_permissions(PRIVATE, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        fs::set_permissions(&tmp, std::os::unix::fs::PermissionsExt::from_mode(0o1777))?;
        fs::write(&script, include_str!("sandbox/layout.sh"))?;
        check(Command::new("/bin/bash").arg(&script).arg(&home).arg(LOG)).context("lay out the home directory")?;
        if self.drops_rights {
            check(Command::new("chown").arg("-R").arg(format!("{USER}:{USER}")).arg(&home))?;
        }
        fs::write(LOG, "")?;
        Ok(())
    }

    /// Lets git refresh its index once, so that it does not write it for every line.
    fn settle(&mut self) -> anyhow::Result<()> {
        run::run(Shell::Bash, "git status", self.drops_rights)?;
        let index = Path::new(WORKSPACE).join(".git/index");
        let settled = fs::read(&index)?;
        self.unmount()?;
        fs::write(template(&index.to_string_lossy()), settled)?;
        self.fresh()
    }

    /// Mounts new, empty layers over the templates.
    fn fresh(&mut self) -> anyhow::Result<()> {
        self.unmount()?;
        let old = self.layers();
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
        self.layer += 1;
        for root in ROOTS {
            let work = self.layers().join("work").join(name(root));
            mounts::overlay(root, &template(root), &self.upper(root), &work, !self.drops_rights)?;
        }
        self.watch = Some(trace::Watch::new()?);
        Ok(())
    }

    fn unmount(&mut self) -> anyhow::Result<()> {
        if self.watch.take().is_some() {
            ROOTS.iter().try_for_each(|root| mounts::unmount(root))?;
        }
        Ok(())
    }

    fn layers(&self) -> PathBuf {
        Path::new(PRIVATE).join("layers").join(self.layer.to_string())
    }

    fn upper(&self, root: &str) -> PathBuf {
        self.layers().join("upper").join(name(root))
    }
}

fn name(root: &str) -> &str {
    root.trim_start_matches('/')
}

/// Returns the path of a folder's template.
fn template(path: &str) -> PathBuf {
    Path::new(PRIVATE).join("template").join(name(path))
}

/// Runs a program that has to succeed.
fn check(command: &mut Command) -> anyhow::Result<()> {
    let done = command.output().with_context(|| format!("run {command:?}"))?;
    anyhow::ensure!(done.status.success(), "run {command:?}: {}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}
