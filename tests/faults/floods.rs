//! Floods of requests. Memory is bounded, other callers are served, and requests are refused with 429 or 503
//! only. Each flood prints its figures.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::{
    Answer, Client, Database, Down, MANY_FILES, Program, Scale, Stream, Times, figure, games,
    open_stream, wait_until,
};

/// The results of a flood: the number of answers with each status, and 0 for no answer.
#[derive(Debug, Default)]
struct Outcome {
    statuses: BTreeMap<u16, usize>,
    times: Vec<Duration>,
}

impl Outcome {
    fn count(&mut self, answer: &Result<Answer, Down>, time: Duration) {
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        *self.statuses.entry(status).or_default() += 1;
        self.times.push(time);
    }

    /// Prints the figures, and checks that all requests were answered with `wanted` or refused.
    #[track_caller]
    fn report(self, case: &str, what: &str, wanted: u16) {
        figure(
            case,
            &format!("{what}: statuses"),
            format!("{:?}", self.statuses),
        );
        figure(case, &format!("{what}: times"), Times::sorted(self.times));
        let few = 1 + self.statuses.values().sum::<usize>() / 100;
        for (status, count) in &self.statuses {
            // A request without an answer may have used an idle connection while it was being closed. The next request
            // uses a new one.
            let fits =
                [wanted, 429, 503].contains(status) || ([0, 409].contains(status) && *count <= few);
            assert!(fits, "{case}: {what}: {:?}", self.statuses);
        }
    }
}

/// The number of lists that are requested in a second: more than the two processors of a small machine can
/// compute. An unoptimised program takes ten times as long for each.
const LISTS: u64 = if cfg!(debug_assertions) { 2 } else { 40 };

/// Builds a path from a counter.
type Query = fn(u64) -> String;

async fn get_timed(client: &Client, path: &str) -> (Result<Answer, Down>, Duration) {
    let begun = Instant::now();
    (client.try_get(path).await, begun.elapsed())
}

/// Requests paths concurrently.
async fn get_at_once(client: &Client, count: usize, path: impl Fn(usize) -> String) -> Outcome {
    let requests = (0..count).map(|number| {
        let (client, path) = (client.clone(), path(number));
        tokio::spawn(async move { get_timed(&client, &path).await })
    });
    let mut outcome = Outcome::default();
    for request in requests.collect::<Vec<_>>() {
        let (answer, time) = request.await.expect("a request ends");
        outcome.count(&answer, time);
    }
    outcome
}

/// Requests paths at a rate for each second, without waiting for answers.
async fn get_at_rate(client: Client, rate: u64, seconds: u64, path: Query) -> Outcome {
    let mut clock = tokio::time::interval(Duration::from_secs_f64(1.0 / rate as f64));
    let mut requests = Vec::new();
    for number in 0..rate * seconds {
        clock.tick().await;
        let client = client.clone();
        requests.push(tokio::spawn(async move {
            get_timed(&client, &path(number)).await
        }));
    }
    let mut outcome = Outcome::default();
    for request in requests {
        let (answer, time) = request.await.expect("a request ends");
        outcome.count(&answer, time);
    }
    outcome
}

