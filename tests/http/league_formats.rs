//! Seasons with weights, double elimination, divisions, teams and ladders.

use serde_json::{Value, json};

use super::league_standings::assert_recomputed;
use super::leagues::{full_league, result};
use super::support::{TestServer, array, assert_contains, text};

/// A season of a format, with points for two ranks.
fn season(format: &Value) -> Value {
    let rules = json!({"scoring": {"rank_points": [2, 0]}, "tie_breaks": ["wins", "lot"]});
    json!({"season": {"name": "Spring", "rules": rules, "format": format}})
}

/// A league with an organizer.
struct Run<'a> {
    server: &'a TestServer,
    path: String,
    organizer: String,
}

impl Run<'_> {
    async fn post(&self, part: &str, body: Value) -> super::support::Answer {
        let path = format!("{}/{part}", self.path);
        self.server.post(&path, &self.organizer, body).await
    }

    async fn put(&self, part: &str, body: Value) -> super::support::Answer {
        let path = format!("{}/{part}", self.path);
        self.server.put(&path, &self.organizer, body).await
    }

    async fn read(&self, part: &str) -> Value {
        self.server.read(&format!("{}/{part}", self.path)).await
    }

    async fn page(&self) -> String {
        self.server.get(&self.path.replace("/v1", "")).await.text
    }

    /// Enters results of paired tables; the member of the first seat wins. Returns the winners.
    async fn play(&self, round: u64, paired: &Value) -> Vec<String> {
        let mut winners = Vec::new();
        let mut byes = Some(paired["byes"].clone());
        for table in array(&paired["tables"]) {
            let seats = array(&table["seats"]).iter();
            let seat = |(rank, seat): (u8, &Value)| json!({"member": seat["member"], "rank": rank});
            let seats: Vec<Value> = (1_u8..).zip(seats).map(seat).collect();
            winners.push(text(&seats[0]["member"]));
            let entered = json!({"round": round, "edition": "antike", "seats": seats,
                "byes": byes.take().unwrap_or(json!([]))});
            self.post("results", entered).await.ok(201);
        }
        winners
    }
}

async fn run<'a>(server: &'a TestServer, members: usize, more: Value) -> (Run<'a>, Vec<String>) {
    let (path, members) = full_league(server, 2, members - 2, more).await;
    let organizer = members[0].1.clone();
    let run = Run {
        server,
        path,
        organizer,
    };
    (run, members.into_iter().map(|(id, _)| id).collect())
}

#[tokio::test]
async fn rounds_have_weights_and_the_worst_result_is_dropped() {
    let server = TestServer::start();
    let rules = json!({"scoring": {"rank_points": [3, 1]}, "tie_breaks": ["average", "opponents"],
        "round_weights": [{"round": 2, "percent": 150}], "counted": {"all_but": 1}});
    let season = json!({"season": {"name": "Spring", "rules": rules}});
    let (run, members) = run(&server, 3, season).await;
    let body = server.read(&run.path).await;
    assert_eq!(
        body["seasons"][0]["rules"]["counted"],
        json!({"all_but": 1})
    );
    let pairs: Vec<(String, String)> = members
        .iter()
        .map(|id| (id.clone(), String::new()))
        .collect();
    for (round, one, other) in [(1, 0, 1), (2, 0, 1), (3, 1, 2)] {
        let mut entered = result(&pairs, &[(one, 1), (other, 2)]);
        entered["round"] = json!(round);
        run.post("results", entered).await.ok(201);
    }
    let standings = run.read("standings").await;
    let row = |number: usize| {
        let rows = array(&standings["rows"]);
        rows.iter()
            .find(|row| row["member"]["id"] == members[number])
            .unwrap()
            .clone()
    };
    // Member 0 has missed round 3. Member 1 drops the first round.
    assert_eq!(row(0)["points"], 7.5);
    assert_eq!(row(1)["points"], 4.5);
    assert_eq!(row(1)["games"], 3.0);
    assert_eq!(row(1)["tie_breaks"][0], 2.25);
    let expected = json!([
        {"table": 1, "round": 1, "bye": false, "percent": 100, "points": 1.0, "counted": false},
        {"table": 2, "round": 2, "bye": false, "percent": 150, "points": 1.5, "counted": true},
        {"table": 3, "round": 3, "bye": false, "percent": 100, "points": 3.0, "counted": true}]);
    assert_eq!(row(1)["results"], expected);
    let tables = run.read("tables").await;
    assert_eq!(tables["items"][1]["seats"][0]["points"], 4.5);
    let page = run.page().await;
    for part in [
        "Round 2 counts 150 percent.",
        "The worst result of each member",
        "These points do not count: 1",
    ] {
        assert_contains(&page, part);
    }
    for (rules, field) in [
        (
            json!({"round_weights": [{"round": 0, "percent": 1}]}),
            "rules.round_weights[0].round",
        ),
        (
            json!({"round_weights": [{"round": 1, "percent": 1001}]}),
            "rules.round_weights[0].percent",
        ),
        (
            json!({"round_weights": [{"round": 1, "percent": 1}, {"round": 1, "percent": 2}]}),
            "rules.round_weights[1].round",
        ),
        (json!({"counted": {"best": 0}}), "rules.counted"),
    ] {
        let mut rules = rules;
        rules["scoring"] = json!("shares");
        let bad = json!({"name": "Summer", "rules": rules});
        run.post("seasons", bad).await.invalid(field);
    }
    assert_recomputed(&server, &run.path).await;
}

