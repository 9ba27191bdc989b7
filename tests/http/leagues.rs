//! Leagues: permissions, the consistency of stored data, and a whole season.

use api::http::limits::options::Limits;
use records::PublicKeys;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{TestServer, adjudication, array, assert_contains, send, text};

fn rules() -> Value {
    json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "seconds", "head_to_head"],
        "replacement": "split"})
}

/// Creates a league with a season that has begun, and returns its path.
pub async fn league(server: &TestServer, organizer: &str, more: Value) -> String {
    let mut new = json!({"name": "Punic Cup", "joining": "open",
        "season": {"name": "Spring", "rules": rules()}});
    let more = more.as_object().unwrap().clone();
    new.as_object_mut().unwrap().extend(more);
    let made = server.post("/v1/leagues", organizer, new).await;
    let path = made.header("location").to_owned();
    let made = made.ok(201);
    assert_eq!(path, format!("/v1/leagues/{}", text(&made["id"])));
    path
}

/// Checks that the stored data are consistent.
fn assert_consistent(server: &TestServer) {
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    let of_leagues: Vec<&String> = (faults.iter())
        .filter(|fault| fault.contains("league"))
        .collect();
    assert!(of_leagues.is_empty(), "{of_leagues:?}");
}

#[tokio::test]
async fn a_league_has_organizers_members_and_seasons() {
    let server = TestServer::start();
    let (dido, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (mago, of_mago) = register(&server, "mago").await;
    let path = league(&server, &of_dido, json!({"joining": "invited"})).await;
    let members = format!("{path}/members");
    let add = async |token: &str, body: Value| server.post(&members, token, body).await;
    add(&of_hanno, json!({"id": "hanno"})).await.forbidden();
    add(&of_hanno, json!({"id": "mago"})).await.forbidden();
    add("", json!({"id": "mago"})).await.unauthenticated();
    add(&of_dido, json!({"id": "unknown"}))
        .await
        .problem(422, "invalid_body");
    let asked = add(&of_dido, json!({"id": "hanno"})).await.ok(201);
    assert_eq!(asked["invited"], json!([{"id": hanno, "handle": "hanno"}]));
    assert_eq!(
        asked["members"],
        json!([]),
        "an account is a member without its consent"
    );
    add(&of_dido, json!({"id": "hanno"}))
        .await
        .problem(409, "already_invited");
    add(&of_hanno, json!({"id": "hanno"})).await.ok(201);
    add(&of_dido, json!({"id": "dido"})).await.ok(201);
    let added = add(&of_dido, json!({"placeholder": "Dorian"}))
        .await
        .ok(201);
    let placeholder = text(&added["members"][2]["id"]);
    assert!(placeholder.starts_with("placeholder:"), "{placeholder}");
    let shown = |id: &str, name: &str, active| json!({"id": id, "name": name, "active": active});
    assert_eq!(
        added["members"],
        json!([
            shown(&hanno, "hanno", true),
            shown(&dido, "dido", true),
            shown(&placeholder, "Dorian", true)
        ])
    );
    assert_eq!(added["invited"], json!([]));

    let organizers = format!("{path}/organizers");
    let one = json!({"id": "mago"});
    let refused = server.post(&organizers, &of_mago, one.clone()).await;
    refused.forbidden();
    server.create(&organizers, &of_dido, one).await;
    let season = json!({"name": "Autumn"});
    let begun = server
        .create(&format!("{path}/seasons"), &of_mago, season)
        .await;
    assert_eq!(
        begun["seasons"][1]["rules"],
        rules(),
        "those of the season before"
    );
    assert_eq!(begun["seasons"][1]["season"], 2);
    let own = format!("{organizers}/{mago}");
    server.delete(&own, &of_hanno).await.forbidden();
    server.delete(&own, &of_dido).await.ok(200);
    server.delete(&own, &of_dido).await.not_found();
    let last = format!("{organizers}/dido");
    server
        .delete(&last, &of_dido)
        .await
        .problem(409, "last_organizer");

    let left = server
        .delete(&format!("{members}/hanno"), &of_hanno)
        .await
        .ok(200);
    assert_eq!(left["members"][0], shown(&hanno, "hanno", false));
    let again = server.delete(&format!("{members}/hanno"), &of_dido).await;
    again.problem(409, "already_left");
    let missing = server.delete(&format!("{members}/unknown"), &of_dido).await;
    missing.not_found();
    let removed = server
        .delete(&format!("{members}/{placeholder}"), &of_dido)
        .await;
    assert_eq!(removed.ok(200)["members"][2]["active"], false);

    // The log identifies accounts by id. Answers show their current handles.
    let rename = server.with(reqwest::Method::PATCH, "/v1/me", &of_dido);
    send(rename.json(&json!({"handle": "elissa"})))
        .await
        .ok(200);
    let body = server.read(&path).await;
    assert_eq!(body["members"][1]["name"], "elissa");
    let events = server.get(&format!("{path}/events?limit=1000")).await;
    assert!(!events.text.contains("\"dido\"") && !events.text.contains("elissa"));
    assert_consistent(&server);
}

#[tokio::test]
async fn a_changed_log_breaks_its_chain() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let path = league(&server, &of_dido, json!({})).await;
    for name in ["Hanno", "Mago"] {
        let body = json!({"placeholder": name});
        server
            .create(&format!("{path}/members"), &of_dido, body)
            .await;
    }
    let events = server.items(&format!("{path}/events?limit=3")).await;
    let kinds: Vec<&str> = (events.iter())
        .map(|event| event["event"]["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["created", "season_began", "joined", "joined"]);
    // Checks the chain as a reader of the documentation would, without the project's code.
    let id = path.trim_start_matches("/v1/leagues/");
    let mut previous = "tabularium-league/1".to_owned();
    for (seq, event) in events.iter().enumerate() {
        let by = event["by"].as_str().unwrap_or("");
        let (at, said) = (&event["at_microseconds"], event["text"].as_str().unwrap());
        let lines = format!("{previous}\n{id}\n{seq}\n{at}\n{by}\n{said}\n");
        previous = api::http::secret::hashed(&lines);
        assert_eq!(event["hash"], previous);
        assert_eq!(serde_json::from_str::<Value>(said).unwrap(), event["event"]);
    }
    assert_eq!(server.read(&path).await["hash"], previous);
    assert_consistent(&server);
    for (statement, fault) in [
        (
            "UPDATE leagues SET name = 'Cup of Rome'",
            "differs from its log",
        ),
        (
            "INSERT INTO league_games (game, league) VALUES ('x', 'y')",
            "leagues that do not exist",
        ),
        (
            "UPDATE league_events SET text = replace(text, 'Mago', 'Mega') WHERE seq = 3",
            "event 3",
        ),
        ("DELETE FROM league_events WHERE seq = 1", "event 2"),
        ("DELETE FROM leagues", "leagues that do not exist"),
    ] {
        server.database.execute(statement);
        let faults = server.faults(&PublicKeys::default()).join("\n");
        assert!(faults.contains(fault), "{statement}: {faults}");
    }
}

#[tokio::test]
async fn checkpoints_find_changed_and_dropped_events_of_leagues() {
    let server = TestServer::start();
    let keys: PublicKeys = server.get("/v1/keys").await.text.parse().unwrap();
    let (_, of_dido) = register(&server, "dido").await;
    let signing = &server.services().signing;
    assert_eq!(signing.make_checkpoint().unwrap(), None);
    let first = league(&server, &of_dido, json!({})).await;
    let made = signing.make_checkpoint().unwrap().unwrap();
    let covered = made.leagues.unwrap();
    assert_eq!((made.games, covered.leagues, covered.position), (0, 1, 2));
    assert_eq!(
        signing.make_checkpoint().unwrap(),
        None,
        "nothing was added"
    );
    let second = league(&server, &of_dido, json!({})).await;
    for path in [&first, &second] {
        let add = format!("{path}/members");
        for name in ["Hanno", "Mago"] {
            let body = json!({"placeholder": name});
            server.create(&add, &of_dido, body).await;
        }
    }
    let made = signing.make_checkpoint().unwrap().unwrap();
    assert_eq!(made.leagues.as_ref().unwrap().position, 8);
    let checkpoint = server.read("/v1/checkpoints/latest").await;
    assert_eq!(checkpoint, serde_json::to_value(&made).unwrap());
    // As a mirror computes it, from the events of all leagues.
    let mut lines = String::new();
    for path in [&first, &second] {
        let events = server.read(&format!("{path}/events")).await;
        let last = array(&events["items"]).last().unwrap().clone();
        let id = path.trim_start_matches("/v1/leagues/");
        lines += &format!("{id} {} {}\n", last["seq"], text(&last["hash"]));
    }
    assert_eq!(
        checkpoint["leagues"]["root"],
        api::http::secret::hashed(&lines)
    );
    assert_eq!(server.faults(&keys), Vec::<String>::new());

    // An attacker who can write to the database replaces the log of a league: with another name or without its
    // last event, and with a valid chain. The signature and the checkpoint show the forgery.
    let id = second.trim_start_matches("/v1/leagues/").parse().unwrap();
    let rows = server.games().store().league_events(id, None, 100).unwrap();
    let execute = |statement: String| server.database.execute(&statement);
    let write = |rows: &[api::leagues::queries::LeagueRow]| {
        execute(format!("DELETE FROM league_events WHERE league = '{id}'"));
        let mut previous: Option<String> = None;
        for row in rows {
            let row = row.clone().chained(id, previous.as_deref());
            let (seq, at, text) = (row.seq, row.at, &row.text);
            let (position, hash) = (row.position.unwrap(), &row.hash);
            let log_position = row.log_position.unwrap();
            let by = row.by.as_deref().unwrap();
            execute(format!(
                "INSERT INTO league_events VALUES \
                 ('{id}', {seq}, {at}, '{by}', '{text}', '{hash}', {position}, {log_position})"
            ));
            execute(format!(
                "UPDATE leagues SET seq = {seq}, hash = '{hash}', updated_at = {at} WHERE id = '{id}'"
            ));
            previous = Some(row.hash);
        }
    };
    let mut forged = rows.clone();
    forged[3].text = forged[3].text.replace("Mago", "Mega");
    for (rows, expected) in [
        (&forged[..], "events were changed"),
        (&rows[..3], "events were removed"),
    ] {
        write(rows);
        let mut faults = server.faults(&keys);
        // Ratings may have applied the dropped event.
        faults.retain(|fault| !fault.starts_with("ratings"));
        let [signature, checkpoint] = &faults[..] else {
            panic!("{faults:?}")
        };
        let unlike = format!("league {id}: its log is not the one signed");
        assert!(signature.starts_with(&unlike), "{faults:?}");
        assert!(checkpoint.starts_with("checkpoint 2 of "), "{faults:?}");
        assert!(checkpoint.contains(expected), "{faults:?}");
        assert!(
            checkpoint.ends_with("after event 2 of the log of all leagues"),
            "{faults:?}"
        );
    }
    write(&rows);
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    execute(format!("DELETE FROM league_events WHERE league = '{id}'"));
    execute(format!("DELETE FROM leagues WHERE id = '{id}'"));
    let faults = server.faults(&keys).join("\n");
    assert!(faults.contains("leagues were removed"), "{faults}");
    // The part of a checkpoint about leagues is signed as well.
    execute("UPDATE checkpoints SET leagues = 1, league_position = 4".to_owned());
    let faults = server.faults(&keys);
    assert!(faults[0].contains("its signature of leagues"), "{faults:?}");
    // That part cannot be removed either: the latest checkpoint must have it.
    execute("UPDATE checkpoints SET league_value = NULL".to_owned());
    let faults = server.faults(&keys);
    let fault = faults
        .iter()
        .find(|fault| fault.contains("it covers no leagues"));
    assert!(
        fault.is_some_and(|fault| fault.starts_with("checkpoint 2 of ")),
        "{faults:?}"
    );
}

#[tokio::test]
async fn impossible_requests_are_refused_and_repeated_ones_have_one_effect() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    for (body, field) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(65)}), "name"),
        (json!({"name": "Cup", "description": ""}), "description"),
        (
            json!({"name": "Cup", "season": {"name": "Spring"}}),
            "season.rules",
        ),
        (
            json!({"name": "Cup", "season": {"name": "Spring", "rules": {"scoring": {"rank_points": [1, 2]}}}}),
            "season.rules.scoring.rank_points",
        ),
        (
            json!({"name": "Cup", "season": {"name": "Spring", "rules": {"scoring": {"rank_points": []}}}}),
            "season.rules.scoring.rank_points",
        ),
        (
            json!({"name": "Cup", "season": {"name": "Spring", "rules": {"scoring": "shares",
                "tie_breaks": ["lot", "lot"]}}}),
            "season.rules.tie_breaks",
        ),
    ] {
        let refused = server.post("/v1/leagues", &of_dido, body.clone()).await;
        refused.invalid(field);
    }
    let new = json!({"name": "Cup"});
    server
        .post("/v1/leagues", "", new.clone())
        .await
        .unauthenticated();
    let mut made = Vec::new();
    for _ in 0..2 {
        let request = server.with(reqwest::Method::POST, "/v1/leagues", &of_dido);
        let request = request.header("Idempotency-Key", "one").json(&new);
        made.push(send(request).await.ok(201));
    }
    assert_eq!(made[0], made[1]);
    let list = server.read("/v1/leagues").await;
    assert_eq!(array(&list["items"]).len(), 1);
    let path = format!("/v1/leagues/{}", text(&made[0]["id"]));
    let add = || server.with(reqwest::Method::POST, &format!("{path}/members"), &of_dido);
    for _ in 0..2 {
        let request = add().header("Idempotency-Key", "one");
        let request = request.json(&json!({"placeholder": "Hanno"}));
        let added = send(request).await.ok(201);
        assert_eq!(array(&added["members"]).len(), 1);
    }
    for path in [
        "/v1/leagues/0",
        "/v1/leagues/0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
    ] {
        server.get(path).await.not_found();
        server.get(&format!("{path}/events")).await.not_found();
    }
}

