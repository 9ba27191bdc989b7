//! The documentation as static files, with links relative to each page.

use std::path::Path;

use anyhow::Context;

use crate::site::assets;
use crate::site::choice::Visit;
use crate::site::docs::contents::{FILES, ROOT};
use crate::site::docs::reference::Specification;
use crate::site::docs::site::DocsSite;

/// What static pages load, by the names of the assets.
const ASSETS: [&str; 5] = [
    "style.css",
    "icon.svg",
    "runs.js",
    "docs.js",
    "minisearch.js",
];

/// The attributes that hold addresses.
const ATTRIBUTES: [&str; 4] = [" href=\"", " src=\"", " data-index=\"", " data-root=\""];

/// Writes all pages into a folder, and returns their number.
/// Links to pages of a server lead to `server`. Without a server they are no links.
///
/// # Errors
/// If a file cannot be written.
pub fn export(
    to: &Path,
    server: Option<&str>,
    specification: Specification,
) -> anyhow::Result<usize> {
    let site = DocsSite::rendered(specification);
    let slugs = site.slugs();
    for slug in &slugs {
        let page = site
            .page(&Visit::FILE, slug)
            .with_context(|| format!("there is no page {slug:?}"))?;
        let file = file_of(slug);
        let html = rewritten(&page.into_string(), &file, server);
        write(to, &file, html.as_bytes())?;
    }
    write(
        to,
        "search.json",
        static_index(&site.search_index())?.as_bytes(),
    )?;
    for file in FILES {
        write(to, &format!("files/{}", file.path), file.text.as_bytes())?;
    }
    for name in ASSETS {
        write(
            to,
            &format!("assets/{name}"),
            assets::content(name).unwrap_or_default().as_bytes(),
        )?;
    }
    write(to, "openapi.json", &(specification.0)())?;
    Ok(slugs.len())
}

fn write(folder: &Path, name: &str, content: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent)
        .with_context(|| format!("cannot create {}", parent.display()))?;
    std::fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// The file of a page.
fn file_of(slug: &str) -> String {
    match slug {
        "" => "index.html".to_owned(),
        slug => format!("{slug}.html"),
    }
}

/// The index of the search, with files in place of addresses.
fn static_index(index: &str) -> anyhow::Result<String> {
    let mut index: serde_json::Value = serde_json::from_str(index)?;
    for found in index.as_array_mut().into_iter().flatten() {
        let at = found["at"].as_str().unwrap_or_default();
        let (slug, anchor) = at.split_once('#').unwrap_or((at, ""));
        let hash = if anchor.is_empty() { "" } else { "#" };
        found["at"] = format!("{}{hash}{anchor}", file_of(slug)).into();
    }
    Ok(index.to_string())
}

/// The file, relative to the root of the static site, that an address of the service leads to.
fn file_at(address: &str) -> Option<String> {
    if address == "/openapi.json" {
        return Some("openapi.json".to_owned());
    }
    if let Some(asset) = address.strip_prefix("/assets/") {
        return Some(format!("assets/{}", asset.rsplit('/').next()?));
    }
    let rest = address.strip_prefix(ROOT)?;
    match rest.strip_prefix('/') {
        None if rest.is_empty() => Some(file_of("")),
        None => None,
        Some(name) if name == "search.json" || name.starts_with("files/") => Some(name.to_owned()),
        Some(slug) => Some(file_of(slug)),
    }
}

/// A page with its links changed: relative ones to files of the site, others to the server.
fn rewritten(html: &str, file: &str, server: Option<&str>) -> String {
    let up = "../".repeat(file.matches('/').count());
    let mut written = String::with_capacity(html.len());
    let mut rest = html;
    loop {
        let places = ATTRIBUTES
            .iter()
            .filter_map(|name| Some((rest.find(name)?, *name)));
        let Some((place, name)) = places.min() else {
            written.push_str(rest);
            return written;
        };
        let start = place + name.len();
        let end = rest[start..]
            .find('"')
            .map_or(rest.len(), |end| start + end);
        written.push_str(&rest[..place]);
        let target = &rest[start..end];
        let target = match name {
            " data-root=\"" => Some(up.clone()),
            _ => link(target, &up, server),
        };
        // A link without `href` is text.
        if let Some(target) = target {
            written.push_str(&format!("{name}{target}\""));
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

fn link(target: &str, up: &str, server: Option<&str>) -> Option<String> {
    if !target.starts_with('/') {
        return Some(target.to_owned());
    }
    let (path, anchor) = match target.find('#') {
        Some(place) => target.split_at(place),
        None => (target, ""),
    };
    match file_at(path) {
        Some(file) => Some(format!("{up}{file}{anchor}")),
        None => server.map(|server| format!("{}{target}", server.trim_end_matches('/'))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_static_pages_lead_to_files() {
        let html = "<a href=\"/docs\"><a class=\"x\" href=\"/docs/api/games#act\"><a href=\"/games\"><a href=\"#here\">\
            <img src=\"/assets/0123/icon.svg\"><form data-root=\"/docs\">";
        let expected = "<a href=\"../index.html\"><a class=\"x\" href=\"../api/games.html#act\"><a><a href=\"#here\">\
            <img src=\"../assets/icon.svg\"><form data-root=\"../\">";
        assert_eq!(rewritten(html, "api/games.html", None), expected);
        let with_server = rewritten(
            "<a href=\"/games\">",
            "index.html",
            Some("https://example.org/"),
        );
        assert_eq!(with_server, "<a href=\"https://example.org/games\">");
    }
}
