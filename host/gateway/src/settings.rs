//! The settings that people see and change on the page. Whoever composes the gateway supplies them, because their file belongs to
//! the program, and so do the hooks of a folder.

use dmplz_protocol::notify::settings::{
    ChangeNotify, HookChanges, HookList, ListHooks, NotChanged, NotifyStatus, Preview, PreviewNotice, ShowHookChanges,
    TrustHooks,
};
use dmplz_state::store::ChannelRow;

/// The settings of notices, as their file has them now. Every function may read and write files, so its caller may wait.
/// None returns a secret.
pub trait PageSettings: Send + Sync {
    /// Returns what the file has. `states` tells how its channels do.
    fn status(&self, states: Vec<ChannelRow>) -> NotifyStatus;

    /// Returns the text of a test message, in the language of the notices.
    fn test_text(&self) -> &'static str;

    /// Changes the file.
    ///
    /// # Errors
    /// A value is wrong, the file has changed meanwhile, or it cannot be written. Then it is as it was.
    fn change(&self, change: &ChangeNotify) -> Result<(), NotChanged>;

    /// Returns what channels would get of an event.
    ///
    /// # Errors
    /// The event or the file cannot be read, in English.
    fn preview(&self, preview: &PreviewNotice) -> Result<Preview, String>;

    /// Returns the hooks of a folder.
    ///
    /// # Errors
    /// The folder cannot be read, in English.
    fn hooks(&self, list: &ListHooks) -> Result<HookList, String>;

    /// Returns what a person would trust in a folder.
    ///
    /// # Errors
    /// The folder cannot be read, in English.
    fn hook_changes(&self, show: &ShowHookChanges) -> Result<HookChanges, String>;

    /// Trusts the hooks of a folder as a person has seen them, or takes that back.
    ///
    /// # Errors
    /// They are others than those that were shown, or the list of trusted folders cannot be written.
    fn trust_hooks(&self, trust: &TrustHooks) -> Result<(), NotChanged>;
}