#[tokio::test]
async fn leagues_are_listed_in_pages_without_the_private_ones_of_others() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let mut paths = Vec::new();
    for visibility in ["public", "unlisted", "private", "public", "public"] {
        paths.push(league(&server, &of_dido, json!({"visibility": visibility})).await);
    }
    let first = server.get("/v1/leagues?limit=2").await;
    let link = first.header("link").to_owned();
    let first = first.ok(200);
    let next = text(&first["next"]);
    assert!(link.contains(&next), "{link}");
    let second = server
        .read(&format!("/v1/leagues?limit=2&cursor={next}"))
        .await;
    assert_eq!(second["next"], Value::Null);
    let items = [&first["items"], &second["items"]];
    let listed = items.iter().flat_map(|items| array(items));
    let listed: Vec<String> = listed
        .map(|one| format!("/v1/leagues/{}", text(&one["id"])))
        .collect();
    assert_eq!(listed, [&paths[4], &paths[3], &paths[0]].map(String::clone));
    server
        .get("/v1/leagues?cursor=x")
        .await
        .problem(422, "invalid_parameter");
    server.read(&paths[1]).await;

    let private = &paths[2];
    for part in ["", "/events"] {
        let path = format!("{private}{part}");
        for token in ["", &of_hanno] {
            server.get_with(&path, token).await.not_found();
        }
        server.get_with(&path, &of_dido).await.ok(200);
    }
    let members = format!("{private}/members");
    let own = json!({"id": "hanno"});
    server
        .post(&members, &of_hanno, own.clone())
        .await
        .not_found();
    server.create(&members, &of_dido, own.clone()).await;
    server.get_with(private, &of_hanno).await.ok(200);
    server.create(&members, &of_hanno, own).await;
    server.get_with(private, &of_hanno).await.ok(200);
    // A former member does not see the league, but a repeated request still receives its stored answer.
    let leave = || {
        let leave = server.with(Method::DELETE, &format!("{members}/hanno"), &of_hanno);
        send(leave.header("Idempotency-Key", "one"))
    };
    let left = leave().await.ok(200);
    server.get_with(private, &of_hanno).await.not_found();
    assert_eq!(leave().await.ok(200), left);
}

