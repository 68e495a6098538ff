//! Calls of programs that show files or information about the computer, judged by a rule that names the program alone.

mod harmful;

use crate::programs::escape;
use crate::shell::Word;

/// Splits a line into words, with single quotes as in a shell.
fn words(line: &str) -> Vec<Word> {
    let mut words = vec![String::new()];
    for (index, part) in line.split('\'').enumerate() {
        let mut last = words.pop().unwrap();
        if index % 2 == 1 {
            last.push_str(part);
        } else {
            for (index, piece) in part.split(' ').enumerate() {
                if index > 0 {
                    words.push(std::mem::take(&mut last));
                }
                last.push_str(piece);
            }
        }
        words.push(last);
    }
    words.into_iter().filter(|word| !word.is_empty()).map(Word::exact).collect()
}

fn harmless(lines: &str) {
    let calls = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let asked: Vec<String> = calls
        .filter_map(|line| escape(&words(line), 1).map(|it| format!("{line} = {} {:?}", it.option, it.effect)))
        .collect();
    assert!(asked.is_empty(), "{asked:#?}");
}

#[test]
fn an_allow_of_a_program_covers_everyday_calls_that_look_at_files() {
    harmless(
        "
        ls
        ls -la
        ls -lahtr src
        ls -1
        ls -la --color=never
        ls -d */
        ls -R --group-directories-first --time-style=long-iso .
        ls --no-color
        dir -l
        exa -la --git --icons -T -L 2
        eza --tree --level=2 --git-ignore --no-user
        lsd -la --tree --depth 2
        stat f
        stat -c %s f
        stat -c '%n %s %y' a b
        stat --format=%Y f
        stat -f %z f
        stat -f '%Sm' -t '%F' f
        stat -x f
        du -sh .
        du -sh * --exclude=node_modules
        du -h -d 1
        du -ah --max-depth=2 .
        du -sk a b
        df -h
        df -hT /
        df -i .
        tree
        tree -L 2 -I 'node_modules|target'
        tree -a -d --dirsfirst --noreport src
        tree -P '*.rs' --prune -fi
        tree --gitignore -h -J
        file f
        file -b --mime-type f
        file -i f
        file -L *
        basename /a/b.c .c
        basename -a -s .rs x.rs y.rs
        dirname /a/b
        realpath -m --relative-to=/a /a/b
        readlink -f x
        which -a git
        whereis ls
        type -a ls
        type -p git
        pwd -P
        cd -
        cd src
        cd -- x
        pushd x
        dirs -v
        lsattr -d x
        getfacl -R x
        namei -l /a/b
        find .
        find . -type f -name '*.py' -not -path './x/*' -maxdepth 2 -size +1M -mtime -1 -printf '%p\\n' -print0
        find src -name '*.rs' -newer Cargo.toml
        find . -path ./node_modules -prune -o -name '*.ts' -print
        find . ( -name a -o -iname b ) -type f
        find . -type d -empty
        find . ! -name x -mmin -60 -ls
        find -L . -xtype l
        find . -newermt 2024-01-01 -user root -perm -u+x
        find . -regextype posix-extended -regex '.*(a|b)' -quit
        find -E . -iregex '.*a'
        find . -maxdepth 1 -mindepth 1 -exec stat -c %s {} ;
        find . -name '*.rs' -exec grep -l --color x {} +
        fd
        fd -e rs
        fd -H -I -t f '\\.py$' src
        fd --type d --max-depth 2 -E target
        fd -x wc -l
        locate -i x
        ",
    );
}

