//! What looks after the database while the gateway runs: a look at all of it at the start, and pruning from time to time.

use std::time::Duration;

use dmplz_gateway::{Disk, Pruner, Recovered};

use crate::settings::Settings;
use crate::{journals, trouble};

/// How long the look takes at most. It takes about three seconds for each gigabyte that the system has in memory, and
/// longer from a disk, so it runs beside everything else and holds up nobody.
const LOOK: Duration = Duration::from_secs(60);
/// Rows that are named.
const NAMED: usize = 10;

/// Says which requests are passed over.
pub(super) fn tell(recovered: &Recovered) {
    for row in recovered.unreadable.iter().take(NAMED) {
        trouble::warn(&format!("{row}; nobody is asked about it, and it is kept as it is (dmplz store check)"));
    }
    let more = recovered.unreadable.len().saturating_sub(NAMED);
    if more > 0 {
        trouble::warn(&format!("{more} more open requests cannot be read (dmplz store check)"));
    }
}

/// Looks at the database, and says what is wrong with it.
pub(super) async fn look(disk: Disk) {
    let checked = match disk.check(LOOK).await {
        Ok(checked) => checked,
        Err(error) => return trouble::warn(&format!("the database cannot be checked: {error} (dmplz store check)")),
    };
    if let Some(damage) = checked.damage.first() {
        trouble::warn(&format!(
            "the database is damaged ({damage}): end the gateway and put a backup back (dmplz store check, dmplz store restore)"
        ));
    }
    if !checked.unreadable.is_empty() {
        let count = checked.unreadable.len();
        trouble::warn(&format!("{count} of the requests cannot be read and are left out (dmplz store check)"));
    }
}

/// Removes what is old, also from the logs.
pub(super) async fn prune(pruner: Pruner, settings: Settings) {
    let told = |pruned: Result<_, dmplz_gateway::DiskError>| {
        if let Err(error) = pruned {
            trouble::warn(&format!("what is old cannot be removed: {error}"));
        }
        let settings = settings.clone();
        tokio::task::spawn_blocking(move || {
            if let Some(age) = settings.history.all {
                trouble::report(journals::prune(&settings, age).map(drop));
            }
        });
    };
    pruner.run(told).await;
}
