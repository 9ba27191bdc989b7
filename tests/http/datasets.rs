//! Datasets: published by the operator, handed out over HTTP, pulled into folders that answer the same; and all
//! records as lines.

use std::fs;
use std::path::{Path, PathBuf};

use analytics::dataset::{Dataset, Publication, PullError, PullProgress, Pulled, publish, pull};
use analytics::filters::AsOf;
use analytics::{Facts, GameFacts, Measure, Store, StoreError, Writer};
use engine::content::Library;
use engine::record::Record;
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::register;
use crate::statistics::{any, counted, games, server_with};
use crate::support::{Answer, TestServer, send};

/// Where a service finds its datasets.
fn folder(server: &TestServer) -> PathBuf {
    server.database.facts().with_extension("datasets")
}

/// Publishes some games, one place after the other.
fn published(server: &TestServer, records: &[Record], name: &str, as_of: Option<i64>) -> Dataset {
    let facts = tempfile::tempdir().unwrap();
    let store = Store::new(facts.path());
    let games = records.iter().zip(1..).map(|(record, place)| {
        let facts = GameFacts::derive(record, Library::embedded()).unwrap();
        facts.recorded(place, "2026-01-02T03:04:05Z".parse().unwrap())
    });
    let mut writer = Writer::open(&store).unwrap();
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

/// Pulls without holding up the service, with the bytes that came.
async fn pulled(server: &TestServer, name: &str, to: &Path) -> (Pulled, u64) {
    let from = format!("{}/v1/datasets/{name}", server.address);
    let to = to.to_owned();
    let work = move || {
        let mut bytes = 0;
        let tell = |progress: PullProgress<'_>| match progress {
            PullProgress::Bytes(count) => bytes += count,
            PullProgress::Pause { error, .. } => panic!("{error}"),
            _ => {}
        };
        let pulled = pull(&from, &to, tell).unwrap();
        (pulled, bytes)
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// Why a pull is refused.
async fn not_pulled(server: &TestServer, name: &str, to: &Path) -> PullError {
    let from = format!("{}/v1/datasets/{name}", server.address);
    let to = to.to_owned();
    let work = move || pull(&from, &to, |_| {}).unwrap_err();
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// A pull writes into folders of its own only, and nobody else into these.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_leaves_what_others_keep() {
    let server = TestServer::start();
    let records = games(2);
    published(&server, &records, "first", None);
    published(&server, &records[..1], "second", None);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // Somebody's Parquet, facts of one's own, and a dataset where it was published.
    fs::create_dir_all(at("data/table")).unwrap();
    fs::write(at("data/table/part-00000.parquet"), "mine").unwrap();
    fs::write(at("data/datapackage.json"), "{}").unwrap();
    drop(Writer::open(&Store::new(at("facts"))).unwrap());
    let manifest = fs::read(at("facts/manifest.json")).unwrap();
    let original = self::folder(&server).join("second");
    for foreign in [at("data"), at("facts"), original.clone()] {
        let error = not_pulled(&server, "first", &foreign).await;
        assert!(matches!(error, PullError::Foreign(_)), "{error}");
        assert!(!foreign.join("pulled.json").exists());
    }
    let kept = |name: &str| fs::read(at(name)).unwrap();
    assert_eq!(kept("data/table/part-00000.parquet"), b"mine");
    assert_eq!(kept("data/datapackage.json"), b"{}");
    assert_eq!(kept("facts/manifest.json"), manifest);

    // What somebody puts beside the tables is left there.
    pulled(&server, "first", &at("pulled")).await;
    fs::create_dir_all(at("pulled/mine")).unwrap();
    fs::write(at("pulled/mine/part-1.parquet"), "mine").unwrap();
    pulled(&server, "second", &at("pulled")).await;
    assert_eq!(kept("pulled/mine/part-1.parquet"), b"mine");
    // One at a time, and no facts come in.
    let lock = fs::File::create(at("pulled/lock")).unwrap();
    lock.lock().unwrap();
    let error = not_pulled(&server, "first", &at("pulled")).await;
    assert!(error.to_string().contains("another process"), "{error}");
    drop(lock);
    for dataset in [at("pulled"), original] {
        let store = Store::new(&dataset);
        let before = fs::read(dataset.join("manifest.json")).unwrap();
        for opened in [Writer::open(&store), Writer::anew(&store)] {
            let error = opened.map(|_| ()).unwrap_err();
            assert!(matches!(error, StoreError::Published(_)), "{error}");
        }
        assert_eq!(fs::read(dataset.join("manifest.json")).unwrap(), before);
    }
}

/// What lies among the datasets and is none does no harm: a description may come from elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_dataset_is_not_handed_out() {
    let server = TestServer::start();
    let records = games(1);
    for name in ["good", "renamed", "wide", "hashed", "broken"] {
        published(&server, &records, name, None);
    }
    let at = |path: &str| folder(&server).join(path);
    fs::write(at("notes.txt"), "not a folder").unwrap();
    fs::write(at("secret"), "secret").unwrap();
    let change = |name: &str, change: &dyn Fn(&mut Value)| {
        let path = at(name).join("datapackage.json");
        let mut told: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut told);
        fs::write(&path, told.to_string()).unwrap();
    };
    change("good", &|told| {
        for file in told["resources"].as_array_mut().unwrap() {
            file["mediatype"] = json!("text/html");
        }
    });
    change("renamed", &|told| told["name"] = json!("../good"));
    change("wide", &|told| {
        told["resources"][0]["path"] = json!("../secret")
    });
    change("hashed", &|told| {
        told["resources"][0]["hash"] = json!("sha256:\"\r\n")
    });
    fs::write(at("broken/datapackage.json"), "{").unwrap();
    let list = server.get("/v1/datasets").await.ok(200);
    let items = list["items"].as_array().unwrap();
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
        answer.problem(404, "not_found");
    }
    server
        .get("/v1/datasets/broken")
        .await
        .problem(500, "internal");
    let file = server.get("/v1/datasets/good/manifest.json").await;
    assert_eq!(file.status, 200, "{}", file.text);
    assert_eq!(file.header("content-type"), "application/json");
}

