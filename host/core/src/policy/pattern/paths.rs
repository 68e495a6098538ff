//! Paths as gitignore writes them.

use std::path::Path;

/// Patterns of paths.
#[derive(Debug, Clone)]
pub struct Paths {
    lines: Vec<String>,
}

/// The folders that the beginnings of a pattern stand for. All absolute.
#[derive(Debug, Clone, Copy)]
pub struct Anchors<'a> {
    /// `/x` and `a/b`: the folder of a workspace's policy, else where the agent works.
    pub root: Option<&'a Path>,
    /// `~/x`
    pub home: Option<&'a Path>,
}
