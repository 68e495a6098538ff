use super::*;
use crate::policy::{File, Origin, Tier};

fn starter() -> File {
    File::parse(STARTER, Origin { tier: Tier::User, path: "policy.toml".into(), root: None, trusted: true })
}

#[test]
fn it_loads_and_passes_its_own_examples() {
    let problems: Vec<_> = starter().problems.iter().map(|problem| problem.to_string()).collect();
    assert_eq!(problems, [""; 0]);
}
