//! Apps: registration, authorization codes with PKCE, devices, refresh tokens, revocation, and who may allow what.

use api::http::limits::options::{Limits, Rate};
use api::http::scope::Scope;
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::support::{Answer, TestServer, array, assert_contains, eventually, resolve, send, text};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const CALLBACK: &str = "https://watcher.example.org/callback";

const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

fn encode(fields: &[(&str, &str)]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields).finish()
}

/// A person with a browser that is signed in.
struct Person {
    client: reqwest::Client,
    address: String,
    cookie: String,
}

impl Person {
    /// A browser that is not signed in.
    fn stranger(server: &TestServer) -> Person {
        let client = reqwest::Client::builder().redirect(Policy::none());
        Person {
            client: client.build().unwrap(),
            address: server.address.clone(),
            cookie: String::new(),
        }
    }

    async fn sign_up(server: &TestServer, handle: &str) -> Person {
        let mut person = Person::stranger(server);
        let fields = [("handle", handle), ("password", "elephants over the Alps")];
        let answer = person.form("/sign-up", &fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        person.keep(&answer);
        person
    }

    fn keep(&mut self, answer: &Answer) {
        let cookie = answer.header("set-cookie").split(';').next();
        self.cookie = cookie.unwrap().to_owned();
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = (self.client).request(method, format!("{}{path}", self.address));
        request
            .header("Accept", "text/html")
            .header("Cookie", format!("language=en; {}", self.cookie))
    }

    async fn page(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    fn unsent_form(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        self.request(Method::POST, path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(encode(fields))
    }

    async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self.unsent_form(path, fields);
        send(request.header("Sec-Fetch-Site", "same-origin")).await
    }

    /// Allows or refuses a request for a code. Returns the parameters of the address to which the browser returns.
    async fn decide(&self, asked: &[(&str, &str)], decision: &str) -> Vec<(String, String)> {
        let page = self.page(&authorize(asked)).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let answer = self
            .form("/oauth/authorize", &with(asked, "decision", decision))
            .await;
        returned(&answer)
    }

    /// Allows an app these scopes, and returns the code.
    async fn allow(&self, client_id: &str, scope: &str) -> String {
        let returned = self.decide(&asked(client_id, scope), "allow").await;
        parameter(&returned, "code").expect("a code")
    }

    async fn call(&self, method: Method, path: &str) -> Answer {
        let request = self.request(method, path);
        send(request.header("Sec-Fetch-Site", "same-origin")).await
    }
}

/// The parameters of a request for a code.
fn asked<'a>(client_id: &'a str, scope: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", CALLBACK),
        ("scope", scope),
        ("state", "a b&c"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]
}

/// The same parameters with another value of one of them, or with one more.
fn with<'a>(
    fields: &[(&'a str, &'a str)],
    name: &'a str,
    value: &'a str,
) -> Vec<(&'a str, &'a str)> {
    let others = fields.iter().filter(|(other, _)| *other != name).copied();
    others.chain([(name, value)]).collect()
}

fn authorize(asked: &[(&str, &str)]) -> String {
    format!("/oauth/authorize?{}", encode(asked))
}

/// Returns the parameters of the redirect to the app.
#[track_caller]
fn returned(answer: &Answer) -> Vec<(String, String)> {
    assert_eq!(answer.status, 303, "{}", answer.text);
    let location = answer.header("location");
    let query = location
        .strip_prefix(&format!("{CALLBACK}?"))
        .expect(location);
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

fn parameter(parameters: &[(String, String)], name: &str) -> Option<String> {
    let mut found = parameters.iter().filter(|(own, _)| own == name);
    found.next().map(|(_, value)| value.clone())
}

/// Sends a form to an endpoint, as a page of another origin does.
async fn post(server: &TestServer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let request = server
        .request(Method::POST, path)
        .header("Origin", "https://watcher.example.org")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(encode(fields));
    let answer = send(request).await;
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    answer
}

async fn exchange(server: &TestServer, fields: &[(&str, &str)]) -> Answer {
    post(server, "/oauth/token", fields).await
}

fn of_code<'a>(client_id: &'a str, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", client_id),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ]
}

async fn refresh(server: &TestServer, client_id: &str, token: &str) -> Answer {
    let fields = [
        ("grant_type", "refresh_token"),
        ("client_id", client_id),
        ("refresh_token", token),
    ];
    exchange(server, &fields).await
}

#[track_caller]
fn refused(answer: &Answer, error: &str) {
    let body = answer.ok(400);
    assert_eq!(body["error"], error, "{body}");
    let description = body["error_description"].as_str().unwrap();
    assert!(description.len() > 10, "{body}");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("content-type"), "application/json");
}

/// Registers an app and returns its `client_id`.
async fn create_app(server: &TestServer, token: &str) -> String {
    let new = json!({"name": "Turn Watcher", "redirect_uris": [CALLBACK],
        "home_page": "https://watcher.example.org"});
    text(&server.create("/v1/apps", token, new).await["id"])
}