async fn part(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = server.request(Method::GET, path);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    send(request).await
}

// Asked from a thread of a single-threaded runtime, polars would refuse to wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_is_listed_told_and_pulled() {
    let server = TestServer::start();
    assert_eq!(
        server.get("/v1/datasets").await.ok(200),
        json!({"items": []})
    );
    let records = games(6);
    let dataset = published(&server, &records, "bots-1", Some(4));
    fs::create_dir_all(folder(&server).join(".bots-2.partial")).unwrap();
    let list = server.get("/v1/datasets").await.ok(200);
    let items = list["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{list}");
    assert_eq!(
        (&items[0]["name"], &items[0]["games"]),
        (&json!("bots-1"), &json!(4))
    );
    let told = server.get(items[0]["path"].as_str().unwrap()).await;
    let told = told.ok(200);
    assert_eq!(told, serde_json::to_value(&dataset).unwrap());
    let described = server.get("/v1/datasets/bots-1/datapackage.json").await;
    assert_eq!(described.ok(200), told);

    let to = tempfile::tempdir().unwrap();
    let (first, bytes) = pulled(&server, "bots-1", to.path()).await;
    assert_eq!((first.files, bytes), (dataset.resources.len(), first.bytes));
    let (facts, _) = Facts::from_records(&records[..4], Library::embedded()).unwrap();
    let same = |store: &Store, facts: &Facts| {
        let asked = [Measure::Nations, Measure::OpeningsTree, Measure::Income];
        for asked in asked {
            let here = store.measure(asked, &any()).unwrap();
            let there = analytics::measure(&facts.lazy(), asked, &any()).unwrap();
            assert_eq!(here.data_version, there.data_version);
            assert_eq!(
                here.to_json().unwrap()["rows"],
                there.to_json().unwrap()["rows"]
            );
        }
    };
    let store = Store::new(to.path());
    same(&store, &facts);

    // What is there is not asked for again.
    let (second, bytes) = pulled(&server, "bots-1", to.path()).await;
    assert_eq!((second.files, bytes), (0, 0));
    // What was cut off goes on where it stopped, and what is broken comes anew.
    let parts = |table: &str| {
        let files = dataset.resources.iter();
        let mut files = files.filter(move |file| file.path.starts_with(table));
        files.next().unwrap().clone()
    };
    let (cut, broken) = (parts("turns/"), parts("seats/"));
    let whole = to.path().join(&cut.path);
    let half = fs::read(&whole).unwrap();
    fs::remove_file(&whole).unwrap();
    fs::write(
        format!("{}.partial", whole.display()),
        &half[..half.len() / 2],
    )
    .unwrap();
    let mut other = fs::read(to.path().join(&broken.path)).unwrap();
    other[10] ^= 1;
    fs::write(to.path().join(&broken.path), other).unwrap();
    let (third, bytes) = pulled(&server, "bots-1", to.path()).await;
    assert_eq!(third.files, 2);
    assert_eq!(bytes, broken.bytes + cut.bytes - half.len() as u64 / 2);
    same(&store, &facts);

    // Another dataset takes its place, and nothing of the first one is left.
    let next = published(&server, &records, "bots-2", None);
    let (fourth, _) = pulled(&server, "bots-2", to.path()).await;
    assert_eq!(fourth.dataset.version, next.version);
    let (facts, _) = Facts::from_records(&records, Library::embedded()).unwrap();
    same(&store, &facts);
    assert!(!whole.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_given_in_parts_and_once() {
    let server = TestServer::start();
    let dataset = published(&server, &games(1), "bots", None);
    let file = dataset.file("manifest.json").unwrap();
    let path = format!("/v1/datasets/bots/{}", file.path);
    let whole = server.get(&path).await;
    assert_eq!(whole.status, 200, "{}", whole.text);
    assert_eq!(whole.text.len() as u64, file.bytes);
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

    let last = file.bytes - 1;
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
            format!("bytes {from}-{to}/{}", file.bytes)
        );
        assert_eq!(some.header("etag"), tag);
    }
    // Of another version, of several parts, and beyond the end it is the whole.
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
        "bots/pulled.json",
        "other",
        "other/manifest.json",
    ] {
        let answer = server.get(&format!("/v1/datasets/{nothing}")).await;
        if answer.status != 200 {
            answer.problem(404, "not_found");
        } else {
            // The client takes the points away before it asks.
            assert_eq!(answer.text, whole.text, "{nothing}");
        }
    }
}

