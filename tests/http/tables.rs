//! Games of accounts: who sees them, may claim their seats and organizes them; and the next game of the players.

use api::games::model::Visibility;
use api::http::limits::options::Limits;
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{Answer, TestServer, array, text, turn};

/// A game of Antike of two people, the first of whom begins, and two bots.
fn game(first: Value, second: Value, more: Value) -> Value {
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    let person = |nation: &str, player: Value| json!({"nations": [nation], "player": player});
    let mut game = json!({"edition": "antike", "board": "antike-east", "first": 0, "max_rounds": 60,
        "seats": [person("greeks", first), person("phoenicians", second), bot("persians"),
            bot("arabs")]});
    for (name, value) in more.as_object().unwrap() {
        game[name] = value.clone();
    }
    game
}

fn id(handle: &str) -> Value {
    json!({ "id": handle })
}

async fn create(server: &TestServer, token: &str, game: Value) -> String {
    let created = server.create("/v1/games", token, game).await;
    text(&created["id"])
}

async fn get(server: &TestServer, path: &str, token: &str) -> Answer {
    server.get_with(path, token).await
}

async fn ids(server: &TestServer, path: &str, token: &str) -> Vec<String> {
    let page = get(server, path, token).await.ok(200);
    let games = array(&page["items"]);
    games.iter().map(|game| text(&game["id"])).collect()
}

const RANKS: [u8; 4] = [1, 2, 3, 4];

#[tokio::test]
async fn players_find_the_games_that_wait_for_them() {
    let server = TestServer::start();
    let (dido, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let new = game(id("dido"), id("hanno"), json!({}));
    let played = create(&server, &of_dido, new.clone()).await;
    let open = create(&server, &of_dido, new).await;
    let path = format!("/v1/games/{played}");
    let waiting = "/v1/me/games?waiting=true";
    assert_eq!(
        ids(&server, "/v1/me/games", &of_dido).await,
        [&*open, &played]
    );
    // A game with open seats waits for no player, and an invited player is not in the game yet.
    assert!(ids(&server, waiting, &of_dido).await.is_empty());
    assert!(ids(&server, "/v1/me/games", &of_hanno).await.is_empty());
    let seat = format!("{path}/seats/1");
    server.create(&seat, &of_hanno, json!({})).await;
    assert_eq!(ids(&server, waiting, &of_dido).await, [&*played]);
    assert!(ids(&server, waiting, &of_hanno).await.is_empty());
    let body = server.read(&path).await;
    assert_eq!(body["pending"][0]["seat"], 0);
    let of_list = async || {
        let list = server.read("/v1/games?status=running").await;
        list["items"][0]["pending"].clone()
    };
    assert_eq!(of_list().await, body["pending"]);
    let actions = format!("{path}/actions");
    server.create(&actions, &of_dido, turn("iron")).await;
    assert!(ids(&server, waiting, &of_dido).await.is_empty());
    assert_eq!(ids(&server, waiting, &of_hanno).await, [&*played]);
    assert_eq!(of_list().await[0]["seat"], 1);

    let games = format!("/v1/players/{hanno}/games");
    assert_eq!(ids(&server, &games, "").await, [&*played]);
    let first = "/v1/players/Dido/games?limit=1";
    assert_eq!(ids(&server, first, "").await, [&*open]);
    let cursor = text(&server.read(first).await["next"]);
    let next = format!("/v1/players/{dido}/games?cursor={cursor}");
    assert_eq!(ids(&server, &next, "").await, [&*played]);
    let none = format!("{games}?edition=antike_ii");
    let none = server.get(&none).await;
    assert_eq!(none.ok(200)["items"], json!([]));
    server.get("/v1/players/unknown/games").await.not_found();
    get(&server, waiting, "").await.unauthenticated();
}

/// Returns the method and path of each operation on a game, from the specification.
async fn operations(server: &TestServer) -> Vec<(reqwest::Method, String)> {
    let spec = server.read("/openapi.json").await;
    let mut operations = Vec::new();
    for (path, item) in spec["paths"].as_object().unwrap() {
        if !path.starts_with("/v1/games/{game}") {
            continue;
        }
        let path = path
            .replace("{seat}", "1")
            .replace("{player}", "dido")
            .replace("{seq}", "0")
            .replace("{from}", "0")
            .replace("{to}", "0");
        let rest = path.trim_start_matches("/v1/games/{game}");
        assert!(
            !rest.contains('{'),
            "{path} has a part that is not known here"
        );
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if item.get(method.to_lowercase()).is_some() {
                operations.push((method.parse().unwrap(), path.clone()));
            }
        }
    }
    assert!(operations.len() > 15, "{operations:?}");
    operations
}

