//! Exactly what was shown runs, or nothing does.

use super::*;

/// Approves a call after a change, and expects that it is refused because of that change.
async fn refused(call: impl FnOnce(&House) -> InvokeTool, change: impl FnOnce(&House), what: &str) {
    let house = House::new().await;
    house.script("tool", "#!/bin/sh\ntouch ran\n");
    std::fs::create_dir(house.path().join("bin")).unwrap();
    std::fs::create_dir(house.path().join("sub")).unwrap();
    let (id, standing) = house.asked(call(&house)).await;
    change(&house);
    house.answer(&standing, Answer::APPROVE).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Forbidden, Some(Code::Mismatch)), "{what}");
    let message = report.error.unwrap().message;
    assert!(message.contains(what), "{message}");
    for ran in ["ran", "sub/ran", "old/ran"] {
        assert!(!house.path().join(ran).exists(), "{what}");
    }
    let standing = house.approvals.get(standing.request.id).await.unwrap();
    assert!(matches!(standing.status, Status::Ended { taken: Some(false), .. }));
}

#[tokio::test]
async fn another_content_of_the_file_is_refused() {
    let change = |house: &House| drop(house.script("tool", "#!/bin/sh\ntouch ran #\n"));
    refused(|house| house.call(&["./tool"]), change, "the content of the executable changed").await;
}

#[tokio::test]
async fn another_file_earlier_in_path_is_refused() {
    let call = |house: &House| {
        let path = format!("{0}/bin:{0}", house.path().display());
        InvokeTool { env: BTreeMap::from([("PATH".into(), path)]), ..house.call(&["tool"]) }
    };
    let change = |house: &House| drop(house.script("bin/tool", "#!/bin/sh\ntouch ran\n"));
    refused(call, change, "where the executable is changed").await;
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_is_refused() {
    let call = |house: &House| {
        std::os::unix::fs::symlink("tool", house.path().join("link")).unwrap();
        house.call(&["./link"])
    };
    let change = |house: &House| {
        house.script("other", "#!/bin/sh\ntouch ran\n");
        std::fs::remove_file(house.path().join("link")).unwrap();
        std::os::unix::fs::symlink("other", house.path().join("link")).unwrap();
    };
    refused(call, change, "where the executable is changed").await;
}

#[tokio::test]
async fn a_file_that_is_gone_is_refused() {
    let change = |house: &House| std::fs::remove_file(house.path().join("tool")).unwrap();
    refused(|house| house.call(&["./tool"]), change, "tool").await;
}

#[tokio::test]
async fn another_folder_of_the_same_name_is_refused() {
    let call = |house: &House| InvokeTool { cwd: house.path().join("sub"), ..house.call(&["../tool"]) };
    let change = |house: &House| {
        std::fs::rename(house.path().join("sub"), house.path().join("old")).unwrap();
        std::fs::create_dir(house.path().join("sub")).unwrap();
    };
    refused(call, change, "the folder changed").await;
}

#[tokio::test]
async fn every_word_arrives_as_it_was_shown() {
    let house = House::new().await;
    house.script("tool", "#!/bin/sh\nprintf '%s\\0' \"$@\"\n");
    let words = [
        "", " ", "a b", "$(touch ran)", "`touch ran`", "; touch ran", "'", "\"", "\\", "\n", "-n", "한국어",
        "\u{202e}x",
    ];
    let argv: Vec<_> = ["./tool"].iter().chain(&words).copied().collect();
    let (id, standing) = house.asked(house.call(&argv)).await;
    let shown = standing.request.input["command"].as_str().unwrap();
    assert_eq!(shell_words::split(shown).unwrap(), argv);
    house.answer(&standing, Answer::APPROVE).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    let arrived: Vec<_> = stdout(&report).split_terminator('\0').map(str::to_owned).collect();
    assert_eq!(arrived, words);
    assert!(!house.path().join("ran").exists());
}

#[tokio::test]
async fn a_program_is_told_the_name_it_was_called_by() {
    let house = House::new().await;
    std::os::unix::fs::symlink("/bin/sh", house.path().join("called")).unwrap();
    let report = house.run(house.call(&["./called", "-c", "echo \"$0\""])).await;
    assert_eq!(stdout(&report), "./called\n");
}

#[tokio::test]
async fn what_cannot_run_is_not_even_asked_about() {
    let house = House::new().await;
    std::fs::write(house.path().join("plain"), "#!/bin/sh\n").unwrap();
    house.script("formless", "touch ran\n");
    std::fs::create_dir(house.path().join("dir")).unwrap();
    for (argv, said) in [
        (&["no-such-program-here"][..], "no-such-program-here was not found"),
        (&["./plain"], "plain cannot be run: it is no executable file"),
        (&["./formless"], "formless cannot be run: it is neither a program of this system nor a script"),
        (&["./dir"], "dir cannot be run: it is no executable file"),
        (&["./missing"], "missing cannot be read"),
    ] {
        let error = house.tools.invoke(house.call(argv)).await.unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    let elsewhere = InvokeTool { cwd: house.path().join("nowhere"), ..house.shell("true") };
    assert!(matches!(house.tools.invoke(elsewhere).await, Err(InvokeError::Resolve(ResolveError::Folder(..)))));
    assert!(house.approvals.open().is_empty());
}
