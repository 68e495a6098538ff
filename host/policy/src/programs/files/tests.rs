use super::*;
use crate::commands;

/// Formats the uses of files by the first command of a line: `(a, b)` are the sources of a copy, `own` marks words that
/// the person who allows the program knows.
fn shown(line: &str) -> String {
    let script = commands::read(line);
    let text = |word: &Word| word.known.clone() + if word.exact { "" } else { "…" };
    let show = |touched: &Touched<'_>| {
        let sources: Vec<String> = touched.sources.iter().map(text).collect();
        let sources = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join(", ")) };
        format!("{} {:?}{sources}{}", text(&touched.word), touched.how, if touched.own { " own" } else { "" })
    };
    touched(script.commands.first().unwrap()).iter().map(show).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(shown(line), *expected, "{line}");
    }
}

#[test]
fn a_row_says_what_becomes_of_operands_and_of_the_values_of_options() {
    check(&[
        ("cat a b", "a Reads; b Reads"),
        ("ls a", "a Names"),
        ("echo a", ""),
        ("mytool a --b=c", "a Anything; --b=c Anything"),
        ("$x a", "… Anything; a Anything"),
        ("touch -t 2020 a", "2020 Names; a Writes"),
        ("head -n 5 a", "5 Names; a Reads"),
        ("curl -K cfg url", "cfg Anything own; url Names"),
        ("npm test a", "a Anything own"),
        ("git log HEAD x", "HEAD Names; x Names"),
        ("git unknown log x", "unknown Anything own; log Anything own; x Anything own"),
        ("rar l a", "a Reads"),
        ("rar q l a", "q Anything own; l Anything own; a Anything own"),
        ("funzip -x a", "-x WritesBelow; a WritesBelow"),
        ("rm a", "a Writes"),
        ("rm -r a", "a WritesBelow"),
        ("chmod 1 a", "a WritesBelow"),
        ("chmod --reference a b", "a Names; b WritesBelow"),
        ("patch a", "a Writes"),
        ("patch", ". WritesBelow"),
    ]);
}

#[test]
fn the_operands_of_a_starter_end_where_its_command_begins() {
    check(&[
        ("timeout 5 rm x", "5 Anything; rm Anything"),
        ("nice rm a b", "rm Anything"),
        ("sudo rm x", "rm Anything"),
        ("strace -o out rm x", "out Writes; rm Anything"),
        ("lxc exec box rm x", "box Anything; rm Anything"),
        ("perf record rm x", "rm Anything"),
    ]);
}

#[test]
fn a_downloaded_file_is_named_as_its_address_ends() {
    check(&[
        ("wget http://h/a.json", "http://h/a.json Names; a.json Writes"),
        ("wget -q 'http://h/x/%2ea.json?b=c/d#e'", "http://h/x/%2ea.json?b=c/d#e Names; .a.json Writes"),
        ("wget http://h/", "http://h/ Names;  Writes"),
        ("wget \"http://$h/a.json\"", "http://… Names; a.json Writes"),
        ("wget \"http://h/$x\"", "http://h/… Names; … Writes"),
        ("wget -qO- \"$x\"", "- Writes; … Names"),
        ("wget --spider http://h/a", "http://h/a Names"),
        ("wget -r http://h/a", "http://h/a Names; . WritesBelow"),
        ("wget --content-disposition http://h/a", "http://h/a Names; . WritesBelow"),
        ("aria2c http://h/a.json", "http://h/a.json Names; a.json Writes"),
        ("curl http://h/a.json", "http://h/a.json Names"),
    ]);
}

#[test]
fn a_formatter_that_only_checks_writes_nothing() {
    check(&[
        ("black .", ". WritesBelow"),
        ("black --check .", ". ReadsBelow"),
        ("black --diff -q src", "src ReadsBelow"),
        ("ruff format src", "src WritesBelow"),
        ("ruff format --check .", ". ReadsBelow"),
        ("ruff format --diff", ". ReadsBelow"),
    ]);
}

#[test]
fn the_arguments_of_a_script_may_be_files() {
    check(&[
        ("python3 fmt.py a b", "fmt.py Anything own; a Anything own; b Anything own"),
        ("python3 -m json.tool a b", "json.tool Anything own; a Anything own; b Anything own"),
        ("node x.js -o=a b", "x.js Anything own; -o=a Anything own; b Anything own"),
        ("bun run x a", "x Anything own; a Anything own"),
        ("bun x.ts a", "x.ts Anything own; a Anything own"),
        ("ssh host rm x", "host Names; rm Names"),
    ]);
}

