//! The operator's limits, as options of the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;

/// A number of requests in a window of time, for each caller.
///
/// All may come together; the quota refills evenly over the window. The text form is `QUANTITY/SECONDS`; `0` means no
/// limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The number of requests; 0 means no limit.
    pub quantity: u32,
    /// The window in seconds, at least 1.
    pub seconds: u32,
}

impl Rate {
    const fn new(quantity: u32, seconds: u32) -> Rate {
        Rate { quantity, seconds }
    }
}

/// A text is not a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rate is QUANTITY/SECONDS, such as 600/10, or 0 for no limit")]
pub struct RateError;

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Rate, RateError> {
        let (quantity, seconds) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<u32>().map_err(|_| RateError);
        let rate = Rate::new(number(quantity)?, number(seconds)?);
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

/// The header in which trusted proxies pass on the caller's address.
///
/// A proxy sets one of the headers and forwards the other as the caller wrote it, so only one can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// A type of a limit's value.
trait Quantity: Copy + fmt::Display {
    /// The placeholder of the option's value in the help, for a unit.
    fn name(unit: &'static str) -> &'static str;

    /// Returns the quantity, and for a rate the window in seconds.
    fn parts(self) -> (u64, Option<u32>);
}

impl Quantity for Rate {
    fn name(_: &'static str) -> &'static str {
        "QUANTITY/SECONDS"
    }

    fn parts(self) -> (u64, Option<u32>) {
        (self.quantity.into(), Some(self.seconds))
    }
}

macro_rules! quantities {
    ($($type:ty),+) => {$(
        impl Quantity for $type {
            fn name(unit: &'static str) -> &'static str {
                unit
            }

            fn parts(self) -> (u64, Option<u32>) {
                (self as u64, None)
            }
        }
    )+};
}

quantities!(u32, u64, usize);

/// A limit, as `/v1/limits` and the documentation show it.
#[derive(Debug)]
pub struct Limit {
    /// The option of `tabularium serve`, without the dashes.
    pub option: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// What the limit counts.
    pub bounds: String,
    /// The unit of the quantity.
    pub unit: &'static str,
    /// The value, as the option expects it.
    pub text: String,
    /// The quantity; 0 means no limit.
    pub quantity: u64,
    /// For a rate, the seconds in which a used-up quota refills.
    pub window: Option<u32>,
}

impl Limit {
    /// The name of the limit, also in `RateLimit` and `RateLimit-Policy`.
    pub fn name(&self) -> String {
        let name = self.option.strip_prefix("limit-");
        name.unwrap_or(self.option).replace('-', "_")
    }

    /// Whether the limit is counted for each caller.
    fn is_metered(&self) -> bool {
        self.window.is_some() || self.option.starts_with("limit-address-")
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:expr, $option:literal, $variable:literal, $unit:literal;)+) => {
        /// The limits of callers.
        /// A quantity of 0 means no limit. An address is an IPv4 address or a /64 network of IPv6.
        #[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
        pub struct Limits {
            $(
                $(#[doc = $doc])+
                #[arg(long = $option, env = $variable, value_name = <$type as Quantity>::name($unit),
                    default_value_t = Limits::default().$field, help_heading = LIMITS)]
                pub $field: $type,
            )+
            /// Let everyone import records over HTTP, instead of only tokens with the scope `admin`.
            #[arg(long, env = "TABULARIUM_OPEN_RECORDS")]
            pub open_records: bool,
            /// Milliseconds before each decision in games between bots only, so that people can watch; 0 for none.
            #[arg(long, env = "TABULARIUM_BOT_PAUSE", value_name = "MILLISECONDS",
                default_value_t = Limits::default().bot_pause, help_heading = LIMITS)]
            pub bot_pause: u32,
            /// Seconds to wait before each further attempt of a webhook delivery.
            #[arg(long, env = "TABULARIUM_WEBHOOK_PAUSES", value_name = "SECONDS", value_delimiter = ',',
                default_value = list(&Limits::default().webhook_pauses))]
            pub webhook_pauses: Vec<u32>,
            /// Allow webhooks to loopback addresses, also over http. For tests.
            #[arg(long, env = "TABULARIUM_WEBHOOKS_TO_LOOPBACK")]
            pub webhooks_to_loopback: bool,
            /// Address or network of a trusted proxy, such as 10.0.0.0/8.
            /// Its header with the caller's address is used.
            #[arg(long = "trusted-proxy", env = "TABULARIUM_TRUSTED_PROXIES", value_name = "ADDRESS",
                value_delimiter = ',', value_parser = network)]
            pub trusted_proxies: Vec<IpNet>,
            /// The header in which trusted proxies pass on the caller's address.
            #[arg(long, env = "TABULARIUM_PROXY_HEADER", value_enum, default_value_t)]
            pub proxy_header: ProxyHeader,
            /// Disable the limits per address and token, for load tests. Limits in total still apply.
            #[arg(long, env = "TABULARIUM_UNMETERED", help_heading = LIMITS)]
            pub unmetered: bool,
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits {
                    $($field: $default,)+
                    open_records: false,
                    bot_pause: 0,
                    webhook_pauses: vec![ 5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, ],
                    webhooks_to_loopback: false,
                    trusted_proxies: Vec::new(),
                    proxy_header: ProxyHeader::default(),
                    unmetered: false,
                }
            }
        }

        impl Limits {
            /// Returns all limits, each of which is an option.
            pub fn all(&self) -> Vec<Limit> {
                vec![$({
                    let (quantity, window) = self.$field.parts();
                    Limit {
                        option: $option,
                        variable: $variable,
                        bounds: concat!($($doc),+).trim().to_owned(),
                        unit: $unit,
                        text: self.$field.to_string(),
                        quantity,
                        window,
                    }
                }),+]
            }
        }
    };
}

