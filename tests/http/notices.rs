//! Notices by mail and push, addresses, and recovery by mail. Mail server and push service are on this machine.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use api::http::limits::options::Limits;
use api::notices::mail::MailOptions;
use api::server::Config;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::accounts::register;
use super::leagues::full_league;
use super::moderation::suspend;
use super::notifications::{check, follow};
use super::pace::Hours;
use super::support::{Database, TestServer, array, eventually, send, text, turn};

/// A mail server that stores the mails.
#[derive(Clone)]
struct MailSink {
    url: String,
    mails: Arc<Mutex<Vec<String>>>,
    /// How many mails are refused for now.
    refused: Arc<Mutex<usize>>,
}

impl MailSink {
    async fn start() -> MailSink {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sink = MailSink {
            url: format!("smtp://{}", listener.local_addr().unwrap()),
            mails: Arc::default(),
            refused: Arc::default(),
        };
        let own = sink.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.take(stream).await });
            }
        });
        sink
    }

    /// Reads a line of a mail program; `None` at the end.
    async fn line(stream: &mut BufReader<TcpStream>) -> Option<String> {
        let mut line = String::new();
        let read = stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    async fn take(&self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let _ = stream.write_all(b"220 sink\r\n").await;
        while let Some(line) = MailSink::line(&mut stream).await {
            let answer = match line.get(..4).unwrap_or_default() {
                "DATA" => {
                    let _ = stream.write_all(b"354 go\r\n").await;
                    let mut mail = String::new();
                    while let Some(line) = MailSink::line(&mut stream).await {
                        if line == "." {
                            break;
                        }
                        mail += &line;
                        mail.push('\n');
                    }
                    let mut refused = self.refused.lock().unwrap();
                    if *refused > 0 {
                        *refused -= 1;
                        "451 later"
                    } else {
                        self.mails.lock().unwrap().push(readable(&mail));
                        "250 taken"
                    }
                }
                "QUIT" => "221 bye",
                _ => "250 good",
            };
            let _ = stream.write_all(format!("{answer}\r\n").as_bytes()).await;
        }
    }

    fn count(&self) -> usize {
        self.mails.lock().unwrap().len()
    }

    /// Waits for a number of mails and returns the last.
    async fn mail(&self, count: usize) -> String {
        let mails = eventually("too few mails arrived", async || {
            Some(self.mails.lock().unwrap().clone()).filter(|mails| mails.len() >= count)
        });
        let mails = mails.await;
        assert_eq!(mails.len(), count, "{mails:#?}");
        mails[count - 1].clone()
    }

    fn config(&self) -> Config {
        Config {
            mail: MailOptions {
                mail_server: Some(self.url.as_str().into()),
                mail_from: Some("Tabularium <games@example.org>".to_owned()),
            },
            ..Config::default()
        }
    }
}

/// Joins the folded lines of a mail's head, and decodes its body from quoted-printable.
fn readable(mail: &str) -> String {
    let (head, body) = mail.split_once("\n\n").unwrap();
    let head = head.replace("\n ", " ");
    if !head.contains("quoted-printable") {
        return format!("{head}\n\n{body}");
    }
    let body = body.replace("=\n", "");
    let mut parts = body.split('=');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    format!("{head}\n\n{}", String::from_utf8(bytes).unwrap())
}

/// Returns the rest of the line after a text.
fn after<'a>(mail: &'a str, text: &str) -> &'a str {
    let found = mail
        .split_once(text)
        .unwrap_or_else(|| panic!("{text:?} is not in {mail}"));
    found.1.split(['\n', '>', ' ']).next().unwrap_or_default()
}

/// Gives an account a confirmed address.
async fn confirm(server: &TestServer, sink: &MailSink, token: &str, address: &str) {
    let count = sink.count();
    let new = json!({"address": address});
    let set = server.put("/v1/me/mail-address", token, new).await.ok(200);
    assert_eq!(
        (&set["address"], &set["confirmed_at"]),
        (&json!(address), &Value::Null)
    );
    let mail = sink.mail(count + 1).await;
    assert!(mail.contains(&format!("To: {address}")), "{mail}");
    let proof = json!({"token": after(&mail, "/confirm-mail?token=")});
    let confirmed = server
        .post("/v1/mail-confirmations", "", proof.clone())
        .await;
    assert_eq!(confirmed.status, 204, "{}", confirmed.text);
    server
        .post("/v1/mail-confirmations", "", proof)
        .await
        .invalid("token");
    let own = server.get_with("/v1/me/mail-address", token).await.ok(200);
    assert!(own["confirmed_at"].is_string(), "{own}");
}