/// An app, the token of the account that registered it, and a person.
async fn start(server: &TestServer) -> (String, String, Person) {
    let (_, maker) = register(server, "mago").await;
    let app = create_app(server, &maker).await;
    let person = Person::sign_up(server, "dido").await;
    (app, maker, person)
}

/// Connects the app, and returns the answer with its tokens.
async fn connect(server: &TestServer, app: &str, person: &Person, scope: &str) -> Value {
    let code = person.allow(app, scope).await;
    exchange(server, &of_code(app, &code)).await.ok(200)
}

#[tokio::test]
async fn an_app_receives_tokens_and_renews_them() {
    let server = TestServer::start();
    let (app, _, dido) = start(&server).await;
    let page = dido.page(&authorize(&asked(&app, "play read"))).await;
    assert_eq!(page.status, 200, "{}", page.text);
    for words in [
        "Allow “Turn Watcher” to use your account?",
        "An app by mago",
        "signed in as dido",
        "<li>play your games</li>",
        "Then you return to watcher.example.org",
    ] {
        assert_contains(&page.text, words);
    }
    assert!(!page.text.contains("rename and delete"), "{}", page.text);
    assert_eq!(page.header("cache-control"), "private, no-store");
    let policy = page.header("content-security-policy");
    assert_contains(policy, "form-action 'self' https://watcher.example.org;");

    let returned = dido.decide(&asked(&app, "play read"), "allow").await;
    assert_eq!(parameter(&returned, "state").as_deref(), Some("a b&c"));
    assert_eq!(parameter(&returned, "iss"), Some(server.address.clone()));
    let code = parameter(&returned, "code").unwrap();
    let answer = exchange(&server, &of_code(&app, &code)).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let first = answer.ok(200);
    assert_eq!(first["token_type"], "Bearer");
    assert_eq!(first["expires_in"], 3_600);
    assert_eq!(first["scope"], "read play");
    let access = text(&first["access_token"]);
    let me = server.get_with("/v1/me", &access).await.ok(200);
    assert_eq!(me["player"]["handle"], "dido");
    assert_eq!(me["app"]["id"], *app);
    assert_eq!(me["app"]["name"], "Turn Watcher");
    assert_eq!(me["token"]["scopes"], json!(["read", "play"]));
    // The scope `account` is apart from `play`.
    let rename = send(
        server
            .with(Method::PATCH, "/v1/me", &access)
            .json(&json!({"handle": "elissa"})),
    );
    rename.await.forbidden();

    // An app sees and revokes only the tokens that it has created.
    let child = json!({"name": "part", "scopes": ["read"]});
    let child = server.create("/v1/tokens", &access, child).await;
    let child = text(&child["token"]);
    let listed = server.get_with("/v1/tokens", &access).await.ok(200);
    assert_eq!(array(&listed["items"]).len(), 2, "{listed}");
    let me = server.get_with("/v1/me", &child).await.ok(200);
    assert_eq!(me["app"]["id"], *app);

    let second = refresh(&server, &app, &text(&first["refresh_token"]))
        .await
        .ok(200);
    assert_ne!(second["access_token"], first["access_token"]);
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    assert_eq!(second["scope"], "read play");
    for token in [&access, &text(&second["access_token"])] {
        server.get_with("/v1/me", token).await.ok(200);
    }
    let third = refresh(&server, &app, &text(&second["refresh_token"]))
        .await
        .ok(200);

    // The second use of a refresh token ends everything, because a thief may have the other copy.
    let reused = refresh(&server, &app, &text(&first["refresh_token"])).await;
    refused(&reused, "invalid_grant");
    let latest = text(&third["access_token"]);
    for token in [&access, &child, &text(&second["access_token"]), &latest] {
        server.get_with("/v1/me", token).await.unauthenticated();
    }
    refused(
        &refresh(&server, &app, &text(&third["refresh_token"])).await,
        "invalid_grant",
    );
    let connected = dido.call(Method::GET, "/v1/me/apps").await.ok(200);
    assert_eq!(connected["items"], json!([]));
}

