mod looking;
mod projects;

use super::*;

#[test]
fn a_loader_of_programs_is_known_by_any_of_its_names() {
    for name in [
        "ld-linux-x86-64.so.2", "ld-linux.so.2", "ld-linux-aarch64.so.1", "ld-2.31.so", "ld64.so.2", "ld.so.1",
        "ld.so", "ld-elf32.so.1", "ld.elf_so", "ld-musl-x86_64.so.1", "libc.musl-x86_64.so.1", "libc.so.6",
    ] {
        assert_eq!(find(name).map(Row::name), Some("ld.so"), "{name}");
    }
    for name in ["ld", "ldd", "ld.lld", "so", "libcx.so"] {
        assert_ne!(find(name).map(Row::name), Some("ld.so"), "{name}");
    }
}

#[test]
fn the_index_holds_each_name_of_each_row_and_no_other() {
    for row in rows() {
        for name in row.names.split('|') {
            assert_eq!(index::get(name).unwrap().names, row.names, "{name}");
            assert!(index::get(&format!("{name}|")).is_none(), "{name}");
        }
        assert!(!row.names.contains('|') || index::get(row.names).is_none(), "{}", row.names);
    }
    assert!(index::get("").is_none());
}
