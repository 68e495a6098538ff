//! Rows of package managers, and of tools that start a program of a project.

use super::super::escape::{Effect, operands};
use super::super::kinds;
use super::super::operands::Operands;
use super::super::power::Power::{RunsCode, StartsOthers};
use super::super::row::Starts::{By, Dashes, Either, First, Sub, Words};
use super::super::row::{Row, program};
use super::super::starts::{after, chains};

/// The options that npm accepts after any subcommand. They may be abbreviated, so the harmful ones come first.
macro_rules! npm {
    ($short:literal, $long:literal) => {
        concat!(
            $short,
            "aC:#df#g#hlL:#pqsvw:y ",
            $long,
            " script-shell:! shell:! editor:! viewer:! git:! browser?! node-options:! node-gyp:! init-module:! onload-script:! \
             userconfig:* globalconfig:* prefix:# registry:# reg:# replace-registry-host:# location:# global# scope:# cache:> \
             logs-dir:> tmp:> proxy:# https-proxy:# noproxy:# cafile:# ca:# cert:# key:# strict-ssl# local-address:# \
             user-agent:# force# dangerously-allow-all-scripts# allow-scripts:# allow-git:# allow-remote:# allow-file:# \
             allow-directory:# call:$ pack-destination:> loglevel: silent quiet verbose d dd ddd json long parseable porcelain \
             color? unicode progress timing all depth: omit: include: only: also: prod production dev link workspace: \
             workspaces ws include-workspace-root iwr if-present ignore-scripts foreground-scripts offline prefer-offline \
             prefer-online audit fund audit-level: update-notifier package-lock package-lock-only dry-run before: \
             min-release-age: engine-strict legacy-peer-deps strict-peer-deps tag: searchlimit: searchexclude: description \
             desc fetch-retries: fetch-timeout: maxsockets: local yes usage. help. version. versions."
        )
    };
}

/// The options that pnpm accepts after any subcommand.
macro_rules! pnpm {
    ($short:literal, $long:literal) => {
        concat!(
            $short,
            "aC:#dDF:g#hlPqrsvw ",
            $long,
            " script-shell:! node-options:! git:! use-node-version:# userconfig:* globalconfig:* npmrc-auth-file:* dir:# \
             prefix:# registry:# global# global-dir:# global-bin-dir:# store-dir:> virtual-store-dir:> modules-dir:> \
             lockfile-dir:> cache-dir:> state-dir:> proxy:# https-proxy:# cafile:# strict-ssl# force# filter: filter-prod: \
             workspace-root recursive silent reporter: loglevel: color json long parseable depth: prod production dev optional \
             aggregate-output stream use-stderr if-present parallel workspace-concurrency: sequential sort reverse \
             resume-from: bail ignore-workspace include-workspace-root fail-if-no-match changed-files-ignore-pattern: \
             test-pattern: frozen-lockfile lockfile-only fix-lockfile offline prefer-offline ignore-scripts verbose quiet \
             compatible no-table format: sort-by: only-projects exclude-peers help. version."
        )
    };
}

