//! Pauses of leagues, holidays of members, and the time that members use.

use api::db::clock::Clock;
use api::server::Config;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::leagues::full_league;
use super::support::{TestServer, array, eventually, text};

/// The nations of the tables.
const NATIONS: [&str; 4] = ["greeks", "phoenicians", "persians", "arabs"];

/// Two tables whose players have three hours each at first.
fn tables(members: &[(String, String)]) -> Value {
    let table = |first: usize| {
        let seat = |(number, nation): (usize, &str)| json!({"member": members[(first + number) % 8].0, "nations": [nation]});
        json!({"seats": (0..4).zip(NATIONS).map(seat).collect::<Vec<_>>()})
    };
    json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 20,
        "pace": {"turn_seconds": 3600, "reserve_seconds": 7200, "timeouts": 3, "then": "wait"},
        "tables": [table(0), table(4)]})
}

fn time(value: &Value) -> Timestamp {
    text(value).parse().unwrap()
}

fn hours(one: &Value, other: &Value) -> f64 {
    let between = time(other).duration_since(time(one));
    (between.as_secs_f64() / 360.0).round() / 10.0
}

/// Sets the clock ahead and wakes the server.
fn pass(server: &TestServer, clock: &Clock, hours: i64) {
    clock.set_ahead(SignedDuration::from_hours(hours));
    server.games().supervisor().wake();
}