/// Creates a league with this many accounts, the first of which organizes it, and this many placeholders.
/// Returns its path, and the ids of the members with their tokens, which are empty for placeholders.
pub async fn full_league(
    server: &TestServer,
    accounts: usize,
    others: usize,
    more: Value,
) -> (String, Vec<(String, String)>) {
    let mut members = Vec::new();
    for number in 0..accounts {
        members.push(register(server, &format!("player{number}")).await);
    }
    let of_dido = members[0].1.clone();
    let is_private = more["visibility"] == "private";
    let path = league(server, &of_dido, more).await;
    let add = format!("{path}/members");
    for (id, token) in &members {
        if is_private && *token != of_dido {
            server.create(&add, &of_dido, json!({"id": id})).await;
        }
        server.create(&add, token, json!({"id": id})).await;
    }
    for number in 0..others {
        let body = json!({"placeholder": format!("Guest {number}")});
        let added = server.create(&add, &of_dido, body).await;
        let last = array(&added["members"]).last().unwrap().clone();
        members.push((text(&last["id"]), String::new()));
    }
    (path, members)
}

/// The request for tables of four on the eastern board. Members are given by their index.
fn tables(members: &[(String, String)], tables: &[[usize; 4]]) -> Value {
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let table = |seats: &[usize; 4]| {
        let seat = |(number, nation): (&usize, &str)| json!({"member": members[*number].0, "nations": [nation]});
        let seats: Vec<Value> = seats.iter().zip(nations).map(seat).collect();
        json!({ "seats": seats })
    };
    let tables: Vec<Value> = tables.iter().map(table).collect();
    json!({"round": 1, "edition": "antike", "board": "antike-east", "tables": tables})
}

/// The request for an over-the-board result.
pub fn result(members: &[(String, String)], seats: &[(usize, u8)]) -> Value {
    let nations = ["arabs", "greeks", "persians", "phoenicians"];
    let seat = |((number, rank), nation): (&(usize, u8), &str)| json!({"member": members[*number].0, "rank": rank, "nations": [nation]});
    let seats: Vec<Value> = seats.iter().zip(nations).map(seat).collect();
    json!({"edition": "antike", "board": "antike-east", "seats": seats})
}

/// Adjudicates the game of a table as the organizer.
async fn adjudicate(server: &TestServer, table: &Value, organizer: &str, ranks: [u8; 4]) {
    let path = format!("/v1/games/{}", text(&table["game"]));
    server.adjudicate(&path, organizer, &ranks).await;
}

fn points(standings: &Value) -> f64 {
    let rows = array(&standings["rows"]);
    rows.iter().map(|row| row["points"].as_f64().unwrap()).sum()
}

fn row<'a>(standings: &'a Value, member: &str) -> &'a Value {
    let mut rows = array(&standings["rows"]).iter();
    rows.find(|row| row["member"]["id"] == member).unwrap()
}