#[tokio::test]
async fn a_wrong_request_for_a_code_returns_with_its_error() {
    let server = TestServer::start();
    let (app, _, dido) = start(&server).await;
    let valid = asked(&app, "read");
    let unknown = uuid::Uuid::now_v7().to_string();
    // The browser must not go to an address that the app has not registered.
    let evil = format!("{CALLBACK}.evil.example");
    let longer = format!("{CALLBACK}/");
    let query = format!("{CALLBACK}?a=1");
    for (name, value) in [
        ("client_id", &*unknown),
        ("client_id", "none"),
        ("client_id", ""),
        ("redirect_uri", &evil),
        ("redirect_uri", &longer),
        ("redirect_uri", &query),
        ("redirect_uri", "javascript:alert(1)"),
    ] {
        let path = authorize(&with(&valid, name, value));
        let answer = dido.page(&path).await;
        assert_eq!(answer.status, 422, "{name} {value}: {}", answer.text);
        assert_eq!(answer.header("location"), "");
    }
    let twice = format!("{}&client_id={app}", authorize(&valid));
    assert_eq!(dido.page(&twice).await.status, 422);
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("response_type", "", "invalid_request"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge", "short", "invalid_request"),
        ("code_challenge_method", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("scope", "read everything", "invalid_scope"),
        ("scope", "admin", "invalid_scope"),
    ] {
        // Also without a sign-in, which would not help.
        let changed = with(&valid, name, value);
        for browser in [&dido, &Person::stranger(&server)] {
            let parameters = returned(&browser.page(&authorize(&changed)).await);
            assert_eq!(
                parameter(&parameters, "error").as_deref(),
                Some(error),
                "{name} {value}"
            );
            assert_eq!(parameter(&parameters, "state").as_deref(), Some("a b&c"));
            assert_eq!(parameter(&parameters, "iss"), Some(server.address.clone()));
            assert_eq!(parameter(&parameters, "code"), None);
        }
        // A form that was changed is checked again.
        let form = dido
            .form("/oauth/authorize", &with(&changed, "decision", "allow"))
            .await;
        assert_eq!(parameter(&returned(&form), "error").as_deref(), Some(error));
    }
    let twice = format!("{}&scope=play", authorize(&valid));
    let parameters = returned(&dido.page(&twice).await);
    assert_eq!(
        parameter(&parameters, "error").as_deref(),
        Some("invalid_request")
    );
    // Unknown parameters are ignored, the only address may be omitted, and so may the scope, which is `read`.
    let fewer: Vec<_> = valid
        .iter()
        .filter(|(name, _)| !["redirect_uri", "scope", "state"].contains(name))
        .copied()
        .chain([("nonce", "1"), ("prompt", "none")])
        .collect();
    let parameters = dido.decide(&fewer, "allow").await;
    assert_eq!(parameter(&parameters, "state"), None);
    let code = parameter(&parameters, "code").unwrap();
    let tokens = exchange(&server, &of_code(&app, &code)).await.ok(200);
    assert_eq!(tokens["scope"], "read");
    let refusal = dido.decide(&valid, "deny").await;
    assert_eq!(
        parameter(&refusal, "error").as_deref(),
        Some("access_denied")
    );
    assert_eq!(parameter(&refusal, "state").as_deref(), Some("a b&c"));
}

#[tokio::test]
async fn a_code_is_exchanged_once_by_its_app() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let other = create_app(&server, &maker).await;
    let code = dido.allow(&app, "read").await;
    let valid = of_code(&app, &code);
    let wrong = "x".repeat(43);
    let unknown = uuid::Uuid::now_v7().to_string();
    for (name, value, error) in [
        ("client_id", "", "invalid_request"),
        ("client_id", "none", "invalid_client"),
        ("client_id", &*unknown, "invalid_client"),
        ("client_id", &other, "invalid_grant"),
        ("grant_type", "", "invalid_request"),
        ("grant_type", "password", "unsupported_grant_type"),
        ("code", "", "invalid_request"),
        ("code", "none", "invalid_grant"),
        (
            "redirect_uri",
            "https://watcher.example.org/",
            "invalid_grant",
        ),
        ("code_verifier", "", "invalid_request"),
        ("code_verifier", "short", "invalid_request"),
        ("code_verifier", &wrong, "invalid_grant"),
    ] {
        let answer = exchange(&server, &with(&valid, name, value)).await;
        refused(&answer, error);
    }
    let mut twice = valid.clone();
    twice.push(("code", "other"));
    refused(&exchange(&server, &twice).await, "invalid_request");
    let json = server.post(
        "/oauth/token",
        "",
        json!({"grant_type": "authorization_code"}),
    );
    refused(&json.await, "invalid_request");
    let get = server.get("/oauth/token").await;
    get.problem(405, "method_not_allowed");

    // OAuth 2.1 omits the address here.
    let fewer: Vec<_> = valid
        .iter()
        .filter(|(name, _)| *name != "redirect_uri")
        .copied()
        .collect();
    let tokens = exchange(&server, &fewer).await.ok(200);
    let access = text(&tokens["access_token"]);
    server.get_with("/v1/me", &access).await.ok(200);
    refused(&exchange(&server, &valid).await, "invalid_grant");
    server.get_with("/v1/me", &access).await.unauthenticated();
    refused(
        &refresh(&server, &app, &text(&tokens["refresh_token"])).await,
        "invalid_grant",
    );

    let late = dido.allow(&app, "read").await;
    server
        .database
        .execute("UPDATE authorization_codes SET expires_at = 1");
    refused(
        &exchange(&server, &of_code(&app, &late)).await,
        "invalid_grant",
    );
}

