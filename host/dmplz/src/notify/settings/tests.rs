use std::time::Duration;

use dmplz_core::notify::{Detail, Front, Priority};
use dmplz_core::text::Lang;

use super::templates::Words;
use super::*;

fn read(text: &str) -> Result<NotifySettings, String> {
    read_with(text, &[])
}

fn read_with(text: &str, environment: &[(&str, &str)]) -> Result<NotifySettings, String> {
    let temp = tempfile::tempdir().unwrap();
    std::fs::write(temp.path().join("config.toml"), text).unwrap();
    let find = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    let read = NotifySettings::load(temp.path(), &find);
    read.map_err(|error| error.to_string().replace(&temp.path().display().to_string(), "DIR"))
}

const CHANNELS: &str = r#"
[notify.channels.phone]
type = "messenger"
messenger = "telegram"

[notify.channels.team]
type = "discord"
url = "https://discord.com/api/webhooks/1/hunter2"

[notify.channels.ops-1]
type = "webhook"
verbose = true
"#;

fn error_of(more: &str) -> String {
    read(&format!("{CHANNELS}{more}")).unwrap_err()
}

#[test]
fn without_channels_and_routes_nothing_is_sent() {
    for text in ["", "lang = \"en\"\n", "[notify]\n", "[notify.channels]\n", CHANNELS] {
        let notify = read(text).unwrap();
        assert!(notify.routing.0.is_empty() && notify.hooks().is_empty(), "{text}");
    }
}

#[test]
fn a_channel_is_silent_where_its_settings_say_so() {
    let quiet = CHANNELS.replace("messenger = \"telegram\"", "messenger = \"telegram\"\nsilent = true");
    let notify = read(&quiet).unwrap();
    assert!(notify.channels["phone"].silent && !notify.channels["team"].silent);
}

#[test]
fn a_secret_comes_from_the_environment_first_and_what_is_missing_is_named() {
    let notify =
        read_with(CHANNELS, &[("DMPLZ_NOTIFY_TEAM_URL", "https://other"), ("DMPLZ_NOTIFY_OPS_1_URL", "u")]).unwrap();
    let Service::Discord { url: Some(url), .. } = &notify.channels["team"].service else { panic!("{notify:?}") };
    assert_eq!(url.expose(), "https://other");
    assert_eq!(notify.channels["ops-1"].service.missing("ops-1"), ["DMPLZ_NOTIFY_OPS_1_SECRET"]);
    assert!(!format!("{:?}", read(CHANNELS).unwrap()).contains("hunter2"));
}

#[test]
fn a_route_names_events_filters_channels_and_a_detail() {
    let route = "[[notify.routes]]\nevents = [\"SessionEnd\", \"RequestExpired\", \"Stop\"]\nto = [\"phone\", \"team\"]\n\
                 only = [\"other\"]\ndetail = \"normal\"\n";
    let notify = read(&format!("{CHANNELS}{route}")).unwrap();
    assert_eq!(
        notify.hooks().iter().map(|routed| routed.event).collect::<Vec<_>>(),
        [EventKind::Stop, EventKind::SessionEnd]
    );
    assert_eq!(notify.routing.0[0].plan.detail, Detail::Normal);
}

#[test]
fn a_terminal_is_notified_by_the_hook_and_everything_else_by_the_gateway() {
    let more = "[notify.channels.here]\ntype = \"terminal\"\nsequence = \"777\"\n\
                [[notify.routes]]\nevents = [\"Stop\", \"SessionEnd\"]\nto = [\"phone\"]\n\
                [[notify.routes]]\nevents = [\"Stop\", \"Notification\"]\nto = [\"here\", \"team\"]\n";
    let notify = read(&format!("{CHANNELS}{more}")).unwrap();
    let to = |routing: &Routing| routing.0.iter().map(|route| route.to.join(" ")).collect::<Vec<_>>();
    assert_eq!(to(&notify.at_terminal()), ["here"]);
    assert_eq!(to(&notify.at_gateway()), ["phone", "team"]);
    assert!(!notify.of_gateway().any(|name| name == "here"));
    let hooks = notify.hooks();
    let awaited: Vec<EventKind> = hooks.iter().filter(|routed| routed.is_awaited).map(|routed| routed.event).collect();
    assert_eq!((hooks.len(), awaited.as_slice()), (3, &[EventKind::Notification, EventKind::Stop][..]));
}

