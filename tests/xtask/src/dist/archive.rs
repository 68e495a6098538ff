//! Archives whose bytes depend on nothing but their files and one time.

use tar::{Builder, EntryType, Header};

use super::gz::gz;
use super::tree::Tree;

/// Returns a compressed archive of the files.
pub(super) fn targz(tree: &Tree, time: u64) -> anyhow::Result<Vec<u8>> {
    gz(&archive(tree, "", time)?)
}

/// Returns a compressed archive with `./` before each path, and all folders, as dpkg has it.
pub(super) fn targz_of_dpkg(tree: &Tree, time: u64) -> anyhow::Result<Vec<u8>> {
    gz(&archive(tree, "./", time)?)
}

fn archive(tree: &Tree, before: &str, time: u64) -> anyhow::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    if !before.is_empty() {
        append(&mut builder, &mut header(EntryType::Directory, 0o755, 0, time)?, before, &[])?;
    }
    for folder in tree.folders() {
        let mut header = header(EntryType::Directory, 0o755, 0, time)?;
        append(&mut builder, &mut header, &format!("{before}{folder}/"), &[])?;
    }
    for (path, file) in &tree.files {
        let mut header = header(EntryType::Regular, file.mode, file.bytes.len() as u64, time)?;
        append(&mut builder, &mut header, &format!("{before}{path}"), &file.bytes)?;
    }
    Ok(builder.into_inner()?)
}

/// Appends an entry under exactly this name; the library takes `./` away from names that it is given as paths.
fn append(builder: &mut Builder<Vec<u8>>, header: &mut Header, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let field = &mut header.as_old_mut().name;
    anyhow::ensure!(name.len() <= field.len(), "put {name} into an archive: its name is too long");
    field.fill(0);
    for (to, byte) in field.iter_mut().zip(name.bytes()) {
        *to = byte;
    }
    header.set_cksum();
    builder.append(header, bytes)?;
    Ok(())
}

fn header(kind: EntryType, mode: u32, size: u64, time: u64) -> std::io::Result<Header> {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    header.set_mtime(time);
    header.set_size(size);
    Ok(header)
}
