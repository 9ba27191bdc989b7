//! Annotations of games: who writes them, that the record stays as it is, and what becomes of them.

use api::http::scope::Scope;
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::sessions::Browser;
use super::support::{TestServer, array, assert_contains};

/// A game of Antike Duellum that Dido wins after her first turn, because Hanno resigns.
async fn finished_game(server: &TestServer, tokens: [&str; 2], visibility: &str) -> String {
    let [dido, hanno] = tokens;
    let body = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "first": "romans",
        "visibility": visibility, "seats": [
            {"nations": ["romans"], "player": {"id": "dido"}},
            {"nations": ["carthaginians"], "player": {"id": "hanno"}}]});
    let (path, _) = server.create_game(dido, body).await;
    server
        .create(&format!("{path}/seats/1"), hanno, json!({}))
        .await;
    let early = json!({"comment": "Too early."});
    let refused = server
        .put(&format!("{path}/annotations"), dido, early)
        .await;
    refused.problem(409, "not_finished");
    let gold = json!({"actions": [{"type": "move_stone", "field": "gold"}, {"type": "end_turn"}]});
    server.act(&path, dido, gold).await;
    server.act(&path, hanno, json!({"type": "resign"})).await;
    path
}

#[tokio::test]
async fn annotations_are_kept_beside_the_record() {
    let server = TestServer::start();
    let other = server.another();
    let (dido_id, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let path = finished_game(&server, [&dido, &hanno], "public").await;
    let annotations = format!("{path}/annotations");
    let record = server.read(&format!("{path}/record")).await;
    assert_eq!(record["actions"], json!(["stone gold", "end", "resign"]));
    let notes = json!([
        {"action": 0, "verdict": "?!", "comment": "Iron is better.",
            "variations": [{"actions": ["stone iron", "end"], "comment": "Two legions."}]},
        {"action": 2, "verdict": "??"}]);
    let own = json!({"comment": "A short game.", "notes": notes});
    let written = server.put(&annotations, &dido, own).await.ok(200);
    assert_eq!(
        (&written["player"], &written["handle"], &written["notes"]),
        (&json!(dido_id), &json!("dido"), &notes)
    );
    assert_eq!(other.read(&annotations).await["items"], json!([written]));
    assert_eq!(server.read(&format!("{path}/record")).await, record);

    // The text has the record, and goes back in.
    let dido_s = format!("{annotations}/dido");
    assert_eq!(other.read(&dido_s).await, written);
    let text = other.get_as(&dido_s, "text/plain").await;
    assert_eq!(text.status, 200, "{}", text.text);
    let line = "1. romans: stone gold ?! {Iron is better.} (stone iron; end {Two legions.}); end\n";
    assert!(text.text.contains(line), "{}", text.text);
    assert!(text.text.contains("[Annotator \"dido\"]"), "{}", text.text);
    let copied = server
        .put(&annotations, &hanno, json!({"text": text.text}))
        .await
        .ok(200);
    assert_eq!(
        (&copied["handle"], &copied["notes"], &copied["comment"]),
        (&json!("hanno"), &notes, &json!("A short game."))
    );
    // What is written later replaces what was written before.
    let one = json!({"notes": [{"action": 1, "comment": "  Spaces and lines \nstay short.  "}]});
    let replaced = server.put(&annotations, &hanno, one).await.ok(200);
    assert_eq!(
        replaced["notes"],
        json!([{"action": 1, "comment": "  Spaces and lines\nstay short."}])
    );
    let list = other.read(&annotations).await;
    assert_eq!(array(&list["items"]).len(), 2);

    server
        .put(&annotations, "", json!({"comment": "x"}))
        .await
        .unauthenticated();
    for (body, field) in [
        (json!({}), "notes"),
        (
            json!({"notes": [{"action": 3, "verdict": "!"}]}),
            "notes[0].action",
        ),
        (
            json!({"notes": [{"action": 0, "verdict": "!!!"}]}),
            "notes[0].verdict",
        ),
        (
            json!({"notes": [{"action": 0, "variations": [{"actions": ["stone"]}]}]}),
            "notes[0].variations[0].actions[0]",
        ),
        (
            json!({"notes": [{"action": 0, "comment": "a\u{202e}b"}]}),
            "notes[0].comment",
        ),
        (json!({"comment": "x", "text": text.text}), "text"),
        (
            json!({"text": text.text.replace("stone gold ?!", "stone iron ?!")}),
            "text",
        ),
        (json!({"text": "nothing"}), "text"),
    ] {
        let refused = server
            .put(&annotations, &dido, body)
            .await
            .problem(422, "invalid_body");
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    assert_eq!(server.delete(&annotations, &hanno).await.status, 204);
    server.delete(&annotations, &hanno).await.not_found();
    server
        .get(&format!("{annotations}/hanno"))
        .await
        .not_found();
    assert_eq!(other.read(&annotations).await["items"], json!([written]));
}

#[tokio::test]
async fn annotations_are_as_secret_as_the_game_and_go_with_their_account() {
    let server = TestServer::start();
    let admin = operators_token(&server, "archon", &[Scope::Admin], 600);
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let (_, mago) = register(&server, "mago").await;
    let path = finished_game(&server, [&dido, &hanno], "private").await;
    let annotations = format!("{path}/annotations");
    let own = json!({"comment": "Shalom", "notes": [
        {"action": 0, "comment": "Good.", "verdict": "!"}, {"action": 1, "comment": "Why?"}]});
    server.put(&annotations, &hanno, own.clone()).await.ok(200);
    server.put(&annotations, &mago, own).await.not_found();
    server.get_with(&annotations, &mago).await.not_found();
    let export = server.get_with("/v1/me/export", &hanno).await.ok(200);
    assert!(export.to_string().contains("Shalom"), "{export}");
    let others = server.get_with("/v1/me/export", &dido).await.ok(200);
    assert!(!others.to_string().contains("Shalom"), "{others}");

    let id = path.rsplit('/').next().unwrap();
    let hide = json!({"type": "hide_texts", "subject": id, "reason": "insults"});
    server.create("/v1/moderation/acts", &admin, hide).await;
    let hidden = server.get_with(&annotations, &dido).await.ok(200);
    assert_eq!(
        (&hidden["items"][0]["comment"], &hidden["items"][0]["notes"]),
        (&Value::Null, &json!([{"action": 0, "verdict": "!"}]))
    );
    // Who cannot see the comments cannot replace them.
    let replaced = server
        .put(&annotations, &hanno, json!({"comment": "x"}))
        .await;
    replaced.problem(403, "texts_hidden");
    let show = json!({"type": "show_texts", "subject": id, "reason": "an error"});
    server.create("/v1/moderation/acts", &admin, show).await;
    let shown = server.get_with(&annotations, &dido).await.ok(200);
    assert_eq!(shown["items"][0]["comment"], "Shalom");
    assert_eq!(server.delete("/v1/me", &hanno).await.status, 204);
    let left = server.get_with(&annotations, &dido).await.ok(200);
    assert_eq!(left["items"], json!([]));
}

#[tokio::test]
async fn a_reader_annotates_in_a_browser() {
    let server = TestServer::start();
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let path = finished_game(&server, [&dido, &hanno], "public").await;
    let events = server.read(&format!("{path}/events")).await;
    let mut events = array(&events["items"]).iter();
    let gold = events.find(|event| event["notation"] == "stone gold");
    let seq = gold.unwrap()["seq"].to_string();
    let page = path.replace("/v1", "") + "/annotations";
    let mut browser = Browser::of(&server);
    assert_contains(&browser.page(&page).await.text, "Sign in to annotate");
    let out = browser.form(&page, &[("comment", "x")]).await;
    assert_eq!(out.status, 401, "{}", out.text);
    browser.sign_up("mago").await;

    let at = format!("{page}?at={seq}");
    assert_contains(&browser.page(&at).await.text, "Romans: move to Gold");
    let variation = "stone iron; end {Two \\} legions.}";
    let note = |comment, variations| {
        [
            ("at", &*seq),
            ("verdict", "?!"),
            ("comment", comment),
            ("variations", variations),
        ]
    };
    let wrong = browser.form(&page, &note("Early.", "stone nowhere")).await;
    assert_eq!(wrong.status, 422);
    for kept in ["nowhere", "Early.", "is not a field of the rondel"] {
        assert_contains(&wrong.text, kept);
    }
    let foreign = browser.foreign_form(&page, &note("x", "")).await;
    assert_eq!(foreign.status, 403, "{}", foreign.text);
    let saved = browser.form(&page, &note("Early.", variation)).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let whole = browser.form(&page, &[("comment", "A short game.")]).await;
    assert_eq!(whole.status, 303, "{}", whole.text);
    // The form shows all that was written, so that nothing is lost when it is sent again.
    let shown = browser.page(&at).await.text;
    assert_contains(&shown, variation);
    browser.form(&page, &note("Too early.", variation)).await;
    let annotations = server.read(&format!("{path}/annotations/mago")).await;
    assert_eq!(
        (&annotations["comment"], &annotations["notes"]),
        (
            &json!("A short game."),
            &json!([{"action": 0, "verdict": "?!", "comment": "Too early.",
                "variations": [{"actions": ["stone iron", "end"], "comment": "Two } legions."}]}])
        )
    );
    let text = browser.page(&format!("{page}/mago.txt")).await;
    assert_contains(text.header("content-disposition"), "attachment");
    assert_contains(&text.text, "(stone iron; end {Two \\} legions.})");
    // Empty fields delete the note, and then the comment.
    browser.form(&page, &[("at", &*seq)]).await;
    let left = server.read(&format!("{path}/annotations/mago")).await;
    assert_eq!(left["notes"], json!([]));
    browser.form(&page, &[("comment", "")]).await;
    let left = server.read(&format!("{path}/annotations")).await;
    assert_eq!(left["items"], json!([]));
}
