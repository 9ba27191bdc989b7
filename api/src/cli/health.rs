//! `tabularium health`: asks a running server whether it is ready.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use anyhow::{Context, bail};
use reqwest::Client;

use crate::http::problem::Problem;

/// The longest wait for the answer, which comes within about three seconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ask the server on this machine whether it is ready; exit code 1 if not.
/// For health checks of containers.
///
/// Example: tabularium health --listen 127.0.0.1:8080
#[derive(Debug, clap::Args)]
pub struct HealthCommand {
    /// The address on which the server listens.
    #[arg(long, env = "TABULARIUM_LISTEN", default_value = "127.0.0.1:8080")]
    listen: String,
}

impl HealthCommand {
    /// Prints `ready`, or fails with what is wrong.
    pub fn run(self) -> anyhow::Result<()> {
        let found = self.listen.to_socket_addrs();
        let address = found.ok().and_then(|mut all| all.next());
        let address = address.with_context(|| format!("{} is not an address", self.listen))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(ask(reachable(address)))?;
        println!("ready");
        Ok(())
    }
}

/// Returns an address of this machine in the place of "all addresses".
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

async fn ask(address: SocketAddr) -> anyhow::Result<()> {
    let client = Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let answer = client.get(format!("http://{address}/readyz")).send();
    let answer = answer
        .await
        .with_context(|| format!("no server answers at {address}"))?;
    if answer.status().is_success() {
        return Ok(());
    }
    let status = answer.status();
    match answer.json::<Problem>().await {
        Ok(problem) => bail!("not ready: {}", problem.detail),
        Err(_) => bail!("{address} answers {status}, so it is not a Tabularium server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_this_machine() {
        for (listen, asked) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            let reached = reachable(listen.parse().unwrap());
            assert_eq!(reached, asked.parse().unwrap());
        }
    }
}
