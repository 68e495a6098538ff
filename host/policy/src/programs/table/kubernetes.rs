//! Rows of the programs for Kubernetes.

use super::super::escape::Effect;
use super::super::escape::operands;
use super::super::operands::Operands;
use super::super::power::Power::StartsOthers;
use super::super::row::Starts::{Dashes, Sub};
use super::super::row::{Row, program};

/// The options of every subcommand of `kubectl`: another cluster, account or file of settings. Another namespace is
/// harmless for a subcommand that only shows something.
macro_rules! everywhere {
    () => {
        "kubeconfig:* server:# context:# cluster:# user:# username:# password:# token:# as:# as-group:# as-uid:# as-user-extra:# certificate-authority:# client-certificate:# client-key:# insecure-skip-tls-verify# tls-server-name:# profile-output:> cache-dir:# disable-compression log-flush-frequency: match-server-version request-timeout: v: vmodule: warnings-as-errors help "
    };
}

/// The options for the form of the output.
macro_rules! printed {
    () => {
        "allow-missing-template-keys? chunk-size: field-selector: label-columns: no-headers? output: selector: show-kind? show-labels? show-managed-fields? sort-by: template: "
    };
}

/// The options that name the files of a change.
macro_rules! files {
    () => {
        "kustomize:* filename:< recursive? "
    };
}

/// The options that `helm` accepts at any position.
macro_rules! helm {
    () => {
        "kubeconfig:* kube-apiserver:# kube-as-group:# kube-as-user:# kube-ca-file:# kube-context:# kube-insecure-skip-tls-verify# kube-tls-server-name:# kube-token:# registry-config:* repository-config:* repository-cache:# content-cache:# burst-limit: qps: debug color: colour: namespace: help "
    };
}

