//! Creating, listing, reading and cancelling games.

use super::accounts::register;
use super::support::{TestServer, array, send, text};
use reqwest::Method;
use serde_json::{Value, json};

fn new_game() -> Value {
    let bot = json!({"player": {"bot": "random"}});
    json!({"edition": "antike", "board": "antike-east", "max_rounds": 3,
        "seats": [{"player": "open"}, bot, bot, bot]})
}

fn with(field: &str, value: Value) -> Value {
    let mut body = new_game();
    body[field] = value;
    body
}

#[tokio::test]
async fn a_new_game_waits_for_its_open_seat() {
    let server = TestServer::start();
    let answer = server.post("/v1/games", "", new_game()).await;
    let game = answer.ok(201);
    assert_eq!(answer.header("etag"), "\"0\"");
    let path = format!("/v1/games/{}", text(&game["id"]));
    assert_eq!(answer.header("location"), path);
    assert_eq!((&game["status"], &game["seq"]), (&json!("open"), &json!(0)));
    assert_eq!(game["seats"][0]["player"], json!({"kind": "open"}));
    assert_eq!(
        game["seats"][1]["player"],
        json!({"kind": "bot", "name": "random"})
    );
    assert_eq!(game["pending"], json!([]));
    // Each nation is drawn once.
    let nations: Vec<&str> = (0..4)
        .map(|n| game["seats"][n]["nations"][0].as_str().unwrap())
        .collect();
    assert_eq!(
        nations
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        4
    );
    // Only this answer shows the tokens.
    assert_eq!(text(&game["tokens"]["organizer"]).len(), 49);
    let view = server.read(&path).await;
    assert_eq!(view.get("tokens"), None);
    assert_eq!(view["state"], game["state"]);
}

#[tokio::test]
async fn the_seed_is_secret_until_the_end_and_then_fits_its_commitment() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "random"}});
    let body = with("seats", json!([{"player": "open"}, bot, bot, bot]));
    let (path, game) = server.create_game("", body).await;
    let organizer = text(&game["tokens"]["organizer"]);
    assert_eq!(game["seed"], Value::Null);
    let record = server.read(&format!("{path}/record?events=true")).await;
    assert_eq!(record["setup"].get("seed"), None);
    assert_eq!(record["setup"]["seed_commitment"], game["seed_commitment"]);
    server
        .put(&format!("{path}/seats/0"), &organizer, bot)
        .await
        .ok(200);
    let over = server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    let seed = text(&over["seed"]);
    assert_eq!(
        engine::chance::seed_commitment(&seed),
        text(&game["seed_commitment"])
    );
    let record = server.read(&format!("{path}/record")).await;
    assert_eq!(record["setup"]["seed"], seed);
    assert!(!record.to_string().contains("seed_commitment"));
}

#[tokio::test]
async fn a_given_seed_is_public_and_gives_the_same_game() {
    let server = TestServer::start();
    let body = with("seed", json!("carthago"));
    let one = server.create("/v1/games", "", body.clone()).await;
    let two = server.create("/v1/games", "", body).await;
    assert_eq!(one["seed"], "carthago");
    assert_ne!(one["id"], two["id"]);
    assert_eq!(one["state"], two["state"]);
}

#[tokio::test]
async fn a_game_of_bots_plays_itself_to_the_end() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "random"}});
    let body = with("seats", json!([bot, bot, bot, bot]));
    let game = server.create("/v1/games", "", body).await;
    assert_eq!(
        (&game["status"], &game["seq"]),
        (&json!("running"), &json!(0))
    );
    let path = format!("/v1/games/{}", text(&game["id"]));
    let over = server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
    let shares = array(&over["result"]["ranks"]).iter();
    let sum: f64 = shares.map(|rank| rank["share"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}

#[tokio::test]
async fn bots_continue_after_a_restart() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "random"}});
    let mut body = with("seats", json!([bot, bot, bot, bot]));
    body["max_rounds"] = json!(40);
    let (path, _) = server.create_game("", body).await;
    let server = server.restart();
    server
        .wait_for(&path, |game| game["status"] == "finished")
        .await;
}

