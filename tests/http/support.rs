//! A server for a test, and a client for it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use api::db::clock::Clock;
use api::http::limits::options::Limits;
use api::server::{Config, Server};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl, SqliteConnection};
use reqwest::header::AUTHORIZATION;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

pub use crate::faults::support::{Answer, PATIENCE, text};

/// Repeats a request until it has an answer, and fails with the message if it has none in time.
/// It asks less and less often, because what takes long is often expensive to ask for.
pub async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        let elapsed = begun.elapsed();
        assert!(elapsed < PATIENCE, "{what}");
        let pause = elapsed / 4;
        tokio::time::sleep(pause.clamp(Duration::from_millis(10), Duration::from_millis(250)))
            .await;
    }
}

/// The data of a test, which are deleted when it is dropped.
pub enum Database {
    Sqlite(TempDir),
    Postgres {
        url: String,
        schema: String,
        /// The folder of the signing key.
        folder: TempDir,
    },
    /// The database of another server.
    Shared {
        url: String,
        key: PathBuf,
    },
}

impl Database {
    pub fn fresh() -> Database {
        match std::env::var("TABULARIUM_TEST_DATABASE") {
            Ok(url) if url.starts_with("postgres") => {
                let schema = format!("test_{}", uuid::Uuid::now_v7().simple());
                let mut connection = PgConnection::establish(&url).unwrap();
                connection
                    .batch_execute(&format!("CREATE SCHEMA {schema}"))
                    .unwrap();
                Database::Postgres {
                    url,
                    schema,
                    folder: tempfile::tempdir().unwrap(),
                }
            }
            _ => Database::Sqlite(tempfile::tempdir().unwrap()),
        }
    }

    pub fn url(&self) -> String {
        match self {
            Database::Sqlite(folder) => {
                format!("sqlite:{}", folder.path().join("test.db").display())
            }
            Database::Shared { url, .. } => url.clone(),
            Database::Postgres { url, schema, .. } => {
                let sign = if url.contains('?') { '&' } else { '?' };
                format!("{url}{sign}options=-csearch_path%3D{schema}")
            }
        }
    }
}

impl Database {
    /// The folder with the facts of finished games.
    pub fn facts(&self) -> PathBuf {
        self.key().with_extension("facts")
    }

    /// The file with the signing key.
    pub fn key(&self) -> PathBuf {
        match self {
            Database::Sqlite(folder) | Database::Postgres { folder, .. } => {
                folder.path().join("test.key")
            }
            Database::Shared { key, .. } => key.clone(),
        }
    }
}

#[derive(diesel::QueryableByName)]
struct StoredAnswer {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

impl Database {
    /// Reads the stored answers of repeated requests, each with its key.
    pub fn stored_answers(&self) -> Vec<String> {
        let url = self.url();
        let query = diesel::sql_query("SELECT key || answer AS text FROM idempotency_keys");
        let rows: QueryResult<Vec<StoredAnswer>> = match url.strip_prefix("sqlite:") {
            Some(file) => query.load(&mut SqliteConnection::establish(file).unwrap()),
            None => query.load(&mut PgConnection::establish(&url).unwrap()),
        };
        rows.unwrap().into_iter().map(|row| row.text).collect()
    }
}

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    n: i64,
}

impl Database {
    /// Returns the number in the column `n` of a query's only row.
    pub fn number(&self, query: &str) -> i64 {
        let (url, query) = (self.url(), diesel::sql_query(query));
        let row: QueryResult<Number> = match url.strip_prefix("sqlite:") {
            Some(file) => query.get_result(&mut SqliteConnection::establish(file).unwrap()),
            None => query.get_result(&mut PgConnection::establish(&url).unwrap()),
        };
        row.unwrap().n
    }

    /// Changes the database as no program of the project would.
    pub fn execute(&self, statements: &str) {
        tamper(&self.url(), statements);
    }
}

/// Changes stored data without the service.
pub fn tamper(database: &str, statements: &str) {
    match database.strip_prefix("sqlite:") {
        // The service may be writing.
        Some(file) => SqliteConnection::establish(file)
            .unwrap()
            .batch_execute(&format!("PRAGMA busy_timeout = 120000; {statements}")),
        None => PgConnection::establish(database)
            .unwrap()
            .batch_execute(statements),
    }
    .unwrap();
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Database::Postgres { url, schema, .. } = self
            && let Ok(mut connection) = PgConnection::establish(url)
        {
            let _ = connection.batch_execute(&format!("DROP SCHEMA {schema} CASCADE"));
        }
    }
}

