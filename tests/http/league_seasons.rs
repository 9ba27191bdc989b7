//! Seasons as organizers run them: byes, substitutes, repeated entries, notes, lots and formats.

use reqwest::Method;
use serde_json::{Value, json};

use super::league_standings::assert_recomputed;
use super::leagues::{full_league, result};
use super::support::{TestServer, array, assert_contains, send, text};

/// Checks that the stored data of leagues are consistent.
fn assert_consistent(server: &TestServer) {
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    let faults: Vec<_> = faults
        .iter()
        .filter(|fault| fault.contains("league"))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

/// The request for a running table on the eastern board. Members are given by their index.
fn table(members: &[(String, String)], seats: &[usize]) -> Value {
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = seats
        .iter()
        .zip(nations)
        .map(|(number, nation)| json!({"member": members[*number].0, "nations": [nation]}));
    json!({"round": 1, "edition": "antike", "board": "antike-east",
        "tables": [{"seats": seats.collect::<Vec<_>>()}]})
}

#[tokio::test]
async fn the_same_result_is_entered_once_unless_played_again() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 1, 3, json!({})).await;
    let organizer = &members[0].1;
    let results = format!("{path}/results");
    let enter = async |body: &Value| server.post(&results, organizer, body.clone()).await;
    let mut entered = result(&members, &[(0, 1), (1, 2), (2, 2)]);
    entered["round"] = json!(1);
    enter(&entered).await.ok(201);
    let refused = enter(&entered).await.problem(409, "already_counted");
    assert_contains(&text(&refused["detail"]), "table 1");
    // The order of the seats makes no difference.
    let mut turned = entered.clone();
    turned["seats"].as_array_mut().unwrap().rotate_left(1);
    enter(&turned).await.problem(409, "already_counted");
    for (field, value) in [
        ("/round", json!(2)),
        ("/played_at", json!("2020-01-01T10:00:00Z")),
        ("/seats/0/rank", json!(2)),
        ("/seats/2/nations", json!(["phoenicians"])),
    ] {
        let mut other = entered.clone();
        other["played_at"] = Value::Null;
        *other.pointer_mut(field).unwrap() = value;
        if field == "/seats/0/rank" {
            other["seats"][1]["rank"] = json!(1);
        }
        enter(&other).await.ok(201);
    }
    let mut again = entered.clone();
    again["again"] = json!(true);
    enter(&again).await.ok(201);
    // A result of a void table can be entered again.
    for table in [1, 6] {
        let void = format!("{path}/tables/{table}/corrections");
        server
            .create(&void, organizer, json!({"type": "void"}))
            .await;
    }
    enter(&entered).await.ok(201);
    assert_consistent(&server);
    assert_recomputed(&server, &path).await;
}

#[tokio::test]
async fn a_result_is_not_of_the_future() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 1, 2, json!({})).await;
    let mut entered = result(&members, &[(0, 1), (1, 2)]);
    for (played_at, good) in [
        ("2999-01-01T00:00:00Z", false),
        ("2020-01-01T00:00:00Z", true),
    ] {
        entered["played_at"] = json!(played_at);
        let results = format!("{path}/results");
        let answer = server.post(&results, &members[0].1, entered.clone()).await;
        match good {
            true => drop(answer.ok(201)),
            false => drop(answer.invalid("played_at")),
        }
    }
}

#[tokio::test]
async fn the_reason_of_a_deadline_is_shown_while_the_game_is_running() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 4, 0, json!({})).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        server
            .create(&format!("{path}/{part}"), organizer, body)
            .await
    };
    let note = async || server.read(&format!("{path}/tables")).await["items"][0]["note"].clone();
    let made = post("tables", table(&members, &[0, 1, 2, 3])).await;
    let moved = json!({"round": 1, "deadline": "2100-01-01T00:00:00Z", "note": "a voyage"});
    post("deadlines", moved.clone()).await;
    assert_eq!(note().await, "a voyage");
    let decide = json!({"type": "replace", "seat": 0, "member": members[0].0, "note": "x"});
    let decided = format!("{path}/tables/1/corrections");
    server
        .post(&decided, organizer, decide)
        .await
        .invalid("member");
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    server.adjudicate(&game, organizer, &[1, 2, 3, 4]).await;
    assert_eq!(note().await, Value::Null);
    let decide = json!({"type": "adjudicate", "ranks": [1, 1, 3, 4], "note": "counted again"});
    post("tables/1/corrections", decide).await;
    assert_eq!(note().await, "counted again");
    let events = server.get(&format!("{path}/events?limit=1000")).await;
    assert_contains(&events.text, "a voyage");
}

