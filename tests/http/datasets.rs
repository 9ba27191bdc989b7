//! Datasets: published by the operator, served over HTTP, downloaded into folders that answer the same; and
//! all records as lines.

use std::fs;
use std::path::{Path, PathBuf};

use analytics::dataset::{Dataset, Publication, publish};
use analytics::question::AsOf;
use analytics::{Facts, FactsStore, FactsStoreError, FactsWriter, GameFacts};
use engine::content::Library;
use records::Record;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::statistics::{any_reason, games, server_with};
use super::support::{Answer, TestServer, array, send};

/// The folder where a server finds its datasets.
fn folder(server: &TestServer) -> PathBuf {
    server.database.facts().with_extension("datasets")
}

/// Publishes some games as a dataset, one log position after the other.
fn publish_dataset(
    server: &TestServer,
    records: &[Record],
    name: &str,
    as_of: Option<i64>,
) -> Dataset {
    let facts = tempfile::tempdir().unwrap();
    let store = FactsStore::new(facts.path());
    let games = records.iter().zip(1..).map(|(record, place)| {
        let facts = GameFacts::derive(record, Library::embedded()).unwrap();
        facts.with_position(place, "2026-01-02T03:04:05Z".parse().unwrap())
    });
    let mut writer = FactsWriter::open(&store).unwrap();
    let facts = Facts::from_games(games.collect()).unwrap();
    writer.append(&facts, None, 0).unwrap();
    publish(&Publication {
        facts: &store,
        to: &folder(server),
        name,
        title: "Games of bots",
        description: "Played for a test.",
        license: "CC0-1.0",
        as_of: as_of.map(AsOf::Position),
    })
    .unwrap()
}

/// Downloads a dataset with the files that its `SHA256SUMS` lists.
async fn download(server: &TestServer, name: &str, to: &Path) {
    let sums = server.get(&format!("/v1/datasets/{name}/SHA256SUMS")).await;
    assert_eq!(sums.header("content-type"), "text/plain; charset=utf-8");
    for line in sums.text.lines() {
        let (hash, path) = line.split_once("  ").unwrap();
        let file = format!("{}/v1/datasets/{name}/{path}", server.address);
        let bytes = reqwest::get(file).await.unwrap().bytes().await.unwrap();
        let sha256 = <sha2::Sha256 as sha2::Digest>::digest(&bytes);
        assert_eq!(hex::encode(sha256), hash, "{path}");
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::write(to.join("SHA256SUMS"), sums.text).unwrap();
}

/// A folder that is no dataset does no harm, whatever its description says.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_no_dataset_is_not_served() {
    let server = TestServer::start();
    let records = games(1);
    for name in ["good", "renamed", "wide", "hashed", "broken"] {
        publish_dataset(&server, &records, name, None);
    }
    let at = |path: &str| folder(&server).join(path);
    fs::write(at("notes.txt"), "not a folder").unwrap();
    fs::write(at("secret"), "secret").unwrap();
    let change = |name: &str, change: &dyn Fn(&mut Value)| {
        let path = at(name).join("datapackage.json");
        let mut description: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut description);
        fs::write(&path, description.to_string()).unwrap();
    };
    change("good", &|description| {
        for file in description["resources"].as_array_mut().unwrap() {
            file["mediatype"] = json!("text/html");
        }
    });
    change("renamed", &|description| {
        description["name"] = json!("../good")
    });
    change("wide", &|description| {
        description["resources"][0]["path"] = json!("../secret")
    });
    change("hashed", &|description| {
        description["resources"][0]["hash"] = json!("sha256:\"\r\n")
    });
    fs::write(at("broken/datapackage.json"), "{").unwrap();
    let list = server.read("/v1/datasets").await;
    let items = array(&list["items"]);
    let names: Vec<&Value> = items.iter().map(|item| &item["name"]).collect();
    assert_eq!(names, ["good"]);
    for none in [
        "renamed",
        "renamed/manifest.json",
        "wide",
        "hashed",
        "notes.txt",
    ] {
        let answer = server.get(&format!("/v1/datasets/{none}")).await;
        answer.not_found();
    }
    server
        .get("/v1/datasets/broken")
        .await
        .problem(500, "internal");
    let file = server.get("/v1/datasets/good/manifest.json").await;
    assert_eq!(file.status, 200, "{}", file.text);
    assert_eq!(file.header("content-type"), "application/json");
}

