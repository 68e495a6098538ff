use crate::command::Home;

#[test]
fn every_command_has_a_page_that_names_its_options() {
    let home = Home::new();
    let left = home.run(&["man"]);
    assert!(left.code == Some(0) && left.stdout.contains(".TH dmplz 1"), "{left:?}");
    let dir = home.path().join("man");
    assert_eq!(home.run(&["man", dir.to_str().unwrap()]).code, Some(0));
    let page = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    assert!(page("dmplz.1").contains("dmplz\\-setup(1)"), "{}", page("dmplz.1"));
    assert!(page("dmplz-setup.1").contains("\\-\\-from\\-file"));
    assert!(page("dmplz-approvals-watch.1").contains("\\-\\-plain"));
    assert!(!dir.join("dmplz-man.1").exists(), "what is hidden has none");
    assert!(!home.run(&["--help"]).stdout.contains("  man  "));
}
