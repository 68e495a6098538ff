//! The capability `clock`.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::bindings::clock::Host;
use crate::state::State;

impl Host for State {
    async fn now(&mut self) -> wasmtime::Result<u64> {
        self.turn(0).await?;
        Ok(self.host.clock.now())
    }

    async fn remaining(&mut self) -> wasmtime::Result<u32> {
        self.turn(0).await?;
        let left = self.call.told.saturating_duration_since(Instant::now());
        Ok(u32::try_from(left.as_millis()).unwrap_or(u32::MAX))
    }

    async fn sleep(&mut self, milliseconds: u32) -> wasmtime::Result<()> {
        self.turn(0).await?;
        let until = Instant::now() + Duration::from_millis(milliseconds.into());
        sleep_until(until.min(self.call.told)).await;
        Ok(())
    }
}
