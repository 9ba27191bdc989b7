//! Leagues in and out: spreadsheets, imports of members and past results, exports for other programs.

use std::collections::BTreeMap;
use std::io::Read;

use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::league;
use super::program::{done, failed, tabularium};
use super::support::{Answer, TestServer, array, assert_contains, send, text};

const CSV: &str = "text/csv";
const XML: &str = "application/xml";
const JSON: &str = "application/json";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Three results of two seasons, by people of whom the league knows no one.
const PAST: &str = "season,round,table,date,player,nation,place,points,edition,board\n\
    2023,1,A,2023-05-01,Dido,greeks,1,5,antike,antike-east\n\
    2023,1,A,2023-05-01,Hanno,Arabs,2,3,antike,antike-east\n\
    2023,1,A,2023-05-01,\"Mago, the Bold\",persians,3,2,antike,antike-east\n\
    2024,1,A,2024-02-03,Dido,,1,5,Antike,\n\
    2024,1,A,2024-02-03,Hanno,,2,3,Antike,\n\
    2024,2,A,2024-03-03T19:30:00Z,Hanno,,1,4,antike_ii,\n\
    2024,2,A,,dido,,1,4,,\n";

/// Sends a file to a league.
async fn import(
    server: &TestServer,
    (path, token): (&str, &str),
    (media_type, file): (&str, &str),
    query: &str,
) -> Answer {
    let path = format!("{path}/import{query}");
    let request = server.with(Method::POST, &path, token);
    let request = request.header("Content-Type", media_type);
    send(request.body(file.to_owned())).await
}

/// Returns the row, fate and column of each row of a report.
fn fates(report: &Value) -> Vec<(u64, &str, Option<&str>)> {
    let rows = array(&report["rows"]).iter();
    let fate = |row: &'_ Value| row["row"].as_u64().unwrap();
    rows.map(|row| {
        (
            fate(row),
            row["fate"].as_str().unwrap(),
            row["column"].as_str(),
        )
    })
    .collect()
}

