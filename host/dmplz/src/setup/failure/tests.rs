use super::*;

fn all() -> Vec<Failure> {
    let text = || "held".to_owned();
    let phrase = || Phrase::same("held");
    vec![
        Failure::NeedsPerson("held"),
        Failure::NeedsPairing,
        Failure::Left,
        Failure::Interrupted,
        Failure::NoSuchMessenger(text()),
        Failure::AnswersFile(text(), phrase()),
        Failure::TokenCommand(phrase()),
        Failure::TokenRefused("held"),
        Failure::TokenRevoked("held"),
        Failure::Webhook(text()),
        Failure::OtherPoller,
        Failure::InUse(Some(7)),
        Failure::InUse(None),
        Failure::NobodyPressed,
        Failure::WrongCode(text()),
        Failure::NotYou(text()),
        Failure::Owner(text()),
        Failure::Everybody(text()),
        Failure::RefusedInChat,
        Failure::SilentInChat,
        Failure::NobodyMayAnswer,
        Failure::Unreachable(phrase(), None),
        Failure::Certificate(text()),
        Failure::Unreachable(phrase(), Some("HTTPS_PROXY")),
        Failure::Messenger(phrase()),
        Failure::NotWritable(text(), phrase()),
        Failure::Overridden(text()),
        Failure::HooksOff(text()),
        Failure::OnlyManagedHooks(text()),
        Failure::NotInstalled(phrase()),
        Failure::RuleAnswers,
        Failure::TestUnanswered,
        Failure::TestFailed(phrase()),
    ]
}

#[test]
fn every_failure_is_told_whole_in_both_languages_and_tells_what_it_holds() {
    for failure in all() {
        let holds = format!("{failure:?}").contains("held");
        for lang in [Lang::En, Lang::Ko] {
            let Words { tried, got, next } = failure.words(lang);
            let told = format!("{tried}: {got} -> {next}");
            assert!(!told.contains("{}") && !told.contains(": ->") && !next.is_empty(), "{told}");
            assert!(!holds || told.contains("held"), "{failure:?}: {told}");
        }
        assert_ne!(failure.exit(), exit::OK);
    }
}

#[test]
fn no_korean_particle_follows_what_a_failure_holds() {
    let of_people = || "held".to_owned();
    for failure in all().into_iter().chain([Failure::NotListed(of_people()), Failure::LastPerson(of_people())]) {
        let Words { tried, got, next } = failure.words(Lang::Ko);
        for either in ["을(를)", "이(가)", "은(는)", "(으)로"] {
            let told = format!("{tried}: {got} -> {next}");
            assert!(!told.contains(either), "{told}");
        }
    }
}

#[test]
fn a_next_step_names_the_command_that_was_run() {
    for (failure, next) in [
        (Failure::NeedsPairing, "사람이 직접 터미널에서 `dmplz people invite`를 실행해 주세요"),
        (Failure::Messenger(Phrase::same("held")), "`DMPLZ_LOG=debug dmplz people invite`로 더 자세히 볼 수 있습니다"),
    ] {
        let words = failure.words(Lang::Ko).next;
        assert!(of_command(&words, "dmplz people invite").ends_with(next), "{words}");
        assert_eq!(of_command(&words, "dmplz setup"), words);
    }
    let english = Failure::Interrupted.words(Lang::En).next;
    assert_eq!(of_command(&english, "dmplz people list"), "`dmplz people list` goes on where it stopped");
}

#[test]
fn what_a_messenger_said_stays_as_it_is_and_the_rest_is_korean() {
    use dmplz_core::messenger::{NoConnection, ProviderError};

    use super::super::pairing::failure;

    let what = |error: ProviderError| failure(&error).what(Lang::Ko);
    let refused = ProviderError::Denied(Some("not enough rights".to_owned()));
    assert_eq!(what(refused), "메신저에 물었습니다: 그곳에서 봇에 필요한 권한이 없습니다: not enough rights");
    let unreachable = ProviderError::Unreachable(NoConnection::other("https://x: refused"));
    assert_eq!(what(unreachable), "메신저의 서버에 연결하려 했습니다: 연결할 수 없습니다: https://x: refused");
    let deadline = "메신저의 서버에 연결하려 했습니다: 연결할 수 없습니다: 메신저가 제때 응답하지 않았습니다";
    assert_eq!(what(ProviderError::Deadline), deadline);
}

#[test]
fn an_interruption_says_that_the_setup_was_interrupted() {
    assert_eq!(Failure::Interrupted.words(Lang::En).what(), "setup was interrupted: Ctrl-C was pressed");
    assert_eq!(Failure::Interrupted.words(Lang::Ko).what(), "설정을 도중에 멈췄습니다: Ctrl-C를 눌렀습니다");
    assert_eq!(Failure::Left.words(Lang::Ko).what(), "설정을 도중에 멈췄습니다: 입력이 끝났습니다");
}

#[test]
fn the_documents_know_every_failure_of_a_person() {
    let documents = [
        (Lang::En, include_str!("../../../../../docs/SETUP.md")),
        (Lang::Ko, include_str!("../../../../../docs/SETUP.ko.md")),
    ];
    for (lang, document) in documents {
        for failure in all() {
            let code = format!("`{}`", failure.code());
            let Some(row) = document.lines().find(|line| line.starts_with("| ") && line.contains(&code)) else {
                let general = ["needs_person", "needs_pairing", "left", "interrupted", "no_such_messenger"];
                let others = ["messenger", "not_installed", "test_failed", "nobody_may_answer"];
                assert!([&general[..], &others].concat().contains(&failure.code()), "{code} is not documented");
                continue;
            };
            let says = row.trim_start_matches("| ").split(" | ").next().unwrap_or_default();
            let what = failure.words(lang).what();
            let is_said = |part: &str| what.contains(part.trim());
            let said = says.split(['…', ';']).all(is_said) || says.split([';', ',']).any(is_said);
            assert!(said || failure == Failure::InUse(None), "{code}: {says:?} is not in {what:?}");
        }
    }
}
