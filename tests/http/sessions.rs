//! Signing up and in, sessions, passwords, recovery codes, and what other sites cannot do.

use api::accounts::service::{Admission, Registration};
use api::http::limits::options::{Limits, Rate};
use api::server::Config;
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{
    Answer, Database, Program, Stream, TestServer, array, assert_contains, eventually, send, text,
};

const PASSWORD: &str = "elephants over the Alps";

/// A browser: it keeps the cookie of its session, and says where its pages are from.
pub struct Browser {
    client: reqwest::Client,
    address: String,
    cookie: String,
}

impl Browser {
    fn at(address: &str) -> Browser {
        let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .user_agent(agent)
            .build()
            .unwrap();
        Browser {
            client,
            address: address.to_owned(),
            cookie: String::new(),
        }
    }

    pub fn of(server: &TestServer) -> Browser {
        Browser::at(&server.address)
    }

    /// A request as a page of another site, or none, would send it.
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = (self.client).request(method, format!("{}{path}", self.address));
        match self.cookie.as_str() {
            "" => request,
            cookie => request.header("Cookie", format!("language=en; {cookie}")),
        }
    }

    fn own(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.request(method, path);
        request.header("Sec-Fetch-Site", "same-origin")
    }

    pub async fn page(&self, path: &str) -> Answer {
        send(self.own(Method::GET, path).header("Accept", "text/html")).await
    }

    async fn get(&self, path: &str) -> Answer {
        send(self.own(Method::GET, path)).await
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Answer {
        send(self.own(method, path).json(&body)).await
    }

    /// Sends a form, and keeps the cookie of the answer.
    pub async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = self
            .own(Method::POST, path)
            .header("Accept", "text/html")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body);
        let answer = send(request).await;
        self.keep(&answer);
        answer
    }

    /// Sends a form as a page of another site would.
    pub async fn foreign_form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = self
            .request(Method::POST, path)
            .header("Sec-Fetch-Site", "cross-site")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body);
        send(request).await
    }

    fn keep(&mut self, answer: &Answer) {
        if let Some(cookie) = answer.headers.get("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookie = match pair.ends_with('=') {
                true => String::new(),
                false => pair.to_owned(),
            };
        }
    }

    /// Signs up, and returns the recovery codes.
    pub async fn sign_up(&mut self, handle: &str) -> Vec<String> {
        let fields = [("handle", handle), ("password", PASSWORD)];
        let answer = self.form("/sign-up", &fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        recovery_codes(&answer.text)
    }

    async fn sign_in(&mut self, handle: &str, password: &str) -> Answer {
        let fields = [("handle", handle), ("password", password)];
        self.form("/sign-in", &fields).await
    }
}

