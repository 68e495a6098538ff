//! Tests of a computer behind a company's proxy that looks into TLS, and of one whose clock is wrong.

use dmplz_e2e::Company;

use super::Play;
use super::broken::ends;

/// A computer that was set up and is behind the proxy, and trusts it if it `is_named`.
fn behind(lang: &str, date: Option<&'static str>, is_named: bool) -> (Play, Company) {
    let play = Play::set_up(lang);
    let company = Company::before(&play.fake.base_url(), date);
    let home = play.home.with("DMPLZ_TELEGRAM_API_BASE", &company.url);
    let home = if is_named { home.with("DMPLZ_CA_FILE", company.authority.roots.to_str().unwrap()) } else { home };
    (Play { home, ..play }, company)
}

#[test]
fn a_certificate_that_nobody_trusts_is_told_and_can_be_named() {
    let says =
        ["its certificate is not trusted: https://localhost:", "서버의 인증서를 믿을 수 없습니다: https://localhost:"];
    ends(|lang| behind(lang, None, false).0, &[], 1, "certificate", says);
    let (play, _company) = behind("en", None, false);
    let doctor = play.home.run(&["doctor"]);
    assert!(doctor.stdout.contains("name its certificate (PEM) in DMPLZ_CA_FILE"), "{doctor:?}");

    let (play, _company) = behind("en", None, true);
    let doctor = play.home.run(&["doctor"]);
    assert!(doctor.stdout.contains("the messenger lets dmplz in"), "{doctor:?}");
}

#[test]
fn a_clock_that_is_wrong_is_told() {
    let (play, _company) = behind("en", Some("Sat, 01 Jan 2000 00:00:00 GMT"), true);
    let doctor = play.home.run(&["doctor"]);
    assert!(doctor.stdout.contains("this clock is ahead of the server's: "), "{doctor:?}");
    let left = play.runs(&["--wait", "1s"]);
    assert!(left.stdout.contains("this clock is ahead of the server's: "), "{left:?}");
}