#[tokio::test]
async fn past_seasons_are_imported_as_a_whole() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "elissa").await;
    let own =
        json!({"season": {"name": "2023", "rules": {"scoring": {"rank_points": [5, 3, 2, 0]}}}});
    let path = league(&server, &of_dido, own).await;
    let to = (&*path, &*of_dido);
    let before = server.read(&path).await;
    let tried = import(&server, to, (CSV, PAST), "?dry_run=true")
        .await
        .ok(200);
    assert_eq!(tried["imported"], false);
    assert_eq!(
        server.read(&path).await,
        before,
        "a dry run changes nothing"
    );
    let done = import(&server, to, (CSV, PAST), "").await.ok(201);
    for (name, value) in [
        ("added", json!(7)),
        ("refused", json!(0)),
        ("new_members", json!(["Dido", "Hanno", "Mago, the Bold"])),
        ("new_seasons", json!(["2024"])),
    ] {
        assert_eq!(tried[name], value, "{name}");
        assert_eq!(done[name], value, "{name}");
    }
    let after = server.read(&path).await;
    assert_eq!(after["seq"], done["seq"]);
    let tables = server.read(&format!("{path}/tables")).await;
    let first = &tables["items"][0];
    assert_eq!(first["played_at"], "2023-05-01T00:00:00Z");
    assert_eq!(first["seats"][1]["nations"], json!(["arabs"]));
    assert_eq!(tables["items"][2]["edition"], "antike_ii");
    let standings = server.read(&format!("{path}/standings?season=2")).await;
    let points: Vec<(&str, f64)> = (array(&standings["rows"]).iter())
        .filter(|row| row["games"] != 0.0)
        .map(|row| {
            (
                row["member"]["name"].as_str().unwrap(),
                row["points"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(points, [("Dido", 9.0), ("Hanno", 7.0)]);
    // The same file again adds nothing.
    let again = import(&server, to, (CSV, PAST), "").await.ok(201);
    assert_eq!(
        (&again["already_there"], &again["added"]),
        (&json!(7), &json!(0))
    );
    assert_eq!(again["seq"], done["seq"]);
    // The log is as consistent as after single requests.
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert!(
        faults.iter().all(|fault| !fault.contains("league")),
        "{faults:?}"
    );
}

#[tokio::test]
async fn an_import_lists_what_happens_to_each_row() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let path = league(&server, &token, json!({})).await;
    let to = (&*path, &*token);
    import(&server, to, (CSV, "name\nDido\nHanno\nMago\n"), "")
        .await
        .ok(201);
    let good = "round,table,date,player,nation,place,edition\n\
        1,A,2024-02-03,Dido,greeks,1,antike\n1,A,2024-02-03,Hanno,arabs,2,antike\n";
    import(&server, to, (CSV, good), "").await.ok(201);
    let file = "season,round,table,date,player,nation,place,points,edition\n\
        ,1,A,2024-02-03,Dido,greeks,1,,antike\n,1,A,2024-02-03,Hanno,arabs,2,,antike\n\
        ,2,B,2024-02-03,Dido,,2,,antike\n,2,B,2024-02-03,Hanno,,1,,antike\n\
        ,3,C,,Dido,atlanteans,1,,antike\n,3,C,,Hanno,,2,,antike\n\
        ,3,D,,Dido,,1,,antike\n,3,D,,Dido,,2,,antike\n\
        ,3,E,2999-01-01,Dido,,1,,antike\n,3,E,,Hanno,,2,,antike\n\
        ,3,F,,Dido,,1,,antike\n,3,F,,Hanno,,3,,antike\n\
        ,3,G,,Dido,,first,,antike\n,3,G,,Hanno,,2,,antike\n\
        ,3,H,,Dido,,1,,chess\n,3,H,,Hanno,,2,,chess\n\
        ,3,I,,Dido,,1,,antike\n\
        ,3,J,,Dido,,1,9,antike\n,3,J,,ma-go,,2,3,antike\n";
    let tried = import(&server, to, (CSV, file), "?dry_run=true")
        .await
        .ok(200);
    let refused = |row: u64, column| (row, "refused", column);
    assert_eq!(
        fates(&tried),
        [
            (2, "already_there", Some("table")),
            (3, "already_there", Some("table")),
            (4, "possible_duplicate", Some("table")),
            (5, "possible_duplicate", Some("table")),
            refused(6, Some("nation")),
            refused(7, None),
            refused(8, None),
            refused(9, Some("player")),
            refused(10, Some("date")),
            refused(11, Some("date")),
            refused(12, Some("place")),
            refused(13, Some("place")),
            refused(14, Some("place")),
            refused(15, None),
            refused(16, Some("edition")),
            refused(17, Some("edition")),
            refused(18, Some("table")),
            (19, "added", Some("points")),
            (20, "added", Some("player")),
        ]
    );
    assert_eq!(tried["new_members"], json!(["ma-go"]));
    let message = text(&tried["rows"][4]["message"]);
    assert_contains(&message, "no board has the nation \"atlanteans\"");
    let before = server.read(&path).await;
    let problem = import(&server, to, (CSV, file), "")
        .await
        .problem(422, "invalid_body");
    assert_eq!(problem["field"], "rows[6].nation");
    assert_contains(&text(&problem["detail"]), "13 of 19 rows are refused");
    assert_eq!(
        server.read(&path).await,
        before,
        "all rows are imported or none"
    );
}

#[tokio::test]
async fn members_are_added_or_invited() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    register(&server, "hanno").await;
    let path = league(&server, &token, json!({})).await;
    let to = (&*path, &*token);
    let file = "name;handle\nDido;\n;hanno\ndido;\nD.I.D.O;\n;nobody\n;\nhanno;\n";
    let tried = import(&server, to, (CSV, file), "?dry_run=true")
        .await
        .ok(200);
    assert_eq!(
        fates(&tried),
        [
            (2, "added", None),
            (3, "invited", None),
            (4, "already_there", None),
            (5, "possible_duplicate", Some("name")),
            (6, "refused", Some("handle")),
            (7, "refused", Some("name")),
            (8, "possible_duplicate", Some("name")),
        ]
    );
    let good = "name;handle\nDido;\n;hanno\n'=1+1;\n";
    import(&server, to, (CSV, good), "").await.ok(201);
    let body = server.read(&path).await;
    assert_eq!(body["invited"][0]["handle"], "hanno");
    let names: Vec<&Value> = array(&body["members"])
        .iter()
        .map(|member| &member["name"])
        .collect();
    assert_eq!(names, ["Dido", "=1+1"]);
    // A spreadsheet program reads no name as a formula, and an import reads what an export has written.
    let csv = server.get_as(&format!("{path}/standings"), CSV).await.text;
    assert_contains(&csv, ",'=1+1,");
}

#[tokio::test]
async fn imports_are_refused_with_a_reason() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let (_, other) = register(&server, "hanno").await;
    let path = league(&server, &token, json!({})).await;
    let to = (&*path, &*token);
    import(&server, (&path, ""), (CSV, PAST), "")
        .await
        .unauthenticated();
    import(&server, (&path, &other), (CSV, PAST), "")
        .await
        .forbidden();
    import(&server, (&path, &other), (CSV, PAST), "?dry_run=true")
        .await
        .forbidden();
    for (media_type, file, detail) in [
        (CSV, "", "no rows"),
        (CSV, "name,age\nDido,3\n", "unknown columns \"age\""),
        (XML, "<plays>", "line 1"),
        (XML, "<games/>", "no element `plays`"),
        (
            XML,
            "<!DOCTYPE x [<!ENTITY a \"a\">]><plays>&a;</plays>",
            "DTD",
        ),
        (JSON, "{}", "not an export of BG Stats"),
        (JSON, "{\"plays\": []}", "no play"),
    ] {
        let problem = import(&server, to, (media_type, file), "").await;
        let problem = problem.problem(422, "invalid_body");
        assert_contains(&text(&problem["detail"]), detail);
    }
    import(&server, to, ("text/html", PAST), "")
        .await
        .problem(415, "unsupported_media_type");
    import(&server, to, (CSV, PAST), "?dry=true")
        .await
        .invalid("dry");
    let stale = server.with(Method::POST, &format!("{path}/import"), &token);
    let stale = stale
        .header("Content-Type", CSV)
        .header("If-Match", "\"0\"");
    send(stale.body(PAST)).await.problem(412, "stale_view");
    let empty = server
        .create("/v1/leagues", &token, json!({"name": "Empty"}))
        .await;
    let empty = format!("/v1/leagues/{}", text(&empty["id"]));
    import(&server, (&empty, &token), (CSV, PAST), "")
        .await
        .problem(409, "not_started");
    let large = format!("name\n{}", "x\n".repeat(10_001));
    import(&server, to, (CSV, &large), "")
        .await
        .problem(422, "invalid_body");
}

