use super::*;

/// Splits a line into words: `$` ends a word of which only the beginning is known, `_` is a space.
fn words(line: &str) -> Vec<Word> {
    let word = |text: &str| match text.strip_suffix('$') {
        Some(known) => Word::beginning(known.replace('_', " ")),
        None => Word::exact(text.replace('_', " ")),
    };
    line.split(' ').map(word).collect()
}

/// Checks lines that have the words that the rule names, ` : `, the other words, ` = `, and the escape: its option and
/// effect.
fn check(lines: &[&str]) {
    for line in lines {
        let (command, expected) = line.split_once(" = ").unwrap();
        let (named, rest) = command.split_once(" :").unwrap();
        let mut all = words(named);
        let named = all.len();
        all.extend(rest.strip_prefix(' ').map(words).unwrap_or_default());
        let shown = match escape(&all, named) {
            None => "-".to_owned(),
            Some(Escape { option, effect }) => format!("{option} {effect:?}").trim().to_owned(),
        };
        assert_eq!(shown, expected, "{line}");
    }
}

#[test]
fn an_option_that_does_something_else_is_found_however_it_is_written() {
    check(&[
        "sort : file = -",
        "sort : -o out file = -o Writes",
        "sort : -oout file = -o Writes",
        "sort : -ro out file = -o Writes",
        "sort : --output=out = --output Writes",
        "sort : --outp out = --output Writes",
        "sort : file -o out = -o Writes",
        "sort : --compress-prog=sh = --compress-program Runs",
        "sort : -k 2 -t o = -",
        "sort : -k -o = -o Writes",
        "sort : -- -o = -",
        "/usr/bin/sort : -o x = -o Writes",
        "SORT : -o x = -o Writes",
        "sort : -o /dev/null = -",
        "rg : --pre sh x = --pre Runs",
        "rg : --pre=sh x = --pre Runs",
        "rg : --pretty x = -",
        "rg : --pre-glob x y = -",
        "rg : -e --pre = --pre Runs",
        "sort : -k -ro x = -o Writes",
        "perl : -F -e x = -e Code",
        "curl : -d -5 x = -d Changes",
        "find : . -delete = -delete Deletes",
        "find : -- . -delete = -delete Deletes",
        "find : . -name x -fprintf out %p = -fprintf Writes",
        "find : . -fprint /dev/null = -",
        "find : . -exec grep x {} + = -",
        "man : -P sh ls = -P Runs",
        "less : +!rm = +!rm Code",
        "less : +12 x = -",
        "tar : -tf x --to-command=sh = --to-command Runs",
        "tar : tf x = -",
        "tar : xIf sh x = -I Runs",
        "curl : -so out x = -o Writes",
        "curl : -XPOST x = -X Changes",
        "curl : -o /dev/null -w x_%{http_code} y = -",
        "curl : -w %output{x} y = --write-out Writes",
        "curl : -K cfg = -K Reads",
        "wget : -qO- x = -",
        "wget : -e use_proxy=on = -e Reads",
        "tree : -o x = -o Writes",
        "date : -s x = -s Changes",
        "hostname : x = x Changes",
        "hostname : = -",
        "uniq : a = -",
        "uniq : a b = b Writes",
        "xxd : -r a b = b Writes",
        "dd : if=a of=b = of=b Writes",
        "yq : -i .a x = -i Writes",
        "jq : -i .a x = -",
        "ls : -o --output = --output Unlisted",
        "ls : --all --no-size = -",
        "ls --all : --no-size = --no-size Unlisted",
        "git pack-refs : x = x Unlisted",
        "git unknown : --new x = -",
        "docker unknown : --new x = -",
        "xsltproc a.xsl : b.xml = -",
        "find : -delete = -delete Deletes",
        "find : . -exec grep -new {} ; = -",
        "find : . -exec x ; -new = -new Unlisted",
        "find : . -exec x {} + -new = -new Unlisted",
        "fd : -x rm --foo = -",
        "fd : -x rm ; --foo = --foo Unlisted",
        "fd --foo : x = -",
        "fd --base-directory x : y = -",
        "fd : --base-directory x y = --base-directory Reads",
        "ar : t x = -",
        "ar : rcsZ x = rcsZ Unlisted",
        "ar rcs : x.a y.o = -",
        "ar rcs : x.a @y = @y Reads",
        "dd : if=a of=/dev/null = -",
        "dd : of=/dev/null$ = of=/dev/null Writes",
        "date : +%s = -",
        "date : -j 01312359 = -",
        "date : -u 01312359 = 01312359 Changes",
        "ssh -o : ProxyCommand=x host = -o ProxyCommand Runs",
        "ssh : -o Batch$ host = -o Batch Runs",
        "ssh : -o BatchMode=$ host = -",
        "rsync : a b = -",
        "rsync : -a --link-dest=../x a b = --link-dest Changes",
        "cpio : -pl d = -l Changes",
        "rsync : a$ b = a Changes",
        "rsync : ./a$ b = -",
        "rsync : a host:b = host:b Changes",
        "socat : EX$ - = Unknown",
        "socat : - OPEN:x = OPEN:x Writes",
        "socat : - TCP:x:1 = -",
        "jest : a:b = -",
        "jest : C:\\x = C:\\x Code",
        "jest : ../x = ../x Code",
    ]);
}

