use super::*;

fn fence() -> Fence {
    let listed = ["https://dm.example.org", "phone.example:8443", "http://box.lan"].map(|host| host.parse().unwrap());
    Fence::new(4780, listed.to_vec())
}

fn check(method: &str, uri: &str, headers: &[(&str, &str)]) -> Result<Passed, Refused> {
    let mut request = http::Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fence().check(&request.body(()).unwrap().into_parts().0)
}

#[test]
fn only_names_of_ours_are_answered() {
    use Refused::{Host, NoHost};
    for (host, passes) in [
        ("127.0.0.1:4780", Ok(())),
        ("localhost:4780", Ok(())),
        ("LocalHost:4780", Ok(())),
        ("[::1]:4780", Ok(())),
        ("localhost", Err(Host)),
        ("localhost:80", Err(Host)),
        ("localhost:4781", Err(Host)),
        ("localhost.:4780", Err(Host)),
        ("localhost:", Err(Host)),
        ("localhost:04780x", Err(Host)),
        ("localhost.evil.example:4780", Err(Host)),
        ("evil.example:4780", Err(Host)),
        ("127.0.0.1.nip.io:4780", Err(Host)),
        ("127.0.0.2:4780", Err(Host)),
        ("127.1:4780", Err(Host)),
        ("0.0.0.0:4780", Err(Host)),
        ("[::ffff:127.0.0.1]:4780", Err(Host)),
        ("me@localhost:4780", Err(Host)),
        ("localhost:4780@evil.example", Err(Host)),
        ("localhost:4780, evil.example", Err(Host)),
        ("", Err(Host)),
        ("dm.example.org", Ok(())),
        ("DM.example.org:443", Ok(())),
        ("dm.example.org:80", Err(Host)),
        ("a.dm.example.org", Err(Host)),
        ("phone.example:8443", Ok(())),
        ("phone.example", Err(Host)),
        ("box.lan", Ok(())),
        ("box.lan:80", Ok(())),
        ("box.lan:443", Err(Host)),
    ] {
        assert_eq!(check("GET", "/", &[("host", host)]), passes.map(|()| Passed::NoOrigin), "{host}");
    }
    assert_eq!(check("GET", "/", &[]), Err(NoHost));
    assert_eq!(check("GET", "/", &[("host", "localhost:4780"), ("host", "localhost:4780")]), Err(NoHost));
    let absolute = |uri| check("GET", uri, &[("host", "localhost:4780")]);
    assert_eq!(absolute("http://127.0.0.1:4780/"), Ok(Passed::NoOrigin));
    assert_eq!(absolute("http://evil.example:4780/"), Err(Host));
}

#[test]
fn only_our_own_page_may_send_an_origin() {
    let own = Ok(Passed::OwnPage);
    let other = Err(Refused::OtherSite);
    for (origin, passes) in [
        ("http://127.0.0.1:4780", own),
        ("http://localhost:4780", own),
        ("http://[::1]:4780", own),
        ("https://dm.example.org", own),
        ("https://dm.example.org:443", own),
        ("http://phone.example:8443", own),
        ("https://phone.example:8443", own),
        ("http://box.lan", own),
        ("https://box.lan", other),
        ("http://dm.example.org", other),
        ("https://localhost:4780", other),
        ("http://localhost:3000", other),
        ("http://localhost", other),
        ("http://evil.example", other),
        ("http://evil.example:4780", other),
        ("http://localhost:4780.evil.example", other),
        ("http://localhost:4780/", other),
        ("http://localhost:4780/x", other),
        ("http://a@localhost:4780", other),
        ("ws://localhost:4780", other),
        ("localhost:4780", other),
        ("file://", other),
        ("chrome-extension://abcdef", other),
        ("null", other),
        ("", other),
    ] {
        let headers = [("host", "localhost:4780"), ("origin", origin)];
        assert_eq!(check("POST", "/ws", &headers), passes, "{origin}");
    }
    let twice = [("host", "localhost:4780"), ("origin", "http://localhost:4780"), ("origin", "http://localhost:4780")];
    assert_eq!(check("POST", "/", &twice), other);
}

#[test]
fn what_a_browser_says_of_the_site_counts_too() {
    let passes = |method, uri, site, mode| {
        check(method, uri, &[("host", "localhost:4780"), ("sec-fetch-site", site), ("sec-fetch-mode", mode)]).is_ok()
    };
    assert!(passes("GET", "/api/v1/approvals", "same-origin", "cors"));
    assert!(passes("GET", "/", "none", "navigate"));
    assert!(passes("GET", "/", "cross-site", "navigate"));
    for site in ["same-site", "cross-site", "", "anything"] {
        assert!(!passes("GET", "/api/v1/approvals", site, "cors"), "{site}");
        assert!(!passes("GET", "/api/v1/approvals", site, "navigate"), "{site}");
        assert!(!passes("POST", "/", site, "navigate"), "{site}");
        assert!(!passes("GET", "/", site, "no-cors"), "{site}");
    }
}

#[test]
fn a_host_that_says_more_or_less_than_a_host_cannot_be_listed() {
    for bad in
        ["", "*", "*.example.org", "https://", "ftp://a", "a/b", "a b", "x@y", "https://a/", "a:", "a:70000", "null://"]
    {
        assert_eq!(bad.parse::<AllowedHost>(), Err(InvalidHost(bad.to_owned())), "{bad}");
    }
}