#[tokio::test]
async fn accounts_substitute_for_placeholders_and_accounts() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 6, 1, json!({})).await;
    let organizer = &members[0].1;
    let mut new = table(&members, &[1, 2, 3, 6]);
    new["rated"] = json!(true);
    let made = server
        .create(&format!("{path}/tables"), organizer, new)
        .await;
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    // An account for a placeholder, an account for an account, and the organizer for an account.
    for (seat, substitute) in [(3, 4), (0, 5), (1, 0)] {
        let (id, token) = &members[substitute];
        let correction = json!({"type": "replace", "seat": seat, "member": id});
        let corrections = format!("{path}/tables/1/corrections");
        server.create(&corrections, organizer, correction).await;
        let seat = format!("{game}/seats/{seat}");
        let player = json!({"player": {"id": id}});
        server.put(&seat, organizer, player).await.ok(200);
        if substitute != 0 {
            server.create(&seat, token, json!({})).await;
        }
        server
            .get_with(&format!("{seat}/orders"), token)
            .await
            .ok(200);
    }
    let body = server.read(&game).await;
    let sit = array(&body["seats"])
        .iter()
        .map(|seat| text(&seat["player"]["id"]));
    let expected = [5, 0, 3, 4].map(|number| members[number].0.clone());
    assert_eq!(sit.collect::<Vec<_>>(), expected);
    assert_consistent(&server);
    assert_recomputed(&server, &path).await;
}

#[tokio::test]
async fn members_who_fit_no_table_sit_out_in_turn() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 1, 8, json!({})).await;
    let organizer = &members[0].1;
    let pair = async |body: Value| {
        server
            .post(&format!("{path}/pairing"), organizer, body)
            .await
    };
    let paired = pair(json!({"seed": "x", "rounds": 9, "size": 2}))
        .await
        .ok(200);
    let mut byes = Vec::new();
    for round in array(&paired["rounds"]) {
        assert_eq!(array(&round["tables"]).len(), 4);
        byes.push(text(&round["byes"][0]));
    }
    byes.sort_unstable();
    byes.dedup();
    assert_eq!(byes.len(), 9, "each member sits out once");
    assert_eq!(paired["figures"]["bye_difference"], 0);
    let sizes = async |size: u8, smallest: Option<u8>| {
        let body = json!({"seed": "x", "rounds": 1, "size": size, "smallest": smallest});
        let round = pair(body).await.ok(200)["rounds"][0].take();
        let sizes = array(&round["tables"])
            .iter()
            .map(|table| array(&table["seats"]).len());
        (sizes.collect::<Vec<_>>(), array(&round["byes"]).len())
    };
    assert_eq!(sizes(6, None).await, (vec![6], 3));
    assert_eq!(sizes(6, Some(4)).await, (vec![5, 4], 0));
    for (body, field) in [
        (
            json!({"seed": "x", "rounds": 1, "size": 4, "smallest": 5}),
            "smallest",
        ),
        (
            json!({"seed": "x", "rounds": 1, "size": 4, "smallest": 1}),
            "smallest",
        ),
        (
            json!({"seed": "x", "rounds": 1, "size": 6, "members": ["player0", members[1].0]}),
            "size",
        ),
    ] {
        pair(body).await.invalid(field);
    }
}