#[test]
fn an_option_that_the_rule_names_is_no_escape() {
    check(&[
        "sort -o : out x = -",
        "sort -o : out -o out2 = -o Writes",
        "sed -i : s/a/b/ x = -",
        "sed -i : s/a/b/e x = s///e Runs",
        "find . -delete : = -",
        "rg --pre : cat x = -",
        "python -c : print(1) = -",
        "python : -c print(1) = -c Code",
        "git -c : core.pager=x log = log Unlisted",
        "git config : user.name x = user.name Changes",
        "git config user.name x : = -",
        "bash -n : s.sh = -",
        "bash -n : -v -o pipefail s.sh = -",
        "bash -n : +n s.sh = +n Unlisted",
        "bash -n : +o noexec s.sh = +o Unlisted",
        "bash -n : -e +xn s.sh = +xn Unlisted",
        "bash -n : +O extglob s.sh = +O Unlisted",
        "sh -n : +n s.sh = +n Unlisted",
        "zsh -n : -o exec s.sh = -o Unlisted",
        "zsh -n : -oexec s.sh = -oexec Unlisted",
        "zsh -n : -o $ s.sh = -o Unlisted",
        "zsh : -e s.sh = -",
    ]);
}

#[test]
fn a_word_that_is_not_known_may_be_an_option() {
    check(&[
        "rg : x $ = Unknown",
        "rg : x -$ = Unknown",
        "rg : x --pre=$ = --pre Runs",
        "rg : x ./$ = -",
        "rg : x -- $ = -",
        "rg : -A $ x = Unknown",
        "rg : -A1$ x = -",
        "rg : --no-config$ x = Unknown",
        "grep : x $ = -",
        "find : $ -name x = Unknown",
        "find : ./$ -name x = -",
        "git log : $ = Unknown",
        "git log : -- $ = -",
        "git : $ = Unknown",
        "git : log $ = Unknown",
        "sort : -t -- $ = Unknown",
        "sed : $ x = Unknown",
        "sed : s/a/$ x = Unknown",
        "awk : {print_$ x = Unknown",
        "python : $ = Unknown",
        "python : x.py $ = -",
        "rar : $ = Unknown",
        "gh : $ = Unknown",
        "docker import : $ = Unknown",
        "c++filt : $ = Unknown",
        "fd : $ = Unknown",
        "fd : -- $ = -",
        "ls : -w $ x = -",
        "find : . -name $ -print = Unknown",
        "git push : -- $ = Unknown",
        "git push :  x = -",
    ]);
}

