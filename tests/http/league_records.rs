//! Imported records as results of leagues, and permission to import records that name a league.

use engine::setup::Player;
use records::Record;
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::league;
use super::program::{done, failed, tabularium};
use super::support::{Answer, TestServer, array, send, text};

/// Sends a record. Returns `imported`, `known` or the code of the problem.
async fn import(server: &TestServer, token: &str, record: &Record) -> String {
    let request = server.with(reqwest::Method::POST, "/v1/records", token);
    let answer: Answer = send(request.json(record)).await;
    let item = answer.ok(200)["items"][0].take();
    match item["outcome"].as_str() {
        Some("refused") => text(&item["problem"]["code"]),
        outcome => outcome.unwrap().to_owned(),
    }
}

/// Returns the record of a game of people, who have these account ids or other ids.
fn record_of(ids: &[&str]) -> Record {
    let known: Vec<(&str, u32)> = ids.iter().map(|id| (*id, 50)).collect();
    super::ratings::corpus(&known, 1, 6).remove(0)
}

#[tokio::test]
async fn only_organizers_import_a_record_that_names_their_league() {
    let server = TestServer::start();
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let path = league(&server, &dido, json!({})).await;
    let id = path.trim_start_matches("/v1/leagues/");
    let mut record = record_of(&["of old", "of late", "livia", "drusus"]);
    record.league = Some(id.to_owned());
    for (token, code) in [("", "unauthenticated"), (&*hanno, "forbidden")] {
        assert_eq!(import(&server, token, &record).await, code);
    }
    let listed = async |league: &str| {
        let games = server.get(&format!("/v1/games?league={league}")).await;
        array(&games.ok(200)["items"]).len()
    };
    assert_eq!(listed(id).await, 0);
    assert_eq!(import(&server, &dido, &record).await, "imported");
    // A record that the server has is known, whichever account sends it again.
    assert_eq!(import(&server, &hanno, &record).await, "known");
    assert_eq!(listed(id).await, 1);
    // Leagues of other servers have no organizers here.
    let mut others = record_of(&["of old", "of late", "livia", "drusus"]);
    others.league = Some("0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77".to_owned());
    let mut free = record_of(&["of old", "of late", "livia", "drusus"]);
    free.league = Some("thursdays".to_owned());
    for record in [others, free] {
        assert_eq!(import(&server, &hanno, &record).await, "imported");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_game_of_members_is_entered_as_a_table() {
    let server = TestServer::start();
    let mut accounts = Vec::new();
    for name in ["dido", "hanno", "mago"] {
        accounts.push(register(&server, name).await);
    }
    let token = accounts[0].1.clone();
    let path = league(&server, &token, json!({})).await;
    for (id, own) in &accounts {
        let body = json!({ "id": id });
        server.create(&format!("{path}/members"), own, body).await;
    }
    let body = json!({"placeholder": "Livia"});
    let added = server.post(&format!("{path}/members"), &token, body).await;
    let livia = text(&added.ok(201)["members"][3]["id"]);
    let results = format!("{path}/results");
    let enter = async |body: Value| server.post(&results, &token, body).await;

    // The record names three players by their accounts, and one by another id.
    let ids: Vec<&str> = accounts.iter().map(|(id, _)| id.as_str()).collect();
    let record = record_of(&[ids[0], ids[1], ids[2], "livia of old"]);
    assert_eq!(import(&server, &token, &record).await, "imported");
    let sat: Vec<String> = (record.setup.seats.iter())
        .map(|seat| match &seat.player {
            Player::Person { id, .. } if id == "livia of old" => livia.clone(),
            player => player.actor().unwrap().to_owned(),
        })
        .collect();
    let seats = |members: &[String]| -> Value {
        members.iter().map(|id| json!({ "member": id })).collect()
    };
    let field = |answer: Answer| text(&answer.problem(422, "invalid_body")["field"]);
    let of_livia = sat.iter().position(|id| *id == livia).unwrap();
    let missing = enter(json!({"game": record.id})).await;
    assert_eq!(field(missing), format!("seats[{of_livia}]"));
    // Members of this table, but in other seats.
    let mut turned = sat.clone();
    turned.rotate_left(1);
    let wrong = enter(json!({"game": record.id, "seats": seats(&turned)})).await;
    let first = field(wrong);
    assert!(first.ends_with(".member"), "{first}");
    let entered = enter(json!({"game": record.id, "seats": seats(&sat)})).await;
    let table = entered.ok(201)["table"].take();
    let ranks = &record.result.as_ref().unwrap().ranks;
    for (seat, entered_seat) in array(&table["seats"]).iter().enumerate() {
        assert_eq!(entered_seat["members"][0]["id"], sat[seat]);
        let own = ranks.iter().find(|rank| usize::from(rank.seat) == seat);
        let own = own.unwrap();
        assert_eq!(entered_seat["rank"], own.rank);
        assert_eq!(entered_seat["nations"], json!(own.nations));
    }

    // A bot is no member. If the record names all players by their accounts, the program can enter it.
    let with_bots = record_of(&[ids[0], ids[1], ids[2]]);
    assert_eq!(import(&server, &token, &with_bots).await, "imported");
    let sat: Vec<String> = (with_bots.setup.seats.iter())
        .map(|seat| match &seat.player {
            Player::Bot { .. } => livia.clone(),
            player => player.actor().unwrap().to_owned(),
        })
        .collect();
    let refused = enter(json!({"game": with_bots.id, "seats": seats(&sat)})).await;
    let bot = sat.iter().position(|id| *id == livia).unwrap();
    assert_eq!(field(refused), format!("seats[{bot}].member"));

    let fourth = register(&server, "gisco").await;
    let body = json!({ "id": fourth.0 });
    let members = format!("{path}/members");
    server.create(&members, &fourth.1, body).await;
    let record = record_of(&[ids[0], ids[1], ids[2], &fourth.0]);
    assert_eq!(import(&server, &token, &record).await, "imported");
    let folder = tempfile::tempdir().unwrap();
    let result = json!({"game": record.id, "round": 2, "note": "by post"});
    std::fs::write(folder.path().join("result.json"), result.to_string()).unwrap();
    let url = format!("http://{}", server.socket());
    let id = path.trim_start_matches("/v1/leagues/");
    let arguments = [
        "league",
        "--url",
        &url,
        "--token",
        &token,
        "result",
        id,
        "result.json",
    ];
    done(&tabularium(folder.path(), &arguments));
    let errors = failed(&tabularium(folder.path(), &arguments), 1);
    assert!(errors.contains("already a table of the league"), "{errors}");
    let tables = server.read(&format!("{path}/tables")).await;
    let table = &tables["items"][1];
    assert_eq!(
        (&table["game"], &table["round"], &table["state"]),
        (&json!(record.id), &json!(2), &json!("counted"))
    );
}
