//! `dmplz store check`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_gateway::Checked;
use dmplz_state::store::{Reader, StoreError};
use serde_json::json;

use super::{damage, open_at};
use crate::gateway::Place;
use crate::terminal::{OnlyJson, Paint, Tone, pad, say, tell, tell_findings};
use crate::{exit, trouble, verdict, wording};

/// Checks the database. Returns exit code 4 if it is damaged.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let checked = check(&place, args);
    match checked.as_ref().err().and_then(|error| damage(error, place.lang)) {
        Some(damage) => unreadable(&damage, place.lang, args),
        None => checked,
    }
}

/// Reports a file that is so damaged that nothing in it can be read.
fn unreadable(damage: &str, lang: Lang, args: &OnlyJson) -> anyhow::Result<u8> {
    let report = json!({ "ok": false, "version": null, "damage": [damage] });
    tell(&report, args.json, |_, paint| line(paint, false, say(lang, "파일", "file"), damage))?;
    let hint =
        say(lang, "백업이 있으면 `dmplz store restore`로 되돌려 주세요.", "put a backup back with dmplz store restore");
    trouble::hint(hint, lang);
    Ok(exit::UNWELL)
}

fn check(place: &Place, args: &OnlyJson) -> anyhow::Result<u8> {
    let lang = place.lang;
    let Some(reader) = open_at(place)? else {
        let nothing = say(lang, "아직 보관된 것이 없습니다.", "Nothing was kept yet.");
        let report = json!({ "ok": true, "version": null, "requests": 0 });
        return tell(&report, args.json, |_, _| format!("✓ {nothing}\n"));
    };
    let checked = dmplz_gateway::check(&reader, &AtomicBool::new(false))?;
    // If a damaged file cannot be read to the end of the trail, that is reported in addition to the damage.
    let verdict = reader.verify(None);
    let trail = match &verdict {
        Ok(verdict) => verdict::finding(verdict, None, lang),
        Err(error) => Err(wording::words(&error.clone().into(), lang).0),
    };
    let (version, known) = reader.version()?;
    let used_bytes = reader.reads().used_bytes()?;
    let is_well = checked.is_well() && trail.is_ok();
    let report = json!({
        "ok": is_well, "version": version, "knownVersion": known, "usedBytes": used_bytes,
        "damage": checked.damage, "requests": checked.requests, "unreadable": checked.unreadable,
        "trail": verdict.as_ref().ok().map(|verdict| verdict::report(verdict, trail.as_ref().err())),
    });
    tell_findings(&report, args.json, is_well, |_, paint| text(&checked, &trail, (version, used_bytes), lang, paint))
}

fn text(
    checked: &Checked,
    trail: &Result<String, String>,
    (version, bytes): (i64, u64),
    lang: Lang,
    paint: Paint,
) -> String {
    let line = |is_well: bool, about: &str, what: &str| line(paint, is_well, about, what);
    let mut text = String::new();
    let file = say(lang, "파일", "file");
    if checked.damage.is_empty() {
        let sound = say(lang, "손상이 없습니다 (버전 {}, {} KiB)", "sound (version {}, {} KiB)");
        text.push_str(&line(true, file, &fill(sound, &[&version.to_string(), &bytes.div_ceil(1024).to_string()])));
    }
    for damage in &checked.damage {
        text.push_str(&line(false, file, damage));
    }
    let requests = say(lang, "요청", "requests");
    let readable = fill(say(lang, "{}개를 읽을 수 있습니다", "{} can be read"), &[&checked.requests.to_string()]);
    text.push_str(&line(checked.unreadable.is_empty(), requests, &readable));
    for row in &checked.unreadable {
        text.push_str(&line(false, requests, &row.to_string()));
    }
    let (is_well, what) = match trail {
        Ok(well) => (true, well),
        Err(broken) => (false, broken),
    };
    text.push_str(&line(is_well, say(lang, "감사 기록", "trail"), what));
    if !checked.is_well() {
        text.push_str(say(
            lang,
            "\n읽을 수 없는 것은 지우지 않고 건너뜁니다. `dmplz store backup`으로 사본을 두고, 성한 백업이 있으면 \
             `dmplz store restore`로 되돌리세요.\n",
            "\nWhat cannot be read is passed over, and never removed for that. Keep a copy (dmplz store backup), and put \
             a sound one back if you have it (dmplz store restore).\n",
        ));
    }
    text
}

fn line(paint: Paint, is_well: bool, about: &str, what: &str) -> String {
    let (mark, tone) = if is_well { ("✓", Tone::Good) } else { ("✗", Tone::Bad) };
    format!("{} {}{}\n", paint.tone(tone, mark), pad(about, 10), visible_line(what))
}

/// Checks the whole database, for at most `limit`.
pub(crate) fn look(reader: &Reader, limit: Duration) -> Result<Checked, StoreError> {
    let (stop, interrupt) = (AtomicBool::new(false), reader.interrupt());
    let (done, is_done) = mpsc::channel::<()>();
    let ends = &stop;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut wait = limit;
            while is_done.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                ends.store(true, Ordering::Relaxed);
                interrupt.interrupt();
                wait = Duration::from_millis(10);
            }
        });
        let checked = dmplz_gateway::check(reader, &stop);
        drop(done);
        checked
    })
}
