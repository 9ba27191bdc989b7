//! The service, or its database, is killed at random moments while clients play. Each write has an
//! `Idempotency-Key` and is repeated until it is answered. A write that was answered 201 stays for ever, no write
//! is stored twice or in part, and a repeated request receives the first answer or a clear refusal.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::support::{Answer, Client, Database, Program, Scale, Times, figure, text, wait_until};

/// The process that is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    Service,
    Database,
}

/// The number of concurrent clients.
const CLIENTS: u64 = 8;

/// The kinds of games: edition, board, seats.
const GAMES: [(&str, &str, usize); 4] = [
    ("antike", "antike-east", 4),
    ("antike", "antike-west", 3),
    ("antike_ii", "antike-ii-orient", 3),
    ("antike_duellum", "duellum-rome-carthage", 2),
];

/// A game, and the events and orders that the server has acknowledged to its player.
#[derive(Default)]
struct PlayedGame {
    path: String,
    organizer: String,
    /// The tokens of the seats that this client plays, by seat.
    tokens: BTreeMap<u64, String>,
    /// Acknowledged events by number: notation, digest and hash.
    events: BTreeMap<u64, [String; 3]>,
    /// Acknowledged standing orders by seat.
    orders: BTreeMap<u64, Value>,
    over: bool,
}

impl PlayedGame {
    fn note(&mut self, answer: &Value) {
        for event in answer["events"].as_array().expect("events") {
            let seq = event["seq"].as_u64().expect("a number");
            let shown = event_of(event);
            if let Some(before) = self.events.insert(seq, shown.clone()) {
                assert_eq!(before, shown, "{}: event {seq} has two forms", self.path);
            }
        }
    }

    fn last(&self) -> u64 {
        self.events.keys().next_back().copied().unwrap_or(0)
    }
}

fn event_of(event: &Value) -> [String; 3] {
    ["notation", "digest", "hash"].map(|name| text(&event[name]))
}

/// A client that plays several games.
struct Player {
    name: String,
    client: Client,
    random: fastrand::Rng,
    games: Vec<PlayedGame>,
    keys: u64,
    /// The number of acknowledged writes, and of requests that were sent more than once.
    writes: u64,
    repeated: u64,
}

impl Player {
    fn new(number: u64, client: Client, seed: u64) -> Player {
        Player {
            name: format!("player-{number}"),
            client,
            random: fastrand::Rng::with_seed(seed * 1000 + number),
            games: Vec::new(),
            keys: 0,
            writes: 0,
            repeated: 0,
        }
    }

    async fn play(mut self, stop: Arc<AtomicBool>) -> Player {
        while !stop.load(Ordering::Relaxed) {
            self.step().await;
        }
        self
    }

    /// Sends a write with a key of its own until it is answered, and sometimes repeats it.
    async fn write(
        &mut self,
        method: Method,
        path: &str,
        token: &str,
        body: &Value,
        view: Option<u64>,
    ) -> Answer {
        self.keys += 1;
        let key = format!("{}-{}", self.name, self.keys);
        let mut request = self.client.request(method.clone(), path).json(body);
        request = request.header("Idempotency-Key", &key);
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if let Some(seq) = view {
            request = request.header("If-Match", format!("\"{seq}\""));
        }
        let answer = self.answer(&request, 0).await;
        self.writes += u64::from(answer.status < 300);
        if answer.status < 300 && self.random.f64() < 0.25 {
            let again = self.answer(&request, 1).await;
            self.repeated += 1;
            let same =
                again.status == answer.status && again.json()["events"] == answer.json()["events"];
            // A repeated request without proof of identity is not answered with the tokens.
            let clear = token.is_empty() && (400..500).contains(&again.status);
            assert!(
                same || clear,
                "{method} {path} again: {} {}",
                again.status,
                again.text
            );
        }
        answer
    }

    /// Sends a request until it is answered. `before` is the number of earlier attempts.
    async fn answer(&mut self, request: &RequestBuilder, before: u32) -> Answer {
        let begun = Instant::now();
        for attempt in before.. {
            let request = request.try_clone().expect("its body is bytes");
            match self.client.send(request).await {
                Ok(answer) if !answer.refuses() => {
                    let Answer { status, text, .. } = &answer;
                    assert!(*status < 500, "{status} at attempt {attempt}: {text}");
                    self.repeated += u64::from(attempt > before);
                    return answer;
                }
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(120), "no answer in {waited:?}");
        }
        unreachable!("it goes on until there is an answer")
    }