#[tokio::test]
async fn results_leave_and_come_back_in_each_format() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let path = league(&server, &token, json!({})).await;
    import(&server, (&path, &token), (CSV, PAST), "")
        .await
        .ok(201);
    let places = async |path: &str| -> Vec<Vec<(String, u64, Value)>> {
        let tables = server.items(&format!("{path}/tables")).await;
        let seats = |table: &Value| -> Vec<(String, u64, Value)> {
            let seats = array(&table["seats"]).iter();
            seats
                .map(|seat| {
                    let name = text(&seat["members"][0]["name"]);
                    (
                        name,
                        seat["rank"].as_u64().unwrap(),
                        seat["nations"].clone(),
                    )
                })
                .collect()
        };
        tables.iter().map(seats).collect()
    };
    let own = places(&path).await;
    for media_type in [CSV, XML, JSON] {
        let file = server.get_as(&format!("{path}/export"), media_type).await;
        assert_eq!(file.header("content-type"), media_type);
        let other = league(&server, &token, json!({})).await;
        let report = import(&server, (&other, &token), (media_type, &file.text), "").await;
        let report = report.ok(201);
        assert_eq!(
            (&report["added"], &report["refused"]),
            (&json!(7), &json!(0)),
            "{report}"
        );
        assert_eq!(places(&other).await, own, "{media_type}");
        let again = import(&server, (&other, &token), (media_type, &file.text), "").await;
        assert_eq!(again.ok(201)["already_there"], 7, "{media_type}");
    }
    let one = server.get(&format!("{path}/export?season=1")).await;
    assert_eq!(
        one.text.lines().count(),
        1,
        "the current season had no result before: {}",
        one.text
    );
    let missing = server.get(&format!("{path}/export?season=9")).await;
    missing.not_found();
    server
        .get_as(&format!("{path}/export"), "text/html")
        .await
        .problem(406, "not_acceptable");
}

#[tokio::test]
async fn plays_of_other_programs_become_results() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let path = league(&server, &token, json!({})).await;
    let xml = r#"<?xml version="1.0" encoding="utf-8"?>
