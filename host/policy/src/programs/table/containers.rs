//! Rows of Docker and of the programs with the same command line.

use super::super::escape::Effect;
use super::super::operands::Operands;
use super::super::power::Power::StartsOthers;
use super::super::row::Starts::{Sub, Words};
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("docker|podman|nerdctl", "c:#DH:#l:n:#v. config:* context:# debug host:# log-level: tls# tlscacert:# tlscert:# tlskey:# tlsverify# namespace:# address:# remote# url:# connection:# identity:# root:# runroot:# runtime:! hooks-dir:! conmon:! module:* out:> storage-driver: storage-opt: cgroup-manager: events-backend: syslog noout help. version.").starts(Sub).operands(Operands::Sub).power(StartsOthers).obeys(),

    // Listings.
    program("docker ps|docker container ls|docker container list|docker container ps", "af:hln:qspw: all external filter: format: last: latest no-trunc quiet size namespace ns noheading pod sort: sync watch: help").operands(Operands::Text),
    program("docker images|docker image ls|docker image list", "af:hnq all digests filter: format: history names no-trunc noheading quiet sort: tree help").operands(Operands::Text),
    program("docker logs|docker container logs", "fhln:t color details follow latest names since: tail: timestamps until: help").operands(Operands::Text),
    program("docker inspect|docker container inspect|docker image inspect|docker volume inspect|docker network inspect|docker plugin inspect|docker service inspect|docker node inspect|docker secret inspect|docker config inspect|docker context inspect", "af:hlst:v all format: latest mode: platform: pretty size type: verbose help").operands(Operands::Text),
    program("docker manifest inspect", "hv insecure verbose help").operands(Operands::Hosts),
    program("docker info|docker system info|docker version", "Df:hv debug format: verbose help").operands(Operands::Nothing),
    // After the name of the container come options of `ps`.
    program("docker top|docker container top", "").operands(Operands::Text),
    program("docker stats|docker container stats", "ahi:l all format: interval: latest no-reset no-stream no-trunc help").operands(Operands::Text),
    program("docker port|docker container port|docker diff|docker container diff|docker image tree", "af:hl all format: latest help").operands(Operands::Text),
    program("docker history|docker image history", "Hhq format: human no-trunc platform: quiet help").operands(Operands::Text),
    program("docker events|docker system events", "f:h filter: format: no-trunc since: stream until: help").operands(Operands::Nothing),
    program("docker search", "f:h authfile:* cert-dir:* creds:# tls-verify# compatible filter: format: limit: list-tags no-trunc help").operands(Operands::Text),
    program("docker wait|docker container wait", "hi:l condition: ignore interval: latest help").operands(Operands::Text),
    program("docker image exists|docker container exists|docker volume exists|docker network exists", "h external help").operands(Operands::Text),
    program("docker volume ls|docker volume list", "f:hnq cluster filter: format: noheading quiet size help").operands(Operands::Text),
    program("docker network ls|docker network list", "f:hnq filter: format: no-trunc noheading quiet help").operands(Operands::Text),
    program("docker plugin ls|docker service ls|docker service ps|docker node ls|docker node ps|docker stack ls|docker stack ps|docker stack services|docker secret ls|docker config ls", "f:hq filter: format: no-resolve no-trunc orchestrator: quiet help").operands(Operands::Text),
    program("docker service logs", "fhn:t details follow no-resolve no-task-ids no-trunc raw since: tail: timestamps help").operands(Operands::Text),
    program("docker pod ps|docker pod ls|docker pod list|docker pod inspect|docker pod top|docker pod stats|docker pod logs", "c:f:hlnqat color container: ctr-ids ctr-names ctr-status filter: follow format: label latest no-reset no-stream no-trunc noheading ns names quiet since: sort: tail: timestamps until: all help").operands(Operands::Text),
    program("docker context ls|docker context list|docker context show", "f:hq format: quiet help").operands(Operands::Nothing),
    program("docker system df", "f:hv format: verbose help").operands(Operands::Nothing),
    program("docker container", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker image", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker volume", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker network", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker plugin", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker service", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker node", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker stack", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker secret", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker config", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker manifest", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker context", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker system", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker builder", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker buildx", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker swarm", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker trust", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker checkpoint", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker pod", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker generate", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker play", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker kube", "h builder:# debug help").starts(Sub).operands(Operands::Sub),
    program("docker buildx ls|docker buildx du|docker buildx inspect|docker buildx version|docker builder du", "hv bootstrap# builder:# filter: format: no-trunc verbose timeout: help").operands(Operands::Text),
    program("docker buildx imagetools", "h help").operands(Operands::Sub),
    program("docker buildx imagetools inspect", "h raw format: help").operands(Operands::Hosts),

    // Running containers.
    program("docker exec|docker container exec", "de:hiltu:w:@ privileged# env-file:< detach detach-keys: env: interactive tty user: workdir:@ latest preserve-fds: help.").operands(Operands::Text).starts(Words).skip(1),
    program("docker run|docker create|docker container run|docker container create", "a:c:de:h:il:m:p:#P#qtu:v:#w:@ privileged# volume-driver:# volumes-from:# volume:# mount:# device-cgroup-rule:# device-read-bps: device-read-iops: device-write-bps: device-write-iops: device:# cap-add:# security-opt:# use-api-socket# pid:# ipc:# uts:# userns:# cgroupns:# network:# net:# publish-all# publish:# env-file:< label-file:< cidfile:> pidfile:> conmon-pidfile:> authfile:* runtime:! rootfs# env-host# gidmap:# uidmap:# hostuser:# init-path:! passwd-entry:# chrootdirs:# seccomp-policy: tls-verify# preserve-fds:# pod-id-file:< unsetenv: unsetenv-all http-proxy image-volume: env-merge: group-entry: health-on-failure: health-log-destination:> health-max-log-count: health-max-log-size: health-startup-cmd:$ passwd personality: read-only-tmpfs requires: rmi sdnotify: variant: cgroup-conf: add-host: annotation: arch: attach: blkio-weight-device: blkio-weight: cap-drop: cgroup-parent: cgroups: cpu-count: cpu-percent: cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: cpu-shares: cpuset-cpus: cpuset-mems: cpus: detach-keys: detach disable-content-trust# dns-option: dns-search: dns: domainname: entrypoint:+ env: expose: gpus: group-add: health-cmd:$ health-interval: health-retries: health-start-interval: health-start-period: health-timeout: hostname: init interactive io-maxbandwidth: io-maxiops: ip6: ip: isolation: kernel-memory: label: link-local-ip: link:# log-driver: log-opt: mac-address: memory-reservation: memory-swappiness: memory-swap: memory: name: network-alias: no-healthcheck no-hosts oom-kill-disable oom-score-adj: os: pids-limit: platform: pod: pull: quiet read-only replace~ restart: rm secret:# shm-size: sig-proxy stop-signal: stop-timeout: storage-opt: subgidname: subuidname: sysctl:# systemd: timeout: tmpfs: tty tz: ulimit: umask: user: workdir:@ help.").operands(Operands::Text).starts(Words).skip(1),
    program("docker attach|docker container attach", "hl detach-keys: latest no-stdin sig-proxy help").operands(Operands::Text),
    program("docker start|docker stop|docker restart|docker pause|docker unpause|docker kill|docker container start|docker container stop|docker container restart|docker container pause|docker container unpause|docker container kill", "af:hils:t: attach all checkpoint: checkpoint-dir:* cidfile:< detach-keys: filter: ignore interactive latest running signal: sig-proxy time: timeout: help").operands(Operands::Text),
    program("docker rename|docker update|docker container rename|docker container update", "c:hm:l blkio-weight: cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: cpu-shares: cpuset-cpus: cpuset-mems: cpus: memory-reservation: memory-swap: memory: pids-limit: restart: help").operands(Operands::Text),
    program("docker cp|docker container cp", "Lahq archive follow-link overwrite# pause quiet help").operands(Operands::Exchanges),
    program("docker rm|docker container rm|docker rmi|docker image rm|docker image remove|docker container remove", "aD~f~hilt:v~ all~ cidfile:< depend~ force~ volumes~ filter: ignore latest link no-prune platform: time: help").operands(Operands::Text),
    program("docker container prune|docker image prune|docker volume prune|docker network prune|docker builder prune|docker buildx prune|docker system prune|docker plugin rm|docker volume rm|docker network rm|docker service rm|docker stack rm|docker stack down|docker secret rm|docker config rm|docker context rm|docker node rm|docker buildx rm|docker volume remove|docker network remove", "afhq all build external filter: force keep-storage: max-used-space: min-free-space: reserved-space: volumes verbose help").operands(Operands::Text).itself(Effect::Deletes),

    // Images.
    program("docker build|docker image build|docker buildx build|docker buildx b|docker builder build", "D#c:f:<hlm:o:>qt:v:# output:> iidfile:> metadata-file:> cache-to:> logfile:> sign-by:# file:< ignorefile:< secret:# ssh:# build-context:# network:# allow:# security-opt:# cap-add:# device:# volume:# env:# authfile:* cert-dir:* creds:# hooks-dir:! runtime:! push# builder:# debug# unsetenv: add-host: annotation: arch: attest: all-platforms build-arg-file:< build-arg: cache-from: cache-ttl: cpp-flag: decryption-key:* disable-compression env-host# from: http-proxy identity-label ipc:# userns:# uts:# pid:# runtime-flag:! logsplit manifest: no-hosts omit-history os-feature: os-version: retry-delay: retry: skip-unused-stages tls-verify# userns-gid-map:# userns-uid-map:# variant: cap-drop: call: cgroup-parent: check compress cpu-period: cpu-quota: cpu-shares: cpuset-cpus: cpuset-mems: disable-content-trust# dns: force-rm format: isolation: jobs: label: layer-label: layers load memory-swap: memory: no-cache-filter: no-cache os: platform: policy: print: progress: provenance: pull quiet rm sbom: shm-size: squash-all squash stdin tag: target: timestamp: ulimit: help").operands(Operands::ReadsBelow),
    program("docker pull|docker image pull", "ahq authfile:* cert-dir:* creds:# decryption-key:* tls-verify# disable-content-trust# all-tags arch: os: platform: policy: quiet retry: variant: help").operands(Operands::Hosts),
    program("docker push|docker image push", "ahq authfile:* cert-dir:* creds:# digestfile:> encryption-key:* sign-by:# tls-verify# disable-content-trust# all-tags compress format: platform: quiet remove-signatures help").operands(Operands::Hosts),
    program("docker tag|docker image tag", "h help").operands(Operands::Text),
    program("docker login|docker logout", "ahp:u: authfile:* cert-dir:* tls-verify# secret:# compat-auth-file:* all get-login password: password-stdin username: verbose help").operands(Operands::Hosts).itself(Effect::Changes),
    program("docker commit|docker container commit", "a:c:f:hm:pqs: iidfile:> author: change: config: format: include-volumes message: pause quiet squash help").operands(Operands::Text),
    program("docker export|docker container export|docker save|docker image save", "hmo:>q output:> compress format: multi-image-archive platform: quiet uncompressed help").operands(Operands::Text),
    program("docker load|docker image load", "hi:<q input:< platform: quiet help").operands(Operands::Nothing),
    program("docker import|docker image import", "c:hm:q arch: change: message: os: platform: quiet variant: help").operands(Operands::Unknown),

    // Networks, volumes and others.
    program("docker volume create|docker network create|docker network connect|docker network disconnect|docker volume update|docker volume import|docker volume export|docker volume reload", "h help").itself(Effect::Changes),
    program("docker context use|docker context create|docker context update|docker context export|docker context import|docker context rename|docker buildx use|docker buildx create|docker buildx stop|docker buildx bake|docker buildx imagetools create|docker swarm init|docker swarm join|docker swarm leave|docker swarm update|docker service create|docker service update|docker service scale|docker service rollback|docker stack deploy|docker stack up|docker secret create|docker config create|docker node update|docker node promote|docker node demote|docker plugin install|docker plugin enable|docker plugin disable|docker plugin set|docker plugin upgrade|docker plugin create|docker plugin push", "h help").itself(Effect::Changes),

    // Compose.
    program("docker compose|docker-compose|podman-compose", "f:*hp:#v. file:* project-directory:@ project-name:# env-file:< profile: all-resources ansi: compatibility dry-run no-dry-run# parallel: progress: verbose help. version.").starts(Sub).operands(Operands::Sub).obeys(),
    program("docker compose ps|docker compose ls|docker compose images|docker compose volumes", "af:hq all filter: format: no-trunc orphans no-orphans quiet services status: dry-run help").operands(Operands::Text),
    program("docker compose logs", "fhn:t follow index: no-color no-log-prefix since: tail: timestamps until: dry-run help").operands(Operands::Text),
    program("docker compose config|docker compose convert", "ho:>q output:> lock-image-digests environment format: hash: images models networks no-consistency no-env-resolution no-interpolate no-normalize no-path-resolution profiles quiet resolve-image-digests services variables volumes dry-run help").operands(Operands::Text),
    program("docker compose top|docker compose port|docker compose events|docker compose version|docker compose stats|docker compose wait|docker compose attach", "af:h all down-project~ detach-keys: format: index: json no-stdin no-stream no-trunc protocol: short sig-proxy since: until: dry-run help").operands(Operands::Text),
    program("docker compose exec", "de:hiTtu:w:@ privileged# detach env: index: interactive? no-tty no-TTY tty user: workdir:@ dry-run help.").operands(Operands::Text).starts(Words).skip(1),
    program("docker compose run", "de:hiTl:p:#Pqu:v:#w:@ cap-add:# volume:# publish:# env-from-file:< build cap-drop: detach dry-run entrypoint:+ env: interactive? label: name: no-TTY no-deps pull: quiet-build quiet-pull quiet remove-orphans~ rm service-ports use-aliases user: workdir:@ help.").operands(Operands::Text).starts(Words).skip(1),
    program("docker compose up|docker compose create|docker compose start|docker compose restart|docker compose stop|docker compose pause|docker compose unpause|docker compose scale|docker compose watch", "V~dht:wy remove-orphans~ renew-anon-volumes~ no-dry-run# abort-on-container-exit abort-on-container-failure always-recreate-deps attach-dependencies attach: build detach exit-code-from: force-recreate menu no-attach: no-build no-color no-deps no-log-prefix no-prune no-recreate no-start no-up prune pull: quiet-build quiet-pull quiet scale: timeout: timestamps wait-timeout: wait watch yes dry-run help").operands(Operands::Text),
    program("docker compose down|docker compose rm|docker compose kill", "afhs:t:v~ remove-orphans~ rmi:# volumes~ no-dry-run# force signal: stop timeout: dry-run help").operands(Operands::Text),
    program("docker compose build|docker compose pull", "hm:q builder:# push# ssh:# no-dry-run# build-arg: check compress force-rm ignore-buildable ignore-pull-failures include-deps memory: no-cache no-parallel no-rm parallel policy: print progress: provenance: pull quiet sbom: with-dependencies dry-run help").operands(Operands::Text),
    program("docker compose cp|docker compose push|docker compose publish|docker compose export|docker compose commit|docker compose bridge", "h help").itself(Effect::Changes),
];

#[cfg(test)]
mod tests;