async fn choose(server: &TestServer, token: &str, choices: Value) -> Value {
    let body = json!({ "choices": choices });
    server.put("/v1/me/notices", token, body).await.ok(200)
}

fn choice<'a>(settings: &'a Value, name: &str) -> &'a Value {
    let mut all = array(&settings["choices"]).iter();
    all.find(|choice| choice["type"] == name).unwrap()
}

#[tokio::test]
async fn who_must_bid_for_a_seat_is_told_once_for_each_bid() {
    let sink = MailSink::start().await;
    let server = TestServer::with_config(sink.config());
    let (id, token) = register(&server, "dido").await;
    confirm(&server, &sink, &token, "dido@example.org").await;
    choose(
        &server,
        &token,
        json!([{"type": "your_bid", "mail": "each"}]),
    )
    .await;
    let mut stream = follow(&server, &token, None).await;
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    let body = json!({
        "edition": "antike", "board": "antike-east", "first": "phoenicians", "seed": "bids", "bidding": {"kind": "open"},
        "seats": [{"nations": ["greeks"], "player": {"id": id}},
            {"nations": ["phoenicians"], "player": {"placeholder": "Hanno"}}, bot("persians"), bot("arabs")],
    });
    let (game, created) = server.create_game(&token, body).await;
    let hanno = text(&created["tokens"]["seats"]["1"]);
    assert_eq!(created["bidding"]["missing"], json!([0]));
    let sent = stream.next().await;
    assert_eq!(check(&sent, "your_bid", 0), None);
    assert_eq!(sent.data["due_at"], created["bidding"]["ends_at"]);
    let mail = sink.mail(2).await;
    assert!(mail.contains("Subject: Bid for a seat in Antike"), "{mail}");

    let bid = async |seat: u8, token: &str, wanted: u8, points: f64| {
        let bids = json!({"bids": [{"seat": wanted, "points": points}]});
        let path = format!("{game}/seats/{seat}/bids");
        server.put(&path, token, bids).await.ok(200)
    };
    bid(0, &token, 1, 0.0).await;
    let outbid = bid(1, &hanno, 1, 0.5).await;
    let again = stream.next().await;
    check(&again, "your_bid", 0);
    assert_eq!(again.data["due_at"], outbid["bidding"]["ends_at"]);
    let mail = sink.mail(3).await;
    assert!(mail.contains("Subject: Bid for a seat in Antike"), "{mail}");

    // The game starts when the players exchange their seats. Nobody loses one by that.
    bid(0, &token, 1, 1.0).await;
    bid(1, &hanno, 0, 0.0).await;
    check(&stream.next().await, "game_started", 1);
    check(&stream.next().await, "your_turn", 1);
    let mut from_the_start = follow(&server, &token, Some(0)).await;
    check(&from_the_start.next().await, "game_started", 1);
    check(&from_the_start.next().await, "your_turn", 1);
}

/// Creates a game of an account and Hanno, who begins. Returns its path and Hanno's token.
async fn game_of(server: &TestServer, player: &str, token: &str) -> (String, String) {
    let body = json!({
        "edition": "antike", "board": "antike-east", "first": "phoenicians", "seed": "open",
        "seats": [{"nations": ["greeks"], "player": {"id": player}},
            {"nations": ["phoenicians"], "player": {"placeholder": "Hanno"}},
            {"nations": ["persians"], "player": {"bot": "random"}},
            {"nations": ["arabs"], "player": {"bot": "random"}}],
    });
    let (path, created) = server.create_game(token, body).await;
    (path, text(&created["tokens"]["seats"]["1"]))
}

