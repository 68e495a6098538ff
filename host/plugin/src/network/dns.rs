//! Resolves names on Linux: `/etc/hosts`, then the name servers of `/etc/resolv.conf`, as musl does. The C library's own resolver loads
//! further libraries of exactly its version (NSS), which a static program cannot do on a system that it was not built on.
//!
//! Both files are read for each name, because a gateway runs on when the machine moves to another network.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv4Addr};

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::system_conf::read_system_conf;

/// Returns the addresses of a name, those of IPv4 first: where one kind cannot be reached, a connection fails at once and the other kind
/// is tried.
pub(super) async fn addresses(name: &str) -> Result<Vec<IpAddr>, Error> {
    // Without the file, or a server in it, the server is the one of this machine (resolv.conf(5)).
    let local = || {
        let server = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
        (ResolverConfig::from_parts(None, Vec::new(), vec![server]), ResolverOpts::default())
    };
    let (config, options) = read_system_conf().unwrap_or_else(|_| local());
    addresses_by(config, options, name).await
}

/// Returns whether the system names any name server.
pub(super) fn has_servers() -> bool {
    read_system_conf().is_ok()
}

async fn addresses_by(config: ResolverConfig, mut options: ResolverOpts, name: &str) -> Result<Vec<IpAddr>, Error> {
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
    let resolver = builder.with_options(options).build().map_err(|error| in_words(&error))?;
    let found = resolver.lookup_ip(name).await.map_err(|error| in_words(&error))?;
    let mut addresses: Vec<IpAddr> = found.iter().collect();
    addresses.sort_by_key(IpAddr::is_ipv6);
    Ok(addresses)
}

/// Says why a name has no address, in a clause. The library's errors show its structures.
fn in_words(error: &NetError) -> Error {
    if error.is_nx_domain() || error.is_no_records_found() {
        return Error::new(ErrorKind::NotFound, "it is not known");
    }
    match error {
        NetError::Timeout => Error::new(ErrorKind::TimedOut, "the name servers do not answer"),
        NetError::Io(_) | NetError::NoConnections => {
            Error::new(ErrorKind::NotConnected, "the name servers cannot be reached")
        }
        other => Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::time::Duration;

    use hickory_resolver::config::ConnectionConfig;
    use hickory_resolver::proto::op::{Message, ResponseCode};
    use hickory_resolver::proto::rr::rdata::{A, AAAA};
    use hickory_resolver::proto::rr::{RData, Record, RecordType};
    use tokio::net::UdpSocket;

    use super::*;

    /// Starts a name server that knows `both.example` and `six.example`, fails at `broken.example` and does not answer `silent.example`.
    async fn server() -> SocketAddr {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).await.unwrap();
        let address = socket.local_addr().unwrap();
        tokio::spawn(async move {
            let mut bytes = [0; 4_096];
            while let Ok((length, from)) = socket.recv_from(&mut bytes).await {
                let asked = Message::from_vec(&bytes[..length]).unwrap();
                let query = asked.queries[0].clone();
                let name = query.name().to_ascii();
                let mut answer = asked.clone().into_response();
                let record = |data| Record::from_rdata(query.name().clone(), 60, data);
                match (name.trim_end_matches('.'), query.query_type()) {
                    ("silent.example", _) => continue,
                    ("broken.example", _) => answer.metadata.response_code = ResponseCode::ServFail,
                    ("both.example", RecordType::A) => {
                        answer.add_answer(record(RData::A(A::new(192, 0, 2, 7))));
                    }
                    ("both.example" | "six.example", RecordType::AAAA) => {
                        answer.add_answer(record(RData::AAAA(AAAA::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 7))));
                    }
                    ("both.example" | "six.example", _) => {}
                    _ => answer.metadata.response_code = ResponseCode::NXDomain,
                }
                socket.send_to(&answer.to_vec().unwrap(), from).await.unwrap();
            }
        });
        address
    }

    async fn resolved(name: &str) -> Result<Vec<String>, String> {
        let address = server().await;
        let mut udp = ConnectionConfig::udp();
        udp.port = address.port();
        let server = NameServerConfig::new(address.ip(), true, vec![udp]);
        let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
        let mut options = ResolverOpts::default();
        (options.timeout, options.attempts) = (Duration::from_millis(100), 1);
        let found = addresses_by(config, options, name).await;
        found.map(|all| all.iter().map(ToString::to_string).collect()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn addresses_of_both_kinds_are_found_and_those_of_ipv4_come_first() {
        assert_eq!(resolved("both.example").await.unwrap(), ["192.0.2.7", "2001:db8::7"]);
        assert_eq!(resolved("six.example").await.unwrap(), ["2001:db8::7"]);
    }

    #[tokio::test]
    async fn a_name_without_addresses_says_why() {
        assert_eq!(resolved("nobody.example").await.unwrap_err(), "it is not known");
        assert_eq!(resolved("silent.example").await.unwrap_err(), "the name servers do not answer");
        assert!(!resolved("broken.example").await.unwrap_err().is_empty());
    }

    #[tokio::test]
    async fn this_machine_is_known_without_a_name_server() {
        assert_eq!(addresses("localhost").await.unwrap()[0], IpAddr::from(Ipv4Addr::LOCALHOST));
    }
}
