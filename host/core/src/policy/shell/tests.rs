//! What lines are read as.

mod show;

use super::*;
use show::shown;

/// The lines of a table, each with what it is read as. A line may have more than one; its reading is indented.
const TABLES: [&str; 1] = [include_str!("tests/bash.txt")];

#[test]
fn lines_are_read_as_bash_reads_them() {
    for table in TABLES {
        let mut read_now = String::new();
        for case in table.split("\n\n") {
            let line: Vec<&str> = case.lines().filter(|line| !line.starts_with("    ")).collect();
            let line = line.join("\n").replace('␉', "\t").replace("␠", " ");
            let reading = shown(&read(&line)).replace('\n', "\n    ");
            read_now += &format!(
                "{}\n    {reading}\n\n",
                case.lines().take_while(|line| !line.starts_with("    ")).collect::<Vec<_>>().join("\n")
            );
        }
        assert_eq!(read_now.trim_end(), table.trim_end());
    }
}