// Each limit once: field, type, default, option, variable and unit.
limits! {
    /// Reading requests of an address, without a token.
    reads: Rate = Rate::new(600, 10), "limit-reads", "TABULARIUM_LIMIT_READS", "requests";
    /// Writing requests of an address, without a token.
    writes: Rate = Rate::new(200, 10), "limit-writes", "TABULARIUM_LIMIT_WRITES", "requests";
    /// Reading requests with one token.
    token_reads: Rate = Rate::new(1_200, 10), "limit-token-reads", "TABULARIUM_LIMIT_TOKEN_READS", "requests";
    /// Writing requests with one token.
    token_writes: Rate = Rate::new(600, 10), "limit-token-writes", "TABULARIUM_LIMIT_TOKEN_WRITES", "requests";
    /// Requests of an address with any token, valid or not.
    tokens: Rate = Rate::new(6_000, 10), "limit-tokens", "TABULARIUM_LIMIT_TOKENS", "requests";
    /// Games, accounts and reports that an address creates.
    games: Rate = Rate::new(60, 60), "limit-games", "TABULARIUM_LIMIT_GAMES", "requests";
    /// Attempts of an address to sign in or to prove a password.
    sign_ins: Rate = Rate::new(30, 300), "limit-sign-ins", "TABULARIUM_LIMIT_SIGN_INS", "requests";
    /// Attempts to sign in to an account with a password, from all addresses.
    account_sign_ins: Rate = Rate::new(10, 600), "limit-account-sign-ins", "TABULARIUM_LIMIT_ACCOUNT_SIGN_INS", "requests";
    /// Codes of devices that an account enters.
    user_codes: Rate = Rate::new(10, 600), "limit-user-codes", "TABULARIUM_LIMIT_USER_CODES", "requests";
    /// Expensive requests of an address: the engine, whole logs, statistics.
    expensive: Rate = Rate::new(200, 20), "limit-expensive", "TABULARIUM_LIMIT_EXPENSIVE", "requests";
    /// Analyses that an address starts.
    analysis: Rate = Rate::new(60, 60), "limit-analysis", "TABULARIUM_LIMIT_ANALYSIS", "requests";
    /// Exports of the data of accounts that an address starts.
    exports: Rate = Rate::new(10, 3_600), "limit-exports", "TABULARIUM_LIMIT_EXPORTS", "requests";
    /// Analyses that run at the same time in total, each on a whole core.
    /// Further ones receive 503 immediately.
    analyses: usize = 2, "limit-analyses", "TABULARIUM_LIMIT_ANALYSES", "analyses";
    /// Analyses of an address that run at the same time.
    address_analyses: usize = 1, "limit-address-analyses", "TABULARIUM_LIMIT_ADDRESS_ANALYSES", "analyses";
    /// Playouts, or milliseconds, of an analysis.
    analysis_budget: u32 = 1_000, "limit-analysis-budget", "TABULARIUM_LIMIT_ANALYSIS_BUDGET", "playouts";
    /// Live streams in total.
    streams: usize = 10_000, "limit-streams", "TABULARIUM_LIMIT_STREAMS", "streams";
    /// Live streams of an address.
    address_streams: usize = 100, "limit-address-streams", "TABULARIUM_LIMIT_ADDRESS_STREAMS", "streams";
    /// Live streams of the log of all games, each of which receives every event.
    log_streams: usize = 100, "limit-log-streams", "TABULARIUM_LIMIT_LOG_STREAMS", "streams";
    /// Connections in total; 0 means as many as the system's limit of open files allows.
    connections: usize = 0, "limit-connections", "TABULARIUM_LIMIT_CONNECTIONS", "connections";
    /// Requests that run at the same time in total; further ones receive 503 immediately.
    requests: usize = 2_000, "limit-requests", "TABULARIUM_LIMIT_REQUESTS", "requests";
    /// Requests of an address that run at the same time.
    address_requests: usize = 200, "limit-address-requests", "TABULARIUM_LIMIT_ADDRESS_REQUESTS", "requests";
    /// Requests that use the database or compute at the same time; further ones wait.
    jobs: usize = 64, "limit-jobs", "TABULARIUM_LIMIT_JOBS", "requests";
    /// Requests of an address that use the database or compute at the same time; further ones wait.
    address_jobs: usize = 16, "limit-address-jobs", "TABULARIUM_LIMIT_ADDRESS_JOBS", "requests";
    /// Passwords hashed at the same time, each with 19 MiB of memory; further ones wait.
    passwords: usize = 4, "limit-passwords", "TABULARIUM_LIMIT_PASSWORDS", "passwords";
    /// Passwords of an address hashed at the same time; further ones wait.
    address_passwords: usize = 2, "limit-address-passwords", "TABULARIUM_LIMIT_ADDRESS_PASSWORDS", "passwords";
    /// Pictures drawn in pixels at the same time.
    /// Each needs a whole core and up to 50 MB of memory. Further ones wait.
    pictures: usize = 2, "limit-pictures", "TABULARIUM_LIMIT_PICTURES", "pictures";
    /// Pictures of an address drawn in pixels at the same time; further ones wait.
    address_pictures: usize = 1, "limit-address-pictures", "TABULARIUM_LIMIT_ADDRESS_PICTURES", "pictures";
    /// Requests that wait for a slot; further ones receive 503 immediately.
    /// An address can use half of the places.
    waiting: usize = 1_000, "limit-waiting", "TABULARIUM_LIMIT_WAITING", "requests";
    /// The longest wait of a request for a slot; then it receives 503.
    wait: u32 = 2_000, "limit-wait", "TABULARIUM_LIMIT_WAIT", "milliseconds";
    /// The longest delay of a thread that answers requests; beyond it, requests receive 503.
    delay: u32 = 1_000, "limit-delay", "TABULARIUM_LIMIT_DELAY", "milliseconds";
    /// The size of a request body.
    body: usize = 256 * 1024, "limit-body", "TABULARIUM_LIMIT_BODY", "bytes";
    /// The size of a request body with records to import.
    records_body: usize = 16 * 1024 * 1024, "limit-records-body", "TABULARIUM_LIMIT_RECORDS_BODY", "bytes";
    /// The records in one request.
    records: usize = 1_000, "limit-records", "TABULARIUM_LIMIT_RECORDS", "records";
    /// The longest time until the answer to a request begins.
    request_time: u32 = 30_000, "limit-time", "TABULARIUM_LIMIT_TIME", "milliseconds";
    /// Running games in total in which a bot is to move.
    bot_games_running: usize = 1_000, "limit-bot-games", "TABULARIUM_LIMIT_BOT_GAMES", "games";
    /// Running games, created by an address, in which a bot is to move.
    address_bot_games: usize = 50, "limit-address-bot-games", "TABULARIUM_LIMIT_ADDRESS_BOT_GAMES", "games";
    /// Playouts, or milliseconds, of a bot's decision.
    /// Stay below 5000: work of more than 5 seconds loses its lease.
    bot_budget: u32 = 1_000, "limit-bot-budget", "TABULARIUM_LIMIT_BOT_BUDGET", "playouts";
    /// Rounds of a game: the largest `max_rounds`, and its default.
    // Games of greedy bots and of people end after 15 to 60 rounds; some bots never finish a game.
    max_rounds: u32 = 200, "limit-rounds", "TABULARIUM_LIMIT_ROUNDS", "rounds";
    /// Events of a game; an undo and the undone actions count too.
    // A complete game has about a thousand events.
    events: u64 = 20_000, "limit-events", "TABULARIUM_LIMIT_EVENTS", "events";
    /// Webhooks of an account.
    webhooks: usize = 20, "limit-webhooks", "TABULARIUM_LIMIT_WEBHOOKS", "webhooks";
    /// The factor of higher limits for callers on the server's own machine, by loopback without a proxy.
    loopback: u32 = 100, "limit-loopback", "TABULARIUM_LIMIT_LOOPBACK", "times";
}

