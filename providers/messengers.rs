// The messengers that come with dmplz, one line each: the name of a folder here, and of the provider in it. Settings,
// `dmplz doctor`, `--help`, the documents' tables, the fakes, conformance and e2e follow from this list.
&[
    "telegram",
    "discord",
    "ntfy",
    "slack",
    "matrix",
    "mattermost",
]