#[tokio::test]
async fn the_season_of_an_organizer() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 16, 8, json!({})).await;
    let organizer = members[0].1.clone();
    let post = async |part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), &organizer, body)
            .await
    };

    // The seats are paired from a seed, always in the same way.
    let wanted = json!({"seed": "spring", "rounds": 5, "size": 4,
        "nations": ["greeks", "phoenicians", "persians", "arabs"]});
    let paired = post("pairing", wanted.clone()).await.ok(200);
    assert_eq!(post("pairing", wanted).await.ok(200), paired);
    assert_eq!(paired["figures"]["repeated"], 0, "{}", paired["figures"]);
    assert_eq!(paired["figures"]["meetings"], json!([96, 180]));
    assert!(paired["figures"]["nation_difference"].as_u64().unwrap() <= 2);
    let round = paired["rounds"][0]["tables"].clone();
    assert_eq!(array(&round).len(), 6);

    // If one table is refused, none is created.
    let games = format!(
        "/v1/games/count?league={}",
        path.trim_start_matches("/v1/leagues/")
    );
    let before = server.read(&path).await;
    let new = json!({"round": 1, "edition": "antike", "board": "antike-east", "tables": round});
    let mut bad = new.clone();
    bad["tables"][5]["seats"][2]["nations"] = json!(["romans"]);
    let refused = post("tables", bad).await.problem(422, "invalid_body");
    assert!(
        text(&refused["field"]).starts_with("tables[5].seats"),
        "{refused}"
    );
    assert_eq!(server.read(&games).await["count"], 0);
    assert_eq!(server.read(&path).await, before);
    let created = post("tables", new).await.ok(201);
    let tables = array(&created["tables"]);
    assert_eq!(tables.len(), 6);
    assert_eq!(server.read(&games).await["count"], 6);
    let tokens = array(&created["tokens"]);
    assert_eq!(tokens.len(), 8, "one for each who has no account");
    let first = &tokens[0];
    let seat = format!(
        "/v1/games/{}/seats/{}/orders",
        text(&tables[first["table"].as_u64().unwrap() as usize - 1]["game"]),
        first["seat"]
    );
    server.get_with(&seat, &text(&first["token"])).await.ok(200);
    for table in tables {
        let game = server
            .read(&format!("/v1/games/{}", text(&table["game"])))
            .await;
        assert_eq!(game["status"], "running", "members sit at once");
        for (seat, game_seat) in array(&table["seats"]).iter().zip(array(&game["seats"])) {
            assert_eq!(seat["nations"], game_seat["nations"]);
            assert_eq!(seat["members"][0]["id"], game_seat["player"]["id"]);
        }
        assert_eq!(table["state"], "playing");
    }

    // Five games are over and one is running. The league has the results immediately.
    for table in &tables[..5] {
        adjudicate(&server, table, &organizer, [1, 2, 2, 4]).await;
    }
    for (season, status, code) in [(0, 422, "invalid_parameter"), (2, 404, "not_found")] {
        let none = format!("{path}/tables?season={season}");
        server.get(&none).await.problem(status, code);
    }
    let season = server.read(&format!("{path}/tables?season=1")).await;
    let states: Vec<&str> = (array(&season["items"]).iter())
        .map(|table| table["state"].as_str().unwrap())
        .collect();
    assert_eq!(
        states,
        [
            "counted", "counted", "counted", "counted", "counted", "playing"
        ]
    );
    assert_eq!(
        season["items"][0]["seats"][1]["points"], 2.5,
        "places are shared"
    );
    assert_eq!(season["items"][0]["reason"], "adjudication");
    assert_consistent(&server);

    // Two over-the-board results, and one imported record.
    post(
        "results",
        result(&members, &[(0, 1), (1, 2), (2, 3), (3, 4)]),
    )
    .await
    .ok(201);
    post("results", result(&members, &[(4, 1), (1, 2), (20, 3)]))
        .await
        .ok(201);
    let known: Vec<(&str, u32)> = members[4..8]
        .iter()
        .map(|(id, _)| (id.as_str(), 50))
        .collect();
    let record = super::ratings::corpus(&known, 1, 8).remove(0);
    let game = server.imports().import(&record).unwrap();
    let entered = post("results", json!({"game": game, "round": 2}))
        .await
        .ok(201);
    assert_eq!(entered["table"]["table"], 9);
    assert_eq!(entered["table"]["round"], 2);
    post("results", json!({"game": game})).await.invalid("game");

    let standings = format!("{path}/standings");
    let before = server.read(&standings).await;
    assert_eq!(
        points(&before),
        8.0 * 10.0,
        "eight games count, three in a game of three take 10 as well"
    );
    assert_eq!(array(&before["rows"]).len(), 24);
    let csv_before = server.get_as(&standings, "text/csv").await.text;
    let seq = before["seq"].as_u64().unwrap();

    // Corrections: the result of a running game, a void table, and another player in a seat.
    post(
        "tables/6/corrections",
        json!({"type": "adjudicate", "ranks": [1, 1, 1, 1]}),
    )
    .await
    .ok(201);
    post(
        "tables/7/corrections",
        json!({"type": "void", "note": "not by our rules"}),
    )
    .await
    .ok(201);
    let seat = &tables[0]["seats"][0]["members"][0]["id"];
    let sat: Vec<&Value> = (array(&tables[0]["seats"]).iter())
        .map(|seat| &seat["members"][0]["id"])
        .collect();
    let other = members
        .iter()
        .find(|(id, _)| !sat.contains(&&json!(id)))
        .unwrap();
    let replaced = post(
        "tables/1/corrections",
        json!({"type": "replace", "seat": 0, "member": other.0}),
    );
    let replaced = replaced.await.ok(201);
    assert_eq!(array(&replaced["table"]["seats"][0]["members"]).len(), 2);
    assert_eq!(replaced["seq"], seq + 3);
    // The organizers' decision is final.
    adjudicate(&server, &tables[5], &organizer, [4, 3, 2, 1]).await;
    let after = server.read(&standings).await;
    assert_eq!(points(&after), 8.0 * 10.0);
    let split = row(&before, &text(seat))["games"].as_f64().unwrap() - 0.5;
    let void = [0, 1, 2, 3].map(|number| &members[number].0);
    let lost = f64::from(u8::from(void.contains(&&text(seat))));
    let now = row(&after, &text(seat))["games"].as_f64().unwrap();
    let added = f64::from(u8::from(
        (array(&tables[5]["seats"]).iter()).any(|sits| sits["members"][0]["id"] == *seat),
    ));
    assert_eq!(now, split - lost + added, "half of the game is another's");

    // A wrong correction is corrected.
    for (body, table) in [
        (json!({"type": "replace", "seat": 0, "member": seat}), 1),
        (json!({"type": "void"}), 9),
    ] {
        let part = format!("tables/{table}/corrections");
        let changed = post(&part, body).await.ok(201);
        let members = array(&changed["table"]["seats"][0]["members"]);
        assert_eq!(members.len(), 1);
    }
    let again = post("results", json!({"game": game, "round": 2}))
        .await
        .ok(201);
    assert_eq!(again["table"]["table"], 10);
    let once = server.read(&standings).await;
    assert_eq!(points(&once), 8.0 * 10.0);
    let decide = json!({"type": "adjudicate", "ranks": [1, 1, 1, 1]});
    post("tables/9/corrections", decide)
        .await
        .problem(409, "already_counted");
    let after = server.read(&standings).await;

    // The standings before and after are both still available.
    for as_of in [seq.to_string(), text(&before["at"])] {
        let standings_then = server.read(&format!("{standings}?as_of={as_of}")).await;
        assert_eq!(standings_then, before, "{as_of}");
    }
    let csv = server
        .get_as(&format!("{standings}?as_of={seq}"), "text/csv")
        .await;
    assert_eq!(csv.text, csv_before);
    let head = "rank,member,name,games,points,by_wins,by_seconds,by_head_to_head";
    assert_eq!(csv.text.lines().next(), Some(head));
    assert_eq!(csv.text.lines().count(), 25);
    assert_ne!(after["rows"], before["rows"]);
    let picture = server.get_as(&standings, "image/svg+xml").await;
    assert_eq!(picture.status, 200, "{}", picture.text);
    assert_eq!(picture.header("content-type"), "image/svg+xml");
    for row in array(&after["rows"]) {
        let label = format!(">{}. {}</text>", row["rank"], text(&row["member"]["name"]));
        assert!(picture.text.contains(&label), "{label}: {}", picture.text);
    }
    let dark = format!("{standings}?theme=dark");
    let dark = server.get_as(&dark, "image/svg+xml").await.text;
    assert!(dark.contains("#1d2329") && !picture.text.contains("#1d2329"));
    let then = format!("{standings}?as_of={seq}");
    let then = server.get_as(&then, "image/svg+xml").await.text;
    assert!(then.contains(&format!("as of event {seq}, ")), "{then}");
    assert_ne!(then, picture.text);

    let pairs = format!("{path}/head-to-head");
    let met = server.read(&pairs).await;
    for pair in array(&met["rows"]) {
        let number = |name: &str| pair[name].as_f64().unwrap();
        assert_eq!(
            number("games"),
            number("ahead") + number("equal") + number("behind")
        );
    }
    let csv = server.get_as(&pairs, "text/csv").await;
    assert_eq!(csv.text.lines().count(), array(&met["rows"]).len() + 1);

    // Another node answers the same, and the stored data are consistent.
    assert_eq!(server.another().read(&standings).await, after);
    assert_consistent(&server);
    super::league_standings::assert_recomputed(&server, &path).await;
    let events = server.read(&format!("{path}/events?limit=1000")).await;
    let ended = array(&events["items"])
        .iter()
        .filter(|event| event["by"].is_null());
    assert_eq!(ended.count(), 6, "what the service found out itself");
}

#[tokio::test]
async fn pairing_ignores_void_tables() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 1, 1, json!({})).await;
    let organizer = members[0].1.clone();
    let post = async |part: &str, body: Value| {
        let path = format!("{path}/{part}");
        server.post(&path, &organizer, body).await
    };
    let repeated = async || {
        let pairing = json!({"seed": "spring", "rounds": 1, "size": 2});
        let paired = post("pairing", pairing).await.ok(200);
        paired["figures"]["repeated"].clone()
    };
    let entered = result(&members, &[(0, 1), (1, 2)]);
    post("results", entered).await.ok(201);
    assert_eq!(repeated().await, 1);
    let void = json!({"type": "void"});
    post("tables/1/corrections", void).await.ok(201);
    assert_eq!(repeated().await, 0);
}