#[tokio::test]
async fn unknown_parameters_are_ignored_and_clients_with_a_secret_refused() {
    let server = TestServer::start();
    let (app, _, dido) = start(&server).await;
    let code = dido.allow(&app, "read").await;
    let form = with(&of_code(&app, &code), "audience", "games");
    let sent = |path: &str| {
        server
            .request(Method::POST, path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(encode(&form))
    };
    for authorization in ["Basic YXBwOnNlY3JldA==", "Bearer tabularium_x", "x"] {
        for path in ["/oauth/token", "/oauth/revoke", "/oauth/device"] {
            let answer = send(sent(path).header("Authorization", authorization)).await;
            assert_eq!(answer.ok(401)["error"], "invalid_client");
            assert_eq!(answer.header("www-authenticate"), "Basic realm=\"OAuth\"");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
    send(sent("/oauth/token?tenant=1")).await.ok(200);
}

#[tokio::test]
async fn refresh_tokens_are_of_one_app_and_narrow_scopes() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let other = create_app(&server, &maker).await;
    let tokens = connect(&server, &app, &dido, "read play").await;
    let token = text(&tokens["refresh_token"]);
    let narrowed = |scope: &'static str| {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", &*app),
            ("refresh_token", &*token),
            ("scope", scope),
        ];
        encode(&fields)
    };
    let send_form = async |body: String| {
        let request = server.request(Method::POST, "/oauth/token");
        let kind = "application/x-www-form-urlencoded; charset=utf-8";
        send(request.header("Content-Type", kind).body(body)).await
    };
    refused(&refresh(&server, &other, &token).await, "invalid_grant");
    refused(&refresh(&server, &app, "none").await, "invalid_grant");
    refused(&refresh(&server, &app, "").await, "invalid_request");
    for scope in ["read organize", "everything"] {
        refused(&send_form(narrowed(scope)).await, "invalid_scope");
    }
    let narrow = send_form(narrowed("read")).await.ok(200);
    assert_eq!(narrow["scope"], "read");
    let me = server
        .get_with("/v1/me", &text(&narrow["access_token"]))
        .await
        .ok(200);
    assert_eq!(me["token"]["scopes"], json!(["read"]));
    // The next refresh has all scopes again, and deletes access tokens that have expired.
    server
        .database
        .execute("UPDATE tokens SET expires_at = 1 WHERE app_grant IS NOT NULL");
    let whole = refresh(&server, &app, &text(&narrow["refresh_token"]))
        .await
        .ok(200);
    assert_eq!(whole["scope"], "read play");
    let count = "SELECT count(*) AS n FROM tokens WHERE app_grant IS NOT NULL";
    assert_eq!(server.database.number(count), 1);
    server
        .database
        .execute("UPDATE app_grants SET expires_at = 1");
    refused(
        &refresh(&server, &app, &text(&whole["refresh_token"])).await,
        "invalid_grant",
    );
    // The next connection deletes what has expired.
    connect(&server, &app, &dido, "read").await;
    let count = "SELECT count(*) AS n FROM app_grants";
    assert_eq!(server.database.number(count), 1);
}

#[tokio::test]
async fn only_a_person_who_is_signed_in_can_allow_something() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let valid = asked(&app, "read");
    let form = with(&valid, "decision", "allow");
    // The sign-in leads back to the question.
    let mut stranger = Person::stranger(&server);
    let answer = stranger.page(&authorize(&valid)).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    let sign_in = answer.header("location").to_owned();
    let query = sign_in.strip_prefix("/sign-in?next=").expect(&sign_in);
    let next = form_urlencoded::parse(format!("next={query}").as_bytes())
        .next()
        .unwrap()
        .1
        .into_owned();
    let page = stranger.page(&sign_in).await;
    assert_contains(&page.text, "name=\"next\"");
    let fields = [
        ("next", &*next),
        ("handle", "dido"),
        ("password", "elephants over the Alps"),
    ];
    let answer = stranger.form("/sign-in", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    stranger.keep(&answer);
    let back = stranger.page(answer.header("location")).await;
    assert_contains(&back.text, "Turn Watcher");

    let anonymous = Person::stranger(&server)
        .form("/oauth/authorize", &form)
        .await;
    assert_eq!(
        (anonymous.status, anonymous.header("location")),
        (303, "/sign-in")
    );
    // Neither a token, nor a page of another site.
    let bearer = Person::stranger(&server)
        .unsent_form("/oauth/authorize", &form)
        .bearer_auth(&maker);
    send(bearer.header("Accept", "application/json"))
        .await
        .unauthenticated();
    for site in ["cross-site", "same-site", "none"] {
        let forged = dido.unsent_form("/oauth/authorize", &form);
        let forged = send(forged.header("Sec-Fetch-Site", site)).await;
        assert_eq!(forged.status, 403, "{}", forged.text);
    }
    let count = "SELECT count(*) AS n FROM app_grants";
    assert_eq!(server.database.number(count), 0);
}