/// What can be wrong, each below the channels.
const MISTAKES: [&str; 34] = [
    "[notify.channels.Bad]\ntype = \"messenger\"\n",
    "[notify.channels.x]\ntype = \"smtp\"\n",
    "[notify.channels.x]\ntype = \"messenger\"\n",
    "[notify.channels.x]\ntype = \"webhook\"\nsecret = 42424242\n",
    "[notify.channels.x]\ntype = \"discord\"\ntoken = \"hunter2\"\n",
    "[notify.channels.x]\ntype = \"discord\"\nthread = \"hunter2\"\n",
    "[notify.channels.x]\ntype = \"discord\"\navatar = \"http://hunter2/a.png\"\n",
    "[notify.channels.x]\ntype = \"messenger\"\nmessenger = \"m\"\nchat = \" \"\n",
    "[notify.channels.x]\ntype = \"webhook\"\nverbose = 1\n",
    "[notify.channels.x]\ntype = \"messenger\"\nmessenger = \"m\"\nsilent = \"yes\"\n",
    "[notify.channels.x]\ntype = \"push\"\nsilent = true\n",
    "[notify.other]\n",
    "[notify.routes]\n",
    "[[notify.routes]]\nevents = [\"stop\"]\nto = [\"phone\"]\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\n",
    "[[notify.routes]]\nevents = \"Stop\"\nto = [\"phone\"]\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"nowhere\"]\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"phone\"]\ndetail = \"loud\"\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"ops-1\", \"phone\"]\ndetail = \"verbose\"\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"phone\"]\nafter = \"5s\"\n",
    "[[notify.routes]]\nevents = [\"RequestAsked\"]\nto = [\"phone\"]\nafter = \"2d\"\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"phone\"]\nskip_if = [\"phone\"]\n",
    "[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"phone\"]\nthrough_quiet = \"high\"\n",
    "[notify]\nquiet = \"22:00\"\n",
    "[notify.channels.x]\ntype = \"webhook\"\ntemplate = \"short\"\n",
    "[notify.templates.line]\n",
    "[notify.templates.a]\ntitel = \"x\"\n",
    "[notify.templates.a]\ntitle = \"{{event.title}} 한 {{event.tilte}}\"\n",
    "[notify.templates.a]\nbody = \"\"\"\n{{event.title}}\n  {{session.cwd}}\n\"\"\"\n",
    "[notify.templates.a]\nbody = \"\\u007b\\u007bx}}\"\n",
    "[notify.channels.x]\ntype = \"terminal\"\nsequence = \"8\"\n",
    "[notify.channels.x]\ntype = \"terminal\"\n[[notify.routes]]\nevents = [\"Stop\", \"RequestAsked\"]\nto = [\"x\"]\n",
    "[notify.channels.x]\ntype = \"terminal\"\n[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"phone\", \"x\"]\nskip_if = [\"page\"]\n",
    "[[notify.routes]\n",
];

