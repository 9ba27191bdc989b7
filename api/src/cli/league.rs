//! `tabularium league`: runs a league through the API of a running server.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, CONTENT_TYPE, IF_MATCH, USER_AGENT};
use reqwest::{Client, Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::cli::league_files::{FileFormat, check_nations, listed, print_pairing, print_report};
use crate::leagues::exchange::model::ImportReport;
use crate::leagues::model::{
    ChangedTable, ChangedTables, CreatedTables, LeagueBody, LeagueEventPage, LeagueSeatBody,
    MemberBody, PairingBody, StandingsBody,
};
use crate::leagues::queries::LeagueRow;

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of attempts without an answer; the idempotency key prevents a second effect.
const ATTEMPTS: u32 = 3;

/// The number of events in a page.
const PAGE: &str = "1000";

/// Run a league through the API of a server: members, rounds, results, corrections, standings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium league create cup.json\n  \
    tabularium league add 0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77 Dido Hanno Mago Elissa\n  \
    tabularium league pair 0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77 --round 1 --seed spring --board antike-east\n  \
    tabularium league import 0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77 results.csv --dry-run\n  \
    tabularium league standings 0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77 --as-of 2026-11-20")]
pub struct LeagueCommand {
    /// The URL of the server.
    #[arg(
        long,
        env = "TABULARIUM_URL",
        default_value = "http://127.0.0.1:8080",
        global = true
    )]
    url: String,
    /// The token of an account that organizes the league, with the scope `organize`.
    #[arg(long, env = "TABULARIUM_TOKEN", hide_env_values = true, global = true)]
    token: Option<String>,
    #[command(subcommand)]
    what: LeagueAction,
}

#[derive(Debug, clap::Subcommand)]
enum LeagueAction {
    /// Create a league and print its id.
    Create {
        /// The league as JSON, as for POST /v1/leagues; `-` reads standard input.
        file: PathBuf,
    },
    /// Add members without an account by name, print the id of each, and invite accounts.
    Add {
        /// The id of the league.
        league: Uuid,
        /// The names of members without an account.
        #[arg(required_unless_present = "invite")]
        names: Vec<String>,
        /// Accounts to invite, by id or handle.
        #[arg(long, value_delimiter = ',')]
        invite: Vec<String>,
    },
    /// Put an account that has joined in the place of a member without an account, who keeps all results.
    Claim {
        /// The id of the league.
        league: Uuid,
        /// The id of the member without an account, such as placeholder:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77.
        member: String,
        /// The account, by id or handle.
        account: String,
    },
    /// Pair a round and create its tables; print the seats and the tokens of members without an account.
    Pair(Box<Pair>),
    /// Enter a result.
    Result {
        /// The id of the league.
        league: Uuid,
        /// The result as JSON, as for POST /v1/leagues/{league}/results; `-` reads standard input.
        file: PathBuf,
    },
    /// Correct a table: decide its result, void it, or record a replacement of a player.
    Correct {
        /// The id of the league.
        league: Uuid,
        /// The number of the table.
        table: u32,
        /// The correction as JSON; `-` reads standard input.
        /// Its form is that of POST /v1/leagues/{league}/tables/{table}/corrections.
        file: PathBuf,
    },
    /// Move the deadline of running tables.
    Deadline {
        /// The id of the league.
        league: Uuid,
        /// The round of the current season, whose running tables receive the deadline.
        #[arg(long, required_unless_present = "table", conflicts_with = "table")]
        round: Option<u16>,
        /// The number of a single table.
        #[arg(long)]
        table: Option<u32>,
        /// The new deadline, as an RFC 3339 time.
        #[arg(long)]
        to: Timestamp,
        /// The reason, which members can read.
        #[arg(long)]
        note: String,
    },
    /// Print the standings.
    Standings {
        /// The id of the league.
        league: Uuid,
        /// The number of the season; the current one by default.
        #[arg(long)]
        season: Option<u16>,
        /// The event or time up to which results are included: an event number, an RFC 3339 time or a date.
        #[arg(long)]
        as_of: Option<String>,
        /// Print CSV.
        #[arg(long)]
        csv: bool,
    },
    /// Import members or results from a file, all rows or none, and print what happens to each row.
    Import(Box<LeagueImport>),
    /// Print the results as a file.
    Export {
        /// The id of the league.
        league: Uuid,
        /// The number of the season; all seasons by default.
        #[arg(long)]
        season: Option<u16>,
        /// The format.
        #[arg(long, value_enum, default_value_t = FileFormat::Csv)]
        format: FileFormat,
    },
    /// Print the log as NDJSON, after checking its hash chain.
    Log {
        /// The id of the league.
        league: Uuid,
    },
}