#[tokio::test]
async fn a_confirmed_address_receives_what_its_owner_has_chosen() {
    let sink = MailSink::start().await;
    let server = TestServer::with_config(sink.config());
    let (id, token) = register(&server, "dido").await;
    server
        .get_with("/v1/me/mail-address", &token)
        .await
        .not_found();
    for bad in ["", "dido", "dido@example.org\r\nBcc: x@example.org"] {
        let new = json!({"address": bad});
        server
            .put("/v1/me/mail-address", &token, new)
            .await
            .invalid("address");
    }
    let twice = json!({"choices": [{"type": "your_turn"}, {"type": "your_turn", "mail": "each"}]});
    server
        .put("/v1/me/notices", &token, twice)
        .await
        .invalid("choices/1/type");
    let choices =
        json!([{"type": "your_turn", "mail": "each"}, {"type": "game_finished", "mail": "each"}]);
    let settings = choose(&server, &token, choices).await;
    assert_eq!(settings["mail_available"], true);
    assert_eq!(choice(&settings, "your_turn")["mail"], "each");
    assert_eq!(choice(&settings, "seat_lost")["mail"], "never");

    // Nothing is sent to an address that is not confirmed.
    let new = json!({"address": "other@example.org"});
    server.put("/v1/me/mail-address", &token, new).await.ok(200);
    sink.mail(1).await;
    let (early, _) = game_of(&server, &id, &token).await;
    server.adjudicate(&early, &token, &[1, 2, 3, 4]).await;
    eventually("the end of the game is not handled", async || {
        let export = server.get_with("/v1/me/export", &token).await.ok(200);
        let mut notices = array(&export["tables"]["notices"]).iter();
        notices
            .any(|notice| notice["type"] == "game_finished" && notice["next_at"].is_null())
            .then_some(())
    })
    .await;
    confirm(&server, &sink, &token, "dido@example.org").await;

    let (game, hanno) = game_of(&server, &id, &token).await;
    server.act(&game, &hanno, turn("iron")).await;
    let mail = sink.mail(3).await;
    assert!(
        mail.contains("Subject: It is your turn in Antike (dido, Hanno,"),
        "{mail}"
    );
    let page = format!("/games/{}", game.rsplit('/').next().unwrap());
    assert!(mail.contains(&page), "{mail}");
    assert!(
        mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
        "{mail}"
    );
    server.adjudicate(&game, &token, &[1, 2, 3, 4]).await;
    let mail = sink.mail(4).await;
    assert!(mail.contains("Subject: The game is over: "), "{mail}");

    // A mail program ends the mails of this type by a POST without a session.
    let url = after(&mail, "List-Unsubscribe: <");
    let path = &url[url.find("/unsubscribe").unwrap()..];
    assert!(path.ends_with("&type=game_finished"), "{path}");
    let one_click = server
        .with(Method::POST, path, "")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body("List-Unsubscribe=One-Click");
    assert_eq!(send(one_click).await.status, 200);
    let settings = server.get_with("/v1/me/notices", &token).await.ok(200);
    assert_eq!(choice(&settings, "game_finished")["mail"], "never");
    assert_eq!(choice(&settings, "your_turn")["mail"], "each");
    let wrong = send(server.with(Method::POST, "/unsubscribe?code=0", "")).await;
    assert_eq!(wrong.status, 404, "{}", wrong.text);

    let removed = server.delete("/v1/me/mail-address", &token).await;
    assert_eq!(removed.status, 204, "{}", removed.text);
    server
        .get_with("/v1/me/mail-address", &token)
        .await
        .not_found();
}

