//! The page's own modules, run where they run.

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::present::{heading, pieces};
use dmplz_core::text::Lang;
use dmplz_core::visible::{visible, visible_line};
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, Page};

tests! {
    browser:
        colours_lose_no_character_of_a_command,
        what_the_page_makes_visible_is_what_the_gateway_makes_visible,
        no_text_keeps_the_page_busy,
        a_plan_is_called_by_its_heading,
        a_call_has_the_same_heading_on_the_page_as_in_a_notice,
        a_call_is_called_the_same_on_the_page_as_in_the_terminal,
        no_cell_of_a_saved_history_is_a_formula,
        the_colours_are_those_that_the_person_chose,
        an_outage_of_a_messenger_is_shown_while_it_lasts,
        only_a_request_that_the_gateway_does_not_know_is_forgotten,
        a_denial_that_could_not_be_saved_is_told_as_one_that_counts,
        the_focus_is_not_taken_away_by_a_request_that_leaves,
        a_connection_whose_other_end_is_gone_is_given_up_at_once,
        a_double_click_is_one_press_of_a_button_that_asks,
        a_press_that_none_follows_is_taken_back,
        what_undoing_would_change_goes_away_if_nothing_is_pressed,
        a_button_with_a_name_tells_a_screen_reader_what_the_second_press_does,
        an_inbox_that_was_not_read_yet_does_not_say_that_nothing_waits,
        both_languages_have_every_word;
}

const COMMANDS: &[&str] = &[
    "",
    "ls",
    "A=1 B+=2 make -j4 --flag=x 'a b' \"c $d ${e} \\\" f\" # why",
    "a && b || c | d; e & (f) ; $(g) `h` <i >j 2>&1",
    "echo 'unfinished",
    "echo \"unfinished \\",
    "cat <<'EOF'\n# no comment\nEOF\nfor x in *; do rm -- \"$x\"; done",
    "echo 한글 😀 \u{301}e\u{0}\u{7f}\\\nnext",
    "$'x\\'y' $\"z\" ${ #",
    "'\"'\"'\"' $$ $! $1 \\",
];

async fn colours_lose_no_character_of_a_command() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let commands: Vec<String> =
        COMMANDS.iter().map(|text| (*text).to_owned()).chain(["'\"$(`#".repeat(3_000)]).collect();
    let script = format!(
        "import('/assets/highlight.js').then(({{ tokens }}) => {}.map((text) => tokens(text).map((token) => token.text).join('')))",
        json!(commands)
    );
    assert_eq!(page.promised(&script).await, json!(commands));
    let kinds = page.promised(
        "import('/assets/highlight.js').then(({ tokens }) => tokens('A=1 git push -f \"x\" && rm $y # z').filter((token) => token.kind).map(({ kind, text }) => `${kind}:${text}`))",
    );
    let wanted = [
        "variable:A=1", "command:git", "flag:-f", "string:\"x\"", "operator:&&", "command:rm", "variable:$y",
        "comment:# z",
    ];
    assert_eq!(kinds.await, json!(wanted));
    page.close().await;
}

async fn what_the_page_makes_visible_is_what_the_gateway_makes_visible() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    // Every character up to the end of the planes that are used, and what depends on its neighbours.
    let mut texts: Vec<String> = (0..0xe1000_u32)
        .filter(|code| {
            *code < 0x3400
                || (0xd7ff..0x1_0300).contains(code)
                || (0x1_d100..0x1_d200).contains(code)
                || *code >= 0xe_0000
        })
        .filter_map(char::from_u32)
        .map(|c| format!("a{c}b"))
        .collect();
    for text in [
        "a\r\nb\tc\n",
        "\r",
        "👩\u{200d}💻 ❤\u{fe0f} 👍🏽",
        "a\u{200d}b\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "👍🏽\u{200d}x\u{200d}",
        "1\u{200d}2\u{fe0f}\u{200d}",
        "🏽\u{fe0f}",
        "、\u{fe0f}",
        "\u{2066}\u{fe0f}\u{200d}",
        "a\n\r\n",
        "\u{f0000}\u{10ffff}",
    ] {
        texts.push(text.to_owned());
    }
    let wanted: Vec<Value> = texts.iter().map(|text| json!([visible(text), visible_line(text)])).collect();
    let script = format!(
        "import('/assets/visible.js').then(({{ visible, visibleLine }}) => {}.map((text) => [visible(text), visibleLine(text)]))",
        json!(texts)
    );
    let found = page.promised(&script).await;
    for ((text, wanted), found) in texts.iter().zip(&wanted).zip(found.as_array().unwrap()) {
        assert_eq!(found, wanted, "{text:?}");
    }
    page.close().await;
}