/// Options for importing a file.
#[derive(Debug, clap::Args)]
struct LeagueImport {
    /// The id of the league.
    league: Uuid,
    /// The file: CSV, plays of BoardGameGeek (.xml) or an export of BG Stats (.json); `-` reads standard input.
    file: PathBuf,
    /// The format, if the name of the file does not say it.
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// The name of the season of results without one; the current season by default.
    #[arg(long)]
    season: Option<String>,
    /// The edition of results without one.
    #[arg(long)]
    edition: Option<String>,
    /// The board of results without one.
    #[arg(long)]
    board: Option<String>,
    /// Print what would happen, and import nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Options for pairing a round and creating its tables.
#[derive(Debug, clap::Args)]
struct Pair {
    /// The id of the league.
    league: Uuid,
    /// The number of the round.
    #[arg(long)]
    round: u16,
    /// The seed of the pairing's random choices.
    #[arg(long)]
    seed: String,
    /// The number of seats of a table; 2 in a round robin or a knock-out.
    #[arg(long, default_value_t = 4)]
    size: u8,
    /// The least number of seats of a table; one less than the size by default.
    /// Members who do not fit sit out.
    #[arg(long)]
    smallest: Option<u8>,
    /// The name of the edition.
    #[arg(long, default_value = "antike")]
    edition: String,
    /// The name of the board.
    #[arg(long)]
    board: String,
    /// The nations of a full table, balanced over the season; if omitted, each game draws them.
    #[arg(long, value_delimiter = ',')]
    nations: Vec<String>,
    /// The members to pair, by id or handle; all active members by default.
    #[arg(long, value_delimiter = ',')]
    members: Vec<String>,
    /// The last round of each game.
    #[arg(long)]
    max_rounds: Option<u32>,
    /// Rate the games.
    #[arg(long)]
    rated: bool,
    /// A file with the time control as JSON.
    #[arg(long, value_name = "FILE")]
    pace: Option<PathBuf>,
    /// The time by which the games should end, as an RFC 3339 time.
    #[arg(long)]
    deadline: Option<Timestamp>,
    /// Print the pairing and create nothing.
    #[arg(long)]
    dry_run: bool,
}

impl LeagueCommand {
    /// Sends the requests, and prints the answers.
    pub fn run(self) -> anyhow::Result<()> {
        let service = Service {
            client: Client::builder().timeout(PATIENCE).build()?,
            base: format!("{}/v1/leagues", self.url.trim_end_matches('/')),
            token: self.token,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.what.run(&service))
    }
}

impl LeagueAction {
    async fn run(self, service: &Service) -> anyhow::Result<()> {
        match self {
            LeagueAction::Create { file } => {
                let created: LeagueBody = service.post("", &json_of(&file)?).await?;
                println!("{}", created.summary.id);
            }
            LeagueAction::Add {
                league,
                names,
                invite,
            } => {
                let path = format!("/{league}/members");
                for name in names {
                    let new = json!({ "placeholder": name });
                    let league: LeagueBody = service.post(&path, &new).await?;
                    let added = league
                        .members
                        .last()
                        .context("the server's answer does not contain the new member")?;
                    println!("{} {}", added.id, added.name);
                }
                for account in invite {
                    let _: LeagueBody = service.post(&path, &json!({ "id": account })).await?;
                    println!("invited {account}");
                }
            }
            LeagueAction::Claim {
                league,
                member,
                account,
            } => {
                let path = format!("/{league}/members/{member}/account");
                let league: LeagueBody = service.post(&path, &json!({ "id": account })).await?;
                println!(
                    "event {}: {account} has the results of {member}",
                    league.summary.seq
                );
            }
            LeagueAction::Pair(pair) => pair.run(service).await?,
            LeagueAction::Result { league, file } => {
                let path = format!("/{league}/results");
                changed(&service.post(&path, &json_of(&file)?).await?);
            }
            LeagueAction::Correct {
                league,
                table,
                file,
            } => {
                let path = format!("/{league}/tables/{table}/corrections");
                changed(&service.post(&path, &json_of(&file)?).await?);
            }
            LeagueAction::Deadline {
                league,
                round,
                table,
                to,
                note,
            } => {
                let new = json!({"round": round, "table": table, "deadline": to, "note": note});
                let path = format!("/{league}/deadlines");
                let changed: ChangedTables = service.post(&path, &new).await?;
                for table in &changed.tables {
                    println!("event {}: table {} by {to}", changed.seq, table.table);
                }
            }
            LeagueAction::Standings {
                league,
                season,
                as_of,
                csv,
            } => {
                let season = season.map(|season| ("season", season.to_string()));
                let as_of = as_of.map(|as_of| ("as_of", as_of));
                let query: Vec<_> = season.into_iter().chain(as_of).collect();
                let path = format!("/{league}/standings");
                match csv {
                    true => print!("{}", service.get(&path, &query, "text/csv").await?),
                    false => standings(&service.get_json(&path, &query).await?),
                }
            }
            LeagueAction::Import(import) => import.run(service).await?,
            LeagueAction::Export {
                league,
                season,
                format,
            } => {
                let season = season.map(|season| ("season", season.to_string()));
                let query: Vec<_> = season.into_iter().collect();
                let path = format!("/{league}/export");
                print!("{}", service.get(&path, &query, format.media_type()).await?);
            }
            LeagueAction::Log { league } => log(service, league).await?,
        }
        Ok(())
    }
}

impl LeagueImport {
    async fn run(&self, service: &Service) -> anyhow::Result<()> {
        let content = text_of(&self.file)?;
        let format = self
            .format
            .unwrap_or_else(|| FileFormat::of_file(&self.file));
        // A dry run first, which lists all refused rows.
        let tried = self.send(service, format, &content, None).await?;
        if self.dry_run || tried.refused > 0 {
            print_report(&tried);
            if tried.refused > 0 {
                bail!("{} rows are refused: nothing was imported", tried.refused);
            }
            return Ok(());
        }
        print_report(
            &self
                .send(service, format, &content, Some(tried.seq))
                .await?,
        );
        Ok(())
    }