#[test]
fn a_value_that_is_one_word_is_no_option() {
    let one = Word { one: true, ..Word::beginning("") };
    let commit = |value: Word| escape(&[words("git commit -m"), vec![value]].concat(), 2);
    assert_eq!(commit(one.clone()), None);
    assert_eq!(commit(Word::beginning("")), Some(Escape::unknown()));
    assert_eq!(escape(&[words("git commit"), vec![one]].concat(), 2), Some(Escape::unknown()));
}

#[test]
fn git_has_options_of_its_own_and_of_each_subcommand() {
    check(&[
        "git : -c alias.x=!sh x = -c Reads",
        "git : --exec-path=/tmp status = --exec-path Runs",
        "git : -p log = -p Runs",
        "git : log -c = -",
        "git log : -c -p = -",
        "git diff : --output=x = --output Writes",
        "git diff : --outp x = --output Writes",
        "git diff : --ext-diff = --ext-diff Runs",
        "git show : --output-indicator-new=x = -",
        "git grep : -O x = -O Runs",
        "git grep : -Osh x = -O Runs",
        "git grep : --open-files-in-pager=sh x = --open-files-in-pager Runs",
        "git grep : -e O = -",
        "git fetch : --upload-pack=sh x = --upload-pack Runs",
        "git ls-remote : --exec=sh x = --exec Runs",
        "git clone : -u sh x = -u Runs",
        "git clone : ext::sh_-c_x = ext::sh -c x Runs",
        "git fetch : https://x/y::z = -",
        "git push : --receive-pack=sh = --receive-pack Runs",
        "git archive : -o x HEAD = -o Writes",
        "git config : --get a.b = -",
        "git config : a.b = -",
        "git config : alias.x !sh = alias.x Changes",
        "git config : --list = -",
        "git branch : -a = -",
        "git branch : -vD x = -D Deletes",
        "git branch -v : x = x Changes",
        "git tag : -F f v1 = v1 Changes",
        "git tag -d : v1 = -",
        "git for-each-ref : --format %(signature) = --format Runs",
        "git for-each-ref --format : %(signature) = --format Runs",
        "git log --format=%G? : x = -",
        "git config : a.b --get = a.b Changes",
        "git rebase : -x sh = -x Runs",
        "git : config alias.x !sh = alias.x Changes",
    ]);
}

