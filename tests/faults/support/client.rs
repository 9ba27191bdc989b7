//! A client that distinguishes an answer from no answer.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{PATIENCE, text};

/// No answer arrived: no server listens, or the connection broke.
#[derive(Clone, Copy, Debug)]
pub struct Down;

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// Returns the body as JSON after checking the status.
    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// Returns a header as text, or an empty text without it.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("text"))
    }

    /// Returns the problem after checking what all problems have in common.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.ok(status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem["code"], code, "{}", self.text);
        assert_eq!(problem["status"], status);
        let kind = format!("https://tabularium.dev/problems/{}", code.replace('_', "-"));
        assert_eq!(problem["type"], kind);
        let text = |name: &str| problem[name].as_str().expect("a text");
        assert!(!text("title").is_empty() && !text("detail").is_empty());
        assert!(text("instance").starts_with('/'));
        problem
    }

    /// Returns the problem of a request without a valid token.
    #[track_caller]
    pub fn unauthenticated(&self) -> Value {
        self.problem(401, "unauthenticated")
    }

    /// Returns the problem of a request that its token does not permit.
    #[track_caller]
    pub fn forbidden(&self) -> Value {
        self.problem(403, "forbidden")
    }

    /// Returns the problem of a path that does not exist.
    #[track_caller]
    pub fn not_found(&self) -> Value {
        self.problem(404, "not_found")
    }

    /// Returns the problem of a request that is refused because of this field of its body, parameter or header.
    #[track_caller]
    pub fn invalid(&self, field: &str) -> Value {
        let problem = self.json();
        let code = problem["code"].as_str().unwrap_or_default();
        let invalid = ["invalid_body", "invalid_parameter", "invalid_header"];
        assert!(invalid.contains(&code), "{}", self.text);
        assert_eq!(problem["field"], field, "{}", self.text);
        self.problem(422, code)
    }

    /// Returns the body as JSON lines after checking the status.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text);
        let read = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        self.text.lines().map(read).collect()
    }

    /// Returns whether the service is unable to answer now, or refuses too many requests.
    pub fn refuses(&self) -> bool {
        self.status == 503 || self.status == 429
    }
}

/// A client of one service.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    address: String,
}

impl Client {
    /// Creates a client of the service at `http://HOST:PORT`.
    pub fn new(address: &str) -> Client {
        // A connection that the service is about to close for idleness is not used again.
        let http = reqwest::Client::builder().pool_idle_timeout(Duration::from_secs(2));
        let http = http.timeout(PATIENCE);
        Client {
            http: http.build().expect("a client"),
            address: address.to_owned(),
        }
    }

    /// Builds a request, to be sent with [`Client::send`].
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.address))
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// [`Down`] without a whole answer.
    pub async fn send(&self, request: RequestBuilder) -> Result<Answer, Down> {
        let response = request.send().await.map_err(|_| Down)?;
        Ok(Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.map_err(|_| Down)?,
        })
    }

    /// Gets a path.
    ///
    /// # Errors
    /// [`Down`] without a whole answer.
    pub async fn try_get(&self, path: &str) -> Result<Answer, Down> {
        self.send(self.request(Method::GET, path)).await
    }

    /// Posts to a path, without a token if it is empty.
    ///
    /// # Errors
    /// [`Down`] without a whole answer.
    pub async fn try_post(&self, path: &str, token: &str, body: &Value) -> Result<Answer, Down> {
        let mut request = self.request(Method::POST, path).json(body);
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        self.send(request).await
    }

    /// Gets a path of a service that is up.
    pub async fn get(&self, path: &str) -> Answer {
        self.try_get(path)
            .await
            .unwrap_or_else(|_| panic!("no answer to {path}"))
    }

    /// Gets a path as JSON lines.
    pub async fn get_lines(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path);
        let answer = self
            .send(request.header("Accept", "application/x-ndjson"))
            .await;
        answer.unwrap_or_else(|_| panic!("no answer to {path}"))
    }

    /// Posts to a path of a service that is up.
    pub async fn post(&self, path: &str, token: &str, body: &Value) -> Answer {
        let answer = self.try_post(path, token, body).await;
        answer.unwrap_or_else(|_| panic!("no answer to {path}"))
    }

    /// Creates a game. Returns its path and the answer.
    pub async fn create(&self, body: &Value) -> (String, Value) {
        let request = self.request(Method::POST, "/v1/games").json(body);
        let created = self.send(request).await.expect("an answer").ok(201);
        (format!("/v1/games/{}", text(&created["id"])), created)
    }

    /// Creates a game of [`people`]. Returns its path and their tokens.
    pub async fn game_of_people(&self) -> (String, Vec<String>) {
        let (path, created) = self.create(&people()).await;
        let tokens = (0..3).map(|seat| text(&created["tokens"]["seats"][seat.to_string()]));
        (path, tokens.collect())
    }

    /// Plays a whole turn of a game of [`people`], in a round counted from 0.
    ///
    /// # Errors
    /// [`Down`] without a whole answer.
    pub async fn turn(&self, game: &str, token: &str, round: usize) -> Result<Answer, Down> {
        let stone = json!({"type": "move_stone", "field": FIELDS[round % FIELDS.len()]});
        let body = json!({"actions": [stone, {"type": "end_turn"}]});
        self.try_post(&format!("{game}/actions"), token, &body)
            .await
    }

    /// Plays half a turn of a game of [`people`]: the stone or the end, by the number of the half from 0.
    ///
    /// # Errors
    /// [`Down`] without a whole answer.
    pub async fn half_turn(&self, game: &str, token: &str, half: usize) -> Result<Answer, Down> {
        let body = match half % 2 {
            0 => json!({"type": "move_stone", "field": FIELDS[half / 6 % FIELDS.len()]}),
            _ => json!({"type": "end_turn"}),
        };
        self.try_post(&format!("{game}/actions"), token, &body)
            .await
    }

    /// Returns whether the service is ready.
    pub async fn is_ready(&self) -> bool {
        self.try_get("/readyz")
            .await
            .is_ok_and(|answer| answer.status == 200)
    }

    /// Returns the number of a game's last event; `None` if it cannot be read.
    pub async fn seq(&self, path: &str) -> Option<u64> {
        let answer = self.try_get(path).await.ok()?;
        (answer.status == 200).then(|| answer.json()["seq"].as_u64())?
    }
}

/// Rondel spaces that need no decision, in an order in which the stone moves without payment.
const FIELDS: [&str; 4] = ["temple", "maneuver_1", "arming", "know_how"];

/// A game of Antike of four bots with a last round. They play at random, so that it does not end early.
pub fn games(rounds: u64) -> Value {
    let seat = json!({"player": {"bot": "random"}});
    json!({"edition": "antike", "board": "antike-east", "seats": [seat, seat, seat, seat], "max_rounds": rounds})
}

/// A game of Antike II of three people, the first of whom begins.
pub fn people() -> Value {
    let seats = ["one", "two", "three"].map(|id| json!({"player": {"placeholder": id}}));
    json!({"edition": "antike_ii", "board": "antike-ii-orient", "first": 0, "seats": seats})
}