    /// Sends the file: as a dry run, or if the league is still at `seq`.
    async fn send(
        &self,
        service: &Service,
        format: FileFormat,
        content: &str,
        seq: Option<u64>,
    ) -> anyhow::Result<ImportReport> {
        let named = [
            ("season", &self.season),
            ("edition", &self.edition),
            ("board", &self.board),
        ];
        let named = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.clone()?)));
        let query: Vec<(&str, String)> = [("dry_run", seq.is_none().to_string())]
            .into_iter()
            .chain(named)
            .collect();
        let request = service.request(Method::POST, &format!("/{}/import", self.league));
        let request = request
            .query(&query)
            .header(CONTENT_TYPE, format.media_type());
        let request = match seq {
            Some(seq) => request.header(IF_MATCH, format!("\"{seq}\"")),
            None => request,
        };
        let sent = request.body(content.to_owned()).send().await?;
        Ok(serde_json::from_str(&answer(sent).await?)?)
    }
}

impl Pair {
    async fn run(&self, service: &Service) -> anyhow::Result<()> {
        let wanted = json!({"seed": self.seed, "rounds": 1, "size": self.size, "smallest": self.smallest,
            "nations": self.nations, "members": self.members});
        let paired: PairingBody = service
            .post(&format!("/{}/pairing", self.league), &wanted)
            .await?;
        let tables = paired
            .rounds
            .first()
            .context("the server's answer contains no round")?;
        eprintln!("{}", listed(&serde_json::to_value(&paired.figures)?));
        for (number, reason) in (1..).zip(&tables.reasons) {
            eprintln!("table {number}: {}", listed(&serde_json::to_value(reason)?));
        }
        check_nations(&self.nations, tables)?;
        if self.dry_run {
            let league = service.get_json(&format!("/{}", self.league), &[]).await?;
            print_pairing(&league, tables);
            return Ok(());
        }
        for member in &tables.byes {
            eprintln!("sits out: {member}");
        }
        let pace = self.pace.as_deref().map(json_of).transpose()?;
        let new = json!({"round": self.round, "edition": self.edition, "board": self.board,
            "max_rounds": self.max_rounds, "rated": self.rated, "pace": pace, "deadline": self.deadline,
            "byes": tables.byes, "tables": tables.tables});
        // Refused if the league has changed since the pairing, for example by another organizer.
        let created: CreatedTables = service
            .post_at(&format!("/{}/tables", self.league), &new, Some(paired.seq))
            .await?;
        for table in &created.tables {
            let seats: Vec<String> = table.seats.iter().map(seat).collect();
            let game = table.game.map(|game| game.to_string()).unwrap_or_default();
            println!("table {} {game} {}", table.table, seats.join(", "));
        }
        for token in &created.tokens {
            println!(
                "token {} {} {} {}",
                token.table, token.seat, token.member, token.token
            );
        }
        Ok(())
    }
}

