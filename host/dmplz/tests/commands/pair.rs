//! `dmplz pair`: the link, the list of paired browsers, and ending pairings.

use serde_json::json;

use crate::command::Home;
use crate::gateway::Gateway;
use crate::terminal::Terminal;

#[test]
fn a_code_is_shown_with_a_link_whose_fragment_alone_holds_it_and_a_qr_code() {
    let home = Home::new().with("DMPLZ_GATEWAY_HOSTS", "other.example.org,https://dm.example.org");
    let gateway = Gateway::start(&home);
    let made = home.run(&["pair", "--json"]).json();
    let (url, link) = (made["url"].as_str().unwrap(), made["link"].as_str().unwrap());
    assert!(url.starts_with(&format!("http://{}/?", gateway.address())), "{made}");
    let (sent, code) = link.split_once("#pair=").unwrap();
    assert_eq!((made["code"].as_str(), sent.starts_with("https://dm.example.org/?")), (Some(code), true), "{made}");
    let piped = home.run(&["pair"]).stdout;
    assert!(piped.contains("#pair=") && !piped.contains('▀'), "{piped}");
    let mut terminal = Terminal::start(&home, &["pair"], 100);
    terminal.shows("#pair=");
    terminal.shows("▀");
}

#[test]
fn nobody_is_paired_at_first_and_a_browser_that_is_not_there_cannot_be_revoked() {
    let home = Home::new();
    let none = home.run(&["pair", "list"]);
    assert_eq!(none.code, Some(5), "{none:?}");
    let _gateway = Gateway::start(&home);
    assert_eq!(home.run(&["pair", "list"]).stdout, "No browser is paired.\n");
    assert_eq!(home.run(&["pair", "list", "--json"]).json(), json!({ "browsers": [] }));
    assert_eq!(home.run(&["pair", "revoke", "--all", "--json"]).json(), json!([]));
    for (arguments, code, says) in [
        (vec!["pair", "revoke"], 2, "required"),
        (vec!["pair", "revoke", "--all", "0011223344556677"], 2, "cannot be used with"),
        (vec!["pair", "revoke", ""], 2, "the browser cannot be found: its id is empty"),
        (vec!["pair", "revoke", "XY"], 2, "the browser cannot be found: its id is 16 characters at most"),
        (vec!["pair", "revoke", "0011"], 1, "no id begins with 0011"),
    ] {
        let left = home.run(&arguments);
        assert_eq!(left.code, Some(code), "{arguments:?}: {left:?}");
        assert!(left.stderr.contains(says), "{arguments:?}: {left:?}");
    }
}

#[test]
fn a_damaged_list_of_browsers_keeps_the_gateway_from_starting_and_says_what_to_do() {
    let home = Home::new();
    let file = home.keep("browsers.json", "{}");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let left = home.run(&["serve", "--port", "0"]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(left.stderr.contains("delete it and pair again"), "{left:?}");
    // A port that another program has makes the gateway forget its browsers.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let left = home.run(&["serve", "--port", &taken.local_addr().unwrap().port().to_string()]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(!file.exists(), "{left:?}");
}
