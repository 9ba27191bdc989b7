//! Lists of games: their order, their filters, and how the database finds them.

use api::games::model::Status;
use api::games::queries::cursor::Order;
use api::games::queries::lists::GameFilter;
use serde_json::{Value, json};
use uuid::Uuid;

use super::accounts::register;
use super::support::{Database, TestServer, array, text};

fn bots(league: &str, names: [&str; 3]) -> Value {
    let seat = |name: &str| json!({"player": {"bot": name}});
    json!({"edition": "antike", "board": "antike-east", "league": league, "max_rounds": 1,
        "seats": names.map(seat)})
}

#[tokio::test]
async fn a_list_starts_with_the_newest_game() {
    let server = TestServer::start();
    let mut made = Vec::new();
    for league in ["one", "two", "one", "one", "two"] {
        let game = bots(league, ["random", "random", "greedy"]);
        made.push(text(&server.create("/v1/games", "", game).await["id"]));
    }
    made.reverse();
    for (query, wanted) in [
        ("", vec![0, 1, 2, 3, 4]),
        ("&league=one", vec![1, 2, 4]),
        ("&player=greedy&league=two", vec![0, 3]),
        ("&player=random&since=2020-01-01", vec![0, 1, 2, 3, 4]),
        ("&until=2020-01-01", vec![]),
        ("&player=search", vec![]),
        ("&edition=antike_ii", vec![]),
    ] {
        let found = server.items(&format!("/v1/games?limit=2{query}")).await;
        let found: Vec<String> = found.iter().map(|game| text(&game["id"])).collect();
        let wanted: Vec<&String> = wanted
            .into_iter()
            .map(|place: usize| &made[place])
            .collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{query}");
        let count = server
            .read(&format!("/v1/games/count?limit=1{query}"))
            .await;
        assert_eq!(
            count,
            json!({"count": wanted.len(), "exact": true}),
            "{query}"
        );
    }
    for unknown in ["00000000-0000-7000-8000-000000000000", "c1", "cx.1", "l1.1"] {
        let unknown = format!("/v1/games?cursor={unknown}");
        server.get(&unknown).await.invalid("cursor");
    }
}

