//! What `serve` says of itself once it listens. Nothing secret.

use std::path::Path;

use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use crate::terminal::{Paint, Tone, say, show};

/// Where it listens.
#[derive(Debug, Serialize)]
pub(super) struct Listening<'a> {
    pub(super) pid: u32,
    pub(super) socket: &'a Path,
    pub(super) url: &'a str,
}

impl Listening<'_> {
    /// Says it: one line of JSON for programs, else words.
    pub(super) fn announce(&self, json: bool, lang: Lang) -> anyhow::Result<()> {
        match json {
            true => show(&format!("{}\n", serde_json::to_string(self)?)),
            false => show(&self.text(lang, Paint::of_stdout())),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let words = say(
            lang,
            "게이트웨이가 동작합니다 (프로세스 {})\n  페이지와 API  {}\n  훅과 명령     {}\n\n\
             다음: dmplz pair로 브라우저를 연결하거나, dmplz approvals watch로 여기서 답합니다. Ctrl-C로 끝냅니다.\n",
            "The gateway runs (process {})\n  page and API        {}\n  hooks and commands  {}\n\n\
             Next: dmplz pair lets a browser in, dmplz approvals watch answers from here. Ctrl-C ends it.\n",
        );
        let [url, socket] = [self.url, &self.socket.display().to_string()].map(|it| paint.tone(Tone::Strong, it));
        fill(words, &[&self.pid.to_string(), &url, &socket])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_where_it_listens_and_what_to_do_next() {
        let listening = Listening { pid: 7, socket: Path::new("/s/gateway.sock"), url: "http://127.0.0.1:4780" };
        insta::assert_snapshot!(listening.text(Lang::En, Paint::PLAIN), @r"
        The gateway runs (process 7)
          page and API        http://127.0.0.1:4780
          hooks and commands  /s/gateway.sock

        Next: dmplz pair lets a browser in, dmplz approvals watch answers from here. Ctrl-C ends it.
        ");
        insta::assert_snapshot!(listening.text(Lang::Ko, Paint::PLAIN), @r"
        게이트웨이가 동작합니다 (프로세스 7)
          페이지와 API  http://127.0.0.1:4780
          훅과 명령     /s/gateway.sock

        다음: dmplz pair로 브라우저를 연결하거나, dmplz approvals watch로 여기서 답합니다. Ctrl-C로 끝냅니다.
        ");
    }
}
