//! Rotates the current file. The caller must hold the journal's lock.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::beside;

/// Rotates: the file at `path` becomes `.1`, and at most `max_files` rotated files are kept.
///
/// Files move only up to the first gap in the numbers. A crash in the middle leaves such a gap, and so loses no file.
pub(super) fn rotate(path: &Path, max_files: u32) -> io::Result<()> {
    for surplus in numbers(path)?.into_iter().filter(|number| *number > max_files) {
        fs::remove_file(numbered(path, surplus))?;
    }
    if max_files == 0 {
        return fs::remove_file(path);
    }
    let mut free = 1;
    while free < max_files && numbered(path, free).try_exists()? {
        free += 1;
    }
    // Without a gap, the oldest file is replaced.
    for number in (1..free).rev() {
        fs::rename(numbered(path, number), numbered(path, number + 1))?;
    }
    fs::rename(path, numbered(path, 1))
}

/// Returns the rotated files, the newest first.
pub(super) fn rotated(path: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(numbers(path)?.into_iter().map(|number| numbered(path, number)).collect())
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    beside(path, &number.to_string())
}

/// Returns the numbers in use, in ascending order.
fn numbers(path: &Path) -> io::Result<Vec<u32>> {
    let (Some(parent), Some(base)) = (path.parent(), path.file_name()) else { return Ok(Vec::new()) };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let mut numbers = Vec::new();
    for entry in fs::read_dir(parent)? {
        let name = entry?.file_name();
        let suffix = name.as_encoded_bytes().strip_prefix(base.as_encoded_bytes());
        let digits = suffix.and_then(|suffix| suffix.strip_prefix(b".")).filter(|digits| !digits.starts_with(b"0"));
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_digit));
        numbers.extend(digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates files by number (0 is the current one), each with its letter as content.
    fn journal(files: &[(u32, &str)]) -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.jsonl");
        for (number, content) in files {
            fs::write(if *number == 0 { path.clone() } else { numbered(&path, *number) }, content).unwrap();
        }
        (temp, path)
    }

    fn after(path: &Path) -> Vec<(u32, String)> {
        let read = |number| (number, fs::read_to_string(numbered(path, number)).unwrap());
        numbers(path).unwrap().into_iter().map(read).collect()
    }

    fn rotated(files: &[(u32, &str)], max_files: u32) -> String {
        let (_temp, path) = journal(files);
        rotate(&path, max_files).unwrap();
        assert!(!path.exists());
        after(&path).into_iter().map(|(number, content)| format!("{number}{content} ")).collect()
    }

    #[test]
    fn files_move_up_and_the_oldest_beyond_the_retention_goes() {
        assert_eq!(rotated(&[(0, "d")], 3), "1d ");
        assert_eq!(rotated(&[(0, "d"), (1, "c"), (2, "b")], 3), "1d 2c 3b ");
        assert_eq!(rotated(&[(0, "d"), (1, "c"), (2, "b"), (3, "a")], 3), "1d 2c 3b ");
    }

    #[test]
    fn a_gap_that_a_crash_left_costs_no_file() {
        assert_eq!(rotated(&[(0, "d"), (2, "b"), (3, "a")], 3), "1d 2b 3a ");
        assert_eq!(rotated(&[(0, "d"), (1, "c"), (3, "a")], 3), "1d 2c 3a ");
    }

    #[test]
    fn a_smaller_retention_removes_what_is_too_much() {
        assert_eq!(rotated(&[(0, "d"), (1, "c"), (2, "b"), (3, "a"), (12, "z")], 2), "1d 2c ");
        assert_eq!(rotated(&[(0, "d"), (1, "c")], 0), "");
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let (temp, path) = journal(&[(0, "d")]);
        for name in ["x.jsonl.lock", "x.jsonl.1.gz", "x.jsonl.01", "x.jsonl.", "x.jsonl.-1", "y.jsonl.1", "x.jsonl1"] {
            fs::write(temp.path().join(name), name).unwrap();
        }
        rotate(&path, 0).unwrap();
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 7);
    }
}