/// A running server.
pub struct TestServer {
    server: Option<Server>,
    pub address: String,
    pub database: Database,
    client: reqwest::Client,
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::on(Database::fresh(), Limits::unmetered(), None)
    }

    /// A server with an operator's own boards and rulesets.
    pub fn with_data(folder: PathBuf) -> TestServer {
        TestServer::on(Database::fresh(), Limits::unmetered(), Some(folder))
    }

    pub fn with_limits(limits: Limits) -> TestServer {
        TestServer::on(Database::fresh(), limits, None)
    }

    /// A server with its metrics at another address.
    pub fn with_separate_metrics() -> TestServer {
        let config = Config {
            metrics_listen: Some("127.0.0.1:0".to_owned()),
            ..Config::default()
        };
        TestServer::configured(Database::fresh(), config)
    }

    /// A server with this configuration, without limits.
    pub fn with_config(config: Config) -> TestServer {
        let config = Config {
            limits: Limits::unmetered(),
            ..config
        };
        TestServer::configured(Database::fresh(), config)
    }

    /// A server on this database with these limits, and an operator's own boards and rulesets.
    pub fn on(database: Database, limits: Limits, data: Option<PathBuf>) -> TestServer {
        let config = Config {
            data,
            limits,
            ..Config::default()
        };
        TestServer::configured(database, config)
    }

    pub fn configured(database: Database, config: Config) -> TestServer {
        let server = Server::start(Config {
            listen: "127.0.0.1:0".to_owned(),
            database: database.url().into(),
            key: Some(database.key()),
            facts: Some(database.facts()),
            ..config
        })
        .unwrap();
        TestServer {
            address: format!("http://{}", server.address),
            server: Some(server),
            database,
            // The service closes connections that were idle for 5 seconds.
            client: reqwest::Client::builder()
                .pool_idle_timeout(std::time::Duration::from_secs(2))
                .build()
                .unwrap(),
        }
    }

    /// Another server on the same data.
    pub fn another(&self) -> TestServer {
        self.another_with_config(Config::default())
    }

    /// Another server on the same data with this configuration, without limits.
    pub fn another_with_config(&self, config: Config) -> TestServer {
        let shared = Database::Shared {
            url: self.database.url(),
            key: self.database.key(),
        };
        let config = Config {
            limits: Limits::unmetered(),
            ..config
        };
        TestServer::configured(shared, config)
    }

    /// Another server on the same data with a key of its own.
    pub fn beside(other: &TestServer, key: PathBuf) -> TestServer {
        let shared = Database::Shared {
            url: other.database.url(),
            key,
        };
        TestServer::on(shared, Limits::unmetered(), None)
    }

    /// A server with its own clock, on a file. PostgreSQL would use the clock of its server.
    pub fn with_clock(clock: &Clock) -> TestServer {
        let config = Config {
            clock: clock.clone(),
            limits: Limits::unmetered(),
            ..Config::default()
        };
        TestServer::configured(Database::Sqlite(tempfile::tempdir().unwrap()), config)
    }

    /// Stops the server and starts another on the same data.
    pub fn restart(self) -> TestServer {
        self.restart_with_config(Config::default())
    }

    /// Stops the server and starts another on the same data with this configuration, without limits.
    pub fn restart_with_config(mut self, config: Config) -> TestServer {
        self.stop();
        let replacement = Database::Sqlite(tempfile::tempdir().unwrap());
        let database = std::mem::replace(&mut self.database, replacement);
        let config = Config {
            limits: Limits::unmetered(),
            ..config
        };
        TestServer::configured(database, config)
    }

    /// Audits the database and returns the faults, without those of damaged records.
    pub fn faults(&self, keys: &records::PublicKeys) -> Vec<String> {
        let mut faults = Vec::new();
        let audited = api::services::audit::audit(self.services(), keys, (&[], &[]), |finding| {
            if let api::games::audit::Finding::Fault(fault) = finding {
                faults.push(fault);
            }
            Ok::<(), api::http::error::ServiceError>(())
        });
        audited.unwrap();
        faults
    }

    /// The services of the server.
    pub fn services(&self) -> &api::services::Services {
        &self
            .server
            .as_ref()
            .expect("the server is stopped")
            .services
    }

    /// The games of the server.
    pub fn games(&self) -> &api::games::Games {
        &self.services().games
    }

    /// The import of games that were played elsewhere.
    pub fn imports(&self) -> &api::games::import::Imports {
        &self.services().imports
    }

    /// The statistics of the server.
    pub fn statistics(&self) -> &api::statistics::Statistics {
        &self
            .server
            .as_ref()
            .expect("the server is stopped")
            .statistics
    }

    /// The address of the server.
    pub fn socket(&self) -> std::net::SocketAddr {
        self.server.as_ref().expect("the server is stopped").address
    }

    /// The address of the metrics.
    pub fn metrics_socket(&self) -> std::net::SocketAddr {
        let server = self.server.as_ref().expect("the server is stopped");
        server
            .metrics_address
            .expect("the metrics have no address of their own")
    }

    /// Stops the server gracefully.
    pub fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            // A runtime cannot be entered from within another.
            std::thread::spawn(move || server.stop().unwrap())
                .join()
                .unwrap();
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.address))
    }

    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    pub async fn get_as(&self, path: &str, accept: &str) -> Answer {
        send(self.request(Method::GET, path).header("Accept", accept)).await
    }

    /// As [`TestServer::get`], with a token.
    pub async fn get_with(&self, path: &str, token: &str) -> Answer {
        send(self.with(Method::GET, path, token)).await
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Answer {
        send(self.with(Method::POST, path, token).json(&body)).await
    }

    /// Reads the body of a 200.
    pub async fn read(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "GET {path}: {}", answer.text);
        answer.json()
    }

    /// Reads the pages of a list, whose path has a query.
    pub async fn pages(&self, path: &str) -> Vec<Value> {
        let mut pages = vec![self.read(path).await];
        while let Some(cursor) = pages.last().and_then(|page| page["next"].as_str()) {
            let page = self.read(&format!("{path}&cursor={cursor}")).await;
            pages.push(page);
        }
        pages
    }

    /// Reads the items of all pages of a list.
    pub async fn items(&self, path: &str) -> Vec<Value> {
        let pages = self.pages(path).await;
        let items = pages.iter().map(|page| array(&page["items"]).clone());
        items.flatten().collect()
    }

    /// Creates an object: returns the body of a 201.
    pub async fn create(&self, path: &str, token: &str, body: Value) -> Value {
        let answer = self.post(path, token, body).await;
        assert_eq!(answer.status, 201, "POST {path}: {}", answer.text);
        answer.json()
    }

    /// Creates a game. Returns its path and the body of the answer.
    pub async fn create_game(&self, token: &str, body: Value) -> (String, Value) {
        let created = self.create("/v1/games", token, body).await;
        (format!("/v1/games/{}", text(&created["id"])), created)
    }

    /// Posts actions to the game at this path.
    pub async fn act(&self, game: &str, token: &str, actions: Value) -> Value {
        self.create(&format!("{game}/actions"), token, actions)
            .await
    }

    /// Adjudicates the game at this path, with the rank of each seat.
    pub async fn adjudicate(&self, game: &str, organizer: &str, ranks: &[u8]) -> Value {
        let path = format!("{game}/adjudication");
        self.create(&path, organizer, adjudication(ranks)).await
    }

    pub async fn put(&self, path: &str, token: &str, body: Value) -> Answer {
        send(self.with(Method::PUT, path, token).json(&body)).await
    }

    pub async fn delete(&self, path: &str, token: &str) -> Answer {
        send(self.with(Method::DELETE, path, token)).await
    }

    /// Builds a request with a token, or without one if it is empty.
    pub fn with(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        let request = self.request(method, path);
        match token {
            "" => request,
            token => request.header(AUTHORIZATION, format!("Bearer {token}")),
        }
    }

    /// Creates a game of one person, who begins, and bots in the other seats.
    pub async fn game_with_bots(&self) -> TestGame {
        let bot = json!({"player": {"bot": "random"}});
        let body = json!({
            "edition": "antike", "board": "antike-east", "first": "greeks", "max_rounds": 60,
            "seats": [{"nations": ["greeks"], "player": "open"}, bot, bot, bot],
        });
        let created = self.create("/v1/games", "", body).await;
        let path = format!("/v1/games/{}", created["id"].as_str().unwrap());
        let claim = json!({"name": "Hanno"});
        let claimed = self.create(&format!("{path}/seats/0"), "", claim).await;
        TestGame {
            path,
            token: text(&claimed["token"]),
            organizer: text(&created["tokens"]["organizer"]),
            seq: claimed["game"]["seq"].as_u64().unwrap(),
        }
    }

    /// Creates a game of people only. Returns its path, their tokens by seat, and the organizer's token.
    pub async fn game_of_people(&self) -> (String, Vec<String>, String) {
        let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": nation}});
        let body = json!({
            "edition": "antike", "board": "antike-east", "first": "greeks", "seed": "open",
            "seats": [seat("greeks"), seat("phoenicians"), seat("persians"), seat("arabs")],
        });
        let created = self.create("/v1/games", "", body).await;
        let path = format!("/v1/games/{}", created["id"].as_str().unwrap());
        let seats = &created["tokens"]["seats"];
        let tokens = (0..4).map(|seat| text(&seats[seat.to_string()])).collect();
        (path, tokens, text(&created["tokens"]["organizer"]))
    }

    /// Waits until the game fits.
    pub async fn wait_for(&self, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let look = async || Some(self.read(path).await).filter(&fits);
        eventually(&format!("{path} never reached the expected state"), look).await
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A game that a test plays.
pub struct TestGame {
    pub path: String,
    pub token: String,
    pub organizer: String,
    pub seq: u64,
}

impl TestGame {
    pub fn at(&self, part: &str) -> String {
        format!("{}/{part}", self.path)
    }
}

/// Returns a record without the signature that the server has added.
#[track_caller]
pub fn unsigned(mut record: Value) -> Value {
    let signature = record.as_object_mut().unwrap().remove("signature");
    assert!(
        signature.is_some_and(|one| one["value"].is_string()),
        "it is not signed"
    );
    record
}

/// The actions of a turn that moves the stone to this space and ends.
pub fn turn(field: &str) -> Value {
    json!({"actions": [{"type": "move_stone", "field": field}, {"type": "end_turn"}]})
}

/// The request that adjudicates a game, with the rank of each seat.
pub fn adjudication(ranks: &[u8]) -> Value {
    let ranks = ranks.iter().enumerate();
    let ranks = ranks.map(|(seat, rank)| json!({"seat": seat, "rank": rank}));
    json!({"ranks": ranks.collect::<Vec<_>>()})
}

/// Checks that a text contains a part; if not, the test fails with the whole text.
#[track_caller]
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in {text}");
}