#[tokio::test]
async fn tables_results_and_corrections_are_checked_and_for_organizers_only() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 4, 2, json!({})).await;
    let (organizer, other) = (members[0].1.clone(), members[1].1.clone());
    let good = tables(&members, &[[0, 1, 2, 3]]);
    let entered = result(&members, &[(0, 1), (1, 2)]);
    let void = json!({"type": "void"});
    let pairing = json!({"seed": "x", "rounds": 1, "size": 3});
    for (part, body) in [
        ("tables", &good),
        ("results", &entered),
        ("tables/1/corrections", &void),
        ("pairing", &pairing),
    ] {
        let part = format!("{path}/{part}");
        server.post(&part, &other, body.clone()).await.forbidden();
        server.post(&part, "", body.clone()).await.unauthenticated();
    }
    let refused = async |part: &str, body: Value, field: &str| {
        let answer = server
            .post(&format!("{path}/{part}"), &organizer, body.clone())
            .await;
        answer.invalid(field);
    };
    let mut twice = good.clone();
    twice["tables"][0]["seats"][1]["member"] = json!("player0");
    refused("tables", twice, "tables[0].seats[1].member").await;
    let mut stranger = good.clone();
    stranger["tables"][0]["seats"][1]["member"] = json!("unknown");
    refused("tables", stranger, "tables[0].seats[1].member").await;
    let mut edition = good.clone();
    edition["edition"] = json!("chess");
    refused("tables", edition, "edition").await;
    for round in [0, 201, 65_535] {
        let mut far = good.clone();
        far["round"] = json!(round);
        refused("tables", far, "round").await;
        let mut far = entered.clone();
        far["round"] = json!(round);
        refused("results", far, "round").await;
    }
    refused("results", json!({"seats": entered["seats"]}), "edition").await;
    let change = |place: &str, value: Value| {
        let mut entered = entered.clone();
        *entered.pointer_mut(place).unwrap() = value;
        entered
    };
    refused("results", change("/edition", json!("chess")), "edition").await;
    refused("results", change("/seats/0/rank", json!(2)), "ranks").await;
    refused(
        "results",
        change("/seats/0/rank", Value::Null),
        "seats[0].rank",
    )
    .await;
    refused(
        "results",
        change("/seats/0/member", json!("unknown")),
        "seats[0].member",
    )
    .await;
    refused(
        "results",
        change("/seats/0/nations", json!(["martians"])),
        "seats[0].nations",
    )
    .await;
    let unknown = json!({"game": "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77"});
    refused("results", unknown, "game").await;
    for (place, value, field) in [
        ("rounds", json!(13), "rounds"),
        ("size", json!(7), "size"),
        ("nations", json!(["greeks"]), "nations"),
        ("members", json!(["player0"]), "members"),
        ("members", json!(["player0", "unknown"]), "members[1]"),
        ("members", json!(["player0", "player0"]), "members[1]"),
    ] {
        let mut pairing = pairing.clone();
        pairing[place] = value;
        refused("pairing", pairing, field).await;
    }
    for table in ["1", "0", "x"] {
        let part = format!("{path}/tables/{table}/corrections");
        server
            .post(&part, &organizer, void.clone())
            .await
            .not_found();
    }
    for (query, status, code) in [
        ("as_of=99", 422, "invalid_parameter"),
        ("as_of=2999-01-01", 422, "invalid_parameter"),
        ("as_of=2001-01-01", 422, "invalid_parameter"),
        (
            &*format!("as_of={}", jiff::Timestamp::now()),
            422,
            "invalid_parameter",
        ),
        ("as_of=yesterday", 422, "invalid_parameter"),
        ("as_of=0", 404, "not_found"),
        ("season=2", 404, "not_found"),
    ] {
        let answer = server.get(&format!("{path}/standings?{query}")).await;
        answer.problem(status, code);
    }
    let bare = json!({"name": "Cup", "joining": "open"});
    let made = server.post("/v1/leagues", &organizer, bare).await;
    let bare = made.header("location").to_owned();
    server
        .post(&format!("{bare}/results"), &organizer, entered)
        .await
        .problem(409, "not_started");
    assert_consistent(&server);
}

#[tokio::test]
async fn games_of_a_private_league_are_private_and_concurrent_writers_succeed() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 4, 0, json!({"visibility": "private"})).await;
    let organizer = members[0].1.clone();
    let (_, stranger) = register(&server, "stranger").await;
    let request = |key: &str| {
        let request = server.with(reqwest::Method::POST, &format!("{path}/tables"), &organizer);
        let new = tables(&members, &[[0, 1, 2, 3], [3, 2, 1, 0]]);
        send(request.header("Idempotency-Key", key).json(&new))
    };
    let made = request("one").await.ok(201);
    assert_eq!(request("one").await.ok(201), made, "tables are made once");
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    server.get_with(&game, &members[1].1).await.ok(200);
    for path in [
        game,
        path.clone(),
        format!("{path}/standings"),
        format!("{path}/tables"),
    ] {
        server.get_with(&path, &stranger).await.not_found();
        server.get_with(&path, "").await.not_found();
        server.get_with(&path, &members[1].1).await.ok(200);
    }
    let named = |name: &str| json!({ "placeholder": name });
    let add = format!("{path}/members");
    let (one, other, _) = tokio::join!(
        server.post(&add, &organizer, named("one")),
        server.post(&add, &organizer, named("other")),
        adjudicate(&server, &made["tables"][1], &organizer, [1, 2, 3, 4]),
    );
    one.ok(201);
    other.ok(201);
    let body = server.get_with(&path, &organizer).await.ok(200);
    assert_eq!(array(&body["members"]).len(), 6);
    assert_eq!(body["seasons"][0]["counted"], 1);
    assert_consistent(&server);
}

#[tokio::test]
async fn a_former_member_of_an_open_league_returns_when_invited() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let path = league(&server, &of_dido, json!({})).await;
    let members = format!("{path}/members");
    let own = format!("{members}/hanno");
    let hanno = || json!({"id": "hanno"});
    for leaver in [&of_hanno, &of_dido] {
        let joined = server.create(&members, &of_hanno, hanno()).await;
        assert_eq!(joined["members"][0]["active"], true);
        server.delete(&own, leaver).await.ok(200);
        server.post(&members, &of_hanno, hanno()).await.forbidden();
        server.create(&members, &of_dido, hanno()).await;
    }
    // An organizer needs no invitation.
    for _ in 0..2 {
        let dido = json!({"id": "dido"});
        server.create(&members, &of_dido, dido).await;
        let own = format!("{members}/dido");
        server.delete(&own, &of_dido).await.ok(200);
    }
    assert_consistent(&server);
}