#[tokio::test]
async fn refused_new_games_name_the_field() {
    let server = TestServer::start();
    let seats = |count: usize| json!(vec![json!({"player": "open"}); count]);
    let cases = [
        (with("edition", json!("chess")), "edition"),
        (with("board", json!("moon")), "board"),
        (with("variants", json!(["nonsense"])), "variants[0]"),
        (with("seats", seats(1)), "seats"),
        (with("seats", seats(13)), "seats"),
        (
            with(
                "seats",
                json!([{"nations": ["martians"], "player": "open"}, {"player": "open"},
            {"player": "open"}]),
            ),
            "seats[0].nations",
        ),
        (
            with("seats", json!([{"player": {"bot": "unknown"}}])),
            "seats[0].player.bot",
        ),
        (
            with("seats", json!([{"player": {"placeholder": ""}}])),
            "seats[0].player.placeholder",
        ),
        (
            with("seats", json!([{"player": "closed"}])),
            "seats[0].player",
        ),
        (
            with("seats", json!([{"nation": [], "player": "open"}])),
            "seats[0].nation",
        ),
        (with("seats", json!(7)), "seats"),
        (with("first", json!("martians")), "first"),
        (with("max_rounds", json!(0)), "max_rounds"),
        (with("max_rounds", json!(-1)), "max_rounds"),
        (with("seed", json!("")), "seed"),
        (with("league", json!("a\u{0}b")), "league"),
        (with("colour", json!("red")), "colour"),
        (json!({"board": "antike-east", "seats": []}), "edition"),
    ];
    for (body, field) in cases {
        let answer = server.post("/v1/games", "", body.clone()).await;
        answer.invalid(field);
    }
    assert_eq!(server.read("/v1/games/count").await["count"], 0);
}

#[tokio::test]
async fn a_game_can_start_from_a_position() {
    let server = TestServer::start();
    let first = server
        .create("/v1/games", "", with("seed", json!("x")))
        .await;
    let mut body = with("position", first["state"].clone());
    body["seats"] = json!(
        (0..4)
            .map(|n| json!({
        "nations": first["seats"][n]["nations"], "player": "open"}))
            .collect::<Vec<_>>()
    );
    body["first"] = first["state"]["to_move"].clone();
    let second = server.create("/v1/games", "", body.clone()).await;
    assert_eq!(second["state"], first["state"]);
    body["position"]["bank"]["coins"] = json!(1);
    server
        .post("/v1/games", "", body.clone())
        .await
        .invalid("position.bank.coins");
    body["position"] = first["state"].clone();
    body["rated"] = json!(true);
    server.post("/v1/games", "", body).await.invalid("rated");
    let mut private = with("rated", json!(true));
    private["visibility"] = json!("private");
    let refused = server.post("/v1/games", "", private.clone()).await;
    refused.invalid("rated");
    private["visibility"] = json!("unlisted");
    server.create("/v1/games", "", private).await;
}

#[tokio::test]
async fn unknown_names_are_refused() {
    let server = TestServer::start();
    let (dido, token) = register(&server, "dido").await;
    server
        .create("/v1/games", "", with("league", json!("cup")))
        .await;
    let league = json!({"name": "Cup", "visibility": "private"});
    let league = server.create("/v1/leagues", &token, league).await;
    let league = league["id"].as_str().unwrap();
    let stranger = uuid::Uuid::now_v7();
    let finished = "reason=goal&";
    for (query, field) in [
        ("player=unknown", "player"),
        ("player=dido", "player"),
        (&*format!("player={stranger}"), "player"),
        ("winner=unknown", "winner"),
        ("league=nope", "league"),
        (&*format!("league={league}"), "league"),
        ("nation=nope", "nation"),
        ("board=nope", "board"),
    ] {
        for path in ["/v1/games?", "/v1/games/count?"] {
            for query in [query, &format!("{finished}{query}")] {
                server.get(&format!("{path}{query}")).await.invalid(field);
            }
        }
    }
    for query in [
        &*format!("player={dido}"),
        "player=search",
        "winner=random",
        "league=cup&status=finished",
        "name=unknown",
    ] {
        server.read(&format!("/v1/games?{query}")).await;
    }
    let mine = async |query: &str| {
        let path = format!("/v1/me/games?{query}");
        server.get_with(&path, &token).await
    };
    mine(&format!("league={league}")).await.ok(200);
    mine("league=nope").await.invalid("league");
}