#[tokio::test]
async fn invitations_leagues_and_undo_requests_are_mailed() {
    let sink = MailSink::start().await;
    let server = TestServer::with_config(sink.config());
    let (path, members) = full_league(&server, 4, 0, json!({})).await;
    let (id, token) = &members[1];
    let organizer = &members[0].1;
    confirm(&server, &sink, token, "one@example.org").await;
    let all = ["invitation", "league_news", "undo_request", "deadline_near"];
    let choices = all.map(|name| json!({"type": name, "mail": "each"}));
    choose(&server, token, json!(choices)).await;

    let body = json!({"edition": "antike", "board": "antike-east", "visibility": "private", "seats": [
        {"nations": ["greeks"], "player": {"id": id}},
        {"nations": ["phoenicians"], "player": {"placeholder": "Hanno"}},
        {"nations": ["persians"], "player": {"bot": "random"}},
        {"nations": ["arabs"], "player": {"bot": "random"}}]});
    server.create_game(organizer, body).await;
    let mail = sink.mail(2).await;
    assert!(
        mail.contains("A seat is reserved for you in Antike"),
        "{mail}"
    );

    let seats = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = seats.iter().zip(&members);
    let seats = seats.map(|(nation, (id, _))| json!({"member": id, "nations": [nation]}));
    let tables = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "tables": [{"seats": seats.collect::<Vec<_>>()}]});
    let made = server
        .create(&format!("{path}/tables"), organizer, tables)
        .await;
    let mail = sink.mail(3).await;
    assert!(mail.contains("round 1 is paired, with one table"), "{mail}");
    assert!(mail.contains("&type=league_news"), "{mail}");

    assert!(made["tables"][0]["game"].is_string(), "{made}");
    // Two mails: of the new deadline, and that it is near.
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(2);
    let moved = json!({"round": 1, "deadline": soon, "note": "a voyage"});
    server
        .create(&format!("{path}/deadlines"), organizer, moved)
        .await;
    sink.mail(5).await;
    let mails = sink.mails.lock().unwrap()[3..].join("\n");
    assert!(mails.contains("table 1 has a new deadline: "), "{mails}");
    assert!(mails.contains("the game of table 1 ends soon: "), "{mails}");

    // The first player moves, and asks the second for an undo.
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    let body = json!({"edition": "antike", "board": "antike-east", "first": "greeks", "seats": [
        {"nations": ["greeks"], "player": {"id": members[0].0}},
        {"nations": ["phoenicians"], "player": {"id": id}}, bot("persians"), bot("arabs")]});
    let (game, _) = server.create_game(organizer, body).await;
    sink.mail(6).await;
    server
        .create(&format!("{game}/seats/1"), token, json!({}))
        .await;
    server
        .create(&format!("{game}/actions"), organizer, turn("iron"))
        .await;
    let undo = format!("{game}/undo");
    let asked = server.post(&undo, organizer, json!({"to": 1})).await;
    assert!(asked.status < 300, "{}", asked.text);
    let mail = sink.mail(7).await;
    assert!(
        mail.contains("Another player asks to take back a move in Antike"),
        "{mail}"
    );
}

#[tokio::test]
async fn the_mail_of_a_day_has_all_that_still_applies() {
    let sink = MailSink::start().await;
    let mut hours = Hours::default();
    let config = Config {
        clock: hours.clock.clone(),
        limits: Limits::unmetered(),
        ..sink.config()
    };
    // PostgreSQL would use the clock of its server.
    let database = Database::Sqlite(tempfile::tempdir().unwrap());
    let server = TestServer::configured(database, config);
    let (id, token) = register(&server, "dido").await;
    confirm(&server, &sink, &token, "dido@example.org").await;
    let (suspended, other) = register(&server, "mago").await;
    confirm(&server, &sink, &other, "mago@example.org").await;
    let started = json!([{"type": "game_started", "mail": "daily"}]);
    choose(&server, &other, started).await;
    game_of(&server, &suspended, &other).await;
    let daily = ["game_started", "your_turn", "game_finished"];
    let choices = daily.map(|name| json!({"type": name, "mail": "daily"}));
    choose(&server, &token, json!(choices)).await;
    let (game, hanno) = game_of(&server, &id, &token).await;
    server.act(&game, &hanno, turn("iron")).await;
    server.adjudicate(&game, &token, &[1, 2, 3, 4]).await;
    game_of(&server, &id, &token).await;
    // The notices are stored before the time passes.
    eventually("a projection is behind", async || {
        let export = server.get_with("/v1/me/export", &token).await.ok(200);
        let daily = array(&export["tables"]["notices"]).iter();
        let daily = daily.filter(|notice| notice["channel"] == "daily");
        // The turn that has ended may be among them.
        (daily.filter(|notice| notice["type"] != "your_turn").count() == 3).then_some(())
    })
    .await;
    assert_eq!(sink.count(), 2);
    suspend(&server, &suspended).await;
    hours.pass(&server, 25);
    let mail = sink.mail(3).await;
    assert!(mail.contains("To: dido@example.org"), "{mail}");
    // The turn has ended.
    assert!(mail.contains("Subject: 3 notices"), "{mail}");
    assert_eq!(mail.matches("The game has started: ").count(), 2, "{mail}");
    assert_eq!(mail.matches("The game is over: ").count(), 1, "{mail}");
    eventually("a notice waits", async || {
        let waiting = "SELECT COUNT(*) AS n FROM notices WHERE next_at IS NOT NULL";
        (server.database.number(waiting) == 0).then_some(())
    })
    .await;
    assert_eq!(sink.count(), 3, "the suspended account has a mail too");
}