#[tokio::test]
async fn a_double_elimination_is_played_to_the_second_final() {
    let server = TestServer::start();
    let format = json!({"type": "double_elimination"});
    let (run, _) = run(&server, 11, season(&format)).await;
    let wanted = json!({"seed": "spring", "rounds": 1, "size": 2});
    let mut wide = wanted.clone();
    wide["size"] = json!(4);
    run.post("pairing", wide).await.invalid("size");
    let mut tables = 0;
    for round in 1..=8 {
        let paired = run.post("pairing", wanted.clone()).await.ok(200)["rounds"][0].take();
        assert_eq!(paired["round"], round);
        assert_eq!(array(&paired["byes"]).len(), if round == 1 { 5 } else { 0 });
        let again = paired["tables"][0].clone();
        tables += run.play(round, &paired).await.len();
        // The same match is refused.
        let seat = |(rank, seat): (u8, &Value)| json!({"member": seat["member"], "rank": rank});
        let seats: Vec<Value> = (1_u8..).zip(array(&again["seats"])).map(seat).collect();
        let again = json!({"round": round, "edition": "antike", "seats": seats, "again": true});
        run.post("results", again).await.invalid("seats");
    }
    let bracket = run.read("bracket").await;
    let sizes = |rounds: &Value| -> Vec<usize> {
        array(rounds)
            .iter()
            .map(|round| array(round).len())
            .collect()
    };
    assert_eq!(sizes(&bracket["rounds"]), [8, 4, 2, 1]);
    // Five members sat out round 1, so one match of the losers has no one.
    assert_eq!(sizes(&bracket["losers"]).last(), Some(&1));
    assert_eq!(sizes(&bracket["losers"]).len(), 6);
    let finals = array(&bracket["finals"]);
    assert_eq!(finals[0]["round"], 8);
    // Whoever won: if the winner of the losers' bracket did, a second final follows.
    let turn =
        json!({"type": "adjudicate", "ranks": if finals.len() == 1 { [2, 1] } else { [1, 2] }});
    if finals.len() == 1 {
        run.post(&format!("tables/{tables}/corrections"), turn)
            .await
            .ok(201);
    }
    let paired = run.post("pairing", wanted.clone()).await.ok(200)["rounds"][0].take();
    assert_eq!(paired["round"], 9);
    let champion = run.play(9, &paired).await;
    run.post("pairing", wanted).await.invalid("rounds");
    let bracket = run.read("bracket").await;
    assert_eq!(bracket["finals"][1]["winner"]["id"], champion[0]);
    let page = run.page().await;
    for part in [
        "Winners' bracket",
        "Losers' bracket",
        "Final",
        "sits out",
        "Double elimination",
    ] {
        assert_contains(&page.replace("&#39;", "'"), part);
    }
    assert_recomputed(&server, &run.path).await;
}

