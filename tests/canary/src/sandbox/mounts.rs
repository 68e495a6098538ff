//! The mounts of the sandbox.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount};

use super::PRIVATE;

/// Folders that may contain files of others which can be written or read: sockets, the home of root, temporary files.
const HIDDEN: &[&str] = &["/mnt", "/run", "/root", "/var/tmp", "/dev/shm", "/srv", "/media", "/opt"];

/// Mounts empty folders over everything that a line need not see.
pub(super) fn hide() -> anyhow::Result<()> {
    for folder in HIDDEN.iter().filter(|folder| Path::new(folder).is_dir()) {
        tmpfs(folder)?;
    }
    fs::create_dir_all(PRIVATE)?;
    Ok(())
}

fn tmpfs(folder: &str) -> anyhow::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", folder, "tmpfs", flags, Some(c"size=768m,mode=755")).with_context(|| format!("mount {folder}"))
}

/// Makes everything else read-only.
pub(super) fn freeze() -> anyhow::Result<()> {
    let mounted = fs::read_to_string("/proc/self/mountinfo")?;
    let places = mounted.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(4);
        Some((fields.next()?, fields.next()?))
    });
    for (place, options) in places {
        let ours = HIDDEN.contains(&place) || place.starts_with("/proc") || place.starts_with("/dev");
        if ours || options.split(',').any(|option| option == "ro") {
            continue;
        }
        // Flags that are set must be set again: a user namespace may not remove them.
        let kept = [("nosuid", MountFlags::NOSUID), ("nodev", MountFlags::NODEV), ("noexec", MountFlags::NOEXEC)];
        let kept = kept.iter().filter(|(name, _)| options.split(',').any(|option| option == *name));
        let flags = kept.fold(MountFlags::BIND | MountFlags::RDONLY, |flags, (_, flag)| flags | *flag);
        mount_remount(place, flags, c"").with_context(|| format!("make {place} read-only"))?;
    }
    Ok(())
}

/// Mounts a file over another one.
pub(super) fn over(path: &str, text: &str) -> anyhow::Result<()> {
    let own = Path::new(PRIVATE).join(path.trim_start_matches('/').replace('/', "-"));
    fs::write(&own, text)?;
    mount_bind(&own, path).with_context(|| format!("put a file over {path}"))
}

/// Mounts an overlay. `of_user` means that the namespace belongs to a user.
pub(super) fn overlay(on: &str, lower: &Path, upper: &Path, work: &Path, of_user: bool) -> anyhow::Result<()> {
    fs::create_dir_all(upper)?;
    fs::create_dir_all(work)?;
    // The root of an overlay has the owner and the mode of its upper layer.
    fs::set_permissions(upper, fs::metadata(lower)?.permissions())?;
    // In a user namespace, overlays cannot store their notes in the usual attributes.
    let notes = if of_user { ",userxattr" } else { "" };
    let options =
        format!("lowerdir={},upperdir={},workdir={}{notes}", lower.display(), upper.display(), work.display());
    let options = std::ffi::CString::new(options)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("overlay", on, "overlay", flags, Some(options.as_c_str()))
        .with_context(|| format!("mount an overlay on {on}"))
}

/// Unmounts the topmost mount, even if it is in use.
pub(super) fn unmount(place: &str) -> anyhow::Result<()> {
    rustix::mount::unmount(place, UnmountFlags::DETACH).with_context(|| format!("unmount {place}"))
}