/// The items of an array.
#[track_caller]
pub fn array(value: &Value) -> &Vec<Value> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no array: {value}"))
}

pub async fn send(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    }
}

/// Reads this number of server-sent events: their ids and data.
pub async fn read_events(request: RequestBuilder, count: usize) -> Vec<(u64, Value)> {
    let mut stream = Stream::open(request).await;
    let mut events = Vec::new();
    while events.len() < count {
        let sent = stream.next().await;
        events.extend(sent.id.map(|id| (id, sent.data)));
    }
    events
}

/// A live stream, read event by event.
pub struct Stream {
    response: reqwest::Response,
    text: String,
}

/// One server-sent event: its name, id and data.
#[derive(Debug, PartialEq)]
pub struct ServerEvent {
    pub name: Option<String>,
    pub id: Option<u64>,
    pub data: Value,
}

impl Stream {
    pub async fn open(request: RequestBuilder) -> Stream {
        let request = request.header("Accept", "text/event-stream");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Stream {
            response,
            text: String::new(),
        }
    }

    /// Reads the next event, but skips the first one of a stream that begins at the present.
    pub async fn next(&mut self) -> ServerEvent {
        let read = async {
            loop {
                if let Some((event, rest)) = self.text.split_once("\n\n") {
                    let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                    let sent = line("data: ").map(|data| ServerEvent {
                        name: line("event: ").map(str::to_owned),
                        id: line("id: ").map(|id| id.parse().unwrap()),
                        data: serde_json::from_str(data).unwrap(),
                    });
                    self.text = rest.to_owned();
                    match sent {
                        Some(sent) if sent.name.as_deref() != Some("begin") => return sent,
                        _ => continue,
                    }
                }
                let chunk = self.response.chunk().await.unwrap();
                let chunk = chunk.expect("the stream ended");
                self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        };
        let next = tokio::time::timeout(PATIENCE, read).await;
        next.expect("no event in time")
    }

    /// Reads the next event, which is about an undo request.
    pub async fn next_undo_request(&mut self) -> Value {
        let sent = self.next().await;
        assert_eq!(
            (sent.name.as_deref(), sent.id),
            (Some("undo_request"), None),
            "{sent:?}"
        );
        sent.data
    }
}

/// The program that runs the service, killed when it is dropped.
pub struct Program {
    pub child: Child,
    /// The address, such as `http://127.0.0.1:8080`.
    pub address: String,
    /// The file with its standard error.
    log: tempfile::NamedTempFile,
}

impl Program {
    /// `tabularium serve` on a free port, with more options.
    pub fn serve(database: &Database, options: &[&str]) -> Program {
        let url = match database {
            // This name distinguishes its connections from others.
            Database::Postgres { schema, .. } => {
                format!("{}&application_name={schema}", database.url())
            }
            _ => database.url(),
        };
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabularium"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &url])
            .arg("--key")
            .arg(database.key())
            .args(options)
            .stdout(Stdio::piped())
            .stderr(log.reopen().unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ");
        let address = address.expect("it printed no address").to_owned();
        Program {
            child,
            address,
            log,
        }
    }

    /// Reads what it has written to standard error.
    pub fn errors(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resolves a reference in the specification. Other values are returned unchanged.
pub fn resolve<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).unwrap(),
        None => part,
    }
}