<plays username="dido" userid="7" total="4" page="1">
<play id="1" date="2021-01-01" quantity="1" length="0" incomplete="0" nowinstats="0" location="">
<item name="Antike II" objecttype="thing" objectid="1"/>
<comments>by candle light</comments>
<players>
<player username="" userid="0" name="Hanno" startposition="2" color="Romans" score="7" win="0"/>
<player username="dido" userid="7" name="Dido" startposition="1" color="red" score="9" win="1"/>
</players>
</play>
<play id="2" date="2021-01-02" quantity="1" incomplete="0">
<item name="Chess"/><players><player name="Dido" win="1"/><player name="Hanno" win="0"/></players></play>
<play id="3" date="2021-01-03" quantity="2" incomplete="0">
<item name="Antike"/><players><player name="Dido" win="1"/><player name="Hanno" win="0"/></players></play>
<play id="4" date="2021-01-04" quantity="1" incomplete="0">
<item name="Antike"/><players><player name="Dido"/><player name="Hanno"/></players></play>
</plays>"#;
    let tried = import(&server, (&path, &token), (XML, xml), "?dry_run=true")
        .await
        .ok(200);
    let fates: Vec<(u64, &str)> = fates(&tried)
        .iter()
        .map(|(row, fate, _)| (*row, *fate))
        .collect();
    let expected = [
        "added", "added", "skipped", "skipped", "refused", "refused", "refused", "refused",
    ];
    let rows = [7, 8, 12, 12, 14, 14, 16, 16];
    assert_eq!(fates, rows.into_iter().zip(expected).collect::<Vec<_>>());
    let json = json!({"games": [{"id": 3, "name": "Antike", "bggId": 1}],
        "players": [{"id": 1, "name": "Dido"}, {"id": 2, "name": "Hanno", "bggUsername": "h"}],
        "plays": [{"gameRefId": 3, "playDate": "2022-05-01 20:15:00", "board": "Antike East", "playerScores": [
            {"playerRefId": 1, "score": "7", "winner": false, "rank": 0, "seatOrder": 0, "role": "Greeks"},
            {"playerRefId": 2, "score": 9, "team": null, "winner": true, "rank": 0, "seatOrder": 0, "role": null}]}]});
    let done = import(
        &server,
        (&path, &token),
        (JSON, &json.to_string()),
        "?season=Old%20days",
    )
    .await;
    assert_eq!(done.ok(201)["new_seasons"], json!(["Old days"]));
    let table = &server.items(&format!("{path}/tables")).await[0];
    assert_eq!(table["played_at"], "2022-05-01T20:15:00Z");
    assert_eq!(table["board"], "antike-east");
    assert_eq!(table["seats"][0]["nations"], json!(["greeks"]));
    assert_eq!(
        (&table["seats"][0]["rank"], &table["seats"][1]["rank"]),
        (&json!(2), &json!(1))
    );
}

/// Returns the files of a ZIP archive by name.
fn unzip(archive: &[u8]) -> BTreeMap<String, String> {
    let number = |at: usize, bytes: usize| {
        let bytes = archive[at..at + bytes].iter().rev();
        bytes.fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    let end = archive
        .windows(4)
        .rposition(|window| window == b"PK\x05\x06")
        .unwrap();
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut files = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
        let (method, packed) = (number(at + 10, 2), number(at + 20, 4));
        let lengths = [28, 30, 32].map(|part| number(at + part, 2));
        let name = String::from_utf8(archive[at + 46..at + 46 + lengths[0]].to_vec()).unwrap();
        let local = number(at + 42, 4);
        let begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        let content = &archive[begin..begin + packed];
        let mut text = String::new();
        match method {
            0 => text = String::from_utf8(content.to_vec()).unwrap(),
            _ => drop(
                flate2::read::DeflateDecoder::new(content)
                    .read_to_string(&mut text)
                    .unwrap(),
            ),
        }
        files.insert(name, text);
        at += 46 + lengths.iter().sum::<usize>();
    }
    files
}