#[tokio::test]
async fn lots_are_small_numbers_without_ties() {
    let server = TestServer::start();
    let rules = json!({"scoring": "shares", "tie_breaks": ["lot"]});
    let season = json!({"season": {"name": "Spring", "rules": rules}});
    let (path, _) = full_league(&server, 1, 4, season).await;
    let standings = server.read(&format!("{path}/standings")).await;
    let lots = array(&standings["rows"])
        .iter()
        .map(|row| &row["tie_breaks"][0]);
    let expected = [5.0, 4.0, 3.0, 2.0, 1.0].map(|lot| json!(lot));
    assert_eq!(
        lots.collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_round_robin_is_played_round_by_round() {
    let server = TestServer::start();
    let rules = json!({"scoring": {"rank_points": [2, 0]}, "tie_breaks": ["head_to_head"]});
    let season = json!({"season": {"name": "Spring", "rules": rules,
        "format": {"type": "round_robin", "games": 2}}});
    let (path, members) = full_league(&server, 1, 4, season).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), organizer, body)
            .await
    };
    let body = server.read(&path).await;
    let format = json!({"type": "round_robin", "games": 2});
    assert_eq!(body["seasons"][0]["format"], format);
    let page = server.get(&path.replace("/v1", "")).await;
    assert_contains(&page.text, "each member plays every other member twice");
    let wanted = |size: u8| json!({"seed": "spring", "rounds": 1, "size": size});
    post("pairing", wanted(4)).await.invalid("size");
    let mut met = std::collections::BTreeMap::new();
    let mut last = Value::Null;
    for round in 1..=10 {
        let paired = post("pairing", wanted(2)).await;
        let tag = paired.header("etag").to_owned();
        let paired = paired.ok(200)["rounds"][0].take();
        assert_eq!(array(&paired["byes"]).len(), 1, "five members");
        for table in array(&paired["tables"]) {
            let sits = [0, 1].map(|seat: usize| text(&table["seats"][seat]["member"]));
            *met.entry(sits.clone()).or_insert(0) += 1;
            let seat = |(member, rank): (String, u8)| json!({"member": member, "rank": rank});
            let seats: Vec<Value> = sits.into_iter().zip([1, 2]).map(seat).collect();
            last = json!({"round": round, "edition": "antike", "seats": seats});
            post("results", last.clone()).await.ok(201);
        }
        let late = server.with(Method::POST, &format!("{path}/seasons"), organizer);
        let late = late
            .header("If-Match", tag)
            .json(&json!({"name": "Autumn"}));
        send(late).await.problem(412, "stale_view");
    }
    assert_eq!(
        met.len(),
        20,
        "each pair has met in both orders of the seats"
    );
    assert!(met.values().all(|often| *often == 1), "{met:?}");
    post("pairing", wanted(2)).await.invalid("rounds");
    last["round"] = json!(11);
    post("results", last).await.invalid("seats");
    let three = result(&members, &[(0, 1), (1, 2), (2, 3)]);
    post("results", three).await.invalid("seats");
    let standings = server.read(&format!("{path}/standings")).await;
    for row in array(&standings["rows"]) {
        assert_eq!((&row["games"], &row["points"]), (&json!(8.0), &json!(8.0)));
    }

    // The next season has the same format, or another one.
    let next = post("seasons", json!({"name": "Summer"})).await.ok(201);
    assert_eq!(next["seasons"][1]["format"], format);
    let spread = json!({"name": "Autumn", "format": {"type": "spread"}});
    let next = post("seasons", spread).await.ok(201);
    assert_eq!(next["seasons"][2]["format"], json!({"type": "spread"}));
    post("pairing", wanted(4)).await.ok(200);
    for games in [0, 5] {
        let format = json!({"type": "round_robin", "games": games});
        let bad = json!({"name": "Winter", "format": format});
        post("seasons", bad).await.invalid("format.games");
    }
    assert_consistent(&server);
    assert_recomputed(&server, &path).await;
}