/// The heading of the limits in the help.
const LIMITS: &str = "Limits, 0 is none";

impl Limits {
    /// The limits for tests and benchmarks that load the server from one address.
    ///
    /// Nothing is counted by address or token, and delays are not checked.
    pub fn unmetered() -> Limits {
        Limits {
            unmetered: true,
            open_records: true,
            delay: 0,
            ..Limits::default()
        }
    }

    /// Returns the limits in force: without limits per caller, these are 0.
    pub fn holding(&self) -> impl Iterator<Item = Limit> {
        let unmetered = self.unmetered;
        self.all().into_iter().map(move |limit| match limit {
            limit if unmetered && limit.is_metered() => Limit {
                quantity: 0,
                ..limit
            },
            limit => limit,
        })
    }

    /// Returns a limit per caller, or 0 if nothing is counted for each caller.
    pub(crate) fn metered(&self, quantity: usize) -> usize {
        if self.unmetered { 0 } else { quantity }
    }
}

/// Converts a limit into a bound: 0 means none.
pub(crate) fn bound(quantity: usize) -> usize {
    match quantity {
        0 => usize::MAX,
        quantity => quantity,
    }
}

/// Converts milliseconds into a bound: 0 means none.
pub(crate) fn time_bound(milliseconds: u32) -> Duration {
    match milliseconds {
        0 => Duration::MAX,
        milliseconds => Duration::from_millis(milliseconds.into()),
    }
}

