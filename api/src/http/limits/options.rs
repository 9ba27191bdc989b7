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

/// How a limit is told.
trait Quantity: Copy + fmt::Display {
    /// What an option is called that counts such units.
    fn name(unit: &'static str) -> &'static str;

    /// How much there may be, and the seconds over which it comes back.
    fn told(self) -> (u64, Option<u32>);
}

impl Quantity for Rate {
    fn name(_: &'static str) -> &'static str {
        "QUANTITY/SECONDS"
    }

    fn told(self) -> (u64, Option<u32>) {
        (self.quantity.into(), Some(self.seconds))
    }
}

macro_rules! quantities {
    ($($type:ty),+) => {$(
        impl Quantity for $type {
            fn name(unit: &'static str) -> &'static str {
                unit
            }

            fn told(self) -> (u64, Option<u32>) {
                (self as u64, None)
            }
        }
    )+};
}

quantities!(u32, u64, usize);

/// A limit as `/v1/limits` and the documentation tell it.
#[derive(Debug)]
pub struct Limit {
    /// The option of `tabularium serve`, without its dashes.
    pub option: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// What it bounds.
    pub bounds: String,
    /// What its quantity counts.
    pub unit: &'static str,
    /// How much there may be, as an option is written.
    pub text: String,
    /// How much there may be; 0 is no limit.
    pub quantity: u64,
    /// Of a rate, the seconds over which a quantity that was used up comes back.
    pub window: Option<u32>,
}

impl Limit {
    /// Its name, in `RateLimit` and `RateLimit-Policy` too.
    pub fn name(&self) -> String {
        let name = self.option.strip_prefix("limit-");
        name.unwrap_or(self.option).replace('-', "_")
    }

    /// Whether it is counted for each caller.
    fn is_metered(&self) -> bool {
        self.window.is_some() || self.option.starts_with("limit-address-")
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:expr, $option:literal, $variable:literal, $unit:literal;)+) => {
        /// What callers may cost. A quantity of 0 is no limit. An address is one of IPv4 or a /64 network of IPv6.
        #[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
        pub struct Limits {
            $(
                $(#[doc = $doc])+
                #[arg(long = $option, env = $variable, value_name = <$type as Quantity>::name($unit),
                    default_value_t = Limits::default().$field, help_heading = LIMITS)]
                pub $field: $type,
            )+
            /// Let everybody bring records in over HTTP, not only who has the scope `admin`.
            #[arg(long, env = "TABULARIUM_OPEN_RECORDS")]
            pub open_records: bool,
            /// Milliseconds before each decision in a game that bots play alone, so that it can be watched; 0 for none.
            #[arg(long, env = "TABULARIUM_BOT_PAUSE", value_name = "MILLISECONDS",
                default_value_t = Limits::default().bot_pause, help_heading = LIMITS)]
            pub bot_pause: u32,
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
            /// Count nothing by address or token: for tests under load. What holds in all still holds.
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
            /// All limits, each of which is an option.
            pub fn all(&self) -> Vec<Limit> {
                vec![$({
                    let (quantity, window) = self.$field.told();
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

// Each limit once: its field, type and default, option, variable, and what it counts.
limits! {
    /// Requests that read, of an address, without a token.
    reads: Rate = Rate::of(600, 10), "limit-reads", "TABULARIUM_LIMIT_READS", "requests";
    /// Requests that write, of an address, without a token.
    writes: Rate = Rate::of(200, 10), "limit-writes", "TABULARIUM_LIMIT_WRITES", "requests";
    /// Requests that read, with one token.
    token_reads: Rate = Rate::of(1_200, 10), "limit-token-reads", "TABULARIUM_LIMIT_TOKEN_READS", "requests";
    /// Requests that write, with one token.
    token_writes: Rate = Rate::of(600, 10), "limit-token-writes", "TABULARIUM_LIMIT_TOKEN_WRITES", "requests";
    /// Requests with any token, of an address: anybody can make tokens up.
    tokens: Rate = Rate::of(6_000, 10), "limit-tokens", "TABULARIUM_LIMIT_TOKENS", "requests";
    /// Games and accounts created, by an address.
    games: Rate = Rate::of(60, 60), "limit-games", "TABULARIUM_LIMIT_GAMES", "requests";
    /// Calls that cost much, of an address: of the engine, whole logs, statistics.
    expensive: Rate = Rate::of(200, 20), "limit-expensive", "TABULARIUM_LIMIT_EXPENSIVE", "requests";
    /// Analyses that an address begins.
    analysis: Rate = Rate::of(60, 60), "limit-analysis", "TABULARIUM_LIMIT_ANALYSIS", "requests";
    /// Analyses at the same time in all, each of which keeps a core busy; the next one is answered 503 at once.
    analyses: usize = 2, "limit-analyses", "TABULARIUM_LIMIT_ANALYSES", "analyses";
    /// Analyses at the same time of an address.
    address_analyses: usize = 1, "limit-address-analyses", "TABULARIUM_LIMIT_ADDRESS_ANALYSES", "analyses";
    /// Playouts, or milliseconds, that an analysis may take.
    analysis_budget: u32 = 1_000, "limit-analysis-budget", "TABULARIUM_LIMIT_ANALYSIS_BUDGET", "playouts";
    /// Live streams in all.
    streams: usize = 10_000, "limit-streams", "TABULARIUM_LIMIT_STREAMS", "streams";
    /// Live streams of an address.
    address_streams: usize = 100, "limit-address-streams", "TABULARIUM_LIMIT_ADDRESS_STREAMS", "streams";
    /// Live streams of the log of all games, each of which is told every event.
    log_streams: usize = 100, "limit-log-streams", "TABULARIUM_LIMIT_LOG_STREAMS", "streams";
    /// Connections in all; at most as many as the system allows open files for, which 0 takes.
    connections: usize = 0, "limit-connections", "TABULARIUM_LIMIT_CONNECTIONS", "connections";
    /// Requests under way at the same time in all; the next one is answered 503 at once.
    requests: usize = 2_000, "limit-requests", "TABULARIUM_LIMIT_REQUESTS", "requests";
    /// Requests under way at the same time of an address.
    address_requests: usize = 200, "limit-address-requests", "TABULARIUM_LIMIT_ADDRESS_REQUESTS", "requests";
    /// Requests that work on the database or compute at the same time; others wait for their turn.
    jobs: usize = 64, "limit-jobs", "TABULARIUM_LIMIT_JOBS", "requests";
    /// Requests of an address that work on the database or compute at the same time; others of it wait.
    address_jobs: usize = 16, "limit-address-jobs", "TABULARIUM_LIMIT_ADDRESS_JOBS", "requests";
    /// Pictures that are drawn in pixels at the same time, each of which keeps a core busy and takes up to 50 MB; others
    /// wait for their turn.
    pictures: usize = 2, "limit-pictures", "TABULARIUM_LIMIT_PICTURES", "pictures";
    /// Pictures of an address that are drawn in pixels at the same time; others of it wait.
    address_pictures: usize = 1, "limit-address-pictures", "TABULARIUM_LIMIT_ADDRESS_PICTURES", "pictures";
    /// Requests that wait for their turn; the next one is answered 503 at once. An address has half of the places.
    waiting: usize = 1_000, "limit-waiting", "TABULARIUM_LIMIT_WAITING", "requests";
    /// For how long a request waits for its turn before it is answered 503.
    wait: u32 = 2_000, "limit-wait", "TABULARIUM_LIMIT_WAIT", "milliseconds";
    /// By how much a thread that answers requests may be behind before it answers 503.
    delay: u32 = 1_000, "limit-delay", "TABULARIUM_LIMIT_DELAY", "milliseconds";
    /// The largest body.
    body: usize = 256 * 1024, "limit-body", "TABULARIUM_LIMIT_BODY", "bytes";
    /// The largest body of records to be taken in.
    records_body: usize = 16 * 1024 * 1024, "limit-records-body", "TABULARIUM_LIMIT_RECORDS_BODY", "bytes";
    /// The records of one request.
    records: usize = 1_000, "limit-records", "TABULARIUM_LIMIT_RECORDS", "records";
    /// How long a request may take until its answer begins.
    request_time: u32 = 30_000, "limit-time", "TABULARIUM_LIMIT_TIME", "milliseconds";
    /// Running games in all in which a bot is to move.
    bot_games_running: usize = 1_000, "limit-bot-games", "TABULARIUM_LIMIT_BOT_GAMES", "games";
    /// Running games in which a bot is to move and that an address has created.
    address_bot_games: usize = 50, "limit-address-bot-games", "TABULARIUM_LIMIT_ADDRESS_BOT_GAMES", "games";
    /// Playouts, or milliseconds, that a decision of a bot may take; no more than some thousands, for
    /// what works for longer than 5 seconds loses its lease.
    bot_budget: u32 = 1_000, "limit-bot-budget", "TABULARIUM_LIMIT_BOT_BUDGET", "playouts";
    /// Rounds of a game: the most that `max_rounds` can say, and what it says when it is left out.
    // Games of greedy bots and of people are over after 15 to 60 rounds; some bots never come to an end.
    max_rounds: u32 = 200, "limit-rounds", "TABULARIUM_LIMIT_ROUNDS", "rounds";
    /// Events of a game. An undo is one, and so is what it takes back.
    // A whole game has about a thousand.
    events: u64 = 20_000, "limit-events", "TABULARIUM_LIMIT_EVENTS", "events";
    /// Webhooks of an account.
    webhooks: usize = 20, "limit-webhooks", "TABULARIUM_LIMIT_WEBHOOKS", "webhooks";
    /// How many times as much the machine that the service runs on may ask: callers by loopback, without
    /// what a proxy adds.
    loopback: u32 = 100, "limit-loopback", "TABULARIUM_LIMIT_LOOPBACK", "times";
}

/// Where the limits stand in the help.
const LIMITS: &str = "Limits, 0 is none";

impl Limits {
    /// The limits of a server that tests and benches put under load from one address: nothing is counted by
    /// address or token, and no thread is ever too late.
    pub fn unmetered() -> Limits {
        Limits {
            unmetered: true,
            open_records: true,
            delay: 0,
            ..Limits::default()
        }
    }

    /// The limits that hold: where nothing is counted for each caller, none of those.
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

    /// What is counted for each caller, or no limit when nothing is.
    pub(crate) fn metered(&self, quantity: usize) -> usize {
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

/// A time in milliseconds as a bound: 0 is none.
pub(crate) fn time_bound(milliseconds: u32) -> Duration {
    match milliseconds {
        0 => Duration::MAX,
        milliseconds => Duration::from_millis(milliseconds.into()),
    }
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

    /// The table of limits in the documentation is written by `TABULARIUM_WRITE_LIMITS=1`.
    #[test]
    fn the_documentation_has_every_limit() {
        const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operating-a-server.md");
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
        let line = <Line as clap::Parser>::try_parse_from(line).unwrap();
        let told = line.limits.trusted_proxies.iter().map(ToString::to_string);
        let told: Vec<String> = told.collect();
        assert_eq!(told, ["10.0.0.0/8", "::1/128", "192.0.2.1/32"]);
        let wrong = ["serve", "--trusted-proxy", "proxy.example.org"];
        assert!(<Line as clap::Parser>::try_parse_from(wrong).is_err());
    }
}
