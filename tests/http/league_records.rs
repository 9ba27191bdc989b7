//! Imported records as results of leagues, and who may bring in records that name one.

use engine::setup::Player;
use records::Record;
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::league;
use super::program::{done, failed, tabularium};
use super::support::{Answer, TestServer, array, send, text};

/// What became of a record that is sent: `imported`, `known` or the code of the problem.
async fn sent(server: &TestServer, token: &str, record: &Record) -> String {
    let request = server.with(reqwest::Method::POST, "/v1/records", token);
    let answer: Answer = send(request.json(record)).await;
    let told = answer.ok(200)["items"][0].take();
    match told["outcome"].as_str() {
        Some("refused") => text(&told["problem"]["code"]),
        outcome => outcome.unwrap().to_owned(),
    }
}

/// A game of people: members, by their accounts or other ids.
fn played(ids: &[&str]) -> Record {
    let known: Vec<(&str, u32)> = ids.iter().map(|id| (*id, 50)).collect();
    super::ratings::corpus(&known, 1, 6).remove(0)
}

#[tokio::test]
async fn a_record_that_names_a_league_comes_from_its_organizers() {
    let server = TestServer::start();
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let path = league(&server, &dido, json!({})).await;
    let id = path.trim_start_matches("/v1/leagues/");
    let mut record = played(&["of old", "of late", "somebody", "anybody"]);
    record.league = Some(id.to_owned());
    for (token, code) in [("", "unauthenticated"), (&*hanno, "forbidden")] {
        assert_eq!(sent(&server, token, &record).await, code);
    }
    let listed = async |league: &str| {
        let games = server.get(&format!("/v1/games?league={league}")).await;
        array(&games.ok(200)["items"]).len()
    };
    assert_eq!(listed(id).await, 0);
    assert_eq!(sent(&server, &dido, &record).await, "imported");
    // What is there is known, whoever sends it again.
    assert_eq!(sent(&server, &hanno, &record).await, "known");
    assert_eq!(listed(id).await, 1);
    // Leagues of other offices are nobody's here.
    let mut others = played(&["of old", "of late", "somebody", "anybody"]);
    others.league = Some("0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77".to_owned());
    let mut free = played(&["of old", "of late", "somebody", "anybody"]);
    free.league = Some("thursdays".to_owned());
    for record in [others, free] {
        assert_eq!(sent(&server, &hanno, &record).await, "imported");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_of_a_record_is_a_table_when_members_sat_there() {
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

    // Three by their accounts, and one whom the record knows by another name.
    let ids: Vec<&str> = accounts.iter().map(|(id, _)| id.as_str()).collect();
    let record = played(&[ids[0], ids[1], ids[2], "livia of old"]);
    assert_eq!(sent(&server, &token, &record).await, "imported");
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
    let untold = enter(json!({"game": record.id})).await;
    assert_eq!(field(untold), format!("seats[{of_livia}]"));
    // Members who sat elsewhere at this table.
    let mut turned = sat.clone();
    turned.rotate_left(1);
    let wrong = enter(json!({"game": record.id, "seats": seats(&turned)})).await;
    let first = field(wrong);
    assert!(first.ends_with(".member"), "{first}");
    let entered = enter(json!({"game": record.id, "seats": seats(&sat)})).await;
    let table = entered.ok(201)["table"].take();
    let ranks = &record.result.as_ref().unwrap().ranks;
    for (seat, told) in array(&table["seats"]).iter().enumerate() {
        assert_eq!(told["members"][0]["id"], sat[seat]);
        let own = ranks.iter().find(|rank| usize::from(rank.seat) == seat);
        let own = own.unwrap();
        assert_eq!(told["rank"], own.rank);
        assert_eq!(told["nations"], json!(own.nations));
    }

    // A bot is no member. All are named by their accounts; then the program enters it.
    let with_bots = played(&[ids[0], ids[1], ids[2]]);
    assert_eq!(sent(&server, &token, &with_bots).await, "imported");
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
    let record = played(&[ids[0], ids[1], ids[2], &fourth.0]);
    assert_eq!(sent(&server, &token, &record).await, "imported");
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
    assert!(errors.contains("table of the league already"), "{errors}");
    let tables = server.read(&format!("{path}/tables")).await;
    let table = &tables["items"][1];
    assert_eq!(
        (&table["game"], &table["round"], &table["state"]),
        (&json!(record.id), &json!(2), &json!("counted"))
    );
}
