//! Programs that reach other machines.

use super::super::escape::operands;
use super::super::power::Power::{Fetches, StartsOthers};
use super::super::row::Starts::{By, Sub, Words};
use super::super::row::{Operands, Row, program};
use super::super::starts::{inputs, users};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("ssh|autossh", "46AaB:b:CcD:E:>e:F:*fGgI:!i:J:KkL:l:M:m:NnO:o:/P:p:Q:.qR:S:sTtV.vW:w:XxYy").starts(By(users::ssh)).skip(1).again().stops(2).more(operands::ssh).power(StartsOthers),
    program("ssh-agent", "a:cD:!dE:kO:P:s:!t:b:C:f:F:I:K:>M:N:n:R:~r:S:V:w:!Y:z:Z:").starts(Words),
    program("sshpass", "d:ef?hp:P:vV.").starts(Words),
    program("ip", "046b:*Bc?Df:hjl:n:NoprstV. batch:*").starts(Sub).operands(Operands::Sub),
    program("ip netns|ip vrf", "").starts(Sub).operands(Operands::Sub),
    program("ip netns exec|ip vrf exec", "-").starts(Words).skip(1),
    program("ftp|telnet", "").starts(By(inputs::commands)).power(Fetches),
    program("sftp", "46AaB:b:*CcD:!F:*fi:J:l:No:P:pqR:rS:!s:!vX:").starts(By(inputs::commands)).more(operands::ssh).power(Fetches),
    program("ss", "A:D:>F:*f:K~N: diag:> filter:* kill~"),
    program("curl", "A:b:C:c:>d:D:>E:e:F:h:H:K:*m:o:>O>P:Q:r:t:T:u:U:w:x:X:y:Y:z: output:> remote-name> remote-name-all> output-dir:> config:* dump-header:> cookie-jar:> trace:> trace-ascii:> trace-config: stderr:> libcurl:> etag-save:> etag-compare: hsts:> alt-svc:> engine:! data: header: request: user: url: write-out: ssl-sessions:> form: cookie: referer: user-agent: max-time: proxy: upload-file:").more(operands::curl).power(Fetches),
    program("wget|wget2", "A:a:>B:D:e:*I:i:*l:O:>o:>P:>Q:R:t:T:U:w:X: output-document:> output-file:> append-output:> directory-prefix:> use-askpass:! execute:* config:* input-file:* save-cookies:> rejected-log:> warc-file:> hsts-file:> delete-after~ header: post-data: user: password: user-agent: tries: timeout:").power(Fetches),
    program("http|https|xh|xhs", "a:A:d>o:>p:s: download> output:> session:> session-read-only:*").power(Fetches),
    program("scp", "346ABCc:D:!F:*i:J:l:o:OpP:qrRS:!s:TvX:").more(operands::ssh).power(Fetches),
    program("ssh-keygen|ssh-add", "a:b:C:D:!E:f:F:I:K:>M:N:n:O:P:R:~r:s:!S:t:V:w:!Y:z:Z:"),
    program("rsync", "B:e:!f:M:!T: rsh:! rsync-path:! remote-option:! log-file:> write-batch:> only-write-batch:> remove-source-files~ delete~ delete-before~ delete-during~ delete-delay~ delete-after~ delete-excluded~ files-from: exclude: include: exclude-from: include-from: filter: backup-dir: temp-dir: config:* early-exec:!").power(Fetches),
    program("nc|ncat|netcat|nc.traditional|nc.openbsd", "c:!e:!G:g:i:I:M:m:O:o:>P:p:q:s:T:V:W:w:X:x: exec:! sh-exec:! lua-exec:! output:> hex-dump:>").power(Fetches),
    program("socat", "").more(operands::socat).power(Fetches),
    program("nmap", "g:i:D:e:m:M:p:S:T: script:& -script:& script-args: script-args-file:* datadir:* servicedb:* versiondb:* stylesheet: -oN:> -oX:> -oG:> -oS:> -oA:> -iL: interactive& excludefile:"),
    program("tcpdump", "B:c:C:D:E:F:G:i:j:m:M:Q:r:s:T:V:w:>W:y:z:!Z:"),
    program("tshark|wireshark|dumpcap", "a:b:B:c:d:e:E:f:F:i:o:r:R:s:T:w:>X:&Y:z:"),
    program("openssl", "- -engine:! -provider:! -provider-path:! -config:* -out:> -keyout:> -writerand:> -signer: -CApath: -extfile:*").power(Fetches),
    program("gpg|gpg2", "o:>u:r:R: output:> options:* homedir:* agent-program:! dirmngr-program:! keyboxd-program:! gpgconf: photo-viewer:! log-file:> logger-file:> status-file:> attribute-file:> delete-keys~ delete-secret-keys~ load-extension:! passphrase-file: recipient: local-user:"),
];
