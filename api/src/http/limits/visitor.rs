//! Identifies callers for the limits: an address, and possibly a token.

use std::fmt;
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::http::header::{AUTHORIZATION, FORWARDED, HeaderMap, HeaderValue, X_FORWARDED_FOR};
use ipnet::IpNet;

use crate::http::cookie::any_session;
use crate::http::limits::options::{Limits, ProxyHeader};

/// An address that counts as one caller.
/// For IPv6 it is the /64 network, which one customer usually has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Address {
        // A socket for both families shows an IPv4 address as one of IPv6.
        Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address => address,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

/// The caller of a request, as the limits see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The network address.
    pub address: Address,
    /// The factor of the caller's limits: [`Limits::loopback`] for the server's own machine, else 1.
    pub(crate) times: u32,
    /// The hash of the bearer token or the session's cookie in this process. It is not verified.
    pub(crate) token: Option<u64>,
}

impl Visitor {
    /// Identifies the sender of a request by its connection and headers.
    ///
    /// `hasher` is secret, so callers cannot invent tokens with equal hashes.
    pub(crate) fn from_request(
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
        limits: &Limits,
        hasher: &impl BuildHasher,
    ) -> Visitor {
        let peer = peer.map_or(Ipv6Addr::UNSPECIFIED.into(), |peer| peer.ip());
        let authorization = headers.get(AUTHORIZATION);
        // A proxy on this machine adds one of these headers, trusted or not.
        let near = peer.to_canonical().is_loopback()
            && !headers.contains_key(X_FORWARDED_FOR)
            && !headers.contains_key(FORWARDED);
        Visitor {
            times: if near { limits.loopback.max(1) } else { 1 },
            address: caller(peer, headers, limits).into(),
            token: authorization
                .map(HeaderValue::as_bytes)
                .or_else(|| any_session(headers).map(str::as_bytes))
                .map(|value| hasher.hash_one(value)),
        }
    }
}

impl Limits {
    /// Returns true for the address of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let within = |network: &IpNet| network.contains(&address);
        self.trusted_proxies.iter().any(within)
    }
}

/// Returns the address of the caller behind trusted proxies.
///
/// Each proxy appends the address from which it received the request. So the last address that is not a trusted proxy
/// is the caller.
fn caller(peer: IpAddr, headers: &HeaderMap, limits: &Limits) -> IpAddr {
    if !limits.trusts(peer) {
        return peer;
    }
    let (name, address): (_, fn(&str) -> Option<IpAddr>) = match limits.proxy_header {
        ProxyHeader::XForwardedFor => (X_FORWARDED_FOR, node),
        ProxyHeader::Forwarded => (FORWARDED, forwarded_for),
    };
    let values = headers.get_all(&name);
    // A header line that is not text ends the walk, like an invalid address.
    let values: Vec<&str> = values.map(|value| value.to_str().unwrap_or("?")).collect();
    let mut last = peer;
    for step in values.iter().rev().flat_map(|value| value.rsplit(',')) {
        match address(step) {
            Some(address) => last = address,
            None => break,
        }
        if !limits.trusts(last) {
            break;
        }
    }
    last
}

/// Returns the address in one element of `Forwarded` (RFC 7239, section 4).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let mut pairs = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    let (_, value) = pairs.next()?;
    node(value.trim().trim_matches('"'))
}

/// Parses an address with or without a port; IPv6 with a port is in brackets (RFC 7239, section 6).
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<IpAddr>();
    let address = address.or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderName;

    fn caller_address(proxies: &str, header: ProxyHeader, lines: &[(HeaderName, &str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        let networks = proxies.split_whitespace().map(|text| text.parse().unwrap());
        let limits = Limits {
            trusted_proxies: networks.collect(),
            proxy_header: header,
            ..Limits::default()
        };
        caller("10.0.0.1".parse().unwrap(), &headers, &limits).to_string()
    }

    #[test]
    fn only_trusted_proxies_can_name_the_caller() {
        use ProxyHeader::{Forwarded, XForwardedFor};
        let x = |value| (X_FORWARDED_FOR, value);
        let lines = [x("192.0.2.7")];
        assert_eq!(caller_address("", XForwardedFor, &lines), "10.0.0.1");
        assert_eq!(
            caller_address("10.9.0.0/16", XForwardedFor, &lines),
            "10.0.0.1"
        );
        assert_eq!(
            caller_address("10.0.0.0/8", XForwardedFor, &lines),
            "192.0.2.7"
        );
        // The caller wrote the other header.
        assert_eq!(caller_address("10.0.0.0/8", Forwarded, &lines), "10.0.0.1");
        // The caller wrote the entries before the last address that is not trusted.
        let lines = [x("198.51.100.1, 192.0.2.7 , 10.2.2.2")];
        assert_eq!(
            caller_address("10.0.0.0/8", XForwardedFor, &lines),
            "192.0.2.7"
        );
        let lines = [x("198.51.100.1"), x("192.0.2.7"), x("10.2.2.2,10.3.3.3")];
        assert_eq!(
            caller_address("10.0.0.0/8", XForwardedFor, &lines),
            "192.0.2.7"
        );
        let lines = [x("192.0.2.7, unknown, 10.2.2.2")];
        assert_eq!(
            caller_address("10.0.0.0/8", XForwardedFor, &lines),
            "10.2.2.2"
        );
        let lines = [x("10.4.4.4, 10.2.2.2")];
        assert_eq!(
            caller_address("10.0.0.0/8", XForwardedFor, &lines),
            "10.4.4.4"
        );
        assert_eq!(caller_address("10.0.0.0/8", XForwardedFor, &[]), "10.0.0.1");
    }

    #[test]
    fn forwarded_is_parsed_by_rfc_7239() {
        let of =
            |value| caller_address("10.0.0.0/8", ProxyHeader::Forwarded, &[(FORWARDED, value)]);
        assert_eq!(of("for=192.0.2.43"), "192.0.2.43");
        assert_eq!(of("For=\"[2001:db8:cafe::17]:4711\""), "2001:db8:cafe::17");
        assert_eq!(
            of("for=192.0.2.60;proto=http;by=203.0.113.43"),
            "192.0.2.60"
        );
        assert_eq!(
            of("for=198.51.100.17, proto=http;for=\"192.0.2.43:47011\""),
            "192.0.2.43"
        );
        assert_eq!(of("for=192.0.2.43, for=unknown"), "10.0.0.1");
        assert_eq!(of("for=192.0.2.43, for=_hidden, for=10.1.1.1"), "10.1.1.1");
        assert_eq!(of("proto=https"), "10.0.0.1");
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let address = |text: &str| Address::from(text.parse::<IpAddr>().unwrap()).to_string();
        assert_eq!(address("192.0.2.7"), "192.0.2.7");
        assert_eq!(address("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(address("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    }
}