fn recovery_codes(page: &str) -> Vec<String> {
    let list = page.split("class=\"codes\"").nth(1).expect("codes");
    let list = list.split("</ul>").next().unwrap();
    let codes = list.split("<code>").skip(1);
    codes
        .map(|code| code.split('<').next().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn signing_up_signs_in_with_a_cookie_that_only_this_browser_sends() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    assert_contains(&browser.page("/").await.text, "href=\"/sign-in\"");
    assert_contains(
        &browser.page("/games").await.text,
        "href=\"/sign-in?next=%2Fgames\"",
    );
    let fields = [
        ("handle", "Dido"),
        ("password", PASSWORD),
        ("next", "/leagues"),
    ];
    let answer = browser.form("/sign-up", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(recovery_codes(&answer.text).len(), 10);
    assert_contains(&answer.text, "href=\"/leagues\"");
    let cookie = answer.header("set-cookie").to_owned();
    let (name, _) = cookie.split_once('=').unwrap();
    assert_eq!(name, "session", "plain HTTP on the own machine");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"] {
        assert!(cookie.split("; ").any(|part| part == attribute), "{cookie}");
    }
    // Behind a proxy the cookie has the prefix and is for TLS only.
    let sign_in = json!({"handle": "dido", "password": PASSWORD});
    let request = server.request(Method::POST, "/v1/sessions").json(&sign_in);
    let started = send(request.header("X-Forwarded-Proto", "https")).await;
    let session = started.ok(201);
    let cookie = started.header("set-cookie");
    assert!(cookie.starts_with("__Host-session="), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
        assert!(cookie.split("; ").any(|part| part == attribute), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    assert_eq!(session["player"]["handle"], "Dido");
    let path = format!("/v1/me/sessions/{}", text(&session["session"]["id"]));
    assert_eq!(started.header("location"), path);

    let page = browser.page("/games").await;
    assert_contains(&page.text, ">Dido</a>");
    assert_contains(&page.text, "action=\"/sign-out\"");
    assert_eq!(page.header("cache-control"), "private, no-cache");
    let settings = browser.page("/settings").await;
    assert_contains(&settings.text, "Firefox, Linux");
    // Nothing that is shown once is shown again.
    assert!(
        !settings.text.contains("class=\"codes\""),
        "{}",
        settings.text
    );
    let moved = browser.page("/sign-in?next=/games").await;
    assert_eq!((moved.status, moved.header("location")), (303, "/games"));
    let out = browser.form("/sign-out", &[]).await;
    assert_eq!((out.status, out.header("location")), (303, "/"));
    assert_eq!(browser.cookie, "");
    assert_contains(out.header("set-cookie"), "Max-Age=0");
}

#[tokio::test]
async fn the_cookie_authenticates_the_api_like_a_token_of_the_owner() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    let me = browser.get("/v1/me").await.ok(200);
    assert_eq!(me["player"]["handle"], "dido");
    assert_eq!(me["token"], Value::Null);
    let sessions = browser.get("/v1/me/sessions").await.ok(200);
    let session = &array(&sessions["items"])[0];
    assert_eq!(
        (&session["id"], &session["current"]),
        (&me["session"], &json!(true))
    );

    let seat = json!({"player": {"placeholder": "Mago"}});
    let game = json!({"edition": "antike", "board": "antike-east", "visibility": "private",
        "seats": [{"player": {"id": "dido"}}, seat, seat, seat]});
    let created = browser.call(Method::POST, "/v1/games", game).await.ok(201);
    let path = format!("/v1/games/{}", text(&created["id"]));
    browser.get(&path).await.ok(200);
    server.get(&path).await.not_found();
    let stream = browser.request(Method::GET, "/v1/me/events");
    Stream::open(stream).await;
    let events = browser.request(Method::GET, &format!("{path}/events"));
    Stream::open(events).await;

    // A header replaces the cookie.
    let (hanno, token) = register(&server, "hanno").await;
    let other = browser.get("/v1/me").await.ok(200)["player"]["id"].clone();
    assert_ne!(other, hanno);
    let asked = browser.own(Method::GET, "/v1/me").bearer_auth(&token);
    assert_eq!(send(asked).await.ok(200)["player"]["id"], hanno);
    let bad = browser.own(Method::GET, "/v1/me").bearer_auth("nothing");
    send(bad).await.unauthenticated();
    // The cookie is no bearer token, and a token is no cookie.
    let (_, value) = browser.cookie.split_once('=').unwrap();
    server.get_with("/v1/me", value).await.unauthenticated();
    let with_token = Browser {
        cookie: format!("session={token}"),
        ..Browser::of(&server)
    };
    with_token.get("/v1/me").await.unauthenticated();

    // A token that the browser creates outlives the session.
    let new = json!({"name": "my bot", "scopes": ["read", "play", "organize", "account"]});
    let issued = browser.call(Method::POST, "/v1/tokens", new).await.ok(201);
    assert_eq!(issued["about"]["parent"], Value::Null);
    assert_eq!(issued["about"]["expires_at"], Value::Null);
    let admin = json!({"name": "too much", "scopes": ["admin"]});
    browser
        .call(Method::POST, "/v1/tokens", admin)
        .await
        .forbidden();
    let own = format!("/v1/me/sessions/{}", text(&me["session"]));
    let ended = send(browser.own(Method::DELETE, &own)).await;
    assert_eq!(ended.status, 204, "{}", ended.text);
    assert_contains(ended.header("set-cookie"), "Max-Age=0");
    browser.get("/v1/me").await.unauthenticated();
    server
        .get_with("/v1/me", &text(&issued["token"]))
        .await
        .ok(200);
}

#[tokio::test]
async fn requests_of_other_sites_change_nothing() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    let host = server.address.as_str();
    let rename = |headers: &[(&str, &str)]| {
        let mut request = browser.request(Method::PATCH, "/v1/me");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        send(request.json(&json!({"handle": "elissa"})))
    };
    let foreign: [&[(&str, &str)]; 8] = [
        &[],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site")],
        &[("Sec-Fetch-Site", "none")],
        &[("Sec-Fetch-Site", "cross-site"), ("Origin", host)],
        &[("Origin", "https://moon.example")],
        &[("Origin", "null")],
        &[("Origin", "http://127.0.0.1:1")],
    ];
    for headers in foreign {
        let refused = rename(headers).await.forbidden();
        assert_contains(&text(&refused["detail"]), "page of this server");
    }
    assert_eq!(
        browser.get("/v1/me").await.ok(200)["player"]["handle"],
        "dido"
    );
    for headers in [
        &[("Origin", host)][..],
        &[("Sec-Fetch-Site", "same-origin")],
    ] {
        rename(headers).await.ok(200);
    }
    // Reading needs no such header, as when a browser opens a page.
    send(browser.request(Method::GET, "/v1/me")).await.ok(200);
    // Forms of other sites neither sign out nor sign in to an account of theirs.
    let out = browser.request(Method::POST, "/sign-out");
    send(out.header("Sec-Fetch-Site", "cross-site"))
        .await
        .forbidden();
    browser.get("/v1/me").await.ok(200);
    let stranger = Browser::of(&server);
    for path in ["/sign-in", "/sign-up", "/recover"] {
        let form = stranger
            .request(Method::POST, path)
            .header("Sec-Fetch-Site", "cross-site")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(format!("handle=mago&password={PASSWORD}&recovery_code=1"));
        let refused = send(form).await;
        assert_eq!(refused.header("set-cookie"), "", "{path}");
        assert!(
            [403, 400].contains(&refused.status),
            "{path}: {}",
            refused.text
        );
    }
    let body = json!({"handle": "elissa", "password": PASSWORD});
    let request = stranger.request(Method::POST, "/v1/sessions").json(&body);
    send(request.header("Origin", "https://moon.example"))
        .await
        .forbidden();
}

#[tokio::test]
async fn a_session_that_has_ended_is_refused_and_its_cookie_removed() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    let valid = browser.cookie.clone();
    let check = async |browser: &Browser| {
        let refused = browser.get("/v1/me").await;
        refused.unauthenticated();
        assert_contains(refused.header("set-cookie"), "session=; ");
        browser.get("/v1/editions").await.unauthenticated();
        let page = browser.page("/games").await;
        assert_eq!(page.status, 200);
        assert_contains(&page.text, "href=\"/sign-in?next=%2Fgames\"");
        assert_contains(page.header("set-cookie"), "session=; ");
        let settings = browser.page("/settings?done=password").await;
        let place = "/sign-in?next=%2Fsettings%3Fdone%3Dpassword";
        assert_eq!((settings.status, settings.header("location")), (303, place));
        assert_eq!(browser.page("/sign-in").await.status, 200);
    };
    for forged in [
        "session=",
        "session=0",
        &format!("{}0", valid),
        &format!("session={}", "0f".repeat(32)),
    ] {
        browser.cookie = forged.to_owned();
        if forged != "session=" {
            check(&browser).await;
        }
    }
    // On the own machine without TLS another host cannot set the cookie; elsewhere the prefix is needed.
    browser.cookie = valid.clone();
    let proxied = browser
        .own(Method::GET, "/v1/me")
        .header("X-Forwarded-For", "192.0.2.1");
    send(proxied).await.unauthenticated();
    browser.get("/v1/me").await.ok(200);
    server
        .database
        .execute("UPDATE sessions SET expires_at = 1");
    eventually("the expired session stayed valid", async || {
        (browser.get("/v1/me").await.status == 401).then_some(())
    })
    .await;
    check(&browser).await;
    assert_eq!(browser.sign_in("dido", PASSWORD).await.status, 303);
    browser.get("/v1/me").await.ok(200);
    assert_eq!(
        server.database.number("SELECT COUNT(*) AS n FROM sessions"),
        1
    );
    // Deleting the account ends everything.
    let gone = send(browser.own(Method::DELETE, "/v1/me")).await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    check(&browser).await;
    for table in ["sessions", "passwords", "recovery_codes"] {
        let rows = server
            .database
            .number(&format!("SELECT COUNT(*) AS n FROM {table}"));
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(browser.sign_in("dido", PASSWORD).await.status, 403);
}

#[tokio::test]
async fn a_sign_in_leads_to_own_pages_only() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    for (next, place) in [
        ("/games?status=open", "/games?status=open"),
        ("", "/"),
        ("https://moon.example/", "/"),
        ("//moon.example/", "/"),
        ("/\\moon.example", "/"),
        ("/\tgames", "/"),
        ("javascript:alert(1)", "/"),
    ] {
        let fields = [("handle", "DIDO"), ("password", PASSWORD), ("next", next)];
        let answer = browser.form("/sign-in", &fields).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, place),
            "{next}"
        );
    }
}