#[tokio::test]
async fn a_device_is_connected_by_its_code() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let other = create_app(&server, &maker).await;
    let begin = async |scope: &str| {
        let fields = [("client_id", &*app), ("scope", scope)];
        post(&server, "/oauth/device", &fields).await
    };
    let poll_as = async |app: &str, code: &str| {
        let fields = [
            ("grant_type", DEVICE_GRANT),
            ("client_id", app),
            ("device_code", code),
        ];
        exchange(&server, &fields).await
    };
    refused(
        &post(&server, "/oauth/device", &[]).await,
        "invalid_request",
    );
    refused(
        &post(&server, "/oauth/device", &[("client_id", "none")]).await,
        "invalid_client",
    );
    refused(&begin("everything").await, "invalid_scope");
    let codes = begin("read play").await.ok(200);
    let (device, user) = (text(&codes["device_code"]), text(&codes["user_code"]));
    assert_eq!(
        (codes["expires_in"].clone(), codes["interval"].clone()),
        (json!(900), json!(5))
    );
    assert_eq!(
        codes["verification_uri"],
        format!("{}/device", server.address)
    );
    let complete = text(&codes["verification_uri_complete"]);
    let path = complete.strip_prefix(&server.address).unwrap().to_owned();
    refused(&poll_as(&app, &device).await, "authorization_pending");
    refused(&poll_as(&app, &device).await, "slow_down");
    refused(&poll_as(&other, &device).await, "invalid_grant");
    refused(&poll_as(&app, "none").await, "invalid_grant");
    refused(&poll_as(&app, "").await, "invalid_request");

    let stranger = Person::stranger(&server).page(&path).await;
    assert_contains(stranger.header("location"), "/sign-in?next=%2Fdevice");
    assert_contains(&dido.page("/device").await.text, "name=\"user_code\"");
    assert_contains(
        &dido.page("/device?user_code=BBBB-BBBB").await.text,
        "No device waits",
    );
    let typed = user.replace('-', " ").to_lowercase();
    let page = dido
        .page(&format!("/device?{}", encode(&[("user_code", &typed)])))
        .await;
    for words in ["Turn Watcher", "play your games", &user] {
        assert_contains(&page.text, words);
    }
    let decide = async |code: &str, decision: &str| {
        let fields = [("user_code", code), ("decision", decision)];
        dido.form("/device", &fields).await
    };
    assert_contains(&decide("BBBB-BBBB", "allow").await.text, "No device waits");
    assert_contains(
        &decide(&user, "allow").await.text,
        "The device is connected",
    );
    assert_contains(&decide(&user, "allow").await.text, "No device waits");
    let tokens = poll_as(&app, &device).await.ok(200);
    assert_eq!(tokens["scope"], "read play");
    let me = server
        .get_with("/v1/me", &text(&tokens["access_token"]))
        .await
        .ok(200);
    assert_eq!(me["player"]["handle"], "dido");
    refresh(&server, &app, &text(&tokens["refresh_token"]))
        .await
        .ok(200);
    refused(&poll_as(&app, &device).await, "invalid_grant");

    let codes = begin("read").await.ok(200);
    let denied = decide(&text(&codes["user_code"]), "deny").await;
    assert_contains(&denied.text, "not allowed anything");
    let device = text(&codes["device_code"]);
    refused(&poll_as(&app, &device).await, "access_denied");
    let codes = begin("read").await.ok(200);
    server
        .database
        .execute("UPDATE device_codes SET expires_at = 1");
    let late = decide(&text(&codes["user_code"]), "allow").await;
    assert_contains(&late.text, "No device waits");
    refused(
        &poll_as(&app, &text(&codes["device_code"])).await,
        "expired_token",
    );
}

#[tokio::test]
async fn codes_of_devices_cannot_be_guessed() {
    let server = TestServer::with_limits(Limits {
        user_codes: Rate {
            quantity: 3,
            seconds: 3_600,
        },
        ..Limits::default()
    });
    let dido = Person::sign_up(&server, "dido").await;
    for _ in 0..3 {
        let page = dido.page("/device?user_code=BBBB-BBBB").await;
        assert_eq!(page.status, 200, "{}", page.text);
    }
    assert_eq!(dido.page("/device?user_code=BBBB-BBBB").await.status, 429);
    let form = dido.form(
        "/device",
        &[("user_code", "BBBB-BBBB"), ("decision", "allow")],
    );
    assert_eq!(form.await.status, 429);
}

