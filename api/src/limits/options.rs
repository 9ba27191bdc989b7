//! The limits as data, as the operator gives them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;

/// A number of requests within a window of time, for each caller: so many at once, which come back evenly
/// over the window. It is written as `QUANTITY/SECONDS`; `0` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many requests; 0 is no limit.
    pub quantity: u32,
    /// The window in seconds, from 1.
    pub seconds: u32,
}

impl Rate {
    const fn of(quantity: u32, seconds: u32) -> Rate {
        Rate { quantity, seconds }
    }
}

/// A text is no rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rate is QUANTITY/SECONDS, such as 600/10, or 0 for no limit")]
pub struct RateError;

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Rate, RateError> {
        let (quantity, seconds) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<u32>().map_err(|_| RateError);
        let rate = Rate::of(number(quantity)?, number(seconds)?);
        let whole = text.contains('/') || rate.quantity == 0;
        match whole && rate.seconds > 0 {
            true => Ok(rate),
            false => Err(RateError),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quantity {
            0 => f.write_str("0"),
            quantity => write!(f, "{quantity}/{}", self.seconds),
        }
    }
}

/// The header in which a trusted proxy tells whose request it passes on. A proxy sets one of them and hands
/// on the other as the caller wrote it, so that only one can be believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// What callers may cost. A quantity of 0 and [`Duration::MAX`] are no limit. An address is one of IPv4 or a /64 network of IPv6.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Limits {
    /// Requests that read, of an address, without a token.
    #[arg(long = "limit-reads", env = "TABULARIUM_LIMIT_READS", value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().reads, help_heading = LIMITS)]
    pub reads: Rate,
    /// Requests that write, of an address, without a token.
    #[arg(long = "limit-writes", env = "TABULARIUM_LIMIT_WRITES", value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().writes, help_heading = LIMITS)]
    pub writes: Rate,
    /// Requests that read, with one token.
    #[arg(long = "limit-token-reads", env = "TABULARIUM_LIMIT_TOKEN_READS",
        value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().token_reads, help_heading = LIMITS)]
    pub token_reads: Rate,
    /// Requests that write, with one token.
    #[arg(long = "limit-token-writes", env = "TABULARIUM_LIMIT_TOKEN_WRITES",
        value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().token_writes, help_heading = LIMITS)]
    pub token_writes: Rate,
    /// Requests with any token, of an address: anybody can make tokens up.
    #[arg(long = "limit-tokens", env = "TABULARIUM_LIMIT_TOKENS", value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().tokens, help_heading = LIMITS)]
    pub tokens: Rate,
    /// Games and accounts created, by an address.
    #[arg(long = "limit-games", env = "TABULARIUM_LIMIT_GAMES", value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().games, help_heading = LIMITS)]
    pub games: Rate,
    /// Calls that cost much, of an address: of the engine, whole logs, statistics.
    #[arg(long = "limit-expensive", env = "TABULARIUM_LIMIT_EXPENSIVE",
        value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().expensive, help_heading = LIMITS)]
    pub expensive: Rate,
    /// Analyses that an address begins.
    #[arg(long = "limit-analysis", env = "TABULARIUM_LIMIT_ANALYSIS",
        value_name = "QUANTITY/SECONDS",
        default_value_t = Limits::default().analysis, help_heading = LIMITS)]
    pub analysis: Rate,
    /// Analyses at the same time in all, each of which keeps a core busy; the next one is answered 503 at once.
    #[arg(long = "limit-analyses", env = "TABULARIUM_LIMIT_ANALYSES", value_name = "QUANTITY",
        default_value_t = Limits::default().analyses, help_heading = LIMITS)]
    pub analyses: usize,
    /// Analyses at the same time of an address.
    #[arg(long = "limit-address-analyses", env = "TABULARIUM_LIMIT_ADDRESS_ANALYSES",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_analyses, help_heading = LIMITS)]
    pub address_analyses: usize,
    /// Playouts, or milliseconds, that an analysis may take.
    #[arg(long = "limit-analysis-budget", env = "TABULARIUM_LIMIT_ANALYSIS_BUDGET",
        value_name = "QUANTITY",
        default_value_t = Limits::default().analysis_budget, help_heading = LIMITS)]
    pub analysis_budget: u32,
    /// Live streams in all.
    #[arg(long = "limit-streams", env = "TABULARIUM_LIMIT_STREAMS", value_name = "QUANTITY",
        default_value_t = Limits::default().streams, help_heading = LIMITS)]
    pub streams: usize,
    /// Live streams of an address.
    #[arg(long = "limit-address-streams", env = "TABULARIUM_LIMIT_ADDRESS_STREAMS",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_streams, help_heading = LIMITS)]
    pub address_streams: usize,
    /// Live streams of the log of all games, each of which is told every event.
    #[arg(long = "limit-log-streams", env = "TABULARIUM_LIMIT_LOG_STREAMS", value_name = "QUANTITY",
        default_value_t = Limits::default().log_streams, help_heading = LIMITS)]
    pub log_streams: usize,
    /// Connections in all; at most as many as the system allows open files for, which 0 takes.
    #[arg(long = "limit-connections", env = "TABULARIUM_LIMIT_CONNECTIONS", value_name = "QUANTITY",
        default_value_t = Limits::default().connections, help_heading = LIMITS)]
    pub connections: usize,
    /// Requests under way at the same time in all; the next one is answered 503 at once.
    #[arg(long = "limit-requests", env = "TABULARIUM_LIMIT_REQUESTS", value_name = "QUANTITY",
        default_value_t = Limits::default().requests, help_heading = LIMITS)]
    pub requests: usize,
    /// Requests under way at the same time of an address.
    #[arg(long = "limit-address-requests", env = "TABULARIUM_LIMIT_ADDRESS_REQUESTS",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_requests, help_heading = LIMITS)]
    pub address_requests: usize,
    /// Requests that work on the database or compute at the same time; others wait for their turn.
    #[arg(long = "limit-jobs", env = "TABULARIUM_LIMIT_JOBS", value_name = "QUANTITY",
        default_value_t = Limits::default().jobs, help_heading = LIMITS)]
    pub jobs: usize,
    /// Requests of an address that work on the database or compute at the same time; others of it wait.
    #[arg(long = "limit-address-jobs", env = "TABULARIUM_LIMIT_ADDRESS_JOBS",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_jobs, help_heading = LIMITS)]
    pub address_jobs: usize,
    /// Pictures that are drawn in pixels at the same time, each of which keeps a core busy and takes up to 50 MB; others
    /// wait for their turn.
    #[arg(long = "limit-pictures", env = "TABULARIUM_LIMIT_PICTURES", value_name = "QUANTITY",
        default_value_t = Limits::default().pictures, help_heading = LIMITS)]
    pub pictures: usize,
    /// Pictures of an address that are drawn in pixels at the same time; others of it wait.
    #[arg(long = "limit-address-pictures", env = "TABULARIUM_LIMIT_ADDRESS_PICTURES",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_pictures, help_heading = LIMITS)]
    pub address_pictures: usize,
    /// Requests that wait for their turn; the next one is answered 503 at once. An address has half of the places.
    #[arg(long = "limit-waiting", env = "TABULARIUM_LIMIT_WAITING", value_name = "QUANTITY",
        default_value_t = Limits::default().waiting, help_heading = LIMITS)]
    pub waiting: usize,
    /// For how long a request waits for its turn before it is answered 503, in milliseconds.
    #[arg(long = "limit-wait", env = "TABULARIUM_LIMIT_WAIT", value_name = "MILLISECONDS",
        value_parser = milliseconds, default_value = "2000", help_heading = LIMITS)]
    pub wait: Duration,
    /// By how much a thread that answers requests may be behind before it answers 503, in milliseconds.
    #[arg(long = "limit-delay", env = "TABULARIUM_LIMIT_DELAY", value_name = "MILLISECONDS",
        value_parser = milliseconds, default_value = "1000", help_heading = LIMITS)]
    pub delay: Duration,
    /// The largest body, in bytes.
    #[arg(long = "limit-body", env = "TABULARIUM_LIMIT_BODY", value_name = "BYTES",
        default_value_t = Limits::default().body, help_heading = LIMITS)]
    pub body: usize,
    /// The largest body of records to be taken in, in bytes.
    #[arg(long = "limit-records-body", env = "TABULARIUM_LIMIT_RECORDS_BODY", value_name = "BYTES",
        default_value_t = Limits::default().records_body, help_heading = LIMITS)]
    pub records_body: usize,
    /// The records of one request.
    #[arg(long = "limit-records", env = "TABULARIUM_LIMIT_RECORDS", value_name = "QUANTITY",
        default_value_t = Limits::default().records, help_heading = LIMITS)]
    pub records: usize,
    /// Let everybody bring records in over HTTP, not only who has the scope `admin`.
    #[arg(long, env = "TABULARIUM_OPEN_RECORDS")]
    pub open_records: bool,
    /// How long a request may take until its answer begins, in seconds.
    #[arg(long = "limit-time", env = "TABULARIUM_LIMIT_TIME", value_name = "SECONDS",
        value_parser = seconds, default_value = "30", help_heading = LIMITS)]
    pub request_time: Duration,
    /// Running games in all in which a bot is to move.
    #[arg(long = "limit-bot-games", env = "TABULARIUM_LIMIT_BOT_GAMES", value_name = "QUANTITY",
        default_value_t = Limits::default().bot_games_running, help_heading = LIMITS)]
    pub bot_games_running: usize,
    /// Running games in which a bot is to move and that an address has created.
    #[arg(long = "limit-address-bot-games", env = "TABULARIUM_LIMIT_ADDRESS_BOT_GAMES",
        value_name = "QUANTITY",
        default_value_t = Limits::default().address_bot_games, help_heading = LIMITS)]
    pub address_bot_games: usize,
    /// Playouts, or milliseconds, that a decision of a bot may take; no more than some thousands, for
    /// what works for longer than 5 seconds loses its lease.
    #[arg(long = "limit-bot-budget", env = "TABULARIUM_LIMIT_BOT_BUDGET", value_name = "QUANTITY",
        default_value_t = Limits::default().bot_budget, help_heading = LIMITS)]
    pub bot_budget: u32,
    /// Milliseconds before each decision in a game that bots play alone, so that it can be watched; 0 for none.
    #[arg(long, env = "TABULARIUM_BOT_PAUSE", value_name = "MILLISECONDS",
        default_value_t = Limits::default().bot_pause, help_heading = LIMITS)]
    pub bot_pause: u32,
    /// Rounds of a game: the most that `max_rounds` can say, and what it says when it is left out.
    // Games of greedy bots and of people are over after 15 to 60 rounds; some bots never come to an end.
    #[arg(long = "limit-rounds", env = "TABULARIUM_LIMIT_ROUNDS", value_name = "QUANTITY",
        default_value_t = Limits::default().max_rounds, help_heading = LIMITS)]
    pub max_rounds: u32,
    /// Events of a game. An undo is one, and so is what it takes back.
    // A whole game has about a thousand.
    #[arg(long = "limit-events", env = "TABULARIUM_LIMIT_EVENTS", value_name = "QUANTITY",
        default_value_t = Limits::default().events, help_heading = LIMITS)]
    pub events: u64,
    /// Webhooks of an account.
    #[arg(long = "limit-webhooks", env = "TABULARIUM_LIMIT_WEBHOOKS", value_name = "QUANTITY",
        default_value_t = Limits::default().webhooks, help_heading = LIMITS)]
    pub webhooks: usize,
    /// The seconds before each further attempt to deliver to a webhook.
    #[arg(long, env = "TABULARIUM_WEBHOOK_PAUSES", value_name = "SECONDS", value_delimiter = ',',
        default_value = list(&Limits::default().webhook_pauses))]
    pub webhook_pauses: Vec<u32>,
    /// Let webhooks go to this machine too, and by http there: for tests.
    #[arg(long, env = "TABULARIUM_WEBHOOKS_TO_LOOPBACK")]
    pub webhooks_to_loopback: bool,
    /// A proxy, as an address or network such as 10.0.0.0/8, that is believed whose requests it passes on.
    #[arg(long = "trusted-proxy", env = "TABULARIUM_TRUSTED_PROXIES", value_name = "ADDRESS",
        value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,
    /// The header in which trusted proxies say it.
    #[arg(long, env = "TABULARIUM_PROXY_HEADER", value_enum, default_value_t)]
    pub proxy_header: ProxyHeader,
    /// How many times as much the machine that the service runs on may ask: callers by loopback, without
    /// what a proxy adds.
    #[arg(long = "limit-loopback", env = "TABULARIUM_LIMIT_LOOPBACK", value_name = "TIMES",
        default_value_t = Limits::default().loopback, help_heading = LIMITS)]
    pub loopback: u32,
    /// Count nothing by address or token: for tests under load. What holds in all still holds.
    #[arg(long, env = "TABULARIUM_UNMETERED", help_heading = LIMITS)]
    pub unmetered: bool,
}

