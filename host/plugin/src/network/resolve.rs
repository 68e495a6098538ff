//! Resolves names to permitted addresses. The connection goes to the address that was checked.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::egress::{Origin, Reach, Refusal};

/// Finds the addresses of a name.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of a DNS name, best first. Never called with a literal address.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// The result of a resolver.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// The resolver of the operating system; on Linux, `/etc/hosts` and the name servers of `/etc/resolv.conf`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

/// A resolver that returns only permitted addresses.
pub(super) struct Checked {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) only: Only,
}

/// The only name that a client resolves.
#[derive(Clone)]
pub(super) enum Only {
    /// The name of its origin, at addresses within its reach.
    Origin(Origin, Reach),
    /// The name of its proxy, at any address, because the operator chose it. The proxy resolves the origin's name.
    Proxy(String),
}

impl SystemResolver {
    /// Returns whether the system names any name server. Without one, a client that does not use this resolver may ask servers of its
    /// own choice, such as Google's.
    pub fn has_servers() -> bool {
        #[cfg(target_os = "linux")]
        return super::dns::has_servers();
        #[cfg(not(target_os = "linux"))]
        true
    }
}

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        #[cfg(target_os = "linux")]
        return Box::pin(super::dns::addresses(name));
        #[cfg(not(target_os = "linux"))]
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// A name has no address, or could not be asked for.
#[derive(Debug, thiserror::Error)]
#[error("its name cannot be resolved: {0}")]
pub(super) struct Unresolved(io::Error);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (resolver, only) = (Arc::clone(&self.resolver), self.only.clone());
        Box::pin(async move {
            let name = name.as_str();
            let known = match &only {
                Only::Origin(origin, _) => origin.host() == name,
                Only::Proxy(host) => host == name,
            };
            if !known {
                return Err(format!("{name} is not to be resolved").into());
            }
            let mut found = resolver.resolve(name).await.map_err(Unresolved)?;
            if let Only::Origin(origin, reach) = only {
                found.retain(|address| reach.admits(*address));
                if found.is_empty() {
                    return Err(Refusal::Address(origin).into());
                }
            }
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
