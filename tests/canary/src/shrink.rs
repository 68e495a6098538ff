//! Finds the shortest form of a line.

use std::collections::BTreeSet;

/// Characters after which a command may begin, and blanks.
const BETWEEN: &[char] = &[' ', '\t', '\n', ';', '&', '|', '(', ')', '{', '}'];

/// Returns the shortest form that still has the effect: pieces are removed, from halves of the line down to single
/// characters, until no piece can be removed.
///
/// `does` returns `None` to stop the search; the result is then the shortest form so far.
///
/// # Errors
/// If `does` fails.
pub fn shortest(line: &str, mut does: impl FnMut(&str) -> anyhow::Result<Option<bool>>) -> anyhow::Result<String> {
    let mut best = line.to_owned();
    let mut tried_before = BTreeSet::new();
    for cut in [pieces_of_words, pieces_of_characters] {
        loop {
            let mut shorter = None;
            for (from, to) in cut(&best) {
                let mut tried = best.clone();
                tried.replace_range(from..to, "");
                let tried = tried.trim().to_owned();
                if tried.is_empty() || tried.len() >= best.len() || !tried_before.insert(tried.clone()) {
                    continue;
                }
                let Some(still) = does(&tried)? else { return Ok(best) };
                if still {
                    shorter = Some(tried);
                    break;
                }
            }
            match shorter {
                Some(shorter) => best = shorter,
                None => break,
            }
        }
    }
    Ok(best)
}

/// Returns whether a line contains all words of a short line, in the same order.
pub fn contains(line: &str, short: &str) -> bool {
    let mut words = line.split(BETWEEN).filter(|word| !word.is_empty());
    short.split(BETWEEN).filter(|word| !word.is_empty()).all(|wanted| words.any(|word| word == wanted))
}

/// Returns runs of words, longest first, with the blanks before them.
fn pieces_of_words(line: &str) -> Vec<(usize, usize)> {
    let mut edges: Vec<usize> = vec![0];
    edges.extend(line.match_indices(BETWEEN).flat_map(|(at, found)| [at, at + found.len()]));
    edges.push(line.len());
    edges.dedup();
    runs(&edges)
}

/// Returns single characters and pairs of them.
fn pieces_of_characters(line: &str) -> Vec<(usize, usize)> {
    // A long line was already shortened by words: more steps would only cost time.
    if line.len() > 120 {
        return Vec::new();
    }
    let edges: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    [2, 1]
        .into_iter()
        .flat_map(|size| edges.iter().copied().zip(edges.iter().copied().skip(size)).collect::<Vec<_>>())
        .collect()
}

fn runs(edges: &[usize]) -> Vec<(usize, usize)> {
    let mut size = edges.len() / 2;
    let mut all = Vec::new();
    while size > 0 {
        all.extend(edges.iter().copied().zip(edges.iter().copied().skip(size)));
        size = if size > 4 { size / 2 } else { size - 1 };
    }
    all
}

/// Returns the first words of the commands of a line, approximately: they are only counted.
pub fn programs(line: &str) -> Vec<String> {
    let commands = line.split([';', '&', '|', '\n', '(', '`', '{']);
    let first = |command: &str| {
        let mut words = command.split_whitespace().skip_while(|word| word.contains('='));
        let word = words.next()?.trim_matches(['\'', '"', '\\']).to_owned();
        word.chars().all(|char| char.is_ascii_alphanumeric() || "-_./".contains(char)).then_some(word)
    };
    commands.filter_map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_to_what_matters() {
        let does = |line: &str| Ok(Some(line.contains("cd link") && line.contains("git status")));
        assert_eq!(shortest("x=1 ls -la; cd link && git status -s | cat -n", does).unwrap(), "cd linkgit status");
        let does = |line: &str| Ok(Some(line.split("; ").any(|command| command == "cat \"x\"")));
        assert_eq!(shortest("for i in a b; do ls; done; cat \"x\"; ls", does).unwrap(), "cat \"x\"");
        assert_eq!(shortest("ls -la", |_| Ok(None)).unwrap(), "ls -la");
        assert_eq!(shortest("ls -la", |_| Ok(Some(false))).unwrap(), "ls -la");
    }

    #[test]
    fn a_line_with_a_known_failure_in_it_is_known() {
        assert!(contains("ls; cd sub && cd link && git status -s", "cd link; git status"));
        assert!(!contains("git status; cd link", "cd link; git status"));
    }

    #[test]
    fn the_programs_of_a_line_are_counted() {
        assert_eq!(programs("X=1 ls -la && git status | 'cat' x; $x"), ["ls", "git", "cat"]);
    }
}
