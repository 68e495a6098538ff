//! Hosts of web tools.

/// Host names: `example.com` is that host, `*.example.com` all below it.
#[derive(Debug, Clone)]
pub struct Domains {
    hosts: Vec<String>,
}
