use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Block, Card, Error, Provider};

use crate::{FakeHost, SENT, card, channel, choices, content, discord, file, gateway, message};

fn shown(block: Block) -> String {
    let host = FakeHost::new().reply(200, SENT);
    discord().post(&host, channel(), card("", vec![block])).unwrap();
    content(&host)
}

#[test]
fn a_card_is_one_message_with_its_choices_as_reactions() {
    let mut card = card(
        "🔐 권한 요청",
        vec![
            Block::Text("도구: Bash".into()),
            Block::Code("rm -rf ./*".into()),
            Block::Hint("건너뛰려면 `no_reason` 를 입력하세요.".into()),
        ],
    );
    card.choices = choices();
    card.reply_to = Some(message(150));
    let host = FakeHost::new().reply(200, SENT).reply(204, "").reply(204, "").reply(204, "");
    assert_eq!(discord().post(&host, channel(), card), Ok(message(200)));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/channels/100/messages
    {
      "allowed_mentions": {
        "parse": [],
        "replied_user": false
      },
      "content": "**🔐 권한 요청**\n도구: Bash\n```\nrm -rf ./*\n```\n건너뛰려면 `no_reason` 를 입력하세요.",
      "enforce_nonce": true,
      "flags": 4,
      "message_reference": {
        "fail_if_not_exists": false,
        "message_id": "150"
      },
      "nonce": "tag1"
    }

    Put https://discord.com/api/v10/channels/100/messages/200/reactions/%E2%9C%85/@me

    Put https://discord.com/api/v10/channels/100/messages/200/reactions/%F0%9F%94%84/@me

    Put https://discord.com/api/v10/channels/100/messages/200/reactions/%E2%9D%8C/@me
    "#);
    let headers = host.requests()[0].headers.iter().map(|it| format!("{}: {}", it.name, it.value)).collect::<Vec<_>>();
    insta::assert_snapshot!(headers.join("\n"), @"
    authorization: Bot {secret:bot-token}
    user-agent: DiscordBot (https://dmplz.invalid, 0.1.0)
    content-type: application/json
    ");
}

#[test]
fn a_silent_card_notifies_nobody() {
    for (discord, flags) in [(&mut discord(), 4 | 4096), (&mut gateway(), 4096)] {
        let host = FakeHost::new().reply(200, SENT);
        discord.post(&host, channel(), Card { silent: true, ..card("t", vec![]) }).unwrap();
        let body = from_slice::<Value>(&host.requests()[0].body).unwrap();
        assert_eq!(body["flags"], flags);
    }
}

#[test]
fn files_go_with_the_message() {
    let host = FakeHost::new().reply(200, SENT);
    let card = card("t", vec![file("a.txt", "one"), Block::Text("x".into()), file("b.txt", "two")]);
    assert_eq!(discord().post(&host, channel(), card), Ok(message(200)));
    insta::assert_snapshot!(host.sent(), @r#"
    Post https://discord.com/api/v10/channels/100/messages
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="payload_json"
    Content-Type: application/json

    {"allowed_mentions":{"parse":[],"replied_user":false},"attachments":[{"filename":"a.txt","id":0},{"filename":"b.txt","id":1}],"content":"**t**\nx","enforce_nonce":true,"flags":4,"nonce":"tag1"}
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="files[0]"; filename="a.txt"
    Content-Type: text/plain; charset=utf-8

    one
    --dmplz-boundary-00000000
    Content-Disposition: form-data; name="files[1]"; filename="b.txt"
    Content-Type: text/plain; charset=utf-8

    two
    --dmplz-boundary-00000000--
    "#);
}

#[test]
fn texts_show_literally_whatever_is_in_them() {
    for (text, expected) in [
        ("plain 가나다 😀, 1.5 (x) {y} #5 a-b", "plain 가나다 😀, 1.5 (x) {y} #5 a-b"),
        ("**b** __u__ ~~s~~ ||p|| `c` ```f```", r"\*\*b\*\* \_\_u\_\_ \~\~s\~\~ \|\|p\|\| \`c\` \`\`\`f\`\`\`"),
        ("[t](https://x.io/a_b) <https://x>", r"\[t](https\://x.io/a_b) \<https\://x>"),
        (
            "<@1> <@&2> <#3> <:e:4> <t:5:R> </c:6> @everyone",
            r"\<\@1> \<\@&2> \<#3> \<\:e\:4> \<t\:5\:R> \</c\:6> \@everyone",
        ),
        ("request_id a__b a_ _b 가_나 _", r"request_id a\_\_b a\_ \_b 가\_나 \_"),
        (":smile: 12:30 key: value", r"\:smile: 12\:30 key: value"),
        ("# h\n## h\n-# s\n- l\n+ l\n* l\n> q\n>>> q", "\\# h\n\\## h\n\\-# s\n\\- l\n\\+ l\n\\* l\n\\> q\n\\>>> q"),
        ("1. one\n 23) two\n4 three\n5.", "1\\. one\n 23\\) two\n4 three\n5\\."),
        (r"a\b \* ¯\_(ツ)_/¯", r"a\\b \\\* ¯\\\_(ツ)\_/¯"),
        ("  - indented", r"  \- indented"),
    ] {
        assert_eq!(shown(Block::Text(text.into())), expected, "{text}");
    }
}

#[test]
fn a_title_is_bold_and_nothing_in_it_ends_that() {
    for (title, expected) in [("a", "**a**"), (" a* ", r"**a\***"), (r"\", r"**\\**"), ("# a", r"**\# a**"), ("  ", "")]
    {
        let host = FakeHost::new().reply(200, SENT);
        discord().post(&host, channel(), card(title, vec![])).unwrap();
        assert_eq!(content(&host), expected, "{title:?}");
    }
}

#[test]
fn code_stands_in_a_fence_that_it_cannot_leave() {
    for (code, expected) in [
        ("ls *_~|\\ <@1> `x` ``y``", "```\nls *_~|\\ <@1> `x` ``y``\n```"),
        ("bash", "```\nbash\n```"),
        ("`", "```\n`\n```"),
        ("", ""),
        ("a\n```\n**not** bold\n\n1. x", "> a\n> \\`\\`\\`\n> \\*\\*not\\*\\* bold\n> \n> 1\\. x"),
        ("````", "> \\`\\`\\`\\`"),
    ] {
        assert_eq!(shown(Block::Code(code.into())), expected, "{code:?}");
    }
}

#[test]
fn the_span_of_a_hint_is_code_where_it_can_be() {
    for (hint, expected) in [
        ("skip with `no_reason`. *", r"skip with `no_reason`. \*"),
        ("`a`b` c", r"a\`b c"),
        ("no span_", r"no span\_"),
        ("a `b`\n- c", "a `b`\n\\- c"),
    ] {
        assert_eq!(shown(Block::Hint(hint.into())), expected, "{hint}");
    }
}

#[test]
fn the_longest_message_goes_out_and_one_unit_more_is_too_large_before_any_request() {
    for (text, grows_to) in [("x".repeat(2000), 2000), ("😀".repeat(1000), 2000), ("*".repeat(1000), 2000)] {
        assert_eq!(units(&shown(Block::Text(text.clone()))), grows_to);
        let host = FakeHost::new();
        let result = discord().post(&host, channel(), card("", vec![Block::Text(text + "x")]));
        assert_eq!((result, host.requests().len()), (Err(Error::TooLarge), 0));
    }
}

#[test]
fn what_no_message_takes_is_too_large_before_any_request() {
    let large = |bytes: usize| file("x", &"x".repeat(bytes));
    let mut many_choices = card("t", vec![]);
    many_choices.choices = vec![choices().remove(0); 21];
    let mut long_tag = card("t", vec![]);
    long_tag.tag = "t".repeat(26);
    let too_large = [
        card("t", vec![large((10 << 20) + 1)]),
        card("t", vec![large(9 << 20), large(9 << 20), large(9 << 20)]),
        card("t", vec![large(1); 11]),
        many_choices,
        long_tag,
    ];
    for card in too_large {
        let host = FakeHost::new();
        assert_eq!((discord().post(&host, channel(), card), host.requests().len()), (Err(Error::TooLarge), 0));
    }
}

#[test]
fn a_missing_right_to_post_is_named() {
    let reply = r#"{"message":"Missing Permissions","code":50013}"#;
    for (body, expected) in [
        (vec![], "SEND_MESSAGES is missing: Missing Permissions (status 403, code 50013)"),
        (
            vec![file("a", "b")],
            "SEND_MESSAGES or ATTACH_FILES is missing: Missing Permissions (status 403, code 50013)",
        ),
    ] {
        let host = FakeHost::new().reply(403, reply);
        let result = discord().post(&host, channel(), card("t", body));
        assert_eq!(result, Err(Error::Denied(Some(expected.to_owned()))));
    }
}
