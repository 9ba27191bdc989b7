//! Passkeys, with an authenticator in the test: signing up and in, and those of an account.

use api::server::Config;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::accounts::register;
use super::support::{Answer, TestServer, array, assert_contains, send, text};

/// The public URL of the servers.
pub const ORIGIN: &str = "https://games.example.org";

const CEREMONIES: &str = "/v1/passkeys/ceremonies";
const SESSIONS: &str = "/v1/passkeys/sessions";
const MINE: &str = "/v1/me/passkeys";

/// A server with a public URL.
pub fn server() -> TestServer {
    TestServer::with_config(Config {
        public_url: Some(ORIGIN.parse().unwrap()),
        ..Config::default()
    })
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A device with one passkey, which counts its signatures.
#[derive(Clone)]
pub struct Authenticator {
    key: SigningKey,
    origin: String,
    user: String,
    pub counter: u32,
    backed_up: bool,
}

impl Authenticator {
    pub fn new(number: u8) -> Authenticator {
        Authenticator {
            key: SigningKey::from_slice(&[number; 32]).unwrap(),
            origin: ORIGIN.to_owned(),
            user: String::new(),
            counter: 0,
            backed_up: false,
        }
    }

    fn id(&self) -> Vec<u8> {
        Sha256::digest(self.key.to_bytes()).to_vec()
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({"type": kind, "challenge": options["challenge"], "origin": self.origin,
            "crossOrigin": false});
        data.to_string().into_bytes()
    }

    /// The authenticator data without the key: present, verified, can be backed up.
    fn data(&self, host: &Value, more: u8) -> Vec<u8> {
        let backup = if self.backed_up { 0x10 } else { 0 };
        let mut data = Sha256::digest(text(host).as_bytes()).to_vec();
        data.push(0x0d | backup | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// Creates the passkey, and returns the credential as a browser does.
    pub fn create(&mut self, options: &Value) -> Value {
        let options = &options["publicKey"];
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
        self.user = text(&options["user"]["id"]);
        let mut data = self.data(&options["rp"]["id"], 0x40);
        data.extend([0; 16]);
        data.extend([0, 32]);
        data.extend(self.id());
        // The key in COSE: ES256 on P-256.
        let point = self.key.verifying_key().to_sec1_point(false);
        let point = point.as_bytes();
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..65]);
        // The attestation in CBOR: no format, no statement.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).unwrap());
        object.extend(data);
        json!({"id": encode(self.id()), "rawId": encode(self.id()), "type": "public-key",
            "response": {"attestationObject": encode(object), "transports": ["internal"],
                "clientDataJSON": encode(self.client_data("webauthn.create", options))},
            "clientExtensionResults": {}})
    }

    /// Signs, and returns the credential as a browser does.
    pub fn sign(&mut self, options: &Value) -> Value {
        let options = &options["publicKey"];
        self.counter += 1;
        let data = self.data(&options["rpId"], 0);
        let client = self.client_data("webauthn.get", options);
        let signed = [&data[..], &Sha256::digest(&client)].concat();
        let signature: Signature = self.key.sign(&signed);
        json!({"id": encode(self.id()), "rawId": encode(self.id()), "type": "public-key",
            "response": {"authenticatorData": encode(data), "clientDataJSON": encode(client),
                "signature": encode(signature.to_der().as_bytes()), "userHandle": self.user},
            "clientExtensionResults": {}})
    }
}

async fn begin(server: &TestServer, token: &str, body: Value) -> Value {
    server.post(CEREMONIES, token, body).await.ok(201)
}

async fn sign_up(server: &TestServer, device: &mut Authenticator, handle: &str) -> Answer {
    let begun = begin(server, "", json!({"purpose": "sign_up", "handle": handle})).await;
    let credential = device.create(&begun["options"]);
    let end = json!({"ceremony": begun["ceremony"], "credential": credential});
    server.post(SESSIONS, "", end).await
}

async fn sign_in(server: &TestServer, device: &mut Authenticator) -> Answer {
    let begun = begin(server, "", json!({"purpose": "sign_in"})).await;
    assert_eq!(begun["options"]["publicKey"]["allowCredentials"], json!([]));
    let end = json!({"ceremony": begun["ceremony"], "credential": device.sign(&begun["options"])});
    server.post(SESSIONS, "", end).await
}

async fn add(server: &TestServer, token: &str, device: &mut Authenticator, name: &str) -> Answer {
    let begun = begin(server, token, json!({"purpose": "add"})).await;
    let credential = device.create(&begun["options"]);
    let new = json!({"ceremony": begun["ceremony"], "credential": credential, "name": name});
    server.post(MINE, token, new).await
}

/// A request of a page, with the cookie that an answer has set.
fn with_cookie(server: &TestServer, method: Method, path: &str, answer: &Answer) -> RequestBuilder {
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    let request = server.request(method, path).header("Cookie", cookie);
    request.header("Sec-Fetch-Site", "same-origin")
}

#[tokio::test]
async fn a_passkey_signs_up_and_signs_in_without_a_handle() {
    let server = server();
    let another = server.another_with_config(Config {
        public_url: Some(ORIGIN.parse().unwrap()),
        ..Config::default()
    });
    let mut phone = Authenticator::new(1);
    let answer = sign_up(&server, &mut phone, "Dido").await;
    let signed_up = answer.ok(201);
    assert_eq!(signed_up["player"]["handle"], "Dido");
    assert_eq!(array(&signed_up["recovery_codes"]).len(), 10);
    let me = with_cookie(&server, Method::GET, "/v1/me", &answer);
    assert_eq!(send(me).await.ok(200)["player"], signed_up["player"]);

    // The other node finishes what this one has begun.
    let begun = begin(&server, "", json!({"purpose": "sign_in"})).await;
    phone.backed_up = true;
    let end = json!({"ceremony": begun["ceremony"], "credential": phone.sign(&begun["options"])});
    let signed_in = another.post(SESSIONS, "", end.clone()).await.ok(201);
    assert_eq!(signed_in["player"], signed_up["player"]);
    assert_eq!(signed_in["recovery_codes"], Value::Null);
    // A ceremony ends once.
    server
        .post(SESSIONS, "", end)
        .await
        .problem(403, "wrong_passkey");
    let list = with_cookie(&server, Method::GET, MINE, &answer);
    let list = send(list).await.ok(200);
    let passkey = &array(&list["items"])[0];
    assert_eq!(passkey["backed_up"], true);
    assert!(passkey["last_used_at"].is_string(), "{passkey}");

    // A copy of the passkey, which has counted less.
    let mut copy = phone.clone();
    sign_in(&server, &mut phone).await.ok(201);
    sign_in(&server, &mut copy)
        .await
        .problem(403, "wrong_passkey");
    // A recovery code sets a password where the passkey is lost.
    let code = &signed_up["recovery_codes"][0];
    let recover =
        json!({"handle": "dido", "password": "a long walk by the sea", "recovery_code": code});
    server.post("/v1/sessions", "", recover).await.ok(201);
    // The handle is taken now.
    let again = json!({"purpose": "sign_up", "handle": "dido"});
    server
        .post(CEREMONIES, "", again)
        .await
        .problem(409, "handle_taken");
}

#[tokio::test]
async fn passkeys_are_added_named_and_removed() {
    let server = server();
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let (mut phone, mut key) = (Authenticator::new(1), Authenticator::new(2));
    let added = add(&server, &dido, &mut phone, "my phone").await;
    let first = text(&added.ok(201)["id"]);
    let path = format!("{MINE}/{first}");
    assert_eq!(added.header("location"), path);
    // The same passkey is of one account only.
    add(&server, &hanno, &mut phone.clone(), "stolen")
        .await
        .problem(403, "wrong_passkey");
    let second = text(&add(&server, &dido, &mut key, "key").await.ok(201)["id"]);
    let begun = begin(&server, &dido, json!({"purpose": "add"})).await;
    let excluded = &begun["options"]["publicKey"]["excludeCredentials"];
    assert_eq!(array(excluded).len(), 2, "{excluded}");

    let rename = |token: &str, name: &str| {
        let request = server.with(Method::PATCH, &path, token);
        send(request.json(&json!({ "name": name })))
    };
    rename(&hanno, "mine").await.not_found();
    rename(&dido, "a\u{202e}b")
        .await
        .problem(422, "invalid_body");
    assert_eq!(
        rename(&dido, "old phone").await.ok(200)["name"],
        "old phone"
    );
    let exported = server.get_with("/v1/me/export", &dido).await;
    assert_contains(&exported.text, "old phone");
    assert!(!exported.text.contains("cred_id"), "{}", exported.text);

    server.delete(&path, &hanno).await.not_found();
    let removed = server.delete(&path, &dido).await;
    assert_eq!(removed.status, 204, "{}", removed.text);
    sign_in(&server, &mut phone)
        .await
        .problem(403, "wrong_passkey");
    // The last way to sign in stays, until there is a password.
    let last = format!("{MINE}/{second}");
    server
        .delete(&last, &dido)
        .await
        .problem(409, "last_sign_in");
    let password = json!({"password": "a long walk by the sea"});
    let set = server.put("/v1/me/password", &dido, password).await;
    assert_eq!(set.status, 204, "{}", set.text);
    assert_eq!(server.delete(&last, &dido).await.status, 204);
    add(&server, &dido, &mut key, "key").await.ok(201);
    // Nothing is left of a deleted account.
    assert_eq!(server.delete("/v1/me", &dido).await.status, 204);
    let rows = server.database.number("SELECT COUNT(*) AS n FROM passkeys");
    assert_eq!(rows, 0);
    sign_in(&server, &mut key)
        .await
        .problem(403, "wrong_passkey");
}

#[tokio::test]
async fn wrong_answers_of_passkeys_are_refused() {
    let server = server();
    let mut phone = Authenticator::new(1);
    let answer = sign_up(&server, &mut phone, "dido").await;
    answer.ok(201);
    let (_, hanno) = register(&server, "hanno").await;
    // Another origin, another key, and no such passkey.
    let foreign = Authenticator {
        origin: "https://moon.example".to_owned(),
        ..phone.clone()
    };
    let other_key = Authenticator {
        key: SigningKey::from_slice(&[9; 32]).unwrap(),
        ..phone.clone()
    };
    for mut wrong in [foreign, other_key] {
        sign_in(&server, &mut wrong)
            .await
            .problem(403, "wrong_passkey");
    }
    // The signature of another account under the id of the passkey.
    let begun = begin(&server, "", json!({"purpose": "sign_in"})).await;
    let mut credential = phone.sign(&begun["options"]);
    credential["response"]["signature"] = json!(encode(b"no signature"));
    let end = json!({"ceremony": begun["ceremony"], "credential": credential});
    server
        .post(SESSIONS, "", end)
        .await
        .problem(403, "wrong_passkey");
    // Ceremonies of another purpose, of another account, and of the past.
    let begun = begin(&server, &hanno, json!({"purpose": "add"})).await;
    let end = json!({"ceremony": begun["ceremony"], "credential": Authenticator::new(3).create(&begun["options"])});
    server
        .post(SESSIONS, "", end)
        .await
        .problem(403, "wrong_passkey");
    let begun = begin(&server, &hanno, json!({"purpose": "add"})).await;
    let new = json!({"ceremony": begun["ceremony"], "name": "mine",
        "credential": Authenticator::new(3).create(&begun["options"])});
    let stolen = with_cookie(&server, Method::POST, MINE, &answer).json(&new);
    send(stolen).await.problem(403, "wrong_passkey");
    let begun = begin(&server, "", json!({"purpose": "sign_in"})).await;
    server
        .database
        .execute("UPDATE passkey_ceremonies SET expires_at = 1");
    let end = json!({"ceremony": begun["ceremony"], "credential": phone.sign(&begun["options"])});
    server
        .post(SESSIONS, "", end)
        .await
        .problem(403, "wrong_passkey");
    // Requests without what they need.
    for body in [
        json!({"purpose": "sign_up"}),
        json!({"purpose": "sign_in", "handle": "dido"}),
    ] {
        server
            .post(CEREMONIES, "", body)
            .await
            .problem(422, "invalid_body");
    }
    let add = json!({"purpose": "add"});
    server.post(CEREMONIES, "", add).await.unauthenticated();
    let other_site = server.request(Method::POST, CEREMONIES);
    let other_site = other_site.header("Sec-Fetch-Site", "cross-site");
    send(other_site.json(&json!({"purpose": "sign_in"})))
        .await
        .forbidden();
}

#[tokio::test]
async fn without_a_public_url_only_localhost_has_passkeys() {
    let server = TestServer::start();
    let begin = |host: &str| {
        let request = server.request(Method::POST, CEREMONIES);
        let body = json!({"purpose": "sign_in"});
        send(request.header("Host", host).json(&body))
    };
    let port = server.socket().port();
    begin(&format!("localhost:{port}")).await.ok(201);
    for host in [format!("127.0.0.1:{port}"), "games.example.org".to_owned()] {
        begin(&host).await.problem(409, "passkeys_unavailable");
    }
    let page = server.get_as("/sign-in", "text/html").await;
    assert!(!page.text.contains("id=\"passkey\""), "{}", page.text);
}
