//! Programs that build, test and check.

use super::super::escape::operands;
use super::super::power::Power::RunsCode;
use super::super::row::Starts::Sub;
use super::super::row::{Operands, Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("cargo", "C:@qvZ: config:* color: frozen locked offline quiet verbose list. version. help. explain:.").starts(Sub).operands(Operands::Sub).obeys(),
    program("cargo watch", "B:C:@cd:E:i:qs:$w:x: shell:$ exec: ignore: watch: delay: env: features: use-shell: workdir:@"),
    program("go", "").operands(Operands::Sub).obeys(),
    program("go *", "- -exec:! -toolexec:! -vettool:! -o:> -overlay:* -modfile:* -C:* -ldflags:! -extldflags:! -gcflags: -asmflags: -gccgoflags:! -compiler: -coverprofile:> -cpuprofile:> -memprofile:> -blockprofile:> -mutexprofile:> -trace:> -outputdir:> -run: -bench: -count: -tags: -mod: -timeout: -pkgdir:> -fix>"),
    program("go env", "w#u# -C:*"),
    program("cargo *", "F:j:p:Z: config:* manifest-path:* target-dir:> artifact-dir:> out-dir:> lockfile-path:* open! fix> target: features: package: bin: test: example: bench: jobs: profile: message-format:"),
    program("rustc|rustdoc", "A:C:!D:F:L:l:o:>W: codegen:! out-dir:> sysroot:* extern: cfg: emit?> linker:! runtool:! test-runtool:! test-builder:! html-in-header:"),
    program("make|gmake|bmake", "C:*f:*I:*j?l?o:W:E:& directory:* file:* makefile:* include-dir:* eval:& old-file: assume-old: what-if: assume-new: new-file: jobs? load-average?").more(operands::make).obeys(),
    program("ninja|samu", "C:*f:*d:j:k:l:t:").obeys(),
    program("just", "f:*d:*c:!E:* justfile:* working-directory:* command:! shell:! shell-arg:! set:& dotenv-path:* edit! choose! chooser:! dump-format: color:").obeys(),
    program("rake", "e:&E:&f:*I:*p:&r:*R:*C:N execute:& execute-print:& execute-continue:& rakefile:* libdir:* require:* rakelibdir:* directory:*").obeys(),
    program("cmake", "B:C:*D:!E!G:P:*S:*U: build: install: preset:* toolchain:* graphviz:> open").obeys(),
    program("gcc|g++|cc|c++|clang|clang++|cpp|gfortran", "B:!o:D:I:L:l:x: -wrapper:! -fplugin:! -fpass-plugin:! -specs:* specs:* -load:! -plugin:! -fuse-ld:! -ld-path:! -T:").more(operands::at_file),
    program("pytest|py.test", "c:*k:m:n:o:*p:!r:W: config-file:* rootdir:* confcutdir:* override-ini:* pdb& pdbcls:! trace& basetemp:~ junitxml:> junit-xml:> log-file:> debug?> cov-config:* cov-report:> pastebin:! maxfail: tb: durations: color: cov?").obeys(),
    program("mypy", "c:m:p: config-file:* python-executable:! install-types! junit-xml:> any-exprs-report:> html-report:> xml-report:> txt-report:> cache-dir:> custom-typeshed-dir:* shadow-file:").obeys(),
    program("pylint|pylint3", "d:e:f:j: load-plugins:! init-hook:& rcfile:* output:> disable: enable:"),
    program("flake8|bandit|yamllint|isort|black|pyright|ty", "c:*f:o:> config:* append-config:* config-file:* output-file:> settings-path:* settings-file:* require-plugins:! project:* p:*"),
    program("rubocop|standardrb|rspec", "aAc:*f:I:*o:>r:! require:! auto-correct> autocorrect> autocorrect-all> config:* out:> options:*").obeys(),
    program("phpunit|phpstan|psalm", "c:*a:! bootstrap:! configuration:* autoload-file:! config:* prepend:!").obeys(),
    program("gradle|gradlew", "b:*c:*g:*I:*p:*D:!P:x: build-file:* settings-file:* init-script:* project-dir:* include-build:* gradle-user-home:*").obeys(),
    program("mvn|mvnw", "D:!f:*gs:*t:* file:* settings:* global-settings:* toolchains:*").obeys(),
    program("javac|kotlinc", "- -processor:! -processorpath:! --processor-path:! -agentpath:! -agentlib:! -javaagent:! -d:> -Xplugin:!"),
    program("java", "- -processor:! -processorpath:! --processor-path:! -agentpath:! -agentlib:! -javaagent:! -d:> -Xplugin:!").power(RunsCode),
    program("clang-tidy|clang-format|clangd", "ip: fix> fix-errors> fix-notes> load:! -load:! -plugin:! config-file:* export-fixes:> -i> inplace> style:"),
    program("ansible-playbook", "be:i:*m:M:*l:u: inventory:* module-path:* extra-vars:& vault-password-file:! ssh-common-args:! ssh-extra-args:! private-key:").obeys(),
    program("terraform|tofu", "- -chdir:* -out:> -state-out:> -backup:>").obeys(),
    program("ruff", "- config:*").operands(Operands::Sub),
    program("ruff *", "o:> config:* fix> fix-only> unsafe-fixes output-file:> add-noqa> select: ignore: output-format: line-length:"),
    program("eslint", "c:*f:*o:> config:* rulesdir:* resolve-plugins-relative-to:* plugin:* parser:* format:* fix> output-file:> init! cache-location:> ext: rule: global:").obeys(),
    program("prettier", "w>l write> config:* plugin:* plugin-search-dir:* find-config-path: parser: config-precedence: log-level:").obeys(),
    program("jest|vitest|mocha", "c:*r:*t:w: config:* root:* rootDir:* globalSetup:* globalTeardown:* setupFiles:* setupFilesAfterEnv:* transform:* testEnvironment:* environment:* reporters:* reporter:* resolver:* runner:* testRunner:* require:* import:* file:* outputFile:> update> u>").obeys(),
];