#[tokio::test]
async fn a_write_to_a_league_with_an_old_tag_changes_nothing() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 5, 0, json!({})).await;
    let (organizer, other) = (&members[0].1, &members[1].1);
    let shown = server.get(&path).await;
    let tag = shown.header("etag").to_owned();
    let seq = shown.ok(200)["seq"].as_u64().unwrap();
    assert!(tag.starts_with(&format!("\"{seq}.")), "{tag}");
    let known = server.request(Method::GET, &path);
    let known = send(known.header("If-None-Match", &*tag)).await;
    assert_eq!(known.status, 304);
    let at = async |method: Method, part: &str, token: &str, tag: &str, body: Value| {
        let with_body = method == Method::POST;
        let request = server.with(method, &format!("{path}/{part}"), token);
        let request = request.header("If-Match", tag);
        match with_body {
            true => send(request.json(&body)).await,
            false => send(request).await,
        }
    };
    // The token is checked first, then the tag, then the member.
    let missing = at(
        Method::DELETE,
        "members/missing",
        "",
        "\"999\"",
        json!(null),
    )
    .await;
    missing.unauthenticated();
    let pairing = json!({"seed": "x", "rounds": 1, "size": 4});
    let paired = at(Method::POST, "pairing", organizer, &tag, pairing.clone()).await;
    assert_eq!(paired.status, 200, "{}", paired.text);
    let paired_at = paired.header("etag").to_owned();
    assert_eq!(paired_at, format!("\"{seq}\""));
    let new = || tables(&members, &[[0, 1, 2, 3]]);
    let made = at(Method::POST, "tables", organizer, &paired_at, new()).await;
    assert_eq!(made.header("etag"), format!("\"{}\"", seq + 1));
    made.ok(201);
    // Another organizer has paired with the same tag.
    for tag in [&paired_at, &tag] {
        let late = at(Method::POST, "tables", organizer, tag, new()).await;
        assert_eq!(late.problem(412, "stale_view")["seq"], seq + 1);
    }
    for (part, body) in [
        ("pairing", pairing),
        ("members", json!({"placeholder": "Late"})),
        ("organizers", json!({"id": "player1"})),
        ("seasons", json!({"name": "Late"})),
        ("results", result(&members, &[(0, 1), (1, 2)])),
        ("tables/1/corrections", json!({"type": "void"})),
    ] {
        let late = at(Method::POST, part, organizer, &tag, body.clone()).await;
        late.problem(412, "stale_view");
        at(Method::POST, part, other, &tag, body).await.forbidden();
    }
    let late = at(
        Method::DELETE,
        "members/player4",
        organizer,
        &tag,
        json!({}),
    )
    .await;
    late.problem(412, "stale_view");
    let listed = server.get(&format!("{path}/tables")).await;
    let tag = listed.header("etag").to_owned();
    assert_eq!(array(&listed.ok(200)["items"]).len(), 1);
    let left = at(
        Method::DELETE,
        "members/player4",
        organizer,
        &tag,
        json!({}),
    )
    .await;
    assert_eq!(left.ok(200)["seq"], seq + 2);
    assert_consistent(&server);
}

#[tokio::test]
async fn a_league_has_the_games_of_its_tables_only() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 4, 0, json!({})).await;
    let organizer = &members[0].1;
    let id = path.trim_start_matches("/v1/leagues/");
    let seats = [
        json!({"player": {"placeholder": "Livia"}}),
        json!({"player": {"placeholder": "Anna"}}),
    ];
    let game = |more: Value| {
        let mut game =
            json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "seats": seats});
        game.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        game
    };
    for token in [organizer, &members[1].1, ""] {
        let new = game(json!({ "league": id }));
        server.post("/v1/games", token, new).await.forbidden();
    }
    let other = game(json!({"league": "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77"}));
    server.create("/v1/games", organizer, other).await;

    // Nor does the next game of the same players belong to the league.
    let new = tables(&members, &[[0, 1, 2, 3]]);
    let made = server
        .create(&format!("{path}/tables"), organizer, new)
        .await;
    let table = &made["tables"][0];
    adjudicate(&server, table, organizer, [1, 2, 3, 4]).await;
    let rematch = format!("/v1/games/{}/rematch", text(&table["game"]));
    let rematch = server.create(&rematch, &members[1].1, json!({})).await;
    assert_eq!(rematch["league"], Value::Null);
    let count = format!("/v1/games/count?league={id}");
    assert_eq!(server.read(&count).await["count"], 1);

    // A league shows no game that is less visible than the league.
    let unlisted = league(&server, organizer, json!({"visibility": "unlisted"})).await;
    let add = format!("{unlisted}/members");
    for (id, token) in &members[..2] {
        server.create(&add, token, json!({ "id": id })).await;
    }
    let hidden = game(json!({"visibility": "unlisted"}));
    let (hidden_path, hidden) = server.create_game(organizer, hidden).await;
    server.adjudicate(&hidden_path, organizer, &[1, 2]).await;
    let sat = [
        json!({"member": members[0].0}),
        json!({"member": members[1].0}),
    ];
    let entered = json!({"game": hidden["id"], "seats": sat});
    let results = format!("{path}/results");
    let refused = server.post(&results, organizer, entered.clone()).await;
    refused.invalid("game");
    let results = format!("{unlisted}/results");
    server.create(&results, organizer, entered).await;
    assert_consistent(&server);
}

#[tokio::test]
async fn games_of_a_league_have_its_readers_and_organizers() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 7, 0, json!({"visibility": "private"})).await;
    let (first, player, other) = (&members[0].1, &members[1].1, &members[5].1);
    let (_, stranger) = register(&server, "stranger").await;
    let new = tables(&members, &[[1, 2, 3, 4]]);
    let made = server.create(&format!("{path}/tables"), first, new).await;
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    for part in ["", "/events", "/record"] {
        let part = format!("{game}{part}");
        for token in [first, player, other] {
            server.get_with(&part, token).await.ok(200);
        }
        for token in [&*stranger, ""] {
            server.get_with(&part, token).await.not_found();
        }
    }
    let organizers = format!("{path}/organizers");
    let mago = json!({"id": "player5"});
    server.create(&organizers, first, mago.clone()).await;
    let own = format!("{organizers}/player0");
    server.delete(&own, other).await.forbidden();
    server.delete(&own, first).await.ok(200);
    let end = format!("{game}/adjudication");
    let ranks = adjudication(&[1, 2, 3, 4]);
    for token in [first, player] {
        server.post(&end, token, ranks.clone()).await.forbidden();
    }
    let hand_over = server.put(&format!("{game}/organizer"), other, mago).await;
    hand_over.problem(409, "organized_by_league");
    server.create(&end, other, ranks).await;
    // A former member no longer sees the league's games, except the games that it played.
    for (name, token, status) in [
        ("player6", &members[6].1, 404),
        ("player4", &members[4].1, 200),
    ] {
        server
            .delete(&format!("{path}/members/{name}"), token)
            .await
            .ok(200);
        assert_eq!(server.get_with(&game, token).await.status, status, "{name}");
    }
    assert_consistent(&server);
}

#[tokio::test]
async fn a_member_replaces_another_in_a_running_game() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 6, 0, json!({"visibility": "private"})).await;
    let (organizer, replaced, substitute) = (&members[0].1, &members[1], &members[5]);
    let new = tables(&members, &[[1, 2, 3, 4]]);
    let made = server
        .create(&format!("{path}/tables"), organizer, new)
        .await;
    let table = &made["tables"][0];
    let game = format!("/v1/games/{}", text(&table["game"]));
    let correction = json!({"type": "replace", "seat": 0, "member": "player5"});
    let corrections = format!("{path}/tables/1/corrections");
    let corrected = server.post(&corrections, organizer, correction).await;
    let holders = &corrected.ok(201)["table"]["seats"][0]["members"];
    assert_eq!(array(holders).len(), 2);
    let seat = format!("{game}/seats/0");
    let player = json!({"player": {"id": "player5"}});
    let refused = server.put(&seat, &members[2].1, player.clone()).await;
    refused.forbidden();
    server.put(&seat, organizer, player).await.ok(200);
    server.create(&seat, &substitute.1, json!({})).await;
    let orders = format!("{seat}/orders");
    server.get_with(&orders, &substitute.1).await.ok(200);
    server.get_with(&orders, &replaced.1).await.forbidden();
    adjudicate(&server, table, organizer, [1, 2, 3, 4]).await;
    let standings = server
        .get_with(&format!("{path}/standings"), organizer)
        .await;
    let standings = standings.ok(200);
    for (id, _) in [replaced, substitute] {
        assert_eq!(row(&standings, id)["points"], 2.5, "half of the seat's 5");
    }
    assert_consistent(&server);
}