/// Returns the cells of a sheet of a workbook, by row.
fn cells(files: &BTreeMap<String, String>, sheet: usize) -> Vec<Vec<String>> {
    let document = |name: &str| roxmltree::Document::parse(&files[name]).unwrap();
    let strings = document("xl/sharedStrings.xml");
    let strings = strings
        .root_element()
        .children()
        .filter(|node| node.has_tag_name("si"));
    let strings: Vec<String> = strings
        .map(|node| {
            node.descendants()
                .filter_map(|node| node.text().filter(|_| node.is_text()))
                .collect()
        })
        .collect();
    let sheet = document(&format!("xl/worksheets/sheet{sheet}.xml"));
    let rows = sheet.descendants().filter(|node| node.has_tag_name("row"));
    rows.map(|row| {
        let cells = row.children().filter(|node| node.has_tag_name("c"));
        cells
            .map(|cell| {
                assert!(
                    cell.children().all(|node| !node.has_tag_name("f")),
                    "a formula"
                );
                let value = cell.children().find(|node| node.has_tag_name("v"));
                let value = value.and_then(|node| node.text()).unwrap_or_default();
                match cell.attribute("t") {
                    Some("s") => strings[value.parse::<usize>().unwrap()].clone(),
                    _ => value.to_owned(),
                }
            })
            .collect()
    })
    .collect()
}

#[tokio::test]
async fn standings_and_cross_tables_are_spreadsheets() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let path = league(&server, &token, json!({})).await;
    let file = "round,table,player,place,edition\n\
        1,A,'=Dido,1,antike\n1,A,Hanno,2,antike\n1,A,Mago,2,antike\n2,A,Hanno,1,antike\n2,A,'=Dido,2,antike\n";
    import(&server, (&path, &token), (CSV, file), "")
        .await
        .ok(201);
    let cross = server.get_as(&format!("{path}/cross-table"), CSV).await;
    let standings = server.read(&format!("{path}/standings")).await;
    let ids: Vec<String> = (array(&standings["rows"]).iter())
        .map(|row| text(&row["member"]["id"]))
        .collect();
    assert_eq!(
        cross.text,
        format!(
            "number,rank,member,name,points,1,2,3\n\
            1,1,{},'=Dido,8,,1,1\n2,2,{},Hanno,7.5,1,,0.5\n3,3,{},Mago,2.5,0,0.5,\n",
            ids[0], ids[1], ids[2]
        )
    );
    for part in ["standings", "cross-table"] {
        let request = server.with(Method::GET, &format!("{path}/{part}"), "");
        let response = request.header("Accept", XLSX).send().await.unwrap();
        assert_eq!(response.headers()["content-type"], XLSX);
        let files = unzip(&response.bytes().await.unwrap());
        let rows = cells(&files, 1);
        assert_eq!(rows[0][..5], ["rank", "member", "name", "games", "points"]);
        for (row, expected) in rows[1..].iter().zip(array(&standings["rows"])) {
            assert_eq!(row[2], text(&expected["member"]["name"]));
            assert_eq!(
                row[4].parse::<f64>().unwrap(),
                expected["points"].as_f64().unwrap()
            );
        }
        assert_eq!(rows[1][2], "=Dido");
        assert_eq!(cells(&files, 2)[2][3..], ["Hanno", "7.5", "1", "0.5"]);
        assert_eq!(cells(&files, 3).len(), 4);
    }
    for ending in [
        "standings.csv",
        "standings.xlsx",
        "cross-table.csv",
        "head-to-head.csv",
        "results.csv",
        "results.xml",
        "results.json",
    ] {
        let page = path.replace("/v1", "");
        let answer = server.get(&format!("{page}/{ending}")).await;
        assert_eq!(answer.status, 200, "{ending}: {}", answer.text);
        assert_contains(&server.get(&page).await.text, &format!("{page}/{ending}"));
    }
    server
        .get(&format!("{}/other.csv", path.replace("/v1", "")))
        .await
        .not_found();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_imports_and_exports() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let path = league(&server, &token, json!({})).await;
    let id = path.rsplit('/').next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{}", server.socket());
    let run = |arguments: &[&str]| {
        let own = ["league", "--url", &url, "--token", &token];
        tabularium(folder.path(), &[&own[..], arguments].concat())
    };
    std::fs::write(folder.path().join("past.csv"), PAST).unwrap();
    std::fs::write(
        folder.path().join("bad.csv"),
        PAST.replace("greeks", "atlanteans"),
    )
    .unwrap();
    let printed = |output: &std::process::Output| String::from_utf8(output.stdout.clone()).unwrap();
    let bad = run(&["import", id, "bad.csv"]);
    assert_contains(&failed(&bad, 1), "3 rows are refused: nothing was imported");
    assert_contains(
        &printed(&bad),
        "row 2, Dido, column nation: REFUSED: no board has the nation",
    );
    for arguments in [
        &["import", id, "past.csv", "--dry-run"][..],
        &["import", id, "past.csv"],
    ] {
        let output = run(arguments);
        done(&output);
        assert_contains(
            &printed(&output),
            "new season: 2024\n7 added (0 possible duplicates)",
        );
    }
    let output = run(&["export", id, "--format", "bgg", "--season", "3"]);
    done(&output);
    assert_contains(&printed(&output), "<item name=\"Antike II\"");

    // A dry run of a pairing is a table to read, and nations are not dropped silently.
    let pair = [
        "pair",
        id,
        "--round",
        "1",
        "--seed",
        "x",
        "--board",
        "antike-east",
        "--dry-run",
    ];
    let output = run(&[&pair[..], &["--size", "3"]].concat());
    done(&output);
    let lines: Vec<String> = printed(&output).lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), &*lines[0]), (4, "table 1"));
    assert!(
        lines[1..]
            .iter()
            .all(|line| line.ends_with("nation drawn by lot")),
        "{lines:?}"
    );
    let nations = ["--nations", "greeks,romans,persians,arabs"];
    let refused = run(&[&pair[..], &nations].concat());
    assert_contains(
        &failed(&refused, 1),
        "table 1 has 3 seats, but --nations lists 4 nations",
    );
}