/// The options of `helm` that name the source of a chart.
macro_rules! chart {
    () => {
        "ca-file:* cert-file:* key-file:* keyring:* insecure-skip-tls-verify# pass-credentials# password:# username:# plain-http# repo:# devel verify version: "
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("kubectl|oc", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub).power(StartsOthers),

    // Listings.
    program("kubectl get", concat!("AL:Rf:<hk:*l:n:o:s:#v:w raw:# namespace: all-namespaces? ignore-not-found? output-watch-events server-print? subresource: watch? watch-only? show-all export profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl describe", concat!("ARf:<hk:*l:n:s:#v: namespace: all-namespaces? show-events? profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl logs|kubectl log", concat!("c:fhl:n:ps:#v: insecure-skip-tls-verify-backend# namespace: all-containers? all-pods? container: follow? ignore-errors? limit-bytes: max-log-requests: pod-running-timeout: prefix? previous? selector: since: since-time: tail: timestamps? profile:# version: ", everywhere!())).operands(Operands::Text),
    program("kubectl version|kubectl api-versions|kubectl api-resources|kubectl options|kubectl completion|kubectl explain", concat!("hn:o:s:#v: namespace: api-group: api-version: cached? categories: client? namespaced? recursive? short verbs: profile:# ", printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl cluster-info", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).operands(Operands::Sub),
    program("kubectl cluster-info dump", concat!("Ahn:o:s:#v: output-directory:> namespaces: namespace: all-namespaces? pod-running-timeout: profile:# ", printed!(), everywhere!())).operands(Operands::Nothing),
    program("kubectl top", concat!("Ahl:n:s:#v: namespace: all-namespaces? containers? sum show-capacity show-swap use-protocol-buffers profile:# ", printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl events", concat!("Ahn:o:s:#v:w namespace: all-namespaces? for: types: watch? profile:# ", printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl diff", concat!("Rf:<hk:*l:n:s:#v: namespace: concurrency: field-manager: force-conflicts prune prune-allowlist: server-side profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Nothing),
    program("kubectl wait", concat!("ARf:<hl:n:o:s:#v: namespace: all all-namespaces? for: local timeout: profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl auth", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl config", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl rollout", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl plugin", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl set", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl certificate", concat!("hn:s:#v: namespace: profile:# ", everywhere!())).starts(Sub).operands(Operands::Sub),
    program("kubectl auth can-i|kubectl auth whoami", concat!("Ahn:o:qs:#v: namespace: all-namespaces? list quiet subresource: profile:# ", printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl config view|kubectl config current-context|kubectl config get-contexts|kubectl config get-clusters|kubectl config get-users", concat!("hn:o:s:#v: raw# namespace: flatten? merge minify? profile:# ", printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl rollout status|kubectl rollout history", concat!("Rf:<hk:*l:n:o:s:#v:w namespace: revision: timeout: watch? profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text),
    program("kubectl plugin list", concat!("hn:s:#v: namespace: name-only profile:# ", everywhere!())).operands(Operands::Nothing),
    program("kubectl kustomize", concat!("e:ho:>s:#v: output:> enable-alpha-plugins! enable-exec! enable-helm! helm-command:! network# network-name:# mount:# as-current-user# load-restrictor:# env: helm-api-versions: helm-debug helm-kube-version: namespace: profile:# ", everywhere!())).operands(Operands::ReadsBelow),
    program("kubectl whoami|kubectl projects|kubectl status", concat!("cht#n:s:#v: show-token# show-console show-context show-server short suggest all-namespaces? namespace: profile:# ", everywhere!())).operands(Operands::Text),

    // Running containers.
    program("kubectl exec", concat!("c:f:<hin:#qs:#tv: namespace:# container: filename:< pod-running-timeout: quiet stdin tty profile:# ", everywhere!())).operands(Operands::Text).starts(Dashes).skip(1).again(),
    program("kubectl run|kubectl debug", concat!("Rc:f:<hik:*l:n:#o:qs:#tv: privileged# overrides:# custom:* profile:# set-image:# replace~ force~ namespace:# arguments-only attach cascade: command annotations: container: copy-to: dry-run? env: expose field-manager: grace-period: image: image-pull-policy: keep-annotations keep-init-containers keep-labels keep-liveness keep-readiness keep-startup labels: leave-stdin-open override-type: pod-running-timeout: port: quiet restart: rm same-node save-config share-processes stdin target: timeout: tty wait ", files!(), printed!(), everywhere!())).operands(Operands::Text).more(operands::dry_run).starts(Dashes).skip(1).again(),
    program("kubectl attach|kubectl port-forward", concat!("c:hin:#qs:#tv: namespace:# address:# container: pod-running-timeout: quiet stdin tty profile:# ", everywhere!())).operands(Operands::Text),
    program("kubectl cp", concat!("c:hn:#s:#v: namespace:# container: no-preserve retries: profile:# ", everywhere!())).operands(Operands::Exchanges),
    program("kubectl proxy", concat!("P:hn:#p:s:#u:v:w:# www:# www-prefix: accept-hosts:# accept-paths:# reject-methods:# reject-paths:# disable-filter# unix-socket:> address:# api-prefix: append-server-path keepalive: port: namespace:# profile:# ", everywhere!())).operands(Operands::Nothing),

    // Changes.
    program("kubectl apply|kubectl create|kubectl replace|kubectl patch|kubectl edit|kubectl scale|kubectl label|kubectl annotate|kubectl expose|kubectl autoscale|kubectl taint|kubectl cordon|kubectl uncordon", concat!("ARf:<hk:*l:n:#o:p:s:#v: namespace:# prune-allowlist: prune~ force~ raw:# edit! patch-file:< overwrite# all-namespaces# all# cascade: cluster-ip: cpu-percent: current-replicas: dry-run? external-ip: field-manager: force-conflicts grace-period: labels: list load-balancer-ip: local max: min: name: openapi-patch output-patch override-type: overrides:# patch: port: protocol: replicas: resource-version: save-config server-side session-affinity: subresource: target-port: timeout: type: validate? wait windows-line-endings generator: record profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text).more(operands::dry_run),
    program("kubectl delete|kubectl drain", concat!("A~Rf:<hik:*l:n:#o:s:#v: namespace:# all-namespaces~ all~ force~ raw:# delete-emptydir-data~ disable-eviction~ now~ cascade: dry-run? grace-period: ignore-daemonsets ignore-not-found? interactive pod-selector: skip-wait-for-delete-timeout: timeout: wait profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text).more(operands::dry_run),
    program("kubectl rollout restart|kubectl rollout undo|kubectl rollout pause|kubectl rollout resume", concat!("Rf:<hk:*l:n:#o:s:#v: namespace:# dry-run? field-manager: to-revision: profile:# ", files!(), printed!(), everywhere!())).operands(Operands::Text).more(operands::dry_run).itself(Effect::Changes),
    program("kubectl set env|kubectl set image|kubectl set resources|kubectl set selector|kubectl set serviceaccount|kubectl set subject|kubectl certificate approve|kubectl certificate deny|kubectl auth reconcile", "h help").itself(Effect::Changes),
    program("kubectl config use-context|kubectl config use|kubectl config set|kubectl config set-cluster|kubectl config set-context|kubectl config set-credentials|kubectl config unset|kubectl config delete-cluster|kubectl config delete-context|kubectl config delete-user|kubectl config rename-context", "h help").itself(Effect::Changes),

    // Helm.
    program("helm", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm list|helm ls", concat!("Aadf:hl:m:n:o:qr all all-namespaces? date deployed failed filter: max: no-headers? offset: output: pending reverse selector: short superseded time-format: uninstalled uninstalling ", helm!())).operands(Operands::Nothing),
    program("helm status|helm history|helm hist", concat!("hn:o: max: output: revision: show-desc show-resources ", helm!())).operands(Operands::Text),
    program("helm get", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm show|helm inspect", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm search", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm repo", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm plugin", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm dependency|helm dep", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm registry", concat!("hn: ", helm!())).operands(Operands::Sub),
    program("helm get all|helm get hooks|helm get manifest|helm get metadata|helm get notes|helm get values", concat!("ahn:o: all output: revision: template: ", helm!())).operands(Operands::Text),
    program("helm show all|helm show chart|helm show crds|helm show readme|helm show values", concat!("hn: jsonpath: ", chart!(), helm!())).operands(Operands::ReadsBelow),
    program("helm search hub|helm search repo", concat!("hln:o:r endpoint:# fail-on-no-result list-repo-url max-col-width: output: regexp versions devel version: ", helm!())).operands(Operands::Text),
    program("helm version|helm env|helm completion", concat!("chn: client? short template: no-descriptions ", helm!())).operands(Operands::Text),
    program("helm repo list|helm repo ls|helm plugin list|helm plugin ls|helm dependency list|helm dependency ls", concat!("hn:o: max-col-width: no-headers? output: ", helm!())).operands(Operands::Names),
    program("helm lint", concat!("f:<hn: values:< set-file:* set: set-json: set-literal: set-string: kube-version: quiet skip-schema-validation strict with-subcharts ", helm!())).operands(Operands::ReadsBelow),
    program("helm template", concat!("a:f:<ghl:n:s: post-renderer-args:! post-renderer:! output-dir:> values:< set-file:* dependency-update# enable-dns# set: set-json: set-literal: set-string: api-versions: atomic create-namespace description: disable-openapi-validation dry-run? force generate-name hide-notes hide-secret include-crds is-upgrade kube-version: labels: name-template: no-hooks release-name render-subchart-notes replace show-only: skip-crds skip-schema-validation skip-tests take-ownership timeout: validate# wait wait-for-jobs ", chart!(), helm!())).operands(Operands::ReadsBelow).more(operands::dry_run),
    program("helm install|helm upgrade", concat!("f:<ghil:n:#o: post-renderer-args:! post-renderer:! values:< set-file:* force# force-replace# force-conflicts# dependency-update# enable-dns# namespace:# set: set-json: set-literal: set-string: atomic rollback-on-failure cleanup-on-fail create-namespace description: disable-openapi-validation dry-run? generate-name hide-notes hide-secret history-max: install labels: name-template: no-hooks output: render-subchart-notes replace reset-then-reuse-values reset-values reuse-values skip-crds skip-schema-validation take-ownership timeout: wait wait-for-jobs ", chart!(), helm!())).operands(Operands::ReadsBelow).more(operands::dry_run),
    program("helm uninstall|helm delete|helm del|helm un|helm rollback|helm test", concat!("hn:# namespace:# force# cascade: cleanup-on-fail description: dry-run filter: hide-notes history-max: ignore-not-found? keep-history logs no-hooks recreate-pods timeout: wait wait-for-jobs ", helm!())).operands(Operands::Text),
    program("helm create|helm package|helm pull|helm fetch|helm push|helm verify", concat!("d:>hn:p:* destination:> untardir:> passphrase-file:* sign! key:# starter:* dependency-update# app-version: prov untar ", chart!(), helm!())),
    program("helm repo add|helm repo update|helm repo remove|helm repo rm|helm repo index|helm plugin install|helm plugin update|helm plugin uninstall|helm dependency build|helm dependency update|helm dependency up|helm registry login|helm registry logout", "h help").itself(Effect::Changes),
];

#[cfg(test)]
mod tests;