#[tokio::test]
async fn a_repeated_creation_creates_one_game_and_shows_its_tokens_once() {
    let server = TestServer::start();
    let create = |key: &str, body: Value| {
        let request = server.request(Method::POST, "/v1/games");
        send(request.header("Idempotency-Key", key).json(&body))
    };
    let one = create("k1", new_game()).await.ok(201);
    let again = create("k1", new_game()).await;
    let path = format!("/v1/games/{}", text(&one["id"]));
    assert_eq!(again.header("location"), path);
    let problem = again.problem(409, "already_done");
    assert_eq!(problem["location"], path);
    let token = text(&one["tokens"]["organizer"]);
    assert!(!problem.to_string().contains(&token), "{problem}");
    create("k1", with("rated", json!(true)))
        .await
        .problem(422, "idempotency_conflict");
    let other = create("k2", new_game()).await.ok(201);
    assert_ne!(other["id"], one["id"]);
    // Earlier keys stay valid after a later key.
    create("k1", new_game()).await.problem(409, "already_done");
    assert_eq!(server.read("/v1/games/count").await["count"], 2);
}

#[tokio::test]
async fn a_key_belongs_to_one_path_and_one_caller() {
    let server = TestServer::start();
    let (path, tokens, organizer) = server.game_of_people().await;
    let post = async |part: &str, token: &str, body: Value| {
        let path = format!("{path}/{part}");
        let request = match token {
            "" => server.request(Method::POST, &path),
            token => server.with(Method::POST, &path, token),
        };
        send(request.header("Idempotency-Key", "k").json(&body)).await
    };
    let stone = json!({"type": "move_stone", "field": "iron"});
    post("actions", &tokens[0], stone.clone()).await.ok(201);
    // The same key on another path is another key.
    post("undo", &tokens[0], json!({"to": 0})).await.ok(201);
    // A caller without permission learns nothing about the key.
    for body in [json!({"to": 0}), json!({"to": 1})] {
        post("undo", "", body.clone()).await.unauthenticated();
        post("undo", "unknown", body.clone())
            .await
            .unauthenticated();
        post("undo", &organizer, body).await.forbidden();
    }
    post("actions", "", stone).await.unauthenticated();
}

#[tokio::test]
async fn an_unchanged_game_is_not_sent_again() {
    let server = TestServer::start();
    let (path, _) = server.create_game("", new_game()).await;
    for tags in ["\"0\"", "\"7\", \"0\"", "W/\"0\"", "*"] {
        let request = server
            .request(Method::GET, &path)
            .header("If-None-Match", tags);
        assert_eq!(send(request).await.status, 304, "{tags}");
    }
    let request = server
        .request(Method::GET, &path)
        .header("If-None-Match", "\"1\"");
    assert_eq!(send(request).await.status, 200);
}

#[tokio::test]
async fn unknown_games_are_not_found() {
    let server = TestServer::start();
    for id in ["nonsense", "0190b5a8-0000-7000-8000-000000000000"] {
        for part in ["", "/legal-actions", "/events", "/states/0", "/record"] {
            let path = format!("/v1/games/{id}{part}");
            server.get(&path).await.not_found();
        }
    }
}

#[tokio::test]
async fn lists_are_filtered_and_paged_without_loss() {
    let server = TestServer::start();
    for index in 0..5 {
        let mut body = with("league", json!(if index % 2 == 0 { "even" } else { "odd" }));
        if index == 4 {
            body["board"] = json!("antike-west");
        }
        server.create("/v1/games", "", body).await;
    }
    let count = async |query: &str| {
        let list = server.read(&format!("/v1/games?limit=1000&{query}")).await;
        let count = server.read(&format!("/v1/games/count?{query}")).await;
        let items = array(&list["items"]).len() as u64;
        assert_eq!(count["count"].as_u64().unwrap(), items, "{query}");
        items
    };
    assert_eq!(count("").await, 5);
    assert_eq!(count("league=even").await, 3);
    assert_eq!(count("board=antike-west&edition=antike").await, 1);
    assert_eq!(count("status=open").await, 5);
    assert_eq!(count("status=finished").await, 0);
    assert_eq!(count("player=random").await, 5);
    assert_eq!(count("player=search").await, 0);
    assert_eq!(count("since=2020-01-01").await, 5);
    assert_eq!(count("until=2020-01-01T00:00:00Z").await, 0);

    let all = server.read("/v1/games").await;
    let mut path = "/v1/games?limit=2&status=open".to_owned();
    let mut found = Vec::new();
    loop {
        let answer = server.get(&path).await;
        let page = answer.ok(200);
        found.extend(array(&page["items"]).clone());
        let Some(next) = page["next"].as_str() else {
            assert_eq!(answer.header("link"), "");
            break;
        };
        path = format!("/v1/games?limit=2&status=open&cursor={next}");
        assert_eq!(answer.header("link"), format!("<{path}>; rel=\"next\""));
    }
    assert_eq!(&json!(found), &all["items"]);
    assert!(
        found
            .windows(2)
            .all(|pair| text(&pair[0]["id"]) > text(&pair[1]["id"]))
    );
}

