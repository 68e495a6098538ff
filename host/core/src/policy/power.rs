//! Commands that can do more than their name says, so that allowing them by name allows nearly everything.
//!
//! | power | for instance | because |
//! |---|---|---|
//! | runs code | `python`, `node`, `bash`, `awk`, `vim` | its arguments are a program |
//! | starts others | `sudo`, `xargs`, `env`, `ssh`, `npx`, `docker` | its arguments are a command |
//! | fetches | `curl`, `wget`, `scp` | it reaches any host, and writes what it gets |
//! | destroys | `rm`, `dd`, `mkfs`, `chmod` | what it does cannot be undone |
//!
//! Version suffixes count as the same command: `python3.12`, `gcc-13`, `node22`.

use super::shell::name;

/// What a command can do beyond what it is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Power {
    /// Its arguments are a program.
    #[error("runs any code that it is given")]
    RunsCode,
    /// Its arguments are a command.
    #[error("starts any command that it is given")]
    StartsOthers,
    /// It reaches any host.
    #[error("reaches any host, and writes what it gets")]
    Fetches,
    /// What it does cannot be undone.
    #[error("does what cannot be undone")]
    Destroys,
}

/// What a command can do beyond its name, if anything.
pub fn power(command: &str) -> Option<Power> {
    let name = name::bare(command);
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit() || "._-".contains(character));
    let has = |names: &str| names.split(' ').any(|known| known == name || known == stem);
    TABLE.iter().find(|(_, names)| has(names)).map(|(power, _)| *power)
}

const TABLE: [(Power, &str); 4] = [
    (Power::RunsCode, CODE),
    (Power::StartsOthers, STARTERS),
    (Power::Fetches, FETCHERS),
    (Power::Destroys, DESTROYERS),
];

const CODE: &str = "sh bash zsh fish dash ksh mksh ash csh tcsh rbash pwsh powershell cmd nu xonsh elvish python pypy ipython \
    node nodejs deno bun tsx ts-node ruby irb perl php lua luajit r rscript julia swift scala groovy java jshell \
    kotlin ghci runghc elixir iex erl escript guile racket sbcl clojure bb tclsh expect osascript awk gawk mawk \
    nawk sed ed ex vi vim nvim view emacs emacsclient gdb lldb sqlite psql mysql eval source . trap alias m4";

const STARTERS: &str = "sudo doas su pkexec runuser run0 env exec command builtin nohup timeout nice ionice chrt taskset time stdbuf \
    setsid unshare nsenter chroot firejail bwrap script watch flock strace ltrace xargs parallel entr busybox \
    toybox ssh mosh autossh docker podman nerdctl kubectl oc lxc vagrant wsl systemd-run at batch crontab tmux \
    screen npx bunx pnpx uvx pipx direnv devbox mise asdf nix nix-shell coproc daemonize xvfb-run \
    dbus-run-session";

const FETCHERS: &str = "curl wget wget2 aria2c http https xh fetch lynx w3m links scp sftp ftp tftp rsync rclone nc ncat netcat \
    socat telnet openssl dig nslookup host ping";

const DESTROYERS: &str = "rm rmdir unlink shred truncate dd mkfs fdisk parted mv cp install ln tee chmod chown chgrp chattr setfacl \
    kill killall pkill shutdown reboot halt poweroff systemctl service mount umount iptables nft useradd userdel \
    usermod passwd visudo del erase rd format";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_by_path_case_and_version() {
        for (command, expected) in [
            ("python3.12", Some(Power::RunsCode)),
            ("/usr/bin/env", Some(Power::StartsOthers)),
            ("CURL.EXE", Some(Power::Fetches)),
            ("rm", Some(Power::Destroys)),
            ("mkfs.ext4", None),
            ("git", None),
            ("npm", None),
            ("rmlint", None),
            ("", None),
        ] {
            assert_eq!(power(command), expected, "{command}");
        }
    }
}