#[tokio::test]
async fn devices_are_listed_and_can_be_signed_out() {
    let server = TestServer::start();
    let (mut one, mut two, mut three) = (
        Browser::of(&server),
        Browser::of(&server),
        Browser::of(&server),
    );
    one.sign_up("dido").await;
    two.sign_in("dido", PASSWORD).await;
    three.sign_in("dido", PASSWORD).await;
    let own = async |browser: &Browser| text(&browser.get("/v1/me").await.ok(200)["session"]);
    let (second, third) = (own(&two).await, own(&three).await);
    let listed = one.get("/v1/me/sessions").await.ok(200);
    let listed = array(&listed["items"]);
    assert_eq!(listed.len(), 3);
    assert_eq!(listed[0]["device"], "Firefox, Linux");
    assert!(
        text(&listed[0]["last_seen_at"]).ends_with("T00:00:00Z"),
        "{listed:?}"
    );
    let answer = one
        .form("/settings/sessions", &[("session", &second)])
        .await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    two.get("/v1/me").await.unauthenticated();
    // Sessions of others do not exist.
    let mut mago = Browser::of(&server);
    mago.sign_up("mago").await;
    send(mago.own(Method::DELETE, &format!("/v1/me/sessions/{third}")))
        .await
        .not_found();
    three.get("/v1/me").await.ok(200);
    let answer = one
        .form("/settings/sessions", &[("session", "others")])
        .await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    three.get("/v1/me").await.unauthenticated();
    one.get("/v1/me").await.ok(200);
    mago.get("/v1/me").await.ok(200);
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    const NEXT: &str = "Hannibal ante portas!";
    let server = TestServer::start();
    let (mut one, mut two) = (Browser::of(&server), Browser::of(&server));
    one.sign_up("dido").await;
    two.sign_in("dido", PASSWORD).await;
    let wrong = [("current", "not the password"), ("password", NEXT)];
    let refused = one.form("/settings/password", &wrong).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert_contains(&refused.text, "is wrong");
    for weak in ["short", "password123", "dido-dido-dido", &"x".repeat(257)] {
        let change = json!({"current": PASSWORD, "password": weak});
        let refused = one.call(Method::PUT, "/v1/me/password", change).await;
        refused.invalid("password");
    }
    two.get("/v1/me").await.ok(200);
    let change = json!({"current": PASSWORD, "password": NEXT});
    let changed = one.call(Method::PUT, "/v1/me/password", change).await;
    assert_eq!(changed.status, 204, "{}", changed.text);
    one.get("/v1/me").await.ok(200);
    two.get("/v1/me").await.unauthenticated();
    assert_eq!(two.sign_in("dido", PASSWORD).await.status, 403);
    assert_eq!(two.sign_in("dido", NEXT).await.status, 303);

    // An account that a program has created receives its first password.
    let (_, token) = register(&server, "hanno").await;
    let first = json!({"password": NEXT});
    let set = server.put("/v1/me/password", &token, first.clone()).await;
    assert_eq!(set.status, 204, "{}", set.text);
    server
        .put("/v1/me/password", &token, first)
        .await
        .problem(403, "wrong_password");
    let mut hanno = Browser::of(&server);
    assert_eq!(hanno.sign_in("hanno", NEXT).await.status, 303);
}

