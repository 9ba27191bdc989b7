//! Notifies systemd that the server is ready, works, or stops (`Type=notify`).
//!
//! Without the variable `NOTIFY_SOCKET`, which systemd sets, nothing is sent.

use std::convert::Infallible;
use std::net::SocketAddr;

use crate::server::health::HealthMonitor;

/// Reports to systemd that the server is ready, and then regularly that it works. Never returns.
///
/// systemd restarts a service that does not report in time. A restart helps if the thread that writes has ended or
/// hangs. It does not help if the disk is full or the database is unreachable; the status reports these.
#[cfg(unix)]
pub async fn notify(monitor: &HealthMonitor, address: SocketAddr) -> Infallible {
    use sd_notify::NotifyState;

    let listening = format!("listening on http://{address}");
    send(&[NotifyState::Ready, NotifyState::Status(&listening)]);
    let Some(interval) = sd_notify::watchdog_enabled().filter(|interval| !interval.is_zero())
    else {
        return std::future::pending().await;
    };
    let mut beat = tokio::time::interval(interval / 2);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let fault = fault(&monitor.condition().await);
        let status = fault.map_or_else(|| listening.clone(), |fault| format!("not ready: {fault}"));
        let mut state = vec![NotifyState::Status(&status)];
        match monitor.has_tried_writing_within(interval) {
            true => state.push(NotifyState::Watchdog),
            false => tracing::error!(%status, "no write ends; systemd restarts the server soon"),
        }
        send(&state);
    }
}

/// Sends that the server stops.
#[cfg(unix)]
pub fn stopping() {
    send(&[
        sd_notify::NotifyState::Stopping,
        sd_notify::NotifyState::Status("stopping"),
    ]);
}

#[cfg(unix)]
fn send(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "cannot notify systemd");
    }
}

/// Returns what is wrong, in one line.
#[cfg(unix)]
fn fault(condition: &crate::server::health::ServiceCondition) -> Option<String> {
    let faults: Vec<String> = (condition.needed().into_iter())
        .filter_map(|(check, result)| {
            let detail = result.as_ref().err()?.replace('\n', " ");
            Some(format!("{check}: {detail}"))
        })
        .collect();
    (!faults.is_empty()).then(|| faults.join("; "))
}

/// Other systems have no systemd.
#[cfg(not(unix))]
pub async fn notify(_: &HealthMonitor, _: SocketAddr) -> Infallible {
    std::future::pending().await
}

/// Other systems have no systemd.
#[cfg(not(unix))]
pub fn stopping() {}
