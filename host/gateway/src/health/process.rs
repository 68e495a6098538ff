//! The resources of this process, under the metric names of Prometheus' own libraries. Available on Linux only.

use super::exposition::{Exposition, Type};

#[cfg(target_os = "linux")]
pub(super) fn expose(text: &mut Exposition) {
    use procfs::process::{LimitValue, Process};

    let Ok(own) = Process::myself() else { return };
    if let Ok(stat) = own.stat() {
        let mut gauge = |name, help, value: u64| _ = text.family(name, Type::Gauge, help).sample(&[], value);
        gauge("process_resident_memory_bytes", "Resident memory.", stat.rss * procfs::page_size());
        gauge("process_virtual_memory_bytes", "Virtual memory.", stat.vsize);
        let ticks = stat.utime + stat.stime;
        let seconds = std::time::Duration::from_millis(ticks * 1_000 / procfs::ticks_per_second().max(1));
        let help = "Processor time, of user and system.";
        text.family("process_cpu_seconds_total", Type::Counter, help).sample(&[], seconds.as_secs_f64());
    }
    let mut gauge = |name, help, value: u64| _ = text.family(name, Type::Gauge, help).sample(&[], value);
    if let Ok(open) = own.fd_count() {
        gauge("process_open_fds", "Open file descriptors.", open as u64);
    }
    if let Ok(limits) = own.limits()
        && let LimitValue::Value(most) = limits.max_open_files.soft_limit
    {
        gauge("process_max_fds", "The most file descriptors that may be open.", most);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn expose(_: &mut Exposition) {}
