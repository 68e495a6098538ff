use super::*;

/// Returns the Markdown of a card as it is sent.
fn markdown(body: Vec<Block>) -> String {
    let host = me(FakeHost::new()).reply(201, posted()).reply(201, json!({})).reply(201, json!({}));
    mattermost().post(&host, channel(), card("May I?", body)).unwrap();
    from_slice::<Value>(&host.requests()[1].body).unwrap()["message"].as_str().unwrap().to_owned()
}

#[test]
fn nothing_in_a_text_is_markup_a_mention_a_link_or_an_emoji() {
    let text = "  @all **x** :smile: #tag ~town www.a.b https://a.b\n\n&amp; $x$";
    insta::assert_snapshot!(markdown(vec![Block::Text(text.into())]), @r"
    **May I?**
    &nbsp; &#64;&#8288;all &#42;&#42;x&#42;&#42; &#58;smile&#58; &#35;tag &#126;town www&#46;a&#46;b https&#58;//a&#46;b
    &#8203;
    &#38;amp; &#36;x&#36;
    ");
}

#[test]
fn code_stands_in_a_fence_that_it_cannot_end() {
    let body = vec![Block::Code("echo ```\n````".into()), Block::Hint("type `a`b` now".into())];
    insta::assert_snapshot!(markdown(body), @r"
    **May I?**
    `````
    echo ```
    ````
    `````
    type&nbsp;``a`b``&nbsp;now
    ");
}

#[test]
fn a_card_is_one_post_with_a_reaction_for_each_choice() {
    let host = me(FakeHost::new()).reply(201, posted()).reply(201, json!({})).reply(201, json!({}));
    assert_eq!(mattermost().post(&host, channel(), card("May I?", Vec::new())).unwrap(), message());
    assert_eq!(paths(&host), ["users/me", "posts", "reactions", "reactions"]);
    let sent = from_slice::<Value>(&host.requests()[1].body).unwrap();
    assert_eq!((&sent["pending_post_id"], &sent["props"]), (&json!(format!("{BOT}:tag1")), &posted()["props"]));
}

#[test]
fn a_card_that_nobody_could_answer_is_deleted_again() {
    let refused = json!({ "id": "api.context.permissions.app_error", "message": "no" });
    let host = me(FakeHost::new()).reply(201, posted()).reply(403, refused).reply(200, json!({}));
    let posted = mattermost().post(&host, channel(), card("May I?", Vec::new()));
    assert_eq!(posted, Err(Error::Denied(Some("no (api.context.permissions.app_error)".into()))));
    assert_eq!(paths(&host).last().unwrap(), &format!("posts/{CARD}"));
}

#[test]
fn what_cannot_be_answered_or_shown_whole_is_not_sent() {
    let host = FakeHost::new();
    let unknown = Card { choices: vec![testing::choice("odd", "🦄 Odd", "🦄")], ..card("May I?", Vec::new()) };
    assert!(matches!(mattermost().post(&host, channel(), unknown), Err(Error::Other(Some(why))) if why.contains("🦄")));
    let many = Card { choices: vec![testing::choice("a", "✅ A", "✅"); 9], ..card("May I?", Vec::new()) };
    let long = card("May I?", vec![Block::Text("가".repeat(8_000))]);
    let marked = card("May I?", vec![Block::Text("*".repeat(4_000))]);
    for card in [many, long, marked] {
        assert_eq!(mattermost().post(&host, channel(), card), Err(Error::TooLarge));
    }
    assert!(paths(&host).is_empty());
}

#[test]
fn a_menu_waits_where_the_server_takes_no_more_requests() {
    let host = me(FakeHost::new()).reply(201, posted()).reply_with(429, &[("retry-after", "2")], "limit exceeded");
    let host = host.reply(201, json!({})).reply(201, json!({}));
    mattermost().post(&host, channel(), card("May I?", Vec::new())).unwrap();
    assert_eq!((host.slept(), host.left()), (2_000, 0));
}

#[test]
fn a_card_that_is_too_old_to_be_edited_loses_its_menu() {
    let mut shown = posted();
    shown["metadata"] =
        json!({ "reactions": [{ "user_id": BOT, "post_id": CARD, "emoji_name": "x", "create_at": AT }] });
    let too_old = json!({ "id": "api.post.update_post.permissions_time_limit.app_error", "message": "Too late." });
    let host = me(FakeHost::new()).reply(200, shown).reply(400, too_old).reply(200, json!({ "status": "OK" }));
    let ended = Card { choices: Vec::new(), ..card("Denied", Vec::new()) };
    mattermost().revise(&host, message(), ended).unwrap();
    assert!(paths(&host).last().unwrap().ends_with("/reactions/x"), "{:?}", paths(&host));
}

#[test]
fn a_person_who_does_not_exist_and_what_is_turned_off_are_told_apart_from_trouble() {
    let nobody =
        json!({ "id": "api.channel.create_direct_channel.invalid_user.app_error", "message": "Invalid user." });
    let host = me(FakeHost::new()).reply(400, nobody);
    assert_eq!(mattermost().open(&host, Chat::Person(JIN.into())), Err(Error::NotFound));
    let off = json!({ "id": "api.file.upload_file.storage.app_error", "message": "Files are off." });
    let host = me(FakeHost::new()).reply(501, off);
    let refused = mattermost().post(&host, channel(), card("Run?", Vec::new())).unwrap_err();
    assert!(matches!(&refused, Error::Denied(Some(said)) if said.starts_with("Files are off.")), "{refused:?}");
}