#[tokio::test]
async fn clocks_stand_still_in_pauses_and_holidays() {
    let clock = Clock::default();
    let server = TestServer::with_clock(&clock);
    let rules = json!({"scoring": "shares", "holiday_days": 2});
    let season = json!({"season": {"name": "Spring", "rules": rules}});
    let (path, members) = full_league(&server, 8, 0, season).await;
    let organizer = members[0].1.clone();
    let post = async |server: &TestServer, part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), &organizer, body)
            .await
    };
    let made = post(&server, "tables", tables(&members)).await.ok(201);
    let games =
        [0, 1].map(|table: usize| format!("/v1/games/{}", text(&made["tables"][table]["game"])));
    let begun = server.read(&games[0]).await;
    assert_eq!(hours(&begun["created_at"], &begun["due_at"]), 3.0);

    // One table pauses, and the other one times out.
    for (body, field) in [
        (json!({"table": 1, "round": 1}), "round"),
        (
            json!({"table": 1, "until": "2000-01-01T00:00:00Z"}),
            "until",
        ),
    ] {
        post(&server, "pauses", body).await.invalid(field);
    }
    post(&server, "pauses", json!({"table": 3}))
        .await
        .not_found();
    server
        .post(&format!("{path}/pauses"), &members[1].1, json!({}))
        .await
        .problem(403, "forbidden");
    let paused = json!({"table": 1, "note": "a dispute"});
    let body = post(&server, "pauses", paused.clone()).await.ok(201);
    assert_eq!(body["pauses"][0]["note"], "a dispute");
    post(&server, "pauses", paused).await.invalid("tables");
    assert_eq!(server.read(&games[0]).await["due_at"], Value::Null);
    pass(&server, &clock, 4);
    let times_out = async |server: &TestServer, game: &str, count: u64| {
        eventually("the game never timed out", async || {
            let game = server.read(game).await;
            let clocks = array(&game["clocks"]).iter();
            let all: u64 = clocks
                .map(|clock| clock["timeouts"].as_u64().unwrap())
                .sum();
            (all == count).then_some(())
        })
        .await;
    };
    times_out(&server, &games[1], 1).await;
    assert_eq!(server.read(&games[0]).await["seq"], 0);
    post(&server, "pauses/end", json!({"table": 1}))
        .await
        .ok(201);
    post(&server, "pauses/end", json!({"table": 1}))
        .await
        .not_found();
    let goes_on = server.read(&games[0]).await;
    assert_eq!(hours(&goes_on["created_at"], &goes_on["due_at"]), 7.0);

    // The pauses are part of the stored game.
    let config = Config {
        clock: clock.clone(),
        ..Config::default()
    };
    let server = server.restart_with_config(config);
    let again = server.read(&games[0]).await;
    assert_eq!(
        (&again["due_at"], &again["clocks"]),
        (&goes_on["due_at"], &goes_on["clocks"])
    );

    // The whole league pauses until a time.
    let until = Timestamp::now() + SignedDuration::from_hours(4 + 10);
    let body = post(&server, "pauses", json!({"until": until}))
        .await
        .ok(201);
    assert_eq!(array(&body["pauses"]).len(), 2);
    let later = server.read(&games[0]).await;
    assert_eq!(hours(&goes_on["due_at"], &later["due_at"]), 10.0);
    // A game that begins in the pause is paused too.
    let mut third = tables(&members);
    third["tables"].as_array_mut().unwrap().truncate(1);
    third["round"] = json!(2);
    let made = post(&server, "tables", third).await.ok(201);
    let third = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    let game = server.read(&third).await;
    assert_eq!(hours(&game["created_at"], &game["due_at"]), 13.0);
    post(&server, "pauses/end", json!({})).await.ok(201);
    let soon = server.read(&games[0]).await;
    assert_eq!(hours(&goes_on["due_at"], &soon["due_at"]), 0.0);

    // The player to move takes a holiday, and the clock stands still for a day.
    let waits_for = text(&soon["pending"][0]["nation"]);
    let seats = array(&soon["seats"]).iter();
    let number = seats
        .clone()
        .position(|seat| seat["nations"][0] == *waits_for)
        .unwrap();
    let (member, token) = &members[number];
    let at = |hours: i64| Timestamp::now() + SignedDuration::from_hours(4 + hours);
    let holidays = format!("{path}/holidays");
    let own = json!({"from": at(2), "until": at(26)});
    server.post(&holidays, token, own).await.invalid("from");
    let wrong = json!({"from": at(20), "until": at(90)});
    server.post(&holidays, token, wrong).await.invalid("until");
    let stranger = super::accounts::register(&server, "stranger").await.1;
    let own = json!({"from": at(20), "until": at(30)});
    server
        .post(&holidays, &stranger, own)
        .await
        .problem(403, "forbidden");
    let entered = json!({"member": member, "from": at(2), "until": at(26)});
    let body = post(&server, "holidays", entered).await.ok(201);
    assert_eq!(body["holidays"][0]["member"]["id"], *member);
    let later = server.read(&games[0]).await;
    assert_eq!(hours(&soon["due_at"], &later["due_at"]), 24.0);
    let end = format!("{path}/holidays/{member}");
    server
        .delete(&end, &stranger)
        .await
        .problem(403, "forbidden");
    server.delete(&end, token).await.ok(200);
    server.delete(&end, token).await.not_found();
    let soon = server.read(&games[0]).await;
    assert_eq!(hours(&goes_on["due_at"], &soon["due_at"]), 0.0);

    // Time runs out in the end, and the record is valid.
    pass(&server, &clock, 8);
    times_out(&server, &games[0], 1).await;
    times_out(&server, &third, 1).await;
    let times = server.read(&format!("{path}/times")).await;
    let rows = array(&times["rows"]);
    let row = rows
        .iter()
        .find(|row| row["member"]["id"] == *member)
        .unwrap();
    assert_eq!(row["waiting"], 2);
    assert_eq!(row["timeouts"], 2);
    let average = |row: &Value| row["seconds"].as_u64().unwrap() / row["turns"].as_u64().unwrap();
    assert!(
        rows.is_sorted_by(|one, other| average(one) >= average(other)),
        "{times}"
    );
    // The first game waited for 8 hours, of which it paused 4, and the third one for 4.
    let longest = async || {
        let times = server.read(&format!("{path}/times")).await;
        let mut rows = array(&times["rows"]).iter();
        let row = rows.find(|row| row["member"]["id"] == *member).unwrap();
        row["longest_seconds"].as_u64().unwrap() / 3600
    };
    assert_eq!(longest().await, 4);
    server
        .adjudicate(&games[0], &organizer, &[1, 2, 3, 4])
        .await;
    assert_eq!(longest().await, 4);
    let record = server
        .get(&format!("{}/record?events=true", games[0]))
        .await;
    let record: records::Record = serde_json::from_value(record.ok(200)).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
    let listed = server.read(&format!("{path}/pauses")).await;
    assert_eq!(
        (
            array(&listed["pauses"]).len(),
            array(&listed["holidays"]).len()
        ),
        (2, 0)
    );
}
