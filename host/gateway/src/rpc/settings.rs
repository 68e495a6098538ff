//! Methods about the settings that the page shows. They read and write files, on a thread that may wait.

use std::sync::Arc;

use dmplz_protocol::notify::settings::{
    ChangeNotify, GetNotify, HookChanges, HookList, ListHooks, NotChanged, NotifyStatus, Preview, PreviewNotice,
    ShowHookChanges, TrustHooks,
};
use dmplz_protocol::{Code, RpcError};

use super::connection::{Connection, offered};
use crate::settings::PageSettings;

/// Does something with the settings, on a thread that may wait.
async fn with<T: Send + 'static>(
    connection: &Connection,
    act: impl FnOnce(&dyn PageSettings) -> T + Send + 'static,
) -> Result<T, RpcError> {
    let settings = Arc::clone(offered(&connection.services.settings)?);
    tokio::task::spawn_blocking(move || act(settings.as_ref())).await.map_err(RpcError::internal)
}

/// Returns what the settings file has of notices, and how the channels do.
pub(super) async fn status(connection: &Connection, _: GetNotify) -> Result<NotifyStatus, RpcError> {
    let notices = offered(&connection.services.notices)?;
    let states = notices.channels().await.map_err(RpcError::internal)?;
    with(connection, move |settings| settings.status(states)).await
}

/// Changes the settings file. Returns what it has then.
pub(super) async fn change(connection: &Connection, change: ChangeNotify) -> Result<NotifyStatus, RpcError> {
    with(connection, move |settings| settings.change(&change)).await?.map_err(not_changed)?;
    status(connection, GetNotify {}).await
}

fn not_changed(wrong: NotChanged) -> RpcError {
    let data = serde_json::to_value(&wrong).ok();
    RpcError { code: Code::PARAMS, message: wrong.message, data }
}

/// Returns what channels would get of an event.
pub(super) async fn preview(connection: &Connection, preview: PreviewNotice) -> Result<Preview, RpcError> {
    with(connection, move |settings| settings.preview(&preview)).await?.map_err(|why| RpcError::new(Code::PARAMS, why))
}

/// Returns the hooks of a folder.
pub(super) async fn hooks(connection: &Connection, list: ListHooks) -> Result<HookList, RpcError> {
    with(connection, move |settings| settings.hooks(&list)).await?.map_err(|why| RpcError::new(Code::PARAMS, why))
}

/// Returns what a person would trust in a folder.
pub(super) async fn hook_changes(connection: &Connection, show: ShowHookChanges) -> Result<HookChanges, RpcError> {
    let shown = with(connection, move |settings| settings.hook_changes(&show)).await?;
    shown.map_err(|why| RpcError::new(Code::PARAMS, why))
}

/// Trusts the hooks of a folder as they were shown, or takes that back. Returns the hooks of the folder.
pub(super) async fn trust_hooks(connection: &Connection, trust: TrustHooks) -> Result<HookList, RpcError> {
    let list = ListHooks { folder: Some(trust.folder.clone()), lang: trust.lang };
    with(connection, move |settings| settings.trust_hooks(&trust)).await?.map_err(not_changed)?;
    hooks(connection, list).await
}
