//! The engine without a game.

use serde_json::{Value, json};

use super::support::{TestServer, array};

fn situation() -> Value {
    json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]})
}

#[tokio::test]
async fn actions_lead_from_position_to_position() {
    let server = TestServer::start();
    let stone = json!({"type": "move_stone", "field": "iron"});
    let end = json!({"type": "end_turn"});
    let both = json!({"situation": situation(), "actions": [stone, end]});
    let both = server.post("/v1/engine/apply", "", both).await.ok(200);
    assert_eq!(both["steps"][0]["notation"], "stone iron");
    assert_eq!(both["steps"][1]["nation"], "greeks");
    // In two requests the result is the same.
    let one = json!({"situation": situation(), "actions": [stone]});
    let one = server.post("/v1/engine/apply", "", one).await.ok(200);
    let mut between = situation();
    between["position"] = one["state"].clone();
    let two = json!({"situation": between, "actions": [end]});
    let two = server.post("/v1/engine/apply", "", two).await.ok(200);
    assert_eq!(two["state"], both["state"]);
    let legal = server
        .post("/v1/engine/legal-actions", "", between)
        .await
        .ok(200);
    assert!(array(&legal["actions"]).contains(&end));
}

#[tokio::test]
async fn wrong_actions_and_situations_are_refused() {
    let server = TestServer::start();
    let apply = async |actions: Value| {
        let body = json!({"situation": situation(), "actions": actions});
        server.post("/v1/engine/apply", "", body).await
    };
    let stone = json!({"type": "move_stone", "field": "iron"});
    let problem = apply(json!([stone, stone]))
        .await
        .problem(422, "illegal_action");
    assert_eq!(
        (&problem["rule"], &problem["seq"]),
        (&json!("A11"), &json!(1))
    );
    let other = json!({"type": "end_turn", "nation": "arabs"});
    apply(json!([other])).await.problem(409, "not_your_turn");
    let unknown = json!({"type": "end_turn", "nation": "martians"});
    apply(json!([unknown])).await.invalid("actions[0].nation");
    let mut bad = situation();
    bad["board"] = json!("moon");
    let problem = server.post("/v1/engine/legal-actions", "", bad).await;
    problem.invalid("board");
}

/// Returns the position that the specification shows as an example written by hand.
fn shown_by_hand() -> Value {
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    let operation = &document["paths"]["/v1/engine/legal-actions"]["post"];
    let examples = &operation["requestBody"]["content"]["application/json"]["examples"];
    examples["by hand"]["value"].clone()
}

#[tokio::test]
async fn the_position_written_by_hand_in_the_specification_is_valid() {
    let server = TestServer::start();
    let legal = server.post("/v1/engine/legal-actions", "", shown_by_hand());
    let legal = legal.await.ok(200);
    assert_eq!(legal["pending"][0]["nation"], "persians");
    let body = json!({"situation": shown_by_hand(), "actions": []});
    let state = server.post("/v1/engine/apply", "", body).await.ok(200)["state"].clone();
    assert_eq!(state["turn"], 11);
    assert_eq!(state["bank"]["coins"], 28);
    assert_eq!(state["nations"]["greeks"]["supply"]["legions"], 15);
}

#[tokio::test]
async fn all_faults_of_a_position_are_listed_together() {
    let server = TestServer::start();
    let mut wrong = shown_by_hand();
    wrong["position"]["nations"]["arabs"]["coins"] = json!(31);
    wrong["position"]["regions"]["ninive"]["city"]["resource"] = json!("gold");
    wrong["position"]["turn_state"] = json!({"field": "maneuver_1"});
    let refused = server.post("/v1/engine/legal-actions", "", wrong).await;
    let problem = refused.problem(422, "invalid_body");
    let errors = array(&problem["errors"]);
    let fields: Vec<&str> = errors
        .iter()
        .filter_map(|one| one["field"].as_str())
        .collect();
    assert!(fields.len() > 1, "{problem}");
    assert!(fields.contains(&"position.regions.ninive"), "{problem}");
    assert!(fields.contains(&"position.bank.coins"), "{problem}");
    assert_eq!(problem["field"], errors[0]["field"]);
}
