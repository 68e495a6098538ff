#!/bin/sh
# Installs dmplz @VERSION@ for this user, below ~/.local, without root. Nothing is installed unless its checksum is right.
#
#   curl -fsSL @RELEASES@/latest/download/install.sh | sh
#   sh install.sh [--prefix DIR] [--version VERSION] [--uninstall]
#
# PREFIX is the folder of bin and share, ~/.local unless set; DESTDIR is put before it, for those who make packages.
# DMPLZ_DOWNLOAD is another folder of the files: an https, file or loopback address.
set -eu

releases='@RELEASES@'

say() {
    printf '%s\n' "$*"
}

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# Prints the SHA-256 of a file.
sum() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    else
        fail 'there is neither sha256sum nor shasum, so nothing can be checked'
    fi
}

# Fetches an address into a file. Only a local one may do without TLS.
fetch() {
    case $1 in
        https://*)
            if command -v curl >/dev/null 2>&1; then
                curl --proto '=https' --tlsv1.2 -fsSL "$1" -o "$2" || fail "$1 cannot be fetched"
            elif command -v wget >/dev/null 2>&1; then
                wget --https-only -q "$1" -O "$2" || fail "$1 cannot be fetched"
            else
                fail 'there is neither curl nor wget'
            fi
            ;;
        file:///*) cp "${1#file://}" "$2" || fail "$1 cannot be read" ;;
        http://127.0.0.1[:/]* | http://localhost[:/]*)
            curl -fsS --noproxy '*' "$1" -o "$2" || fail "$1 cannot be fetched"
            ;;
        *) fail "$1 is no https address" ;;
    esac
}

# Prints the checksum that the list has for a file.
listed() {
    awk -v name="$1" '$2 == name { print $1; exit }' "$work/SHA256SUMS"
}

# Prints the target of this machine that the release has.
target() {
    case $(uname -m) in
        x86_64 | amd64) arch=x86_64 ;;
        aarch64 | arm64) arch=aarch64 ;;
        *) fail "there is no dmplz for $(uname -m)" ;;
    esac
    case $(uname -s) in
        Linux) kind=unknown-linux-musl ;;
        Darwin) kind=apple-darwin ;;
        *) fail "there is no dmplz for $(uname -s)" ;;
    esac
    if [ -n "$(listed "dmplz-$arch-$kind.tar.gz")" ]; then
        printf '%s\n' "$arch-$kind"
        return
    fi
    fail "this release has no dmplz for $arch $(uname -s)"
}

uninstall() {
    list="$root/share/dmplz/files"
    [ -f "$list" ] || fail "$list is not there: dmplz was not installed here by this script"
    while IFS= read -r file; do
        case $file in
            bin/dmplz | share/*) rm -f "$root/$file" ;;
            *) fail "$list names $file, which this script never installs" ;;
        esac
    done <"$list"
    rm -f "$list"
    for folder in share/dmplz/completions share/dmplz share/doc/dmplz; do
        rmdir "$root/$folder" 2>/dev/null || true
    done
    say "dmplz was removed from $root. Settings and records are left in ~/.claude/dm-plz."
}

install_files() {
    name="dmplz-$(target)"
    expected=$(listed "$name.tar.gz")
    fetch "$from/$name.tar.gz" "$work/$name.tar.gz"
    got=$(sum "$work/$name.tar.gz")
    [ "$got" = "$expected" ] ||
        fail "the checksum of $name.tar.gz is wrong: $got, and not $expected. Nothing was installed"
    tar -xzf "$work/$name.tar.gz" -C "$work"
    (cd "$work/$name" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$work/files"
    while IFS= read -r file; do
        mkdir -p "$root/$(dirname "$file")"
        mode=644
        [ "$file" != bin/dmplz ] || mode=755
        # A running program cannot be written, but its name can be given to another file.
        cp "$work/$name/$file" "$root/$file.new.$$"
        chmod "$mode" "$root/$file.new.$$"
        mv -f "$root/$file.new.$$" "$root/$file"
    done <"$work/files"
    say install.sh >"$root/share/dmplz/installed-by"
    say share/dmplz/installed-by >>"$work/files"
    cp "$work/files" "$root/share/dmplz/files"
    say "dmplz was installed: $root/bin/dmplz"
    case ":$PATH:" in
        *":$prefix/bin:"*) say 'Next: dmplz setup' ;;
        *) say "Next: put $prefix/bin on your PATH, then run dmplz setup" ;;
    esac
}

main() {
    prefix=${PREFIX:-}
    version=
    what=install_files
    while [ $# -gt 0 ]; do
        case $1 in
            --prefix | --version)
                [ $# -gt 1 ] || fail "$1 needs a value"
                if [ "$1" = --prefix ]; then prefix=$2; else version=$2; fi
                shift
                ;;
            --uninstall) what=uninstall ;;
            *) fail "there is no option $1; use --prefix DIR, --version VERSION or --uninstall" ;;
        esac
        shift
    done
    [ -n "$prefix" ] || prefix="${HOME:?}/.local"
    case $prefix in
        /*) ;;
        *) fail "the prefix $prefix is no absolute path" ;;
    esac
    root="${DESTDIR:-}$prefix"
    if [ "$what" = uninstall ]; then
        uninstall
        return
    fi
    from=${DMPLZ_DOWNLOAD:-}
    if [ -z "$from" ]; then
        [ -n "$releases" ] || fail 'this installer has no address of its own: set DMPLZ_DOWNLOAD'
        from="$releases/latest/download"
        [ -z "$version" ] || from="$releases/download/v$version"
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    fetch "$from/SHA256SUMS" "$work/SHA256SUMS"
    install_files
}

# The last line: a script that came only in part does nothing.
main "$@"
