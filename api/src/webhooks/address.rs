//! The addresses that webhooks may use: only public ones.
//! So no one reaches private networks through this server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The maximum length of a URL, in bytes.
const LONGEST: usize = 2_000;

/// The ports below 1024 that webhooks may use.
const WEB_PORTS: [u16; 2] = [80, 443];

/// Ports from 1024 on that webhooks may not use.
#[rustfmt::skip]
const OTHER_PORTS: &[u16] = &[
    // Ports that browsers refuse too (Fetch standard, section 2.9, "bad port").
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    // Databases, caches, queues and administration.
    1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 9042, 9092, 9200, 9300, 11211, 27017,
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // By IANA's registry of special-purpose addresses (RFC 6890): this network, private, shared (CGNAT), loopback,
    // link-local, protocol assignments, documentation, 6to4 relays, benchmarking, multicast, and the reserved addresses
    // above.
    !(a == 0
        || a == 10
        || (a == 100 && (64..128).contains(&b))
        || a == 127
        || (a == 169 && b == 254)
        || (a == 172 && (16..32).contains(&b))
        || (a == 192 && b == 0 && (c == 0 || c == 2))
        || (a == 192 && b == 88 && c == 99)
        || (a == 192 && b == 168)
        || (a == 198 && (b == 18 || b == 19))
        || (a == 198 && b == 51 && c == 100)
        || (a == 203 && b == 0 && c == 113)
        || a >= 224)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Global unicast (2000::/3) excludes loopback, IPv4-mapped, NAT64 (64:ff9b::/96 and /48), discard-only,
    // unique-local, link-local and multicast. Also excluded: protocol assignments and Teredo (2001::/23), documentation
    // (2001:db8::/32, 3fff::/20), and 6to4, which contains an IPv4 address.
    a & 0xe000 == 0x2000
        && !(a == 0x2001 && b < 0x200)
        && !(a == 0x2001 && b == 0xdb8)
        && a != 0x2002
        && !(a == 0x3fff && b < 0x1000)
}

/// Whether an address belongs to the public Internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether a port is one of web servers, and not of another protocol that a request could harm.
fn is_web_port(port: u16) -> bool {
    WEB_PORTS.contains(&port) || (port >= 1024 && !OTHER_PORTS.contains(&port))
}

fn is_allowed(address: IpAddr, to_loopback: bool) -> bool {
    is_public(address) || (to_loopback && address.is_loopback())
}

/// Resolves a host, and fails if webhooks may not use one of its addresses.
fn resolve(host: &str, to_loopback: bool) -> Result<Vec<SocketAddr>, String> {
    let found = (host, 0_u16).to_socket_addrs();
    let found: Vec<SocketAddr> = found
        .map_err(|_| format!("the host {host:?} has no address: check its name"))?
        .collect();
    match found.iter().all(|one| is_allowed(one.ip(), to_loopback)) {
        true if found.is_empty() => {
            Err(format!("the host {host:?} has no address: check its name"))
        }
        true => Ok(found),
        false => Err(format!(
            "the host {host:?} has an address that is not public: use a public host"
        )),
    }
}

/// Checks a URL as far as possible without resolving its host.
pub fn check_form(text: &str, to_loopback: bool) -> Result<Url, String> {
    if text.len() > LONGEST {
        return Err(format!(
            "the URL is too long: at most {LONGEST} bytes are allowed"
        ));
    }
    let url = Url::parse(text).map_err(|_| {
        "this is not a valid URL: use one such as https://example.org/path".to_owned()
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the URL must not contain a user name or password: remove it".to_owned());
    }
    let host = url.host_str().unwrap_or_default();
    let literal: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    let local = host == "localhost" || literal.is_some_and(|address| address.is_loopback());
    match url.scheme() {
        "https" => {}
        "http" if local && to_loopback => {}
        _ => return Err("the URL must begin with https://".to_owned()),
    }
    if let Some(port) = url.port().filter(|port| !is_web_port(*port)) {
        return Err(format!(
            "webhooks cannot use port {port}: omit the port, or use 443 or a port from 1024 on that is not \
             reserved for another protocol"
        ));
    }
    match literal {
        Some(address) if !is_allowed(address, to_loopback) => Err(format!(
            "{address} is not a public address: use a public host"
        )),
        None if host.is_empty() => {
            Err("the URL has no host: use one such as https://example.org/path".to_owned())
        }
        _ => Ok(url),
    }
}

/// Checks a URL, including the current addresses of its host.
pub fn check(text: &str, to_loopback: bool) -> Result<(), String> {
    let url = check_form(text, to_loopback)?;
    let host = url.host_str().unwrap_or_default();
    resolve(host.trim_matches(['[', ']']), to_loopback).map(|_| ())
}

/// A resolver that returns only public addresses.
///
/// The client connects to exactly these addresses, so a changed name cannot redirect it.
#[derive(Clone, Copy, Debug)]
pub struct PublicResolver {
    /// Whether loopback addresses are allowed too.
    pub to_loopback: bool,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let to_loopback = self.to_loopback;
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = tokio::task::spawn_blocking(move || resolve(&host, to_loopback));
            let addresses: Addrs = Box::new(found.await??.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for text in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.0.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in [
            "8.8.8.8",
            "100.128.0.1",
            "172.32.0.1",
            "193.0.0.1",
            "2606:4700::1",
            "2a00::1",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn urls_are_https_to_public_hosts() {
        for bad in [
            "",
            "example.org",
            "ftp://example.org/",
            "http://8.8.8.8/",
            "http://127.0.0.1/",
            "https://10.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://user:word@8.8.8.8/",
            "https://localhost/",
            "https://localhost./",
            "https://8.8.8.8:0/",
            "https://8.8.8.8:22/",
            "https://8.8.8.8:25/",
            "https://8.8.8.8:1023/",
            "https://8.8.8.8:5432/",
            "https://8.8.8.8:6000/",
        ] {
            assert!(check(bad, false).is_err(), "{bad}");
        }
        for good in ["", ":443", ":80", ":1024", ":8443", ":65535"] {
            let url = format!("https://8.8.8.8{good}/path");
            assert_eq!(check(&url, false), Ok(()), "{url}");
        }
        assert_eq!(check("http://127.0.0.1:1024/", true), Ok(()));
        for bad in [
            "http://8.8.8.8/",
            "http://127.0.0.1:22/",
            "https://10.0.0.1/",
            "https://[fe80::1]/",
        ] {
            assert!(check(bad, true).is_err(), "{bad}");
        }
        assert!(check(&format!("https://8.8.8.8/{}", "x".repeat(LONGEST)), false).is_err());
    }

    #[test]
    fn names_are_resolved_to_public_addresses_only() {
        assert!(resolve("localhost", false).is_err());
        let found = resolve("localhost", true).unwrap();
        assert!(found.iter().all(|address| address.ip().is_loopback()));
    }
}
