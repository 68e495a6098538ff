//! The permission modes of a session's client.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission mode in which a person is asked. A session begins in one of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionMode)]
pub enum Mode {
    /// The client asks before it edits a file.
    #[default]
    Default,
    /// The client edits files of the folder without asking.
    AcceptEdits,
    /// The client changes nothing before its plan is approved.
    Plan,
}

/// A permission mode in which nobody is asked. It can be set only if `DMPLZ_RUN_MODES` names it, and then a person confirms
/// it on another surface than the one that asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum UnaskedMode {
    /// Every call runs, but those that a rule or a hook denies.
    BypassPermissions,
    /// A model of the client's decides instead of a person.
    Auto,
    /// Every call is denied that no rule allows.
    DontAsk,
}

/// A permission mode of the client, whether or not a person is asked in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum AnyMode {
    /// One in which a person is asked.
    Asking(Mode),
    /// One in which nobody is asked.
    Unasked(UnaskedMode),
}

// The client's names.
dmplz_core::named!(Mode { Default = "default", AcceptEdits = "acceptEdits", Plan = "plan" });
dmplz_core::named!(UnaskedMode { BypassPermissions = "bypassPermissions", Auto = "auto", DontAsk = "dontAsk" });

impl AnyMode {
    /// All modes, those in which a person is asked first.
    pub fn all() -> impl Iterator<Item = Self> {
        Mode::ALL.into_iter().map(Self::Asking).chain(UnaskedMode::ALL.into_iter().map(Self::Unasked))
    }

    /// Returns the mode that a person means: `acceptEdits` and `accept-edits` are the same.
    pub fn spelled(wanted: &str) -> Option<Self> {
        let plain = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
        Self::all().find(|mode| plain(mode.name()) == plain(wanted))
    }

    /// Returns the client's name of the mode.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asking(mode) => mode.name(),
            Self::Unasked(mode) => mode.name(),
        }
    }
}

/// A name that is no mode's.
#[derive(Debug, thiserror::Error)]
#[error("there is no mode {0:?}: it is default, acceptEdits, plan, bypassPermissions, auto or dontAsk")]
pub struct NoMode(String);

impl TryFrom<String> for AnyMode {
    type Error = NoMode;

    fn try_from(name: String) -> Result<Self, NoMode> {
        Self::all().find(|mode| mode.name() == name).ok_or(NoMode(name))
    }
}

impl From<AnyMode> for &'static str {
    fn from(mode: AnyMode) -> Self {
        mode.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_spell_a_mode_as_they_like_and_programs_as_the_client_does() {
        for (spelled, name) in [
            ("plan", "plan"),
            ("accept-edits", "acceptEdits"),
            ("acceptEdits", "acceptEdits"),
            ("DEFAULT", "default"),
            ("bypass_permissions", "bypassPermissions"),
            ("dont-ask", "dontAsk"),
        ] {
            let mode = AnyMode::spelled(spelled).unwrap();
            assert_eq!(mode.name(), name);
            assert_eq!(serde_json::to_string(&mode).unwrap(), format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<AnyMode>(&format!("\"{name}\"")).unwrap(), mode);
        }
        assert!(AnyMode::spelled("").is_none() && AnyMode::spelled("yolo").is_none());
        let error = serde_json::from_str::<AnyMode>("\"accept-edits\"").unwrap_err().to_string();
        assert!(error.starts_with("there is no mode \"accept-edits\": it is default, acceptEdits,"), "{error}");
    }

    #[test]
    fn a_session_begins_in_no_mode_in_which_nobody_is_asked() {
        for mode in UnaskedMode::ALL {
            assert!(Mode::named(mode.name()).is_none());
            assert!(serde_json::from_str::<Mode>(&format!("\"{}\"", mode.name())).is_err());
        }
    }
}
