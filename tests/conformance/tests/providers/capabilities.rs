//! The tables of what each messenger can, in the documents: from the manifests and from what the cases hold each platform to.
//!
//! `DMPLZ_WRITE_DOCS=1 cargo test --workspace --test providers capabilities` writes them.

use std::path::Path;

use dmplz_conformance::{Bench, Platform, Trial, Visitor, each_platform, has};
use dmplz_core::messenger::{Answering, Transport};
use dmplz_core::text::title;

/// The documents with a table, by their language, and the number of columns in it.
const DOCUMENTS: [(&str, usize, usize); 4] = [
    ("docs/MESSENGERS.md", 0, COLUMNS.len()),
    ("docs/MESSENGERS.ko.md", 1, COLUMNS.len()),
    ("README.md", 0, SHORT),
    ("README.ko.md", 1, SHORT),
];
/// The number of columns in the tables of the READMEs.
const SHORT: usize = 6;
const BEGIN: &str = "<!-- Written by `DMPLZ_WRITE_DOCS=1 cargo test --workspace --test providers capabilities`. -->\n";
const END: &str = "<!-- The end of what is written. -->\n";

type Words = [&'static str; 2];

const COLUMNS: [Words; 13] = [
    ["", ""],
    ["you answer by", "답하는 방법"],
    ["reasons and other words are", "사유와 그 밖의 글"],
    ["who answers is known", "누가 답했는지"],
    ["topics or threads for sessions", "세션마다 토픽이나 스레드"],
    ["commands are offered", "명령 안내"],
    ["pressed while `dmplz` does not run", "`dmplz`가 꺼져 있을 때 누른 것"],
    ["the end of a card stands", "카드의 끝"],
    ["text in one message, in UTF-16 units", "메시지 한 개의 글, UTF-16 단위"],
    ["choices at a time", "한 번에 보이는 선택지"],
    ["files on a card", "카드의 파일"],
    ["files that you send to sessions", "세션에 보내는 파일"],
    ["shows what a session is writing as a draft", "세션이 쓰는 중인 글 미리보기"],
];
const YES: Words = ["yes", "예"];
const NO: Words = ["no", "아니요"];

/// Returns the test of each document.
pub(crate) fn tests() -> Vec<Trial> {
    let test = |(file, language, columns): (&'static str, usize, usize)| {
        Trial::test(format!("capabilities::{}", file.replace(['/', '.'], "_")), move || {
            let mut rows = Rows { language, rows: Vec::new() };
            each_platform(&mut rows);
            check(file, &table(language, columns, &rows.rows)).map_err(Into::into)
        })
    };
    DOCUMENTS.map(test).into()
}

/// Collects the rows, with all columns.
struct Rows {
    language: usize,
    rows: Vec<Vec<String>>,
}

impl Visitor for Rows {
    fn visit<P: Platform + 'static>(&mut self, platform: &'static str) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (transport, others) = runtime.block_on(async {
            let bench = Bench::<P>::start().await;
            // Codes have a row that says so.
            let known = bench.manifest().transports.iter().filter(|it| it.answering != Answering::Typed).count();
            (bench.transport().clone(), known.saturating_sub(1))
        });
        let cells = row::<P>(&transport).map(|words| words[self.language].to_owned());
        let numbers = [transport.limits.text, transport.limits.choices].map(|number| number.to_string());
        let megabytes = transport.limits.attachment >> 20;
        let files = if megabytes == 0 { NO[self.language].to_owned() } else { format!("{megabytes} MiB") };
        let name = [name::<P>(platform, &transport, others, self.language)];
        let sent = match (transport.files, transport.reads_chat) {
            (false, _) => NO,
            (true, true) => ["in messages", "메시지로"],
            (true, false) => ["with commands", "명령과 함께"],
        };
        let sent = sent[self.language].to_owned();
        let drafts =
            if transport.drafts { ["in private chats", "개인 채팅에서"] } else { NO }[self.language].to_owned();
        self.rows.push(name.into_iter().chain(cells).chain(numbers).chain([files, sent, drafts]).collect());
    }
}

/// Returns the name of a platform, with what distinguishes it from others of its messenger.
fn name<P: Platform>(platform: &str, transport: &Transport, others: usize, language: usize) -> String {
    let name = title(P::NAME);
    if let Some(version) = platform.strip_prefix(&format!("{}_before_", P::NAME)) {
        let version = version.replace('_', ".");
        return if language == 0 { format!("{name} before {version}") } else { format!("{name} {version} 전") };
    }
    let uses = match (others, transport.persistent) {
        _ if transport.answering == Answering::Typed => ["by codes", "코드로"],
        (0, _) => return name,
        (_, true) => ["under `dmplz serve`", "`dmplz serve`"],
        (_, false) => ["by a hook alone", "훅 혼자"],
    };
    format!("{name}, {}", uses[language])
}

fn row<P: Platform>(transport: &Transport) -> [Words; 7] {
    let answer = |case: bool| if case { YES } else { NO };
    [
        match P::ANSWERING {
            Answering::Buttons => ["buttons", "버튼"],
            Answering::Reactions => ["reactions", "리액션"],
            Answering::Typed => ["typed codes", "코드 입력"],
        },
        if P::READS_CHAT { ["messages", "메시지"] } else { ["written into a form", "입력창"] },
        if P::IDENTIFIES {
            ["yes", "알 수 있음"]
        } else {
            ["no: who reaches the chat can answer", "알 수 없음: 채팅에 접근하면 누구나"]
        },
        answer(transport.threads),
        answer(transport.commands),
        // A button that is pressed without a connection tells the person that it failed. A reaction stays.
        if P::PERSISTENT && P::ANSWERING == Answering::Buttons {
            ["fails, and says so", "실패했다고 나옴"]
        } else if let Some(seconds) = transport.presses_kept {
            assert_eq!(seconds, 150, "the words below say so");
            ["counts if it runs again within 150 s", "150초 안에 다시 실행되면 유효"]
        } else {
            ["counts in time", "시간 안이면 유효"]
        },
        if has::<P>("revising", "") {
            ["in its place", "그 자리에"]
        } else {
            ["below it; the buttons stay", "아래에, 버튼은 그대로"]
        },
    ]
}

fn table(language: usize, columns: usize, rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        format!("|{}\n", cells.take(columns).map(|cell| format!(" {cell} |").replace("  |", " |")).collect::<String>())
    };
    let head = line(&mut COLUMNS.iter().map(|words| words[language]));
    let rows: String = rows.iter().map(|row| line(&mut row.iter().map(String::as_str))).collect();
    format!("{head}|{}\n{rows}", "---|".repeat(columns))
}

/// Compares what stands between the marks of a document, or writes it.
fn check(file: &str, wanted: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let kept = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = kept.split_once(BEGIN).ok_or_else(|| format!("{file} has no place for the table: {BEGIN}"))?;
    let (written, after) = rest.split_once(END).ok_or_else(|| format!("{file} has no end of the table: {END}"))?;
    if written != wanted && std::env::var_os("DMPLZ_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{wanted}{END}{after}")).unwrap();
    } else if written != wanted {
        return Err(format!("{file} is not what the providers can; it should be:\n{wanted}"));
    }
    Ok(())
}