#[tokio::test]
async fn apps_are_registered_listed_and_deleted() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let (_, hanno) = register(&server, "hanno").await;
    for (body, field) in [
        (json!({"name": ""}), "name"),
        (
            json!({"name": "App", "redirect_uris": ["http://app.example.org/"]}),
            "redirect_uris[0]",
        ),
        (
            json!({"name": "App", "redirect_uris": [CALLBACK, "https://app.example.org/#a"]}),
            "redirect_uris[1]",
        ),
        (
            json!({"name": "App", "redirect_uris": vec![CALLBACK; 11]}),
            "redirect_uris",
        ),
        (
            json!({"name": "App", "home_page": "javascript:alert(1)"}),
            "home_page",
        ),
        (json!({"name": "App", "secret": true}), "secret"),
    ] {
        server.post("/v1/apps", &maker, body).await.invalid(field);
    }
    let new = json!({"name": "App"});
    server
        .post("/v1/apps", "", new.clone())
        .await
        .unauthenticated();
    let reader = json!({"name": "reader", "scopes": ["read"]});
    let reader = text(&server.create("/v1/tokens", &maker, reader).await["token"]);
    server
        .post("/v1/apps", &reader, new.clone())
        .await
        .forbidden();
    // A repetition registers one app.
    let repeated = async || {
        let request = server.with(Method::POST, "/v1/apps", &maker).json(&new);
        send(request.header("Idempotency-Key", "one")).await.ok(201)
    };
    assert_eq!(repeated().await, repeated().await);
    let list =
        async |token: &str| server.get_with("/v1/apps", token).await.ok(200)["items"].clone();
    let listed = list(&maker).await;
    assert_eq!(array(&listed).len(), 2, "{listed}");
    assert_eq!(listed[0]["redirect_uris"], json!([CALLBACK]));
    assert_eq!(list(&hanno).await, json!([]));
    for _ in 2..20 {
        server.create("/v1/apps", &maker, new.clone()).await;
    }
    server
        .post("/v1/apps", &maker, new)
        .await
        .problem(409, "limit_reached");

    let tokens = connect(&server, &app, &dido, "read").await;
    let path = format!("/v1/apps/{app}");
    server.delete(&path, &hanno).await.not_found();
    server.delete(&path, &reader).await.forbidden();
    server
        .get_with("/v1/me", &text(&tokens["access_token"]))
        .await
        .ok(200);
    assert_eq!(server.delete(&path, &maker).await.status, 204);
    server
        .get_with("/v1/me", &text(&tokens["access_token"]))
        .await
        .unauthenticated();
    refused(
        &refresh(&server, &app, &text(&tokens["refresh_token"])).await,
        "invalid_client",
    );
    let page = dido.page(&authorize(&asked(&app, "read"))).await;
    assert_eq!(page.status, 422);
}

#[tokio::test]
async fn connected_apps_are_listed_and_disconnected() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let tokens = connect(&server, &app, &dido, "read account").await;
    let access = text(&tokens["access_token"]);
    let listed = dido.call(Method::GET, "/v1/me/apps").await.ok(200);
    let one = &listed["items"][0];
    assert_eq!(one["app"]["name"], "Turn Watcher");
    assert_eq!(one["scopes"], json!(["read", "account"]));
    // The list of tokens is of those that are of no app.
    let own = dido.call(Method::GET, "/v1/tokens").await.ok(200);
    assert_eq!(own["items"], json!([]));
    // No scope lets an app change how the person signs in, or take everything away.
    let address = json!({"address": "app@example.org"});
    let other = json!({"name": "Mine", "redirect_uris": []});
    for answer in [
        server.get_with("/v1/webhooks", &access).await,
        server.put("/v1/me/mail-address", &access, address).await,
        server.get_with("/v1/me/export", &access).await,
        server.post("/v1/apps", &access, other).await,
        server.delete("/v1/me/sessions", &access).await,
        server.get_with("/v1/me/sessions", &access).await,
        server.get_with("/v1/me/passkeys", &access).await,
        server.get_with("/v1/apps", &access).await,
    ] {
        let refused = answer.forbidden();
        assert_contains(&text(&refused["detail"]), "apps cannot do this");
    }
    // The specification shows which operations refuse apps.
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    let mut refusing = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let schemes: Vec<&str> = array(&operation["security"])
                .iter()
                .flat_map(|one| one.as_object().unwrap().keys().map(String::as_str))
                .collect();
            let for_apps = !schemes.contains(&"session") || schemes.contains(&"oauth2");
            let answers = resolve(&document, &operation["responses"]["200"]);
            let is_stream = answers["content"].get("text/event-stream").is_some();
            if for_apps && (method != "get" || is_stream) {
                continue;
            }
            let path = path.split('/').map(|part| match part.starts_with('{') {
                true => "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77",
                false => part,
            });
            let path = path.collect::<Vec<_>>().join("/");
            let content = &operation["requestBody"]["content"]["application/json"];
            let named = content["examples"]
                .as_object()
                .and_then(|all| all.values().next());
            let body = named.map(|one| &resolve(&document, one)["value"]);
            let method = method.to_uppercase().parse().unwrap();
            let mut request = server.with(method, &path, &access);
            if let Some(body) = body.or(content.get("example")) {
                request = request.json(body);
            }
            let answer = send(request).await;
            let refused = answer.text.contains("apps cannot do this");
            assert_eq!(
                refused, !for_apps,
                "{path}: {} {}",
                answer.status, answer.text
            );
            refusing += u32::from(refused);
        }
    }
    assert!(refusing > 20, "{refusing}");
    let path = format!("/v1/me/apps/{}", text(&one["id"]));
    server.delete(&path, &maker).await.not_found();
    assert_eq!(server.delete(&path, &access).await.status, 204);
    server.get_with("/v1/me", &access).await.unauthenticated();
    dido.call(Method::DELETE, &path).await.not_found();

    // An app without the scope `account` can disconnect itself, but no other one.
    let first = connect(&server, &app, &dido, "read").await;
    let second = connect(&server, &app, &dido, "read").await;
    // An app sees itself only.
    let seen = server
        .get_with("/v1/me/apps", &text(&first["access_token"]))
        .await
        .ok(200);
    let listed = dido.call(Method::GET, "/v1/me/apps").await.ok(200);
    assert_eq!(seen["items"], json!([listed["items"][0]]));
    let path = |index: usize| format!("/v1/me/apps/{}", text(&listed["items"][index]["id"]));
    server
        .delete(&path(1), &text(&first["access_token"]))
        .await
        .forbidden();
    assert_eq!(
        server
            .delete(&path(0), &text(&first["access_token"]))
            .await
            .status,
        204
    );

    // On the page, without JavaScript.
    let page = dido.page("/settings/apps").await;
    assert_contains(&page.text, "Turn Watcher");
    let id = text(&listed["items"][1]["id"]);
    let done = dido
        .form("/settings/apps/disconnect", &[("connection", &id)])
        .await;
    assert_eq!(done.header("location"), "/settings/apps?done=disconnected");
    server
        .get_with("/v1/me", &text(&second["access_token"]))
        .await
        .unauthenticated();
    let new = |uris: &'static str| {
        [
            ("name", "My bot"),
            ("redirect_uris", uris),
            ("home_page", ""),
        ]
    };
    let wrong = dido
        .form("/settings/apps", &new("ftp://bot.example.org"))
        .await;
    assert_eq!(wrong.status, 422);
    assert_contains(&wrong.text, "value=\"My bot\"");
    let done = dido
        .form(
            "/settings/apps",
            &new("https://bot.example.org/a\r\nhttp://127.0.0.1/b\r\n"),
        )
        .await;
    assert_eq!(done.header("location"), "/settings/apps?done=registered");
    let own = dido.call(Method::GET, "/v1/apps").await.ok(200);
    let uris = json!(["https://bot.example.org/a", "http://127.0.0.1/b"]);
    assert_eq!(own["items"][0]["redirect_uris"], uris);
    let id = text(&own["items"][0]["id"]);
    assert_contains(&dido.page("/settings/apps?done=registered").await.text, &id);
    let done = dido.form("/settings/apps/delete", &[("app", &id)]).await;
    assert_eq!(done.header("location"), "/settings/apps?done=deleted");
    let stranger = Person::stranger(&server).page("/settings/apps").await;
    assert_contains(
        stranger.header("location"),
        "/sign-in?next=%2Fsettings%2Fapps",
    );
}