#[tokio::test]
async fn members_go_up_and_down_between_divisions() {
    let server = TestServer::start();
    let format = json!({"type": "round_robin", "games": 1});
    let (run, members) = run(&server, 12, season(&format)).await;
    server
        .get(&format!("{}/divisions/next", run.path))
        .await
        .not_found();
    let division = |name: &str, members: &[String]| json!({"name": name, "members": members});
    let three = json!({"moves": 1, "divisions": [division("First", &members[..4]),
        division("Second", &members[4..8]), division("Third", &members[8..])]});
    let mut twice = three.clone();
    twice["divisions"][2]["members"][0] = json!(members[0]);
    run.put("divisions", twice)
        .await
        .invalid("divisions[2].members[0]");
    let set = run.put("divisions", three.clone()).await.ok(200);
    assert_eq!(set["seasons"][0]["divisions"], three["divisions"]);
    run.post("pairing", json!({"seed": "x", "rounds": 3, "size": 2}))
        .await
        .invalid("division");
    for division in 1..=3_u8 {
        let wanted = json!({"seed": "x", "rounds": 3, "size": 2, "division": division});
        let paired = run.post("pairing", wanted).await.ok(200);
        for (round, paired) in (1..).zip(array(&paired["rounds"])) {
            for table in array(&paired["tables"]) {
                // The member who joined first wins.
                let mut sits: Vec<String> = (0..2)
                    .map(|seat: usize| text(&table["seats"][seat]["member"]))
                    .collect();
                sits.sort_by_key(|id| members.iter().position(|own| own == id));
                let entered = json!({"round": round, "edition": "antike",
                    "seats": [{"member": sits[0], "rank": 1}, {"member": sits[1], "rank": 2}]});
                run.post("results", entered).await.ok(201);
            }
        }
    }
    let mixed = json!({"edition": "antike", "round": 4,
        "seats": [{"member": members[0], "rank": 1}, {"member": members[5], "rank": 2}]});
    run.post("results", mixed).await.invalid("seats[1].member");
    run.put("divisions", three)
        .await
        .problem(409, "already_started");
    run.post(
        "pairing",
        json!({"seed": "x", "rounds": 1, "size": 2, "division": 4}),
    )
    .await
    .invalid("division");
    let second = run.read("standings?division=2").await;
    assert_eq!(second["division"], 2);
    let order: Vec<String> = array(&second["rows"])
        .iter()
        .map(|row| text(&row["member"]["id"]))
        .collect();
    assert_eq!(order, members[4..8]);
    server
        .get(&format!("{}/standings?division=4", run.path))
        .await
        .not_found();
    let csv = server
        .get_as(&format!("{}/standings?division=3", run.path), "text/csv")
        .await;
    assert_eq!(csv.text.lines().count(), 5);
    let page = run.page().await;
    for part in [
        "First",
        "Second",
        "Third",
        "one member of each division moves up",
    ] {
        assert_contains(&page, part);
    }
    // A member of the first division leaves: no one goes down from it. A new member is in the last one.
    let left = server
        .delete(
            &format!("{}/members/{}", run.path, members[1]),
            &run.organizer,
        )
        .await;
    left.ok(200);
    let added = run
        .post("members", json!({"placeholder": "Late"}))
        .await
        .ok(201);
    let late = text(&array(&added["members"]).last().unwrap()["id"]);
    let place = format!("members/{late}/placement");
    run.put(&place, json!({"division": 1, "team": 1}))
        .await
        .invalid("division");
    run.put(&place, json!({"division": 9}))
        .await
        .invalid("division");
    let next = run.read("divisions/next").await;
    let of = |numbers: &[usize]| -> Vec<&String> {
        numbers.iter().map(|number| &members[*number]).collect()
    };
    assert_eq!(next["divisions"][0]["members"], json!(of(&[0, 2, 3, 4])));
    assert_eq!(next["divisions"][1]["members"], json!(of(&[5, 6, 7, 8])));
    let mut third: Vec<Value> = of(&[9, 10, 11]).into_iter().map(|id| json!(id)).collect();
    third.push(json!(late));
    assert_eq!(next["divisions"][2]["members"], json!(third));
    // The next season begins with the proposal, which the organizer changes.
    run.post("seasons", json!({"name": "Autumn"})).await.ok(201);
    let mut changed = json!({"divisions": next["divisions"], "moves": 2});
    changed["divisions"][2]["members"]
        .as_array_mut()
        .unwrap()
        .pop();
    run.put("divisions", changed).await.ok(200);
    let placed = run.put(&place, json!({"division": 2})).await.ok(200);
    assert_eq!(
        array(&placed["seasons"][1]["divisions"][1]["members"]).len(),
        5
    );
    let wanted = json!({"seed": "x", "rounds": 1, "size": 2, "division": 2});
    let paired = run.post("pairing", wanted).await.ok(200)["rounds"][0].take();
    run.play(1, &paired).await;
    let seated = text(&paired["tables"][0]["seats"][0]["member"]);
    let place = format!("members/{seated}/placement");
    let moved = run.put(&place, json!({"division": 1})).await;
    moved.problem(409, "already_started");
    assert_recomputed(&server, &run.path).await;
}

