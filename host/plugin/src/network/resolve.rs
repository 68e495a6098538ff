//! Names, resolved to addresses that may be connected to. The connection goes to the very address that was checked.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::egress::{Origin, Reach, Refusal};

/// A way to find the addresses of a name.
pub trait Resolver: Send + Sync {
    /// The addresses of a DNS name, best first. Never called with a literal address.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// What a resolver finds.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Asks the resolver of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

/// A resolver that gives only addresses that may be connected to.
pub(super) struct Checked {
    resolver: Arc<dyn Resolver>,
    only: Only,
}

/// The one name that a client needs.
#[derive(Clone)]
enum Only {
    /// That of its origin, at addresses that its reach admits.
    Origin(Origin, Reach),
    /// That of its proxy, wherever it is: the operator named it. The proxy resolves the origin's.
    Proxy(String),
}

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

impl Checked {
    /// Resolves the name of an origin, which is reached without a proxy.
    pub(super) fn for_origin(resolver: Arc<dyn Resolver>, origin: Origin, reach: Reach) -> Self {
        Self { resolver, only: Only::Origin(origin, reach) }
    }

    /// Resolves the name of a proxy.
    pub(super) fn for_proxy(host: String) -> Self {
        Self { resolver: Arc::new(SystemResolver), only: Only::Proxy(host) }
    }
}

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
            let mut found = resolver.resolve(name).await?;
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