/// Prints the memory that a flood takes, and checks the peak. All figures are in MiB above `before`.
#[track_caller]
fn check_memory(program: &Program, case: &str, before: u64, bound: u64) {
    let peak = program.peak().saturating_sub(before);
    let held = program.resident().saturating_sub(before);
    figure(case, "peak above the start, MiB", peak);
    figure(case, "held afterwards, MiB", held);
    assert!(
        peak <= bound,
        "{case}: {peak} MiB more than {before}, allowed are {bound}"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn large_lists_take_memory_by_their_size() {
    let case = "lists";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    database.import(1000 * scale.times, 1, scale.seed);
    let program = Program::serve(&database);
    let client = program.client();
    let count = client.get("/v1/games/count").await.ok(200)["count"].clone();
    // Games above the limit are not counted.
    assert_eq!(count, (1000 * scale.times).min(10_000));
    for (what, count, bound) in [("one", 1, 50), ("twenty at once", 20, 250)] {
        let before = program.resident();
        program.forget_peak();
        let lists = get_at_once(&client, count, |_| "/v1/games?limit=1000".to_owned()).await;
        lists.report(case, what, 200);
        check_memory(&program, &format!("{case}, {what}"), before, bound);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_last_round_ends_and_its_tail_is_read_alone() {
    let case = "endless";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    let bounds = "unset TABULARIUM_LIMIT_ROUNDS TABULARIUM_LIMIT_EVENTS";
    let program = Program::serve_as(&database, "127.0.0.1:0", bounds, &[]);
    let client = program.client();
    let mut game = games(0);
    game.as_object_mut()
        .expect("an object")
        .remove("max_rounds");
    game["seed"] = json!(scale.seed.to_string());
    let (path, _) = client.create(&game).await;
    let begun = Instant::now();
    let most = 100_000;
    let seq = loop {
        let game = client.get(&path).await.ok(200);
        let seq = game["seq"].as_u64().expect("a number");
        if game["status"] == "finished" || seq >= most || begun.elapsed() > Duration::from_secs(120)
        {
            figure(case, "status", &game["status"]);
            break seq;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    figure(case, "events", seq);
    figure(
        case,
        "events a second",
        seq as f64 / begun.elapsed().as_secs_f64(),
    );
    let before = program.resident();
    program.forget_peak();
    let tail = |number| format!("{path}/events?after={}&limit=1", seq - 1 - number as u64);
    let outcome = get_at_once(&client, 40, tail).await;
    outcome.report(case, "forty reads of the tail", 200);
    check_memory(&program, case, before, 100);
    let status = client.get(&path).await.ok(200)["status"].clone();
    assert_eq!(status, "finished", "after {seq} events");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn reads_do_not_block_writes() {
    let case = "reads";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    database.import(1000 * scale.times, 1, scale.seed);
    let program = Program::serve(&database);
    let client = program.client();
    let floods: [(&str, u16, Query); 3] = [
        ("large lists", 200, |_| "/v1/games?limit=1000".to_owned()),
        ("since", 200, |n| {
            format!(
                "/v1/games?limit=10&until=2020-01-01&since=2019-01-01T00:00:{:02}Z",
                n % 60
            )
        }),
        ("games of an unknown player", 422, |n| {
            format!("/v1/games?player=unknown-{n}")
        }),
    ];
    for (what, status, path) in floods {
        let (game, tokens) = client.game_of_people().await;
        let lists = tokio::spawn(get_at_rate(client.clone(), LISTS, scale.seconds, path));
        let mut turns = Outcome::default();
        let mut due = (0..).map(|number| (number, &tokens[number % tokens.len()]));
        while !lists.is_finished() {
            let (number, token) = due.next().expect("they go round");
            let begun = Instant::now();
            let answer = client.turn(&game, token, number / tokens.len()).await;
            turns.count(&answer, begun.elapsed());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let refused = turns.statuses.contains_key(&503);
        turns.report(case, &format!("turns under {what}"), 201);
        assert!(!refused, "{case}: a turn was refused under {what}");
        let lists = lists.await.expect("it ends");
        lists.report(case, what, status);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn questions_of_statistics_are_answered_in_turn() {
    let case = "statistics";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    database.import(400 * scale.times, 12, scale.seed);
    let program = Program::serve(&database);
    let client = program.client();
    let games = 400 * scale.times as u64;
    let all = async || {
        let answer = client.try_get("/v1/stats/nations?reason=any").await;
        answer.is_ok_and(|answer| answer.status == 200 && answer.json()["games"] == games)
    };
    let complete = wait_until(all).await.expect("all games count");
    figure(case, "complete after, s", complete.as_secs_f64());
    let before = program.resident();
    program.forget_peak();
    let questions = |number| {
        let measures = ["nations", "openings", "personages", "seats", "lengths"];
        let measure = measures[number as usize % measures.len()];
        format!(
            "/v1/stats/{measure}?reason=any&since=2001-01-01T00:{:02}:{:02}Z",
            number / 60 % 60,
            number % 60
        )
    };
    let outcome = get_at_rate(client.clone(), 100, scale.seconds, questions).await;
    outcome.report(case, "a hundred new ones a second", 200);
    check_memory(&program, case, before, 150);
    assert_eq!(
        client.get("/v1/stats/nations?reason=any").await.ok(200)["games"],
        games
    );
}

/// Opens streams of a path. Returns them with the statuses of all requests, and stops if there is no answer.
async fn open_streams(program: &Program, path: &str, count: usize) -> (Vec<Stream>, Outcome) {
    let (mut open, mut outcome) = (Vec::new(), Outcome::default());
    for _ in 0..count {
        let (status, stream) = open_stream(program.socket(), path).await;
        let unanswered = outcome.statuses.entry(status).or_default();
        *unanswered += 1;
        if status == 0 && *unanswered == 3 {
            break;
        }
        open.extend(stream);
    }
    (open, outcome)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn streams_do_not_block_other_requests() {
    let case = "streams";
    Scale::from_environment(case);
    let database = Database::sqlite();
    let program = Program::serve_as(&database, "127.0.0.1:0", "ulimit -n 256", &[]);
    let client = program.client();
    let (game, tokens) = client.game_of_people().await;
    let (open, outcome) = open_streams(&program, &format!("{game}/events"), 300).await;
    figure(case, "open streams with 256 files allowed", open.len());
    figure(case, "statuses", format!("{:?}", outcome.statuses));
    // Streams from before and new requests are both served.
    let turn =
        tokio::time::timeout(Duration::from_secs(30), client.turn(&game, &tokens[0], 0)).await;
    let turn = turn.expect("in time").expect("an answer");
    assert_eq!(turn.status, 201, "{}", turn.text);
    let look = program.client();
    let look = tokio::time::timeout(Duration::from_secs(30), look.try_get(&game)).await;
    assert_eq!(look.expect("in time").expect("an answer").ok(200)["seq"], 2);
    for status in outcome.statuses.keys() {
        assert!([200, 429, 503].contains(status), "{:?}", outcome.statuses);
    }
    drop(open);
    let again = async || {
        open_streams(&program, &format!("{game}/events"), 1)
            .await
            .0
            .len()
            == 1
    };
    assert!(
        wait_until(again).await.is_some(),
        "places become free again"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn followers_of_a_quiet_game_cost_nothing() {
    let case = "quiet";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    let program = Program::serve_as(&database, "127.0.0.1:0", MANY_FILES, &[]);
    let client = program.client();
    let (quiet, _) = client.game_of_people().await;
    let (busy, tokens) = client.game_of_people().await;
    let mut turns = 0;
    // The cost of the same number of turns in a game without followers, while the others follow another game.
    let mut cost = async |what: &str| {
        let before = program.cpu();
        let begun = Instant::now();
        for _ in 0..200 {
            let token = &tokens[turns % tokens.len()];
            let answer = client.turn(&busy, token, turns / tokens.len()).await;
            assert_eq!(answer.expect("an answer").status, 201);
            turns += 1;
        }
        let (cpu, time) = (program.cpu() - before, begun.elapsed());
        figure(
            case,
            &format!("200 turns, {what}"),
            format!("CPU {cpu:?} in {time:?}"),
        );
        cpu
    };
    let alone = cost("no followers").await;
    let before = program.resident();
    let wanted = 250 * scale.times;
    let (open, _) = open_streams(&program, &format!("{quiet}/events"), wanted).await;
    let held = program.resident().saturating_sub(before);
    figure(case, "followers", open.len());
    figure(case, "KiB for each", held * 1024 / open.len().max(1) as u64);
    let followed = cost(&format!("{} followers of another game", open.len())).await;
    // Waking all streams for each turn costs much more than this; a heartbeat does not.
    let bound = alone * 2 + Duration::from_millis(500);
    assert!(followed <= bound, "CPU {followed:?} beside {alone:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn overload_is_shed() {
    let case = "overload";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    database.import(1000, 1, scale.seed);
    let program = Program::serve_as(&database, "127.0.0.1:0", MANY_FILES, &[]);
    let client = program.client();
    client.get("/v1/games?limit=200").await.ok(200);
    let before = program.resident();
    program.forget_peak();
    let until = Instant::now() + Duration::from_secs(scale.seconds);
    let count = 300 * scale.times;
    let clients = (0..count).map(|_| {
        let client = client.clone();
        tokio::spawn(async move {
            let mut outcome = Outcome::default();
            while Instant::now() < until {
                let (answer, time) = get_timed(&client, "/v1/games?limit=200").await;
                // A client that is refused waits a little, as a polite client does.
                if answer.as_ref().is_ok_and(Answer::refuses) {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                outcome.count(&answer, time);
            }
            outcome
        })
    });
    let mut all = Outcome::default();
    for client in clients.collect::<Vec<_>>() {
        let one = client.await.expect("it ends");
        all.times.extend(one.times);
        for (status, count) in one.statuses {
            *all.statuses.entry(status).or_default() += count;
        }
    }
    all.report(case, "lists", 200);
    // A connection has two buffers of 32 KiB.
    check_memory(&program, case, before, 100 + count as u64 / 16);
    figure(case, "log, bytes", program.read_log().len());
    assert!(client.is_ready().await);
}

/// Floods of one address that others must not notice. Each path has a number that makes it a new one.
const FLOODS: [(&str, Query); 4] = [
    ("pictures", |n| {
        format!("/v1/boards/antike-east.png?size={}", 2_000 + n % 400)
    }),
    ("statistics", |n| {
        format!(
            "/v1/stats/income?reason=any&since=2001-01-01T00:00:{:02}Z",
            n % 60
        )
    }),
    ("openings", |n| {
        format!("/v1/stats/openings/tree?levels=3&min_games={}", n + 1)
    }),
    ("records", |n| {
        format!("/v1/records?events=true&limit={}", 20 + n % 10)
    }),
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs the machine for itself: make soak"]
async fn a_flood_from_one_address_does_not_block_others() {
    let case = "one address";
    let scale = Scale::from_environment(case);
    let database = Database::sqlite();
    database.import(100 * scale.times, 12, scale.seed);
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    let metered = "unset TABULARIUM_UNMETERED";
    let program = Program::serve_as(&database, "127.0.0.1:0", metered, &proxy);
    let client = program.client();
    let get = async |path: String, caller: String| {
        let request = client.request(reqwest::Method::GET, &path);
        let begun = Instant::now();
        let answer = client.send(request.header("X-Forwarded-For", caller)).await;
        (answer, begun.elapsed())
    };
    for (number, (what, path)) in FLOODS.into_iter().enumerate() {
        // Each flood begins with full quotas.
        let (one, other) = (format!("192.0.2.{number}"), format!("198.51.100.{number}"));
        let before = program.resident();
        program.forget_peak();
        let flood = (0..100).map(|number| get(path(number), one.clone()));
        let flood = futures_util::future::join_all(flood);
        let others = async {
            let mut outcome = Outcome::default();
            for _ in 0..5 {
                for path in [
                    "/v1/games?limit=5",
                    "/v1/players",
                    "/v1/stats/nations",
                    "/v1/boards/antike-west.png?size=200",
                ] {
                    let (answer, time) = get(path.to_owned(), other.clone()).await;
                    outcome.count(&answer, time);
                }
            }
            outcome
        };
        let (flood, others) = tokio::join!(flood, others);
        let mut outcome = Outcome::default();
        for (answer, time) in flood {
            outcome.count(&answer, time);
        }
        outcome.report(case, what, 200);
        figure(
            case,
            &format!("others under {what}"),
            format!("{:?}", others.statuses),
        );
        figure(
            case,
            &format!("others under {what}: times"),
            Times::sorted(others.times),
        );
        assert_eq!(others.statuses, BTreeMap::from([(200, 20)]), "{what}");
        check_memory(&program, &format!("{case}, {what}"), before, 250);
        let returned = async || program.resident() <= before + 100;
        assert!(
            wait_until(returned).await.is_some(),
            "{what}: memory is kept"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compressed_bodies_are_unpacked_up_to_the_limit() {
    use std::io::Write;

    let case = "compressed";
    Scale::from_environment(case);
    let database = Database::sqlite();
    let program = Program::serve(&database);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..250 {
        packed.write_all(&vec![b' '; 1 << 20]).expect("memory");
    }
    let packed = packed.finish().expect("memory");
    let client = program.client();
    let before = program.resident();
    program.forget_peak();
    let request = client.request(reqwest::Method::POST, "/v1/games");
    let request = request.header("Content-Type", "application/json");
    let request = request.header("Content-Encoding", "gzip").body(packed);
    let answer = client.send(request).await.expect("an answer");
    assert_eq!(answer.status, 413, "{}", answer.text);
    check_memory(&program, case, before, 20);
}