#[test]
fn code_among_the_arguments_is_found() {
    check(&[
        "python3.12 : -c x = -c Code",
        "python : -Bc x = -c Code",
        "python : -m http.server = -m Code",
        "python : x.py -c y = -",
        "python3 -m json.tool : a.json = -",
        "python3 -m json.tool : a.json - = -",
        "python3 -m json.tool : a.json package.json = package.json Writes",
        "python3 -m json.tool --indent 2 : a.json = -",
        "python3 -m json.tool --indent 2 : a.json b.json = b.json Writes",
        "python3 -m json.tool : a$ = Unknown",
        "python3 scripts/fmt.py : src/a.py src/b.py = -",
        "perl : -ne x = -e Code",
        "perl : -pi.bak -e x = -i Writes",
        "perl : -Mre x = -M Runs",
        "ruby : -e x = -e Code",
        "node : -pe x = -p Code",
        "node : --eval x = --eval Code",
        "node : --require ./x y = --require Runs",
        "node : x.js -e y = -",
        "php : -r x = -r Code",
        "lua : -e x = -e Code",
        "deno : eval x = eval Code",
        "deno eval : x = -",
        "Rscript : -e x = -e Code",
        "R : -e x = -e Code",
        "vim : -c !sh = -c Code",
        "vim : +!sh = +!sh Code",
        "vim : +10 x = -",
        "emacs : --batch --eval x = --eval Code",
        "emacs : -eval x = -eval Code",
        "gdb : -ex !sh = -ex Code",
        "powershell : -Command x = -Command Code",
        "powershell : -nop -enc x = -enc Code",
        "pwsh : -File x.ps1 = -",
        "cmd : /c x = /c Code",
        "sqlite3 : x.db .schema = -",
        "sqlite3 : x.db .shell_x = .shell x Code",
        "sqlite3 : x.db select_writefile('x','y') = select writefile('x','y') Code",
        "psql : -c select_1 = -",
        "psql : -c copy_x_to_program_'y' = copy x to program 'y' Code",
        "mysql : -e select_1_into_outfile_'x' = select 1 into outfile 'x' Code",
        "mysql : -e system_x = system x Code",
        "psql : -c \\!_x = \\! x Code",
        "awk : {print_$1} x = -",
        "awk : -F, $1==2||$3>=4 x = -",
        "awk : BEGIN{system(\"x\")} = BEGIN{system(\"x\")} Runs",
        "awk : {print|\"sh\"} = {print|\"sh\"} Runs",
        "awk : {print>\"x\"} = {print>\"x\"} Writes",
        "awk : NR>5_{print_$1} x = -",
        "awk : {if($3>10)print_$1_\"|>@\"} x = -",
        "awk : {print_($1)>$2} x = {print ($1)>$2} Writes",
        "awk : {print_\"(\">$2} x = {print \"(\">$2} Writes",
        "awk : /(/{print>$2} x = /(/{print>$2} Writes",
        "awk : {x=\"\\\"(\";print>$2} x = {x=\"\\\"(\";print>$2} Writes",
        "awk : -f x = -f Reads",
        "awk : /a/{print} x = -",
        "awk : /a/&&$1>2 x = -",
        "awk : {n++}_$1>2 x = -",
        "awk : {x=\"\\\"\";print>\"f\";y=\"\\\"\"} x = {x=\"\\\"\";print>\"f\";y=\"\\\"\"} Writes",
        "jq : .a env = -",
        "jq : --arg a b env = env Reads",
        "jq : env a = env Reads",
        "gawk : -i inplace x = -i Reads",
        "printf : -v a[$(x)] y = -v Code",
        "printf : %s -v = -",
        "unset : a[$(x)] = a[$(x)] Code",
        "test : -f $ = -",
        "unset : a$ = -",
        "unset : a[1] = -",
        "unset : a[$ = a[ Code",
        "export : a=b[$ = -",
        "printf : hello a[ = -",
        "printf : %s$ a[$(x)] = a[$(x)] Code",
        "printf : %n = -",
        "printf : %n x = x Code",
        "printf : %05d a[0 = a[0 Code",
        "printf : %s a[0 = -",
        "set : -o pipefail = -",
        "set : -o keyword = -o keyword Changes",
        "set : -o key$ = -o keyword Changes",
        "test : -v $ = Unknown",
    ]);
}

#[test]
fn only_a_program_of_sed_that_is_understood_is_harmless() {
    check(&[
        "sed : s/a/b/ x = -",
        "sed : -n 1,5p x = -",
        "sed : -ne 1,/x/p;$d x = -",
        "sed : -E s|a/b|c|g;y/ab/cd/ x = -",
        "sed : /a/{s/b/c/;p} x = -",
        "sed : $!N;P;D x = -",
        "sed : :a;N;$!ba;s/x/y/g x = -",
        "sed : 1~2d x = -",
        "sed : \\,a,d x = -",
        "sed : a_text;e_x y = -",
        "sed : a_text\\\\\ne_x y = e Runs",
        "sed : e x = e Runs",
        "sed : 1e_rm x = e Runs",
        "sed : s/a/b/e x = s///e Runs",
        "sed : s/a/b/gew x = s///e Runs",
        "sed : s/a/b/w_out x = s///w Writes",
        "sed : s/a/b/w_/dev/stdout x = -",
        "sed : w_out x = w Writes",
        "sed : -n /a/w_out x = w Writes",
        "sed : -e p -e e = e Runs",
        "sed : p;e_x y = e Runs",
        "sed : -i s/a/b/ x = -i Writes",
        "sed : -ni.bak p x = -i Writes",
        "sed : --in-pl p x = --in-place Writes",
        "sed : -f x = -f Reads",
        "sed : s/[/]/b/e x = sed Code",
        "sed : s/a x = sed Code",
        "sed : s/[/]/p x = sed Code",
        "sed : s/[ab]/x/ y = -",
        "sed : s/a\\/b/e/ x = -",
        "sed : 1,5e_x y = e Runs",
        "sed : 1,_5p x = -",
        "sed : 5q x = -",
        "sed : q5 x = -",
        "sed : q_5 x = -",
        "sed : q;e_x y = e Runs",
        "sed : bdone;p x = -",
        "sed : b_done;p x = -",
        "sed : bdone;e_x y = e Runs",
        "sed : #_hi\ne_x y = e Runs",
        "sed : p;#_hello x = -",
        "sed : a_ab\ne_x y = e Runs",
        "sed : a_abc\ne_x y = e Runs",
        "sed : px y = sed Code",
        "sed : p_;p x = -",
        "sed : p\t;p x = -",
    ]);
}

