//! The names that programs have for the same, as their documentation lists them.

/// Programs that are called alike, and do the same.
pub(super) const PROGRAMS: &[&[&str]] = &[
    &["apt", "apt-get"],
    &["dnf", "yum"],
    &["gradle", "gradlew"],
    &["make", "gmake"],
    &["mvn", "mvnw", "mvnd"],
    &["node", "nodejs"],
    &["pip", "pip3"],
    &["python", "python3"],
    &["task", "go-task"],
];

/// Programs each of whose operands is an action.
pub(super) const TARGETS: [&str; 14] = [
    "ant", "gmake", "go-task", "gradle", "gradlew", "inv", "invoke", "just", "make", "mvn", "mvnd", "mvnw", "rake",
    "task",
];

/// The subcommands of programs: in each text those with the same meaning.
#[rustfmt::skip]
pub(super) const SUBCOMMANDS: &[(&[&str], &[&str])] = &[
    (&["npm"], &[
        "install|add|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall", "uninstall|r|remove|rm|un|unlink",
        "update|u|up|udpate|upgrade", "test|t|tst", "run|run-script|rum|urn", "exec|x",
        "ci|clean-install|ic|install-clean|isntall-clean", "install-test|it", "install-ci-test|cit|clean-install-test|sit",
        "config|c", "init|create|innit", "link|ln", "rebuild|rb", "dedupe|ddp", "version|verison", "owner|author|ogr",
        "dist-tag|dist-tags", "adduser|add-user", "view|v|info|show", "search|s|se|find", "ls|list", "ll|la",
        "explain|why", "docs|home", "bugs|issues", "help|hlep",
    ]),
    (&["pnpm"], &["install|i", "remove|rm|un|uninstall", "update|up|upgrade", "test|t|tst", "run|run-script", "list|ls"]),
    (&["bun"], &["add|a", "install|i", "remove|rm"]),
    (&["cargo"], &["build|b", "check|c", "doc|d", "run|r", "test|t", "remove|rm"]),
    (&["brew"], &["uninstall|remove|rm", "update|up", "list|ls", "info|abv"]),
    (&["docker", "podman", "nerdctl"], &[
        "attach|container attach", "build|image build|buildx build|buildx b|builder build", "commit|container commit",
        "cp|container cp", "create|container create", "exec|container exec", "export|container export",
        "images|image ls|image list", "import|image import", "kill|container kill", "load|image load",
        "logs|container logs", "pause|container pause", "ps|container ls|container list|container ps", "pull|image pull",
        "push|image push", "rename|container rename", "restart|container restart",
        "rm|container rm|container remove", "rmi|image rm|image remove", "run|container run", "save|image save",
        "start|container start", "stop|container stop", "tag|image tag", "unpause|container unpause",
        "update|container update", "volume rm|volume remove", "network rm|network remove", "context rm|context remove",
    ]),
    (&["svn"], &[
        "commit|ci", "checkout|co", "copy|cp", "delete|del|remove|rm", "move|mv|ren|rename", "propdel|pd|pdel",
        "propedit|pe|pedit", "propset|ps|pset", "switch|sw", "update|up",
    ]),
    (&["hg"], &["commit|ci", "copy|cp", "remove|rm", "rename|move|mv", "update|checkout|co|up"]),
    (&["helm"], &["uninstall|del|delete|un"]),
    (&["git"], &["add|stage"]),
    (&["gem"], &["install|i"]),
    (&["composer"], &["install|i", "remove|rm|uninstall", "require|r", "update|u|upgrade"]),
    (&["conda", "mamba", "micromamba"], &["remove|uninstall", "update|upgrade"]),
    (&["dnf", "yum"], &["install|in", "remove|erase|rm", "upgrade|up|update"]),
];

/// The subcommands of programs that take any beginning of one.
#[rustfmt::skip]
pub(super) const ABBREVIATED: &[(&str, &str)] = &[
    ("npm", "access add-user adduser audit author bugs cache ci clean-install clean-install-test completion config create \
        dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search home info init \
        install install-ci-test install-test issues link list login logout ls org outdated owner pack ping pkg prefix profile \
        prune publish query rebuild remove repo restart root run run-script sbom search set show shrinkwrap star stars start \
        stop team test token trust undeprecate uninstall unlink unpublish unstar update upgrade version view whoami why"),
    ("hg", "add addremove annotate archive backout bisect bookmarks branch branches bundle cat clone commit config copy diff \
        export files forget graft grep heads help histedit identify import incoming init log manifest merge outgoing parents \
        paths phase pull purge push rebase recover remove rename resolve revert rollback root serve shelve status strip \
        summary tag tags tip unbundle unshelve update verify version"),
    ("gem", "build cert check cleanup contents dependency environment exec fetch generate_index help info install list lock \
        mirror open outdated owner pristine push query rebuild search server signin signout sources specification stale \
        uninstall unpack update which yank"),
    ("composer", "about archive audit browse bump check-platform-reqs clear-cache config create-project depends diagnose \
        dump-autoload exec fund global init install licenses outdated prohibits reinstall remove require run-script search \
        self-update show status suggests update validate"),
];