/// Who asks for a table by a definition of before is told in which dataset it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_before_leads_to_its_dataset() {
    let mut server = server_with(&games(2)).await;
    let told = counted(&server, 2).await;
    let definition = told["definition"].as_u64().unwrap();
    let path = format!(
        "/v1/stats/nations?reason=any&as_of={}",
        told["log_position"]
    );
    for name in ["early", "old", "new"] {
        published(&server, &games(3), name, None);
    }
    let change = |name: &str, place: &Value, until: &Value| {
        let described = folder(&server).join(name).join("datapackage.json");
        let text = fs::read_to_string(&described).unwrap();
        let mut old: Value = serde_json::from_str(&text).unwrap();
        old["definitions"]["nations"] = json!(definition + 1);
        old["log_position"] = place.clone();
        old["whole_until"] = until.clone();
        fs::write(&described, old.to_string()).unwrap();
    };
    // One was published as of a place and a time of before, though not long ago.
    change("early", &json!(1), &json!("2026-01-02T03:04:03Z"));
    change("old", &told["log_position"], &told["as_of"]);
    server.stop();
    let change = format!(
        "UPDATE definitions SET definition = {} WHERE measure = 'nations'",
        definition + 1
    );
    crate::program::tamper(&server.database.url(), &change);
    let server = server.restart();
    counted(&server, 2).await;
    let by_time = format!(
        "/v1/stats/nations?reason=any&as_of={}",
        told["as_of"].as_str().unwrap()
    );
    for path in [path, by_time] {
        let refused = server.get(&path).await;
        let problem = refused.problem(409, "definition_changed");
        assert!(
            problem["detail"]
                .as_str()
                .unwrap()
                .ends_with("/v1/datasets/old"),
            "{problem}"
        );
        assert_eq!(
            refused.header("link"),
            "</v1/datasets/old>; rel=\"archives\""
        );
    }
}

#[tokio::test]
async fn all_records_come_as_lines_and_go_on_behind_any() {
    let records = games(40);
    let server = server_with(&records).await;
    // What not everybody sees is not among them.
    let (_, of_dido) = register(&server, "dido").await;
    let mut ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
    for visibility in ["unlisted", "private", "public"] {
        let (seat, bot) = (
            json!({"player": "open"}),
            json!({"player": {"bot": "random"}}),
        );
        let game = json!({"edition": "antike", "board": "antike-west", "seats": [seat, bot, bot],
            "visibility": visibility, "claims": "open"});
        let game = server.post("/v1/games", &of_dido, game).await.ok(201);
        let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
        let seat = format!("{path}/seats/0");
        server.post(&seat, &of_dido, json!({})).await.ok(201);
        let rank = |seat: u8| json!({"seat": seat, "rank": seat + 1});
        let ranks = json!({"ranks": [rank(0), rank(1), rank(2)]});
        let end = format!("{path}/adjudication");
        server.post(&end, &of_dido, ranks).await.ok(201);
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
    let told = lines(&all);
    let names: Vec<&String> = told.iter().map(|record| &record.id).collect();
    assert_eq!(names, ids.iter().collect::<Vec<_>>());
    assert_eq!(told[0].actions, records[0].actions);
    assert!(
        told[0].events.is_none() && told[40].events.is_some(),
        "a decision is proven"
    );
    let with_events = lines(&server.get("/v1/records?limit=2&events=true").await);
    assert!(with_events.iter().all(|record| record.events.is_some()));
    for (after, limit) in [(0, 3), (30, 2), (31, 32), (35, 100), (40, 5)] {
        let path = format!("/v1/records?after={}&limit={limit}", ids[after]);
        let some = lines(&server.get(&path).await);
        let behind: Vec<&Record> = told[after + 1..].iter().take(limit).collect();
        assert_eq!(some.iter().collect::<Vec<_>>(), behind, "{after} {limit}");
    }
    for (wrong, field) in [
        ("after=0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77", "after"),
        ("after=7", "after"),
        ("limit=0", "limit"),
        ("events=perhaps", "events"),
    ] {
        let answer = server.get(&format!("/v1/records?{wrong}")).await;
        assert_eq!(
            answer.problem(422, "invalid_body")["field"],
            field,
            "{wrong}"
        );
    }
    let html = server.get_as("/v1/records", "text/csv").await;
    html.problem(406, "not_acceptable");
}
