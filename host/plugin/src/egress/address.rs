//! The addresses that a name may resolve to.
//!
//! | class | addresses | reached |
//! |---|---|---|
//! | never | unspecified, link-local (169.254/16, fe80::/10), the metadata services of clouds, multicast, broadcast, documentation, reserved, tunnels with an unknown far end (Teredo, local NAT64) | never |
//! | inside | loopback, 10/8, 172.16/12, 192.168/16, 100.64/10, 198.18/15, fc00::/7 | if an origin's [`Reach`] is `Anywhere` |
//! | public | the rest of IPv4, and 2000::/3 | always |
//!
//! An IPv4 address inside an IPv6 one (mapped, NAT64, 6to4) has the class of the inner one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses to which an origin may resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Reach {
    /// Public addresses of the Internet.
    Public,
    /// Also addresses of this machine and of private networks.
    Anywhere,
}

impl Reach {
    /// Returns whether a connection to an address is permitted.
    pub(crate) fn admits(self, address: IpAddr) -> bool {
        match class(address) {
            Class::Public => true,
            Class::Inside => self == Self::Anywhere,
            Class::Never => false,
        }
    }
}

#[derive(Debug, PartialEq)]
enum Class {
    Public,
    Inside,
    Never,
}

fn class(address: IpAddr) -> Class {
    match address {
        IpAddr::V4(address) => class_v4(address),
        IpAddr::V6(address) => class_v6(address),
    }
}

/// Metadata services outside 169.254/16: those of Alibaba and Azure.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16)];
/// The metadata service of Amazon.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

fn class_v4(address: Ipv4Addr) -> Class {
    if METADATA_V4.contains(&address) {
        return Class::Never;
    }
    match address.octets() {
        [0, ..] | [169, 254, ..] | [192, 0, 0, _] | [192, 0, 2, _] | [192, 88, 99, _] => Class::Never,
        [198, 51, 100, _] | [203, 0, 113, _] | [224..=255, ..] => Class::Never,
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] => Class::Inside,
        [100, 64..=127, ..] | [198, 18..=19, ..] => Class::Inside,
        _ => Class::Public,
    }
}

fn class_v6(address: Ipv6Addr) -> Class {
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        class_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        _ if address == METADATA_V6 => Class::Never,
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        [0x2002, high, low, ..] => inner(high, low),
        [0, 0, 0, 0, 0, 0, 0, 1] | [0xfc00..=0xfdff, ..] => Class::Inside,
        [0x2001, 0, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Class::Never,
        [0x2000..=0x3fff, ..] => Class::Public,
        _ => Class::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, class};

    #[test]
    fn every_address_has_its_class() {
        let table = [
            (Class::Public, "1.1.1.1 149.154.167.220 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 192.167.0.1"),
            (Class::Public, "2606:4700::1111 2001:67c:4e8:f004::9 64:ff9b::101:101 ::ffff:8.8.8.8 2002:808:808::1"),
            (Class::Inside, "127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1"),
            (Class::Inside, "::1 fc00::1 fd12::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1"),
            (Class::Never, "0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255"),
            (Class::Never, "192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.1 100.100.100.200 168.63.129.16"),
            (Class::Never, ":: fe80::1 fec0::1 ff02::1 fd00:ec2::254 2001:db8::1 2001::1 3fff::1 100::1 ::7f00:1"),
            (Class::Never, "::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:a9fe:a9fe::1 4000::1"),
        ];
        for (expected, addresses) in table {
            for address in addresses.split(' ') {
                assert_eq!(class(address.parse().unwrap()), expected, "{address}");
            }
        }
    }
}