    /// Reads a path; `None` without an answer.
    async fn look(&self, path: &str) -> Option<Value> {
        match self.client.try_get(path).await {
            Ok(answer) if !answer.refuses() => Some(answer.ok(200)),
            _ => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                None
            }
        }
    }

    async fn step(&mut self) {
        let running = self.games.iter().filter(|game| !game.over).count();
        if running < 3 || (running < 6 && self.random.f64() < 0.02) {
            return self.create().await;
        }
        let number = self.random.usize(..self.games.len());
        if self.games[number].over {
            return;
        }
        if self.random.f64() < 0.02 {
            return self.order(number).await;
        }
        let path = self.games[number].path.clone();
        let Some(asked) = self.look(&format!("{path}/legal-actions")).await else {
            return;
        };
        let seq = asked["seq"].as_u64().expect("a number");
        let last = self.games[number].last();
        assert!(
            seq >= last,
            "{path} stands at {seq}, acknowledged was {last}"
        );
        let Some(due) = asked["pending"][0]["seat"].as_u64() else {
            let game = self.look(&path).await;
            self.games[number].over = game.is_some_and(|game| game["status"] == "finished");
            return;
        };
        let Some(token) = self.games[number].tokens.get(&due).cloned() else {
            // The event of a bot.
            return tokio::time::sleep(Duration::from_millis(2)).await;
        };
        let (verb, body, view) = if seq > 3 && self.random.f64() < 0.08 {
            ("undo", json!({"to": self.random.u64(seq - 3..seq)}), None)
        } else {
            let actions = asked["actions"].as_array().expect("actions");
            let action = actions[self.random.usize(..actions.len())].clone();
            let whole = action["type"] == "move_stone" && self.random.f64() < 0.6;
            let body = match whole {
                true => json!({"actions": [action, {"type": "end_turn"}]}),
                false => action,
            };
            ("actions", body, self.random.bool().then_some(seq))
        };
        let path = format!("{path}/{verb}");
        let answer = self.write(Method::POST, &path, &token, &body, view).await;
        match answer.status {
            201 => self.games[number].note(&answer.json()),
            202 | 403 | 409 | 412 | 422 => {}
            status => panic!("{path}: {status} {}", answer.text),
        }
    }

    async fn create(&mut self) {
        let (edition, board, seats) = GAMES[self.random.usize(..GAMES.len())];
        let people = [1, 1, 2, seats][self.random.usize(..4)];
        let mut players: Vec<Value> = (0..seats)
            .map(|seat| match seat < people {
                true => json!({"player": {"placeholder": format!("{}-{seat}", self.name)}}),
                false => json!({"player": {"bot": (["greedy", "random"])[self.random.usize(..2)]}}),
            })
            .collect();
        self.random.shuffle(&mut players);
        let body = json!({"edition": edition, "board": board, "seats": players, "max_rounds": 200});
        let answer = self.write(Method::POST, "/v1/games", "", &body, None).await;
        if answer.status == 409 {
            // The game was created, but the answer was lost. A caller without a token does not receive its tokens.
            return;
        }
        let created = answer.ok(201);
        let tokens = created["tokens"]["seats"].as_object().expect("tokens");
        let token = |(seat, token): (&String, &Value)| (seat.parse().expect("a seat"), text(token));
        self.games.push(PlayedGame {
            path: format!("/v1/games/{}", text(&created["id"])),
            organizer: text(&created["tokens"]["organizer"]),
            tokens: tokens.iter().map(token).collect(),
            ..PlayedGame::default()
        });
    }

    /// Sets standing orders that change nothing, so that only the players write events.
    async fn order(&mut self, number: usize) {
        let game = &self.games[number];
        let (seat, token) = game.tokens.iter().next().expect("a person's seat");
        let (seat, token) = (*seat, token.clone());
        let path = format!("{}/seats/{seat}/orders", game.path);
        let orders = match self.random.bool() {
            true => json!([{"battle": "ask"}]),
            false => json!([]),
        };
        let answer = self.write(Method::PUT, &path, &token, &orders, None).await;
        match answer.status {
            200 => drop(self.games[number].orders.insert(seat, answer.json())),
            409 => {}
            status => panic!("{path}: {status} {}", answer.text),
        }
    }

    /// Compares all games with the acknowledged events.
    async fn check(&mut self) {
        for game in &mut self.games {
            let path = game.path.clone();
            let path = &path;
            let seats = self.client.get(path).await.ok(200)["seats"].clone();
            // Bots continue without requests.
            let mut began = None;
            let moves = async || {
                let now = self.client.get(path).await.ok(200);
                let due = now["pending"][0]["seat"].as_u64();
                let began = *began.get_or_insert(now["seq"].as_u64());
                let persons = due.is_none_or(|seat| game.tokens.contains_key(&seat));
                persons || now["seq"].as_u64() > began
            };
            assert!(
                wait_until(moves).await.is_some(),
                "{path}: a bot must move, but does not"
            );

            if !game.over {
                let ranks = 0..seats.as_array().expect("seats").len();
                let ranks: Vec<Value> = ranks.map(|n| json!({"seat": n, "rank": n + 1})).collect();
                let end = format!("{path}/adjudication");
                let body = json!({"ranks": ranks});
                let answer = self.client.post(&end, &game.organizer, &body).await;
                match answer.status {
                    201 => game.note(&answer.json()),
                    // The game has ended since.
                    409 => {}
                    status => panic!("{path}/adjudication: {status} {}", answer.text),
                }
            }
            for (seat, orders) in &game.orders {
                let request = self
                    .client
                    .request(Method::GET, &format!("{path}/seats/{seat}/orders"));
                let answer = self
                    .client
                    .send(request.bearer_auth(&game.tokens[seat]))
                    .await;
                let kept = answer.expect("an answer").ok(200);
                assert_eq!(kept, *orders, "{path}: orders of seat {seat}");
            }
            let events = self
                .client
                .get_lines(&format!("{path}/events"))
                .await
                .lines();
            assert!(!events.is_empty(), "{path} has no events");
            for (number, event) in events.iter().enumerate() {
                let number = number as u64;
                assert_eq!(event["seq"], number, "{path} has a gap");
                let acknowledged = game.events.remove(&number);
                let by_person = event["seat"]
                    .as_u64()
                    .is_some_and(|seat| game.tokens.contains_key(&seat));
                match acknowledged {
                    Some(expected) => {
                        assert_eq!(event_of(event), expected, "{path}: event {number}")
                    }
                    // All requests are answered, so no further event can follow.
                    None => assert!(
                        !(by_person && event["kind"] != "setup" || event["kind"] == "undo"),
                        "{path}: event {number} was never acknowledged: {event}"
                    ),
                }
            }
            let lost = &game.events;
            assert!(
                lost.is_empty(),
                "{path}: acknowledged events are lost: {lost:?}"
            );
        }
    }
}

