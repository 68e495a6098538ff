//! A planned handler as what is started.
//!
//! Without `args` a shell reads the command line; with them the program is started as it is, with `${CLAUDE_PROJECT_DIR}` filled
//! in.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use crate::environment::{Surroundings, environment, filled};
use crate::input::Input;
use crate::plan::Planned;
use crate::process::Job;

/// The shell of POSIX, which every system has there.
const SH: &str = "/bin/sh";

impl Job {
    /// Returns what is started for a handler; `None` if it has no command. `line` is the event as [`Input::line`] gives it.
    pub fn of(
        planned: &Planned<'_>,
        input: &Input,
        line: &Arc<[u8]>,
        surroundings: Surroundings<'_>,
        env_file: Option<&Path>,
    ) -> Option<Self> {
        let command = planned.handler.command.as_ref()?;
        let (program, arguments) = match &command.args {
            None => {
                let shell = if command.shell == "sh" { SH } else { command.shell };
                (shell.into(), vec!["-c".into(), command.line.clone().into()])
            }
            Some(args) => {
                let arguments = args.iter().map(|arg| OsString::from(filled(arg, surroundings.project)));
                (filled(&command.line, surroundings.project).into(), arguments.collect())
            }
        };
        Some(Self {
            program,
            arguments,
            folder: surroundings.project.to_owned(),
            environment: environment(surroundings, input, planned, env_file),
            stdin: line.clone(),
            limit: planned.handler.limit,
        })
    }
}