#[test]
fn an_allow_of_a_program_covers_everyday_calls_that_read_text() {
    harmless(
        "
        cat x
        cat -n x
        cat -A x
        cat -
        tac x
        head x
        head -5
        head -n 20 x
        head -n -1 x
        head -20 x
        head -c 100 x
        tail -5
        tail +5
        tail -n +5 x
        tail -f x
        tail -100f x
        tail -F --lines=5 x
        wc -l x
        wc -lwc x
        nl -ba x
        cut -d: -f1
        cut -d ' ' -f 1,3-5 --output-delimiter=, x
        cut -c1-10
        tr -d '\\n'
        tr -s ' ' '\\t'
        tr a-z A-Z
        tr '[:upper:]' '[:lower:]'
        tr -cd '[:alnum:]'
        sort
        sort -u
        sort -k2,2nr -t, x
        sort -t ' ' -k 1
        sort -rn
        sort -V x
        sort -h
        sort +1
        sort -c x
        sort --key=2 --field-separator=: --parallel=4
        uniq -c
        uniq -d x
        uniq -f1 -i
        uniq
        column -t
        column -s, -t x
        comm -12 a b
        comm -23 a b
        cmp a b
        cmp -s a b
        diff a b
        diff -u a b
        diff -rq a b
        diff --color=always -U3 a b
        diff -y -W 200 --suppress-common-lines a b
        diff -Naur a b
        diff3 a b c
        sdiff -s a b
        fold -w 80 -s x
        fold -80
        fmt -80 x
        fmt -w 100
        expand -t4 x
        unexpand -a x
        paste -sd, x
        paste -d ' ' a b
        join -t, -1 2 -2 1 a b
        pr -t -2 x
        rev
        shuf -n 5 x
        shuf -i 1-10
        od -c x
        od -An -tx1 -N 16 x
        xxd x
        xxd -l 16 x
        xxd -r -p
        xxd -p x
        xxd -ps -c 32 x
        hexdump -C x
        hexdump -n 64 -C x
        strings -n 8 x
        base64 -d
        base64 -w0 x
        base64 -D -i x
        base32 x
        md5sum x
        sha256sum -c sums
        sha1sum a b
        shasum -a 256 x
        md5 -q x
        b2sum x
        cksum x
        jq .
        jq -r '.a[]' f
        jq -r '.[] | select(.name == \"x\") | .env' f
        jq .env package.json
        jq -c -S --arg a v '.x == $a' f
        jq -e '.scripts | keys' package.json
        jq -n --indent 2 '{a: 1}'
        jq -s 'add' a b
        yq .a.b f
        yq e '.a' f
        yq eval -o json f
        yq -r .x f
        sed -n '1,5p' f
        sed -n -e 1p -e '$p' f
        sed 's/a/b/g' f
        sed -E 's|(a)|\\1|' f
        sed '/^#/d;/^$/d'
        awk '{print $1}' f
        awk -F: '{print $1\":\"$2}' f
        awk -v n=5 'NR==n' f
        awk 'NR>=5 && NR<=10' f
        awk -F'\\t' '$3 > 10 {print}' f
        awk 'BEGIN{FS=\",\"} {s+=$1} END{print s}' f
        less x
        less -R -S x
        less +G x
        more x
        bat x
        bat -n --paging=never x
        bat -p --color=always -l rs -r 1:20 x
        man ls
        man 5 passwd
        man -k printf
        info ls
        iconv -f latin1 -t utf-8 x
        tsort x
        seq 1 10
        seq -w 1 2 10
        seq -s, 5
        printf '%s\\n' a b
        printf '%d items\\n' 5
        printf x
        printf '%-10s|%5.2f\\n' a 1.5
        echo
        echo -n x
        echo -e 'a\\tb'
        echo --- done ---
        echo -anything
        numfmt --to=iec 1024
        factor 12
        envsubst
        bc
        bc -l
        xmllint --noout x.xml
        xmllint --format x.xml
        xmllint --xpath '//a' x.xml
        pandoc -f markdown -t plain x.md
        pandoc x.md -t html --standalone
        cloc .
        cloc --exclude-dir=node_modules --by-file .
        tokei
        tokei -e target -o json
        nm -C x
        nm -D --defined-only x.so
        readelf -h x
        readelf -d -W x
        objdump -d x
        size x
        exiftool x.jpg
        exiftool -json -G1 x.jpg
        dos2unix x
        tee x
        ",
    );
}

#[test]
fn an_allow_of_a_program_covers_everyday_searches() {
    harmless(
        "
        grep x
        grep x f
        grep -rnIE --include='*.rs' -A3 -B 3 pat dir
        grep -rn --exclude-dir=node_modules --exclude-dir .git x .
        grep -c x f
        grep -l x *
        grep -v '^#' f
        grep -oP '(?<=a)b' f
        grep -i -w -m1 x f
        grep -5 x f
        grep -e a -e b f
        grep -F -f patterns f
        grep -qs x f
        grep --color=auto -H -n x f
        grep -rL x .
        grep -E 'a|b'
        grep -a x f
        grep -zo x f
        grep -R --include \\*.py x
        egrep 'a|b' f
        zgrep x f.gz
        rg x
        rg -n --hidden -g '!x' -tpy pat
        rg -n --hidden --no-ignore -g '*.rs' pat src
        rg -i -w -l x
        rg -C3 x
        rg -A 5 -B 5 x f
        rg --files
        rg --files -g '*.md' --sort path
        rg -uu x
        rg -c x --type rust
        rg -o -N --no-filename 'a(b)' -r '$1'
        rg -F 'a(' --json
        rg -e a -e b --max-count=3
        rg -U --multiline-dotall 'a.*b'
        rg --no-heading --color never --line-number x
        rg -P '(?<=a)b'
        rg -t js -T test x
        rg --type-list
        rg --stats --max-depth 3 -j 4 x
        rg -v x f
        ag x
        ag -l --ignore-dir=target x
        ag --nocolor --nogroup -Q x
        ack -l x
        ugrep -rn x
        ",
    );
}