#[tokio::test]
async fn only_the_last_deadline_of_a_game_is_near() {
    let sink = MailSink::start().await;
    let mut hours = Hours::default();
    let config = Config {
        clock: hours.clock.clone(),
        limits: Limits::unmetered(),
        ..sink.config()
    };
    let database = Database::Sqlite(tempfile::tempdir().unwrap());
    let server = TestServer::configured(database, config);
    let (id, token) = register(&server, "dido").await;
    confirm(&server, &sink, &token, "dido@example.org").await;
    let near = json!([{"type": "deadline_near", "mail": "each"}]);
    choose(&server, &token, near).await;
    let notices = async |count: usize, are_done: bool| {
        eventually("a projection is behind", async || {
            let export = server.get_with("/v1/me/export", &token).await.ok(200);
            let notices = array(&export["tables"]["notices"]).iter();
            let found = notices.filter(|notice| {
                notice["type"] == "deadline_near" && notice["next_at"].is_null() == are_done
            });
            (found.count() == count).then_some(())
        })
        .await;
    };
    let seat = |nation: &str, player: Value| json!({"nations": [nation], "player": player});
    let body = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "pace": {"turn_seconds": 2 * 24 * 3600, "then": "wait"},
        "seats": [seat("greeks", json!({"id": id})), seat("phoenicians", json!({"placeholder": "Hanno"})),
            seat("persians", json!({"bot": "random"})), seat("arabs", json!({"bot": "random"}))]});
    let (game, created) = server.create_game(&token, body).await;
    notices(1, false).await;
    // The turn is over, and the next one has a later deadline.
    server.act(&game, &token, turn("iron")).await;
    let hanno = text(&created["tokens"]["seats"]["1"]);
    server.act(&game, &hanno, turn("iron")).await;
    notices(2, false).await;
    hours.pass(&server, 47);
    notices(2, true).await;
    let mail = sink.mail(2).await;
    assert!(mail.contains("To: dido@example.org"), "{mail}");
}

#[tokio::test]
async fn nodes_send_a_notice_once_and_again_after_a_failure() {
    let sink = MailSink::start().await;
    let mut one = TestServer::with_config(sink.config());
    let (id, token) = register(&one, "dido").await;
    confirm(&one, &sink, &token, "dido@example.org").await;
    choose(
        &one,
        &token,
        json!([{"type": "game_started", "mail": "each"}]),
    )
    .await;
    *sink.refused.lock().unwrap() = 1;
    game_of(&one, &id, &token).await;
    eventually("the mail was not refused", async || {
        (*sink.refused.lock().unwrap() == 0).then_some(())
    })
    .await;
    // Another node sends it, and this one no more.
    let two = one.another_with_config(sink.config());
    one.stop();
    let mail = sink.mail(2).await;
    assert!(mail.contains("The game has started"), "{mail}");
    let three = two.another_with_config(sink.config());
    game_of(&three, &id, &token).await;
    sink.mail(3).await;
    game_of(&two, &id, &token).await;
    sink.mail(4).await;
}

#[tokio::test]
async fn a_forgotten_password_is_recovered_by_mail() {
    let sink = MailSink::start().await;
    let server = TestServer::with_config(sink.config());
    let (_, token) = register(&server, "dido").await;
    let (_, other) = register(&server, "mago").await;
    let new = json!({"address": "mago@example.org"});
    server.put("/v1/me/mail-address", &other, new).await.ok(200);
    sink.mail(1).await;
    confirm(&server, &sink, &token, "dido@example.org").await;
    let password = json!({"password": "elephants over the Alps"});
    assert_eq!(
        server.put("/v1/me/password", &token, password).await.status,
        204
    );
    // A change of the address needs the password.
    let new = json!({"address": "thief@example.org"});
    server
        .put("/v1/me/mail-address", &token, new)
        .await
        .problem(403, "wrong_password");

    // Unknown handles and unconfirmed addresses have the same answer, and no mail.
    for handle in ["nobody", "mago", "dido"] {
        let asked = server
            .post("/v1/password-recoveries", "", json!({"handle": handle}))
            .await;
        assert_eq!((asked.status, asked.text.as_str()), (204, ""));
    }
    let mail = sink.mail(3).await;
    assert!(mail.contains("To: dido@example.org"), "{mail}");
    assert!(!mail.contains("List-Unsubscribe"), "{mail}");
    let code = after(&mail, "your code to set a new password is ");
    let recover =
        json!({"handle": "dido", "password": "a longer walk by the sea", "recovery_code": code});
    let session = server
        .post("/v1/sessions", "", recover.clone())
        .await
        .ok(201);
    assert_eq!(session["player"]["handle"], "dido");
    server
        .post("/v1/sessions", "", recover)
        .await
        .problem(403, "wrong_password");
    // A second request within two minutes sends nothing.
    let asked = server
        .post("/v1/password-recoveries", "", json!({"handle": "DIDO"}))
        .await;
    assert_eq!(asked.status, 204);
    choose(
        &server,
        &token,
        json!([{"type": "game_started", "mail": "each"}]),
    )
    .await;
    assert_eq!(sink.count(), 3);
}