#[tokio::test]
async fn team_mates_do_not_meet_and_their_points_are_added_up() {
    let server = TestServer::start();
    let format = json!({"type": "swiss", "bye_points": 0});
    let (run, members) = run(&server, 24, season(&format)).await;
    server
        .get(&format!("{}/teams/standings", run.path))
        .await
        .not_found();
    let team = |number: usize| json!({"name": format!("Team {number}"), "members": members[number * 4..][..4]});
    let six = json!({"teams": (0..6).map(team).collect::<Vec<_>>()});
    run.put("teams", six.clone()).await.ok(200);
    let of_team = |id: &str| members.iter().position(|own| own == id).unwrap() / 4;
    for round in 1..=4_u64 {
        if round == 3 {
            let line_up = json!({"team": 1, "round": 3, "members": [members[0], members[1]]});
            run.put("line-ups", line_up).await.ok(200);
            let wrong = json!({"team": 2, "round": 3, "members": [members[0]]});
            run.put("line-ups", wrong).await.invalid("members[0]");
        }
        let wanted = json!({"seed": "spring", "rounds": 1, "size": 4});
        let paired = run.post("pairing", wanted).await.ok(200);
        assert_eq!(paired["figures"]["team_mates"], 0, "{}", paired["figures"]);
        let paired = &paired["rounds"][0];
        let mut seated = 0;
        for table in array(&paired["tables"]) {
            let sits = array(&table["seats"])
                .iter()
                .map(|seat| of_team(seat["member"].as_str().unwrap()));
            let mut sits: Vec<usize> = sits.collect();
            seated += sits.len();
            sits.sort_unstable();
            let count = sits.len();
            sits.dedup();
            assert_eq!(sits.len(), count, "team-mates do not meet");
        }
        assert_eq!(seated, if round == 3 { 22 } else { 24 });
        run.play(round, paired).await;
    }
    let out = json!({"round": 3, "edition": "antike",
        "seats": [{"member": members[2], "rank": 1}, {"member": members[23], "rank": 2}]});
    run.post("results", out).await.invalid("seats[0].member");
    let late = json!({"team": 1, "round": 3, "members": [members[2]]});
    run.put("line-ups", late)
        .await
        .problem(409, "already_started");
    run.put("teams", six).await.problem(409, "already_started");
    let body = server.read(&run.path).await;
    assert_eq!(array(&body["seasons"][0]["line_ups"]).len(), 1);
    let standings = run.read("teams/standings").await;
    let rows = array(&standings["rows"]);
    assert_eq!(rows.len(), 6);
    let sum: f64 = rows.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    // Each of the 24 tables has one winner with two points.
    assert_eq!(sum, 48.0);
    for row in rows {
        let own: f64 = array(&row["members"])
            .iter()
            .map(|one| one["points"].as_f64().unwrap())
            .sum();
        assert_eq!(row["points"], own);
    }
    let page = run.page().await;
    for part in ["Teams", "Team 5"] {
        assert_contains(&page, part);
    }
    assert_recomputed(&server, &run.path).await;
}

