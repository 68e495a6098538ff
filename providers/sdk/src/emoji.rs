//! Emoji, for messengers whose reactions have names (Mattermost, and others that took the names of the same list), and for
//! comparing reactions.

/// The emoji that cards of the host use, and some more, by the names that Mattermost knows
/// (`server/public/model/emoji_data.go`).
const NAMES: [(&str, &str); 57] = [
    ("1⃣", "one"),
    ("2⃣", "two"),
    ("3⃣", "three"),
    ("4⃣", "four"),
    ("5⃣", "five"),
    ("6⃣", "six"),
    ("7⃣", "seven"),
    ("8⃣", "eight"),
    ("9⃣", "nine"),
    ("0⃣", "zero"),
    ("✅", "white_check_mark"),
    ("❌", "x"),
    ("➕", "heavy_plus_sign"),
    ("➖", "heavy_minus_sign"),
    ("💬", "speech_balloon"),
    ("💾", "floppy_disk"),
    ("🌐", "globe_with_meridians"),
    ("👥", "busts_in_silhouette"),
    ("🔄", "arrows_counterclockwise"),
    ("🔓", "unlock"),
    ("🔒", "lock"),
    ("🔐", "closed_lock_with_key"),
    ("🕒", "clock3"),
    ("⌛", "hourglass"),
    ("⏳", "hourglass_flowing_sand"),
    ("⏩", "fast_forward"),
    ("⏹", "black_square_for_stop"),
    ("▶", "arrow_forward"),
    ("◀", "arrow_backward"),
    ("👈", "point_left"),
    ("👉", "point_right"),
    ("⬅", "arrow_left"),
    ("➡", "arrow_right"),
    ("↩", "leftwards_arrow_with_hook"),
    ("⤵", "arrow_heading_down"),
    ("✉", "email"),
    ("📨", "incoming_envelope"),
    ("✍", "writing_hand"),
    ("✏", "pencil2"),
    ("📝", "memo"),
    ("📋", "clipboard"),
    ("📄", "page_facing_up"),
    ("📃", "page_with_curl"),
    ("✖", "heavy_multiplication_x"),
    ("❓", "question"),
    ("❗", "exclamation"),
    ("⚠", "warning"),
    ("⛔", "no_entry"),
    ("🚫", "no_entry_sign"),
    ("⚙", "gear"),
    ("✋", "hand"),
    ("🙋", "raising_hand"),
    ("🔔", "bell"),
    ("💤", "zzz"),
    ("🛡", "shield"),
    ("🧹", "broom"),
    ("▫", "white_small_square"),
];

/// Other names that the server has for the same emoji.
const ALIASES: [(&str, &str); 5] = [
    ("raised_hand", "hand"),
    ("envelope", "email"),
    ("pencil", "memo"),
    ("heavy_exclamation_mark", "exclamation"),
    ("stop_button", "black_square_for_stop"),
];
/// The ends of names of hands and people in a colour, the longer ones first.
const TONES: [&str; 5] = ["_medium_light", "_medium_dark", "_light", "_medium", "_dark"];

/// Returns an emoji without variation selectors, about which clients do not agree.
pub fn plain(emoji: &str) -> String {
    emoji.replace('\u{FE0F}', "")
}

/// Returns whether two emoji are the same.
pub fn is_same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// Returns the name of an emoji, if it is one of those that cards use or a common one.
pub fn name(emoji: &str) -> Option<&'static str> {
    let plain = plain(emoji);
    NAMES.iter().find(|(known, _)| *known == plain).map(|(_, name)| *name)
}

/// Returns the name that [`name`] has for the emoji of a reaction, by any name of it and in any colour.
pub fn known(reaction: &str) -> Option<&'static str> {
    let toned = reaction.strip_suffix("_skin_tone");
    let plain = toned.and_then(|toned| TONES.iter().find_map(|tone| toned.strip_suffix(tone))).unwrap_or(reaction);
    let plain = ALIASES.iter().find(|(alias, _)| *alias == plain).map_or(plain, |(_, name)| name);
    NAMES.iter().find(|(_, known)| *known == plain).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_emoji_and_every_name_is_there_once() {
        let emoji = NAMES.iter().map(|(emoji, _)| *emoji).collect::<BTreeSet<_>>();
        let names = NAMES.iter().map(|(_, name)| *name).collect::<BTreeSet<_>>();
        assert_eq!((emoji.len(), names.len()), (NAMES.len(), NAMES.len()));
        assert!(emoji.iter().all(|emoji| name(emoji).is_some()), "an emoji with a variation selector");
    }

    #[test]
    fn another_name_or_colour_of_an_emoji_is_the_same_reaction() {
        for (reaction, name) in [
            ("x", Some("x")),
            ("raised_hand", Some("hand")),
            ("raised_hand_medium_dark_skin_tone", Some("hand")),
            ("point_left_light_skin_tone", Some("point_left")),
            ("_skin_tone", None),
            ("unicorn_face", None),
        ] {
            assert_eq!(known(reaction), name, "{reaction}");
        }
    }

    #[test]
    fn a_variation_selector_makes_no_difference() {
        assert_eq!((name("1️⃣"), name("1⃣"), name("↩️")), (Some("one"), Some("one"), Some("leftwards_arrow_with_hook")));
        assert_eq!((name(""), name("🦄")), (None, None));
        assert!(is_same("↩️", "↩") && !is_same("↩", "⤵"));
    }
}
