//! What search engines and messengers read of pages: descriptions, addresses, pictures, and files with fixed names.

use api::server::Config;
use serde_json::{Value, json};

use super::{attributes, finish_game};
use crate::http::accounts::register;
use crate::http::support::{TestServer, array, assert_contains, send};

const PUBLIC: &str = "https://games.example.org";

fn public_server() -> TestServer {
    TestServer::with_config(Config {
        public_url: Some(PUBLIC.parse().unwrap()),
        ..Config::default()
    })
}

/// The content of the `meta` element with this name or property.
fn meta<'a>(html: &'a str, name: &str) -> Option<&'a str> {
    let elements = html.split("<meta ").skip(1);
    let mut elements = elements.filter_map(|element| element.split_once('>'));
    let named = [format!("name=\"{name}\""), format!("property=\"{name}\"")];
    let (element, _) =
        elements.find(|(element, _)| named.iter().any(|own| element.contains(own)))?;
    element.split_once("content=\"")?.1.split('"').next()
}

/// The width and the height of a PNG.
fn size_of(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

async fn bytes(server: &TestServer, path: &str) -> (String, Vec<u8>) {
    let answer = server
        .request(reqwest::Method::GET, path)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    let media_type = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    (media_type, answer.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_link_to_a_public_page_shows_what_it_is() {
    let server = public_server();
    let id = finish_game(&server).await;
    let (dido, token) = register(&server, "dido").await;
    let new = json!({"name": "Cup of <Rome>", "description": "By candle \"light\"."});
    let league = server.create("/v1/leagues", &token, new).await;
    let league = league["id"].as_str().unwrap();
    let of_game = format!("/v1/games/{id}/states/57.png");
    for (path, title, about, picture) in [
        (
            "/",
            "Tabularium",
            "Replay every game",
            "/v1/boards/antike-east.png",
        ),
        (
            "/games",
            "Games",
            "Watch live games",
            "/v1/boards/antike-east.png",
        ),
        (
            "/play",
            "Play",
            "with friends",
            "/v1/boards/antike-east.png",
        ),
        (
            "/leagues",
            "Leagues",
            "Seasons",
            "/v1/boards/antike-east.png",
        ),
        (
            "/players",
            "Players",
            "Ratings",
            "/v1/boards/antike-east.png",
        ),
        (
            "/stats",
            "Statistics",
            "Win rates",
            "/v1/boards/antike-east.png",
        ),
        (
            "/stats/openings",
            "",
            "Win rates",
            "/v1/boards/antike-east.png",
        ),
        (
            "/rules",
            "Rules",
            "numbered rules",
            "/v1/boards/antike-east.png",
        ),
        (
            "/rules/antike_duellum",
            "Duellum",
            "Each rule",
            "/v1/boards/duellum-",
        ),
        ("/docs", "", "", "/v1/boards/antike-east.png"),
        (
            "/docs/install",
            "Install",
            "After this page",
            "/v1/boards/antike-east.png",
        ),
        (
            "/docs/api/games",
            "",
            "API reference",
            "/v1/boards/antike-east.png",
        ),
        (
            &format!("/players/{dido}"),
            "dido",
            "games of dido",
            "/v1/boards/antike-east.png",
        ),
        (
            &format!("/leagues/{league}"),
            "Rome",
            "By candle &quot;light&quot;.",
            "/v1/boards/antike-east.png",
        ),
        (
            &format!("/games/{id}?at=57"),
            "Antike",
            "finished · round",
            &of_game,
        ),
    ] {
        // Link previews accept everything, and say who they are.
        let answer = server
            .request(reqwest::Method::GET, path)
            .header("Accept", "*/*");
        let answer = send(answer.header("User-Agent", "Twitterbot/1.0")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(
            answer.header("content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
        let html = &answer.text;
        let head = html.split_once("</head>").unwrap().0;
        let read = |name: &str| meta(head, name).unwrap_or_else(|| panic!("{path}: no {name}"));
        assert_contains(read("og:title"), title);
        assert_contains(read("description"), about);
        assert!(!read("description").is_empty(), "{path}");
        assert_eq!(read("og:description"), read("description"), "{path}");
        assert_eq!(meta(head, "robots"), None, "{path}");
        let address = format!("{PUBLIC}{}", path.split('?').next().unwrap());
        assert_eq!(read("og:url"), address);
        assert_contains(
            head,
            &format!("<link rel=\"canonical\" href=\"{address}\">"),
        );
        assert_eq!(read("twitter:card"), "summary_large_image", "{path}");
        let shown = read("og:image").strip_prefix(PUBLIC).expect(path);
        assert!(shown.starts_with(picture), "{path}: {shown}");
        assert!(!read("og:image:alt").is_empty(), "{path}");
        let (media_type, png) = bytes(&server, shown).await;
        assert_eq!(media_type, read("og:image:type"));
        let (width, height) = size_of(&png);
        assert_eq!(width.to_string(), read("og:image:width"), "{path}");
        assert_eq!(height.to_string(), read("og:image:height"), "{path}");
    }
}

/// Messengers ask as strangers; others who may see the page do not receive more in its head.
#[tokio::test]
async fn what_not_everybody_can_find_has_no_preview() {
    let server = public_server();
    let (_, token) = register(&server, "dido").await;
    for visibility in ["private", "unlisted"] {
        let game = json!({"edition": "antike", "board": "antike-east", "visibility": visibility,
            "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
        let game = server.create("/v1/games", &token, game).await;
        let league = json!({"name": "Secret cup", "visibility": visibility});
        let league = server.create("/v1/leagues", &token, league).await;
        for path in [
            format!("/games/{}", game["id"].as_str().unwrap()),
            format!("/leagues/{}", league["id"].as_str().unwrap()),
        ] {
            let shown = server.get_with(&path, &token).await;
            assert_eq!(shown.status, 200, "{path}: {}", shown.text);
            assert_eq!(meta(&shown.text, "robots"), Some("noindex"), "{path}");
            let is_shown = visibility == "unlisted";
            for name in ["og:image", "og:title", "description"] {
                assert_eq!(
                    meta(&shown.text, name).is_some(),
                    is_shown,
                    "{path}: {name}"
                );
            }
            let stranger = server.get_as(&path, "text/html").await;
            assert_eq!(stranger.status, if is_shown { 200 } else { 404 }, "{path}");
            if !is_shown {
                assert!(!stranger.text.contains("Secret cup"), "{}", stranger.text);
                assert_eq!(meta(&stranger.text, "og:image"), None, "{path}");
            }
        }
    }
    let nothing = server.get_as("/nothing", "text/html").await;
    assert_eq!(meta(&nothing.text, "robots"), Some("noindex"));
    assert_eq!(meta(&nothing.text, "og:title"), None);
}

/// Without a public URL, addresses are those of the request.
#[tokio::test]
async fn addresses_follow_the_proxy_without_a_public_url() {
    let server = TestServer::start();
    let request = server.request(reqwest::Method::GET, "/games");
    let request = request
        .header("X-Forwarded-Host", "board.example.org")
        .header("X-Forwarded-Proto", "https");
    let shown = send(request).await.text;
    assert_eq!(
        meta(&shown, "og:url"),
        Some("https://board.example.org/games")
    );
}

#[tokio::test]
async fn files_with_fixed_names_are_served() {
    let server = TestServer::start();
    let robots = server.get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_contains(&robots.text, "User-agent: *\n");
    assert_contains(&robots.text, "Disallow: /v1/\n");
    let (media_type, icons) = bytes(&server, "/favicon.ico").await;
    assert_eq!(media_type, "image/x-icon");
    assert_eq!(icons[..6], [0, 0, 1, 0, 3, 0]);
    let mut end = 6 + 3 * 16;
    for (place, size) in [16_u8, 32, 48].into_iter().enumerate() {
        let entry = &icons[6 + place * 16..][..16];
        assert_eq!(entry[..2], [size, size]);
        let number = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap());
        let (length, offset) = (number(8) as usize, number(12) as usize);
        assert_eq!(offset, end);
        let png = &icons[offset..offset + length];
        assert_eq!(size_of(png), (size.into(), size.into()));
        end += length;
    }
    assert_eq!(end, icons.len());
    let home = server.get_as("/", "text/html").await.text;
    for link in ["/favicon.ico", "/icon-180.png", "/manifest.webmanifest"] {
        assert!(attributes(&home, "href").contains(&link), "{link}");
    }
    let manifest = server.get("/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    let manifest: Value = manifest.json();
    assert_eq!(manifest["start_url"], "/");
    for icon in array(&manifest["icons"]) {
        let (media_type, file) = bytes(&server, icon["src"].as_str().unwrap()).await;
        assert_eq!(icon["type"], *media_type);
        if media_type == "image/png" {
            let (width, height) = size_of(&file);
            assert_eq!(icon["sizes"], format!("{width}x{height}"));
        }
    }
    let (_, png) = bytes(&server, "/icon-180.png").await;
    assert_eq!(size_of(&png), (180, 180));
    server.get("/icon-181.png").await.not_found();
    let german = server.request(reqwest::Method::GET, "/manifest.webmanifest");
    let german = send(german.header("Accept-Language", "de")).await;
    assert_eq!(german.json()["lang"], "de");
}