async fn no_text_keeps_the_page_busy() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    // Each of them took more than half a minute while the work grew with the square of the length.
    let script = "(async () => {
        const [{ visible, visibleLine }, { formatted }] = [await import('/assets/visible.js'), await import('/assets/plan.js')];
        const start = performance.now();
        visible('\\ufe0f'.repeat(100_000));
        visible(`👍${'\\ufe0f'.repeat(300_000)}`);
        visibleLine(`${'\\n'.repeat(300_000)}a`);
        formatted('\\n'.repeat(400_000));
        return performance.now() - start;
    })()";
    let took = page.promised(script).await;
    assert!(took.as_f64().unwrap() < 10_000.0, "{took} ms");
    page.close().await;
}

async fn a_plan_is_called_by_its_heading() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let plans = [
        ("# Make it **fast**\n\nx\n## After", "Make it fast"),
        ("First words.\n\n## Steps", "Steps"),
        ("Words.\n```sh\n# a comment\n```\n", "Words."),
        ("```\nx\n```", "```"),
        ("- an `index`", "•an index"),
        ("rm -rf a/** b/**", "rm -rf a/** b/**"),
        ("rm a/*.o b/*.c", "rm a/*.o b/*.c"),
        ("*Then* rm **/*.o _a/_b x**2 **a**.rs", "Then rm **/*.o _a/_b x**2 **a**.rs"),
        ("**`색인`**을 (__먼저__) 추가", "색인을 (먼저) 추가"),
        ("", ""),
    ];
    let texts = plans.map(|(text, _)| text);
    let script = format!("import('/assets/plan.js').then(({{ titleOf }}) => {}.map(titleOf))", json!(texts));
    assert_eq!(page.promised(&script).await, json!(plans.map(|(_, title)| title)));
    page.close().await;
}

async fn a_call_has_the_same_heading_on_the_page_as_in_a_notice() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let tools = [
        "Bash",
        "PowerShell",
        "Edit",
        "MultiEdit",
        "Write",
        "NotebookEdit",
        "Read",
        "Glob",
        "Grep",
        "LS",
        "WebFetch",
        "WebSearch",
        "Task",
        "Agent",
        "Skill",
        "ExitPlanMode",
        "AskUserQuestion",
        "mcp__github__create_pull_request",
        "mcp__my-files__read__all",
        "mcp__gitlab__x",
        "mcp__écran__x_y",
        "mcp____x",
        "mcp__x__",
        "mcp__x",
        "constructor",
        "Foo\u{202e}bar\n",
        "도구",
        "",
    ];
    for (lang, code) in [(Lang::En, "en"), (Lang::Ko, "ko")] {
        let wanted: Vec<[String; 2]> =
            tools.iter().map(|tool| [true, false].map(|is_of_client| heading(tool, is_of_client, lang))).collect();
        let script = format!(
            "(async () => {{ const [{{ heading }}, words] = [await import('/assets/heading.js'), await import('/assets/words.js')]; if (words.lang() !== '{code}') words.toggle(); return {}.map((tool) => [heading(tool, true), heading(tool, false)]); }})()",
            json!(tools)
        );
        assert_eq!(page.promised(&script).await, json!(wanted));
    }
    page.close().await;
}