#[test]
fn an_allow_of_a_program_covers_everyday_archives_and_questions() {
    harmless(
        "
        tar tf a.tar
        tar -tf a.tar
        tar tzvf a.tgz
        tar -tzf a.tgz --wildcards '*.rs'
        tar xf a.tar
        tar -xzf a.tgz -C dir --strip-components=1
        tar -czf - dir
        tar c dir
        unzip -l a.zip
        unzip -p a.zip x
        unzip -q -o a.zip -d dir
        zipinfo -1 a.zip
        zip -r a.zip dir -x '*.git*'
        gzip -dc a.gz
        gzip -l a.gz
        gunzip -c a.gz
        zcat a.gz
        bzcat a.bz2
        xz -l a.xz
        xzcat a.xz
        zstd -dc a.zst
        7z l a.7z
        7z x a.7z
        ar t lib.a
        cpio -t
        date
        date +%s
        date '+%F %T'
        date -u +%Y-%m-%dT%H:%M:%SZ
        date -d yesterday +%F
        date -d @0
        date -r f
        date -Iseconds
        date -j -f %Y-%m-%d 2020-01-01 +%s
        date -v-1d +%F
        cal
        cal 2024
        uname -a
        uname -sr
        id
        id -u
        id -un root
        whoami
        who
        w
        users
        groups
        hostname
        hostname -f
        hostname -I
        hostnamectl
        hostnamectl status
        uptime -p
        nproc
        nproc --all
        getconf PAGE_SIZE
        getconf _NPROCESSORS_ONLN
        locale -a
        tty
        ps
        ps aux
        ps -ef
        ps -eo pid,comm,%cpu --sort=-%cpu
        ps -p 1 -o pid,command=
        ps axo pid,user
        ps -fu root
        ps auxww
        ps -ax
        ps xo etime,cmd
        pgrep -fl node
        pgrep -x bash
        pidof nginx
        pstree -p
        top -b -n 1
        top -l 1 -n 5 -o cpu
        free -h
        free -m
        vmstat 1 5
        lscpu
        lsblk -o NAME,SIZE -J
        lspci -nn
        lspci -v -s 00:02.0
        lsusb -t
        lsmod
        lsof -i :3000
        lsof -nP -iTCP:8080 -sTCP:LISTEN
        lsof -p 123
        lsof -t -i:8080
        mount
        mount -t ext4
        mount -l
        findmnt -J /
        printenv HOME
        true
        false
        test -f x
        test x = y
        [ -d x ]
        [ 1 -eq 1 -a -n x ]
        expr 1 + 1
        sleep 1
        sleep 0.5
        yes
        kill -9 123
        kill -TERM 123
        kill -l
        pkill -f node
        killall -9 node
        systemctl status nginx --no-pager
        systemctl list-units --type=service --state=running
        systemctl is-active x
        systemctl --user status
        systemctl show -p MainPID x
        journalctl -u nginx -n 50 --no-pager
        journalctl -xe
        journalctl --since '1 hour ago' -f
        journalctl -b -1 -p err -o json
        service nginx status
        service --status-all
        dmesg -T
        dmesg --level=err
        sysctl -a
        sysctl -n kernel.hostname
        fdisk -l
        parted -l
        netstat -tulpn
        ifconfig
        ifconfig eth0
        umask
        umask 022
        ulimit -n
        times
        jobs -l
        rm -rf x
        rm -f a b
        rmdir -p x
        cp -r a b
        cp -a a b
        cp -t dir a b
        mv -f a b
        mv -n a b
        ln -sf a b
        ln -s a
        install -m 755 a b
        install -d x
        mkdir -p a/b
        mkdir -m 700 x
        touch x
        touch -d yesterday x
        mktemp
        mktemp -d
        mktemp /tmp/x.XXXX
        chmod +x f
        chmod -x f
        chmod 644 f
        chmod -R u+rwX,go-w d
        chown -R me:me d
        truncate -s 0 f
        tee -a x
        patch -p1
        patch -p1 --dry-run -i x.diff
        sync
        ",
    );
}
