use super::*;
use Match::{Maybe, No, Yes};

fn domains(hosts: &[&str]) -> Result<Domains, DomainError> {
    Domains::new(&hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>())
}

#[test]
fn a_host_is_compared_as_a_whole() {
    for (pattern, url, narrow, broad) in [
        ("example.com", "https://example.com", Yes, Yes),
        ("example.com", "http://EXAMPLE.com:8080/a?b#c", Yes, Yes),
        ("example.com", "https://example.com./x", Yes, Yes),
        ("EXAMPLE.com.", "https://example.com/x", Yes, Yes),
        ("example.com", "https://www.example.com", No, No),
        ("example.com", "https://example.com.evil.com", No, No),
        ("example.com", "https://notexample.com", No, No),
        ("example.com", "https://evil.com/example.com", No, No),
        ("example.com", "https://evil.com?https://example.com", No, No),
        ("*.example.com", "https://a.b.example.com", Yes, Yes),
        ("*.example.com", "https://example.com", No, No),
        ("*.example.com", "https://.example.com", No, No),
        ("*.example.com", "https://notexample.com", No, No),
        ("*", "https://x.org", Yes, Yes),
        ("localhost", "http://localhost:3000", Yes, Yes),
    ] {
        let domains = domains(&[pattern]).unwrap();
        let found = (domains.matches(&Site::of(url), Reading::Narrow), domains.matches(&Site::of(url), Reading::Broad));
        assert_eq!(found, (narrow, broad), "{pattern} {url}");
    }
}

#[test]
fn tricks_do_not_widen_an_allow_nor_escape_a_deny() {
    for (pattern, url, narrow, broad) in [
        // who it is for
        ("good.com", "https://good.com@evil.com/", No, Maybe),
        ("evil.com", "https://good.com@evil.com/", No, Yes),
        ("good.com", "https://user:pass@good.com/", No, Yes),
        ("good.com", "https://:@good.com/", No, Yes),
        ("good.com", "https://@good.com?x", No, Yes),
        ("good.com", "https://good.com/@x", Yes, Yes),
        ("good.com", "https://evil.com\\@good.com/", No, Maybe),
        ("evil.com", "https://evil.com\\@good.com/", No, Yes),
        ("good.com", "https://good.com\\.evil.com/", No, Yes),
        ("good.com", "https://good.com%2eevil.com/", No, No),
        ("good.com", "https://good.com%00.evil.com/", No, Maybe),
        // blanks and control characters
        ("good.com", " https://good.com", No, Yes),
        ("good.com", "https://go\tod.com", No, Yes),
        ("good.com", "https://good.com\n", No, Yes),
        // how it is written
        ("good.com", "https:good.com", No, Yes),
        ("good.com", "https:///good.com", No, Yes),
        ("good.com", "good.com/x", No, Yes),
        ("good.com", "other.com/x", No, Maybe),
        ("good.com", "", No, Maybe),
        ("good.com", "https://", No, Maybe),
        ("good.com", "file:///etc/passwd", No, Maybe),
        ("good.com", "ftp://good.com/x", No, Yes),
        ("good.com", "gopher://GOOD.com/x", No, Yes),
        ("good.com", "data:text/plain,good.com", No, Maybe),
        // names in other scripts
        ("bücher.example", "https://xn--bcher-kva.example/", Yes, Yes),
        ("xn--bcher-kva.example", "https://BÜCHER.example/", Yes, Yes),
        ("good.com", "https://ｇｏｏｄ.com/", Yes, Yes),
        ("good.com", "https://good。com/", Yes, Yes),
        ("good.com", "https://gооd.com/", No, No),
        // addresses
        ("127.0.0.1", "http://2130706433/", Yes, Yes),
        ("127.0.0.1", "http://0x7f.1:80/", Yes, Yes),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]/", No, Yes),
        ("[::1]", "http://[0:0::1]:8080/", Yes, Yes),
        ("::1", "http://[::1]/", Yes, Yes),
        ("169.254.169.254", "http://169.254.169.254.evil.com/", No, No),
    ] {
        let domains = domains(&[pattern]).unwrap();
        let found = (domains.matches(&Site::of(url), Reading::Narrow), domains.matches(&Site::of(url), Reading::Broad));
        assert_eq!(found, (narrow, broad), "{pattern} {url:?}");
    }
}

#[test]
fn a_bad_host_is_an_error_that_names_it() {
    for (hosts, what) in [
        (&[][..], "an empty list matches nothing"),
        (&["a.com", "https://b.com"], "`https://b.com` is a URL or a path, write the host alone"),
        (&["a.com/x"], "`a.com/x` is a URL or a path, write the host alone"),
        (&["a.com:80"], "`a.com:80` has a port, write the host alone: it stands for every port"),
        (&["a.*.com"], "`*` in `a.*.com` may only be the first label, as in `*.example.com`"),
        (&["*a.com"], "`*` in `*a.com` may only be the first label, as in `*.example.com`"),
        (&["*.127.0.0.1"], "nothing is below the address in `*.127.0.0.1`"),
        (&["a b.com"], "`a b.com` is no host"),
        (&[""], "`` is no host"),
        (&["a..com"], "`a..com` is no host"),
        (&["*."], "`*.` is no host"),
    ] {
        assert_eq!(domains(hosts).unwrap_err().to_string(), what, "{hosts:?}");
    }
}

proptest::proptest! {
    #[test]
    fn what_an_allow_matches_a_deny_of_the_same_words_matches(
        host in "(\\*\\.)?[ab]{1,2}(\\.[ab]{1,2}){0,2}",
        url in "(https?:|ftp:|)/{0,3}([ab:]{1,3}@)?[ab.]{0,6}[:\\\\/]?[ab0-9@]{0,3}",
    ) {
        let domains = domains(&[&host]).unwrap();
        let [narrow, broad] = [Reading::Narrow, Reading::Broad].map(|reading| domains.matches(&Site::of(&url), reading));
        proptest::prop_assert!(narrow <= broad && narrow != Maybe, "{host} {url}: {narrow:?} {broad:?}");
        if narrow == Yes {
            // An allow is only for what every reader of URLs takes for that host.
            let authority = url.split_once("://").unwrap().1.split(['/', ':']).next().unwrap();
            let name = authority.trim_end_matches('.');
            proptest::prop_assert!(host.strip_prefix('*').map_or(name == host, |end| name.ends_with(end)), "{host} {url}");
        }
    }
}