#[test]
fn a_search_goes_through_what_it_is_given_or_the_folder() {
    check(&[
        ("grep x a", "a Reads"),
        ("grep -r x", ". ReadsBelow"),
        ("grep -r x a", "a ReadsBelow"),
        ("grep -e x a", "x Names; a Reads"),
        ("grep $y x a", "… ReadsBelow; … ReadsBelow; … ReadsBelow"),
        ("grep \"$HOME\" a", "a Reads"),
        ("grep 'x' a*", "a… Reads"),
        ("rg x a", "a ReadsBelow"),
        ("rg -L x", "… ReadsBelow"),
        ("ctags $y a", "… ReadsBelow; a ReadsBelow"),
    ]);
    let unknown = Command::of(vec![Word::exact("grep"), Word::exact("x"), Word::beginning("")]);
    assert!(touched(&unknown).iter().all(|touched| touched.how == Use::ReadsBelow));
    let begun = Command::of(vec![Word::exact("grep"), Word::exact("x"), Word::beginning("a")]);
    assert!(touched(&begun).iter().all(|touched| touched.how == Use::Reads));
}

#[test]
fn a_file_may_stand_behind_a_word_in_the_value_of_an_option() {
    check(&[
        ("kubectl get -o go-template-file=/a x", "go-template-file=/a Names; /a Names"),
        ("kubectl get -o=go-template-file=/a x", "=go-template-file=/a Names; go-template-file=/a Names; /a Names"),
        ("kubectl get -f=/a", "=/a Reads; /a Reads"),
        ("kubectl get -o json", "json Names"),
        ("kubectl get -l a=$x", "a=… Names; … Names"),
    ]);
}

#[test]
fn a_url_of_a_file_reads_it() {
    check(&[
        ("curl -s http://x/y", "http://x/y Names"),
        ("curl -s file:///a", "file:///a Names; /a Reads"),
        ("curl -s FILE:/a", "FILE:/a Names; /a Reads"),
        ("curl -s file://localhost/a", "file://localhost/a Names; /a Reads"),
        ("curl -s file:///%61", "file:///%61 Names; … Reads"),
        ("curl -s 'file:///[a-b]'", "file:///[a-b] Names; … Reads"),
        ("curl -s '{file}:///a'", "{file}:///a Names; … Reads"),
        ("curl -s '[f-f]ile:///a'", "[f-f]ile:///a Names; … Reads"),
        ("curl -s 'http://x/{a,b}'", "http://x/{a,b} Names"),
        ("curl -s \"http://$x\"", "http://… Names"),
        ("curl -s \"file:$x\"", "file:… Names; … Reads"),
        ("curl -s --url file:///a", "file:///a Names; /a Reads"),
        ("curl -s {file,x}:///a", "… Names; … Reads"),
        ("curl -s fire", "fire Names"),
    ]);
}

#[test]
fn a_copy_has_the_names_of_its_sources() {
    check(&[
        ("cp a b", "a Reads; b Writes (a)"),
        ("cp -r a b", "a ReadsBelow; b WritesBelow (a)"),
        ("cp -t d a b", "a Reads; b Reads; d Writes (a, b)"),
        ("cp -T a b", "a Reads; b Writes"),
        ("cp -l a b", "a WritesBelow; b WritesBelow (a)"),
        ("cp --sym a b", "a WritesBelow; b WritesBelow (a)"),
        ("install a b", "a Reads; b Writes (a)"),
        ("install -m7 -d a b", "7 Names; a WritesBelow; b WritesBelow"),
        ("mv a b", "a WritesBelow; b WritesBelow (a)"),
        ("ln -s a", "a WritesBelow; . Writes (a)"),
        ("ln -s a b", "a WritesBelow; b WritesBelow (a)"),
        ("ln -t d a", "a WritesBelow; d WritesBelow (a)"),
    ]);
}

#[test]
fn a_clone_is_written_below_a_folder_that_is_named_or_is_called_like_the_repository() {
    check(&[
        ("git clone x .claude", "x Anything; .claude Anything; .claude WritesBelow"),
        ("git clone -b main x y", "main Names; x Anything; y Anything; y WritesBelow"),
        ("git clone https://h/a/b.git", "https://h/a/b.git Anything; b WritesBelow"),
        ("git clone -- h:.claude", "h:.claude Anything; .claude WritesBelow"),
        ("git clone 'x/.claude.git//'", "x/.claude.git// Anything; .claude WritesBelow"),
        ("git clone 'x/ .claude .git'", "x/ .claude .git Anything; .claude WritesBelow"),
        ("git clone ../.claude/.git", "../.claude/.git Anything; .claude WritesBelow"),
        ("git clone ssh://me@.claude:22/", "ssh://me@.claude:22/ Anything; .claude WritesBelow"),
        ("git clone .claude.bundle", ".claude.bundle Anything; .claude WritesBelow"),
        ("git clone ./$x", "./… Anything; … Anything; ./… WritesBelow; … WritesBelow"),
        ("git clone \"./$x\"", "./… Anything; … WritesBelow"),
        ("git submodule add -b m x .claude", "m Names; x Anything; .claude Anything; .claude WritesBelow"),
        ("git submodule add x/.claude", "x/.claude Anything; .claude WritesBelow"),
        ("git worktree add .claude main", ".claude WritesBelow; main WritesBelow"),
    ]);
}