#[tokio::test]
async fn a_lower_member_of_a_ladder_takes_the_place_of_a_higher_one() {
    let server = TestServer::start();
    let bad = json!({"type": "ladder", "reach": 0});
    let (run, members) = run(&server, 5, season(&json!({"type": "ladder", "reach": 2}))).await;
    run.post("seasons", json!({"name": "Summer", "format": bad}))
        .await
        .invalid("format.reach");
    let order = async || -> Vec<usize> {
        let standings = run.read("standings").await;
        let rows = array(&standings["rows"]).iter();
        let place = |row: &Value| {
            members
                .iter()
                .position(|id| row["member"]["id"] == *id)
                .unwrap()
        };
        rows.map(place).collect()
    };
    assert_eq!(order().await, [0, 1, 2, 3, 4]);
    let challenge =
        |one: usize, other: usize| json!({"member": members[one], "opponent": members[other]});
    for (one, other) in [(0, 1), (3, 0), (1, 1)] {
        run.post("challenges", challenge(one, other))
            .await
            .invalid("opponent");
    }
    let stranger = super::accounts::register(&server, "stranger").await.1;
    let own = json!({"opponent": members[0]});
    server
        .post(&format!("{}/challenges", run.path), &stranger, own)
        .await
        .problem(403, "forbidden");
    run.post("challenges", challenge(2, 0)).await.ok(201);
    run.post("challenges", challenge(1, 0))
        .await
        .invalid("opponent");
    let body = run.post("challenges", challenge(4, 3)).await.ok(201);
    assert_eq!(array(&body["seasons"][0]["challenges"]).len(), 2);
    assert_contains(&run.page().await, "has challenged");
    let withdraw = format!("{}/challenges/{}", run.path, members[4]);
    server
        .delete(&withdraw, &stranger)
        .await
        .problem(403, "forbidden");
    server.delete(&withdraw, &run.organizer).await.ok(200);
    server.delete(&withdraw, &run.organizer).await.not_found();
    let wanted = json!({"seed": "x", "rounds": 1, "size": 2});
    let paired = run.post("pairing", wanted.clone()).await.ok(200);
    assert_eq!(array(&paired["rounds"][0]["tables"]).len(), 1);
    let seats = json!([{"member": members[2], "rank": 1}, {"member": members[0], "rank": 2}]);
    run.post("results", json!({"edition": "antike", "seats": seats}))
        .await
        .ok(201);
    assert_eq!(order().await, [2, 1, 0, 3, 4]);
    run.post("pairing", wanted).await.invalid("members");
    let far = json!([{"member": members[4], "rank": 1}, {"member": members[1], "rank": 2}]);
    run.post("results", json!({"edition": "antike", "seats": far}))
        .await
        .invalid("seats");
    let near = json!([{"member": members[4], "rank": 1}, {"member": members[0], "rank": 2}]);
    run.post("results", json!({"edition": "antike", "seats": near}))
        .await
        .ok(201);
    assert_eq!(order().await, [2, 1, 4, 3, 0]);
    run.post("tables/1/corrections", json!({"type": "void"}))
        .await
        .ok(201);
    assert_eq!(order().await, [4, 1, 2, 3, 0]);
    // The next ladder goes on where this one ends.
    run.post("seasons", json!({"name": "Summer"})).await.ok(201);
    assert_eq!(order().await, [4, 1, 2, 3, 0]);
    run.put(
        "divisions",
        json!({"moves": 0, "divisions": [{"name": "A", "members": []}]}),
    )
    .await
    .invalid("divisions");
    run.put("teams", json!({"teams": [{"name": "A", "members": []}]}))
        .await
        .invalid("teams");
    assert_recomputed(&server, &run.path).await;
}
