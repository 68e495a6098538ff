//! The result of a check of the audit trail, as text and as JSON.

use dmplz_core::text::{Lang, fill};
use dmplz_state::store::{Break, Head, Verdict};
use serde_json::{Value, json};

use crate::terminal::say;

/// Returns the text about a verdict: that the trail is intact, or what is wrong.
pub(crate) fn finding(verdict: &Verdict, expected: Option<Head>, lang: Lang) -> Result<String, String> {
    match verdict {
        Verdict::Broken { seq, what } => {
            Err(fill(say(lang, "기록 {}: {}", "entry {} {}"), &[&seq.to_string(), &told(*what, lang)]))
        }
        Verdict::Verified { last, .. } if last.seq == 0 && expected.is_some_and(|head| head.seq > 0) => Err(say(
            lang,
            "기록이 없습니다. 주신 끝(head)은 기록이 있었다고 합니다.",
            "there is no entry, and the given head names one",
        )
        .to_owned()),
        Verdict::Verified { last, .. } if last.seq == 0 => {
            Ok(say(lang, "아직 기록이 없습니다.", "Nothing was recorded yet.").to_owned())
        }
        Verdict::Verified { head: None, .. } => Err(say(
            lang,
            "audit.head가 없습니다. 기록의 끝이 지워졌더라도 알 수 없습니다.",
            "audit.head is missing: a removed end would not be found",
        )
        .to_owned()),
        Verdict::Verified { cut, last, .. } if cut.seq > 0 => Ok(fill(
            say(
                lang,
                "기록 {}개가 모두 그대로입니다. 그 앞의 {}개는 보관 기간이 지나 지워졌습니다.",
                "{} entries, all as recorded; {} before them were pruned.",
            ),
            &[&(last.seq - cut.seq).to_string(), &cut.seq.to_string()],
        )),
        Verdict::Verified { last, .. } => Ok(fill(
            say(lang, "기록 {}개가 모두 그대로입니다.", "{} entries, all as recorded."),
            &[&last.seq.to_string()],
        )),
    }
}

/// Returns what is wrong with an entry of the trail.
pub(crate) fn told(what: Break, lang: Lang) -> String {
    let ko = match what {
        _ if lang == Lang::En => return what.to_string(),
        Break::Missing => "빠져 있습니다.",
        Break::Inserted => "첫 기록보다 앞에 끼워 넣은 것입니다.",
        Break::Unreadable => "읽을 수 없습니다.",
        Break::Chain => "앞의 기록과 이어지지 않습니다.",
        Break::Edited => "고쳐졌습니다.",
        Break::Removed => "지워졌습니다. `audit.head`에는 있습니다.",
        Break::Rewritten => "`audit.head`가 가리키는 것과 다릅니다.",
        Break::Differs => "요청의 이력이 이 기록과 다릅니다.",
        Break::Untold => "기록에 없는 이력이 있습니다.",
        Break::CutOff => "보관 기간이 지나 지워져, 주신 끝(head)과 견줄 수 없습니다.",
        Break::Unexpected => "주신 끝(head)이 가리키는 것과 다릅니다.",
    };
    ko.to_owned()
}

pub(crate) fn report(verdict: &Verdict, broken: Option<&String>) -> Value {
    let text = |head: &Head| head.to_string();
    match verdict {
        Verdict::Verified { cut, last, head } => json!({
            "verified": broken.is_none(), "entries": last.seq - cut.seq, "pruned": cut.seq, "last": text(last),
            "head": head.as_ref().map(text), "what": broken,
        }),
        Verdict::Broken { seq, what } => json!({ "verified": false, "entry": seq, "what": what.to_string() }),
    }
}
