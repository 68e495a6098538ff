//! One running instance of a component.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::messenger::Manifest;
use tokio::time::Instant;
use wasmtime::Store;

use crate::bindings::Messenger;
use crate::bindings::provider::Guest;
use crate::bindings::types::{self, Setting};
use crate::convert::Convert;
use crate::limits;
use crate::state::{Access, Call, State};
use crate::{Component, Fault, Host};

/// An instance with a store of its own. Dropping it frees everything that it has.
pub(crate) struct Instance {
    pub(crate) store: Store<State>,
    messenger: Messenger,
}

impl Instance {
    /// Starts an instance and calls `describe`.
    pub(crate) async fn start(
        component: &Component,
        host: Host,
        name: Arc<str>,
        within: Duration,
    ) -> Result<(Self, Manifest), Fault> {
        let call = Call::new(Instant::now() + within, false);
        let deadline = call.deadline.clone();
        let mut store = Store::new(component.0.engine(), State::new(host, name, call));
        store.limiter(|state| &mut state.meter);
        store.set_hostcall_fuel(limits::PAYLOAD);
        store.set_fuel(limits::FUEL)?;
        store.fuel_async_yield_interval(Some(limits::FUEL_SLICE))?;
        let starting = async {
            let messenger = component.0.instantiate_async(&mut store).await?;
            let manifest = messenger.dmplz_messenger_provider().call_describe(&mut store).await?;
            Ok::<_, wasmtime::Error>((messenger, manifest.convert()))
        };
        let started = deadline.bound(starting).await.and_then(|started| Ok(started?));
        store.data_mut().log_output("describe", started.is_err());
        let (messenger, manifest) = started?;
        Ok((Self { store, messenger }, manifest))
    }

    /// Calls `connect` with its settings.
    pub(crate) async fn connect(
        &mut self,
        access: &Arc<Access>,
        settings: &[Setting],
        transport: &str,
        within: Duration,
    ) -> Result<Result<(), types::Error>, Fault> {
        self.store.data_mut().access = Some(Arc::clone(access));
        self.run("connect", within, false, async |guest, store| guest.call_connect(store, settings, transport).await)
            .await
    }

    /// Runs the named export under its limits. After an error the instance must not be used again.
    pub(crate) async fn run<T>(
        &mut self,
        name: &str,
        within: Duration,
        online: bool,
        export: impl AsyncFnOnce(&Guest, &mut Store<State>) -> wasmtime::Result<T>,
    ) -> Result<T, Fault> {
        let call = Call::new(Instant::now() + within, online);
        let deadline = call.deadline.clone();
        self.store.data_mut().call = call;
        self.store.set_fuel(limits::FUEL)?;
        let running = export(self.messenger.dmplz_messenger_provider(), &mut self.store);
        let ran = deadline.bound(running).await.and_then(|ran| Ok(ran?));
        self.store.data_mut().log_output(name, ran.is_err());
        ran
    }
}
