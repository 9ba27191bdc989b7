//! Accounts: registration, handles, tokens and their scopes.

use api::accounts::service::{Admission, Registration, new_account, new_token};
use api::db::Store;
use api::http::limits::options::Limits;
use api::http::scope::{Scope, Scopes};
use api::server::Config;
use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Answer, TestServer, array, eventually, send, text, turn};

/// Registers an account and returns its id and its token.
pub async fn register(server: &TestServer, handle: &str) -> (String, String) {
    let body = json!({"handle": handle});
    let registered = server.create("/v1/players", "", body).await;
    (
        text(&registered["player"]["id"]),
        text(&registered["token"]),
    )
}

async fn me(server: &TestServer, token: &str) -> Answer {
    server.get_with("/v1/me", token).await
}

/// Stores a token in the database as an operator would, with these scopes. It expires after `ends_in` seconds.
pub fn operators_token(
    server: &TestServer,
    handle: &str,
    scopes: &[Scope],
    ends_in: i64,
) -> String {
    let store = Store::open(&server.database.url().into()).unwrap();
    let account = new_account(handle);
    let end = jiff::Timestamp::now().as_microsecond() + ends_in * 1_000_000;
    let scopes: Scopes = scopes.iter().copied().collect();
    let (stored, text) = new_token(account.id, "operator", scopes, Some(end)).unwrap();
    store.create_account(account, stored, None).unwrap();
    text
}