async fn a_call_is_called_the_same_on_the_page_as_in_the_terminal() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let calls = [
        ("Bash", json!({ "command": "make all\nmake test" })),
        ("Bash", json!({ "command": "echo a: {\nrm b" })),
        ("Write", json!({ "file_path": "/a", "content": "x: [\n1]" })),
        ("ExitPlanMode", json!({ "plan": "Words.\n\n# Faster\n" })),
        ("TodoWrite", json!({ "todos": [{ "content": "a, b", "status": "done" }, { "content": "c" }] })),
        ("mcp__x__y", json!({ "a": { "b\u{202e}": [1, 1.0, "c\n  d"], "2": {}, "1": null } })),
        ("mcp__x__y", json!({ "a": ["😀".repeat(200)] })),
        ("mcp__x__y", json!({ "a": "[\n1\n]" })),
        ("mcp__x__y", json!({})),
    ];
    let call = |tool: &str, input: &Value| ToolCall {
        tool: tool.to_owned(),
        input: input.as_object().unwrap().clone(),
        tool_use_id: None,
        suggestions: Vec::new(),
    };
    let wanted: Vec<String> = calls
        .iter()
        .map(|(tool, input)| Subject::of(&call(tool, input), "", "", None, &[], Lang::En).line().into_owned())
        .collect();
    let shown: Vec<Value> =
        calls.iter().map(|(tool, input)| json!({ "shown": pieces(tool, input.as_object().unwrap()) })).collect();
    let script = format!("import('/assets/parts.js').then(({{ summary }}) => {}.map(summary))", json!(shown));
    assert_eq!(page.promised(&script).await, json!(wanted));
    page.close().await;
}

async fn no_cell_of_a_saved_history_is_a_formula() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let ended = |cwd: &str, reason: &str| {
        json!({
            "id": "i", "createdMs": 0, "endedMs": 1_000, "tool": "Bash", "cwd": cwd, "source": { "kind": "hook", "sessionId": "s" },
            "shown": [{ "kind": "command", "text": "-1+1" }], "subject": {}, "offer": { "questions": [] },
            "resolution": { "outcome": "rejected_with_reason", "by": { "name": "@SUM(1)", "surface": "web" }, "reason": reason },
        })
    };
    let all = [
        ended("=HYPERLINK(\"http://evil\")", "no, \"never\"\nagain"),
        ended(" +1", "\t=1"),
        ended("\u{ff1d}1", "\u{202e}=1"),
        ended("/work", "a - b"),
    ];
    let script = format!("import('/assets/export.js').then(({{ csv, json }}) => [csv({0}), json({0})])", json!(all));
    let both = page.promised(&script).await;
    let rows = [
        r#""id","asked","ended","tool","what","folder","session","outcome","by","surface","reason""#,
        r#""'=HYPERLINK(""http://evil"")","s","rejected_with_reason","'@SUM(1)","web","no, ""never""␊again""#,
        r#""' +1","s","rejected_with_reason","'@SUM(1)","web","␉=1""#,
        r#""'＝1","s","rejected_with_reason","'@SUM(1)","web","⟨U+202E⟩=1""#,
        r#""/work","s","rejected_with_reason","'@SUM(1)","web","a - b""#,
    ];
    let start = r#""i","","1970-01-01T00:00:01.000Z","Bash","'-1+1","#;
    let wanted: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| if at == 0 { (*row).to_owned() } else { format!("{start}{row}") })
        .collect();
    assert_eq!(both[0].as_str().unwrap(), wanted.join("\r\n") + "\r\n");
    let json: Value = serde_json::from_str(both[1].as_str().unwrap()).unwrap();
    assert_eq!(json[0]["resolution"]["reason"], "no, \"never\"\nagain");
    assert!(json[0]["subject"].is_null());
    page.close().await;
}

async fn the_colours_are_those_that_the_person_chose() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let look = "(() => { const it = getComputedStyle(document.documentElement); return [it.getPropertyValue('--ground').trim(), document.querySelector('.theme').ariaLabel]; })()";
    for (system, auto) in [("light", "#f4f5f7"), ("dark", "#0e1116")] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": system }] });
        page.devtools("Emulation.setEmulatedMedia", media).await;
        for (ground, label) in
            [(auto, "Colours: as the system"), ("#f4f5f7", "Colours: light"), ("#0e1116", "Colours: dark")]
        {
            assert_eq!(page.value(look).await, json!([ground, label]), "{system}");
            page.value("location.reload()").await;
            page.online().await;
            assert_eq!(page.value(look).await, json!([ground, label]), "it is kept");
            page.click(".theme").await;
        }
    }
    page.close().await;
}