#[tokio::test]
async fn a_recovery_code_sets_a_new_password_once() {
    const NEXT: &str = "a thousand ships again";
    let server = TestServer::start();
    let (mut one, mut two) = (Browser::of(&server), Browser::of(&server));
    let codes = one.sign_up("dido").await;
    let recover = |handle: &str, code: &str| {
        vec![
            ("handle", handle.to_owned()),
            ("recovery_code", code.to_owned()),
            ("password", NEXT.to_owned()),
        ]
    };
    let ask = async |browser: &mut Browser, handle: &str, code: &str| {
        let fields = recover(handle, code);
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        browser.form("/recover", &fields).await.status
    };
    assert_eq!(ask(&mut two, "dido", "8q2m-x4d0-7ktz-r9we").await, 403);
    assert_eq!(ask(&mut two, "dido", "").await, 403);
    assert_eq!(ask(&mut two, "nobody", &codes[0]).await, 403);
    one.get("/v1/me").await.ok(200);
    let as_written = codes[0].to_uppercase().replace('-', " ");
    assert_eq!(ask(&mut two, "Dido", &as_written).await, 303);
    two.get("/v1/me").await.ok(200);
    one.get("/v1/me").await.unauthenticated();
    assert_eq!(ask(&mut one, "dido", &codes[0]).await, 403);
    assert_eq!(one.sign_in("dido", PASSWORD).await.status, 403);
    assert_contains(&two.page("/settings").await.text, "9 recovery codes left");
    let proof = json!({"password": PASSWORD});
    let refused = two.call(Method::POST, "/v1/me/recovery-codes", proof).await;
    refused.problem(403, "wrong_password");
    let answer = two
        .form("/settings/recovery-codes", &[("password", NEXT)])
        .await;
    assert_eq!(answer.status, 200);
    let new = recovery_codes(&answer.text);
    assert_eq!(new.len(), 10);
    assert_eq!(
        ask(&mut one, "dido", &codes[1]).await,
        403,
        "the earlier codes are void"
    );
    assert_eq!(ask(&mut one, "dido", &new[9]).await, 303);
}

