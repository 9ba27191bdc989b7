//! Lists of games: their order, their filters, and how the database finds them.

use api::store::{GameFilter, Status};
use serde_json::{Value, json};

use crate::accounts::register;
use crate::support::{Database, TestServer, text};

fn bots(league: &str, names: [&str; 3]) -> Value {
    let seat = |name: &str| json!({"player": {"bot": name}});
    json!({"edition": "antike", "board": "antike-east", "league": league, "max_rounds": 1,
        "seats": names.map(seat)})
}

#[tokio::test]
async fn a_list_goes_from_the_newest_game_on() {
    let server = TestServer::start();
    let mut made = Vec::new();
    for league in ["one", "two", "one", "one", "two"] {
        let game = bots(league, ["random", "random", "greedy"]);
        made.push(text(
            &server.post("/v1/games", "", game).await.ok(201)["id"],
        ));
    }
    made.reverse();
    for (query, wanted) in [
        ("", vec![0, 1, 2, 3, 4]),
        ("&league=one", vec![1, 2, 4]),
        ("&player=greedy&league=two", vec![0, 3]),
        ("&player=random&since=2020-01-01", vec![0, 1, 2, 3, 4]),
        ("&until=2020-01-01", vec![]),
        ("&player=nobody", vec![]),
        ("&edition=antike_ii", vec![]),
    ] {
        let mut found = Vec::new();
        let mut next = String::new();
        loop {
            let page = server
                .get(&format!("/v1/games?limit=2{query}{next}"))
                .await
                .ok(200);
            let items = page["items"].as_array().unwrap();
            found.extend(items.iter().map(|game| text(&game["id"])));
            match page["next"].as_str() {
                Some(cursor) => next = format!("&cursor={cursor}"),
                None => break,
            }
        }
        let wanted: Vec<&String> = wanted
            .into_iter()
            .map(|place: usize| &made[place])
            .collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{query}");
        let count = server
            .get(&format!("/v1/games/count?limit=1{query}"))
            .await
            .ok(200);
        assert_eq!(
            count,
            json!({"count": wanted.len(), "exact": true}),
            "{query}"
        );
    }
    let unknown = "/v1/games?cursor=00000000-0000-7000-8000-000000000000";
    let problem = server.get(unknown).await.problem(422, "invalid_body");
    assert_eq!(problem["field"], "cursor");
}

/// Who leaves the table is not found at it any more.
#[tokio::test]
async fn a_list_of_a_player_follows_the_seats() {
    let server = TestServer::start();
    let mut game = bots("one", ["random", "random", "random"]);
    let (hanno, token) = register(&server, "hanno").await;
    game["seats"][0] = json!({"player": {"id": "hanno"}});
    let game = server.post("/v1/games", &token, game).await.ok(201);
    let count = async |player: &str| {
        let path = format!("/v1/games/count?player={player}");
        server.get(&path).await.ok(200)["count"].clone()
    };
    assert_eq!(
        (count(&hanno).await, count("random").await),
        (json!(1), json!(1))
    );
    let replace = async |seat: u8, player: Value| {
        let path = format!("/v1/games/{}/seats/{seat}", text(&game["id"]));
        let body = json!({"player": player});
        server.put(&path, &token, body).await.ok(200)["game"]["seats"][usize::from(seat)]["player"]
            ["id"]
            .clone()
    };
    let mago = text(&replace(0, json!({"placeholder": "Mago"})).await);
    assert_eq!(
        (count(&hanno).await, count(&mago).await),
        (json!(0), json!(1))
    );
    replace(1, json!({"id": "hanno"})).await;
    // One of the bots is still there.
    assert_eq!(
        (count(&hanno).await, count("random").await),
        (json!(1), json!(1))
    );
    replace(2, json!({"placeholder": "Dido"})).await;
    assert_eq!(count("random").await, json!(0));
}

#[tokio::test]
async fn every_filter_has_an_index_in_the_order_of_the_list() {
    let server = TestServer::start();
    let store = server.games().store();
    let all = GameFilter {
        edition: Some("antike".to_owned()),
        board: Some("antike-east".to_owned()),
        player: Some("greedy".to_owned()),
        league: Some("one".to_owned()),
        since: Some(1),
        until: Some(2),
        ..GameFilter::default()
    };
    // Each subset of the filters, with what most games are and with what few are.
    for chosen in 0..1_u32 << 8 {
        let on = |bit: u32| chosen & (1 << bit) != 0;
        let status = if on(7) {
            Status::Running
        } else {
            Status::Finished
        };
        let filter = GameFilter {
            edition: all.edition.clone().filter(|_| on(0)),
            board: all.board.clone().filter(|_| on(1)),
            status: Some(status).filter(|_| on(2)),
            player: all.player.clone().filter(|_| on(3)),
            league: all.league.clone().filter(|_| on(4)),
            since: all.since.filter(|_| on(5)),
            until: all.until.filter(|_| on(6)),
        };
        let plan = store.list_plan(&filter).unwrap().join("\n");
        let whole = match server.database {
            Database::Postgres { .. } => "Seq Scan",
            _ => "SCAN",
        };
        assert!(!plan.contains(whole), "{filter:?}\n{plan}");
        if let Database::Sqlite(_) = server.database {
            assert!(!plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
            // By what says most.
            let index = match (&filter.player, &filter.league, &filter.board) {
                (Some(_), ..) => "SEARCH players USING PRIMARY KEY (player=",
                (_, Some(_), _) => "games_by_league (league=",
                _ if filter.status == Some(Status::Running) => "games_by_status (status=",
                (_, _, Some(_)) => "games_by_board (board=",
                _ if filter.edition.is_some() => "games_by_edition (edition=",
                _ => "games_in_order (created_at",
            };
            assert!(plan.contains(index), "{filter:?}\n{plan}");
        }
    }
}

/// SQLite keeps what it is given, also what cannot be read again.
#[tokio::test]
async fn a_damaged_game_does_not_take_its_page_with_it() {
    let server = TestServer::start();
    let mut made = Vec::new();
    for _ in 0..4 {
        let game = bots("one", ["random", "random", "random"]);
        let game = server.post("/v1/games", "", game).await.ok(201);
        made.push(text(&game["id"]));
        let path = format!("/v1/games/{}", text(&game["id"]));
        server
            .wait_for(&path, |game| game["status"] == "finished")
            .await;
    }
    server.database.execute(&format!(
        "UPDATE games SET result = 'none' WHERE id = '{}';
         UPDATE games SET setup = '{{}}' WHERE id = '{}';
         UPDATE seats SET kind = 'bot', name = NULL WHERE game_id = '{}'",
        made[0], made[1], made[2]
    ));
    let page = server.get("/v1/games").await.ok(200);
    let ids = |list: &Value| -> Vec<String> { list.as_array().unwrap().iter().map(text).collect() };
    assert_eq!(page["items"].as_array().unwrap().len(), 1);
    assert_eq!(page["items"][0]["id"], made[3]);
    let mut damaged = ids(&page["damaged"]);
    damaged.sort();
    assert_eq!(damaged, made[..3]);
    assert_eq!(server.get("/v1/games/count").await.ok(200)["count"], 4);
    let again = server.restart();
    for id in &made[..3] {
        let answer = again.get(&format!("/v1/games/{id}")).await;
        answer.problem(500, "damaged");
        assert_eq!(answer.header("retry-after"), "");
    }
    again.get(&format!("/v1/games/{}", made[3])).await.ok(200);
}
