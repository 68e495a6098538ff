//! Calls that have another effect than a rule for the program alone means.

use super::words;
use crate::programs::escape;

fn harmful(lines: &str) {
    let calls = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let covered: Vec<&str> = calls.filter(|line| escape(&words(line), 1).is_none()).collect();
    assert!(covered.is_empty(), "{covered:#?}");
}

#[test]
fn an_allow_of_a_program_does_not_cover_what_does_something_else() {
    harmful(
        "
        tree -o x
        tree -R -H . -L 2
        tree --fromfile x
        file -C -m x
        du --unknown
        find . -delete
        find . -fprintf x %p
        find . -fls x
        find . -files0-from x
        find . -unknown
        find . -name x -delete
        find . -name -delete
        fd -e rs --base-directory / x
        fd --unknown
        sort -o x y
        sort --out=x y
        sort --compress-program=sh
        uniq a b
        shuf -o x
        xxd a b
        xxd -r a b
        split --filter=sh x
        csplit -f /x/y a 1
        diff3 --diff-program=sh a b c
        sdiff -o x a b
        less -o x y
        less --lesskey-content='x shell' y
        less +!sh x
        more +!sh x
        bat --pager sh x
        bat --lessopen x
        delta --pager=sh
        man -P sh ls
        man --pager=sh ls
        man -H ls
        man -C x ls
        man -r x ls
        info -o x ls
        jq env
        jq -n '$ENV.HOME'
        jq -r 'env.HOME'
        jq 'import \"x\" as $x; $x'
        jq --arg a v 'env' f
        yq -i .a f
        yq 'load(\"x\")' f
        yq e 'env(HOME)' f
        yq -s .a f
        jaq -i .a f
        sed -i s/a/b/ f
        sed -n 'w x' f
        sed 's/a/b/e' f
        sed '1r /etc/passwd' f
        sed -f x f
        sed --unknown p f
        awk 'BEGIN{system(\"x\")}'
        awk 'BEGIN{while((getline l < \"x\")>0) print l}'
        awk 'BEGIN{print ENVIRON[\"X\"]}'
        awk '{print > \"x\"}' f
        awk -f x f
        gawk -i inplace '{print}' f
        gawk -W exec=x f
        dc -e '!x'
        base64 -o x y
        iconv -o x y
        xmllint --output x y
        xmllint --shell x
        xmllint http://x/y
        pandoc -o x y.md
        pandoc --filter sh y.md
        pandoc -t x.lua y.md
        pandoc http://x
        cloc --out=x .
        cloc --vcs=sh .
        cloc --read-lang-def=x .
        scc -o x
        ctags -f x y
        ctags --options=x y
        exiftool -if 'system(1)' x
        exiftool -p '${a;system(1)}' x
        exiftool -Artist=x y.jpg
        exiftool -all= y.jpg
        exiftool -csv=x y.jpg
        exiftool -delete_original y.jpg
        nm --plugin x y
        nm @x
        strings @x
        printf -v PATH x
        printf %n PATH
        printf %d 'a[$(x)]'
        test -v 'a[$(x)]'
        print -z x
        rg --pre sh x
        rg --hostname-bin=sh x
        rg -z x
        rg --unknown x
        grep --unknown x
        ag --pager sh x
        ack --pager=sh x
        ack --output='x' y
        ugrep --filter=sh x
        ugrep --view=sh x
        ugrep -Q x
        tar -czf a.tgz dir
        tar czf a.tgz dir
        tar cf a.tar dir
        tar -xf a.tar --to-command=sh
        tar xIf sh a.tar
        tar -xPf a.tar
        tar -tf evil:a.tar
        tar -cf - --remove-files x
        tar -xf a.tar --checkpoint=1 --checkpoint-action=exec=sh
        tar cf - -T list
        zip -T -TT sh a b
        zip -m a b
        unzip -: a.zip
        7z a -sdel a.7z b
        7z x -o/x a.7z
        zstd --rm a
        cpio -o -F x
        cpio -i --rsh-command=sh
        ar --plugin x t lib.a
        date -s x
        date 01312359
        date --set=x
        hostname x
        hostname -F x
        hostnamectl set-hostname x
        timedatectl set-time x
        ps axe
        ps eww
        ps aux e
        lsof -D b
        mount -a
        mount a b
        mount -o remount /
        dmesg -c
        dmesg -C
        sysctl -w a=b
        sysctl a=b
        sysctl -p
        systemctl restart x
        systemctl -H host status
        systemctl daemon-reload
        journalctl --vacuum-size=1
        journalctl --rotate
        service nginx restart
        ifconfig eth0 down
        fuser -k x
        netstat -K
        install --strip-program=sh a b
        patch -e x
        patch -o x y
        setfacl --restore=x
        chmod --no-preserve-root -R 777 /
        ",
    );
}

#[test]
fn an_archive_that_is_named_may_still_not_be_a_protected_place() {
    use crate::places::Use;
    use crate::programs::touched;
    use crate::shell::Command;
    for (line, file, how) in [
        ("tar -czf a.tgz src", "a.tgz", Use::Writes),
        ("tar czf a.tgz src", "a.tgz", Use::WritesBelow),
        ("tar -tzf a.tgz", "a.tgz", Use::Reads),
        ("tar -xzf a.tgz", ".", Use::WritesBelow),
        ("sed -i s/a/b/ f", "f", Use::WritesBelow),
        ("sed s/a/b/ f", "f", Use::Reads),
        ("sed -n -e p f", "f", Use::Reads),
        ("jq -n --rawfile x f .", "f", Use::Reads),
        ("chmod --reference=a f", "f", Use::WritesBelow),
        ("chmod +x f", "f", Use::WritesBelow),
        ("gzip f", "f", Use::WritesBelow),
        ("gzip -dc f", "f", Use::Reads),
        ("unzip -l f", "f", Use::Reads),
        ("rm f", "f", Use::Writes),
        ("rm -rf f", "f", Use::WritesBelow),
        ("patch f x", "f", Use::Writes),
        ("ar t f", "f", Use::Reads),
        ("ar rcs f x", "f", Use::WritesBelow),
        ("yq -i .a f", "f", Use::WritesBelow),
    ] {
        let command = Command::of(words(line));
        let found = touched(&command).into_iter().any(|it| it.word.text() == Some(file) && it.how == how);
        assert!(found, "{line}");
    }
}
