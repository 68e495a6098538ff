//! Package managers, and tools that start a program of a project.

use super::super::escape::Effect;
use super::super::power::Power::{RunsCode, StartsOthers};
use super::super::row::Starts::{By, Dashes, First, Sub, Words};
use super::super::row::{Operands, Row, program};
use super::super::starts::after;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("npx|bunx|pnpx|uvx", "c:$dhnp:qsv.y call:$ package: from: with: with-editable: python: index: index-url: default-index: extra-index-url: refresh isolated offline yes no no-install ignore-existing prefer-offline prefer-online quiet silent shell: node-arg: workspace: workspaces help. version.").starts(Words).obeys(),
    program("npm", "C:@Fdhqrsw:v. prefix:* workspace: workspaces loglevel: silent quiet dir:@ cwd:@ filter: recursive color? help. version. script-shell:! shell:! editor:! viewer:! git:! browser?! node-options:! userconfig:* globalconfig:* registry:*").starts(Sub).operands(Operands::Sub).obeys(),
    program("pnpm|yarn", "C:@F:dhqrsw:v. prefix: workspace: workspaces loglevel: silent quiet dir:@ cwd:@ filter: recursive color? help. version. use-yarnrc:* script-shell:! shell-emulator node-options:! registry:* userconfig:*").starts(Sub).operands(Operands::Sub).obeys(),
    program("npm exec|npm x|npm dlx", "c:$p:qrw:y call:$ package: yes no quiet silent workspace: workspaces recursive parallel allow-build: shell-mode").starts(Dashes),
    program("npm explore", "-").starts(Dashes).skip(1).again(),
    program("bun", "c:*r:!e:&p:& config:* cwd:@ env-file:* preload:! silent bun eval:& print:& require:! import:! shell:").starts(Sub).operands(Operands::Sub).stops(1).power(RunsCode).interprets(),
    program("bun x", "- bun silent verbose package:").starts(Words),
    program("bun exec", "-").starts(First),
    program("deno", "L:qV. log-level: quiet version. help.").starts(Sub).operands(Operands::Sub).power(RunsCode).interprets(),
    program("uv", "hnqvi: cache-dir: color: config-file:* directory:@ project: offline no-cache no-config no-progress quiet verbose native-tls help. version. python:! log:> index-url:* extra-index-url:* find-links:* target:> prefix:> root:>").starts(Sub).operands(Operands::Sub).obeys(),
    program("uv run", "C:hi:f:m;np:P:qsvw: active all-extras all-groups all-packages cache-dir: color: config-file: config-setting: default-index: directory:@ env-file: exact extra: extra-index-url: find-links: frozen group: index: index-strategy: index-url: isolated locked module; no-cache no-config no-default-groups no-dev no-editable no-env-file no-extra: no-group: no-index no-project no-progress no-sync offline only-dev only-group: package: project: python: quiet refresh reinstall script resolution: upgrade verbose with: with-editable: with-requirements: help.").starts(Words),
    program("uv tool", "q quiet").starts(Sub).operands(Operands::Sub),
    program("uv tool run", "p:qvw: from: with: with-editable: with-requirements: python: index: index-url: default-index: extra-index-url: isolated offline quiet verbose help.").starts(Words),
    program("poetry|pipenv|bundle|hatch|pdm|rye|rbenv|pyenv|nodenv|conda|mamba|micromamba|pixi|opam|stack|cabal|doppler|op|infisical|volta|fnm|dotenvx|rvm", "C:@e:n:p:qsv directory:@ project: env: environment: name: prefix: config: cwd:@ quiet verbose no-interaction no-ansi help. version.").starts(Sub).operands(Operands::Sub).obeys(),
    program("asdf|devbox|pipx|mise", "C:@e:n:p:qsv directory:@ project: env: environment: name: prefix: config: cwd:@ quiet verbose no-interaction no-ansi help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers).obeys(),
    program("poetry run|poetry exec|poetry x", "C:c:$e:E:f:n:p:qsv command:$ cwd:@ cd:@ env: environment: env-file: project: name: prefix: config: gemfile: node: npm: yarn: spec: keep-file-descriptors live-stream no-capture-output quiet silent raw verbose package: python: using: switch: help.").starts(Dashes),
    program("direnv|rustup|aws-vault|chamber|nvm|sops", "hqv quiet verbose debug backend: prompt: help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers),
    program("direnv exec|direnv run", "d:nb:k:v install duration: no-session region: silent stdout ecs-server ec2-server server").starts(Dashes).skip(1).again(),
    program("direnv exec-env|direnv exec-file", "- background pristine user:").starts(First).skip(1),
    program("nix-shell", "A:E:I:i:;p attr: arg: argstr: run:$ command:$ keep: packages pure").power(StartsOthers),
    program("nix", "").starts(By(after::nix)).power(StartsOthers).obeys(),
    program("deno eval|deno repl", "-").itself(Effect::Code),
    program("pip", "i: python:! log:> index-url:* extra-index-url:* find-links:* target:> prefix:> root:> config-file:*"),
];
