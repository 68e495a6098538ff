//! Tests of what a line hides from a deny: in braces and loops, in a folder that only it knows, under another name.

use super::around::{EVERYTHING, all, prefixes};
use super::{Allow, AskUser, Deny, sound};
use crate::shell::Shell;

#[test]
fn what_the_words_of_a_line_contain_is_read_however_they_are_written() {
    let policy = sound(&format!("{EVERYTHING}{}", prefixes("deny", &["rm", "git push"])));
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "awk {'BEGIN{system(\"rm x\")}',}",
            "awk {'BEGIN{system(\"rm x\")}',y}",
            "awk -v a=b {y,'BEGIN{system(1)}'}",
            "vim {-c,'!rm x'}",
            "sed {'1e rm x',} y",
            "for x in 1 -exec; do find . $x rm {} +; done",
            "x=-exec; find . $x rm {} \\;",
            "awk B{'EGIN{system(1)}',}",
            "awk \"$x\"",
            "awk $x y",
            "awk -e \"$x\" y",
            "sed \"$x\" y",
            "sed -e \"$(cat p)\" y",
            "awk x* y",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &["awk {x,y}", "awk '{print}' x*", "sed {p,} x", "for x in 1 2; do find . -name $x; done", "find . {-name,x}"],
    );
}

#[test]
fn git_is_asked_where_the_line_goes_to_a_folder_that_is_not_known() {
    let policy = sound(&format!("{EVERYTHING}{}", prefixes("deny", &["rm", "git push"])));
    let asked = [
        "cd $x; git diff",
        "for x in sub; do cd $x; git diff; done",
        "while cd sub; do git diff; done",
        "cd -; git diff",
        "git -C $x diff",
        "cd \"$(cat y)\" && git diff",
        "cd hostile && git diff",
    ];
    all(&policy, Shell::Unknown, AskUser, &asked);
    let allowed = [
        "cd sub && git diff",
        "cd $HOME/x && git diff",
        "cd ~/x; git diff",
        "git diff; cd $x",
        "(cd $x); git diff",
        "for x in a b; do (cd $x && git diff); done",
        "x=sub; cd $x && git diff",
        "cd $x && ls",
    ];
    all(&policy, Shell::Unknown, Allow, &allowed);
}

#[test]
fn a_denied_command_is_denied_under_its_other_names() {
    let pattern =
        "[[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\npriority = 100\ncommandRegex = 'cargo (test|build)( |$)'\n";
    let denied =
        ["npm publish", "npm install", "make deploy", "mvn deploy", "gradle publish", "docker rm", "pip install"];
    let policy = sound(&format!("{EVERYTHING}{pattern}{}", prefixes("deny", &denied)));
    all(
        &policy,
        Shell::Unknown,
        Deny,
        &[
            "npm publis", "npm publ --tag x", "npm -w x publi", "npm i x", "npm add x", "sudo npm i", "cargo t",
            "cargo -q b", "make test deploy", "make -j4 test deploy", "mvn clean deploy", "./mvnw clean deploy",
            "gradle build publish", "./gradlew :publish", "docker container rm x", "docker container remove -f x",
            "pip3 install x", "pip3.12 install x", "cd x && npm i", "gmake deploy",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &["npm pack", "npm test", "npm ci", "cargo check", "make test", "mvn clean verify", "docker ps", "pip list"],
    );
    // An allow means its own words.
    let policy = sound(&prefixes("allow", &["npm test", "make deploy"]));
    all(&policy, Shell::Unknown, AskUser, &["npm t", "npm tes", "make test deploy", "gmake deploy"]);
}