#[tokio::test]
async fn a_token_is_revoked_by_its_app() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let other = create_app(&server, &maker).await;
    let tokens = connect(&server, &app, &dido, "read").await;
    let (access, renewal) = (
        text(&tokens["access_token"]),
        text(&tokens["refresh_token"]),
    );
    let revoke = async |app: &str, token: &str| {
        let fields = [
            ("client_id", app),
            ("token", token),
            ("token_type_hint", "access_token"),
        ];
        post(&server, "/oauth/revoke", &fields).await
    };
    refused(&revoke("none", &access).await, "invalid_client");
    refused(&revoke(&app, "").await, "invalid_request");
    refused(&revoke(&other, &access).await, "invalid_grant");
    refused(&revoke(&other, &renewal).await, "invalid_grant");
    revoke(&app, "none").await.ok(200);
    // The token of another account is not of the app.
    revoke(&app, &maker).await.ok(200);
    server.get_with("/v1/me", &maker).await.ok(200);
    revoke(&app, &access).await.ok(200);
    server.get_with("/v1/me", &access).await.unauthenticated();
    let tokens = refresh(&server, &app, &renewal).await.ok(200);
    revoke(&app, &text(&tokens["refresh_token"])).await.ok(200);
    server
        .get_with("/v1/me", &text(&tokens["access_token"]))
        .await
        .unauthenticated();
    refused(
        &refresh(&server, &app, &text(&tokens["refresh_token"])).await,
        "invalid_grant",
    );
}

#[tokio::test]
async fn suspended_and_deleted_accounts_stop_their_apps() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let admin = operators_token(&server, "archon", &[Scope::Admin], 600);
    let moderate = async |kind: &str, subject: &str| {
        let act = json!({"type": kind, "subject": subject, "reason": "a test"});
        server.create("/v1/moderation/acts", &admin, act).await;
    };
    let first = connect(&server, &app, &dido, "read").await;
    moderate("suspend_account", "dido").await;
    let access = text(&first["access_token"]);
    server
        .get_with("/v1/me", &access)
        .await
        .problem(403, "account_suspended");
    refused(
        &refresh(&server, &app, &text(&first["refresh_token"])).await,
        "invalid_grant",
    );
    moderate("lift_suspension", "dido").await;
    let second = refresh(&server, &app, &text(&first["refresh_token"]))
        .await
        .ok(200);

    // The apps of a suspended maker stop for everybody, until the suspension is lifted.
    moderate("suspend_account", "mago").await;
    for tokens in [&first, &second] {
        server
            .get_with("/v1/me", &text(&tokens["access_token"]))
            .await
            .unauthenticated();
    }
    refused(
        &refresh(&server, &app, &text(&second["refresh_token"])).await,
        "invalid_client",
    );
    assert_eq!(
        dido.page(&authorize(&asked(&app, "read"))).await.status,
        422
    );
    moderate("lift_suspension", "mago").await;
    let third = refresh(&server, &app, &text(&second["refresh_token"]))
        .await
        .ok(200);
    server
        .get_with("/v1/me", &text(&third["access_token"]))
        .await
        .ok(200);

    let hanno = Person::sign_up(&server, "hanno").await;
    let fourth = connect(&server, &app, &hanno, "read").await;
    assert_eq!(hanno.call(Method::DELETE, "/v1/me").await.status, 204);
    server
        .get_with("/v1/me", &text(&fourth["access_token"]))
        .await
        .unauthenticated();
    refused(
        &refresh(&server, &app, &text(&fourth["refresh_token"])).await,
        "invalid_grant",
    );
    server
        .get_with("/v1/me", &text(&third["access_token"]))
        .await
        .ok(200);
    assert_eq!(server.delete("/v1/me", &maker).await.status, 204);
    server
        .get_with("/v1/me", &text(&third["access_token"]))
        .await
        .unauthenticated();
    for table in [
        "apps",
        "app_grants",
        "authorization_codes",
        "refresh_tokens",
        "device_codes",
    ] {
        let count = format!("SELECT count(*) AS n FROM {table}");
        assert_eq!(server.database.number(&count), 0, "{table}");
    }
}

