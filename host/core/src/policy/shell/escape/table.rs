//! One row for each command that has an option to do something else.
//!
//! The names of a row are `|` between those that mean the same; a name of two words is a subcommand, and `*` one without a row
//! of its own. The options are a line of [`super::super::options`]. Listed are those that do something else, with a mark, and
//! of the others those that take a value, so that a value is not taken for an option.
//!
//! | mark | the option |
//! |---|---|
//! | `!` | runs another program |
//! | `&` | runs code that is not read |
//! | `>` | writes a file |
//! | `~` | deletes |
//! | `#` | changes the system |
//! | `*` | reads settings or commands from elsewhere |

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::name;
use super::super::options::Grammar;
use super::{Effect, Escape, Found, code, operands};

/// A command that can do something else.
pub(super) struct Row {
    names: &'static str,
    /// Its options. Where there are none at all, every word is an operand.
    pub(super) options: Grammar,
    /// Whether its first operand is a subcommand.
    pub(super) subs: bool,
    /// After how many operands its options end. 0: never.
    pub(super) stops: usize,
    /// Whether it is itself something else: a subcommand.
    pub(super) itself: Option<Effect>,
    /// What else to look for.
    pub(super) more: Option<fn(&Found<'_>) -> Option<Escape>>,
}

/// The row of a name; `python3.12` is `python`.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| ROWS.iter().flat_map(|row| row.names.split('|').map(move |name| (name, row))).collect());
    BY_NAME.get(name).or_else(|| BY_NAME.get(name::unversioned(name))).copied()
}

/// Every name.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|row| row.names.split('|'))
}

impl Row {
    /// The first of its names.
    pub(super) fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    /// Its first operand is a subcommand.
    const fn subs(mut self) -> Self {
        self.subs = true;
        self
    }

    /// Its options end after so many operands; the rest belong to what that is.
    const fn stops(mut self, operands: usize) -> Self {
        self.stops = operands;
        self
    }

    /// The subcommand is itself something else.
    const fn itself(mut self, effect: Effect) -> Self {
        self.itself = Some(effect);
        self
    }

