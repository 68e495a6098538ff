//! The settings that people see and change on the page. Whoever composes the gateway supplies them, because their file belongs to
//! the program, and so do the hooks of a folder.

use dmplz_protocol::notify::settings::{
    ChangeNotify, HookList, ListHooks, NotChanged, NotifyStatus, Preview, PreviewNotice,
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
}