#[tokio::test]
async fn a_member_without_an_account_receives_one_and_keeps_everything() {
    let server = TestServer::start();
    let (_, token) = register(&server, "elissa").await;
    let (dido, of_dido) = register(&server, "dido").await;
    let path = league(&server, &token, json!({})).await;
    let file = "round,table,player,place,edition\n\
        1,A,Dido the Old,1,antike\n1,A,Hanno,2,antike\n2,A,Hanno,1,antike\n2,A,Dido the Old,2,antike\n";
    import(&server, (&path, &token), (CSV, file), "")
        .await
        .ok(201);
    let members = server.read(&path).await["members"].clone();
    let [old, hanno] = [0, 1].map(|index| text(&members[index]["id"]));
    let claim = async |member: &str, token: &str| {
        let path = format!("{path}/members/{member}/account");
        server.post(&path, token, json!({"id": "dido"})).await
    };
    // An account agrees by joining first.
    claim(&old, &token).await.invalid("id");
    let join = json!({"id": "dido"});
    server
        .create(&format!("{path}/members"), &of_dido, join)
        .await;
    claim(&old, "").await.unauthenticated();
    claim(&old, &of_dido).await.forbidden();
    claim("placeholder:none", &token).await.not_found();
    claim(&dido, &token).await.invalid("player");
    let standings = format!("{path}/standings");
    let points = async |seq: &Value| {
        let body = server.read(&format!("{standings}?as_of={seq}")).await;
        let rows = array(&body["rows"]).iter();
        let row = |row: &Value| (text(&row["member"]["id"]), row["points"].clone());
        let mut rows: Vec<_> = rows.filter(|row| row["games"] != 0.0).map(row).collect();
        rows.sort_by_key(|(id, _)| *id == hanno);
        rows
    };
    let before = server.read(&path).await["seq"].clone();
    let done = claim(&old, &token).await.ok(201);
    let ids: Vec<String> = array(&done["members"])
        .iter()
        .map(|member| text(&member["id"]))
        .collect();
    assert_eq!(ids, [hanno.clone(), dido.clone()]);
    let (then, now) = (points(&before).await, points(&done["seq"]).await);
    let replaced: Vec<_> = then
        .into_iter()
        .map(|(id, points)| (if id == old { dido.clone() } else { id }, points))
        .collect();
    assert_eq!(now, replaced);
    claim(&old, &token).await.not_found();
    // Who has played against each other are different people.
    let problem = claim(&hanno, &token).await.invalid("id");
    assert_contains(&text(&problem["detail"]), "both played at table 1");
    // The results count for the ratings of both, because the organizer who entered them has not played.
    let (_, of_mago) = register(&server, "mago").await;
    let join = json!({"id": "mago"});
    server
        .create(&format!("{path}/members"), &of_mago, join.clone())
        .await;
    server
        .create(&format!("{path}/members/{hanno}/account"), &token, join)
        .await;
    let profile = format!("/v1/players/{dido}");
    let rated = |body: &Value| {
        array(&body["ratings"])
            .first()
            .is_some_and(|rating| rating["games"] == 2)
    };
    server.wait_for(&profile, rated).await;
    let faults = server.faults(&server.services().signing.public_keys().unwrap());
    assert!(faults.is_empty(), "{faults:?}");
}