async fn only_a_request_that_the_gateway_does_not_know_is_forgotten() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let script = "(async () => {
        const [{ Store }, { catchUp }] = [await import('/assets/store.js'), await import('/assets/catchup.js')];
        const store = new Store();
        const codes = { unknown: -32001, limited: -32008, broken: -32603 };
        for (const id of Object.keys(codes)) store.put({ id, status: 'open', createdMs: 0, source: { kind: 'hook', sessionId: 's' } });
        const call = async (method, { id }) => {
            if (method === 'approvals.list') return { approvals: [] };
            throw Object.assign(new Error('no'), { code: codes[id] });
        };
        await catchUp(store, { call });
        return store.waiting().map(({ id }) => id);
    })()";
    assert_eq!(page.promised(script).await, json!(["broken", "limited"]));
    page.close().await;
}

async fn the_focus_is_not_taken_away_by_a_request_that_leaves() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let script = "(async () => {
        const [{ Store }, { Inbox }] = [await import('/assets/store.js'), await import('/assets/inbox.js')];
        const store = new Store();
        for (const id of ['a', 'b', 'c']) {
            const source = { kind: 'hook', sessionId: 's' };
            store.put({ id, status: 'open', createdMs: 0, expiresMs: 1, tool: 'Bash', cwd: '/work', source, shown: [], input: {} });
        }
        const inbox = new Inbox(store, new EventTarget());
        const elsewhere = document.createElement('button');
        document.body.append(elsewhere, inbox.element);
        const at = () => [inbox.element.querySelector('.card').dataset.id, document.activeElement === elsewhere];
        elsewhere.focus();
        store.forget('a');
        const seen = [at()];
        inbox.element.querySelector('.card h2').focus();
        store.forget('b');
        seen.push([...at(), document.activeElement.id]);
        inbox.leave();
        for (const element of [elsewhere, inbox.element]) element.remove();
        return seen;
    })()";
    assert_eq!(page.promised(script).await, json!([["b", true], ["c", false, "card-title"]]));
    page.close().await;
}

async fn a_connection_whose_other_end_is_gone_is_given_up_at_once() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let script = "(async () => {
        const { Socket } = await import('/assets/socket.js');
        const real = globalThis.setTimeout;
        // The calls that are never answered are late as soon as the test says so.
        const late = [];
        globalThis.setTimeout = (act, ms) => (ms === 20_000 ? void late.push(act) : real(act, ms));
        const socket = new Socket({});
        let downs = 0;
        socket.addEventListener('down', () => (downs += 1));
        // It takes everything, answers nothing, and never says that it is closed.
        socket.use({ readyState: WebSocket.OPEN, send() {}, close() {} });
        dispatchEvent(new Event('online'));
        late.splice(0).forEach((act) => act());
        await new Promise((done) => real(done));
        globalThis.setTimeout = real;
        socket.close();
        return downs;
    })()";
    assert_eq!(page.promised(script).await, 1);
    page.close().await;
}

async fn a_denial_that_could_not_be_saved_is_told_as_one_that_counts() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field of the code", "document.activeElement?.matches('input')").await;
    let script = "(async () => {
        const { respond } = await import('/assets/respond.js');
        const refusing = (code, refusal) => ({ call: () => Promise.reject({ code, data: { refusal } }) });
        const seen = [];
        for (const [decision, code, refusal] of [
            ['deny', -32005, 'outcome_not_recorded'],
            ['approve', -32005, 'outcome_not_recorded'],
            ['deny', -32603, 'request_unreadable'],
        ]) {
            const isTaken = await respond(refusing(code, refusal), {}, 'one', { decision });
            seen.push([isTaken, document.querySelector('#toasts').lastChild.textContent]);
        }
        return seen;
    })()";
    let told = [
        "The request was denied, but the answer could not be saved.",
        "The answer could not be saved, so it does not count. Try again.",
        "The gateway cannot read this request from its disk, so the answer does not count. Try again.",
    ];
    assert_eq!(page.promised(script).await, json!(told.map(|told| json!([false, told]))));
    page.close().await;
}