/// The list of a player lacks the games that the player has left.
#[tokio::test]
async fn a_list_of_a_player_follows_the_seats() {
    let server = TestServer::start();
    let mut game = bots("one", ["random", "random", "random"]);
    let (hanno, token) = register(&server, "hanno").await;
    game["seats"][0] = json!({"player": {"id": "hanno"}});
    let game = server.create("/v1/games", &token, game).await;
    let count = async |player: &str| {
        let path = format!("/v1/games/count?player={player}");
        server.read(&path).await["count"].clone()
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
    // One of the bots still plays.
    assert_eq!(
        (count(&hanno).await, count("random").await),
        (json!(1), json!(1))
    );
    replace(2, json!({"placeholder": "Dido"})).await;
    assert_eq!(count("random").await, json!(0));
}

/// The lists of a player show the changes of a game.
#[tokio::test]
async fn a_list_of_a_player_follows_the_game() {
    let server = TestServer::start();
    let (hanno, token) = register(&server, "hanno").await;
    let mut game = bots("one", ["random", "random", "random"]);
    game["seats"][0] = json!({"player": {"id": "hanno"}});
    let game = server.create("/v1/games", &token, game).await;
    let count = async |query: &str| {
        let path = format!("/v1/games/count?{query}");
        server.read(&path).await["count"].clone()
    };
    let all = "edition=antike&board=antike-east&league=one";
    for player in [&hanno, "random"] {
        let of = format!("player={player}&{all}");
        assert_eq!(count(&format!("{of}&status=running")).await, json!(1));
        assert_eq!(count(&format!("{of}&status=finished")).await, json!(0));
    }
    let path = format!("/v1/games/{}/actions", text(&game["id"]));
    let resign = json!({"type": "resign"});
    server.create(&path, &token, resign).await;
    let path = format!("/v1/games/{}", text(&game["id"]));
    server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    for player in [&hanno, "random"] {
        let of = format!("player={player}&{all}");
        assert_eq!(count(&format!("{of}&status=running")).await, json!(0));
        assert_eq!(count(&format!("{of}&status=finished")).await, json!(1));
    }
}

/// Tries each pair of filters in each order: the list uses the index of the more selective one, without sorting.
#[tokio::test]
async fn every_list_follows_an_index_in_its_order() {
    type Set = fn(&mut GameFilter);
    // The most selective first, each with the index that serves it.
    let filters: [(&str, &str, Set); 13] = [
        ("name", "players_name_", |all| {
            all.name = Some("hanno".to_owned())
        }),
        ("player", "players_", |all| {
            all.player = Some(Uuid::nil().to_string())
        }),
        ("winner", "players_winner_", |all| {
            all.winner = Some(Uuid::nil().to_string())
        }),
        ("league", "games_league_", |all| {
            all.league = Some("one".to_owned())
        }),
        ("bot", "players_", |all| {
            all.player = Some("greedy".to_owned())
        }),
        ("nation and opening", "players_nation_opening_", |all| {
            all.nation = Some("greeks".to_owned());
            all.opening = Some("growth");
        }),
        ("winning nation", "players_winning_nation_", |all| {
            all.winning_nation = Some("romans".to_owned());
        }),
        ("status", "games_status_", |all| {
            all.status = Some(Status::Running)
        }),
        ("reason", "games_reason_", |all| all.reason = Some("goal")),
        ("board", "games_board_", |all| {
            all.board = Some("antike-east".to_owned())
        }),
        ("edition", "games_edition_", |all| {
            all.edition = Some("antike".to_owned())
        }),
        ("finished", "games_", |all| {
            all.status = Some(Status::Finished)
        }),
        ("none", "games_", |_| {}),
    ];
    let server = TestServer::start();
    let store = server.games().store();
    for (order, ending) in [
        (Order::Created, "created"),
        (Order::Ended, "ended"),
        (Order::Longest, "rounds"),
    ] {
        for (at, (name, index, set)) in filters.iter().enumerate() {
            if *name == "status" && order != Order::Created {
                continue;
            }
            for (_, _, other) in &filters[at..] {
                let mut filter = GameFilter {
                    only_public: true,
                    order,
                    ..GameFilter::default()
                };
                other(&mut filter);
                set(&mut filter);
                let plan = store.list_plan(&filter).unwrap().join("\n");
                if let Database::Postgres { .. } = server.database {
                    assert!(!plan.contains("Seq Scan"), "{filter:?}\n{plan}");
                    continue;
                }
                assert!(!plan.contains("SCAN"), "{filter:?}\n{plan}");
                assert!(!plan.contains("TEMP B-TREE"), "{filter:?}\n{plan}");
                let index = format!("INDEX {index}{ending} (");
                assert!(plan.contains(&index), "{name}: {filter:?}\n{plan}");
            }
        }
    }
}

/// SQLite stores any value, including one that cannot be read back.
#[tokio::test]
async fn a_damaged_game_leaves_the_rest_of_its_page_readable() {
    let server = TestServer::start();
    let mut made = Vec::new();
    for _ in 0..4 {
        let game = bots("one", ["random", "random", "random"]);
        let game = server.create("/v1/games", "", game).await;
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
    let page = server.read("/v1/games").await;
    let ids = |list: &Value| -> Vec<String> { array(list).iter().map(text).collect() };
    assert_eq!(array(&page["items"]).len(), 1);
    assert_eq!(page["items"][0]["id"], made[3]);
    let mut damaged = ids(&page["damaged"]);
    damaged.sort();
    assert_eq!(damaged, made[..3]);
    assert_eq!(server.read("/v1/games/count").await["count"], 4);
    let again = server.restart();
    for id in &made[..3] {
        let answer = again.get(&format!("/v1/games/{id}")).await;
        answer.problem(500, "damaged");
        assert_eq!(answer.header("retry-after"), "");
    }
    again.read(&format!("/v1/games/{}", made[3])).await;
}

#[tokio::test]
async fn unknown_names_in_filters_are_refused_with_the_known_names() {
    let server = TestServer::start();
    for path in ["/v1/games", "/v1/games/count"] {
        let answer = server.get(&format!("{path}?edition=nope")).await;
        let problem = answer.invalid("edition");
        let detail = "\"nope\" is unknown: use one of antike, antike_duellum, antike_ii";
        assert_eq!(problem["detail"], detail);
        let answer = server.get(&format!("{path}?board=east")).await;
        let problem = answer.invalid("board");
        assert!(text(&problem["detail"]).contains("antike-east, antike-ii-"));
        // Everything that is unknown is named at once.
        let answer = server
            .get(&format!("{path}?board=east&edition=nope&nation=trojans"))
            .await;
        let problem = answer.invalid("edition");
        let fields = array(&problem["errors"])
            .iter()
            .map(|error| &error["field"]);
        assert_eq!(fields.collect::<Vec<_>>(), ["edition", "board", "nation"]);
    }
}

#[tokio::test]
async fn people_are_found_by_the_beginning_of_their_names() {
    let server = TestServer::start();
    let open = json!({"player": "open"});
    let seats = [open.clone(), open, json!({"player": {"bot": "random"}})];
    let mut made = Vec::new();
    for names in [["Hanno", "Hannibal"], ["HANNO", "Dido"], ["Élissa", "dido"]] {
        let game = json!({"edition": "antike", "board": "antike-east", "seats": seats});
        let game = server.create("/v1/games", "", game).await;
        for (seat, name) in names.iter().enumerate() {
            let path = format!("/v1/games/{}/seats/{seat}", text(&game["id"]));
            server.create(&path, "", json!({"name": name})).await;
        }
        made.push(game);
    }
    let find = async |query: &str| {
        let page = server.read(&format!("/v1/games?{query}")).await;
        let count = server.get(&format!("/v1/games/count?{query}")).await;
        let items = array(&page["items"]);
        assert_eq!(count.ok(200)["count"], items.len());
        let place = |game: &Value| made.iter().position(|one| one["id"] == game["id"]).unwrap();
        items.iter().map(place).collect::<Vec<usize>>()
    };
    // Each game once, newest first.
    assert_eq!(find("name=hann").await, [1, 0]);
    assert_eq!(find("name=HANNI").await, [0]);
    assert_eq!(find("name=Dido&player=random").await, [2, 1]);
    assert_eq!(find("name=%C3%89l").await, [2]);
    assert!(find("name=dido&player=greedy").await.is_empty());
    assert!(find("name=nido").await.is_empty());
    assert!(
        find("name=random").await.is_empty(),
        "a bot is found by player"
    );
    let first = server.read("/v1/games?name=d&limit=1").await;
    assert_eq!(first["items"][0]["id"], made[2]["id"]);
    let next = format!("/v1/games?name=d&cursor={}", text(&first["next"]));
    let next = server.read(&next).await;
    assert_eq!(
        (&next["items"][0]["id"], &next["next"]),
        (&made[1]["id"], &Value::Null)
    );
    let both = server.read("/v1/games?name=hann&limit=2").await;
    assert_eq!(
        both["next"],
        Value::Null,
        "a game with two such names counts once"
    );
    // Each page searches one game of each name, and still no game is shown twice.
    let filter = GameFilter {
        name: Some("hann".to_owned()),
        edition: Some("antike".to_owned()),
        ..GameFilter::default()
    };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = (server.games().store())
            .games_among(&filter, after, 5, 1)
            .unwrap();
        found.extend(page.games.iter().map(|(game, _)| json!(game.id)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, [1, 0].map(|place: usize| made[place]["id"].clone()));
    for bad in ["name=", &format!("name={}", "a".repeat(65))] {
        let problem = server.get(&format!("/v1/games?{bad}")).await;
        problem.invalid("name");
    }
    // Accounts are found by their handles.
    let (id, token) = register(&server, "Himilco").await;
    let seats = [
        json!({"player": {"id": id}}),
        json!({"player": {"bot": "random"}}),
        json!({"player": {"bot": "random"}}),
    ];
    let game = json!({"edition": "antike", "board": "antike-east", "seats": seats});
    let game = server.create("/v1/games", &token, game).await;
    let found = server.read("/v1/games?name=himi").await;
    assert_eq!(found["items"][0]["id"], game["id"]);
    let count = server.read("/v1/games/count?name=Himilco").await;
    assert_eq!(count["count"], 1);
    // A player who has left is not found.
    let path = format!("/v1/games/{}/seats/1", text(&made[1]["id"]));
    let organizer = text(&made[1]["tokens"]["organizer"]);
    let bot = json!({"player": {"bot": "random"}});
    server.put(&path, &organizer, bot).await.ok(200);
    assert_eq!(find("name=dido").await, [2]);
    let many: Vec<String> = (0..21)
        .map(|number| format!("(1, {number} + 100, 'x', 'many {number:02}', 1, 1)"))
        .collect();
    let rows = format!(
        "INSERT INTO game_players (game, seat, player, name, public, created_at) VALUES {}",
        many.join(", ")
    );
    server.database.execute(&rows);
    let problem = server.get("/v1/games?name=many").await;
    let problem = problem.problem(422, "invalid_parameter");
    assert_eq!(
        problem["detail"],
        "more than 20 names start with this text: give more letters of the name"
    );
    server.read("/v1/games?name=many%201").await;
}