#[tokio::test]
async fn nodes_share_codes_and_tokens() {
    let one = TestServer::start();
    let two = one.another();
    let (app, _, dido) = start(&one).await;
    let code = dido.allow(&app, "read").await;
    let tokens = exchange(&two, &of_code(&app, &code)).await.ok(200);
    let access = text(&tokens["access_token"]);
    for node in [&one, &two] {
        node.get_with("/v1/me", &access).await.ok(200);
    }
    // Of two exchanges at the same time, one succeeds. The other ends the connection.
    let token = text(&tokens["refresh_token"]);
    let (here, there) = tokio::join!(refresh(&one, &app, &token), refresh(&two, &app, &token));
    let mut statuses = [here.status, there.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400], "{} {}", here.text, there.text);
    for node in [&one, &two] {
        eventually("a node still accepts the token", async || {
            (node.get_with("/v1/me", &access).await.status == 401).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_metadata_name_all_endpoints() {
    let server = TestServer::start();
    let metadata = server.read("/.well-known/oauth-authorization-server").await;
    assert_eq!(metadata["issuer"], server.address);
    for (name, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/oauth/token"),
        ("revocation_endpoint", "/oauth/revoke"),
        ("device_authorization_endpoint", "/oauth/device"),
        ("service_documentation", "/docs/apps-and-oauth"),
    ] {
        assert_eq!(metadata[name], format!("{}{path}", server.address));
    }
    assert_eq!(
        metadata["code_challenge_methods_supported"],
        json!(["S256"])
    );
    assert_eq!(
        metadata["authorization_response_iss_parameter_supported"],
        true
    );
    assert_eq!(
        metadata["scopes_supported"],
        json!(["read", "play", "organize", "account"])
    );
    let grants = json!(["authorization_code", "refresh_token", DEVICE_GRANT]);
    assert_eq!(metadata["grant_types_supported"], grants);
}

#[tokio::test]
async fn any_token_of_an_account_says_whose_it_is() {
    let server = TestServer::start();
    let bot = json!({"handle": "search-bot-1", "bot": true});
    let registered = server.create("/v1/players", "", bot).await;
    assert_eq!(registered["player"]["bot"], true);
    let token = text(&registered["token"]);
    for scope in ["read", "play", "organize", "account"] {
        let new = json!({"name": scope, "scopes": [scope]});
        let token = text(&server.create("/v1/tokens", &token, new).await["token"]);
        let me = server.get_with("/v1/me", &token).await.ok(200);
        assert_eq!(me["player"]["handle"], "search-bot-1");
        assert_eq!(me["token"]["scopes"], json!([scope]));
        assert_eq!(me["app"], Value::Null);
    }
    let change =
        async |body: Value| send(server.with(Method::PATCH, "/v1/me", &token).json(&body)).await;
    let page = || server.get_as("/players/search-bot-1", "text/html");
    assert_contains(&page().await.text, "a program plays");
    assert_eq!(
        change(json!({"bot": false})).await.ok(200)["player"]["bot"],
        false
    );
    assert!(!page().await.text.contains("a program plays"));
    assert_eq!(server.read("/v1/players/search-bot-1").await["bot"], false);
    change(json!({})).await.invalid("handle");
}

#[tokio::test]
async fn an_export_has_apps_and_connections() {
    let server = TestServer::start();
    let (app, maker, dido) = start(&server).await;
    let tokens = connect(&server, &app, &dido, "read play").await;
    let export = dido.call(Method::GET, "/v1/me/export").await.ok(200);
    let connected = &export["tables"]["connected_apps"][0];
    assert_eq!(
        (&connected["app"], &connected["scopes"]),
        (&json!(app), &json!("read play"))
    );
    let whole = export.to_string();
    for secret in [&tokens["access_token"], &tokens["refresh_token"]] {
        assert!(!whole.contains(secret.as_str().unwrap()));
    }
    let export = server.get_with("/v1/me/export", &maker).await.ok(200);
    assert_eq!(export["tables"]["apps"][0]["redirect_uris"], CALLBACK);
}