#[tokio::test]
async fn a_private_game_does_not_exist_for_strangers() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (_, of_mago) = register(&server, "mago").await;
    let private = json!({"visibility": "private", "league": "secret"});
    let secret = create(&server, &of_dido, game(id("dido"), id("hanno"), private)).await;
    let missing = uuid::Uuid::now_v7().to_string();
    for token in ["", &of_mago] {
        for (method, path) in operations(&server).await {
            let ask = async |game: &str| {
                let request = server.with(method.clone(), &path.replace("{game}", game), token);
                let request = match method == reqwest::Method::GET {
                    true => request,
                    false => request.json(&json!({})),
                };
                let answer = super::support::send(request).await;
                (answer.status, answer.text.replace(game, "GAME"))
            };
            let (answered, expected) = (ask(&secret).await, ask(&missing).await);
            assert!(answered.0 >= 400, "{method} {path}: {answered:?}");
            let without_trace = |(status, text): (u16, String)| {
                let problem: Value = serde_json::from_str(&text).unwrap_or_default();
                (status, problem["code"].clone(), problem["detail"].clone())
            };
            assert_eq!(
                without_trace(answered),
                without_trace(expected),
                "{method} {path} as {token:?}"
            );
            if method == reqwest::Method::GET {
                assert_eq!(ask(&secret).await.0, 404, "{path}");
            }
        }
        for list in [
            "/v1/games".to_owned(),
            "/v1/games?player=random".to_owned(),
            "/v1/games?name=dido".to_owned(),
            "/v1/events".to_owned(),
            "/v1/players/dido/games".to_owned(),
            format!("/v1/players/{hanno}/games"),
        ] {
            let answer = get(&server, &list, token).await;
            assert_eq!(answer.status, 200, "{list}: {}", answer.text);
            assert!(!answer.text.contains(&secret), "{list} as {token:?}");
        }
        let cursor = get(&server, &format!("/v1/games?cursor={secret}"), token).await;
        cursor.problem(422, "invalid_parameter");
    }
    for list in ["/v1/games", "/v1/games/count", "/v1/events"] {
        let unknown = server.get(&format!("{list}?league=secret")).await;
        unknown.problem(422, "invalid_parameter");
    }
    // The players and the invited player see the game.
    let path = format!("/v1/games/{secret}");
    for token in [&of_dido, &of_hanno] {
        let body = get(&server, &path, token).await.ok(200);
        assert_eq!(body["visibility"], "private");
        assert_eq!(body["claims"], "invited");
        get(&server, &format!("{path}/events"), token).await.ok(200);
    }
    assert_eq!(ids(&server, "/v1/me/games", &of_dido).await, [&*secret]);
    assert_eq!(
        ids(&server, "/v1/players/dido/games", &of_dido).await,
        [&*secret]
    );
    // The finished game counts nowhere.
    server
        .create(&format!("{path}/seats/1"), &of_hanno, json!({}))
        .await;
    server.adjudicate(&path, &of_dido, &RANKS).await;
    let finished = |shown| server.games().records.finished_after(0, 10, shown).unwrap();
    assert!(finished(Visibility::COUNTED).is_empty());
    assert_eq!(finished(Visibility::ALL)[0].0, secret);
    get(&server, &format!("{path}/record"), &of_mago)
        .await
        .not_found();
    get(&server, &format!("{path}/record"), &of_hanno)
        .await
        .ok(200);
}

#[tokio::test]
async fn searches_and_webhooks_respect_visibility() {
    let server = TestServer::with_limits(Limits {
        webhooks_to_loopback: true,
        ..Limits::unmetered()
    });
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_mago) = register(&server, "mago").await;
    let mut made = Vec::new();
    for visibility in ["private", "unlisted", "public"] {
        let more = json!({ "visibility": visibility });
        let new = game(id("dido"), json!({"placeholder": "Hanno"}), more);
        made.push(create(&server, &of_dido, new).await);
    }
    let watch = async |token: &str, game: &str| {
        let body = json!({"url": "http://127.0.0.1:9999/hook", "events": ["game_finished"],
            "for": {"game": game}});
        server.post("/v1/webhooks", token, body).await
    };
    watch(&of_mago, &made[0]).await.not_found();
    watch(&of_mago, &made[1]).await.ok(201);
    watch(&of_dido, &made[0]).await.ok(201);
    for game in &made {
        let seat = format!("/v1/games/{game}/seats/0");
        server.post(&seat, &of_dido, json!({})).await;
        let path = format!("/v1/games/{game}");
        server.adjudicate(&path, &of_dido, &RANKS).await;
    }
    // They become searchable in the order in which they ended.
    let found = |count: &Value| count["count"] == 1;
    server.wait_for("/v1/games/count?sort=length", found).await;
    assert_eq!(
        ids(&server, "/v1/games?sort=length", &of_dido).await,
        [&*made[2]]
    );
}

