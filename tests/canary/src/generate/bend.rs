//! Random changes of a line.

use super::Generator;
use crate::rules::RuleFile;

/// Templates for a line. `C` is the command, `D` another one of the rule file.
const FRAMES: &[&str] = &[
    "C && D",
    "C; D",
    "C | D",
    "C || D",
    "C & D",
    "C\nD",
    "C |& D",
    "C && D | D",
    "(C)",
    "(C; D)",
    "{ C; }",
    "{ C; D; } | D",
    "for x in {any} {any}; do C; done",
    "for x in {any}; do C $x; done",
    "for x ({any}) C $x",
    "for ((i=0; i<2; i++)); do C; done",
    "for x in {dir}; do cd $x; C; done",
    "foreach x ({any}); C; end",
    "repeat 2 C",
    "repeat 2; do C; done",
    "if C; then D; fi",
    "if C; then D; else C; fi",
    "if [[ -f {any} ]] { C }",
    "if [[ -f {any} ]]; then C; fi",
    "[[ -f {any} ]] && C",
    "[ -f {any} ] && C",
    "((1)) && C",
    "while C; do D; break; done",
    "while true; do C; break; done",
    "until C; do break; done",
    "while read x; do C $x; done < {any}",
    "D | while read x; do C $x; done",
    "case {word} in *) C;; esac",
    "case {word} { (*) C ;; }",
    "echo $(C)",
    "echo \"$(C)\"",
    "echo `C`",
    "cat <(C)",
    "cat =(C)",
    "diff <(C) <(D)",
    "x=$(C); D $x",
    "x=$(C) D",
    "f() { C; }; f",
    "f() C; f",
    "f() ( C ); f",
    "function f { C }; f",
    "() { C }",
    "() { C $1 } {any}",
    "{ C } always { D }",
    "bash -c 'C'",
    "sh -c \"C\"",
    "zsh -c 'C'",
    "eval 'C'",
    "eval C",
    "time C",
    "! C",
    "C > /dev/null && D",
    "C < /dev/null",
    "C < {any}",
    "< {any} C",
    "C || true",
    "C & wait",
    "export TZ={word}; C",
    "export TZ=1 PATH=.; C",
    "D | xargs C",
    "echo {any} | xargs C",
    "timeout 1 C",
    "env C",
    "nice C",
    "command C",
    "x={any}; C $x",
    "x={any}; C \"$x\"",
    "x={any} C",
    "set -- {any}; C $1",
    "x='{any} x'; C $x/x",
    "x='x {any}'; C x/$x",
    "x='x {any} x'; C $HOME/$x/x",
    "for x in '{any} x'; do C $x/x; done",
    "set -- {any} x; C $@/x",
    "set -- {any} x; C \"$@\"/x",
    "C {any}",
    "C {file}",
    "cd {dir}; C",
    "cd {dir} && C",
    "cd {dir} && C && D",
    "cd sub && C",
    "cd src; C",
    "(cd {dir} && C)",
    "cd {dir} & C",
    "C; cd {dir}; D",
    "C # {word}",
    "# x\nC",
    "C \\\n {any}",
    "C <<E\n$(D)\nE",
    "C <<'E'\nx\nE",
    "C <<< {word}",
    "C <<< \"$(D)\"",
    "C ${x:-{any}}",
    "C $(echo {any})",
    "C $(echo {any} x)/x",
    "C `echo {any} x`/x",
    "C {{any},{any}}",
    "C *",
    "C ./*",
    "C **/*.md",
    "C dash/*",
    "cd dash; C *",
    "cd dash && C ./*",
    "C\r",
    "C;;D",
    "C &",
    "C & wait",
    "C\t{any}",
];

impl Generator {
    /// Applies one random change to a line.
    pub(super) fn bend(&mut self, line: String, file: &RuleFile) -> String {
        match self.below(16) {
            0..=6 => {
                let Some(frame) = self.one_of(FRAMES) else { return line };
                let other = self.command(file);
                let frame = frame.replace('D', "\u{1}").replace('C', "\u{2}");
                self.fill(&frame).replace('\u{1}', &other).replace('\u{2}', &line)
            }
            7 | 8 => self.around("prelude", &line),
            9..=11 => self.around("tail", &line),
            12 => self.word("set").map(|set| format!("{set} {line}")).unwrap_or(line),
            13 => self.bend_word(&line),
            14 => self.disguise(&line),
            _ => {
                let option =
                    file.prefixes().iter().find(|prefix| line.starts_with(*prefix)).and_then(|it| self.option(it));
                option.map(|option| format!("{line} {option}")).unwrap_or(line)
            }
        }
    }

    fn around(&mut self, sort: &str, line: &str) -> String {
        let added = self.word(sort).unwrap_or_default().replace("\\n", "\n");
        match sort {
            "tail" => format!("{line} {added}"),
            // Some are directly before the word, without a space.
            _ if added.ends_with(['/', '\\', '=']) => format!("{added}{line}"),
            _ => format!("{added} {line}"),
        }
    }

    /// Replaces one word of a line by another spelling.
    fn bend_word(&mut self, line: &str) -> String {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let at = self.below(words.len());
        let how = self.below(9);
        let Some(word) = words.get_mut(at) else { return line.to_owned() };
        let old = word.clone();
        *word = match how {
            0 => format!("'{old}'"),
            1 => format!("\"{old}\""),
            2 => format!("$'{old}'"),
            3 => "$x".to_owned(),
            4 => format!("{old}*"),
            5 => format!("{{{old},}}"),
            6 => format!("$(echo {old})"),
            7 => format!("${{x:-{old}}}"),
            _ => "$~x".to_owned(),
        };
        let line = words.join(" ");
        if matches!(how, 3 | 8) { format!("x='{old}'; {line}") } else { line }
    }
}
