//! Sends a delivery: one attempt, one request.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, USER_AGENT};
use reqwest::{Client, redirect};

use crate::webhooks::address::{PublicResolver, check_form};
use crate::webhooks::queries::{StoredDelivery, StoredWebhook};
use crate::webhooks::signature::sign;

/// The longest time to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// The longest time of an attempt.
const ATTEMPT: Duration = Duration::from_secs(15);

/// The number of bytes read of an answer, so that the connection can be reused.
const ANSWER: usize = 4 * 1024;

/// The HTTP status of the receiver's answer, or why there is none.
pub type AttemptResponse = Result<u16, String>;

/// Creates the client: public addresses only, without proxies and redirects.
pub fn client(to_loopback: bool) -> Result<Client, reqwest::Error> {
    Client::builder()
        .dns_resolver(Arc::new(PublicResolver { to_loopback }))
        .no_proxy()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(ATTEMPT)
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(ATTEMPT)
        .build()
}

/// Sends a delivery at `now`, in microseconds since 1970, with a body in the form of the webhook.
pub async fn post(
    client: &Client,
    to_loopback: bool,
    webhook: &StoredWebhook,
    delivery: &StoredDelivery,
    body: String,
    now: i64,
) -> AttemptResponse {
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
            sign(&secrets, &delivery.id, seconds, &body),
        )
        .body(body)
        .send();
    let mut answer = sent.await.map_err(|error| reason(&error))?;
    let status = answer.status().as_u16();
    let mut read = 0;
    // Only the status matters, even if the rest cannot be read.
    while let Ok(Some(part)) = answer.chunk().await {
        read += part.len();
        if read > ANSWER {
            break;
        }
    }
    Ok(status)
}

/// Describes why a request was not answered.
///
/// Details are omitted: they could reveal facts about this server's network.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer within 15 seconds".to_owned();
    }
    if error.is_connect() {
        return "the connection to a public address of the host failed".to_owned();
    }
    "the connection ended without an answer".to_owned()
}