#[tokio::test]
async fn a_game_with_tokens_of_its_own_can_be_private() {
    let server = TestServer::start();
    let new = game(
        json!({"placeholder": "Dido"}),
        json!({"placeholder": "Hanno"}),
        json!({"visibility": "private"}),
    );
    let (path, created) = server.create_game("", new).await;
    let tokens = &created["tokens"];
    for token in [
        &tokens["organizer"],
        &tokens["seats"]["0"],
        &tokens["seats"]["1"],
    ] {
        get(&server, &path, &text(token)).await.ok(200);
    }
    server.get(&path).await.not_found();
    server
        .create(
            &format!("{path}/actions"),
            &text(&tokens["seats"]["0"]),
            turn("iron"),
        )
        .await;
}

#[tokio::test]
async fn an_unlisted_game_is_visible_by_its_id() {
    let server = TestServer::start();
    let new = game(
        json!("open"),
        json!("open"),
        json!({"visibility": "unlisted"}),
    );
    let unlisted = create(&server, "", new).await;
    let open = create(&server, "", game(json!("open"), json!("open"), json!({}))).await;
    let path = format!("/v1/games/{unlisted}");
    assert_eq!(server.read(&path).await["claims"], "open");
    server
        .create(&format!("{path}/seats/0"), "", json!({}))
        .await;
    assert_eq!(ids(&server, "/v1/games", "").await, [&*open]);
    let events = server.read("/v1/events").await.to_string();
    assert!(
        events.contains(&open) && !events.contains(&unlisted),
        "{events}"
    );
    let bad = game(
        json!("open"),
        json!("open"),
        json!({"visibility": "hidden"}),
    );
    server
        .post("/v1/games", "", bad)
        .await
        .problem(422, "invalid_body");
}

#[tokio::test]
async fn the_stream_of_all_games_contains_public_games_only() {
    let server = TestServer::start();
    let request = server.request(reqwest::Method::GET, "/v1/events?after=latest");
    let mut stream = super::support::Stream::open(request).await;
    for visibility in ["private", "unlisted"] {
        let new = game(
            json!("open"),
            json!("open"),
            json!({ "visibility": visibility }),
        );
        create(&server, "", new).await;
    }
    let open = create(&server, "", game(json!("open"), json!("open"), json!({}))).await;
    assert_eq!(stream.next().await.data["game"], open);
}

#[tokio::test]
async fn seats_can_be_for_invited_players_only() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let new = game(json!("open"), id("hanno"), json!({"claims": "invited"}));
    let game = create(&server, &of_dido, new).await;
    let seat = |number: u8| format!("/v1/games/{game}/seats/{number}");
    for (number, token) in [(0, ""), (0, &*of_hanno), (0, &of_dido), (1, &of_dido)] {
        let refused = server.post(&seat(number), token, json!({})).await;
        refused.forbidden();
    }
    server.create(&seat(1), &of_hanno, json!({})).await;
    // The organizer can take a seat, and invite others.
    let sits = server
        .put(&seat(0), &of_dido, json!({"player": {"id": "dido"}}))
        .await;
    assert_eq!(sits.ok(200)["game"]["status"], "running");
}

#[tokio::test]
async fn the_organizer_of_a_game_can_be_replaced() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let new = game(
        json!({"placeholder": "A"}),
        json!({"placeholder": "B"}),
        json!({}),
    );
    let created = server.create("/v1/games", "", new).await;
    let old = text(&created["tokens"]["organizer"]);
    let path = format!("/v1/games/{}", text(&created["id"]));
    let organizer = format!("{path}/organizer");
    let put = async |token: &str, named: &str| server.put(&organizer, token, id(named)).await;
    put(&of_dido, "dido").await.forbidden();
    put("", "dido").await.unauthenticated();
    put(&old, "unknown").await.invalid("id");
    put(&old, "dido").await.ok(200);
    put(&old, "hanno").await.unauthenticated();
    let replace = async |token: &str| {
        let bot = json!({"player": {"bot": "random"}});
        server.put(&format!("{path}/seats/1"), token, bot).await
    };
    replace(&of_hanno).await.forbidden();
    put(&of_dido, "hanno").await.ok(200);
    replace(&of_dido).await.forbidden();
    replace(&of_hanno).await.ok(200);
    let server = server.restart();
    server.adjudicate(&path, &of_hanno, &RANKS).await;
    let late = server.put(&organizer, &of_hanno, id("dido")).await;
    late.problem(409, "game_over");
}

