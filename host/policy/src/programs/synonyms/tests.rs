use super::*;
use crate::commands;

fn of(line: &str) -> Vec<String> {
    let command = commands::read(line).commands.into_iter().next().unwrap();
    let text = |words: Vec<Word>| words.iter().map(|word| word.known.clone()).collect::<Vec<_>>().join(" ");
    synonyms(&command.words).into_iter().map(text).collect()
}

#[test]
fn a_command_has_the_other_names_of_what_it_does() {
    for (line, expected) in [
        ("npm t -- x", "npm test -- x"),
        ("npm --prefix x i y", "npm install y"),
        ("npm publis --dry-run", "npm publish --dry-run"),
        ("npm publish", "-"),
        ("npm install x", "npm i x"),
        ("npm inst x", "npm install x"),
        ("cargo -q t", "cargo test"),
        ("docker container rm x", "docker rm x"),
        ("docker --context y image rm x", "docker rmi x"),
        ("docker rm x", "docker container remove x"),
        ("hg comm -m x", "hg ci -m x"),
        ("make test deploy", "make deploy test"),
        ("make -j4 test deploy", "make deploy -j4 test"),
        ("mvn clean -q deploy", "mvnw deploy clean -q"),
        ("./gradlew build :app:publish", "gradle publish build"),
        ("gradle :publish", "gradle publish"),
        ("pip3.12 install x", "pip install x"),
        ("python3 x.py", "python x.py"),
        ("/usr/bin/NPM t", "/usr/bin/NPM test"),
        ("ls x", "-"),
        ("git status", "-"),
        ("npm", "-"),
        ("npm p", "-"),
        ("npm $x", "-"),
        ("make", "gmake"),
        ("$x t", "-"),
    ] {
        let found = of(line);
        let has = if expected == "-" { found.is_empty() } else { found.iter().any(|other| other == expected) };
        assert!(has, "{line} = {expected}: {found:?}");
    }
}

#[test]
fn no_name_is_in_two_groups() {
    for (programs, groups) in SUBCOMMANDS {
        let mut names: Vec<&str> = groups.iter().flat_map(|group| group.split('|')).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{programs:?}");
    }
}
