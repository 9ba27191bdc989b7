//! Bidding for the seats of a game.

use records::PublicKeys;
use reqwest::Method;
use serde_json::{Value, json};

use super::league_standings::assert_recomputed;
use super::leagues::full_league;
use super::pace::Hours;
use super::support::{Stream, TestServer, array, text};

/// Creates a game whose four seats are bid for, with three people on the first seats.
/// Returns its path and the tokens of the seats.
async fn game_for_bids(server: &TestServer, kind: &str, pace: Value) -> (String, Vec<String>) {
    let (path, tokens, _) = organized_game_for_bids(server, kind, pace).await;
    (path, tokens)
}

/// As [`game_for_bids`], with the organizer's token.
async fn organized_game_for_bids(
    server: &TestServer,
    kind: &str,
    pace: Value,
) -> (String, Vec<String>, String) {
    let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": nation}});
    let body = json!({
        "edition": "antike", "board": "antike-east", "first": "greeks", "seed": "bids", "pace": pace,
        "bidding": {"kind": kind, "hours": 5}, "seats": [seat("greeks"), seat("phoenicians"), seat("persians"),
            {"nations": ["arabs"], "player": "open"}],
    });
    let created = server.create("/v1/games", "", body).await;
    assert_eq!(created["status"], "open");
    assert_eq!(created["bidding"]["ends_at"], Value::Null);
    let seats = &created["tokens"]["seats"];
    let tokens = (0..3).map(|seat| text(&seats[seat.to_string()]));
    let organizer = text(&created["tokens"]["organizer"]);
    let path = format!("/v1/games/{}", text(&created["id"]));
    (path, tokens.collect(), organizer)
}

fn bids(of: &[(u8, f64)]) -> Value {
    let bid = |(seat, points): &(u8, f64)| json!({"seat": seat, "points": points});
    json!({"bids": of.iter().map(bid).collect::<Vec<_>>()})
}

/// Who sits where, by the names of the placeholders.
fn names(game: &Value) -> Vec<String> {
    let seats = array(&game["seats"]).iter();
    seats.map(|seat| text(&seat["player"]["name"])).collect()
}