/// Requests a file, or a part of it, with these headers.
async fn part(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = server.request(Method::GET, path);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    send(request).await
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_is_listed_described_and_downloaded() {
    let server = TestServer::start();
    assert_eq!(server.read("/v1/datasets").await, json!({"items": []}));
    let records = games(6);
    let dataset = publish_dataset(&server, &records, "bots-1", Some(4));
    fs::create_dir_all(folder(&server).join(".bots-2.partial")).unwrap();
    let list = server.read("/v1/datasets").await;
    let items = array(&list["items"]);
    assert_eq!(items.len(), 1, "{list}");
    assert_eq!(
        (&items[0]["name"], &items[0]["games"]),
        (&json!("bots-1"), &json!(4))
    );
    let description = server.get(items[0]["path"].as_str().unwrap()).await;
    let description = description.ok(200);
    assert_eq!(description, serde_json::to_value(&dataset).unwrap());
    let described = server.get("/v1/datasets/bots-1/datapackage.json").await;
    assert_eq!(described.ok(200), description);

    let to = tempfile::tempdir().unwrap();
    download(&server, "bots-1", to.path()).await;
    let (facts, _) = Facts::from_records(&records[..4], Library::embedded()).unwrap();
    let store = FactsStore::new(to.path());
    for asked in [
        &analytics::NATIONS,
        &analytics::OPENINGS_TREE,
        &analytics::INCOME,
    ] {
        let here = store.measure(asked, &any_reason()).unwrap();
        let there = analytics::measure(&facts.lazy(), asked, &any_reason()).unwrap();
        assert_eq!(here.data_version, there.data_version);
        assert_eq!(
            here.to_json().unwrap()["rows"],
            there.to_json().unwrap()["rows"]
        );
    }
    // A dataset never changes: it accepts no facts, neither where it was published nor where it was downloaded.
    for dataset in [to.path().to_owned(), folder(&server).join("bots-1")] {
        let store = FactsStore::new(&dataset);
        let before = fs::read(dataset.join("manifest.json")).unwrap();
        for opened in [FactsWriter::open(&store), FactsWriter::open_empty(&store)] {
            let error = opened.map(|_| ()).unwrap_err();
            assert!(matches!(error, FactsStoreError::Published(_)), "{error}");
        }
        assert_eq!(fs::read(dataset.join("manifest.json")).unwrap(), before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_served_whole_in_parts_or_not_again() {
    let server = TestServer::start();
    let dataset = publish_dataset(&server, &games(1), "bots", None);
    let file = dataset.file("manifest.json").unwrap();
    let path = format!("/v1/datasets/bots/{}", file.path);
    let whole = server.get(&path).await;
    assert_eq!(whole.status, 200, "{}", whole.text);
    assert_eq!(whole.text.len() as u64, file.size);
    assert_eq!(whole.header("content-type"), "application/json");
    assert_eq!(whole.header("accept-ranges"), "bytes");
    let tag = whole.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", file.sha256().unwrap()));
    assert_eq!(
        part(&server, &path, &[("If-None-Match", &tag)])
            .await
            .status,
        304
    );

    let last = file.size - 1;
    for (asked, from, to) in [
        ("bytes=5-9".to_owned(), 5, 9),
        ("bytes=7-".to_owned(), 7, last),
        ("bytes=-4".to_owned(), last - 3, last),
        (format!("bytes=0-{}", last + 100), 0, last),
    ] {
        let some = part(&server, &path, &[("Range", &asked), ("If-Range", &tag)]).await;
        assert_eq!(some.status, 206, "{asked}: {}", some.text);
        assert_eq!(
            some.text,
            whole.text[from as usize..=to as usize],
            "{asked}"
        );
        assert_eq!(
            some.header("content-range"),
            format!("bytes {from}-{to}/{}", file.size)
        );
        assert_eq!(some.header("etag"), tag);
    }
    // A request for another version, for several parts or beyond the end receives the whole file.
    for (asked, of) in [
        ("bytes=5-9", "\"another\""),
        ("bytes=0-1,4-5", tag.as_str()),
        ("bytes=99999999-", tag.as_str()),
        ("lines=1-2", tag.as_str()),
    ] {
        let all = part(&server, &path, &[("Range", asked), ("If-Range", of)]).await;
        assert_eq!((all.status, &all.text), (200, &whole.text), "{asked}");
    }
    for nothing in [
        "bots/none.json",
        "bots/games",
        "bots/../bots/manifest.json",
        "bots/%2e%2e/x",
        "bots/lock",
        "other",
        "other/manifest.json",
    ] {
        let answer = server.get(&format!("/v1/datasets/{nothing}")).await;
        if answer.status != 200 {
            answer.not_found();
        } else {
            // The client resolves the dots in the path before it sends the request.
            assert_eq!(answer.text, whole.text, "{nothing}");
        }
    }
}

#[tokio::test]
async fn all_records_are_lines_and_can_continue_after_any() {
    let records = games(40);
    let server = server_with(&records).await;
    // Records of private and unlisted games are excluded.
    let (_, of_dido) = register(&server, "dido").await;
    let mut ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
    for visibility in ["unlisted", "private", "public"] {
        let (seat, bot) = (
            json!({"player": "open"}),
            json!({"player": {"bot": "random"}}),
        );
        let game = json!({"edition": "antike", "board": "antike-west", "seats": [seat, bot, bot],
            "visibility": visibility, "claims": "open"});
        let (path, game) = server.create_game(&of_dido, game).await;
        let seat = format!("{path}/seats/0");
        server.create(&seat, &of_dido, json!({})).await;
        server.adjudicate(&path, &of_dido, &[1, 2, 3]).await;
        if visibility == "public" {
            ids.push(game["id"].as_str().unwrap().to_owned());
        }
    }
    let lines = |answer: &Answer| -> Vec<Record> {
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(answer.text.is_empty() || answer.text.ends_with('\n'));
        let lines = answer.text.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = server.get("/v1/records").await;
    assert_eq!(all.header("content-type"), "application/x-ndjson");
    let records_read = lines(&all);
    let names: Vec<&String> = records_read.iter().map(|record| &record.id).collect();
    assert_eq!(names, ids.iter().collect::<Vec<_>>());
    assert_eq!(records_read[0].actions, records[0].actions);
    assert!(
        records_read[0].events.is_none() && records_read[40].events.is_some(),
        "a decision is proven"
    );
    let with_events = lines(&server.get("/v1/records?limit=2&events=true").await);
    assert!(with_events.iter().all(|record| record.events.is_some()));
    for (after, limit) in [(0, 3), (30, 2), (31, 32), (35, 100), (40, 5)] {
        let path = format!("/v1/records?after={}&limit={limit}", ids[after]);
        let some = lines(&server.get(&path).await);
        let behind: Vec<&Record> = records_read[after + 1..].iter().take(limit).collect();
        assert_eq!(some.iter().collect::<Vec<_>>(), behind, "{after} {limit}");
    }
    for (wrong, field) in [
        ("after=0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77", "after"),
        ("after=7", "after"),
        ("limit=0", "limit"),
        ("events=perhaps", "events"),
    ] {
        let answer = server.get(&format!("/v1/records?{wrong}")).await;
        answer.invalid(field);
    }
    let html = server.get_as("/v1/records", "text/csv").await;
    html.problem(406, "not_acceptable");
}
