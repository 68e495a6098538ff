use std::collections::HashSet;

use super::*;

#[test]
fn each_name_has_one_row() {
    let mut seen = HashSet::new();
    let twice: Vec<&str> = rows().flat_map(|row| row.names.split('|')).filter(|name| !seen.insert(*name)).collect();
    assert_eq!(twice, Vec::<&str>::new());
}

#[test]
fn a_loader_of_programs_is_known_by_any_of_its_names() {
    for name in [
        "ld-linux-x86-64.so.2",
        "ld-linux.so.2",
        "ld-linux-aarch64.so.1",
        "ld-2.31.so",
        "ld64.so.2",
        "ld.so.1",
        "ld.so",
        "ld-elf32.so.1",
        "ld.elf_so",
        "ld-musl-x86_64.so.1",
        "libc.musl-x86_64.so.1",
        "libc.so.6",
    ] {
        assert_eq!(find(name).map(Row::name), Some("ld.so"), "{name}");
    }
    for name in ["ld", "ldd", "ld.lld", "so", "libcx.so"] {
        assert_ne!(find(name).map(Row::name), Some("ld.so"), "{name}");
    }
}