#[tokio::test]
async fn a_swiss_season_pairs_equal_points_and_explains_it() {
    let server = TestServer::start();
    let rules = json!({"scoring": {"rank_points": [2, 0]}, "tie_breaks": ["opponents"]});
    let format = json!({"type": "swiss", "bye_points": 1});
    let season = json!({"season": {"name": "Spring", "rules": rules, "format": format}});
    let (path, members) = full_league(&server, 1, 6, season).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), organizer, body)
            .await
    };
    let wanted = |rounds: u8| json!({"seed": "spring", "rounds": rounds, "size": 2});
    post("pairing", wanted(2)).await.invalid("rounds");
    let points = async || {
        let standings = server.read(&format!("{path}/standings")).await;
        let rows = array(&standings["rows"]).iter();
        let rows = rows.map(|row| (text(&row["member"]["id"]), row["points"].as_f64().unwrap()));
        rows.collect::<std::collections::BTreeMap<_, _>>()
    };
    let (mut met, mut byes) = (std::collections::BTreeSet::new(), Vec::new());
    for round in 1..=3 {
        let before = points().await;
        let paired = post("pairing", wanted(1)).await.ok(200);
        assert_eq!(paired["figures"]["repeated"], 0);
        let paired = &paired["rounds"][0];
        let mut bye = Some(paired["byes"].clone());
        byes.push(text(&paired["byes"][0]));
        let least = before.values().copied().fold(f64::MAX, f64::min);
        assert!(round > 1 || before[&byes[0]] == least);
        let reasons = array(&paired["reasons"]);
        for (table, reason) in array(&paired["tables"]).iter().zip(reasons) {
            let sits = [0, 1].map(|seat: usize| text(&table["seats"][seat]["member"]));
            let own = [before[&sits[0]], before[&sits[1]]];
            assert_eq!(reason["points"], json!(own));
            let moved = usize::from(own[0] != own[1]);
            assert_eq!(array(&reason["moved"]).len(), moved, "{reason}");
            assert_eq!(reason["met"], json!([]));
            let mut pair = sits.clone();
            pair.sort_unstable();
            assert!(met.insert(pair), "no two meet twice");
            let seat = |(member, rank): (String, u8)| json!({"member": member, "rank": rank});
            let seats: Vec<Value> = sits.into_iter().zip([1, 2]).map(seat).collect();
            let mut entered = json!({"round": round, "edition": "antike", "seats": seats});
            // The first result of the round has the member who sits out.
            if let Some(bye) = bye.take() {
                entered["byes"] = bye;
            }
            post("results", entered).await.ok(201);
        }
    }
    byes.sort_unstable();
    byes.dedup();
    assert_eq!(byes.len(), 3, "nobody sits out twice");
    let after = points().await;
    assert_eq!(after.values().sum::<f64>(), 3.0 * (3.0 * 2.0 + 1.0));
    let page = server.get(&path.replace("/v1", "")).await;
    for part in ["Swiss system", "Without a table:"] {
        assert_contains(&page.text, part);
    }
    // The points of a bye stay if the table that has it becomes void.
    let void = json!({"type": "void"});
    post("tables/1/corrections", void).await.ok(201);
    assert_eq!(points().await.values().sum::<f64>(), 19.0);
    let mut new = table(&members, &[0, 1, 2, 3]);
    for (byes, field) in [
        (json!(["unknown"]), "byes[0]"),
        (json!([members[3].0]), "byes"),
        (json!([members[4].0, members[4].0]), "byes"),
    ] {
        new["round"] = json!(4);
        new["byes"] = byes;
        post("tables", new.clone()).await.invalid(field);
    }
    new["byes"] = json!([members[4].0]);
    new["round"] = Value::Null;
    post("tables", new.clone()).await.invalid("byes");
    new["round"] = json!(4);
    let made = post("tables", new).await.ok(201);
    assert_eq!(made["tables"][0]["byes"][0]["id"], members[4].0);
    let season = json!({"name": "Autumn", "format": {"type": "swiss", "bye_points": 1001}});
    post("seasons", season).await.invalid("format.bye_points");
    assert_consistent(&server);
    assert_recomputed(&server, &path).await;
}

#[tokio::test]
async fn a_knock_out_is_played_to_the_final() {
    let server = TestServer::start();
    let rules = json!({"scoring": {"rank_points": [1, 0]}});
    let season = json!({"season": {"name": "Spring", "rules": rules,
        "format": {"type": "knock_out"}}});
    let (path, members) = full_league(&server, 1, 12, season).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), organizer, body)
            .await
    };
    let bracket = format!("{path}/bracket");
    assert_eq!(server.read(&bracket).await["rounds"], json!([]));
    let wanted = json!({"seed": "spring", "rounds": 1, "size": 2});
    let mut wide = wanted.clone();
    wide["size"] = json!(4);
    post("pairing", wide).await.invalid("size");
    let mut champion = String::new();
    for (round, tables, byes) in [(1, 5, 3), (2, 4, 0), (3, 2, 0), (4, 1, 0)] {
        let paired = post("pairing", wanted.clone()).await.ok(200)["rounds"][0].take();
        assert_eq!(array(&paired["tables"]).len(), tables);
        assert_eq!(array(&paired["byes"]).len(), byes);
        let mut out = Some(paired["byes"].clone());
        for table in array(&paired["tables"]) {
            let seat = |(seat, rank): (usize, u8)| json!({"member": table["seats"][seat]["member"], "rank": rank});
            let seats: Vec<Value> = [(0, 1), (1, 2)].into_iter().map(seat).collect();
            champion = text(&seats[0]["member"]);
            let entered = json!({"round": round, "edition": "antike", "seats": seats,
                "byes": out.take().unwrap_or(json!([]))});
            post("results", entered.clone()).await.ok(201);
            let mut again = entered;
            (again["byes"], again["again"]) = (json!([]), json!(true));
            post("results", again).await.invalid("seats");
        }
    }
    post("pairing", wanted.clone()).await.invalid("rounds");
    let body = server.read(&bracket).await;
    let rounds = array(&body["rounds"])
        .iter()
        .map(|round| array(round).len());
    assert_eq!(rounds.collect::<Vec<_>>(), [8, 4, 2, 1]);
    assert_eq!(body["rounds"][3][0]["winner"]["id"], champion);
    assert_eq!(body["rounds"][3][0]["tables"], json!([12]));
    let page = server.get(&path.replace("/v1", "")).await;
    for part in ["Bracket", "Final", "sits out", "href=\"#table-12\""] {
        assert_contains(&page.text, part);
    }
    // The final is played again; a tie decides nothing.
    let tie = json!({"type": "adjudicate", "ranks": [1, 1]});
    post("tables/12/corrections", tie).await.ok(201);
    assert_eq!(
        server.read(&bracket).await["rounds"][3][0]["winner"],
        Value::Null
    );
    let again = post("pairing", wanted.clone()).await.ok(200);
    assert_eq!(again["rounds"][0]["round"], 4);
    post("tables/12/corrections", json!({"type": "void"}))
        .await
        .ok(201);
    let paired = post("pairing", wanted).await.ok(200);
    assert_eq!(array(&paired["rounds"][0]["tables"]).len(), 1);
    let then = server
        .read(&format!("{bracket}?as_of={}", body["seq"]))
        .await;
    assert_eq!(then, body);
    post(
        "seasons",
        json!({"name": "Autumn", "format": {"type": "spread"}}),
    )
    .await
    .ok(201);
    server.get(&bracket).await.not_found();
    assert_eq!(
        server.read(&format!("{bracket}?season=1")).await["season"],
        1
    );
    assert_consistent(&server);
    assert_recomputed(&server, &path).await;
}