#[tokio::test]
async fn an_unknown_handle_and_a_wrong_password_look_the_same() {
    let server = TestServer::start();
    Browser::of(&server).sign_up("dido").await;
    register(&server, "hanno").await;
    let ask = async |handle: &str| {
        let body = json!({"handle": handle, "password": "not the password"});
        server
            .post("/v1/sessions", "", body)
            .await
            .problem(403, "wrong_password")
    };
    let wrong = ask("dido").await;
    assert_eq!(ask("nobody").await, wrong);
    assert_eq!(ask("hanno").await, wrong, "an account without a password");
    let code = json!({"handle": "dido", "password": PASSWORD, "recovery_code": "8q2m"});
    let other = json!({"handle": "nobody", "password": PASSWORD, "recovery_code": "8q2m"});
    let of_code = server
        .post("/v1/sessions", "", code)
        .await
        .problem(403, "wrong_password");
    assert_eq!(
        of_code,
        server
            .post("/v1/sessions", "", other)
            .await
            .problem(403, "wrong_password")
    );
}

#[tokio::test]
async fn guessing_is_limited_by_account_and_by_address() {
    let rate = |quantity| Rate {
        quantity,
        seconds: 3_600,
    };
    let server = TestServer::with_limits(Limits {
        account_sign_ins: rate(3),
        sign_ins: rate(10),
        loopback: 1,
        ..Limits::default()
    });
    let mut browser = Browser::of(&server);
    let codes = browser.sign_up("dido").await;
    for handle in ["dido", "nobody"] {
        for _ in 0..3 {
            assert_eq!(
                browser.sign_in(handle, "not the password").await.status,
                403
            );
        }
    }
    // Nobody learns by this whether the password was right, or whether the account exists.
    for handle in ["DIDO", "nobody"] {
        let refused = browser.sign_in(handle, PASSWORD).await;
        assert_eq!(refused.status, 429);
        assert_contains(&refused.text, "Too many attempts");
    }
    // The owner has a way in.
    let fields = [
        ("handle", "dido"),
        ("recovery_code", &codes[0]),
        ("password", PASSWORD),
    ];
    assert_eq!(browser.form("/recover", &fields).await.status, 303);
    assert_eq!(browser.form("/recover", &fields).await.status, 403);
    let refused = browser.form("/recover", &fields).await;
    assert_eq!(refused.status, 429, "the address has used up its quota");
    // Nor can the password be guessed in a session that someone left open.
    let proof = json!({"password": PASSWORD});
    let refused = browser
        .call(Method::POST, "/v1/me/recovery-codes", proof)
        .await;
    refused.problem(429, "rate_limited");
}