#[tokio::test]
async fn bad_queries_name_the_parameter() {
    let server = TestServer::start();
    let cases = [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("since=yesterday", "since"),
        ("cursor=x", "cursor"),
        ("colour=red", "colour"),
    ];
    for (query, field) in cases {
        for path in ["/v1/games", "/v1/games/count"] {
            server.get(&format!("{path}?{query}")).await.invalid(field);
        }
    }
    for query in ["limit=many", "status=lost"] {
        server
            .get(&format!("/v1/games?{query}"))
            .await
            .problem(422, "invalid_parameter");
    }
}

#[tokio::test]
async fn an_organizer_cancels_a_game_that_has_not_started() {
    let server = TestServer::start();
    let (path, game) = server.create_game("", new_game()).await;
    server.delete(&path, "").await.unauthenticated();
    server.delete(&path, "wrong").await.unauthenticated();
    let organizer = text(&game["tokens"]["organizer"]);
    let given_up = server.delete(&path, &organizer).await.ok(200);
    assert_eq!(
        (&given_up["status"], &given_up["seq"]),
        (&json!("abandoned"), &json!(1))
    );
    server
        .delete(&path, &organizer)
        .await
        .problem(409, "game_over");
    let claim = server.post(&format!("{path}/seats/0"), "", json!({})).await;
    claim.problem(409, "game_over");
    // The log shows the cancellation by its type, whatever its notation says.
    let events = server.read(&format!("{path}/events")).await;
    let [setup, given_up] = &array(&events["items"])[..] else {
        panic!("{events}");
    };
    assert_eq!(
        (&given_up["kind"], &given_up["notation"]),
        (&json!("abandon"), &json!("adjudicate null"))
    );
    assert_eq!(given_up["payload"], json!({"kind": "abandon"}));
    // The payload has the content of the notation, as JSON.
    let notation: Value = serde_json::from_str(setup["notation"].as_str().unwrap()).unwrap();
    for (name, value) in notation.as_object().unwrap() {
        assert_eq!(&setup["payload"]["setup"][name], value, "{name}");
    }
    assert_eq!(setup["payload"]["kind"], "setup");

    let playing = server.game_with_bots().await;
    let refused = server.delete(&playing.path, &playing.organizer).await;
    refused.problem(409, "already_started");
    server
        .delete(&playing.path, &playing.token)
        .await
        .forbidden();
}

#[tokio::test]
async fn a_count_refuses_what_a_list_refuses() {
    let server = TestServer::start();
    for query in ["limit=0", "limit=1001", "limit=-1", "since=yesterday"] {
        for path in ["/v1/games", "/v1/games/count"] {
            let answer = server.get(&format!("{path}?{query}")).await;
            let problem = answer.problem(422, "invalid_parameter");
            assert!(
                query.starts_with(problem["field"].as_str().unwrap()),
                "{problem}"
            );
        }
    }
}

#[tokio::test]
async fn the_first_player_may_be_a_nation_or_a_seat() {
    let server = TestServer::start();
    let seats = json!([{"nations": ["greeks"], "player": "open"}, {"player": "open"},
        {"player": "open"}, {"player": "open"}]);
    for seat in 0..4 {
        let mut body = with("first", json!(seat));
        // The first seat is known only after the nations are drawn.
        body["seats"] = seats.clone();
        body["seed"] = json!("drawn");
        let game = server.create("/v1/games", "", body.clone()).await;
        let nation = &game["seats"][seat]["nations"][0];
        assert_eq!(&game["state"]["to_move"], nation);
        body["first"] = nation.clone();
        let named = server.create("/v1/games", "", body).await;
        assert_eq!(named["state"], game["state"]);
        assert_eq!(named["seats"], game["seats"]);
    }
    for (first, expected) in [
        (json!(4), "no seat 4"),
        (json!(-1), "-1 is too small: use at least 0"),
        (json!(256), "256 is too large: use at most 255"),
        (json!([0]), "expected a string or an integer, not an array"),
    ] {
        let answer = server.post("/v1/games", "", with("first", first)).await;
        let problem = answer.invalid("first");
        assert!(text(&problem["detail"]).contains(expected), "{problem}");
    }
    let situation = json!({"edition": "antike", "board": "antike-east", "first": 2,
        "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]});
    let legal = server.post("/v1/engine/legal-actions", "", situation).await;
    assert_eq!(legal.ok(200)["pending"][0]["nation"], "persians");
}