/// All numbers in a value.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => number.as_f64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn sealed_bids_stay_secret_until_the_players_take_their_seats() {
    let server = TestServer::start();
    let other = server.another();
    let pace = json!({"turn_seconds": 3600, "then": "resign"});
    let (path, mut tokens) = game_for_bids(&server, "sealed", pace).await;
    let bid = async |server: &TestServer, seat: usize, token: &str, of: Value| {
        server
            .put(&format!("{path}/seats/{seat}/bids"), token, of)
            .await
    };
    // Players with a seat can bid before the others have come.
    let first = bid(&server, 0, &tokens[0], bids(&[(0, 2.0), (1, 1.5)]))
        .await
        .ok(200);
    assert_eq!(first["bidding"]["missing"], json!([]));
    let mut stream =
        Stream::open(other.request(Method::GET, &format!("{path}/events?after=latest"))).await;
    let joined = server
        .create(&format!("{path}/seats/3"), "", json!({"name": "Hanno"}))
        .await;
    tokens.push(text(&joined["token"]));
    assert_eq!(joined["game"]["status"], "open");
    assert_eq!(joined["game"]["bidding"]["missing"], json!([1, 2, 3]));
    bid(&other, 1, &tokens[1], bids(&[(0, 1.8)])).await.ok(200);
    bid(&server, 2, &tokens[2], bids(&[(2, 0.1)])).await.ok(200);
    bid(&server, 2, &tokens[2], bids(&[(2, 0.2)])).await.ok(200);
    let fits = |game: &Value| game["bidding"]["missing"] == json!([3]);
    let waiting = other.wait_for(&path, fits).await;
    let shown = numbers(&waiting);
    assert!(!shown.contains(&1.8) && !shown.contains(&0.2), "{waiting}");
    assert_eq!(
        (&waiting["pending"], &waiting["bidding"]["prices"]),
        (&json!([]), &json!([]))
    );
    // Nobody can act or bid for another seat, and bids are checked.
    let iron = json!({"type": "move_stone", "field": "iron"});
    server
        .post(&format!("{path}/actions"), &tokens[0], iron.clone())
        .await
        .problem(409, "not_started");
    bid(&server, 3, &tokens[0], bids(&[])).await.forbidden();
    for (of, field) in [
        (bids(&[(4, 1.0)]), "bids[0].seat"),
        (bids(&[(1, 1.0), (1, 2.0)]), "bids[1].seat"),
        (bids(&[(1, 0.25)]), "bids[0].points"),
        (bids(&[(1, 10.0)]), "bids[0].points"),
        (bids(&[(1, -1.0)]), "bids[0].points"),
    ] {
        let refused = bid(&server, 3, &tokens[3], of)
            .await
            .problem(422, "invalid_body");
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    let keys: PublicKeys = server.get("/v1/keys").await.text.parse().unwrap();
    assert_eq!(server.faults(&keys), Vec::<String>::new());

    // 1.5 for the second seat and 1.8 for the first one are together more than 2.0 for the first one.
    let game = bid(&server, 3, &tokens[3], bids(&[(3, 3.0)])).await.ok(200);
    assert_eq!(game["status"], "running");
    assert_eq!(names(&game), ["phoenicians", "greeks", "persians", "Hanno"]);
    let price = |seat: usize| game["bidding"]["prices"][seat]["price"].as_f64().unwrap();
    assert_eq!([0, 1, 2, 3].map(price), [1.8, 1.5, 0.2, 3.0]);
    assert_eq!(
        game["bidding"]["prices"][1]["bids"],
        json!([2.0, 1.5, 0.0, 0.0])
    );
    // Followers on every node learn of bids, and who is missing, without the bids.
    let mut change = stream.next().await;
    while change.data["missing"] != json!([3]) {
        assert_eq!(change.data["points"], Value::Null);
        change = stream.next().await;
    }
    assert_eq!(change.name.as_deref(), Some("bidding"));
    // A token goes with its player: the second one now plays the Greeks, who begin.
    server
        .post(&format!("{path}/actions"), &tokens[0], iron.clone())
        .await
        .problem(409, "not_your_turn");
    let answer = other
        .post(&format!("{path}/actions"), &tokens[1], iron)
        .await;
    answer.ok(201);
    bid(&server, 0, &tokens[1], bids(&[]))
        .await
        .problem(409, "already_started");
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    // The result of the game is by the rules; the score subtracts the price.
    let resign = json!({"type": "resign"});
    for seat in [0, 2, 3] {
        server
            .post(&format!("{path}/actions"), &tokens[seat], resign.clone())
            .await
            .ok(201);
    }
    let over = other
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    let points = over["result"]["ranks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rank| rank["seat"] == 1);
    let points = points.unwrap()["points"].as_f64().unwrap();
    assert_eq!(over["bidding"]["prices"][1]["score"], points - 1.5);
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    // A rematch is bid for again.
    let next = server
        .create(&format!("{path}/rematch"), &tokens[0], json!({}))
        .await;
    assert_eq!(
        (&next["bidding"]["kind"], &next["bidding"]["hours"]),
        (&json!("sealed"), &json!(5))
    );
}

#[tokio::test]
async fn open_bids_are_outbid_and_missing_ones_count_as_zero() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let (path, mut tokens) = game_for_bids(&server, "open", Value::Null).await;
    let bid = async |seat: usize, token: &str, of: Value| {
        server
            .put(&format!("{path}/seats/{seat}/bids"), token, of)
            .await
    };
    bid(0, &tokens[0], bids(&[(0, 0.0)]))
        .await
        .problem(409, "not_started");
    let joined = server
        .create(&format!("{path}/seats/3"), "", json!({}))
        .await;
    tokens.push(text(&joined["token"]));
    assert_eq!(joined["game"]["bidding"]["missing"], json!([0]));
    bid(1, &tokens[1], bids(&[(0, 0.0)]))
        .await
        .problem(409, "not_your_bid");
    bid(0, &tokens[0], bids(&[(3, 0.0)])).await.ok(200);
    let refused = bid(1, &tokens[1], bids(&[(3, 0.0)]))
        .await
        .problem(422, "invalid_body");
    assert_eq!(refused["field"], "bids[0].points");
    bid(1, &tokens[1], bids(&[]))
        .await
        .problem(422, "invalid_body");
    let game = bid(1, &tokens[1], bids(&[(3, 0.5)])).await.ok(200);
    assert_eq!(
        game["bidding"]["highest"],
        json!([{"seat": 3, "bidder": 1, "points": 0.5}])
    );
    // The first player was outbid and bids again. It is late, and so are the others: they take what is left.
    assert_eq!(game["bidding"]["missing"], json!([0]));
    let due = text(&game["bidding"]["ends_at"]);
    assert_eq!(game["due_at"], due);
    for missing in [json!([2]), json!([3]), json!([])] {
        hours.pass(&server, 6);
        server
            .wait_for(&path, |game| game["bidding"]["missing"] == missing)
            .await;
    }
    let game = server
        .wait_for(&path, |game| game["status"] == "running")
        .await;
    assert_eq!(game["seats"][3]["player"]["name"], "phoenicians");
    assert_eq!(game["seats"][0]["player"]["name"], "greeks");
    assert_eq!(game["bidding"]["prices"][3]["price"], 0.5);
    assert_eq!(
        (&game["due_at"], &game["bidding"]["ends_at"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn a_player_who_leaves_takes_the_bids_along() {
    let server = TestServer::start();
    let (path, tokens) = game_for_bids(&server, "sealed", Value::Null).await;
    let joined = server
        .create(&format!("{path}/seats/3"), "", json!({}))
        .await;
    let token = text(&joined["token"]);
    let seat = format!("{path}/seats/3");
    server
        .put(&format!("{seat}/bids"), &token, bids(&[(0, 9.9)]))
        .await
        .ok(200);
    for (place, token) in tokens.iter().enumerate().take(2) {
        server
            .put(&format!("{path}/seats/{place}/bids"), token, bids(&[]))
            .await
            .ok(200);
    }
    let left = server.with(Method::DELETE, &seat, &token);
    let left = super::support::send(left).await.ok(200);
    assert_eq!(
        (&left["bidding"]["ends_at"], &left["due_at"]),
        (&Value::Null, &Value::Null)
    );
    let again = server.create(&seat, "", json!({})).await;
    assert_eq!(again["game"]["bidding"]["missing"], json!([2, 3]));
    // A bot takes what the others leave, and does not bid.
    let bot = json!({"player": {"bot": "random"}});
    let organized = server.create("/v1/games", "", json!({"edition": "antike", "board": "antike-east", "max_rounds": 9,
        "bidding": {"kind": "open"}, "seats": [{"player": {"placeholder": "Dido"}}, bot, bot, bot]})).await;
    let path = format!("/v1/games/{}", text(&organized["id"]));
    let dido = text(&organized["tokens"]["seats"]["0"]);
    let game = server
        .put(&format!("{path}/seats/0/bids"), &dido, bids(&[(2, 0.0)]))
        .await
        .ok(200);
    assert_eq!(game["seats"][2]["player"]["name"], "Dido");
    assert_eq!(game["status"], "running");
}

#[tokio::test]
async fn bots_alone_do_not_bid_and_times_have_limits() {
    let server = TestServer::start();
    let game = |player: Value, hours: u16| {
        let seat = json!({"player": player});
        json!({"edition": "antike", "board": "antike-east", "bidding": {"kind": "open", "hours": hours},
            "seats": [seat, seat, seat]})
    };
    for (body, field) in [
        (game(json!({"bot": "random"}), 24), "bidding"),
        (game(json!("open"), 0), "bidding.hours"),
        (game(json!("open"), 337), "bidding.hours"),
    ] {
        let refused = server
            .post("/v1/games", "", body)
            .await
            .problem(422, "invalid_body");
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
}

#[tokio::test]
async fn an_abandoned_game_has_no_bidding_any_more() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let (path, tokens, organizer) = organized_game_for_bids(&server, "sealed", Value::Null).await;
    server
        .create(&format!("{path}/seats/3"), "", json!({}))
        .await;
    let abandoned = server.with(Method::DELETE, &path, &organizer);
    let abandoned = super::support::send(abandoned).await.ok(200);
    assert_eq!(
        (&abandoned["due_at"], &abandoned["bidding"]["ends_at"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(abandoned["bidding"]["missing"], json!([]));
    let late = server
        .put(&format!("{path}/seats/0/bids"), &tokens[0], bids(&[]))
        .await;
    late.problem(409, "game_over");
    hours.pass(&server, 6);
    // The end of another bidding shows that the deadlines have been looked at.
    let (other, _) = game_for_bids(&server, "sealed", Value::Null).await;
    server
        .create(&format!("{other}/seats/3"), "", json!({}))
        .await;
    hours.pass(&server, 6);
    server
        .wait_for(&other, |game| game["status"] == "running")
        .await;
    let after = server.read(&path).await;
    assert_eq!(
        (&after["status"], &after["seq"]),
        (&json!("abandoned"), &abandoned["seq"])
    );
}

#[tokio::test]
async fn a_guest_who_signs_up_keeps_the_bids() {
    let server = TestServer::start();
    let (path, tokens) = game_for_bids(&server, "open", Value::Null).await;
    let joined = server
        .create(&format!("{path}/seats/3"), "", json!({}))
        .await;
    let token = text(&joined["token"]);
    let bid = async |seat: usize, token: &str, of: Value| {
        let path = format!("{path}/seats/{seat}/bids");
        server.put(&path, token, of).await.ok(200)
    };
    bid(0, &tokens[0], bids(&[(1, 0.5)])).await;
    let before = bid(1, &tokens[1], bids(&[(0, 0.0)])).await;
    let (_, hanno) = super::accounts::register(&server, "hanno").await;
    let id = path.rsplit('/').next().unwrap();
    let moved = json!({"game": id, "token": token});
    server.post("/v1/me/seats", &hanno, moved).await.ok(200);
    let after = server.read(&path).await;
    assert_eq!(after["seats"][3]["player"]["name"], "hanno");
    assert_eq!(after["bidding"], before["bidding"]);
}

/// A league with points for two ranks, and the request for a table of its first two members, who bid for 2 hours.
async fn league_for_bids(
    server: &TestServer,
    more: Value,
) -> (String, Vec<(String, String)>, Value) {
    let mut season = json!({"name": "Spring", "rules": {"scoring": {"rank_points": [5, 2]}, "holiday_days": 2,
        "round_weights": [{"round": 1, "percent": 200}]}});
    let fields = season.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    let (path, members) = full_league(server, 2, 0, json!({ "season": season })).await;
    let seats = [&members[0].0, &members[1].0].map(|id| json!({ "member": id }));
    let tables = json!({"round": 1, "edition": "antike_duellum", "board": "duellum-rome-carthage",
        "bidding": {"kind": "sealed", "hours": 2}, "tables": [{"seats": seats}]});
    (path, members, tables)
}

#[tokio::test]
async fn members_of_a_league_pay_for_seats_with_points() {
    let server = TestServer::start();
    let (path, members, tables) = league_for_bids(&server, json!({})).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), organizer, body)
            .await
    };
    let made = post("tables", tables.clone()).await.ok(201);
    assert_eq!(made["tables"][0]["seats"][0]["price"], Value::Null);
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    for (seat, of) in [(0, bids(&[(1, 1.5)])), (1, bids(&[(0, 0.3)]))] {
        let bid = format!("{game}/seats/{seat}/bids");
        server.put(&bid, &members[seat].1, of).await.ok(200);
    }
    let seats_of_table = async |number: usize| {
        let found = server.read(&format!("{path}/tables")).await;
        let seats = array(&found["items"][number]["seats"]).iter();
        let seat = |seat: &Value| {
            let member = text(&seat["members"][0]["id"]);
            let place = members.iter().position(|(id, _)| *id == member).unwrap();
            (place, seat["price"].clone(), seat["points"].clone())
        };
        seats.map(seat).collect::<Vec<_>>()
    };
    let playing = [(1, json!(0.3), Value::Null), (0, json!(1.5), Value::Null)];
    assert_eq!(seats_of_table(0).await, playing);
    let events = server.items(&format!("{path}/events")).await;
    let taken = events.last().unwrap();
    assert_eq!(taken["event"]["type"], "seats_taken");
    assert_eq!(
        (&taken["event"]["from"], &taken["event"]["prices"]),
        (&json!([1, 0]), &json!([3, 15]))
    );
    // The loser has the Carthaginians now. The round counts twice, and so does the price.
    let resign = json!({"type": "resign"});
    let actions = format!("{game}/actions");
    server.post(&actions, organizer, resign).await.ok(201);
    let over = [(1, json!(0.3), json!(9.4)), (0, json!(1.5), json!(1.0))];
    assert_eq!(seats_of_table(0).await, over);
    let game_over = server.read(&game).await;
    assert_eq!(game_over["bidding"]["prices"][0]["score"], Value::Null);

    // A decision before the bidding is over is about the seats as they were.
    let made = post("tables", tables).await.ok(201);
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    let decided = json!({"type": "adjudicate", "ranks": [1, 2], "note": "played on a real board"});
    post("tables/2/corrections", decided).await.ok(201);
    for (seat, of) in [(0, bids(&[(1, 1.5)])), (1, bids(&[]))] {
        let bid = format!("{game}/seats/{seat}/bids");
        server.put(&bid, &members[seat].1, of).await.ok(200);
    }
    let decided = [(0, Value::Null, json!(10.0)), (1, Value::Null, json!(4.0))];
    assert_eq!(seats_of_table(1).await, decided);
    assert_recomputed(&server, &path).await;

    // Other prices in the database are noticed.
    let keys: PublicKeys = server.get("/v1/keys").await.text.parse().unwrap();
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    (server.database).execute("UPDATE biddings SET bidding = replace(bidding, '15}', '14}')");
    let faults = server.faults(&keys);
    assert!(
        faults.len() == 1 && faults[0].contains("the bidding for the seats"),
        "{faults:?}"
    );
}

#[tokio::test]
async fn bids_for_seats_of_a_league_outlive_a_restart_and_count_on_every_node() {
    let first = TestServer::start();
    let (path, members, tables) = league_for_bids(&first, json!({})).await;
    let made = format!("{path}/tables");
    let made = first.create(&made, &members[0].1, tables).await;
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    let bid = async |node: &TestServer, seat: usize, of: Value| {
        let path = format!("{game}/seats/{seat}/bids");
        node.put(&path, &members[seat].1, of).await.ok(200)
    };
    let begun = bid(&first, 0, bids(&[(1, 1.5)])).await;
    let one = first.restart();
    let read = one.read(&game).await;
    assert_eq!(
        (&read["bidding"]["missing"], &read["due_at"]),
        (&json!([1]), &begun["due_at"])
    );
    let two = one.another();
    assert_eq!(
        two.read(&format!("{path}/tables")).await["items"][0]["seats"][0]["price"],
        Value::Null
    );
    let taken = bid(&two, 1, bids(&[(0, 0.3)])).await;
    assert_eq!(taken["status"], "running");
    for node in [&one, &two] {
        let tables = node.read(&format!("{path}/tables")).await;
        let seats = array(&tables["items"][0]["seats"]).iter();
        let prices: Vec<Value> = seats.map(|seat| seat["price"].clone()).collect();
        assert_eq!(prices, [json!(0.3), json!(1.5)]);
        let events = node.items(&format!("{path}/events")).await;
        let taken = events
            .iter()
            .filter(|row| row["event"]["type"] == "seats_taken");
        assert_eq!(taken.count(), 1);
    }
    let resign = json!({"type": "resign"});
    one.act(&game, &members[0].1, resign).await;
    for node in [&one, &two] {
        assert_recomputed(node, &path).await;
    }
    let keys: PublicKeys = two.get("/v1/keys").await.text.parse().unwrap();
    assert_eq!(two.faults(&keys), Vec::<String>::new());
}

#[tokio::test]
async fn the_time_for_bids_stands_still_in_pauses_and_holidays() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let (path, members, tables) = league_for_bids(&server, json!({})).await;
    let organizer = members[0].1.clone();
    let post = async |part: &str, token: &str, body: Value| {
        let path = format!("{path}/{part}");
        server.post(&path, token, body).await
    };
    let made = post("tables", &organizer, tables).await.ok(201);
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    let due = async || server.read(&game).await["due_at"].clone();
    let before: jiff::Timestamp = text(&due().await).parse().unwrap();
    post("pauses", &organizer, json!({})).await.ok(201);
    assert_eq!(due().await, Value::Null);
    hours.pass(&server, 3);
    post("pauses/end", &organizer, json!({})).await.ok(201);
    let later: jiff::Timestamp = text(&due().await).parse().unwrap();
    let passed = later.duration_since(before).as_secs();
    assert!((3 * 3600..3 * 3600 + 600).contains(&passed), "{passed}");
    // The holiday of the second player counts until this player has bid, and goes along to the other seat.
    let from = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(200);
    let until = from + jiff::SignedDuration::from_hours(24);
    let holiday = json!({"member": members[1].0, "from": from, "until": until});
    post("holidays", &organizer, holiday).await.ok(201);
    let in_holiday: jiff::Timestamp = text(&due().await).parse().unwrap();
    assert!(in_holiday > until, "{in_holiday}");
    let bid = |seat: u8| format!("{game}/seats/{seat}/bids");
    let second = server.put(&bid(1), &members[1].1, bids(&[(0, 1.0)])).await;
    assert_eq!(text(&second.ok(200)["due_at"]), later.to_string());
    hours.pass(&server, 3);
    let begun = |game: &Value| game["status"] == "running";
    let game = server.wait_for(&game, begun).await;
    assert_eq!(game["seats"][0]["player"]["id"], members[1].0);
    assert_eq!(
        server.faults(&server.get("/v1/keys").await.text.parse().unwrap()),
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn nothing_is_bid_where_points_do_not_count() {
    let server = TestServer::start();
    let format = json!({"format": {"type": "knock_out"}});
    let (path, members, tables) = league_for_bids(&server, format).await;
    let path = format!("{path}/tables");
    let refused = server.post(&path, &members[0].1, tables).await;
    refused.invalid("bidding");
}