#[tokio::test]
async fn without_a_mail_server_no_address_is_accepted() {
    let server = TestServer::start();
    let (_, token) = register(&server, "dido").await;
    let new = json!({"address": "dido@example.org"});
    server
        .put("/v1/me/mail-address", &token, new)
        .await
        .problem(403, "forbidden");
    let asked = json!({"handle": "dido"});
    server
        .post("/v1/password-recoveries", "", asked)
        .await
        .problem(403, "forbidden");
    let settings = server.get_with("/v1/me/notices", &token).await.ok(200);
    assert_eq!(settings["mail_available"], false);
}

#[tokio::test]
async fn the_settings_work_without_javascript() {
    let sink = MailSink::start().await;
    let server = TestServer::with_config(sink.config());
    let (_, token) = register(&server, "dido").await;
    let password = "elephants over the Alps";
    let first = json!({ "password": password });
    assert_eq!(
        server.put("/v1/me/password", &token, first).await.status,
        204
    );
    let sign_in = json!({"handle": "dido", "password": password});
    let session = server.post("/v1/sessions", "", sign_in).await;
    let cookie = session.header("set-cookie");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    // The answer to a form leads to a page, which the client reads.
    let form = async |path: &str, fields: &[(&str, &str)]| {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = server
            .with(Method::POST, path, "")
            .header("Cookie", &cookie)
            .header("Sec-Fetch-Site", "same-origin")
            .header("Accept", "text/html")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body);
        send(request).await
    };
    let address = [("address", "dido@example.org"), ("password", password)];
    let page = form("/settings/mail", &address).await;
    assert!(page.text.contains("The address is saved."), "{}", page.text);
    assert!(
        page.text.contains("dido@example.org is not confirmed yet"),
        "{}",
        page.text
    );
    let wrong = [("address", "thief@example.org"), ("password", "wrong")];
    assert_eq!(form("/settings/mail", &wrong).await.status, 403);
    let mail = sink.mail(1).await;
    let proof = after(&mail, "/confirm-mail?token=");
    let page = server.get(&format!("/confirm-mail?token={proof}")).await;
    assert!(page.text.contains("Confirm address"), "{}", page.text);
    let page = form("/confirm-mail", &[("token", proof)]).await;
    assert!(
        page.text.contains("Your e-mail address is confirmed."),
        "{}",
        page.text
    );
    let chosen = [("mail-your_turn", "daily"), ("push-your_turn", "yes")];
    let page = form("/settings/notices", &chosen).await;
    assert!(
        page.text.contains("The notices are saved."),
        "{}",
        page.text
    );
    let settings = server.get_with("/v1/me/notices", &token).await.ok(200);
    let expected = json!({"type": "your_turn", "mail": "daily", "push": true});
    assert_eq!(*choice(&settings, "your_turn"), expected);
    let page = form("/recover/mail", &[("handle", "dido")]).await;
    assert!(
        page.text.contains("a mail with a code is on its way"),
        "{}",
        page.text
    );
    sink.mail(2).await;
    let page = form("/settings/mail", &[("remove", "yes")]).await;
    assert!(
        page.text.contains("The address is removed."),
        "{}",
        page.text
    );
    let worker = server.get("/push-worker.js").await;
    assert_eq!(worker.status, 200);
    assert!(worker.header("content-type").starts_with("text/javascript"));
}