#[tokio::test]
async fn two_nodes_know_the_same_sessions() {
    let one = TestServer::start();
    let two = one.another();
    let mut browser = Browser::of(&one);
    browser.sign_up("dido").await;
    let there = Browser {
        cookie: browser.cookie.clone(),
        ..Browser::of(&two)
    };
    there.get("/v1/me").await.ok(200);
    browser.form("/sign-out", &[]).await;
    eventually("the session stayed valid on the other node", async || {
        (there.get("/v1/me").await.status == 401).then_some(())
    })
    .await;
    // Both sign in at the same time.
    let (mut here, mut there) = (Browser::of(&one), Browser::of(&two));
    let signed = tokio::join!(
        here.sign_in("dido", PASSWORD),
        there.sign_in("dido", PASSWORD)
    );
    assert_eq!((signed.0.status, signed.1.status), (303, 303));
    let change = |next: &str| json!({"current": PASSWORD, "password": next});
    let changed = tokio::join!(
        here.call(Method::PUT, "/v1/me/password", change("the first of both")),
        there.call(Method::PUT, "/v1/me/password", change("the second of both")),
    );
    let mut statuses = [changed.0.status, changed.1.status];
    statuses.sort_unstable();
    // The one that is second proves a password that has changed, or its session has ended.
    assert_eq!(statuses[0], 204, "{} {}", changed.0.text, changed.1.text);
    assert!(
        [401, 403].contains(&statuses[1]),
        "{} {}",
        changed.0.text,
        changed.1.text
    );
}

#[tokio::test]
async fn passwords_and_secrets_are_neither_stored_nor_logged() {
    let database = Database::fresh();
    let program = Program::serve(&database, &[]);
    let mut browser = Browser::at(&program.address);
    let codes = browser.sign_up("dido").await;
    let (_, cookie) = browser
        .cookie
        .clone()
        .split_once('=')
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .unwrap();
    let request = browser
        .own(Method::POST, "/v1/sessions")
        .header("Idempotency-Key", "one")
        .json(&json!({"handle": "dido", "password": PASSWORD}));
    send(request).await.ok(201);
    browser.sign_in("dido", "a wrong password").await;
    let secrets = [PASSWORD, "a wrong password", &codes[0], &cookie];
    let log = program.errors();
    for secret in secrets {
        assert!(!log.contains(secret), "{log}");
    }
    assert_eq!(database.stored_answers(), Vec::<String>::new());
    if let Some(file) = database.url().strip_prefix("sqlite:") {
        for name in [file.to_owned(), format!("{file}-wal")] {
            let bytes = std::fs::read(&name).unwrap_or_default();
            for secret in secrets {
                let found = bytes
                    .windows(secret.len())
                    .any(|part| part == secret.as_bytes());
                assert!(!found, "{secret} is in {name}");
            }
        }
    }
    let hashes =
        "SELECT COUNT(*) AS n FROM passwords WHERE hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'";
    assert_eq!(database.number(hashes), 1);
}

#[tokio::test]
async fn a_guest_keeps_a_game_by_signing_up() {
    let server = TestServer::start();
    let game = server.game_with_bots().await;
    let id = game.path.rsplit('/').next().unwrap().to_owned();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    let proof = |token: &str| json!({"game": id, "token": token});
    let adopt = async |token: &str| {
        browser
            .call(Method::POST, "/v1/me/seats", proof(token))
            .await
    };
    adopt(&game.organizer).await.not_found();
    adopt("tabularium_0").await.not_found();
    let orders = json!([{"against": null, "unit": null, "region": null, "battle": "demand"}]);
    server
        .put(&game.at("seats/0/orders"), &game.token, orders.clone())
        .await
        .ok(200);
    let adopted = adopt(&game.token).await.ok(200);
    assert_eq!(adopted, json!({"game": id, "seat": 0}));
    // The token is void, and the account plays on with the same orders.
    server
        .get_with(&game.path, &game.token)
        .await
        .unauthenticated();
    assert_eq!(
        browser.get(&game.at("seats/0/orders")).await.ok(200),
        orders
    );
    let turn = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    browser
        .call(Method::POST, &game.at("actions"), turn)
        .await
        .ok(201);
    let seats = server.read(&game.path).await["seats"].clone();
    assert_eq!(seats[0]["player"]["name"], "dido");
    adopt(&game.token).await.not_found();
    // An account has one seat of a game.
    let (path, tokens, _) = server.game_of_people().await;
    let id = path.rsplit('/').next().unwrap();
    let ask = async |token: &str| {
        let proof = json!({"game": id, "token": token});
        browser.call(Method::POST, "/v1/me/seats", proof).await
    };
    ask(&tokens[1]).await.ok(200);
    ask(&tokens[2]).await.problem(409, "already_seated");
    let nobody = json!({"game": uuid::Uuid::now_v7(), "token": tokens[2]});
    let missing = browser
        .call(Method::POST, "/v1/me/seats", nobody)
        .await
        .not_found();
    let wrong = ask("tabularium_0").await.not_found();
    assert_eq!(
        missing["detail"], wrong["detail"],
        "it does not show which games exist"
    );
}

