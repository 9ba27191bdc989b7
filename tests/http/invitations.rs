//! Claiming a seat with an invitation code.

use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{Answer, TestServer, send, text};

/// Creates a private game with open seats for the holder of a token. Returns its path and an invitation code.
async fn private_game(server: &TestServer, token: &str, seats: [Value; 3]) -> (String, String) {
    let seats = seats.map(|player| json!({ "player": player }));
    let new = json!({"edition": "antike", "board": "antike-east", "visibility": "private", "seats": seats});
    let (path, _) = server.create_game(token, new).await;
    let made = send(server.with(Method::POST, &format!("{path}/invitation"), token)).await;
    (path, text(&made.ok(201)["code"]))
}

async fn claim(server: &TestServer, code: &str, token: &str, body: Value) -> Answer {
    server
        .post(&format!("/v1/invitations/{code}"), token, body)
        .await
}

#[tokio::test]
async fn a_code_seats_guests_and_accounts_even_in_a_private_game() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (mago, of_mago) = register(&server, "mago").await;
    let open = json!("open");
    let seats = [json!({"id": "dido"}), open.clone(), open];
    let (path, code) = private_game(&server, &of_dido, seats).await;
    let game = path.rsplit('/').next().unwrap();
    let invitation = format!("/v1/invitations/{code}");
    server.get(&path).await.not_found();
    let seen = server.get(&invitation).await;
    assert_eq!(seen.ok(200)["id"], game);
    assert!(seen.header("cache-control").contains("no-store"));
    let spelled = code.replace('-', "").to_lowercase();
    assert_eq!(
        server.read(&format!("/v1/invitations/{spelled}")).await["id"],
        game
    );

    let guest = claim(&server, &spelled, "", json!({"name": "Hanno"}))
        .await
        .ok(201);
    assert_eq!(
        (&guest["seat"], &guest["game"]["status"]),
        (&json!(1), &json!("open"))
    );
    assert_eq!(guest["game"]["seats"][1]["player"]["name"], "Hanno");
    let token = text(&guest["token"]);
    server.get_with(&path, &token).await.ok(200);
    // The guest can leave the table, and the code is still valid.
    server
        .delete(&format!("{path}/seats/1"), &token)
        .await
        .ok(200);
    server.get_with(&path, &token).await.unauthenticated();
    let guest = claim(&server, &code, "", json!({})).await.ok(201);
    assert_eq!(guest["seat"], 1);
    let named = claim(&server, &code, &of_mago, json!({"name": "Mago"})).await;
    named.invalid("name");
    let account = claim(&server, &code, &of_mago, json!({})).await.ok(201);
    assert_eq!(
        (&account["seat"], &account["player"]),
        (&json!(2), &json!(mago))
    );
    assert_eq!(
        (&account["token"], &account["game"]["status"]),
        (&Value::Null, &json!("running"))
    );

    for answer in [
        server.get(&invitation).await,
        claim(&server, &code, "", json!({})).await,
    ] {
        answer.problem(409, "already_started");
    }
    for unknown in ["AAAA-AAAA-AAAA", "x", "%20"] {
        server
            .get(&format!("/v1/invitations/{unknown}"))
            .await
            .not_found();
        claim(&server, unknown, "", json!({})).await.not_found();
    }
}

#[tokio::test]
async fn a_code_opens_free_seats_and_the_own_reserved_seat_only() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_mago) = register(&server, "mago").await;
    let seats = [
        json!("open"),
        json!({"bot": "random"}),
        json!({"id": "mago"}),
    ];
    let (path, code) = private_game(&server, &of_dido, seats).await;
    claim(&server, &code, "", json!({"seat": 1}))
        .await
        .problem(409, "seat_taken");
    claim(&server, &code, "", json!({"seat": 2}))
        .await
        .unauthenticated();
    claim(&server, &code, &of_dido, json!({"seat": 2}))
        .await
        .forbidden();
    claim(&server, &code, "", json!({"seat": 3}))
        .await
        .not_found();
    claim(&server, &code, "", json!({"seat": 0, "more": 1}))
        .await
        .problem(422, "invalid_body");
    let request = || {
        let request = server.request(Method::POST, &format!("/v1/invitations/{code}"));
        request
            .header("Idempotency-Key", "once")
            .json(&json!({"name": "Hanno"}))
    };
    send(request()).await.ok(201);
    // The token is not shown again.
    let repeated = send(request()).await;
    repeated.problem(409, "already_done");
    assert_eq!(repeated.header("location"), path);
    claim(&server, &code, "", json!({}))
        .await
        .problem(409, "no_free_seat");
    claim(&server, &code, &of_dido, json!({}))
        .await
        .problem(409, "no_free_seat");
    let account = claim(&server, &code, &of_mago, json!({})).await.ok(201);
    assert_eq!(
        (&account["seat"], &account["game"]["status"]),
        (&json!(2), &json!("running"))
    );
}