/// Formats a seat: its members and nations.
fn seat(seat: &LeagueSeatBody) -> String {
    let names: Vec<&str> = seat.members.iter().map(|member| &*member.name).collect();
    format!("{} ({})", names.join(", then "), seat.nations.join(", "))
}

/// Prints a changed table and the event that changed it.
fn changed(changed: &ChangedTable) {
    let table = &changed.table;
    println!("event {}: table {}", changed.seq, table.table);
    for sits in &table.seats {
        let rank = sits.rank.map_or("-".to_owned(), |rank| rank.to_string());
        let points = sits
            .points
            .map_or("-".to_owned(), |points| points.to_string());
        println!("  {rank}. {}: {points}", seat(sits));
    }
}

/// Prints standings with a column for each tie-break.
fn standings(body: &StandingsBody) {
    let name = |member: &MemberBody| match member.active {
        true => member.name.clone(),
        false => format!("{} (left)", member.name),
    };
    let head = ["", "member", "points", "games"].map(str::to_owned);
    let tie_breaks = body.rules.tie_breaks.iter();
    let head = head
        .into_iter()
        .chain(tie_breaks.map(|one| one.name().to_owned()));
    let rows = body.rows.iter().map(|row| {
        let known = [row.rank.to_string(), name(&row.member)];
        let numbers = [row.points, row.games].into_iter();
        let numbers = numbers.chain(row.tie_breaks.iter().copied());
        // At most two decimals.
        let numbers = numbers.map(|number| ((number * 100.0).round() / 100.0).to_string());
        known.into_iter().chain(numbers).collect()
    });
    let rows: Vec<Vec<String>> = std::iter::once(head.collect()).chain(rows).collect();
    let width = |column: usize| {
        let cells = rows
            .iter()
            .map(|row: &Vec<String>| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in &rows {
        let cells =
            row.iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| match column {
                    1 => format!("{cell:width$}"),
                    _ => format!("{cell:>width$}"),
                });
        println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    println!("as of event {}, {}", body.seq, body.at);
}

/// Prints the log if its hash chain is valid.
async fn log(service: &Service, league: Uuid) -> anyhow::Result<()> {
    let (mut lines, mut cursor) = (Vec::new(), None);
    let mut previous: Option<String> = None;
    loop {
        let cursor_of = cursor.take().map(|cursor| ("cursor", cursor));
        let query: Vec<_> = [("limit", PAGE.to_owned())]
            .into_iter()
            .chain(cursor_of)
            .collect();
        let page: LeagueEventPage = service
            .get_json(&format!("/{league}/events"), &query)
            .await?;
        for event in page.items {
            let row = LeagueRow::from(&event);
            let follows = row.seq == lines.len() as u64
                && row.hash == row.chained_hash(league, previous.as_deref())
                && serde_json::from_str::<Value>(&event.text)?
                    == serde_json::to_value(&event.event)?;
            if !follows {
                bail!(
                    "event {} is altered or does not follow the event before it",
                    event.seq
                );
            }
            lines.push(serde_json::to_string(&event)?);
            previous = Some(event.hash);
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    for line in &lines {
        println!("{line}");
    }
    eprintln!("{} events with a valid hash chain", lines.len());
    Ok(())
}

/// Reads a file; `-` means standard input.
fn text_of(file: &Path) -> anyhow::Result<String> {
    if file != Path::new("-") {
        let text = std::fs::read_to_string(file);
        return text.with_context(|| format!("cannot read {}", file.display()));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

/// Reads a JSON file; `-` means standard input.
fn json_of(file: &Path) -> anyhow::Result<Value> {
    let text = text_of(file)?;
    serde_json::from_str(&text).with_context(|| format!("{} is not valid JSON", file.display()))
}

/// A server with the caller's token.
struct Service {
    client: Client,
    /// The URL of the leagues.
    base: String,
    token: Option<String>,
}

impl Service {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let agent = concat!("Tabularium/", env!("CARGO_PKG_VERSION"));
        let request = self.client.request(method, format!("{}{path}", self.base));
        let request = request.header(USER_AGENT, agent);
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> anyhow::Result<T> {
        self.post_at(path, body, None).await
    }

    /// Sends a body, and repeats it without an answer; it has only one effect.
    ///
    /// With `seq`, the request is refused if the league is not at that event.
    async fn post_at<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        seq: Option<u64>,
    ) -> anyhow::Result<T> {
        let key = Uuid::now_v7().to_string();
        let mut attempt = 1;
        loop {
            let request = self.request(Method::POST, path).json(body);
            let request = match seq {
                Some(seq) => request.header(IF_MATCH, format!("\"{seq}\"")),
                None => request,
            };
            let sent = request.header("Idempotency-Key", &key).send().await;
            match sent {
                Err(error) if attempt < ATTEMPTS && (error.is_connect() || error.is_timeout()) => {
                    let cause = anyhow::Chain::new(&error).last().map(ToString::to_string);
                    eprintln!("no answer ({}); trying again", cause.unwrap_or_default());
                    tokio::time::sleep(Duration::from_secs(u64::from(attempt))).await;
                    attempt += 1;
                }
                sent => return Ok(serde_json::from_str(&answer(sent?).await?)?),
            }
        }
    }

    async fn get(
        &self,
        path: &str,
        query: &[(&str, String)],
        accept: &str,
    ) -> anyhow::Result<String> {
        let request = self.request(Method::GET, path).query(query);
        answer(request.header(ACCEPT, accept).send().await?).await
    }

    async fn get_json<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> anyhow::Result<T> {
        let text = self.get(path, query, "application/json").await?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// Returns the text of an answer, or the problem that the server reported as an error.
async fn answer(response: reqwest::Response) -> anyhow::Result<String> {
    let status = response.status();
    let text = response.text().await?;
    if status.is_success() {
        return Ok(text);
    }
    let problem: Value = serde_json::from_str(&text).unwrap_or_default();
    let detail = problem["detail"].as_str().unwrap_or(&text);
    match problem["field"].as_str() {
        Some(field) => bail!("{status}: {field}: {detail}"),
        None => bail!("{status}: {detail}"),
    }
}
