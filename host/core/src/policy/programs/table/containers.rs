//! Containers.

use super::super::power::Power::StartsOthers;
use super::super::row::Starts::{Dashes, Sub, Words};
use super::super::row::{Operands, Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("docker|podman|nerdctl", "c:DH:l:v. config: context: debug host: log-level: tls tlscacert: tlscert: tlskey: tlsverify? namespace: address: help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers).obeys(),
    program("docker container", "").starts(Sub).operands(Operands::Sub),
    program("docker exec|docker container exec", "de:itu:w:@ detach detach-keys: env: env-file: interactive privileged tty user: workdir:@ latest help.").starts(Words).skip(1),
    program("docker run|docker create|docker container run|docker container create", "a:c:de:h:il:m:p:Pqtu:v:w:@ add-host: annotation: arch: attach: authfile: blkio-weight: blkio-weight-device: cap-add: cap-drop: cgroup-parent: cgroupns: cgroups: cidfile: conmon-pidfile: cpu-count: cpu-percent: cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: cpu-shares: cpus: cpuset-cpus: cpuset-mems: detach detach-keys: device: device-cgroup-rule: device-read-bps: device-read-iops: device-write-bps: device-write-iops: disable-content-trust dns: dns-option: dns-search: domainname: entrypoint:+ env: env-file: expose: gpus: group-add: health-cmd:$ health-interval: health-retries: health-start-period: health-timeout: hostname: init interactive ip: ip6: ipc: isolation: kernel-memory: label: label-file: link: link-local-ip: log-driver: log-opt: mac-address: memory: memory-reservation: memory-swap: memory-swappiness: mount: name: network: network-alias: no-healthcheck no-hosts oom-kill-disable oom-score-adj: os: pid: pids-limit: platform: pod: privileged publish: publish-all pull: quiet read-only replace restart: rm runtime: secret: security-opt: shm-size: sig-proxy stop-signal: stop-timeout: storage-opt: subgidname: subuidname: sysctl: systemd: tmpfs: tty tz: ulimit: umask: user: userns: uts: volume: volume-driver: volumes-from: workdir:@ help.").starts(Words).skip(1),
    program("docker compose|docker-compose|podman-compose", "f:p:v. all-resources ansi: compatibility dry-run env-file: file: parallel: profile: progress: project-directory: project-name: help. version.").starts(Sub).operands(Operands::Sub).obeys(),
    program("docker compose exec", "de:iTtu:w:@ detach env: index: interactive? no-tty no-TTY privileged tty user: workdir:@ dry-run help.").starts(Words).skip(1),
    program("docker compose run", "de:iTl:p:Pqu:v:w:@ build cap-add: cap-drop: detach dry-run entrypoint:+ env: env-from-file: interactive? label: name: no-TTY no-deps publish: pull: quiet quiet-build quiet-pull remove-orphans rm service-ports use-aliases user: volume: workdir:@ help.").starts(Words).skip(1),
    program("kubectl|oc", "n:s:v:f:l:o: as: as-group: cache-dir: certificate-authority: client-certificate: client-key: cluster: context: kubeconfig:* namespace: request-timeout: server: token: user: insecure-skip-tls-verify help. output: selector:").starts(Sub).operands(Operands::Sub).power(StartsOthers),
    program("kubectl exec", "c:f:in:qt container: filename: namespace: pod-running-timeout: quiet stdin tty context: cluster: kubeconfig: help.").starts(Dashes).skip(1).again(),
    program("kubectl run|kubectl debug", "c:f:il:n:qt attach command annotations: container: copy-to: dry-run? env: expose filename: image: image-pull-policy: labels: namespace: override-type: overrides: pod-running-timeout: port: privileged profile: quiet restart: rm same-node set-image: share-processes stdin target: tty context: help.").starts(Dashes).skip(1).again(),
    program("helm", "f:n: post-renderer:! kubeconfig:* plugins:! registry-config:* repository-config:* output-dir:>"),
];