async fn a_double_click_is_one_press_of_a_button_that_asks() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field of the code", "document.activeElement?.matches('input')").await;
    page.promised(
        "import('/assets/fields.js').then(({ twice }) => {
            globalThis.probe = { acts: 0 };
            probe.button = twice('Remove', 'Sure?', () => (probe.acts += 1));
            document.body.append(probe.button);
        })",
    )
    .await;
    let double =
        "(() => { probe.button.click(); probe.button.click(); return [probe.acts, probe.button.textContent]; })()";
    assert_eq!(page.value(double).await, json!([0, "Sure?"]));
    // It takes the second press after a moment, and has the focus for a keyboard.
    page.until("the focus", "document.activeElement === probe.button && !probe.button.disabled").await;
    assert_eq!(page.value("(probe.button.click(), probe.acts)").await, 1);
    page.until("the first words", "probe.button.textContent === 'Remove'").await;
    // Who goes on to something else has not pressed.
    page.value("probe.button.click()").await;
    page.until("the question", "document.activeElement === probe.button && !probe.button.disabled").await;
    // A window in the background is not told that it loses the focus.
    page.value("(probe.button.blur(), probe.button.dispatchEvent(new FocusEvent('blur')))").await;
    assert_eq!(page.value("[probe.acts, probe.button.textContent]").await, json!([1, "Remove"]));
    page.close().await;
}

/// A `setTimeout` whose timers of this time run as soon as a script says `late()`, and the others at once.
fn late(ms: u32) -> String {
    format!(
        "const real = globalThis.setTimeout;
        const timers = [];
        globalThis.setTimeout = (act, ms) => (ms === {ms} ? timers.push(act) : real(act));
        const late = () => timers.splice(0).forEach((act) => act());
        const soon = () => new Promise((done) => real(done));"
    )
}

async fn a_press_that_none_follows_is_taken_back() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field of the code", "document.activeElement?.matches('input')").await;
    let script = format!(
        "(async () => {{
            const [{{ twice }}, {{ Several }}] = [await import('/assets/fields.js'), await import('/assets/several.js')];
            {}
            const acts = [];
            const request = (id) => ({{ id, status: 'open', tool: 'Read', source: {{ kind: 'hook' }} }});
            const several = new Several({{ waiting: () => ['a', 'b'].map(request) }}, {{ call: () => acts.push('answer') }});
            const one = twice('Remove', 'Sure?', () => acts.push('remove'));
            document.body.append(one, several.element);
            several.element.querySelector('.begin').click();
            for (const id of ['a', 'b']) several.pick(id, true);
            const all = several.element.querySelector('.deny');
            const seen = [];
            for (const button of [one, all]) {{
                for (const step of [() => button.click(), late, () => button.click()]) {{
                    step();
                    await soon();
                    seen.push(button.textContent);
                }}
                late();
            }}
            globalThis.setTimeout = real;
            for (const element of [one, several.element]) element.remove();
            return [seen, acts];
        }})()",
        late(6_000)
    );
    let seen = ["Sure?", "Remove", "Sure?", "Press again: deny 2", "Deny 2", "Press again: deny 2"];
    assert_eq!(page.promised(&script).await, json!([seen, []]));
    page.close().await;
}

async fn what_undoing_would_change_goes_away_if_nothing_is_pressed() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field of the code", "document.activeElement?.matches('input')").await;
    let script = format!(
        "(async () => {{
            const {{ Undo }} = await import('/assets/undo.js');
            {}
            const calls = [];
            const undo = {{ files: ['/work/a'], insertions: 1, deletions: 2 }};
            const it = new Undo('one', {{ call: async (_, params) => (calls.push(params), {{ undo, text: 'go' }}) }});
            const before = document.createElement('button');
            document.body.append(before, it.element);
            before.focus();
            await it.look();
            const seen = [it.element.checkVisibility(), document.activeElement === it.element];
            late();
            seen.push(it.element.checkVisibility(), it.element.childElementCount, document.activeElement === before);
            globalThis.setTimeout = real;
            for (const element of [before, it.element]) element.remove();
            return [seen, calls];
        }})()",
        late(60_000)
    );
    assert_eq!(page.promised(&script).await, json!([[true, true, false, 0, true], [{ "id": "one" }]]));
    page.close().await;
}

