//! What a grant covers, in one line for people.

use super::{Covers, Grant};
use crate::text::{Lang, fill};
use crate::visible::visible_line;

impl Covers {
    /// Returns one line for a list of grants.
    pub fn line(&self, folder: &str, lang: Lang) -> String {
        let words = lang.words();
        let what = match self {
            Self::Command { tool, shown, .. } => fill(words.granted_command, &[tool, shown]),
            Self::File { tool, path, leads: None } => fill(words.granted_file, &[tool, path]),
            Self::File { tool, path, leads: Some(real) } => {
                fill(words.granted_file, &[tool, &format!("{path} → {real}")])
            }
            Self::Site { tool, origin } => fill(words.granted_site, &[tool, origin]),
            Self::Input { tool, shown, .. } => fill(words.granted_input, &[tool, shown]),
        };
        visible_line(&fill(words.granted_in, &[&what, folder]))
    }

    /// Returns what a card says before a person grants it, if the grant covers more than the shown call: any content of
    /// a file, any page of a site.
    pub fn offer(&self, lang: Lang) -> Option<String> {
        let words = lang.words();
        let what = match self {
            Self::Command { .. } | Self::Input { .. } => return None,
            Self::File { tool, path, .. } => fill(words.granted_any, &[tool, path]),
            Self::Site { tool, origin } => fill(words.granted_site, &[tool, origin]),
        };
        Some(visible_line(&fill(words.granted_offer, &[&what])))
    }
}

impl Grant {
    /// Returns one line for people: [`Covers::line`].
    pub fn line(&self, lang: Lang) -> String {
        self.covers.line(&self.folder, lang)
    }
}