#[tokio::test]
async fn concurrent_writes_to_a_league_all_succeed() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 4, 0, json!({})).await;
    let organizer = &members[0].1;
    let add = format!("{path}/members");
    let writers = (0..12).map(|number| {
        let named = json!({"placeholder": format!("Late {number}")});
        server.post(&add, organizer, named)
    });
    for answer in futures_util::future::join_all(writers).await {
        answer.ok(201);
    }
    let body = server.read(&path).await;
    assert_eq!(array(&body["members"]).len(), 16);
    assert_consistent(&server);
}

#[tokio::test]
async fn deleted_accounts_stop_playing_and_no_league_loses_its_last_organizer() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 5, 0, json!({})).await;
    let delete = async |token: &str| send(server.with(Method::DELETE, "/v1/me", token)).await;
    let organizer = &members[0].1;
    delete(organizer).await.problem(409, "last_organizer");
    assert_eq!(delete(&members[4].1).await.status, 204);
    let pairing = json!({"seed": "x", "rounds": 1, "size": 4});
    let pair = format!("{path}/pairing");
    let paired = server.post(&pair, organizer, pairing).await.ok(200);
    let seats = array(&paired["rounds"][0]["tables"][0]["seats"]);
    let mut paired: Vec<String> = seats.iter().map(|seat| text(&seat["member"])).collect();
    paired.sort_unstable();
    let mut there: Vec<String> = members[..4].iter().map(|(id, _)| id.clone()).collect();
    there.sort_unstable();
    assert_eq!(paired, there);
    let named = json!({"seed": "x", "rounds": 1, "size": 2, "members": ["player1", members[4].0]});
    let refused = server.post(&pair, organizer, named).await;
    refused.invalid("members[1]");

    // A deleted account does not organize the league.
    let organizers = format!("{path}/organizers");
    let other = json!({"id": "player1"});
    server.create(&organizers, organizer, other).await;
    assert_eq!(delete(&members[1].1).await.status, 204);
    delete(organizer).await.problem(409, "last_organizer");
    let own = format!("{organizers}/player0");
    server
        .delete(&own, organizer)
        .await
        .problem(409, "last_organizer");
    let other = json!({"id": "player2"});
    server.create(&organizers, organizer, other).await;
    assert_eq!(delete(organizer).await.status, 204);
    // A league without other members does not prevent the deletion.
    let (_, of_mago) = register(&server, "mago").await;
    league(&server, &of_mago, json!({})).await;
    assert_eq!(delete(&of_mago).await.status, 204);
    assert_consistent(&server);
}

#[tokio::test]
async fn csv_has_no_formulas_and_expensive_requests_are_counted() {
    let server = TestServer::with_limits(Limits {
        expensive: "8/3600".parse().unwrap(),
        loopback: 1,
        delay: 0,
        ..Limits::default()
    });
    let (_, of_dido) = register(&server, "dido").await;
    let path = league(&server, &of_dido, json!({})).await;
    let mut members = Vec::new();
    for name in ["=HYPERLINK(\"x\")", "+1", "-1", "@x", "Hanno"] {
        let add = json!({ "placeholder": name });
        let added = server.post(&format!("{path}/members"), &of_dido, add).await;
        let last = array(&added.ok(201)["members"]).last().cloned();
        members.push((text(&last.unwrap()["id"]), String::new()));
    }
    let entered = result(&members, &[(0, 1), (1, 2), (2, 3), (4, 4)]);
    let results = format!("{path}/results");
    server.create(&results, &of_dido, entered).await;
    for part in ["standings", "head-to-head"] {
        let csv = server.get_as(&format!("{path}/{part}"), "text/csv").await;
        assert_eq!(csv.status, 200, "{}", csv.text);
        let mut rows = csv::Reader::from_reader(csv.text.as_bytes());
        let cells: Vec<String> = (rows.records())
            .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        for name in ["'=HYPERLINK(\"x\")", "'+1", "'-1", "Hanno"] {
            assert!(cells.contains(&name.to_owned()), "{name}: {cells:?}");
        }
        assert!(
            !cells
                .iter()
                .any(|cell| cell.starts_with(['=', '+', '-', '@']))
        );
    }
    // Reading a whole league counts as expensive.
    for part in ["tables", "calendar.ics", "standings"] {
        assert_eq!(server.get(&format!("{path}/{part}")).await.status, 200);
    }
    let pages = path.replace("/v1", "");
    for file in ["standings.csv", "head-to-head.csv"] {
        assert_eq!(server.get(&format!("{pages}/{file}")).await.status, 200);
    }
    let picture = format!("{path}/standings");
    let refused = server.get_as(&picture, "image/svg+xml").await;
    refused.problem(429, "rate_limited");
}

/// Reads a calendar: its name, and the properties of each event. Lines are unfolded (RFC 5545, section 3.1),
/// values stay escaped.
fn calendar(text: &str) -> (String, Vec<std::collections::BTreeMap<String, String>>) {
    for line in text.split_inclusive('\n') {
        assert!(line.ends_with("\r\n") && line.len() <= 78, "{line:?}");
    }
    let unfolded = text.replace("\r\n ", "");
    let mut lines = unfolded.lines().map(|line| line.split_once(':').unwrap());
    let mut name = None;
    let mut events = Vec::new();
    assert_eq!(lines.next(), Some(("BEGIN", "VCALENDAR")));
    while let Some(line) = lines.next() {
        match line {
            ("X-WR-CALNAME", value) => name = Some(value.to_owned()),
            ("BEGIN", "VEVENT") => {
                let own = lines.by_ref().take_while(|line| *line != ("END", "VEVENT"));
                let mut prefix = "";
                let own = own.map(|line| {
                    prefix = match line {
                        ("BEGIN", "VALARM") => "ALARM ",
                        ("END", "VALARM") => "",
                        _ => prefix,
                    };
                    (format!("{prefix}{}", line.0), line.1.to_owned())
                });
                events.push(own.collect());
            }
            ("VERSION", "2.0") | ("PRODID", _) => {}
            last => assert_eq!((last, lines.next()), (("END", "VCALENDAR"), None)),
        }
    }
    (name.unwrap(), events)
}