#[tokio::test]
async fn a_rematch_moves_each_player_to_the_next_seat() {
    let server = TestServer::start();
    let (dido, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (_, of_mago) = register(&server, "mago").await;
    let new = game(
        id("dido"),
        id("hanno"),
        json!({"variants": ["military"], "league": "cup"}),
    );
    let path = format!("/v1/games/{}", create(&server, &of_dido, new).await);
    server
        .create(&format!("{path}/seats/1"), &of_hanno, json!({}))
        .await;
    let again = format!("{path}/rematch");
    let ask = async |token: &str| server.post(&again, token, json!({})).await;
    ask(&of_hanno).await.problem(409, "not_finished");
    server.adjudicate(&path, &of_dido, &RANKS).await;
    ask("").await.unauthenticated();
    ask(&of_mago).await.forbidden();
    let before = server.get(&path).await;
    assert_eq!(before.ok(200)["rematch"], Value::Null);

    let answer = ask(&of_hanno).await;
    let next = answer.ok(201);
    let id = text(&next["id"]);
    assert_eq!(answer.header("location"), format!("/v1/games/{id}"));
    for same in [
        "edition",
        "board",
        "variants",
        "league",
        "max_rounds",
        "visibility",
    ] {
        assert_eq!(next[same], before.json()[same], "{same}");
    }
    let seat = |number: usize| next["seats"][number].clone();
    let nations: Vec<Value> = (0..4)
        .map(|number| seat(number)["nations"][0].clone())
        .collect();
    assert_eq!(
        json!(nations),
        json!(["greeks", "phoenicians", "persians", "arabs"])
    );
    assert_eq!(seat(0)["player"], json!({"kind": "bot", "name": "random"}));
    assert_eq!(seat(1)["invited"], dido);
    assert_eq!(seat(2)["player"]["id"], hanno);
    assert_eq!(next["status"], "open");

    // There is only one rematch, whichever player requests it.
    for token in [&of_hanno, &of_dido] {
        let same = ask(token).await.ok(200);
        assert_eq!(text(&same["id"]), id);
        assert_eq!(same["tokens"], json!({"organizer": null, "seats": {}}));
    }
    let after = server.get(&path).await;
    assert_eq!(after.ok(200)["rematch"], id);
    assert_ne!(after.header("etag"), before.header("etag"));
    // The rematch does not change the signed record of the game.
    let finished = server
        .games()
        .records
        .finished_after(0, 10, Visibility::ALL);
    assert_eq!(finished.unwrap().len(), 1);
    let server = server.restart();
    assert_eq!(server.read(&path).await["rematch"], id);
    let sits = server
        .post(&format!("/v1/games/{id}/seats/1"), &of_dido, json!({}))
        .await;
    assert_eq!(sits.ok(201)["game"]["status"], "running");
}

#[tokio::test]
async fn a_guest_plays_a_rematch_with_a_new_token() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    server
        .adjudicate(&playing.path, &playing.organizer, &RANKS)
        .await;
    let again = playing.at("rematch");
    server
        .post(&again, &playing.organizer, json!({}))
        .await
        .forbidden();
    let next = server.create(&again, &playing.token, json!({})).await;
    let path = format!("/v1/games/{}", text(&next["id"]));
    // The bots play again, so that no seat is open.
    assert_eq!(next["status"], "running");
    assert_eq!(next["seats"][1]["player"]["name"], "Hanno");
    let token = text(&next["tokens"]["seats"]["1"]);
    assert_ne!(token, playing.token);
    let orders = format!("{path}/seats/1/orders");
    assert_eq!(get(&server, &orders, &token).await.ok(200), json!([]));
    get(&server, &orders, &playing.token).await.forbidden();
    let organizer = text(&next["tokens"]["organizer"]);
    server.adjudicate(&path, &organizer, &RANKS).await;
    let same = server.post(&again, &playing.token, json!({})).await.ok(200);
    assert_eq!(same["tokens"], json!({"organizer": null, "seats": {}}));
}