#[test]
fn every_mistake_is_named_with_its_place_and_without_its_value() {
    let mut all = String::new();
    for more in MISTAKES {
        all += &format!("{}\n", error_of(more));
    }
    assert!(!all.contains("hunter2") && !all.contains("42424242"), "{all}");
    insta::assert_snapshot!(all, @r#"
    DIR/config.toml cannot be used: in [notify], channel "Bad" has a name that cannot be used: it takes 1 to 32 of a-z, 0-9 and -
    DIR/config.toml cannot be used: in [notify], channel "x" needs a "type": messenger, discord, webhook, push, desktop or terminal
    DIR/config.toml cannot be used: in [notify], channel "x" lacks the key "messenger"
    DIR/config.toml cannot be used: in [notify], channel "x" has the key "secret", which takes a text in quotes
    DIR/config.toml cannot be used: in [notify], channel "x" has the key "token", and takes only: type, url, thread, username, avatar, silent, verbose, template
    DIR/config.toml cannot be used: in [notify], channel "x" has a "thread" that is no id: it takes digits
    DIR/config.toml cannot be used: in [notify], channel "x" has an "avatar" that is no https URL
    DIR/config.toml cannot be used: in [notify], channel "x" has a "chat" that is empty: it takes the id of a chat
    DIR/config.toml cannot be used: in [notify], channel "x" has a "verbose" that is neither true nor false
    DIR/config.toml cannot be used: in [notify], channel "x" has a "silent" that is neither true nor false
    DIR/config.toml cannot be used: in [notify], channel "x" has the key "silent", and takes only: type, verbose
    DIR/config.toml cannot be used: in [notify], the table has the key "other", and takes only: channels, routes, templates, quiet, zone
    DIR/config.toml cannot be used: in [notify], "routes" must be a list of tables: write [[notify.routes]]
    DIR/config.toml cannot be used: in [notify], route 1 names the event "stop", which is none of: Notification, Stop, StopFailure, SubagentStop, SessionStart, SessionEnd, UserPromptSubmit, PostToolUse, PostToolUseFailure, PermissionDenied, RequestAsked, RequestExpired, NobodyReachable, MessengerUnreachable
    DIR/config.toml cannot be used: in [notify], route 1 needs "events" and "to", each a list with at least one name
    DIR/config.toml cannot be used: in [notify], route 1 has the key "events", which takes a list of texts
    DIR/config.toml cannot be used: in [notify], route 1 leads to "nowhere", which is no channel
    DIR/config.toml cannot be used: in [notify], route 1 has a "detail" that is none of: minimal, normal, verbose
    DIR/config.toml cannot be used: in [notify], route 1 sends content to "phone", which may hold secrets that no mask knows: set verbose = true in that channel, or another detail here
    DIR/config.toml cannot be used: in [notify], route 1 has "after", and Stop is answered by nobody: only RequestAsked can wait for an answer
    DIR/config.toml cannot be used: in [notify], route 1 has an "after" that is no time from 1s to 1d, such as 90s or 5m
    DIR/config.toml cannot be used: in [notify], route 1 has a "skip_if" that is none of: page, terminal
    DIR/config.toml cannot be used: in [notify], route 1 has a "through_quiet" that is none of: permission, failure, done, progress
    DIR/config.toml cannot be used: in [notify], "quiet" cannot be used: quiet hours are two different times of day, such as 22:00-07:00
    DIR/config.toml cannot be used: in [notify], channel "x" has the template "short", which is none of: line, labels
    DIR/config.toml cannot be used: in [notify], template "line" has the name of a preset
    DIR/config.toml cannot be used: in [notify], template "a" has the key "titel", and takes only: title, body
    DIR/config.toml cannot be used: in [notify], template "a" has a title that cannot be used: line 14, column 28: the path "event.tilte" is none of: event.title, event.name, event.priority, event.count, event.age, event.subject, event.summary, event.content, session.id, session.folder
    DIR/config.toml cannot be used: in [notify], template "a" has a body that cannot be used: line 16, column 3: the path "session.cwd" is none of: event.title, event.name, event.priority, event.count, event.age, event.subject, event.summary, event.content, session.id, session.folder
    DIR/config.toml cannot be used: in [notify], template "a" has a body that cannot be used: line 14, column 8: the path "x" is none of: event.title, event.name, event.priority, event.count, event.age, event.subject, event.summary, event.content, session.id, session.folder
    DIR/config.toml cannot be used: in [notify], channel "x" has a "sequence" that is none of: 9, 777, 99, bell
    DIR/config.toml cannot be used: in [notify], route 1 leads RequestAsked to "x", and a terminal shows only events of Claude Code: when it asks, that is Notification
    DIR/config.toml cannot be used: in [notify], route 1 has "skip_if", and "x" is notified by a hook, which sees neither page nor terminal
    DIR/config.toml cannot be read: line 13: unclosed array table, expected `]`
    "#);
}

#[test]
fn every_mistake_is_korean_for_a_reader_of_korean() {
    let temp = tempfile::tempdir().unwrap();
    let korean = |more: &str| {
        std::fs::write(temp.path().join("config.toml"), format!("{CHANNELS}{more}")).unwrap();
        let error = NotifySettings::load(temp.path(), &|_| None).unwrap_err();
        let (words, lang) = crate::wording::words(&error.into(), Lang::Ko);
        assert_eq!(lang, Lang::Ko, "{more}: {words}");
        words.replace(&temp.path().display().to_string(), "DIR")
    };
    for more in MISTAKES {
        let words = korean(more);
        for english in [" has ", " takes ", "cannot", "must", "none of"] {
            assert!(!words.contains(english) && !words.contains("hunter2"), "{words}");
        }
    }
    assert_eq!(
        korean("[notify.other]\n"),
        "설정 파일의 [notify]를 쓸 수 없습니다: DIR/config.toml: [notify]: 없는 키입니다: \"other\". 쓸 수 있는 것: channels, routes, \
         templates, quiet, zone"
    );
    assert_eq!(
        korean("[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"nowhere\"]\n"),
        "설정 파일의 [notify]를 쓸 수 없습니다: DIR/config.toml: 경로 1: 없는 채널로 보내려고 합니다: \"nowhere\""
    );
}

#[test]
fn when_a_route_sends_is_read_with_its_units() {
    let more = "[notify]\nquiet = \"22:00-7:00\"\nzone = \"Asia/Seoul\"\n[[notify.routes]]\nevents = [\"RequestAsked\"]\n\
                to = [\"phone\"]\nafter = \"90s\"\nskip_if = [\"page\", \"terminal\"]\nthrough_quiet = \"failure\"\n";
    let notify = read(&format!("{more}{CHANNELS}")).unwrap();
    let plan = &notify.routing.0[0].plan;
    assert_eq!((plan.after, plan.skip_if.as_slice()), (Duration::from_secs(90), &Front::ALL[..]));
    assert_eq!(plan.through_quiet, Some(Priority::Failure));
    let (quiet, zone) = notify.quiet().unwrap().unwrap();
    assert_eq!((quiet.to_string().as_str(), zone.iana_name()), ("22:00-07:00", Some("Asia/Seoul")));
    let unknown = read("[notify]\nquiet = \"22:00-07:00\"\nzone = \"Asia/Soul\"\n").unwrap().quiet().unwrap_err();
    assert!(unknown.to_string().contains("names the time zone \"Asia/Soul\""), "{unknown}");
    assert!(read(CHANNELS).unwrap().quiet().unwrap().is_none());
}

#[test]
fn a_channel_names_a_template_of_the_file_or_a_preset() {
    let more = "[notify.templates.short]\ntitle = \"{{event.title}}\"\n[notify.channels.own]\ntype = \"webhook\"\n\
                template = \"short\"\n[notify.channels.preset]\ntype = \"webhook\"\ntemplate = \"labels\"\n";
    let notify = read(more).unwrap();
    assert_eq!(notify.channels["preset"].template, Some(Words::Preset("labels")));
    assert!(matches!(notify.channels["own"].template, Some(Words::Own(_))));
}