async fn play_and_kill(case: &str, database: Database, victim: Victim) {
    let scale = Scale::from_environment(case);
    let mut random = fastrand::Rng::with_seed(scale.seed);
    let mut program = Program::serve(&database);
    let stop = Arc::new(AtomicBool::new(false));
    let players = (0..CLIENTS).map(|number| Player::new(number, program.client(), scale.seed));
    let players = players.map(|player| tokio::spawn(player.play(Arc::clone(&stop))));
    let players: Vec<_> = players.collect();

    let mut restarts = Vec::new();
    for _ in 0..scale.kills {
        tokio::time::sleep(Duration::from_millis(random.u64(50..1200))).await;
        let begun = Instant::now();
        match victim {
            Victim::Service => {
                program.kill();
                program.again(&database);
            }
            Victim::Database => {
                database.server().crash();
                tokio::time::sleep(Duration::from_millis(random.u64(0..1000))).await;
                database.server().up();
            }
        }
        let client = program.client();
        let ready = wait_until(async || client.is_ready().await).await;
        assert!(
            ready.is_some(),
            "it does not come back: {}",
            program.read_log()
        );
        restarts.push(begun.elapsed());
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    stop.store(true, Ordering::Relaxed);
    let (mut games, mut events, mut writes, mut repeated) = (0, 0, 0, 0);
    for player in players {
        let mut player = player.await.unwrap_or_else(|error| panic!("{error}"));
        games += player.games.len();
        events += player
            .games
            .iter()
            .map(|game| game.events.len())
            .sum::<usize>();
        writes += player.writes;
        repeated += player.repeated;
        player.check().await;
    }
    figure(case, "kills", scale.kills);
    figure(case, "ready again", Times::sorted(restarts));
    figure(
        case,
        "acknowledged",
        format!("{games} games, {writes} writes, {events} events"),
    );
    figure(case, "repeated requests", repeated);
    assert!(repeated > 0 || scale.kills < 5, "no request was repeated");
    let (status, _) = program.terminate().expect("it ends when asked");
    assert!(status.success(), "SIGTERM: {status}");
    database.verify();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_on_sqlite() {
    play_and_kill(
        "kills of the service, SQLite",
        Database::sqlite(),
        Victim::Service,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_on_postgres() {
    play_and_kill(
        "kills of the service, PostgreSQL",
        Database::postgres(),
        Victim::Service,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_with_postgres_killed() {
    play_and_kill(
        "kills of PostgreSQL",
        Database::postgres(),
        Victim::Database,
    )
    .await;
}
