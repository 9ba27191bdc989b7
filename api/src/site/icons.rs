//! Files with fixed names for browsers and search engines: icons, the manifest, `robots.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde_json::json;

use crate::content::drawings::PNG;
use crate::http::problem::Problem;
use crate::http::reply::{not_json, text, versioned};
use crate::http::request::path::not_found;
use crate::http::secret::hashed;
use crate::site::assets::{content, path};
use crate::site::choice::Visit;
use crate::site::texts::phrases::NAME;

/// The file of the icon in any size.
const ICON: &str = "icon.svg";

/// The sizes in pixels of the icons in `favicon.ico`.
const FAVICON_SIZES: [u8; 3] = [16, 32, 48];

/// The sizes of the other icons in pixels, for Apple's devices and for the manifest.
const SIZES: [u32; 3] = [180, 192, 512];

/// The colour of the icon.
const COLOUR: &str = "#7a2e1d";

/// The colour of the page in light.
const BACKGROUND: &str = "#fbf3e0";

/// Rules for search engines: each page once, and its pictures.
/// The answers for programs, the parts of pages and the same page with other filters are excluded.
const ROBOTS: &str = "\
User-agent: *
Allow: /v1/boards/*.png$
Allow: /v1/boards/*.svg$
Allow: /v1/games/*/states/*.png$
Allow: /v1/games/*/states/*.svg$
Disallow: /v1/
Disallow: /metrics
Disallow: /language
Disallow: /games/*/
Disallow: /*?at=
Disallow: /*?cursor=
Disallow: /*&cursor=
Disallow: /stats?
Disallow: /stats/*?
";

/// An icon in pixels, with its tag.
#[derive(Clone, Debug)]
struct Icon {
    tag: String,
    bytes: Bytes,
}

impl Icon {
    fn new(bytes: Vec<u8>) -> Icon {
        Icon {
            tag: format!("\"{}\"", &hashed(&hex::encode(&bytes))[..16]),
            bytes: bytes.into(),
        }
    }

    fn answer(&self, request: &HttpRequest, media_type: &'static str) -> HttpResponse {
        let bytes = self.bytes.clone();
        versioned(
            request,
            &self.tag,
            media_type,
            bytes,
            "public, max-age=86400",
        )
    }
}

/// The icon as PNG; nothing if the program was built without PNG.
fn drawn(size: u32) -> Option<Vec<u8>> {
    let svg = content(ICON)?;
    let sized = svg.replacen(
        "<svg ",
        &format!("<svg width=\"{size}\" height=\"{size}\" "),
        1,
    );
    drawing::png(&sized).ok()
}

/// A file with an icon in each size: a header, an entry for each icon, and the icons as PNG.
fn favicon() -> Option<Vec<u8>> {
    let icons: Option<Vec<_>> = FAVICON_SIZES
        .into_iter()
        .map(|size| Some((size, drawn(size.into())?)))
        .collect();
    let icons = icons?;
    let count = u8::try_from(icons.len()).ok()?;
    // Reserved, the type of icons, and how many.
    let mut file = vec![0, 0, 1, 0, count, 0];
    let mut offset = 6 + 16 * u32::from(count);
    for (size, png) in &icons {
        let length = u32::try_from(png.len()).ok()?;
        // Width, height, no palette, reserved, one plane of 32 bits.
        file.extend([*size, *size, 0, 0, 1, 0, 32, 0]);
        file.extend(length.to_le_bytes());
        file.extend(offset.to_le_bytes());
        offset += length;
    }
    for (_, png) in icons {
        file.extend(png);
    }
    Some(file)
}

/// The icon for programs that cannot show SVG.
#[get("/favicon.ico")]
pub async fn favicon_file(request: HttpRequest) -> Result<HttpResponse, Problem> {
    static FILE: LazyLock<Option<Icon>> = LazyLock::new(|| favicon().map(Icon::new));
    let file = FILE
        .as_ref()
        .ok_or_else(|| not_found("icon", "favicon.ico"))?;
    Ok(file.answer(&request, "image/x-icon"))
}

/// The icon in a size.
#[get("/icon-{size}.png")]
pub async fn icon_file(
    request: HttpRequest,
    size: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    static FILES: LazyLock<BTreeMap<String, Icon>> = LazyLock::new(|| {
        let files = SIZES.into_iter();
        let files = files.filter_map(|size| Some((size.to_string(), Icon::new(drawn(size)?))));
        files.collect()
    });
    let file = FILES.get(size.as_str());
    let file = file.ok_or_else(|| not_found("icon", &size))?;
    Ok(file.answer(&request, PNG))
}

/// The manifest, by which a browser can install the site as an app.
#[get("/manifest.webmanifest")]
pub async fn manifest(request: HttpRequest, visit: Visit) -> Result<HttpResponse, Problem> {
    let icon = |size: u32| json!({"src": format!("/icon-{size}.png"), "type": PNG, "sizes": format!("{size}x{size}")});
    let manifest = json!({
        "name": NAME,
        "short_name": NAME,
        "description": visit.texts.text("home-lead"),
        "lang": visit.texts.0.code(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": COLOUR,
        "background_color": BACKGROUND,
        "icons": [
            {"src": path(ICON), "type": "image/svg+xml", "sizes": "any"},
            icon(192),
            icon(512),
        ],
    });
    let manifest = serde_json::to_string(&manifest).map_err(not_json)?;
    Ok(text(&request, "application/manifest+json", manifest))
}

/// The rules of `robots.txt`.
#[get("/robots.txt")]
pub async fn robots(request: HttpRequest) -> HttpResponse {
    text(&request, "text/plain; charset=utf-8", ROBOTS.to_owned())
}