/// Parses a network, or an address as a network of one address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = text.parse::<std::net::IpAddr>().map(IpNet::from);
    address
        .or_else(|_| text.parse())
        .map_err(|_| format!("{text:?} is not an IP address or a network such as 10.0.0.0/8"))
}

/// Formats values as an option expects them: separated by commas.
fn list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    values.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        limits: Limits,
    }

    #[test]
    fn the_command_line_has_the_same_defaults() {
        let line = <CommandLine as clap::Parser>::try_parse_from(["serve"]).unwrap();
        assert_eq!(line.limits, Limits::default());
    }

    /// `TABULARIUM_WRITE_LIMITS=1` writes the table of limits in the documentation.
    #[test]
    fn the_documentation_has_every_limit() {
        const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/limits.md");
        const HEAD: &str = "| Option | Variable | Default | Unit | What it bounds |\n| --- | --- | --- | --- | --- |\n";
        let rows = Limits::default().all().into_iter().map(|limit| {
            format!(
                "| `--{}` | `{}` | {} | {} | {} |\n",
                limit.option, limit.variable, limit.text, limit.unit, limit.bounds
            )
        });
        let table = HEAD.to_owned() + &rows.collect::<String>();
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(HEAD).unwrap();
        let end = rest.find("\n\n").unwrap();
        let written = format!("{before}{table}{}", &rest[end + 1..]);
        if std::env::var_os("TABULARIUM_WRITE_LIMITS").is_some() {
            std::fs::write(PAGE, &written).unwrap();
        } else {
            assert_eq!(page, written);
        }
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
        let line = <CommandLine as clap::Parser>::try_parse_from(line).unwrap();
        let networks: Vec<String> = (line.limits.trusted_proxies.iter())
            .map(ToString::to_string)
            .collect();
        assert_eq!(networks, ["10.0.0.0/8", "::1/128", "192.0.2.1/32"]);
        let wrong = ["serve", "--trusted-proxy", "proxy.example.org"];
        assert!(<CommandLine as clap::Parser>::try_parse_from(wrong).is_err());
    }
}
