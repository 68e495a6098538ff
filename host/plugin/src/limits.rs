//! The limits on the resources of one instance.
//!
//! | what | at most | breach |
//! |---|---|---|
//! | all linear memories together | 64 MiB | [`Fault::Memory`] |
//! | table elements, one table | 100,000 | [`Fault::Tables`] |
//! | core instances, tables, memories | 128, 64, 8 | [`Fault::Trapped`], when it starts |
//! | WASI resources | 1,000 | an error that the guest's runtime sees |
//! | stack | 512 KiB | trap: [`Fault::Trapped`] |
//! | bytes that one call across the boundary carries | 32 MiB | [`Fault::Payload`] |
//! | work of one export | 20,000,000,000 units of fuel (3 s of a tight loop, 10 s of memory traffic) | [`Fault::Work`] |
//! | wall time of one export | what the caller gives; a little more after a suspension (`deadline`) | [`Fault::Overstayed`] |
//!
//! A unit of fuel is one instruction, or one byte of a bulk copy. The component sees a deadline that is earlier than
//! the caller's by a tenth, at most 100 ms, so that it can return `deadline` itself, which keeps the instance.

use std::time::Duration;

use wasmtime::ResourceLimiter;

use crate::Fault;

/// The bytes of stack for the component's own frames.
pub(crate) const STACK: usize = 512 << 10;
/// The additional bytes of stack for the host's frames above them.
pub(crate) const STACK_OF_HOST: usize = 512 << 10;
/// The fuel after which the host runs its timers: about a tenth of a millisecond.
pub(crate) const FUEL_SLICE: u64 = 100_000;
/// The fuel for one export.
pub(crate) const FUEL: u64 = 20_000_000_000;
/// The bytes in strings and lists that one call may carry into the host.
pub(crate) const PAYLOAD: usize = 32 << 20;
/// The time for starting an instance, `describe` and `connect` together.
pub(crate) const START: Duration = Duration::from_secs(5);

const MEMORY: usize = 64 << 20;
const TABLE_ELEMENTS: usize = 100_000;

/// Returns the time between the deadline that the component sees and the real one.
pub(crate) fn margin(within: Duration) -> Duration {
    (within / 10).min(Duration::from_millis(100))
}

/// Counts the memory of all linear memories of a store.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    memory: usize,
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.memory.saturating_add(desired.saturating_sub(current));
        if total > MEMORY {
            return Err(Fault::Memory.into());
        }
        self.memory = total;
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > TABLE_ELEMENTS { Err(Fault::Tables.into()) } else { Ok(true) }
    }

    fn instances(&self) -> usize {
        128
    }

    fn tables(&self) -> usize {
        64
    }

    fn memories(&self) -> usize {
        8
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::Store;
    use wasmtime::component::{Component, Linker};

    use super::{FUEL, Meter};
    use crate::{Engine, Fault, native};

    fn run(wat: &str) -> Result<(), Fault> {
        let engine = Engine::new().unwrap();
        let code = crate::precompile(&wat::parse_str(wat).unwrap(), None).unwrap();
        let component: Component = native::trusted(&engine.0, &code).unwrap();
        let mut store = Store::new(&engine.0, Meter::default());
        store.limiter(|meter| meter);
        store.set_fuel(FUEL).unwrap();
        Linker::new(&engine.0).instantiate(&mut store, &component).map(drop).map_err(Fault::from)
    }

    fn many(what: &str, count: usize) -> String {
        format!("(component (core module $m {}) (core instance (instantiate $m)))", what.repeat(count))
    }

    #[test]
    fn tables_memories_and_instances_have_ends() {
        assert_eq!(run(&many("(table 100000 funcref)", 3)), Ok(()));
        assert_eq!(run(&many("(table 100001 funcref)", 1)), Err(Fault::Tables));
        assert_eq!(run(&many("(memory 512)", 2)), Ok(()));
        assert_eq!(run(&many("(memory 513)", 2)), Err(Fault::Memory));
        assert!(
            matches!(run(&many("(memory 1)", 9)), Err(Fault::Trapped(why)) if why.contains("memory count too high"))
        );
        assert!(
            matches!(run(&many("(table 1 funcref)", 65)), Err(Fault::Trapped(why)) if why.contains("table count too high"))
        );
        let instances = "(core instance (instantiate $m))".repeat(129);
        let bomb = run(&format!("(component (core module $m) {instances})"));
        assert!(matches!(&bomb, Err(Fault::Trapped(why)) if why.contains("instance count too high")), "{bomb:?}");
    }

    #[test]
    fn a_table_that_grows_while_it_runs_has_an_end() {
        let grow = "(table $t 1 funcref) (func $f (loop (drop (table.grow $t (ref.null func) (i32.const 50000))) (br 0))) (start $f)";
        assert_eq!(run(&many(grow, 1)), Err(Fault::Tables));
    }
}