#[tokio::test]
async fn matches_of_several_games_are_played_in_a_knock_out() {
    let server = TestServer::start();
    let rules = json!({"scoring": "shares", "tie_breaks": ["wins"]});
    let season = json!({"season": {"name": "Spring", "rules": rules,
        "format": {"type": "knock_out", "best_of": 3}}});
    let (path, members) = full_league(&server, 4, 0, season).await;
    let organizer = &members[0].1;
    let post = async |part: &str, body: Value| {
        let path = format!("{path}/{part}");
        server.post(&path, organizer, body).await
    };
    let wanted = json!({"seed": "spring", "rounds": 1, "size": 2});
    let next_tables = async || {
        let paired = post("pairing", wanted.clone()).await.ok(200)["rounds"][0].take();
        let tables = json!({"round": paired["round"], "edition": "antike_duellum",
            "board": "duellum-rome-carthage", "tables": paired["tables"]});
        (paired["round"].clone(), post("tables", tables).await)
    };
    let names = |answer: &Value| -> Vec<Vec<String>> {
        let table = |table: &Value| {
            let seats = array(&table["seats"]).iter();
            seats.map(|seat| text(&seat["members"][0]["id"])).collect()
        };
        array(&answer["tables"]).iter().map(table).collect()
    };
    // Two games of each match are needed in any case, and can run at the same time. They exchange their seats.
    let (round, first) = next_tables().await;
    let first = names(&first.ok(201));
    let (again, second) = next_tables().await;
    assert_eq!((round, again), (json!(1), json!(1)));
    let swapped: Vec<Vec<String>> = names(&second.ok(201));
    for (one, other) in first.iter().zip(&swapped) {
        assert_eq!([&one[0], &one[1]], [&other[1], &other[0]]);
    }
    let refused = post("pairing", wanted.clone()).await.invalid("rounds");
    assert_contains(&refused.to_string(), "round 1 is not over");
    // In the first match one game each, in the second both for the same member.
    for (table, ranks) in [(1, [1, 2]), (3, [1, 2]), (2, [1, 2]), (4, [2, 1])] {
        let decided = json!({"type": "adjudicate", "ranks": ranks});
        post(&format!("tables/{table}/corrections"), decided)
            .await
            .ok(201);
    }
    let body = server.read(&format!("{path}/bracket")).await;
    let matches = array(&body["rounds"][0]);
    assert_eq!(
        (&matches[0]["wins"], &matches[0]["winner"]),
        (&json!([1, 1]), &Value::Null)
    );
    assert_eq!(matches[0]["tables"], json!([1, 3]));
    assert_eq!(matches[1]["winner"]["id"], *first[1][0]);
    let (round, third) = next_tables().await;
    let third = third.ok(201);
    assert_eq!((round, names(&third).len()), (json!(1), 1));
    let page = server.get(&path.replace("/v1", "")).await;
    assert_contains(&page.text, "A match is the best of 3 games.");
    let decided = json!({"type": "adjudicate", "ranks": [1, 2]});
    post("tables/5/corrections", decided).await.ok(201);
    let (round, last) = next_tables().await;
    last.ok(201);
    assert_eq!(round, 2);
    assert_consistent(&server);
}