async fn a_button_with_a_name_tells_a_screen_reader_what_the_second_press_does() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field of the code", "document.activeElement?.matches('input')").await;
    let script = "import('/assets/fields.js').then(({ twice }) => {
        const button = twice('Remove', 'Press once more to remove it', () => {}, { 'aria-label': 'Remove telegram' });
        document.body.append(button);
        const seen = [button.ariaDescription];
        button.click();
        seen.push(button.ariaDescription, button.ariaLabel);
        button.remove();
        return seen;
    })";
    let wanted = json!([null, "Press once more to remove it", "Remove telegram"]);
    assert_eq!(page.promised(script).await, wanted);
    page.close().await;
}

async fn an_inbox_that_was_not_read_yet_does_not_say_that_nothing_waits() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let script = "(async () => {
        const [{ Store }, { Inbox }] = [await import('/assets/store.js'), await import('/assets/inbox.js')];
        const store = new Store();
        const inbox = new Inbox(store, new EventTarget());
        document.body.append(inbox.element);
        const seen = () => ['.nothing', '.empty'].map((it) => inbox.element.querySelector(it).checkVisibility());
        const before = seen();
        store.reconcile([]);
        await new Promise((done) => setTimeout(done));
        const after = seen();
        inbox.leave();
        inbox.element.remove();
        return [before, after];
    })()";
    assert_eq!(page.promised(script).await, json!([[true, false], [false, true]]));
    page.close().await;
}

async fn both_languages_have_every_word() {
    let gateway = Gateway::start();
    let page = Page::unpaired(&gateway, DESKTOP).await;
    let shape = "const shape = (it) => typeof it === 'object' ? Object.fromEntries(Object.entries(it).map(([name, inner]) => [name, shape(inner)])) : `${typeof it} ${it.length > 0}`";
    let script = format!(
        "(async () => {{ {shape}; const [{{ ko }}, {{ en }}] = [await import('/assets/words/ko.js'), await import('/assets/words/en.js')]; return [shape(ko), shape(en)]; }})()"
    );
    let both = page.promised(&script).await;
    assert_eq!(both[0], both[1]);
    assert!(both[0]["approve"] == "string true", "{both}");
    page.close().await;
}

async fn an_outage_of_a_messenger_is_shown_while_it_lasts() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let script = r#"import('/assets/outages.js').then(async ({ Outages }) => {
        const out = { name: 'telegram', reachable: false, sinceMs: 0, why: 'reach\u202e it', alert: true };
        const brief = { name: 'discord', reachable: false, sinceMs: 0, why: 'x', alert: false };
        const socket = Object.assign(new EventTarget(), { call: async () => ({ messengers: [out, brief] }) });
        const tell = (method, params) => socket.dispatchEvent(new CustomEvent('told', { detail: { method, params } }));
        const outages = new Outages(socket);
        const shown = () => [...outages.element.children].map((line) => line.textContent.replace(/since .*?: /, 'since then: '));
        const seen = [shown()];
        socket.dispatchEvent(new Event('settled'));
        await new Promise((done) => setTimeout(done));
        seen.push(shown());
        tell('messenger.unreachable', { messenger: 'discord', sinceMs: 1 });
        seen.push(shown());
        tell('messenger.reachable', { messenger: 'telegram' });
        tell('messenger.reachable', { messenger: 'discord' });
        return [...seen, shown()];
    })"#;
    let telegram = "⚠ telegram has not been reachable since then: nobody can answer there. (reach⟨U+202E⟩ it)";
    let discord = "⚠ discord has not been reachable since then: nobody can answer there.";
    assert_eq!(page.promised(script).await, json!([[], [telegram], [telegram, discord], []]));
    page.shows("#toasts", "discord can be reached again.").await;
    // The real page asks the real gateway, where nothing is out.
    assert_eq!(page.count(".outages").await, 1);
    assert_eq!(page.count(".outages p").await, 0);
    page.close().await;
}