#[tokio::test]
async fn the_deadlines_of_a_league_are_in_its_calendar() {
    let server = TestServer::start();
    let more = json!({"name": "Cup; of Rome, Carthage \\ and all the others that there are"});
    let (path, members) = full_league(&server, 5, 1, more).await;
    let organizer = members[0].1.clone();
    let mut new = tables(&members, &[[0, 1, 2, 3], [0, 1, 2, 5]]);
    let past = json!("2001-01-01T00:00:00Z");
    for (deadline, good) in [(past, false), (json!("2099-12-31T20:00:00Z"), true)] {
        new["deadline"] = deadline;
        new["pace"] = json!({"turn_seconds": 86_400, "then": "wait"});
        let answer = server
            .post(&format!("{path}/tables"), &organizer, new.clone())
            .await;
        match good {
            false => {
                answer.invalid("deadline");
            }
            true => {
                let created = answer.ok(201);
                let listed = server.read(&format!("{path}/tables")).await;
                assert_eq!(created["tables"], listed["items"]);
            }
        }
    }
    // A table without a deadline, and one that is played elsewhere.
    server
        .create(
            &format!("{path}/tables"),
            &organizer,
            tables(&members, &[[3, 2, 1, 0]]),
        )
        .await;
    let result = result(&members, &[(0, 1), (1, 2)]);
    server
        .create(&format!("{path}/results"), &organizer, result)
        .await;
    let listed = server.read(&format!("{path}/tables")).await;
    let listed = array(&listed["items"]);
    let first = text(&listed[0]["game"]);
    let game = server.read(&format!("/v1/games/{first}")).await;
    assert!(game["due_at"].is_string());
    assert_eq!(listed[0]["due_at"], game["due_at"]);
    assert_eq!(listed[1]["deadline"], "2099-12-31T20:00:00Z");
    for table in &listed[2..] {
        assert!(
            table["deadline"].is_null() && table["due_at"].is_null(),
            "{table}"
        );
    }

    let file = format!("{path}/calendar.ics");
    let served = server.get(&file).await;
    assert_eq!(
        served.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    let (name, events) = calendar(&served.text);
    let escaped = "Cup\\; of Rome\\, Carthage \\\\ and all the others that there are";
    assert_eq!(name, escaped);
    let of = |kind: &str| -> Vec<&std::collections::BTreeMap<String, String>> {
        events
            .iter()
            .filter(|event| event["UID"].contains(kind))
            .collect()
    };
    assert_eq!(
        (of("-deadline@").len(), of("-turn@").len(), events.len()),
        (2, 2, 4)
    );
    let deadline = of("-1-deadline@")[0];
    assert_eq!(deadline["DTSTART"], "20991231T200000Z");
    assert_eq!(deadline["DTEND"], "20991231T201500Z");
    assert_eq!(deadline["ALARM TRIGGER"], "-PT24H");
    assert_eq!(
        deadline["SUMMARY"],
        format!("{escaped}\\, round 1\\, table 1: deadline")
    );
    assert!(deadline["DESCRIPTION"].starts_with("player0 (greeks)\\nplayer1 (phoenicians)\\n"));
    assert!(deadline["URL"].ends_with(&format!("/games/{first}")));
    let due = of("-1-turn@")[0]["DTSTART"].clone();
    let due_at = text(&game["due_at"]).replace(['-', ':'], "");
    assert_eq!(due.trim_end_matches('Z'), &due_at[..15]);
    let known = server.request(reqwest::Method::GET, &file);
    let known = known.header("If-None-Match", served.header("etag"));
    assert_eq!(send(known).await.status, 304);
    for (member, count) in [("player3", 2), ("player0", 4), ("player4", 0)] {
        let own = server.get(&format!("{file}?member={member}")).await;
        assert_eq!(calendar(&own.text).1.len(), count, "{member}");
    }
    // The deadline of a round is moved, then the deadline of one of its tables, both being played.
    let deadlines = format!("{path}/deadlines");
    let to = |what: &str, number: u32, year: u32| json!({what: number, "deadline": format!("{year}-01-01T00:00:00Z"), "note": "a storm"});
    adjudicate(&server, &listed[2], &organizer, [1, 2, 3, 4]).await;
    let moved = server.post(&deadlines, &organizer, to("round", 1, 2100));
    let moved = moved.await.ok(201);
    let numbers: Vec<&Value> = (array(&moved["tables"]).iter())
        .map(|table| &table["table"])
        .collect();
    assert_eq!(numbers, [&json!(1), &json!(2)]);
    let key = ("Idempotency-Key", "once");
    for _ in 0..2 {
        let again = server.with(reqwest::Method::POST, &deadlines, &organizer);
        let again = again.header(key.0, key.1).json(&to("table", 2, 2101));
        let moved = send(again).await.ok(201);
        let table = &moved["tables"][0];
        assert_eq!(table["deadline"], "2101-01-01T00:00:00Z");
        assert_eq!(
            (&table["deadline_moves"], &table["note"]),
            (&json!(2), &json!("a storm"))
        );
    }
    let page = server.get(&path.replace("/v1", "")).await;
    assert_contains(&page.text, ">moved<");
    let known = server.request(reqwest::Method::GET, &file);
    let known = known.header("If-None-Match", served.header("etag"));
    let served = send(known).await;
    assert_eq!(served.status, 200, "{}", served.text);
    let events = calendar(&served.text).1;
    for (table, start, sequence) in [(1, "2100", "1"), (2, "2101", "2")] {
        let uid = format!("-{table}-deadline@");
        let event = events.iter().find(|event| event["UID"].contains(&uid));
        let event = event.unwrap();
        assert_eq!(event["DTSTART"], format!("{start}0101T000000Z"));
        assert_eq!(event["SEQUENCE"], sequence);
        assert!(event["DTSTAMP"] >= deadline["DTSTAMP"]);
    }
    let mut both = to("round", 1, 2100);
    both["table"] = json!(1);
    let mut neither = to("round", 1, 2100);
    neither.as_object_mut().unwrap().remove("round");
    let mut silent = to("round", 1, 2100);
    silent["note"] = json!("");
    for (token, body, status, code) in [
        (&members[1].1, to("round", 1, 2100), 403, "forbidden"),
        (&organizer, to("round", 1, 2001), 422, "invalid_body"),
        (&organizer, both, 422, "invalid_body"),
        (&organizer, neither, 422, "invalid_body"),
        (&organizer, silent, 422, "invalid_body"),
        (&organizer, to("round", 2, 2100), 404, "not_found"),
        (&organizer, to("table", 9, 2100), 404, "not_found"),
        (&organizer, to("table", 3, 2100), 409, "table_not_running"),
    ] {
        let refused = server.post(&deadlines, token, body).await;
        refused.problem(status, code);
    }
    for moves in 3..=51 {
        let again = server.post(&deadlines, &organizer, to("table", 2, 2101));
        match again.await {
            moved if moves <= 50 => assert_eq!(moved.ok(201)["tables"][0]["deadline_moves"], moves),
            refused => drop(refused.problem(409, "limit_reached")),
        }
    }
    assert_consistent(&server);
    for (parameter, name) in [
        ("member=unknown", "member"),
        ("alarm_hours=337", "alarm_hours"),
        ("by=day", "by"),
    ] {
        let refused = server.get(&format!("{file}?{parameter}")).await;
        refused.invalid(name);
    }
    // A round is one event at its last deadline. It goes on if one of its tables does.
    let rounds = async |more: &str| {
        let served = server.get(&format!("{file}?by=round{more}")).await;
        let (_, events) = calendar(&served.text);
        assert_eq!(events.len(), 1, "{}", served.text);
        events.into_iter().next().unwrap()
    };
    let round = rounds("").await;
    assert!(round["UID"].contains("-1-1-round@"), "{round:?}");
    assert_eq!(round["DTSTART"], "21010101T000000Z");
    assert_eq!(
        (&*round["SEQUENCE"], &*round["STATUS"]),
        ("51", "CONFIRMED")
    );
    assert_contains(
        &round["DESCRIPTION"],
        "Table 1\\, deadline 2100-01-01T00:00:00Z\\nplayer0 (greeks)",
    );
    let silent = rounds("&alarm_hours=0").await;
    assert!(!silent.contains_key("ALARM TRIGGER") && round.contains_key("ALARM TRIGGER"));

    // A finished game has no deadline, and a void table is not played.
    adjudicate(&server, &listed[0], &organizer, [1, 2, 3, 4]).await;
    let void = json!({"type": "void"});
    server
        .create(&format!("{path}/tables/2/corrections"), &organizer, void)
        .await;
    let (_, events) = calendar(&server.get(&file).await.text);
    let states: Vec<(&str, &str)> = (events.iter())
        .map(|event| {
            (
                event["UID"].split('-').next_back().unwrap(),
                &*event["STATUS"],
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            ("deadline@tabularium", "CONFIRMED"),
            ("deadline@tabularium", "CANCELLED")
        ]
    );
    assert!(
        events
            .iter()
            .all(|event| !event.contains_key("ALARM TRIGGER"))
    );
    let void = events.last().unwrap();
    assert_eq!(
        void["SEQUENCE"], "51",
        "it grows when the event is cancelled"
    );
    assert_consistent(&server);
}
