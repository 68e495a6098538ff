//! Random command lines that bash can run.

use fastrand::Rng;

use super::hostile::HOSTILE;

/// Generates a command line.
pub(crate) fn line(random: &mut Rng) -> String {
    let left = random.usize(1..9);
    let mut writer = Writer { random, left };
    let mut line = writer.list();
    if writer.one_in(8) {
        line += writer.pick(&[" # rm all", "\n# it's\naa", " \\\n bb", "\n\n", " ;"]);
    }
    line
}

struct Writer<'a> {
    random: &'a mut Rng,
    /// The number of commands that may still be added.
    left: usize,
}

const NAMES: &[&str] = &["aa", "bb", "cc", "rm", "git", "npm", "ls", "cat", "grep"];
const TEXTS: &[&str] =
    &["x", "y1", "-rf", "--all", "a b", "it", "push", "main", "", "1", "é", "#", "a#b", "x=y", "if", "done", "-n"];

impl Writer<'_> {
    fn one_in(&mut self, many: usize) -> bool {
        self.random.usize(..many) == 0
    }

    fn pick<'b>(&mut self, of: &[&'b str]) -> &'b str {
        of[self.random.usize(..of.len())]
    }

    fn list(&mut self) -> String {
        let mut list = self.command();
        for _ in 0..self.random.usize(..3) {
            list += self.pick(&["; ", " && ", " || ", " | ", "\n", " & ", ";", "|", " |& ", " &&\n", " ;\n "]);
            list += &self.command();
        }
        list
    }

    fn command(&mut self) -> String {
        if self.left == 0 {
            return "aa".to_owned();
        }
        self.left -= 1;
        match self.random.u8(..42) {
            0 => format!("({})", self.list()),
            1 => format!("{{ {}; }}", self.list()),
            2 => format!("for v in {} {}; do {}; done", self.word(), self.word(), self.list()),
            3 => format!("if {}; then {}; else {}; fi", self.list(), self.list(), self.list()),
            4 => format!("while {}; do {}; break; done", self.list(), self.list()),
            5 => format!("case {} in {}) {};; *) {} ;; esac", self.word(), self.word(), self.list(), self.list()),
            6 => format!("f() {{ {}; }}; f {}", self.list(), self.word()),
            7 => format!("! {}", self.command()),
            8 => format!("{}time {}", self.pick(&["", "! "]), self.command()),
            9 => format!("[[ {} == {} ]] {} {}", self.word(), self.word(), self.pick(&["&&", "||"]), self.command()),
            10 => format!("(( {} )) || {}", self.pick(&["1", "0", "1 + 2", "(1) > 2", "1 << 2"]), self.command()),
            11 => self.heredoc(),
            12 => format!("( ({}) )", self.list()),
            13 => format!("until {}; do {}; break; done", self.list(), self.list()),
            14 => format!("function g {{ {}\n}}\ng", self.list()),
            15 => format!("case {} in (a|{}) {} ;& b) {}; esac", self.word(), self.word(), self.list(), self.list()),
            16 => format!(
                "if {}; then {}; elif {}; then {}; fi {}",
                self.list(),
                self.list(),
                self.list(),
                self.list(),
                self.redirects()
            ),
            17 => format!("coproc {}; wait", self.command()),
            18..=24 => self.wrapped(),
            25..=26 => self.hostile(),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> String {
        let mut command = String::new();
        while self.one_in(6) {
            command += &format!("{}={} ", self.pick(&["A", "B_1", "C+"]), self.word());
        }
        if self.one_in(10) {
            command += &self.redirects();
            command += " ";
        }
        let name = self.pick(NAMES);
        command += &self.quoted(name);
        for _ in 0..self.random.usize(..4) {
            command += self.pick(&[" ", " ", "  ", "\t", " \\\n"]);
            command += &self.word();
        }
        if self.one_in(6) {
            command += " ";
            command += &self.redirects();
        }
        command
    }

    fn redirects(&mut self) -> String {
        let word = self.word();
        match self.random.u8(..9) {
            0 => "2>&1".to_owned(),
            1 => "> out".to_owned(),
            2 => ">>out 2>&1".to_owned(),
            3 => "&> out".to_owned(),
            4 => format!("<<< {word}"),
            5 => format!("< <({})", self.list()),
            6 => format!("> >({})", self.list()),
            7 => "3>&1 1>&2 2>&3-".to_owned(),
            _ => ">|out".to_owned(),
        }
    }

    /// Quotes a text in a random way.
    fn quoted(&mut self, text: &str) -> String {
        let safe = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        match self.random.u8(..if safe { 20 } else { 4 }) {
            0 => format!("'{text}'"),
            1 => format!("\"{text}\""),
            2 => format!("$'{text}'"),
            3 => format!("''{}\"\"", text.chars().map(|c| format!("'{c}'")).collect::<String>()),
            4 => text.chars().map(|c| format!("\\{c}")).collect(),
            5 => format!("{}\\\n{}", &text[..1], &text[1..]),
            6 => format!("$'\\x{:02x}'{}", text.as_bytes()[0], &text[1..]),
            _ => text.to_owned(),
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        loop {
            word += &self.part();
            if !self.one_in(3) {
                return word;
            }
        }
    }

    fn part(&mut self) -> String {
        if self.left == 0 {
            return "z".to_owned();
        }
        match self.random.u8(..30) {
            0 => format!("$({})", self.list()),
            1 => format!("\"$({}) x\"", self.list()),
            2 => format!("`{}`", self.list().replace('\\', "\\\\").replace('`', "\\`").replace('$', "\\$")),
            3 => format!(
                "\"a `{}`\"",
                self.simple().replace('\\', "\\\\").replace('`', "\\`").replace('$', "\\$").replace('"', "\\\"")
            ),
            4 => format!("${{A:-{}}}", self.word()),
            5 => format!("\"${{A:-{}}}\"", self.pick(&["x", "$(aa y)", "\"y z\"", "`bb`", "\\}", "a\\\"b"])),
            6 => format!("<({})", self.list()),
            7 => format!("$(({}))", self.pick(&["1+2", "$(aa 1)", "(1)", "1<<2", "0x1f"])),
            8 => self
                .pick(&["$A", "${A}", "$1", "$@", "\"$@\"", "$?", "$$", "$", "${#A}", "${A%x}", "${A//a/b}", "\"$A\""])
                .to_owned(),
            9 => self
                .pick(&["*", "?", "[ab]", "{a,b}", "{1..3}", "~", "[", "{", "}", "{}", "@{u}", "a{b", "[]", "!"])
                .to_owned(),
            10 => self.pick(&["\\'", "\\\"", "\\$", "\\\\", "\\`", "\\ ", "\\;", "\\#", "\\(", "\\&"]).to_owned(),
            11 => self
                .pick(&[
                    "'$(aa)'", "'\"'", "\"'\"", "\"\\\"\"", "\"\\$A\"", "'`'", "\"\\\\\"", "'\\'", "\"a\\b\"", "\"#\"",
                    "'\n'",
                ])
                .to_owned(),
            12 => self
                .pick(&[
                    "$'\\n'", "$'\\''", "$'\\x41'", "$'a\\tb'", "$'\\101'", "$'\\u41'", "\"$'x'\"", "$\"loc\"",
                    "\\$'x'",
                ])
                .to_owned(),
            13 => format!("$( ({}) )", self.list()),
            _ => {
                let text = self.pick(TEXTS);
                self.quoted(text)
            }
        }
    }

    fn heredoc(&mut self) -> String {
        let name = self.pick(NAMES);
        let behind = self.pick(&["", " | bb", " > out", "; cc", " && aa x"]);
        let body = self.pick(&["x\n", "it's (a)\n", "$A \\$B\n", "\\\\\n", "\"\n", "# c\n", "a \\\n b\n", ""]);
        let inside = self.simple().replace('\n', " ");
        match self.random.u8(..5) {
            0 => format!("{name} <<EOF{behind}\n{body}$({inside})\nEOF\n"),
            1 => format!("{name} <<'EOF'{behind}\n{body}$({inside})\nEOF\n"),
            2 => format!("{name} <<-EOF{behind}\n\t{body}\t`aa`\n\tEOF\n"),
            3 => format!("sh <<'EOF'{behind}\n{inside}\nEOF\n"),
            _ => format!("{name} \"$(cat <<'EOF'\n{body}EOF\n)\"{behind}"),
        }
    }

    /// Generates a way to run something that looks like data.
    fn hostile(&mut self) -> String {
        let name = self.pick(NAMES).to_owned();
        let command = format!("{name} {}", self.pick(&["x", "y1 -n", "a"]));
        let quoted = format!("'{command}'");
        self.pick(HOSTILE).replace("CMDNAME", &name).replace("CMD", &command).replace("QUOTED", &quoted)
    }

    fn wrapped(&mut self) -> String {
        let simple = self.simple();
        match self.random.u8(..16) {
            0 => format!("env {simple}"),
            1 => format!("env -i A=1 {simple}"),
            2 => format!("timeout 5 {simple}"),
            3 => format!("nohup {simple}"),
            4 => format!("nice -n 5 {simple}"),
            5 => format!("sh -c '{}'", simple.replace('\'', "'\\''")),
            6 => format!("bash -c '{}' name arg", self.list().replace('\'', "'\\''")),
            7 => format!("eval '{}'", self.list().replace('\'', "'\\''")),
            8 => format!("eval {simple}"),
            9 => format!("printf 'x y' | xargs {simple}"),
            10 => format!("command {simple}"),
            11 => format!("(exec {simple})"),
            12 => format!("X='{}'; eval \"$X\"", simple.replace('\'', "'\\''")),
            13 => format!("builtin eval '{}'", simple.replace('\'', "'\\''")),
            14 => format!("trap '{}' EXIT", simple.replace('\'', "'\\''")),
            _ => format!("bash <<< '{}'", simple.replace('\'', "'\\''")),
        }
    }
}