#[test]
fn a_name_that_a_program_derives_is_written_as_well() {
    check(&[
        ("gunzip a.gz", "a.gz WritesBelow; a Writes"),
        ("gunzip b/.a.json-gz", "b/.a.json-gz WritesBelow; b/.a Writes; b/.a.json Writes"),
        ("gunzip .git/config.gz", ".git/config.gz WritesBelow; .git/config Writes"),
        ("gunzip *.gz", "… WritesBelow; … Writes"),
        ("gunzip -N a.gz", "a.gz WritesBelow; … Writes"),
        ("xz -d -S x a", "x Names; a WritesBelow; … Writes"),
        ("gunzip -c a.gz", "a.gz Reads"),
        ("cp -b a b", "a Reads; b Writes (a); b… Writes; b Writes (a…)"),
        ("cp -S .x a b/", ".x Names; a Reads; b/ Writes (a); b/ Writes (a…)"),
        ("mv --backup=t a .", "t Names; a WritesBelow; . WritesBelow (a); . WritesBelow (a…)"),
        ("ln -b a", "a WritesBelow; . Writes (a); . Writes (a…)"),
        ("cp -r a b", "a ReadsBelow; b WritesBelow (a)"),
        ("patch -b a x", "a Writes; x Writes; a… Writes; x… Writes"),
        ("patch -B p a", "p Writes; a Writes; … Writes"),
        ("split a", "a Writes"),
        ("split -l1 a b/", "1 Names; a Writes; b/ Writes; b/… Writes"),
        ("csplit -f p a 1", "p… Writes; p Writes; a Reads; 1 Reads; . WritesBelow"),
    ]);
}

#[test]
fn an_archive_is_read_written_or_unpacked() {
    check(&[
        ("tar tf a.tar x", "tf Reads; a.tar Reads; x Reads"),
        ("tar -tf a.tar x", "a.tar Reads; x Reads"),
        ("tar xf a.tar -C d", "d Names; xf Reads; a.tar Reads; d WritesBelow"),
        ("tar xtf a.tar", "xtf Reads; a.tar Reads; . WritesBelow"),
        ("tar -xf a.tar", "a.tar Reads; . WritesBelow"),
        ("tar -cf a.tar -C d x", "a.tar Writes; d ReadsBelow; x ReadsBelow"),
        ("tar cf a.tar x", "cf WritesBelow; a.tar WritesBelow; x WritesBelow"),
        ("tar -d -f a.tar", "a.tar Reads"),
        ("tar --list", ""),
        ("tar f a.tar", "f Reads; a.tar Reads; . WritesBelow"),
        ("cpio -p d", "d WritesBelow"),
        ("cpio -t a", "a Reads"),
        ("cpio -o a", "a Reads"),
        ("cpio -i a", "a Reads; . WritesBelow"),
        ("ar t a.a x", "a.a Reads; x Reads"),
        ("ar x a.a y", "x Reads; a.a Reads; y Reads; . WritesBelow"),
        ("ar rcs a.a x", "rcs WritesBelow; a.a WritesBelow; x WritesBelow"),
        ("gzip a", "a WritesBelow"),
        ("gzip -c a", "a Reads"),
        ("gzip -rc a", "a ReadsBelow"),
        ("unzip -d d a.zip", "d Names; a.zip Reads; d WritesBelow"),
        ("unzip -l a.zip", "a.zip Reads"),
        ("unzip -p a.zip -x b", "a.zip Reads; b Reads"),
        ("unzip a.zip -x -p", "a.zip Reads; . WritesBelow"),
        ("unzip a.zip -l", "a.zip Reads; . WritesBelow"),
        ("unzip -ql a.zip", "a.zip Reads"),
    ]);
}

#[test]
fn a_program_in_the_words_of_a_call_is_no_file() {
    check(&[
        ("awk '{print}' a b", "a Reads; b Reads"),
        ("awk -f p a b", "p Anything own; a Reads; b Reads"),
        ("sed p a", "a Reads"),
        ("sed -i p a", "a WritesBelow"),
        ("sed -i -e p a", "p Names; a WritesBelow"),
        ("jq .a x", "x Reads"),
        ("yq .a x", "x Reads"),
        ("yq -i .a x", "x WritesBelow"),
        ("yq -i --expression .a x", ".a Names; x WritesBelow"),
        ("yq -i --from-file f x", "f Reads; x WritesBelow"),
        ("jaq -i -f p x", "p Reads; x WritesBelow"),
        ("jaq -i --arg a b .a x", "a Names; b WritesBelow; .a WritesBelow; x WritesBelow"),
        ("yq --expression .a x", ".a Names; x Reads"),
        ("yq --from-file f x", "f Reads; x Reads"),
    ]);
}