#[test]
fn builders_and_connections_take_programs() {
    check(&[
        "go test : ./... = -",
        "go test : -count=1 -o x = -o Writes",
        "go test : -exec sh = -exec Runs",
        "go vet : -vettool=sh = -vettool Runs",
        "go build : --toolexec=sh = --toolexec Runs",
        "cargo test : --config x = --config Reads",
        "cargo test : -- --config = -",
        "cargo : --config x test = --config Reads",
        "cargo check : --manifest-path /tmp/x = --manifest-path Reads",
        "npm test : --script-shell sh = --script-shell Runs",
        "make test : SHELL=sh = SHELL=sh Code",
        "make test : -C x = -C Reads",
        "make test : CI=1 = -",
        "make test : LANG!=x = LANG!=x Code",
        "make test : LANG=$(shell_x) = LANG=$(shell x) Code",
        "make test : LANG:=${shell_x} = LANG:=${shell x} Code",
        "make test : LANG=;x = LANG=;x Code",
        "make test : LANG=$ = LANG= Code",
        "make test : LAN$ = Unknown",
        "make test : LANG_=x = LANG =x Code",
        "make : -j4 test = -",
        "make : test = -",
        "make : --eval=x = --eval Code",
        "pytest : -p x = -p Runs",
        "pytest : -k x -q tests = -",
        "pytest : --rootdir=/tmp = --rootdir Reads",
        "rsync : -e sh a b = -e Runs",
        "rsync : -ave sh a b = -e Runs",
        "scp : -S sh a b = -S Runs",
        "scp : -o ProxyCommand=x a b = -o ProxyCommand Runs",
        "scp : -oBatchMode=yes a b = -",
        "ssh : host ls -F = -",
        "ssh : host -o ProxyCommand=x = -o ProxyCommand Runs",
        "openssl : version -engine x = -engine Runs",
        "gcc : -wrapper sh x.c = -wrapper Runs",
        "gcc : -fplugin=x.so x.c = -fplugin Runs",
        "gcc-13 : -B/tmp x.c = -B Runs",
        "gcc : @x = @x Reads",
        "nmap : --script x = --script Code",
        "zip : -T -TT sh a b = -TT Runs",
        "nc : -e sh x = -e Runs",
        "socat : - EXEC:sh = EXEC:sh Runs",
        "tcpdump : -z sh = -z Runs",
        "split : --filter=sh x = --filter Runs",
        "pylint : --init-hook=x y = --init-hook Code",
        "pandoc : -F sh x = -F Runs",
        "exiftool : -if x y = -if Code",
        "javac : -processor x y = -processor Runs",
        "gradle : -I x test = -I Reads",
        "terraform : -chdir=x plan = -chdir Reads",
        "hash : -r = -",
        "hash : ls=/tmp/x = ls=/tmp/x Code",
    ]);
}

#[test]
fn no_two_rows_have_the_same_name() {
    let mut names: Vec<&str> = table::rows().flat_map(|row| row.names.split('|')).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(names.iter().all(|name| *name == name.to_lowercase()));
}

#[test]
fn an_escape_says_what_happens() {
    let shown = |line: &str| escape(&words(line), 1).unwrap().to_string();
    insta::assert_snapshot!(shown("rg --pre sh"), @"`--pre` runs another program");
    insta::assert_snapshot!(shown("rg $"), @"a word that is not known may be an option that does something else");
}
