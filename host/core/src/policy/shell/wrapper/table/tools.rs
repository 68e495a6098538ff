//! Developers' tools: containers, git, and the ones that run a program of a project.

use super::super::{after, git};
use super::Rest::{By, Dashes, First, Joined, Nothing, Sub, Words};
use super::{Row, guarded};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    guarded("docker|podman|nerdctl", "c:DH:l:v! config: context: debug host: log-level: tls tlscacert: tlscert: tlskey: tlsverify? namespace: address: help! version!", Sub),
    guarded("docker container", "", Sub),
    guarded("docker exec|docker container exec", "de:itu:w:@ detach detach-keys: env: env-file: interactive privileged tty user: workdir:@ latest help!", Words).skip(1),
    guarded("docker run|docker create|docker container run|docker container create", "a:c:de:h:il:m:p:Pqtu:v:w:@ add-host: annotation: arch: attach: authfile: blkio-weight: blkio-weight-device: cap-add: cap-drop: cgroup-parent: cgroupns: cgroups: cidfile: conmon-pidfile: cpu-count: cpu-percent: cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: cpu-shares: cpus: cpuset-cpus: cpuset-mems: detach detach-keys: device: device-cgroup-rule: device-read-bps: device-read-iops: device-write-bps: device-write-iops: disable-content-trust dns: dns-option: dns-search: domainname: entrypoint:+ env: env-file: expose: gpus: group-add: health-cmd:$ health-interval: health-retries: health-start-period: health-timeout: hostname: init interactive ip: ip6: ipc: isolation: kernel-memory: label: label-file: link: link-local-ip: log-driver: log-opt: mac-address: memory: memory-reservation: memory-swap: memory-swappiness: mount: name: network: network-alias: no-healthcheck no-hosts oom-kill-disable oom-score-adj: os: pid: pids-limit: platform: pod: privileged publish: publish-all pull: quiet read-only replace restart: rm runtime: secret: security-opt: shm-size: sig-proxy stop-signal: stop-timeout: storage-opt: subgidname: subuidname: sysctl: systemd: tmpfs: tty tz: ulimit: umask: user: userns: uts: volume: volume-driver: volumes-from: workdir:@ help!", Words).skip(1),
    guarded("docker compose|docker-compose|podman-compose", "f:p:v! all-resources ansi: compatibility dry-run env-file: file: parallel: profile: progress: project-directory: project-name: help! version!", Sub),
    guarded("docker compose exec", "de:iTtu:w:@ detach env: index: interactive? no-tty no-TTY privileged tty user: workdir:@ dry-run help!", Words).skip(1),
    guarded("docker compose run", "de:iTl:p:Pqu:v:w:@ build cap-add: cap-drop: detach dry-run entrypoint:+ env: env-from-file: interactive? label: name: no-TTY no-deps publish: pull: quiet quiet-build quiet-pull remove-orphans rm service-ports use-aliases user: volume: workdir:@ help!", Words).skip(1),
    guarded("kubectl|oc", "n:s:v: as: as-group: cache-dir: certificate-authority: client-certificate: client-key: cluster: context: kubeconfig: namespace: request-timeout: server: token: user: insecure-skip-tls-verify help!", Sub),
    guarded("kubectl exec", "c:f:in:qt container: filename: namespace: pod-running-timeout: quiet stdin tty context: cluster: kubeconfig: help!", Dashes).skip(1).again(),
    guarded("kubectl run|kubectl debug", "c:f:il:n:qt attach command annotations: container: copy-to: dry-run? env: expose filename: image: image-pull-policy: labels: namespace: override-type: overrides: pod-running-timeout: port: privileged profile: quiet restart: rm same-node set-image: share-processes stdin target: tty context: help!", Dashes).skip(1).again(),

    guarded("git", "c:=C:@pPh!v! git-dir:@ work-tree:@ namespace: exec-path? super-prefix: config-env:* attr-source: list-cmds: paginate no-pager bare html-path! man-path! info-path! no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs help! version!", By(git::git)),
    guarded("git bisect", "", Sub),
    guarded("git submodule", "q quiet", Sub),
    guarded("git bisect run", "", Words),
    guarded("git submodule foreach", "q quiet recursive", Joined),
    guarded("git rebase", "s:X:x:$ exec:$", Nothing),
    guarded("git difftool", "t:x:$ extcmd:$", Nothing),
    guarded("git clone", "b:c:=j:o:u:$ config:= upload-pack:$ branch: depth: origin: reference:", By(git::settings)).permutes(),
    guarded("git fetch|git pull|git ls-remote|git fetch-pack", "- upload-pack:$ exec:$", Nothing),
    guarded("git push|git send-pack|git archive", "- receive-pack:$ exec:$", Nothing),
    guarded("git grep", "A:B:C:e:f:m:O?$ open-files-in-pager?$", Nothing),
    guarded("git send-email", "- sendmail-cmd:$ to-cmd:$ cc-cmd:$ header-cmd:$", Nothing),
    guarded("git filter-branch", "fd: setup:$ env-filter:$ tree-filter:$ index-filter:$ parent-filter:$ msg-filter:$ commit-filter:$ tag-name-filter:$", Nothing),
    guarded("git config", "ef:t: file: type: default: blob:", By(git::config)).permutes(),

    guarded("npx|bunx|pnpx|uvx", "c:$dhnp:qsv!y call:$ package: from: with: with-editable: python: index: index-url: default-index: extra-index-url: refresh isolated offline yes no no-install ignore-existing prefer-offline prefer-online quiet silent shell: node-arg: workspace: workspaces help! version!", Words),
    guarded("npm|pnpm|yarn", "C:@Fdhqrsw:v! prefix: workspace: workspaces loglevel: silent quiet dir:@ cwd:@ filter: recursive color? help! version!", Sub),
    guarded("npm exec|npm x|npm dlx", "c:$p:qrw:y call:$ package: yes no quiet silent workspace: workspaces recursive parallel allow-build: shell-mode", Dashes),
    guarded("npm explore", "-", Dashes).skip(1).again(),
    guarded("bun", "c:r: config: cwd:@ env-file: preload: silent bun", Sub),
    guarded("bun x", "- bun silent verbose package:", Words),
    guarded("bun exec", "-", First),
    guarded("deno", "L:qV! log-level: quiet version! help!", Sub),
    guarded("uv", "hnqv cache-dir: color: config-file: directory:@ project: offline no-cache no-config no-progress quiet verbose native-tls help! version!", Sub),
    guarded("uv run", "C:hi:f:m*np:P:qsvw: active all-extras all-groups all-packages cache-dir: color: config-file: config-setting: default-index: directory:@ env-file: exact extra: extra-index-url: find-links: frozen group: index: index-strategy: index-url: isolated locked module* no-cache no-config no-default-groups no-dev no-editable no-env-file no-extra: no-group: no-index no-project no-progress no-sync offline only-dev only-group: package: project: python: quiet refresh reinstall script resolution: upgrade verbose with: with-editable: with-requirements: help!", Words),
    guarded("uv tool", "q quiet", Sub),
    guarded("uv tool run", "p:qvw: from: with: with-editable: with-requirements: python: index: index-url: default-index: extra-index-url: isolated offline quiet verbose help!", Words),
    guarded("poetry|pipenv|bundle|rye|hatch|pdm|rbenv|pyenv|nodenv|asdf|mise|conda|mamba|micromamba|pixi|opam|stack|cabal|doppler|op|infisical|devbox|volta|fnm|pipx|dotenvx|rvm", "C:@e:n:p:qsv directory:@ project: env: environment: name: prefix: config: cwd:@ quiet verbose no-interaction no-ansi help! version!", Sub),
    guarded("poetry run|poetry exec|poetry x", "C:c:$e:E:f:n:p:qsv command:$ cwd:@ cd:@ env: environment: env-file: project: name: prefix: config: gemfile: node: npm: yarn: spec: keep-file-descriptors live-stream no-capture-output quiet silent raw verbose package: python: using: switch: help!", Dashes),
    guarded("direnv|rustup|aws-vault|chamber|nvm|sops", "hqv quiet verbose debug backend: prompt: help! version!", Sub),
    guarded("direnv exec|direnv run", "d:nb:k:v install duration: no-session region: silent stdout ecs-server ec2-server server", Dashes).skip(1).again(),
    guarded("direnv exec-env|direnv exec-file", "- background pristine user:", First).skip(1),
    guarded("cargo", "C:@qvZ: config: color: frozen locked offline quiet verbose list! version! help! explain:!", Sub),
    guarded("cargo watch", "B:C:@cd:E:i:qs:$w:x: shell:$ exec: ignore: watch: delay: env: features: use-shell: workdir:@", Nothing),
    guarded("nix-shell", "A:E:I:i:*p attr: arg: argstr: run:$ command:$ keep: packages pure", Nothing),
    guarded("nix", "", By(after::nix)),
];