/// Where the limits stand in the help.
const LIMITS: &str = "Limits, 0 is none";

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            reads: Rate::of(600, 10),
            writes: Rate::of(200, 10),
            token_reads: Rate::of(1_200, 10),
            token_writes: Rate::of(600, 10),
            tokens: Rate::of(6_000, 10),
            games: Rate::of(60, 60),
            expensive: Rate::of(200, 20),
            analysis: Rate::of(60, 60),
            analyses: 2,
            address_analyses: 1,
            analysis_budget: 1_000,
            streams: 10_000,
            address_streams: 100,
            log_streams: 100,
            connections: 0,
            requests: 2_000,
            address_requests: 200,
            jobs: 64,
            address_jobs: 16,
            pictures: 2,
            address_pictures: 1,
            waiting: 1_000,
            wait: Duration::from_secs(2),
            delay: Duration::from_secs(1),
            body: 256 * 1024,
            records_body: 16 * 1024 * 1024,
            records: 1_000,
            open_records: false,
            request_time: Duration::from_secs(30),
            bot_games_running: 1_000,
            address_bot_games: 50,
            bot_budget: 1_000,
            bot_pause: 0,
            max_rounds: 200,
            events: 20_000,
            webhooks: 20,
            webhook_pauses: vec![
                5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
            ],
            webhooks_to_loopback: false,
            trusted_proxies: Vec::new(),
            proxy_header: ProxyHeader::default(),
            loopback: 100,
            unmetered: false,
        }
    }
}