    /// There is more to look for.
    const fn more(mut self, more: fn(&Found<'_>) -> Option<Escape>) -> Self {
        self.more = Some(more);
        self
    }
}

const fn row(names: &'static str, options: &'static str) -> Row {
    Row { names, options: Grammar(options), subs: false, stops: 0, itself: None, more: None }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Looking at files.
    row("find|gfind", "").more(operands::find),
    row("rg", "A:B:C:d:E:e:f:g:j:M:m:r:t:T:z! pre:! pre-glob: pretty hostname-bin:! search-zip!"),
    row("ag|ack|ugrep|ug", "A:B:C:e:f:g:m:z! pager:! filter:! view?! ackrc:* config?* save-config?>"),
    row("sort|gsort", "k:t:S:T:o:> output:> compress-program:! key: field-separator: temporary-directory: buffer-size: files0-from: parallel: batch-size: random-source:"),
    row("uniq|guniq", "f:s:w: skip-fields: skip-chars: check-chars:").more(operands::second),
    row("shuf|gshuf", "i:n:o:> output:> input-range: head-count: random-source:"),
    row("xxd", "c:g:l:s:n:o:R:r> -cols: -len: -seek: -name: -revert>").more(operands::second),
    row("tree", "H:I:L:o:>P:T: charset: filelimit: timefmt: sort: gitfile:* infofile:*"),
    row("file", "C>F:m:P:z!Z! compile> uncompress! uncompress-noreport! magic-file:"),
    row("less|zless", "b:D:h:j:k:*o:>O:>p:P:t:T:x:y:z: log-file:> LOG-FILE:> lesskey-file:* lesskey-src:* lesskey-content:& tag-file: pattern:").more(operands::plus),
    row("more|most|pg", "n:").more(operands::plus),
    row("man", "C:*E:H?!L:M:m:P:!p:r:R:S:s:T?X? pager:! html?! config-file:* browser:! manpath: preprocessor: prompt: recode: encoding: troff-device? gxditview?"),
    row("info", "d:f:n:o:> output:> dribble:> restore:* init-file:*"),
    row("bat|batcat", "H:l:m:r: pager:! map-syntax: language: line-range: highlight-line: config-file:* diff-context: file-name:"),
    row("delta", "- pager:! config:*"),
    row("diff3|sdiff", "o:> output:> diff-program:!"),
    row("tar|gtar|bsdtar", "C:b:f:F:!g:I:!K:L:N:T:V:X: use-compress-program:! to-command:! checkpoint-action:! rsh-command:! rmt-command:! info-script:! new-volume-script:! index-file:> remove-files~ delete~ directory: file: exclude: exclude-from: files-from: transform: strip-components: checkpoint? after-date: newer: one-top-level? owner: group: mode:").more(operands::old_tar),
    row("cpio", "C:D:E:F:H:I:M:O:>R: rsh-command:! file:"),
    row("zip", "b:n:t:x:i:O:>m~ -TT:! -tt: unzip-command:! out:> output-file:> move~ temp-path: log-info lf:> logfile-path:>"),
    row("date|gdate", "d:f:r:s:#I? set:# date: file: reference:"),
    row("hostname", "F:#b# file:# boot#").more(operands::any_changes),
    row("dd|gdd", "-").more(operands::of),
    row("yq|jaq", "I:o:p:i>s:> inplace> in-place> split-exp:> split-exp-file:* security-enable-system-operator!"),
    row("xmllint", "- output:> -output:> path: -path: catalogs schema: -schema: shell& -shell& loaddtd"),
    row("xsltproc", "o:> output:> writesubtree:> stringparam"),
    row("split|gsplit", "a:b:C:l:n:t: filter:! additional-suffix: bytes: lines: number: separator: suffix-length:"),
    row("nm|ar|ranlib|ld|objcopy|size|strip", "o:>T:L:l: plugin:! -plugin:! output:>"),
    row("exiftool", "- -config:* -if:& -w:> -o:> -execute& -out:> -textout:>"),
    row("pandoc", "d:*F:!f:L:&o:>r:t:V:w: defaults:* filter:! lua-filter:& pdf-engine:! output:> extract-media:> data-dir:* from: to: log:>"),
    row("pdflatex|latex|xelatex|lualatex|tex|luatex", "- -shell-escape! -enable-write18! shell-escape! enable-write18! -output-directory:> -lua:& lua:&"),
    row("base64|gbase64", "b:i:o:>w: output:> wrap:"),
    row("ss", "A:D:>F:*f:K~N: diag:> filter:* kill~"),
    row("hexdump|hd", "e:f:*n:s:"),

    // Small languages.
    row("sed|gsed", "e:Ei?>f:*I?>l:nrsuz expression: file:* in-place?> line-length: quiet silent posix sandbox").more(code::sed),
    row("awk|gawk|mawk|nawk|goawk", "bcCd?>D?&e:E:*f:*F:hi:*l:!L?no?>p?>rsStv:W: source: file:* exec:* include:* load:! dump-variables?> profile?> pretty-print?> debug?& assign: field-separator:").stops(1).more(code::awk),
    row("dc", "e:&f:* expression:& file:*"),
    row("sqlite3|sqlite", "- -cmd:& -init:* -separator: -nullvalue: -mode:").more(code::sqlite),
    row("psql", "c:d:F:f:*h:L:>o:>P:p:R:T:U:v: command: dbname: file:* host: output:> log-file:> set: variable: username: port:").more(code::psql),
    row("mysql|mariadb", "e:D:h:P:u:S: execute: pager?! tee:> init-command: defaults-file:* defaults-extra-file:* plugin-dir:!").more(code::psql),

    // Interpreters: code among the options.
    row("python|pypy", "bBc:&dEhiIm:!OPqRsSuvVW:xX: check-hash-based-pycs:").stops(1),
    row("perl", "0?aC?cD?d?&e:&E:&F?fhI:*i?>l?m:!M:!npsStTuUvVwWxX").stops(1),
    row("ruby|jruby|truffleruby", "0?aC:cdE:e:&F:hI:*i?>K:lnpr:!sSTUvVwW?xX: require:! encoding: external-encoding: disable: enable: jit?").stops(1),
    row("node|nodejs", "C:ce:&hi&p:&r:!v eval:& print:& require:! import:! loader:! experimental-loader:! interactive& run:! env-file:* env-file-if-exists:* experimental-config-file:* snapshot-blob:* build-snapshot> cpu-prof> heap-prof> test-reporter:* conditions: input-type: title:").stops(1),
    row("bun", "e:&p:&r:!c:* eval:& print:& require:! preload:! config:* cwd:* env-file:* import:! shell:").stops(1),
    row("deno", "L: log-level:").subs(),
    row("deno eval|deno repl", "-").itself(Effect::Code),
    row("php", "ac:*d:*eEB:&F:&f:hilmnqR:&r:&sS:t:vwz:* run:& process-begin:& process-code:& process-end:& define:* php-ini:* zend-extension:* file:").stops(1),
    row("lua|luajit|texlua", "b:e:&Eij:l:!O:vW").stops(1),
    row("osascript", "e:&il:s:").stops(1),
    row("r|littler", "d:!e:&f:*g: file:* debugger:! encoding: gui: args"),
    row("rscript", "e:&").stops(1),
    row("julia", "C:E:&e:&H:J:*L:*m:!p:t: eval:& print:& load:* sysimage:* project: home:").stops(1),
    row("elixir|iex", "e:&r:*S:!pa: eval:& rpc-eval:& dot-iex:* erl:&").stops(1),
    row("erl", "- -eval:& -s:& -run:& -config:*"),
    row("groovy|scala|swift|ghc|clojure|clj|guile|racket|sbcl|ocaml|raku|csi|gosh|tclsh|expect|nu|xonsh|elvish|fish|jshell", "c:&e:&f:*i:*l:*m:!r:* eval:& load:* require:! commands:& init-command:& execute:&").stops(1),
    row("powershell|pwsh", "").more(code::powershell),
    row("cmd|wsl", "").more(code::any),
    row("vim|vi|nvim|view|ex|gvim|vimdiff|ed|red", "l:*c:&S:*s:*u:*U:*i:*t:T:W:>w:> cmd:& startuptime:> headless").more(operands::plus),
    row("emacs|emacsclient", "e:&f:&l:*a:! -eval:& -execute:& -funcall:& -load:* -script:* -batch eval:& execute:& funcall:& load:* script:* alternate-editor:!").more(operands::plus),
    row("gdb|cgdb", "b:c:d:l:p:s:x:* -ex:& -iex:& -eval-command:& -init-eval-command:& -command:* -init-command:* -ix:* -x:* eval-command:& init-eval-command:& command:* init-command:*"),
    row("lldb", "f:k:&n:o:&O:&p:s:*S:*K:* one-line:& source:* one-line-before-file:& source-before-file:* one-line-on-crash:& source-on-crash:*"),
    row("m4", "D:U:I:*F:>o:> include:* freeze-state:> debugfile?>"),

    // Network.
    row("curl", "A:b:C:c:>d:D:>E:e:F:h:H:K:*m:o:>O>P:Q:r:t:T:u:U:w:x:X:y:Y:z: output:> remote-name> remote-name-all> output-dir:> config:* dump-header:> cookie-jar:> trace:> trace-ascii:> trace-config: stderr:> libcurl:> etag-save:> etag-compare: hsts:> alt-svc:> engine:! data: header: request: user: url: write-out: ssl-sessions:> form: cookie: referer: user-agent: max-time: proxy: upload-file:").more(operands::curl),
    row("wget|wget2", "A:a:>B:D:e:*I:i:*l:O:>o:>P:>Q:R:t:T:U:w:X: output-document:> output-file:> append-output:> directory-prefix:> use-askpass:! execute:* config:* input-file:* save-cookies:> rejected-log:> warc-file:> hsts-file:> delete-after~ header: post-data: user: password: user-agent: tries: timeout:"),
    row("http|https|xh|xhs", "a:A:d>o:>p:s: download> output:> session:> session-read-only:*"),
    row("ssh|autossh", "46AaB:b:CcD:E:>e:F:*fGgI:!i:J:KkL:l:M:m:NnO:o:P:p:Q:qR:S:sTtVvW:w:XxYy").stops(2).more(operands::ssh),
    row("scp", "346ABCc:D:!F:*i:J:l:o:OpP:qrRS:!s:TvX:").more(operands::ssh),
    row("sftp", "46AaB:b:*CcD:!F:*fi:J:l:No:P:pqR:rS:!s:!vX:").more(operands::ssh),
    row("ssh-keygen|ssh-add|ssh-agent", "a:b:C:D:!E:f:F:I:K:>M:N:n:O:P:P:R:~r:s:!S:t:V:w:!Y:z:Z:"),
    row("rsync", "B:e:!f:M:!T: rsh:! rsync-path:! remote-option:! log-file:> write-batch:> only-write-batch:> remove-source-files~ delete~ delete-before~ delete-during~ delete-delay~ delete-after~ delete-excluded~ files-from: exclude: include: exclude-from: include-from: filter: backup-dir: temp-dir: config:* early-exec:!"),
    row("nc|ncat|netcat|nc.traditional|nc.openbsd", "c:!e:!G:g:i:I:M:m:O:o:>P:p:q:s:T:V:W:w:X:x: exec:! sh-exec:! lua-exec:! output:> hex-dump:>"),
    row("socat", "").more(operands::socat),
    row("nmap", "g:i:D:e:m:M:p:S:T: script:& -script:& script-args: script-args-file:* datadir:* servicedb:* versiondb:* stylesheet: -oN:> -oX:> -oG:> -oS:> -oA:> -iL: interactive& excludefile:"),
    row("tcpdump", "B:c:C:D:E:F:G:i:j:m:M:Q:r:s:T:V:w:>W:y:z:!Z:"),
    row("tshark|wireshark|dumpcap", "a:b:B:c:d:e:E:f:F:i:o:r:R:s:T:w:>X:&Y:z:"),
    row("openssl", "- -engine:! -provider:! -provider-path:! -config:* -out:> -keyout:> -writerand:> -signer: -CApath: -extfile:*"),
    row("gpg|gpg2", "o:>u:r:R: output:> options:* homedir:* agent-program:! dirmngr-program:! keyboxd-program:! gpgconf: photo-viewer:! log-file:> logger-file:> status-file:> attribute-file:> delete-keys~ delete-secret-keys~ load-extension:! passphrase-file: recipient: local-user:"),

    // Building and testing.
    row("go", "").subs(),
    row("go *", "- -exec:! -toolexec:! -vettool:! -o:> -overlay:* -modfile:* -C:* -ldflags:! -extldflags:! -gcflags: -asmflags: -gccgoflags:! -compiler: -coverprofile:> -cpuprofile:> -memprofile:> -blockprofile:> -mutexprofile:> -trace:> -outputdir:> -run: -bench: -count: -tags: -mod: -timeout: -pkgdir:> -fix>"),
    row("go env", "w#u# -C:*"),
    row("cargo", "C:*Z: config:* color:").subs(),
    row("cargo *", "F:j:p:Z: config:* manifest-path:* target-dir:> artifact-dir:> out-dir:> lockfile-path:* open! fix> target: features: package: bin: test: example: bench: jobs: profile: message-format:"),
    row("rustc|rustdoc", "A:C:!D:F:L:l:o:>W: codegen:! out-dir:> sysroot:* extern: cfg: emit?> linker:! runtool:! test-runtool:! test-builder:! html-in-header:"),
    row("npm", "C:*w: prefix:* script-shell:! shell:! editor:! viewer:! git:! browser?! node-options:! userconfig:* globalconfig:* registry:* workspace:"),
    row("yarn|pnpm", "C:*F: cwd:* dir:* use-yarnrc:* script-shell:! shell-emulator node-options:! registry:* userconfig:* filter:"),
    row("make|gmake|bmake", "C:*f:*I:*j?l?o:W:E:& directory:* file:* makefile:* include-dir:* eval:& old-file: assume-old: what-if: assume-new: new-file: jobs? load-average?").more(operands::make),
    row("ninja|samu", "C:*f:*d:j:k:l:t:"),
    row("just", "f:*d:*c:!E:* justfile:* working-directory:* command:! shell:! shell-arg:! set:& dotenv-path:* edit! choose! chooser:! dump-format: color:"),
    row("rake", "e:&E:&f:*I:*p:&r:*R:*C:N execute:& execute-print:& execute-continue:& rakefile:* libdir:* require:* rakelibdir:* directory:*"),
    row("cmake", "B:C:*D:!E!G:P:*S:*U: build: install: preset:* toolchain:* graphviz:> open"),
    row("gcc|g++|cc|c++|clang|clang++|cpp|gfortran", "B:!o:D:I:L:l:x: -wrapper:! -fplugin:! -fpass-plugin:! -specs:* specs:* -load:! -plugin:! -fuse-ld:! -ld-path:! -T:").more(operands::at_file),
    row("pytest|py.test", "c:*k:m:n:o:*p:!r:W: config-file:* rootdir:* confcutdir:* override-ini:* pdb& pdbcls:! trace& basetemp:~ junitxml:> junit-xml:> log-file:> debug?> cov-config:* cov-report:> pastebin:! maxfail: tb: durations: color: cov?"),
    row("mypy", "c:m:p: config-file:* python-executable:! install-types! junit-xml:> any-exprs-report:> html-report:> xml-report:> txt-report:> cache-dir:> custom-typeshed-dir:* shadow-file:"),
    row("pylint|pylint3", "d:e:f:j: load-plugins:! init-hook:& rcfile:* output:> disable: enable:"),
    row("flake8|bandit|yamllint|isort|black|pyright|ty", "c:*f:o:> config:* append-config:* config-file:* output-file:> settings-path:* settings-file:* require-plugins:! project:* p:*"),
    row("rubocop|rspec|standardrb", "aAc:*f:I:*o:>r:! require:! auto-correct> autocorrect> autocorrect-all> config:* out:> options:*"),
    row("phpunit|phpstan|psalm", "c:*a:! bootstrap:! configuration:* autoload-file:! config:* prepend:!"),
    row("gradle|gradlew", "b:*c:*g:*I:*p:*D:!P:x: build-file:* settings-file:* init-script:* project-dir:* include-build:* gradle-user-home:*"),
    row("mvn|mvnw", "D:!f:*gs:*s:*t:* file:* settings:* global-settings:* toolchains:*"),
    row("javac|java|kotlinc", "- -processor:! -processorpath:! --processor-path:! -agentpath:! -agentlib:! -javaagent:! -d:> -Xplugin:!"),
    row("clang-tidy|clang-format|clangd", "ip: fix> fix-errors> fix-notes> load:! -load:! -plugin:! config-file:* export-fixes:> -i> inplace> style:"),
    row("ctags|etags", "f:>o:>L:R options:* output-file:> -xcmd:!"),
    row("ansible|ansible-playbook", "a:b:e:i:*m:M:*l:u: inventory:* module-path:* extra-vars:& vault-password-file:! ssh-common-args:! ssh-extra-args:! private-key:"),
    row("terraform|tofu", "- -chdir:* -out:> -state-out:> -backup:>"),
    row("ruff", "- config:*").subs(),
    row("ruff *", "o:> config:* fix> fix-only> unsafe-fixes output-file:> add-noqa> select: ignore: output-format: line-length:"),
    row("eslint", "c:*f:*o:> config:* rulesdir:* resolve-plugins-relative-to:* plugin:* parser:* format:* fix> output-file:> init! cache-location:> ext: rule: global:"),
    row("prettier", "w>l write> config:* plugin:* plugin-search-dir:* find-config-path: parser: config-precedence: log-level:"),
    row("jest|vitest|mocha", "c:*r:*t:w: config:* root:* rootDir:* globalSetup:* globalTeardown:* setupFiles:* setupFilesAfterEnv:* transform:* testEnvironment:* environment:* reporters:* reporter:* resolver:* runner:* testRunner:* require:* import:* file:* outputFile:> update> u>"),
    row("pip|uv", "i: python:! log:> index-url:* extra-index-url:* find-links:* target:> prefix:> root:> config-file:*"),
    row("helm", "f:n: post-renderer:! kubeconfig:* plugins:! registry-config:* repository-config:* output-dir:>"),
    row("kubectl|oc", "n:f:l:o: kubeconfig:* namespace: output: selector:"),
    row("sudo|doas", "a:C:c:D:e>g:h:p:R:r:T:t:U:u: edit>").stops(1),
    row("strace|ltrace", "a:b:E:e:I:o:>O:p:P:s:S:u:U:X: output:>").stops(1),
    row("ip", "b:*n: batch:*"),
    row("journalctl", "- vacuum-size:~ vacuum-time:~ vacuum-files:~ rotate# sync# flush# setup-keys# update-catalog#"),

    // Git.
    row("git", "c:*C:*p!P config-env:* exec-path?! git-dir:* work-tree:* namespace: paginate! super-prefix: attr-source:").subs(),
    row("git *", "O:S:G:U: output:> output-directory:> ext-diff! textconv! exec:! upload-pack:! receive-pack:! open-files-in-pager?! template:* config:* separate-git-dir:> edit! extcmd:!").more(operands::transport),
    row("git grep", "A:B:C:e:f:m:O?! open-files-in-pager?! textconv! ext-grep! threads: max-depth: max-count:"),
    row("git clone", "b:c:*j:o:u:! config:* upload-pack:! template:* separate-git-dir:> branch: depth: origin: reference: jobs: filter: recurse-submodules?").more(operands::transport),
    row("git archive", "o:>0 output:> exec:! remote: format: prefix: add-file:").more(operands::transport),
    row("git format-patch", "o:>v: output:> output-directory:> ext-diff! signature-file: stdout"),
    row("git difftool|git mergetool", "x:!t:* extcmd:! tool:* gui"),
    row("git rebase", "s:X:x:! exec:! onto: strategy: strategy-option:"),
    row("git send-email", "- sendmail-cmd:! smtp-server:! to-cmd:! cc-cmd:! header-cmd:! compose! annotate!"),
    row("git config", "ef:*t: edit! file:* blob: type: default: unset~ unset-all~ remove-section~ rename-section# replace-all# add#").more(operands::git_config),
    row("git branch", "d~D~f>M>m>u: delete~ move> force> edit-description!"),
    row("git tag", "d~F:f>m:n?u: delete~ force> file: message: local-user:"),
    row("git commit|git merge|git revert|git cherry-pick", "c:C:F:m:O:S?s:t:u?X: author: cleanup: date: file: fixup: gpg-sign? into-name: mainline: message: pathspec-from-file: reedit-message: reuse-message: squash: strategy: strategy-option: template: trailer:"),
    row("git help", "w!i!m! web! info! man!"),
    row("git bisect", "").subs(),
    row("git bisect visualize|git bisect view", "").itself(Effect::Runs),

    // What the shell itself can do.
    row("printf", "v:&").stops(1),
    row("unset|declare|typeset|local|export|readonly|wait|test|[|integer|float", "").more(code::subscript),
    row("read|mapfile|readarray|getopts", "a:c:C:&d:eEi:n:N:O:p:rst:u:").more(code::variables),
    row("let", "").more(code::any),
    row("set", "k&o:").more(code::keywords),
    row("history", "a>c~d:n>p:r*s:&w>"),
    row("fc", "e:!ls&n").stops(1),
    row("enable", "ad:f:!nps"),
    row("hash", "p:!d:lrt:").more(code::any),
    row("bind", "f:*m:q:r:u:x:!"),
    row("zmodload|autoload|sched|zle|zcompile|emulate", "").more(code::any),
];
