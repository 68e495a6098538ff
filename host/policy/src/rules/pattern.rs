//! The patterns of rules: names with `*`, regular expressions, gitignore-style paths, hosts.

mod domains;
mod glob;
mod paths;
mod regex;

pub use domains::{DomainError, Domains, Site};
pub use glob::Glob;
pub use paths::{Anchors, Extent, Line, PathError, Paths, keys};
pub(crate) use paths::{fold, places};
pub use regex::{Pattern, PatternError, PatternFault};