/// The head and the body of a request to a push service.
type PushRequest = (String, Vec<u8>);

/// A push service that stores the requests.
#[derive(Clone)]
struct PushService {
    url: String,
    statuses: Arc<Mutex<VecDeque<u16>>>,
    /// The head and the body of each request.
    requests: Arc<Mutex<Vec<PushRequest>>>,
}

impl PushService {
    async fn start() -> PushService {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = PushService {
            url: format!("http://{}/push/1", listener.local_addr().unwrap()),
            statuses: Arc::default(),
            requests: Arc::default(),
        };
        let own = service.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.take(stream).await });
            }
        });
        service
    }

    async fn take(&self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let length = head.to_lowercase();
        let length: usize = after(&length, "content-length: ").trim().parse().unwrap();
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        self.requests.lock().unwrap().push((head, body));
        let status = self.statuses.lock().unwrap().pop_front().unwrap_or(201);
        let answer =
            format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(answer.as_bytes()).await;
    }

    async fn requests(&self, count: usize) -> Vec<(String, Vec<u8>)> {
        eventually("too few messages arrived", async || {
            Some(self.requests.lock().unwrap().clone()).filter(|all| all.len() >= count)
        })
        .await
    }
}

#[tokio::test]
async fn browsers_receive_encrypted_messages_until_they_are_gone() {
    let limits = Limits {
        webhooks_to_loopback: true,
        ..Limits::unmetered()
    };
    let server = TestServer::configured(
        Database::fresh(),
        Config {
            limits,
            ..Config::default()
        },
    );
    let service = PushService::start().await;
    let (id, token) = register(&server, "dido").await;
    let (keys, auth) = ece::generate_keypair_and_auth_secret().unwrap();
    let public = keys.pub_as_raw().unwrap();
    let subscription = |endpoint: &str, key: &[u8]| {
        json!({"endpoint": endpoint, "expirationTime": null, "language": "de",
            "keys": {"p256dh": URL_SAFE_NO_PAD.encode(key), "auth": URL_SAFE_NO_PAD.encode(auth)}})
    };
    let path = "/v1/me/push-subscriptions";
    let inside = subscription("https://10.0.0.1/push", &public);
    server.post(path, &token, inside).await.invalid("endpoint");
    let wrong = subscription(&service.url, &public[..40]);
    server.post(path, &token, wrong).await.invalid("keys");
    let made = server
        .create(path, &token, subscription(&service.url, &public))
        .await;
    // The same browser again replaces itself.
    let made_again = server
        .create(path, &token, subscription(&service.url, &public))
        .await;
    assert_ne!(made["id"], made_again["id"]);
    let list = async || server.get_with(path, &token).await.ok(200)["items"].clone();
    assert_eq!(array(&list().await).len(), 1);
    let settings = choose(
        &server,
        &token,
        json!([{"type": "game_started", "push": true}]),
    )
    .await;
    let (game, _) = game_of(&server, &id, &token).await;
    let (head, body) = service.requests(1).await[0].clone();
    let lower = head.to_lowercase();
    assert!(lower.contains("content-encoding: aes128gcm"), "{head}");
    assert!(lower.contains("ttl: 86400"), "{head}");
    let key = text(&settings["push_key"]);
    assert!(
        head.contains("vapid t=") && head.contains(&format!("k={key}")),
        "{head}"
    );
    let message = ece::decrypt(&keys.raw_components().unwrap(), &auth, &body).unwrap();
    let message: Value = serde_json::from_slice(&message).unwrap();
    assert_eq!(
        message["url"],
        format!("/games/{}", game.rsplit('/').next().unwrap())
    );
    let sentence = text(&message["body"]);
    assert!(
        sentence.starts_with("Die Partie hat begonnen: Antike (dido"),
        "{sentence}"
    );

    service.statuses.lock().unwrap().push_back(410);
    game_of(&server, &id, &token).await;
    service.requests(2).await;
    eventually("the subscription stays", async || {
        array(&list().await).is_empty().then_some(())
    })
    .await;
    let made = server
        .create(path, &token, subscription(&service.url, &public))
        .await;
    let own = format!("{path}/{}", text(&made["id"]));
    assert_eq!(server.delete(&own, &token).await.status, 204);
    server.delete(&own, &token).await.not_found();
}
