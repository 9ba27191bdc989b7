//! Editions and boards in their versions, and the rules in words.

use super::support::{TestServer, array, send};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn editions_are_data_with_a_hash() {
    let server = TestServer::start();
    let list = server.read("/v1/editions").await;
    let antike = server.read("/v1/editions/antike").await;
    assert!(array(&list["items"]).contains(&antike));
    assert_eq!(antike["hash"].as_str().unwrap().len(), 64);
    assert_eq!(array(&antike["know_how"]).len(), 8);
}

#[tokio::test]
async fn boards_state_their_reliability() {
    let server = TestServer::start();
    let list = server.read("/v1/boards").await;
    let east = server.read("/v1/boards/antike-east").await;
    assert!(array(&list["items"]).contains(&east));
    let status = east["provenance"]["status"].as_str().unwrap();
    assert!(["verified", "reconstructed"].contains(&status));
    assert!(!array(&east["borders"]).is_empty());
}

#[tokio::test]
async fn unknown_editions_and_boards_are_not_found() {
    let server = TestServer::start();
    server.get("/v1/editions/chess").await.not_found();
    server.get("/v1/boards/moon").await.not_found();
}

#[tokio::test]
async fn an_unchanged_board_is_not_sent_again() {
    let server = TestServer::start();
    let first = server.get("/v1/boards/antike-west").await;
    let again = server
        .request(Method::GET, "/v1/boards/antike-west")
        .header("If-None-Match", first.header("etag"));
    let again = send(again).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn every_version_is_listed_with_its_changes_and_can_be_read() {
    let server = TestServer::start();
    for (path, count) in [
        ("/v1/editions/antike", 2),
        ("/v1/editions/antike_ii", 1),
        ("/v1/editions/antike_duellum", 2),
        ("/v1/boards/antike-east", 1),
    ] {
        let current = server.read(path).await;
        let versions = array(&current["versions"]);
        assert_eq!(versions.len(), count, "{path}");
        for (version, number) in versions.iter().zip(1..) {
            assert_eq!(version["version"], number);
            let is_current = version["hash"] == current["hash"];
            assert_eq!(version["current"], is_current);
            assert_eq!(is_current, usize::try_from(number).unwrap() == count);
            let hash = version["hash"].as_str().unwrap();
            let by_hash = server.read(&format!("{path}?hash={hash}")).await;
            let by_number = server.get(&format!("{path}/versions/{number}")).await;
            assert_eq!(by_hash, by_number.ok(200));
            assert_eq!(by_hash["hash"], hash);
            assert_eq!(by_hash["version"], number);
            assert_eq!(by_hash["versions"], current["versions"]);
            for change in array(&version["changes"]) {
                assert!(change["what"].is_string() && change["why"].is_string());
            }
        }
    }
    let first = server.get("/v1/editions/antike_duellum/versions/1").await;
    assert_eq!(first.ok(200)["know_how"][2]["later"], 4);
    let current = server.read("/v1/editions/antike_duellum").await;
    assert_eq!(current["know_how"][2]["later"], 3);
    let assumed = array(&current["assumed"]);
    assert!(!assumed.contains(&json!("/know_how/0/first")));
}

#[tokio::test]
async fn unknown_versions_are_not_found() {
    let server = TestServer::start();
    let board = server.read("/v1/boards/antike-east").await;
    let hash = board["hash"].as_str().unwrap();
    for path in [
        format!("/v1/editions/antike?hash={hash}"),
        "/v1/boards/antike-east?hash=0".to_owned(),
        "/v1/editions/antike/versions/9".to_owned(),
        "/v1/editions/antike/versions/0".to_owned(),
        "/v1/editions/antike/versions/latest".to_owned(),
        "/v1/editions/chess/versions/1".to_owned(),
        "/v1/boards/antike-east/versions/2".to_owned(),
        "/v1/boards/moon/versions/1".to_owned(),
    ] {
        server.get(&path).await.not_found();
    }
    for path in [
        "/v1/editions/antike?version=1",
        "/v1/boards/antike-east?Hash=0",
    ] {
        server.get(path).await.problem(422, "invalid_parameter");
    }
}

#[tokio::test]
async fn a_new_game_is_played_by_the_current_version() {
    let server = TestServer::start();
    let edition = server.read("/v1/editions/antike_duellum").await;
    let game = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
        "seats": [{"player": "open"}, {"player": "open"}]});
    let game = server.create("/v1/games", "", game).await;
    assert_eq!(game["ruleset_hash"], edition["hash"]);
    assert_eq!(edition["version"], 2);
}

#[tokio::test]
async fn a_rule_can_be_read_by_its_number() {
    let server = TestServer::start();
    let rule = server.read("/v1/editions/antike/rules/A24").await;
    assert_eq!(rule["number"], "A24");
    assert_eq!(rule["heading"], "`maneuver`");
    assert!(
        rule["text"]
            .as_str()
            .unwrap()
            .starts_with("Each unit has 1 maneuver")
    );
    assert_eq!(array(&rule["rulings"]).len(), 1);
    assert_eq!(rule["assumed"], json!([]));
    // Later editions build on it, not the reverse.
    let later = server.get("/v1/editions/antike_duellum/rules/A24").await;
    assert_eq!(later.ok(200), rule);
    let coins = server.read("/v1/editions/antike_ii/rules/B1").await;
    assert_eq!(array(&coins["assumed"]).len(), 1);
    for path in [
        "/v1/editions/antike/rules/B1",
        "/v1/editions/antike/rules/A99",
        "/v1/editions/antike/rules/a24",
        "/v1/editions/chess/rules/A24",
        "/v1/editions/chess/rules",
    ] {
        server.get(path).await.not_found();
    }
    let list = server.read("/v1/editions/antike_ii/rules").await;
    let items = array(&list["items"]);
    assert!(items.contains(&rule) && items.contains(&coins));
    assert_eq!(items[0], coins);
}

#[tokio::test]
async fn rules_are_served_as_markdown() {
    let server = TestServer::start();
    let page = server
        .get_as("/v1/editions/antike_ii/rules", "text/markdown")
        .await;
    assert_eq!(page.header("content-type"), "text/markdown");
    assert!(page.text.starts_with("# Rules digest: Antike II"));
    assert!(page.text.contains("\n# Rules digest: Antike (2005)"));
    let rule = server
        .get_as("/v1/editions/antike/rules/A27", "text/markdown")
        .await;
    assert!(rule.text.starts_with("# A27: `maneuver`\n\n**Conquest**"));
    let picture = server
        .get_as("/v1/editions/antike/rules/A27", "image/png")
        .await;
    picture.problem(406, "not_acceptable");
}

#[tokio::test]
async fn a_setup_that_breaks_a_rule_links_to_the_rule() {
    let server = TestServer::start();
    let seat = json!({"player": "open"});
    let game = json!({"edition": "antike", "board": "antike-east",
        "variants": ["three_nation_goal_12", "military"], "seats": [seat, seat, seat]});
    let answer = server.post("/v1/games", "", game).await;
    let problem = answer.problem(422, "invalid_body");
    assert_eq!(problem["rule"], "A46");
    assert_eq!(problem["rule_url"], "/v1/editions/antike/rules/A46");
}