#[tokio::test]
async fn a_registration_returns_a_token_of_the_account() {
    let server = TestServer::start();
    let answer = server
        .post("/v1/players", "", json!({"handle": "Dido"}))
        .await;
    let registered = answer.ok(201);
    let player = &registered["player"];
    assert_eq!(player["handle"], "Dido");
    assert_eq!(player["deleted_at"], Value::Null);
    let path = format!("/v1/players/{}", text(&player["id"]));
    assert_eq!(answer.header("location"), path);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(
        registered["about"]["scopes"],
        json!(["read", "play", "organize", "account"])
    );
    let token = text(&registered["token"]);
    assert!(
        token.starts_with("tabularium_") && token.len() == 49,
        "{token}"
    );

    let own = me(&server, &token).await.ok(200);
    assert_eq!(own["player"], *player);
    assert_eq!(own["token"]["id"], registered["about"]["id"]);
    assert!(!own.to_string().contains(&token), "{own}");
    // The time of the last use is written in the background, and again after an hour at the earliest.
    eventually("the time of the last use was never written", async || {
        let own = me(&server, &token).await.ok(200);
        own["token"]["last_used_at"].is_string().then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_handle_belongs_to_one_player() {
    let server = TestServer::start();
    register(&server, "hanno").await;
    let taken = server
        .post("/v1/players", "", json!({"handle": "HANNO"}))
        .await;
    taken.problem(409, "handle_taken");
    for bad in [
        "",
        "ab",
        "a b c",
        "greedy",
        "deleted-1",
        &"x".repeat(33),
        "019aa5a4-1234-7abc-8def-0123456789ab",
    ] {
        let refused = server.post("/v1/players", "", json!({"handle": bad})).await;
        refused.invalid("handle");
    }
}

#[tokio::test]
async fn a_repeated_registration_creates_one_account_and_shows_its_token_once() {
    let server = TestServer::start();
    let ask = |handle: &'static str| {
        let request = server.request(Method::POST, "/v1/players");
        let request = request.header("Idempotency-Key", "one");
        send(request.json(&json!({"handle": handle})))
    };
    let first = ask("dido").await.ok(201);
    let problem = ask("dido").await.problem(409, "already_done");
    let path = format!("/v1/players/{}", text(&first["player"]["id"]));
    assert_eq!(problem["location"], path);
    assert!(
        !problem.to_string().contains(&text(&first["token"])),
        "{problem}"
    );
    ask("hanno").await.problem(422, "idempotency_conflict");
}

#[tokio::test]
async fn the_token_of_a_game_is_valid_for_that_game_only() {
    let server = TestServer::start();
    let elsewhere = server.game_with_bots().await;
    let new = game(json!("open"), json!("open"));
    let (path, created) = server.create_game("", new).await;
    let organizer = text(&created["tokens"]["organizer"]);
    let seat = format!("{path}/seats/0");
    let token = text(&server.create(&seat, "", json!({})).await["token"]);
    for token in [&token, &organizer] {
        server.get_with(&elsewhere.path, token).await.ok(200);
        let actions = elsewhere.at("actions");
        server.post(&actions, token, turn("iron")).await.forbidden();
        let detail = text(&me(&server, token).await.forbidden()["detail"]);
        assert!(detail.contains("send the token of an account"), "{detail}");
    }
    let detail = text(&me(&server, "").await.unauthenticated()["detail"]);
    assert!(detail.contains("send the bearer token"), "{detail}");
    // A seat's token ends with the seat, immediately.
    server.delete(&seat, &token).await.ok(200);
    server.get_with(&path, &token).await.unauthenticated();
}

#[tokio::test]
async fn names_are_normalized_and_must_be_visible() {
    let server = TestServer::start();
    let (_, token) = register(&server, "dido").await;
    let league = json!({"name": "Cup", "season": {"name": "Spring", "rules": {
        "scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["lot"]}}});
    let made = server.post("/v1/leagues", &token, league.clone()).await;
    let members = format!("/v1/leagues/{}/members", text(&made.ok(201)["id"]));
    let created = server
        .create("/v1/games", "", game(json!("open"), json!("open")))
        .await;
    let seat = format!("{}/seats/0", path_of(&created));
    let placed = |name: &str| game(json!("open"), json!({"placeholder": name}));
    let labelled = |name: &str| {
        let mut new = game(json!("open"), json!("open"));
        new["league"] = json!(name);
        new
    };
    let called = |name: &str, place: &str| {
        let mut new = league.clone();
        *new.pointer_mut(place).unwrap() = json!(name);
        new
    };
    let bad = "Han\u{202e}no";
    for (path, token, body, field) in [
        (&*seat, "", json!({"name": bad}), "name"),
        ("/v1/games", "", placed(bad), "seats[1].player.placeholder"),
        ("/v1/games", "", labelled(bad), "league"),
        ("/v1/leagues", &*token, called(bad, "/name"), "name"),
        (
            "/v1/leagues",
            &token,
            called(bad, "/season/name"),
            "season.name",
        ),
        (
            &*members,
            &token,
            json!({"placeholder": bad}),
            "placeholder",
        ),
        (
            "/v1/tokens",
            &token,
            json!({"name": bad, "scopes": ["read"]}),
            "name",
        ),
    ] {
        let problem = server.post(path, token, body).await;
        let problem = problem.invalid(field);
        assert!(text(&problem["detail"]).contains("U+202E"), "{problem}");
    }
    let claim = json!({"name": " Die\u{301}go  II"});
    let claimed = server.create(&seat, "", claim).await;
    let name = &claimed["game"]["seats"][0]["player"]["name"];
    assert_eq!(name, "Di\u{e9}go II");
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let server = TestServer::start();
    let token = operators_token(&server, "hanno", &[Scope::Play], 600);
    let refused = server.get_with("/v1/tokens", &token).await;
    assert_eq!(
        refused.header("www-authenticate"),
        "Bearer error=\"insufficient_scope\", scope=\"read\""
    );
    let detail = text(&refused.forbidden()["detail"]);
    assert!(detail.contains("`read`"), "{detail}");
    let token = operators_token(&server, "mago", &[Scope::Admin], 600);
    me(&server, &token).await.ok(200);
}

#[tokio::test]
async fn an_administrator_registers_accounts_on_a_closed_server() {
    let server = TestServer::with_config(Config {
        admission: Admission {
            registration: Registration::Closed,
            ..Admission::default()
        },
        ..Config::default()
    });
    let ask = async |token: &str| {
        server
            .post("/v1/players", token, json!({"handle": "dido"}))
            .await
    };
    ask("").await.unauthenticated();
    let player = operators_token(&server, "hanno", &[Scope::Read, Scope::Organize], 600);
    let detail = text(&ask(&player).await.forbidden()["detail"]);
    assert!(detail.contains("`admin`"), "{detail}");
    let admin = operators_token(&server, "mago", &[Scope::Admin], 600);
    let made = ask(&admin).await.ok(201);
    me(&server, &text(&made["token"])).await.ok(200);
}

/// A game of Antike for two people and two bots. The first person begins.
fn game(first: Value, second: Value) -> Value {
    let bot = json!({"player": {"bot": "random"}});
    json!({"edition": "antike", "board": "antike-east", "first": 0, "seed": "open", "max_rounds": 60,
        "seats": [{"player": first}, {"player": second}, bot, bot]})
}

fn path_of(created: &Value) -> String {
    format!("/v1/games/{}", text(&created["id"]))
}

#[tokio::test]
async fn one_token_plays_all_games_of_an_account() {
    let server = TestServer::start();
    let (dido, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "Hanno").await;
    for named in [json!("Dido"), json!(dido)] {
        let new = game(json!({ "id": named }), json!("open"));
        let created = server.create("/v1/games", &of_dido, new).await;
        assert_eq!(created["tokens"], json!({"organizer": null, "seats": {}}));
        let seat = &created["seats"][0];
        assert_eq!(
            seat["player"],
            json!({"kind": "person", "id": dido, "name": "dido"})
        );
        assert_eq!(seat["invited"], Value::Null);
        let path = path_of(&created);
        let claim = format!("{path}/seats/1");
        // An account has at most one seat.
        server
            .post(&claim, &of_dido, json!({}))
            .await
            .problem(409, "already_seated");
        let named = server.post(&claim, &of_hanno, json!({"name": "x"})).await;
        named.invalid("name");
        let claimed = server.create(&claim, &of_hanno, json!({})).await;
        assert_eq!(claimed["token"], Value::Null);
        assert_eq!(claimed["player"], hanno);
        assert_eq!(claimed["game"]["seats"][1]["player"]["name"], "Hanno");

        let actions = format!("{path}/actions");
        let early = server.post(&actions, &of_hanno, turn("iron")).await;
        early.problem(409, "not_your_turn");
        server.create(&actions, &of_dido, turn("iron")).await;
        let acted = server.create(&actions, &of_hanno, turn("iron")).await;
        assert_eq!(acted["events"][0]["player"], hanno);
        // The log identifies accounts by id only.
        let log = server.get(&format!("{path}/events?limit=1000")).await.text;
        assert!(log.contains(&dido) && log.contains(&hanno));
        assert!(!log.contains("dido") && !log.contains("Hanno"), "{log}");
    }
    let (_, of_mago) = register(&server, "mago").await;
    let games = server.read(&format!("/v1/games?player={hanno}")).await;
    let games = array(&games["items"]);
    assert_eq!(games.len(), 2);
    let other = server
        .post(
            &format!("{}/actions", path_of(&games[0])),
            &of_mago,
            turn("iron"),
        )
        .await;
    other.forbidden();
    let twice = server
        .post(
            "/v1/games",
            &of_dido,
            game(json!({"id": "dido"}), json!({"id": dido})),
        )
        .await;
    twice.invalid("seats[1].player.id");
    let unknown = server
        .post(
            "/v1/games",
            &of_dido,
            game(json!("open"), json!({"id": "unknown"})),
        )
        .await;
    unknown.invalid("seats[1].player.id");
}

#[tokio::test]
async fn a_seat_is_reserved_for_the_invited_player() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (mago, of_mago) = register(&server, "mago").await;
    let new = game(json!({"id": "dido"}), json!({"id": "hanno"}));
    let created = server.create("/v1/games", &of_dido, new).await;
    assert_eq!(created["status"], "open");
    let seat = &created["seats"][1];
    assert_eq!(
        *seat,
        json!({"seat": 1, "nations": seat["nations"], "player": {"kind": "open"}, "invited": hanno})
    );
    let path = format!("{}/seats/1", path_of(&created));
    let claim = async |token: &str| server.post(&path, token, json!({})).await;
    claim("").await.unauthenticated();
    claim(&of_mago).await.forbidden();
    server.delete(&path, &of_mago).await.forbidden();
    // A declined seat is free for any player. The organizer can reserve it for another.
    let game = server.delete(&path, &of_hanno).await.ok(200);
    assert_eq!(game["seats"][1]["invited"], Value::Null);
    let keep = json!({"player": {"id": "mago"}});
    server.put(&path, &of_hanno, keep.clone()).await.forbidden();
    let kept = server.put(&path, &of_dido, keep).await.ok(200);
    assert_eq!(kept["game"]["seats"][1]["invited"], mago);
    assert_eq!(kept["token"], Value::Null);
    claim(&of_hanno).await.forbidden();
    let claimed = claim(&of_mago).await.ok(201);
    assert_eq!(claimed["game"]["status"], "running");
    assert_eq!(claimed["game"]["seats"][1]["invited"], Value::Null);
    // In a running game, a seat can be reserved for an account while its player plays on.
    let late = json!({"player": {"id": "hanno"}});
    let kept = server.put(&path, &of_dido, late).await.ok(200);
    assert_eq!(kept["game"]["seats"][1]["invited"], hanno);
    assert_eq!(kept["game"]["seats"][1]["player"]["id"], mago);
    let own = server
        .put(&path, &of_dido, json!({"player": {"id": "dido"}}))
        .await;
    own.problem(409, "already_seated");
}

#[tokio::test]
async fn a_server_without_guests_requires_accounts() {
    let server = TestServer::with_config(Config {
        admission: Admission {
            guests: false,
            ..Admission::default()
        },
        ..Config::default()
    });
    let (_, token) = register(&server, "dido").await;
    let created = server
        .create(
            "/v1/games",
            &token,
            game(json!("open"), json!({"placeholder": "Hanno"})),
        )
        .await;
    let hanno = &created["seats"][1]["player"];
    assert!(text(&hanno["id"]).starts_with("placeholder:"), "{hanno}");
    assert_eq!(hanno["name"], "Hanno");
    let seat = format!("{}/seats/0", path_of(&created));
    server.post(&seat, "", json!({})).await.unauthenticated();
    server.create(&seat, &token, json!({})).await;
    // The placeholder has a token of its own.
    let actions = format!("{}/actions", path_of(&created));
    server.create(&actions, &token, turn("iron")).await;
    let own = text(&created["tokens"]["seats"]["1"]);
    server.create(&actions, &own, turn("iron")).await;
}

#[tokio::test]
async fn each_scope_permits_its_own_operations_only() {
    let server = TestServer::start();
    let (_, token) = register(&server, "dido").await;
    let limited = async |scope: &str| {
        let new = json!({"name": scope, "scopes": [scope]});
        text(&server.create("/v1/tokens", &token, new).await["token"])
    };
    let (read, play, organize) = (
        limited("read").await,
        limited("play").await,
        limited("organize").await,
    );
    let lacks = |answer: Answer, scope: &str| {
        let detail = text(&answer.forbidden()["detail"]);
        assert!(detail.contains(&format!("`{scope}`")), "{scope}: {detail}");
    };
    let new = game(json!("open"), json!("open"));
    lacks(
        server.post("/v1/games", &read, new.clone()).await,
        "organize",
    );
    lacks(
        server.post("/v1/games", &play, new.clone()).await,
        "organize",
    );
    let (path, _) = server.create_game(&organize, new).await;
    let seat = format!("{path}/seats/0");
    lacks(server.post(&seat, &organize, json!({})).await, "play");
    lacks(server.post(&seat, &read, json!({})).await, "play");
    server.create(&seat, &play, json!({})).await;
    lacks(server.delete(&seat, &organize).await, "play");
    let orders = format!("{seat}/orders");
    lacks(server.get_with(&orders, &read).await, "play");
    server.get_with(&orders, &play).await.ok(200);
    let bot = json!({"player": {"bot": "random"}});
    lacks(
        server
            .put(&format!("{path}/seats/1"), &play, bot.clone())
            .await,
        "organize",
    );
    server
        .put(&format!("{path}/seats/1"), &organize, bot)
        .await
        .ok(200);
    let rename = |token: &str| {
        send(
            server
                .with(Method::PATCH, "/v1/me", token)
                .json(&json!({"handle": "elissa"})),
        )
    };
    for other in [&read, &play, &organize] {
        lacks(rename(other).await, "account");
        lacks(server.delete("/v1/me", other).await, "account");
    }
    lacks(server.get_with("/v1/tokens", &play).await, "read");
    // No token creates a token with more scopes than its own.
    for (own, more) in [(&read, "play"), (&play, "read"), (&token, "admin")] {
        let new = json!({"name": "more", "scopes": [more]});
        lacks(server.post("/v1/tokens", own, new).await, more);
    }
    rename(&limited("account").await).await.ok(200);

    // An administrator may do what the organizer may, but plays no seat.
    let admin = operators_token(&server, "archon", &[Scope::Admin], 600);
    let stranger = operators_token(&server, "mago", &[Scope::Organize, Scope::Play], 600);
    let other = json!({"player": {"placeholder": "Hanno"}});
    let replace = format!("{path}/seats/1");
    server
        .put(&replace, &stranger, other.clone())
        .await
        .forbidden();
    server.put(&replace, &admin, other).await.ok(200);
    server.delete(&seat, &admin).await.forbidden();
    let wrong = server
        .post(
            "/v1/tokens",
            &admin,
            json!({"name": "x", "scopes": ["everything"]}),
        )
        .await;
    wrong.invalid("scopes[0]");
}

#[tokio::test]
async fn tokens_are_created_listed_and_revoked() {
    let server = TestServer::start();
    let (_, first) = register(&server, "dido").await;
    let (_, stranger) = register(&server, "hanno").await;
    let make = |token: &str, body: Value| {
        let request = server.with(Method::POST, "/v1/tokens", token);
        send(request.header("Idempotency-Key", "one").json(&body))
    };
    let end = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let body = json!({"name": "bot", "scopes": ["play", "read"], "expires_at": end});
    let answer = make(&first, body.clone()).await;
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let made = answer.ok(201);
    let again = make(&first, body).await.problem(409, "already_done");
    assert_eq!(again["location"], "/v1/tokens");
    let (id, second) = (text(&made["about"]["id"]), text(&made["token"]));
    assert_eq!(made["about"]["scopes"], json!(["read", "play"]));

    let list = send(server.with(Method::GET, "/v1/tokens", &first))
        .await
        .ok(200);
    let names = array(&list["items"]).iter();
    let names: Vec<String> = names.map(|token| text(&token["name"])).collect();
    assert_eq!(names, ["registration", "bot"]);
    assert_eq!(list["items"][1]["parent"], list["items"][0]["id"]);
    assert_eq!(list["items"][0]["parent"], Value::Null);
    assert!(!list.to_string().contains("tabularium_"), "{list}");

    // A token expires no later than the token that created it, and a repeated request creates no other.
    for end in ["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"] {
        let body = json!({"name": "long", "scopes": ["read"], "expires_at": end});
        let refused = server.post("/v1/tokens", &second, body).await;
        refused.invalid("expires_at");
    }
    let child = server
        .create(
            "/v1/tokens",
            &second,
            json!({"name": "child", "scopes": ["read"]}),
        )
        .await;
    assert_eq!(child["about"]["expires_at"], made["about"]["expires_at"]);

    // Revoking another token needs the scope `account` and all scopes of that token.
    let path = format!("/v1/tokens/{id}");
    let lacks = |answer: Answer, scope: &str| {
        let detail = text(&answer.forbidden()["detail"]);
        assert!(detail.contains(&format!("`{scope}`")), "{detail}");
    };
    server.delete(&path, &stranger).await.not_found();
    lacks(
        server.delete(&path, &text(&child["token"])).await,
        "account",
    );
    let of_first = format!("/v1/tokens/{}", text(&list["items"][0]["id"]));
    lacks(server.delete(&of_first, &second).await, "account");
    let body = json!({"name": "manager", "scopes": ["account"]});
    let manager = server.create("/v1/tokens", &first, body).await;
    let manager = text(&manager["token"]);
    lacks(server.delete(&path, &manager).await, "read");
    assert_eq!(server.delete(&path, &first).await.status, 204);
    server.delete(&path, &first).await.not_found();
}

#[tokio::test]
async fn revoking_a_token_revokes_the_tokens_created_with_it() {
    let server = TestServer::start();
    let other_node = server.another();
    let (_, root) = register(&server, "dido").await;
    let make = async |node: &TestServer, token: &str| {
        let body = json!({"name": "x", "scopes": ["read", "play"]});
        node.post("/v1/tokens", token, body).await
    };
    let made = async |token: &str| {
        let made = make(&server, token).await.ok(201);
        (text(&made["about"]["id"]), text(&made["token"]))
    };
    let (_, sibling) = made(&root).await;
    let (id, child) = made(&root).await;
    let (_, grandchild) = made(&child).await;
    let (own, last) = made(&grandchild).await;
    // Both nodes have all tokens in memory.
    for node in [&server, &other_node] {
        for token in [&root, &sibling, &child, &grandchild, &last] {
            me(node, token).await.ok(200);
        }
    }
    // Any token may revoke itself. The tokens above it stay valid.
    assert_eq!(
        server
            .delete(&format!("/v1/tokens/{own}"), &last)
            .await
            .status,
        204
    );
    me(&server, &last).await.unauthenticated();
    me(&server, &grandchild).await.ok(200);

    let revoked = server.delete(&format!("/v1/tokens/{id}"), &root).await;
    assert_eq!(revoked.status, 204);
    // A node that has not read the revocation yet creates no token that would stay valid.
    make(&other_node, &grandchild).await.unauthenticated();
    for token in [&child, &grandchild, &last] {
        let refused = me(&server, token).await;
        let detail = text(&refused.unauthenticated()["detail"]);
        assert!(detail.contains("revoked"), "{detail}");
    }
    for token in [&root, &sibling] {
        me(&server, token).await.ok(200);
    }
    let list = server.get_with("/v1/tokens", &root).await;
    assert_eq!(array(&list.ok(200)["items"]).len(), 2);
    for token in [&child, &grandchild, &last] {
        eventually("the other node still accepts the token", async || {
            (me(&other_node, token).await.status == 401).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn players_are_found_by_their_handles() {
    let server = TestServer::start();
    for handle in ["Hanno", "hamilcar", "Dido", "hasdrubal", "h-a"] {
        register(&server, handle).await;
    }
    let found = async |query: &str| {
        let answer = server.get(&format!("/v1/players{query}")).await;
        let link = answer.header("link").to_owned();
        let page = answer.ok(200);
        let handles = array(&page["items"]).iter();
        let handles: Vec<String> = handles.map(|player| text(&player["handle"])).collect();
        (handles, page["next"].clone(), link)
    };
    let (all, next, link) = found("").await;
    assert_eq!(all, ["Dido", "h-a", "hamilcar", "Hanno", "hasdrubal"]);
    assert_eq!((next, link.as_str()), (Value::Null, ""));
    assert_eq!(
        found("?name=HA").await.0,
        ["hamilcar", "Hanno", "hasdrubal"]
    );
    let (some, next, link) = found("?name=ha&limit=2").await;
    assert_eq!(some, ["hamilcar", "Hanno"]);
    assert_eq!(
        link,
        "</v1/players?name=ha&limit=2&cursor=Hanno>; rel=\"next\""
    );
    let rest = found(&format!("?name=ha&limit=2&cursor={}", text(&next))).await;
    assert_eq!(
        (rest.0, rest.1),
        (vec!["hasdrubal".to_owned()], Value::Null)
    );
    assert!(found("?name=x%25").await.0.is_empty());

    let dido = server.read("/v1/players/DIDO").await;
    let by_id = server
        .get(&format!("/v1/players/{}", text(&dido["id"])))
        .await;
    assert_eq!(by_id.ok(200), dido);
    server.get("/v1/players/unknown").await.not_found();
}

/// Plays a game of an account to its signed end and returns its path.
async fn finished_game(server: &TestServer, token: &str) -> String {
    let bot = json!({"player": {"bot": "random"}});
    let new = json!({"edition": "antike", "board": "antike-east", "seed": "open", "max_rounds": 60,
        "seats": [{"player": {"id": "dido"}}, bot, bot, bot]});
    let (path, _) = server.create_game(token, new).await;
    server.adjudicate(&path, token, &[1, 2, 2, 4]).await;
    path
}

/// Reads the record with its log and verifies it.
async fn verify_record(server: &TestServer, path: &str) -> Value {
    let record = server.read(&format!("{path}/record?events=true")).await;
    let read: records::Record = serde_json::from_value(record.clone()).unwrap();
    read.verify(engine::content::Library::embedded()).unwrap();
    let keys = server.services().signing.public_keys().unwrap();
    assert!(matches!(
        read.check_signature(&keys).unwrap(),
        records::SignatureStatus::Valid(_)
    ));
    record
}

#[tokio::test]
async fn a_new_handle_is_shown_everywhere_immediately() {
    let server = TestServer::start();
    let other_node = server.another();
    let (id, token) = register(&server, "dido").await;
    register(&server, "hanno").await;
    let path = finished_game(&server, &token).await;
    let record = verify_record(&server, &path).await;
    other_node.read(&path).await;
    let rename = |handle: &str| {
        let request = server.with(Method::PATCH, "/v1/me", &token);
        send(request.json(&json!({"handle": handle})))
    };
    rename("HANNO").await.problem(409, "handle_taken");
    rename("x y").await.invalid("handle");
    rename("DIDO").await.ok(200);
    let me = rename("Elissa").await.ok(200);
    assert_eq!(me["player"]["handle"], "Elissa");
    assert_eq!(me["player"]["id"], id);
    let player = &server.read(&path).await["seats"][0]["player"];
    assert_eq!(
        *player,
        json!({"kind": "person", "id": id, "name": "Elissa"})
    );
    let listed = server.read(&format!("/v1/games?player={id}")).await;
    assert_eq!(listed["items"][0]["seats"][0]["player"], *player);
    let renamed = |game: &Value| game["seats"][0]["player"] == *player;
    other_node.wait_for(&path, renamed).await;
    assert_eq!(verify_record(&server, &path).await, record);
    // The old handle is free.
    register(&server, "dido").await;
}

#[tokio::test]
async fn a_deleted_account_keeps_its_id_in_its_games() {
    let server = TestServer::start();
    let other_node = server.another();
    let (id, token) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let path = finished_game(&server, &token).await;
    let record = verify_record(&server, &path).await;
    let (left, _) = server
        .create_game(&of_hanno, game(json!("open"), json!({"id": "dido"})))
        .await;
    let (begun, _) = server
        .create_game(&of_hanno, game(json!({"id": "dido"}), json!("open")))
        .await;
    server
        .create(&format!("{begun}/seats/0"), &token, json!({}))
        .await;
    for game in [&path, &left, &begun] {
        other_node.read(game).await;
    }

    // The account leaves its games, though this token could not play them.
    let body = json!({"name": "manager", "scopes": ["account"]});
    let manager = server.create("/v1/tokens", &token, body).await;
    let manager = text(&manager["token"]);
    assert_eq!(server.delete("/v1/me", &manager).await.status, 204);
    let detail = text(&me(&server, &token).await.unauthenticated()["detail"]);
    assert!(detail.contains("deleted"), "{detail}");
    let player = server.read(&format!("/v1/players/{id}")).await;
    let handle = text(&player["handle"]);
    assert!(
        handle.starts_with("deleted-") && player["deleted_at"].is_string(),
        "{player}"
    );
    server.get("/v1/players/dido").await.not_found();
    assert_eq!(array(&server.read("/v1/players").await["items"]).len(), 1);

    // No node shows its name anywhere. Its open games have free seats.
    for node in [&server, &other_node] {
        let gone = |game: &Value| !game.to_string().contains("dido");
        let game = node.wait_for(&path, gone).await;
        assert_eq!(
            game["seats"][0]["player"],
            json!({"kind": "person", "id": id, "name": handle})
        );
        let game = node
            .wait_for(&left, |game| game["seats"][1]["invited"].is_null())
            .await;
        assert_eq!(game["seats"][1]["player"], json!({"kind": "open"}));
        node.wait_for(&begun, |game| {
            game["seats"][0]["player"] == json!({"kind": "open"})
        })
        .await;
        for list in ["/v1/games", "/v1/events?limit=1000"] {
            let list_text = node.get(list).await.text;
            assert!(!list_text.contains("dido"), "{list_text}");
        }
    }
    // The record is unchanged and verifies.
    assert_eq!(verify_record(&server, &path).await, record);
    assert_eq!(
        server.faults(&server.services().signing.public_keys().unwrap()),
        Vec::<String>::new()
    );
    let invited = server
        .post(
            "/v1/games",
            &of_hanno,
            game(json!("open"), json!({ "id": id })),
        )
        .await;
    invited.problem(422, "invalid_body");
    register(&server, "dido").await;
}

#[tokio::test]
async fn records_distinguish_guests_from_accounts() {
    let server = TestServer::start();
    let (id, token) = register(&server, "dido").await;
    let (path, _) = server
        .create_game(&token, game(json!("open"), json!("open")))
        .await;
    server
        .create(&format!("{path}/seats/0"), "", json!({"name": "Hanno"}))
        .await;
    server
        .create(&format!("{path}/seats/1"), &token, json!({}))
        .await;
    server.adjudicate(&path, &token, &[1, 2, 2, 4]).await;
    let record = verify_record(&server, &path).await;
    let record: records::Record = serde_json::from_value(record).unwrap();
    let kinds = record
        .setup
        .seats
        .iter()
        .map(|seat| seat.player.kind().name());
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["guest", "account", "bot", "bot"]
    );
    let account = &record.setup.seats[1].player;
    assert_eq!(*account, engine::setup::Player::Person { id, name: None });
}

#[tokio::test]
async fn an_administrator_imports_records() {
    // Other callers may not import records.
    let server = TestServer::with_limits(Limits::default());
    let record = super::statistics::games(1).remove(0);
    let line = serde_json::to_string(&record).unwrap();
    let send_as = |token: &str| {
        let request = server.with(Method::POST, "/v1/records", token);
        let request = request.header("Content-Type", "application/x-ndjson");
        send(request.body(line.clone()))
    };
    let player = operators_token(&server, "hanno", &[Scope::Play, Scope::Organize], 600);
    let detail = text(&send_as(&player).await.forbidden()["detail"]);
    assert!(detail.contains("`admin`"), "{detail}");
    let admin = operators_token(&server, "archon", &[Scope::Admin], 600);
    assert_eq!(send_as(&admin).await.ok(200)["imported"], 1);
}

/// Runs `tabularium token` with these arguments. Returns whether it succeeded, and its output.
fn program(server: &TestServer, arguments: &[&str]) -> (bool, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tabularium"));
    command.arg("token").args(arguments);
    let output = command
        .env("DATABASE_URL", server.database.url())
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(printed).unwrap())
}

#[tokio::test]
async fn an_operator_creates_the_first_administrator() {
    let server = TestServer::start();
    let create = |handle: &str, more: &[&str]| {
        let given = ["create", "--handle", handle, "--scopes", "admin"];
        program(&server, &[&given, more].concat())
    };
    let (done, output) = create("archon", &["--expires", "30d", "--name", "first"]);
    assert!(done, "{output}");
    let token = output.trim();
    let me = me(&server, token).await.ok(200);
    assert_eq!(me["player"]["handle"], "archon");
    assert_eq!(me["token"]["scopes"], json!(["admin"]));
    let end: jiff::Timestamp = me["token"]["expires_at"].as_str().unwrap().parse().unwrap();
    let days = (end - jiff::Timestamp::now()).get_seconds() / 86_400;
    assert!((29..=30).contains(&days), "{days}");

    // Another token of the same account.
    assert!(create("Archon", &[]).0);
    let (done, list) = program(&server, &["list", "--handle", "archon"]);
    assert!(done && list.lines().count() == 2, "{list}");
    assert!(
        list.contains("\"first\" admin") && !list.contains("tabularium_"),
        "{list}"
    );
    let id = text(&me["token"]["id"]);
    assert!(program(&server, &["revoke", &id]).0);
    assert!(!program(&server, &["revoke", &id]).0);
    let refused = eventually("the revoked token is still valid", async || {
        let answer = server.get_with("/v1/me", token).await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    refused.unauthenticated();
    for wrong in [
        &["create", "--handle", "greedy", "--scopes", "read"][..],
        &["create", "--handle", "mago", "--scopes", "all"],
        &[
            "create",
            "--handle",
            "mago",
            "--scopes",
            "read",
            "--expires",
            "soon",
        ],
        &[
            "create",
            "--handle",
            "mago",
            "--scopes",
            "read",
            "--expires",
            "-1d",
        ],
        &["list", "--handle", "mago"],
    ] {
        let (done, output) = program(&server, wrong);
        assert!(!done && !output.is_empty(), "{wrong:?}: {output}");
    }
}
