use super::*;

#[test]
fn every_picture_matches_its_payload() {
    assert_eq!(outdated(crate::root()).unwrap(), []);
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let scene = |on: &str, sent: Value| {
        serde_json::json!({ "title": "x", "panels": [{ "on": on, "sent": [sent] }] }).to_string()
    };
    let telegram = |with: Value| scene("telegram", serde_json::json!({ "does": "sendMessage", "with": with }));
    let discord = |with: Value| {
        scene("discord", serde_json::json!({ "does": "POST /channels/{channel_id}/messages", "with": with }))
    };
    for odd in [
        telegram(serde_json::json!({ "text": "<b>x</b>", "parse_mode": "HTML" })),
        telegram(serde_json::json!({ "text": "x", "entities": [{ "type": "spoiler", "offset": 0, "length": 1 }] })),
        telegram(serde_json::json!({ "text": "x", "reply_markup": { "force_reply": true } })),
        scene("telegram", serde_json::json!({ "does": "answerCallbackQuery", "with": { "text": "x" } })),
        scene("discord", serde_json::json!({ "says": "Jin", "text": "x", "in": "form" })),
        discord(serde_json::json!({ "embeds": [{ "image": {} }] })),
        discord(serde_json::json!({ "components": [{ "type": 1, "components": [{ "type": 3 }] }] })),
        scene("telegram", serde_json::json!({ "does": "sendPhoto", "with": {} })),
        scene("elsewhere", serde_json::json!({})),
    ] {
        assert!(draw(&odd).is_err(), "{odd}");
    }
}

#[test]
fn text_is_escaped_and_never_becomes_markup() {
    let text = "a <script>&\"]]> 한국어 가나다 `x`";
    let telegram = serde_json::json!({ "does": "sendMessage", "with": { "text": text } });
    let scene = serde_json::json!({ "title": "<&>", "panels": [{ "on": "telegram", "sent": [telegram] }] });
    let svg = draw(&scene.to_string()).unwrap();
    assert!(svg.contains("a &lt;script&gt;&amp;&quot;]]&gt; 한국어 가나다 `x`"), "{svg}");
    assert!(svg.contains(">&lt;&amp;&gt;</title>"), "{svg}");
}

#[test]
fn discord_marks_are_parsed_and_escaped_marks_are_plain_text() {
    let looks = |text: &str| match markdown::pieces(text).as_slice() {
        [markdown::Piece::Words { runs, .. }] => runs
            .iter()
            .map(|run| format!("{}{}:{}", u8::from(run.look.bold), u8::from(run.look.mono), run.text))
            .collect(),
        other => vec![format!("{other:?}")],
    };
    assert_eq!(looks(r"**a \* b** c `d*` \*e\*"), ["10:a * b", "00: c ", "01:d*", "00: *e*"]);
    assert_eq!(looks("2 * 3 and a_b_c"), ["00:2 * 3 and a_b_c"]);
}

#[test]
fn a_long_text_keeps_its_beginning_its_end_and_the_line_about_omitted_characters() {
    let text = |line: &text::Line| line.iter().map(|run| run.text.as_str()).collect::<String>();
    let drawn = |mut words: Vec<String>| {
        words[49] = "⋯ 7 characters are in the attached file".to_owned();
        text::folded(text::lines(&words.join("\n"), Look::default(), 900, 10)).iter().map(text).collect::<Vec<_>>()
    };
    let lines = drawn((1..=100).map(|n| n.to_string()).collect());
    let at = |wanted: &str| lines.iter().position(|line| line == wanted);
    let said = lines.iter().position(|line| line.starts_with('⋯')).unwrap();
    assert_eq!((at("1"), at("12"), at("13"), at("93"), at("100")), (Some(0), Some(11), None, Some(21), Some(28)));
    assert_eq!((lines[12].as_str(), lines[20].as_str(), said), ("⋮", "⋮", 16));
    let few: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    assert_eq!(text::folded(text::lines(&few.join("\n"), Look::default(), 900, 10)).len(), 40);
}

#[test]
fn lines_break_between_words_and_between_wide_characters() {
    let plain = |text: &str, room: u32| {
        let lines = text::lines(text, Look::default(), room, 10);
        lines.iter().map(|line| line.iter().map(|run| run.text.as_str()).collect::<String>()).collect::<Vec<_>>()
    };
    assert_eq!(plain("one two three", 50), ["one two ", "three"]);
    assert_eq!(plain("漢字漢字漢", 30), ["漢字漢", "字漢"]);
    assert_eq!(plain("가나 다라 마바", 65), ["가나 다라 ", "마바"]);
    assert_eq!(plain("가나 다라마", 45), ["가나 ", "다라마"]);
    assert_eq!(plain("가나다라마", 30), ["가나다", "라마"]);
    assert_eq!(plain("a\n\nb", 30), ["a", "", "b"]);
    assert_eq!(plain("aaaaaaaaaa", 30), ["aaaa", "aaaa", "aa"]);
}
