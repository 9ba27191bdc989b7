//! An attempt to deliver: one request.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, USER_AGENT};
use reqwest::{Client, redirect};

use crate::webhooks::address::{PublicOnly, check_form};
use crate::webhooks::queries::{StoredDelivery, StoredWebhook};
use crate::webhooks::signature::sign;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a whole attempt may take.
const ATTEMPT: Duration = Duration::from_secs(15);

/// How much of an answer is read, so that its connection can be used again.
const ANSWER: usize = 4 * 1024;

/// What a receiver answered: its status, or why there is none.
pub type Answered = Result<u16, String>;

/// Who sends: connections go to public addresses only, by no proxy, and nobody is followed elsewhere.
pub fn client(to_loopback: bool) -> Result<Client, reqwest::Error> {
    Client::builder()
        .dns_resolver(Arc::new(PublicOnly { to_loopback }))
        .no_proxy()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(ATTEMPT)
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(ATTEMPT)
        .build()
}

/// Sends a delivery at a time in microseconds since 1970.
pub async fn post(
    client: &Client,
    to_loopback: bool,
    webhook: &StoredWebhook,
    delivery: &StoredDelivery,
    now: i64,
) -> Answered {
    let url = check_form(&webhook.url, to_loopback)?;
    let seconds = now.div_euclid(1_000_000);
    let old = webhook.old_secret.as_deref();
    let old = old.filter(|_| webhook.old_secret_until > now);
    let secrets: Vec<&str> = [webhook.secret.as_str()].into_iter().chain(old).collect();
    let sent = client
        .post(url)
        .header(CONTENT_TYPE, "application/json")
        .header(
            USER_AGENT,
            concat!("Tabularium/", env!("CARGO_PKG_VERSION")),
        )
        .header("webhook-id", &delivery.id)
        .header("webhook-timestamp", seconds)
        .header(
            "webhook-signature",
            sign(&secrets, &delivery.id, seconds, &delivery.body),
        )
        .body(delivery.body.clone())
        .send();
    let mut answer = sent.await.map_err(|error| reason(&error))?;
    let status = answer.status().as_u16();
    let mut read = 0;
    // Whatever else it says, or fails to say, the status counts.
    while let Ok(Some(part)) = answer.chunk().await {
        read += part.len();
        if read > ANSWER {
            break;
        }
    }
    Ok(status)
}

/// Why a request was not answered. Of what lies below only what the resolver says is told: it is the owner's to
/// know, the rest is about this machine's network.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    if error.is_connect() {
        return "no connection to a public address".to_owned();
    }
    "no answer".to_owned()
}