#[tokio::test]
async fn settings_create_and_revoke_tokens_and_change_the_handle() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    let new = [
        ("name", "my bot"),
        ("read", "yes"),
        ("play", "yes"),
        ("days", "30"),
    ];
    let created = browser.form("/settings/tokens", &new).await;
    assert_eq!(created.status, 200, "{}", created.text);
    let at = created.text.find("tabularium_").expect("a token");
    let token = created.text[at..at + 49].to_owned();
    let me = server.get_with("/v1/me", &token).await.ok(200);
    assert_eq!(me["token"]["scopes"], json!(["read", "play"]));
    assert!(me["token"]["expires_at"].is_string());
    assert!(!browser.page("/settings").await.text.contains(&token));
    let nothing = [("name", "nothing"), ("days", "0")];
    assert_eq!(browser.form("/settings/tokens", &nothing).await.status, 422);
    let id = text(&me["token"]["id"]);
    let revoked = browser
        .form("/settings/tokens/revoke", &[("token", &id)])
        .await;
    assert_eq!(revoked.status, 303, "{}", revoked.text);
    server.get_with("/v1/me", &token).await.unauthenticated();
    register(&server, "hanno").await;
    let taken = browser
        .form("/settings/handle", &[("handle", "Hanno")])
        .await;
    assert_eq!(taken.status, 409);
    assert_contains(&taken.text, "This handle is taken");
    let renamed = browser
        .form("/settings/handle", &[("handle", "elissa")])
        .await;
    assert_eq!(renamed.status, 303);
    assert_contains(
        &browser.page("/settings?done=handle").await.text,
        ">elissa</a>",
    );
}

#[tokio::test]
async fn a_sign_up_obeys_the_rules_of_handles_passwords_and_registration() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    register(&server, "hanno").await;
    for (handle, password, status) in [
        ("hanno", PASSWORD, 409),
        ("a b", PASSWORD, 422),
        ("greedy", PASSWORD, 422),
        ("dido", "too short", 422),
        ("dido", "password123", 422),
        ("dido-of-tyre", "Dido-of-Tyre1", 422),
    ] {
        let fields = [("handle", handle), ("password", password)];
        let refused = browser.form("/sign-up", &fields).await;
        assert_eq!(refused.status, status, "{handle} {password}");
        assert_contains(&refused.text, "role=\"alert\"");
        assert!(!refused.text.contains(password), "{}", refused.text);
    }
    let closed = TestServer::with_config(Config {
        admission: Admission {
            registration: Registration::Closed,
            ..Admission::default()
        },
        ..Config::default()
    });
    let mut browser = Browser::of(&closed);
    assert_contains(
        &browser.page("/sign-up").await.text,
        "accepts no new accounts",
    );
    let fields = [("handle", "dido"), ("password", PASSWORD)];
    assert_eq!(browser.form("/sign-up", &fields).await.status, 403);
}

#[tokio::test]
async fn a_suspended_account_cannot_sign_in_and_reads_pages_as_a_stranger() {
    let server = TestServer::start();
    let mut browser = Browser::of(&server);
    browser.sign_up("dido").await;
    server
        .database
        .execute("UPDATE accounts SET suspended_at = 1");
    eventually("the session stayed valid", async || {
        (browser.get("/v1/me").await.status == 403).then_some(())
    })
    .await;
    let refused = browser.get("/v1/me").await;
    refused.problem(403, "account_suspended");
    assert_contains(&browser.page("/games").await.text, "/sign-in?next=%2Fgames");
    assert_eq!(browser.page("/settings").await.status, 303);
    let body = json!({"handle": "dido", "password": PASSWORD});
    let refused = server.post("/v1/sessions", "", body).await;
    refused.problem(403, "account_suspended");
    assert_eq!(
        browser.sign_in("dido", "not the password").await.status,
        403
    );
    server
        .database
        .execute("UPDATE accounts SET suspended_at = NULL");
    eventually("the session stayed suspended", async || {
        (browser.get("/v1/me").await.status == 200).then_some(())
    })
    .await;
}