/// The options that pip accepts after any subcommand.
macro_rules! pip {
    ($short:literal, $long:literal) => {
        concat!(
            $short,
            "hqv ",
            $long,
            " python:! log:> cache-dir:> index-url:# extra-index-url:# find-links:# trusted-host:# cert:# client-cert:# proxy:# \
             keyring-provider:! config-file:* config-setting:# config-settings:# global-option:! install-option:! build-option:! \
             target:> root:> src:> prefix:> debug isolated require-virtualenv no-input retries: timeout: exists-action: \
             no-cache-dir disable-pip-version-check no-color no-python-version-warning use-feature: use-deprecated: \
             no-index pre quiet verbose help. version."
        )
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // JavaScript.
    program("npx|bunx|pnpx", "c:$dhnp:#qsv.y call:$ script-shell:! package:# node-arg:! registry:# userconfig:* prefix:# cache:> yes no no-install ignore-existing prefer-offline prefer-online offline quiet silent shell:! workspace: workspaces bun help. version.").starts(Words).obeys(),
    program("npm", npm!("H.h.v.", "")).starts(Sub).operands(Operands::Sub).obeys(),
    program("npm exec|npm x", npm!("c:$p:#", "package:# call:$")).starts(Dashes).obeys(),
    program("npm explore", npm!("", "")).starts(Dashes).skip(1).again(),
    program("npm test|npm t|npm tst|npm start|npm stop|npm restart|npm run|npm run-script|npm rum|npm urn", npm!("", "")).operands(Operands::Project).obeys(),
    program("npm view|npm info|npm show|npm v", npm!("", "")).operands(Operands::Text).more(operands::others::registry),
    program("npm ls|npm list|npm ll|npm la|npm outdated|npm explain|npm why|npm search|npm find|npm s|npm se|npm help|npm help-search|npm get|npm query", npm!("", "expect-results expect-result-count: no-unicode")).operands(Operands::Text),
    program("npm root|npm prefix|npm bin|npm ping|npm whoami|npm doctor|npm sbom|npm completion", npm!("", "sbom-format: sbom-type:")).operands(Operands::Nothing),
    program("npm audit", npm!("", "include-attestations")).operands(Operands::Sub),
    program("npm audit signatures", npm!("", "include-attestations")).operands(Operands::Nothing),
    program("npm audit fix", npm!("", "")).itself(Effect::Changes),
    program("npm config|npm c", npm!("", "")).operands(Operands::Sub),
    program("npm config get|npm config list|npm config ls", npm!("", "")).operands(Operands::Text),
    program("npm config set|npm config delete|npm config rm|npm config edit|npm config fix|npm set", npm!("", "")).itself(Effect::Changes),
    program("npm pkg|npm cache|npm dist-tag|npm owner|npm access|npm token|npm profile", npm!("", "")).operands(Operands::Sub),
    program("npm pkg get|npm cache ls|npm cache verify", npm!("", "")).operands(Operands::Text),
    program("npm pkg set|npm pkg delete|npm pkg fix|npm cache clean|npm cache clear|npm cache add", npm!("", "")).itself(Effect::Changes),
    program("npm install|npm i|npm in|npm ins|npm inst|npm insta|npm instal|npm isnt|npm isnta|npm isntal|npm isntall|npm add|npm ci|npm clean-install|npm ic|npm install-clean|npm isntall-clean|npm install-test|npm it|npm install-ci-test|npm cit|npm clean-install-test|npm sit|npm update|npm up|npm upgrade|npm udpate|npm uninstall|npm unlink|npm remove|npm rm|npm r|npm un|npm rebuild|npm rb|npm dedupe|npm ddp|npm find-dupes|npm prune|npm link|npm ln|npm pack|npm shrinkwrap|npm init|npm create|npm innit|npm version|npm verison", npm!("SDEOPBm:", "save save-prod save-dev save-optional save-peer save-bundle save-exact save-prefix: install-strategy: legacy-bundling global-style prefer-dedupe bin-links install-links cpu: os: libc: allow-same-version commit-hooks git-tag-version sign-git-tag preid: workspaces-update message: init-type: init-private init-license: init-version: init-author-name: init-author-email: init-author-url:")).obeys().more(operands::others::operands),
    program("npm publish|npm unpublish|npm deprecate|npm undeprecate|npm login|npm logout|npm adduser|npm add-user|npm star|npm unstar|npm team|npm org|npm hook|npm trust|npm stage|npm approve-scripts|npm deny-scripts", npm!("", "access: otp: provenance")).itself(Effect::Changes),
    program("npm edit|npm docs|npm home|npm repo|npm bugs|npm issues|npm fund", npm!("", "which:")).itself(Effect::Runs),
    program("npm-run-all|run-s|run-p|npm-run-all2|wireit", "chlnprsv. aggregate-output continue-on-error jobs: max-parallel: npm-path:! npm-path parallel print-label print-name race sequential serial silent help. version.").operands(Operands::Project).obeys().more(operands::others::operands),
    program("pnpm", pnpm!("", "")).starts(By(chains::sub_or_exec)).operands(Operands::Sub).obeys(),
    program("pnpm exec", pnpm!("c^", "shell-mode^ report-summary>")).starts(Words),
    program("pnpm dlx", pnpm!("c^", "shell-mode^ package:# allow-build:#")).starts(Words),
    program("pnpm run|pnpm run-script", pnpm!("", "report-summary>")).starts(By(chains::project_or_exec)).operands(Operands::Project).stops(1).obeys(),
    program("pnpm test|pnpm t|pnpm tst|pnpm start|pnpm stop|pnpm restart", pnpm!("", "report-summary>")).operands(Operands::Project).obeys(),
    program("pnpm list|pnpm ls|pnpm la|pnpm ll|pnpm why|pnpm outdated|pnpm search|pnpm licenses|pnpm get|pnpm help|pnpm cat-index|pnpm find-hash", pnpm!("", "")).operands(Operands::Text),
    program("pnpm view|pnpm info|pnpm show", pnpm!("", "")).operands(Operands::Text).more(operands::others::registry),
    program("pnpm root|pnpm bin|pnpm prefix|pnpm doctor|pnpm whoami|pnpm ping", pnpm!("", "")).operands(Operands::Nothing),
    program("pnpm audit", pnpm!("", "fix# audit-level: ignore-registry-errors ignore-unfixable# ignore:#")).operands(Operands::Nothing),
    program("pnpm config|pnpm c|pnpm store|pnpm env", pnpm!("", "")).operands(Operands::Sub),
    program("pnpm config get|pnpm config list|pnpm config ls|pnpm store path|pnpm store status|pnpm env list|pnpm env ls", pnpm!("", "location:")).operands(Operands::Text),
    program("pnpm config set|pnpm config delete|pnpm store prune|pnpm store add|pnpm env use|pnpm env add|pnpm env remove|pnpm env rm", pnpm!("", "")).itself(Effect::Changes),
    program("pnpm install|pnpm i|pnpm add|pnpm remove|pnpm rm|pnpm uninstall|pnpm un|pnpm update|pnpm up|pnpm upgrade|pnpm import|pnpm link|pnpm ln|pnpm unlink|pnpm dislink|pnpm prune|pnpm rebuild|pnpm rb|pnpm dedupe|pnpm fetch|pnpm patch|pnpm patch-commit|pnpm patch-remove|pnpm deploy|pnpm setup|pnpm server|pnpm pack|pnpm init|pnpm create|pnpm install-test|pnpm it|pnpm approve-builds|pnpm ignored-builds|pnpm self-update|pnpm completion|pnpm ci|pnpm clean-install|pnpm version", pnpm!("LOEi", "save-prod save-dev save-optional save-exact save-peer latest interactive workspace config no-save")).obeys().more(operands::others::operands),
    program("pnpm publish|pnpm unpublish|pnpm deprecate|pnpm login|pnpm logout|pnpm dist-tag|pnpm owner|pnpm access|pnpm token|pnpm profile", pnpm!("", "")).itself(Effect::Changes),
    program("yarn", "hsv. cwd:# use-yarnrc:* modules-folder:> cache-folder:> mutex: registry:# script-shell:! preferred-cache-folder:> silent verbose json offline prefer-offline non-interactive no-progress ignore-scripts ignore-engines ignore-platform ignore-optional frozen-lockfile immutable immutable-cache check-files inline-builds mode: production pure-lockfile no-lockfile flat force# network-timeout: network-concurrency: emoji? help. version.").starts(Sub).operands(Operands::Sub).obeys().more(operands::others::packages),
    program("yarn exec", "- silent verbose").starts(Either),
    program("yarn dlx", "p:#q package:# quiet").starts(Words),
    program("yarn run|yarn test|yarn start|yarn build|yarn lint", "T:sB inspect? inspect-brk? require:! silent top-level binaries-only").operands(Operands::Project).obeys(),
    program("yarn workspace|yarn workspaces|yarn ws", "").starts(By(chains::yarn_workspace)).operands(Operands::Project).stops(1).obeys(),
    program("yarn node", "-").itself(Effect::Code),
    program("yarn list|yarn ls|yarn info|yarn why|yarn outdated|yarn licenses|yarn versions|yarn bin|yarn help|yarn check|yarn search", "AR all recursive json depth: pattern: production peers name-only virtuals dependents cache fields: manifest extra: verbose silent integrity verify-tree groups: level: cwd:#").operands(Operands::Text),
    program("yarn audit", "- level: groups: json summary severity: environment: all recursive exclude: ignore: no-deprecations").operands(Operands::Nothing),
    program("yarn npm|yarn config|yarn cache|yarn plugin|yarn constraints|yarn global", "").operands(Operands::Sub),
    program("yarn npm audit|yarn npm info|yarn npm whoami|yarn config get|yarn config list|yarn cache dir|yarn cache list|yarn plugin list|yarn constraints query", "AR all recursive environment: json severity: no-deprecations exclude: ignore: fields: verbose why no-defaults").operands(Operands::Text),
    program("yarn npm publish|yarn npm login|yarn npm logout|yarn npm tag|yarn config set|yarn config unset|yarn config delete|yarn cache clean|yarn cache clear|yarn plugin import|yarn plugin remove|yarn global add|yarn global remove|yarn global upgrade|yarn publish|yarn login|yarn logout|yarn owner|yarn tag|yarn team|yarn policies|yarn set|yarn self-update", "").itself(Effect::Changes),
    program("bun", "c:*r:!e:&p:&bihv. config:* cwd:# env-file:* preload:! eval:& print:& require:! import:! shell:! install:# prefer-offline prefer-latest watch hot smol silent bun if-present filter: F: no-clear-screen inspect? inspect-wait? inspect-brk? revision. help. version.").starts(Sub).operands(Operands::Sub).stops(1).power(RunsCode).interprets(),
    program("bun x", "- package:# bun silent verbose no-install").starts(Words),
    program("bun exec", "-").starts(First),
    program("bun run|bun start", "bF:ir:!c:* config:* cwd:# env-file:* preload:! require:! import:! shell:! define:& loader: conditions: watch hot smol silent bun if-present filter: no-clear-screen workspaces parallel sequential").starts(By(chains::project_or_exec)).operands(Operands::Project).stops(1).obeys(),
    program("bun test", "t:u>r:!c:* config:* cwd:# env-file:* preload:! require:! timeout: update-snapshots> rerun-each: only todo coverage coverage-reporter: coverage-dir:> bail? test-name-pattern: reporter: reporter-outfile:> concurrent randomize seed: max-concurrency: dots only-failures pass-with-no-tests path-ignore-patterns: watch hot smol silent").operands(Operands::Project).more(operands::outside).obeys(),
    program("bun outdated|bun why|bun info|bun audit", "F:pr filter: production json audit-level: ignore: top depth: silent verbose").operands(Operands::Text),
    program("bun add|bun a|bun install|bun i|bun remove|bun rm|bun update|bun link|bun unlink", "c:*dDEf#F:g#hpry config:* cwd:# registry:# global# force# trust# ca:# cafile:# cache-dir:> no-verify# backend: concurrent-scripts: cpu: os: dev development optional peer exact latest interactive recursive filter: omit: only-missing analyze linker: lockfile-only frozen-lockfile save save-text-lockfile no-save no-cache no-progress no-summary network-concurrency: minimum-release-age: dry-run ignore-scripts production yarn quiet silent verbose help.").itself(Effect::Changes).obeys().more(operands::others::operands),
    program("bun pm", "").operands(Operands::Sub),
    program("bun pm ls|bun pm list|bun pm bin|bun pm hash|bun pm hash-string|bun pm hash-print|bun pm whoami|bun pm untrusted|bun pm view|bun pm why|bun pm default-trusted", "ag# all json").operands(Operands::Text),
    program("bun pm cache|bun pm trust|bun pm pack|bun pm migrate|bun pm version|bun pm pkg|bun publish|bun upgrade", "").itself(Effect::Changes),
    program("deno", "L:qV. log-level: quiet unstable version. help.").starts(Sub).operands(Operands::Sub).power(RunsCode).interprets(),
    program("deno add|deno install|deno i|deno remove|deno uninstall", "A!Df#g#hn:qr? allow-all! allow-scripts?! cert:# config:* dev entrypoint# env-file?* force# frozen? global# import-map:* jsr lock:* lockfile-only name: no-config no-lock no-npm no-remote node-modules-dir? npm preload:! reload? require:! root:> save-exact vendor? log-level: unstable quiet help.").itself(Effect::Changes).obeys().more(operands::others::operands),
    program("deno eval|deno repl", "-").itself(Effect::Code),
    program("deno test|deno bench", "A!c:* allow-all! allow-run?! allow-ffi?! config:* import-map:* lock:* preload:! require:! cert:#").operands(Operands::Project).itself(Effect::Code).more(operands::outside).obeys().open(),
    program("deno task", "c:*f:rqx cwd:# config:* filter: recursive eval^ unstable quiet").starts(By(chains::scripts_in_first)).operands(Operands::Project).obeys(),
    program("deno fmt|deno lint", "c:*q check fix> watch? config:* ext: ignore: indent-width: line-width: prose-wrap: single-quote use-tabs no-semicolons json compact rules rules-tags: rules-include: rules-exclude: rules? permit-no-files quiet log-level:").obeys(),
    program("deno check|deno info|deno doc|deno types|deno lsp|deno outdated|deno why", "c:*qr? config:* import-map:* lock:* cert:# all remote json private lint html> output:> name: no-check? no-remote no-npm node-modules-dir? quiet reload? recursive compatible update> latest log-level:").operands(Operands::Reads).obeys(),

    // Python.
    program("pip|python -m pip", pip!("i:#t:>", "")).starts(Sub).operands(Operands::Sub),
    program("pip list|pip freeze|pip inspect", pip!("ouelr:<i:#f:#", "outdated uptodate editable local user path: pre format: not-required exclude-editable include-editable exclude: all requirement:<")).operands(Operands::Nothing),
    program("pip show|pip check|pip help|pip search|pip index", pip!("fi:#", "files platform: python-version: implementation: abi: no-binary: only-binary: json ignore-requires-python")).operands(Operands::Text),
    program("pip hash", pip!("a:", "algorithm:")).operands(Operands::Reads),
    program("pip config|pip cache", pip!("", "editor:! global user site")).operands(Operands::Sub),
    program("pip config list|pip config get|pip config debug|pip cache dir|pip cache info|pip cache list", pip!("", "editor:! global user site format: abspath")).operands(Operands::Text),
    program("pip config set|pip config unset|pip config edit|pip cache remove|pip cache purge", pip!("", "")).itself(Effect::Changes),
    program("pip install|pip download|pip wheel|pip uninstall|pip lock", pip!("r:<c:<e:Ui:#f:#t:>d:>w:>by", "requirement:< constraint:< no-deps editable: dry-run platform: python-version: implementation: abi: user upgrade upgrade-strategy: force-reinstall ignore-installed ignore-requires-python no-build-isolation use-pep517 check-build-dependencies break-system-packages compile no-compile no-warn-script-location no-warn-conflicts no-binary: only-binary: prefer-binary require-hashes progress-bar: root-user-action: report:> no-clean group: dest:> wheel-dir:> yes output:>")).more(operands::others::requirements),
    program("uv", "hnqvi:# cache-dir:> color: config-file:* directory:# project:# allow-insecure-host:# offline no-cache no-config no-progress no-python-downloads managed-python no-managed-python quiet verbose native-tls help. version. python:! log:> index-url:# extra-index-url:# find-links:# target:> prefix:> root:>").starts(Sub).operands(Operands::Sub).obeys().more(operands::others::packages),
    program("uvx", "c:<hi:#f:#np:#qvw:#C:! from:# with:# with-editable:# with-requirements:# constraints:# overrides:# python:# index:# index-url:# default-index:# extra-index-url:# find-links:# config-file:* directory:# env-file:* refresh isolated offline no-cache no-config no-progress quiet verbose help. version.").starts(Words),
    program("uv tool|uv python|uv pip|uv cache|uv self", "hqv quiet verbose offline color: no-progress no-cache no-config directory:# config-file:* help.").starts(Sub).operands(Operands::Sub),
    program("uv pip list|uv pip freeze|uv pip tree|uv pip show|uv pip check", "hqvep:# editable exclude-editable exclude: format: outdated python:# system strict depth: prune: package: invert no-dedupe show-version-specifiers show-sizes files target:< prefix:< index:# index-url:# default-index:# extra-index-url:# find-links:# offline color: no-progress no-cache no-config quiet verbose directory:# help.").operands(Operands::Text),
    program("uv pip install|uv pip uninstall|uv pip sync|uv pip compile", pip!("r:<c:<e:Ui:#f:#o:>p:#t:>b", "requirement:< requirements:< constraint:< constraints:< build-constraint:< build-constraints:< override:< overrides:< exclude:< no-deps editable: group: extra: all-extras dry-run system# break-system-packages# upgrade upgrade-package: reinstall reinstall-package: resolution: prerelease: exclude-newer: link-mode: no-build no-build-isolation no-binary: only-binary: require-hashes verify-hashes strict exact compile-bytecode python-version: python-platform: config-settings-package:# torch-backend: default-index:# index:# output-file:> refresh offline color: no-cache no-config no-progress directory:# project:# native-tls")).itself(Effect::Changes).more(operands::others::requirements),
    program("uv python list|uv python find|uv python dir|uv tool list|uv tool dir|uv cache dir|uv self version", "hqv all-versions all-platforms all-arches only-downloads only-installed show-urls show-paths show-version-specifiers show-with show-extras show-python show-version outdated output-format: bin no-project system quiet verbose offline color: no-progress no-cache no-config directory:# help.").operands(Operands::Text),
    program("uv tree|uv version|uv help", "hqvd: depth: prune: package: no-dedupe invert outdated show-sizes universal only-group: group: no-group: no-dev only-dev all-groups locked frozen output-format: short dry-run bump:# script:< python-platform: python:# directory:# config-file:* offline color: no-progress no-cache no-config quiet verbose help.").operands(Operands::Nothing),
    program("uv sync|uv lock|uv export", "hqvUP:o:> output-file:> extra: all-extras no-extra: no-dev only-dev group: no-group: no-default-groups only-group: all-groups no-editable inexact active no-install-project no-install-workspace no-install-package: locked frozen dry-run check all-packages package: script:< format: no-header no-annotate no-hashes no-emit-project prune: upgrade upgrade-package: reinstall reinstall-package: resolution: prerelease: exclude-newer: link-mode: index:# index-url:# default-index:# extra-index-url:# find-links:# python:# python-platform: config-setting:! no-build-isolation build-isolation refresh offline color: no-progress no-cache no-config quiet verbose directory:# help.").operands(Operands::Nothing).obeys(),
    program("uv run", "C:hi:f:m;np:P:qsvw: active all-extras all-groups all-packages cache-dir: color: config-file: config-setting: default-index: directory:@ env-file: exact extra: extra-index-url: find-links: frozen group: index: index-strategy: index-url: isolated locked module; no-cache no-config no-default-groups no-dev no-editable no-env-file no-extra: no-group: no-index no-project no-progress no-sync offline only-dev only-group: package: project: python: quiet refresh reinstall script resolution: upgrade verbose with: with-editable: with-requirements: help.").starts(Words),
    program("uv tool run", "p:qvw: from: with: with-editable: with-requirements: python: index: index-url: default-index: extra-index-url: isolated offline quiet verbose help.").starts(Words),
    program("poetry|pipenv|bundle|bundler|hatch|pdm|rye|rbenv|pyenv|nodenv|conda|mamba|micromamba|pixi|opam|stack|cabal|doppler|op|infisical|volta|fnm|dotenvx|rvm", "C:@e:n:p:qsv directory:@ project: env: environment: name: prefix: config: cwd:@ quiet verbose no-interaction no-ansi help. version.").starts(Sub).operands(Operands::Sub).obeys().more(operands::others::packages),
    program("asdf|devbox|pipx|mise", "C:@e:n:p:qsv directory:@ project: env: environment: name: prefix: config: cwd:@ quiet verbose no-interaction no-ansi help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers).obeys().more(operands::others::packages),
    program("poetry run|poetry exec|poetry x", "C:c:$e:E:f:n:p:qsv command:$ cwd:@ cd:@ env: environment: env-file: project: name: prefix: config: gemfile: node: npm: yarn: spec: keep-file-descriptors live-stream no-capture-output quiet silent raw verbose package: python: using: switch: help.").starts(Dashes),
    program("asdf run|asdf exec|asdf x", "C:c:$e:E:f:n:p:qsv command:$ cwd:@ cd:@ env: environment: env-file: project: name: prefix: config: gemfile: node: npm: yarn: spec: keep-file-descriptors live-stream no-capture-output quiet silent raw verbose package: python: using: switch: help.").starts(Dashes).power(StartsOthers),
    program("direnv|rustup|aws-vault|chamber|nvm|sops", "hqv quiet verbose debug backend: prompt: help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers),
    program("direnv exec|direnv run", "d:nb:k:v install duration: no-session region: silent stdout ecs-server ec2-server server").starts(Dashes).skip(1).again(),
    program("direnv exec-env|direnv exec-file", "- background pristine user:").starts(First).skip(1),
    program("nix-shell", "A:E:I:i:;p attr: arg: argstr: run:$ command:$ keep: packages pure").power(StartsOthers),
    program("nix", "").starts(By(after::nix)).power(StartsOthers).obeys(),
    program("poetry show|poetry list|poetry info|poetry search|poetry outdated|poetry versions|poetry which|poetry whence|poetry tree|poetry current|poetry prefix|poetry root|poetry doctor|poetry shims|poetry commands|poetry ls|poetry ls-remote|poetry list-all|poetry platform", "aefjlnotTvVwq all json tree latest outdated only-outdated with: without: only: top-level no-truncate why envs system base name-only name: paths path full names versions bare short long strict parseable filter-major filter-minor filter-patch only-explicit groups group: no-interaction no-ansi no-color quiet verbose explicit revisions export canonical show-channel-urls fields: freeze csv markdown graph reverse installed help.").operands(Operands::Text),
    program("poetry version|poetry check|poetry about|poetry graph", "snq short strict lock dry-run no-interaction no-ansi bare json help.").operands(Operands::Nothing),
    program("poetry env|poetry cache|poetry source|poetry toolchain|poetry plugins|poetry plugin", "").operands(Operands::Sub),
    program("poetry env list|poetry env info|poetry cache list|poetry source show|poetry plugin list|poetry plugins ls", "peq full-path path executable json no-interaction no-ansi").operands(Operands::Text),
    program("poetry env remove|poetry env use|poetry cache clear|poetry source add|poetry source remove|poetry publish|poetry config|poetry self|poetry login|poetry logout", "").itself(Effect::Changes),
    program("direnv show|direnv which|direnv whence|direnv ls|direnv list|direnv current|direnv version|direnv version-remote|direnv ls-remote|direnv status|direnv check", "vqj json verbose quiet no-colors no-alias lts installed profiles toolchain: no-self-update").operands(Operands::Text),
    program("direnv toolchain|direnv target|direnv component|direnv override|direnv set|direnv self|direnv alias", "vq").operands(Operands::Sub),
    program("direnv toolchain list|direnv target list|direnv component list|direnv override list", "vq verbose quiet installed toolchain:").operands(Operands::Nothing),
    program("direnv toolchain install|direnv toolchain uninstall|direnv toolchain link|direnv target add|direnv target remove|direnv component add|direnv component remove|direnv override set|direnv override unset|direnv self update|direnv self uninstall|direnv set profile|direnv default|direnv allow|direnv permit|direnv grant|direnv edit", "").itself(Effect::Changes),

    // Ruby, PHP.
    program("gem", "C:*vh config-file:* norc backtrace debug silent quiet verbose version. help.").operands(Operands::Sub).more(operands::others::packages),
    program("gem list|gem search|gem outdated|gem info|gem environment|gem env|gem dependency|gem which|gem contents|gem specification|gem query|gem help|gem sources|gem check|gem stale", "abCc:*deilprRsu:#v: add:# append:# prepend:# clear-all# remove:# update# all both local remote details versions exact installed prerelease platform: version: source:# http-proxy:# bulk-threshold: config-file:* reverse-dependencies pipe gems-first all-versions spec-dir: lib-only prefix ruby yaml marshal list quiet verbose silent").operands(Operands::Text),
    program("composer", "d:#hnqvV. working-dir:# no-interaction no-plugins no-scripts no-cache profile quiet verbose ansi no-ansi version. help.").starts(Sub).operands(Operands::Sub).obeys().more(operands::others::packages),
    program("composer exec", "ld:#nqv list. working-dir:# no-interaction quiet verbose").starts(Words),
    program("composer show|composer info|composer outdated|composer why|composer why-not|composer depends|composer prohibits|composer licenses|composer search|composer suggests|composer fund|composer audit|composer check-platform-reqs|composer diagnose|composer validate|composer status|composer about|composer list|composer help", "aDd:#f:hiHlmNnopPqrstTvVA all locked platform available self name-only path tree latest outdated ignore: major-only minor-only patch-only sort-by-age direct strict format: no-dev only-name only-vendor type: recursive by-package by-suggestion list abandoned: no-check-all no-check-lock no-check-publish no-check-version with-dependencies installed working-dir:# no-interaction no-plugins no-scripts no-cache profile quiet verbose ansi no-ansi").operands(Operands::Text).obeys(),
    program("composer run|composer run-script|composer test|composer lint|composer check|composer format", "ld:#nqv list timeout: dev no-dev working-dir:# no-interaction quiet verbose").operands(Operands::Project).obeys(),
    program("composer global|composer config|composer self-update|composer selfupdate", "").itself(Effect::Changes),

    // Package managers of the operating system.
    program("brew", "dhqv version. help. cache. cellar. prefix. repository. repo. env. caskroom.").starts(Sub).operands(Operands::Sub).more(operands::others::packages),
    program("brew sh|brew irb|brew ruby|brew edit|brew bundle|brew developer|brew services|brew tap|brew untap|brew analytics", "").itself(Effect::Changes),
    program("brew list|brew ls|brew info|brew abv|brew search|brew outdated|brew deps|brew uses|brew leaves|brew desc|brew home-page|brew config|brew doctor|brew dr|brew missing|brew options|brew casks|brew formulae|brew commands|brew tap-info|brew which-formula|brew prefix|brew log-names|brew help", "1dfgjlnprqtsv all analytics cask casks days: category: declared deps direct dot eval-all fetch-HEAD for-each formula formulae full-name full github graph greedy greedy-auto-updates greedy-latest include-build include-optional include-requirements include-test installed installed-as-dependency installed-on-request json? json-v1 minimum-version: missing multiple name only-outdated pinned recursive sizes skip-recommended topological tree union unbrewed verbose quiet debug versions").operands(Operands::Text),
    program("apt|apt-get|apt-cache|aptitude", "c:*o:#a:t:#dfhqsv.Vym config-file:* option:# target-release:# default-release:# simulate just-print dry-run recon no-act quiet assume-no yes assume-yes version. help.").operands(Operands::Sub),
    program("apt list|apt show|apt search|apt policy|apt depends|apt rdepends|apt showpkg|apt showsrc|apt pkgnames|apt madison|apt dump|apt dumpavail|apt stats|apt unmet|apt dotty|apt xvcg|apt changelog|apt why|apt why-not|apt versions|apt moo|apt check|apt indextargets", "ac:*fgino:#qsvVt:# config-file:* option:# names-only full installed upgradable upgradeable manual-installed all-versions all-names recurse important pre-depends depends recommends suggests breaks conflicts enhances replaces implicit installed generate no-generate print-uris quiet verbose").operands(Operands::Text),
    program("apt install|apt remove|apt purge|apt autoremove|apt auto-remove|apt autopurge|apt update|apt upgrade|apt full-upgrade|apt dist-upgrade|apt reinstall|apt build-dep|apt satisfy|apt edit-sources|apt clean|apt autoclean|apt auto-clean|apt source|apt download|apt markauto|apt unmarkauto|apt dselect-upgrade|apt modernize-sources", "c:*o:#a:#bdfhmqst:#uVyP: config-file:* option:# target-release:# default-release:# allow-downgrades# allow-remove-essential# allow-change-held-packages# allow-unauthenticated# allow-insecure-repositories# force-yes# host-architecture:# root:# simulate just-print dry-run recon no-act download-only fix-broken fix-missing ignore-missing quiet yes assume-yes assume-no no-install-recommends install-recommends no-install-suggests install-suggests only-upgrade no-upgrade reinstall no-remove purge autoremove auto-remove show-progress verbose-versions print-uris").itself(Effect::Changes).more(operands::others::operands),
    program("apt-mark", "c:*f:o:# config-file:* option:#").operands(Operands::Sub),
    program("apt-mark showauto|apt-mark showmanual|apt-mark showhold|apt-mark showinstall|apt-mark showremove|apt-mark showpurge", "").operands(Operands::Text),
    program("dpkg|dpkg-query", "i#r#P#b>B:#l.L.s.S.p.V.C.D:GOROa.c.e>x>X>f.I.W.h. install# unpack# configure# triggers-only# remove# purge# add-architecture:# remove-architecture:# merge-avail:# update-avail:# clear-avail# forget-old-unavail# set-selections# clear-selections# pre-invoke:! post-invoke:! path-exclude: path-include: root:# instdir:# admindir:# force-all# build> extract> control> vextract> raw-extract> no-act simulate dry-run list listfiles status search print-avail get-selections audit verify print-architecture print-foreign-architectures compare-versions contents info field show showformat: control-list control-path control-show load-avail no-pager version. help.").operands(Operands::UnpacksTo).kind(kinds::dpkg),
    program("rpm|rpmquery", "i#U#F#e#V?q?aflpcdRvh. install# upgrade# freshen# erase# import# initdb# rebuilddb# restore# reinstall# define:! eval:& load:* rcfile:* pipe:! macros:* root:# dbpath:# query all file list configfiles docfiles requires provides changelog scripts info queryformat: qf: state last package verify verbose version. help.").operands(Operands::Text),
    program("pacman", "S#R#U#D#QFTVhiloqsetdukmngp sync# remove# upgrade# database# root:# dbpath:# config:* hookdir:! cachedir:> query files deptest search info list owns deps explicit unrequired upgrades quiet check foreign native groups file color: version help").operands(Operands::Text),
    program("dnf|yum|microdnf|zypper|apk|pkg|port|emerge|choco|scoop|winget|swupd|eopkg", "c:*qvy assumeno quiet verbose version. help.").operands(Operands::Sub).more(operands::others::packages),
    program("dnf list|dnf info|dnf search|dnf repolist|dnf provides|dnf whatprovides|dnf repoquery|dnf check-update|dnf deplist|dnf history|dnf query|dnf show|dnf policy|dnf installed|dnf contents|dnf which|dnf version", "ailqrsuv all installed available updates upgrades extras obsoletes recent showduplicates quiet verbose installed-only exact match-exact details").operands(Operands::Text),
];
