//! Cases about untrusted text, which appears literally, whatever it means to the messenger.

use dmplz_conformance::{Bench, Platform, blank, code, every_provider, question};
use dmplz_core::messenger::{Block, Card};

every_provider! {
    markup_of_any_messenger_has_no_effect_in_words,
    markup_of_any_messenger_has_no_effect_in_titles,
    code_is_shown_to_the_letter,
    a_hint_shows_only_what_is_between_its_backquotes_as_code,
    letters_of_all_kinds_arrive_as_they_are,
    every_character_of_ascii_arrives_in_every_place,
}

/// Each would mean something somewhere.
const BOMBS: [&str; 34] = [
    "*bold* **bold** __under__ _slanted_ ~~gone~~ ||hidden||",
    "<b>bold</b> <script>alert(1)</script> &lt;b&gt; &amp;",
    "# heading",
    "-# small",
    "> quote",
    ">>> quote",
    "- item\n- item",
    "1. item\n2) item",
    "+ item",
    "[text](https://evil.example)",
    "![image](https://evil.example/i.png)",
    "<https://evil.example>",
    "https://evil.example/a_b_c?x=*y*",
    "`code` ``code`` ```\ncode\n```",
    "```sh\nrm -rf /\n```",
    "@everyone @here <@1> <@!1> <@&1> <#1>",
    "<:name:1> <a:name:1> :smile: <t:0:R> </run:1>",
    "snake_case_name __init__ *args **kwargs",
    "back\\slash \\* \\\\ \\",
    "tg://user?id=1 /start@bot #tag $CASH",
    "{secret:bot-token} {setting:api-base} {0} ${HOME} %s",
    "||",
    "***",
    "___",
    "~~~",
    "```",
    "``",
    "`",
    "\\",
    "<",
    ">",
    "[",
    "@",
    "#",
];

async fn markup_of_any_messenger_has_no_effect_in_words<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    for (number, bomb) in BOMBS.iter().enumerate() {
        let body = vec![Block::Text((*bomb).to_owned()), Block::Text(format!("x {bomb} y"))];
        let shown = it.shown(&it.post(&chat, &Card { body, ..blank(&format!("W{number}")) }).await.unwrap());
        assert_eq!(shown.text, format!("{bomb}\nx {bomb} y"));
        assert_eq!((shown.markup, shown.bold, shown.code), Default::default(), "{bomb}");
    }
}

async fn markup_of_any_messenger_has_no_effect_in_titles<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    for (number, bomb) in BOMBS.iter().enumerate().filter(|(_, bomb)| !bomb.contains('\n')) {
        let shown = it.shown(
            &it.post(&chat, &Card { title: (*bomb).to_owned(), ..question(&format!("T{number}")) }).await.unwrap(),
        );
        assert_eq!(shown.text, format!("{bomb}\nrm -rf ./target"));
        assert_eq!((shown.bold, shown.markup), (vec![(*bomb).to_owned()], Vec::new()));
    }
}

async fn code_is_shown_to_the_letter<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    for (number, bomb) in BOMBS.iter().enumerate() {
        let whole = format!("  {bomb}\n\tcat <<'E' # {bomb}\nend");
        let body = vec![Block::Code(whole.clone()), Block::Text("after".to_owned())];
        let card = Card { title: "T".to_owned(), body, ..blank(&format!("C{number}")) };
        let shown = it.shown(&it.post(&chat, &card).await.unwrap());
        // A tabulator is a blank on some messengers.
        let flat = |text: &str| text.replace('\t', " ");
        assert_eq!(flat(&shown.text), flat(&format!("T\n{whole}\nafter")));
        assert_eq!(shown.code.iter().map(|code| flat(code)).collect::<Vec<_>>(), code::<P>(&[&flat(&whole)]));
        assert_eq!(shown.markup, Vec::<String>::new(), "{bomb}");
    }
}

async fn a_hint_shows_only_what_is_between_its_backquotes_as_code<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let hints = [
        ("type `no_reason` now", "type no_reason now", vec!["no_reason"]),
        ("*a* `b*c_d` _e_", "*a* b*c_d _e_", vec!["b*c_d"]),
        ("no code", "no code", vec![]),
        ("one ` only", "one ` only", vec![]),
    ];
    for (number, (hint, text, span)) in hints.into_iter().enumerate() {
        let card = Card { body: vec![Block::Hint(hint.to_owned())], ..blank(&format!("H{number}")) };
        let shown = it.shown(&it.post(&chat, &card).await.unwrap());
        assert_eq!((shown.text.as_str(), shown.markup.len()), (text, 0), "{hint}");
        assert_eq!(shown.code, code::<P>(&span));
    }
}

async fn letters_of_all_kinds_arrive_as_they_are<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let texts = [
        "한국어 승인 요청입니다.",
        "שלום עולם مرحبا بالعالم",
        "👨‍👩‍👧‍👦 🏳️‍🌈 ☺️ ☺ 1️⃣ 🇰🇷",
        "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠜎𠜱 \u{10FFFD}",
        "e\u{301} \u{1112}\u{1161}\u{11ab} ﬁ",
        "a\u{a0}b\u{2003}c\u{3000}d",
        "⟨U+202E⟩ ‹ › « » “ ” … —",
    ];
    for (number, text) in texts.iter().enumerate() {
        let body = vec![Block::Text((*text).to_owned()), Block::Code((*text).to_owned())];
        let card = Card { title: (*text).to_owned(), body, ..blank(&format!("L{number}")) };
        let shown = it.shown(&it.post(&chat, &card).await.unwrap());
        assert_eq!(shown.text, format!("{text}\n{text}\n{text}"));
        assert_eq!((shown.bold, shown.code), (vec![(*text).to_owned()], code::<P>(&[text])));
    }
}

async fn every_character_of_ascii_arrives_in_every_place<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let all: String = (' '..='~').collect();
    let doubled: String = (' '..='~').flat_map(|character| [character; 2]).collect();
    let lines: String = ('!'..='~').flat_map(|character| [character, ' ', 'x', '\n']).collect();
    let tight: String = ('!'..='~').flat_map(|character| [character, 'x', '\n']).collect();
    for (number, text) in [all, doubled, lines, tight].iter().enumerate() {
        let body =
            vec![Block::Text(format!("a{text}b")), Block::Text(text.trim().to_owned()), Block::Text("z".to_owned())];
        let shown = it.shown(&it.post(&chat, &Card { body, ..blank(&format!("A{number}")) }).await.unwrap());
        assert_eq!(shown.text, format!("a{text}b\n{}\nz", text.trim()));
        assert_eq!((shown.markup, shown.bold, shown.code), Default::default());
    }
}