impl Limits {
    /// The limits of a server that tests and benches put under load from one address: nothing is counted by
    /// address or token, and no thread is ever too late.
    pub fn unmetered() -> Limits {
        Limits {
            unmetered: true,
            open_records: true,
            delay: Duration::MAX,
            ..Limits::default()
        }
    }

    /// What is counted for each caller, or no limit when nothing is.
    pub(super) fn metered(&self, quantity: usize) -> usize {
        if self.unmetered { 0 } else { quantity }
    }
}

/// A limit as a bound: 0 is none.
pub(crate) fn bound(quantity: usize) -> usize {
    match quantity {
        0 => usize::MAX,
        quantity => quantity,
    }
}

fn milliseconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_millis).map(unless_zero)
}

fn seconds(text: &str) -> Result<Duration, std::num::ParseIntError> {
    text.parse().map(Duration::from_secs).map(unless_zero)
}

/// A time as a bound: 0 is none.
fn unless_zero(time: Duration) -> Duration {
    if time.is_zero() { Duration::MAX } else { time }
}

/// A network, or an address as the network of it alone.
fn network(text: &str) -> Result<IpNet, String> {
    let address = text.parse::<std::net::IpAddr>().map(IpNet::from);
    address
        .or_else(|_| text.parse())
        .map_err(|_| format!("{text:?} is no address and no network such as 10.0.0.0/8"))
}

/// Values as an option takes them: with commas between.
fn list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    values.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        limits: Limits,
    }

    #[test]
    fn the_command_line_has_the_same_defaults() {
        let line = <Line as clap::Parser>::try_parse_from(["serve"]).unwrap();
        assert_eq!(line.limits, Limits::default());
    }

    #[test]
    fn rates_are_read_as_they_are_written() {
        for text in ["600/10", "1/3600", "0"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        for text in ["", "6", "6/0", "-6/1", "6/1/1", "6 / 1", "6/1s"] {
            assert_eq!(text.parse::<Rate>(), Err(RateError), "{text}");
        }
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        let line = [
            "serve",
            "--trusted-proxy",
            "10.0.0.0/8,::1",
            "--trusted-proxy",
            "192.0.2.1",
        ];
        let line = <Line as clap::Parser>::try_parse_from(line).unwrap();
        let told = line.limits.trusted_proxies.iter().map(ToString::to_string);
        let told: Vec<String> = told.collect();
        assert_eq!(told, ["10.0.0.0/8", "::1/128", "192.0.2.1/32"]);
        let wrong = ["serve", "--trusted-proxy", "proxy.example.org"];
        assert!(<Line as clap::Parser>::try_parse_from(wrong).is_err());
    }
}
