//! The contents of the documentation: `api/docs/SUMMARY.md` and the files that it lists, embedded.

use std::sync::LazyLock;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::site::markdown::parse;

/// The address of the documentation.
pub const ROOT: &str = "/docs";

/// The folder of the summary and of most pages.
const FOLDER: &str = "api/docs/";

const SUMMARY: &str = include_str!("../../../docs/SUMMARY.md");

/// A file of the repository.
#[derive(Clone, Copy, Debug)]
pub struct PageSource {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its content.
    pub text: &'static str,
}

macro_rules! sources {
    ($($path:literal,)*) => {
        &[$(PageSource { path: $path, text: include_str!(concat!("../../../../", $path)) },)*]
    };
}

/// The pages, in any order. A test compares them with the summary.
const SOURCES: &[PageSource] = sources![
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "analytics/COVERAGE.md",
    "api/docs/accounts-and-tokens.md",
    "api/docs/analysis.md",
    "api/docs/api.md",
    "api/docs/apps-and-oauth.md",
    "api/docs/backups.md",
    "api/docs/boards-and-rules.md",
    "api/docs/clients-and-api.md",
    "api/docs/clocks.md",
    "api/docs/configuration.md",
    "api/docs/datasets-and-citing.md",
    "api/docs/doctor.md",
    "api/docs/embedding.md",
    "api/docs/errors.md",
    "api/docs/event-cards.md",
    "api/docs/glossary.md",
    "api/docs/guides.md",
    "api/docs/hidden-information.md",
    "api/docs/index.md",
    "api/docs/install.md",
    "api/docs/leagues.md",
    "api/docs/limits.md",
    "api/docs/measures.md",
    "api/docs/moderation.md",
    "api/docs/monitoring.md",
    "api/docs/notebooks.md",
    "api/docs/operating-a-server.md",
    "api/docs/organize-in-the-browser.md",
    "api/docs/personal-data.md",
    "api/docs/pictures.md",
    "api/docs/play-a-game.md",
    "api/docs/play-in-a-browser.md",
    "api/docs/play-with-friends.md",
    "api/docs/programs.md",
    "api/docs/ratings.md",
    "api/docs/records-and-verification.md",
    "api/docs/retries.md",
    "api/docs/rules-antike-duellum.md",
    "api/docs/rules-antike-ii.md",
    "api/docs/rules-antike.md",
    "api/docs/rules.md",
    "api/docs/sign-in-and-sessions.md",
    "api/docs/sql.md",
    "api/docs/statistics-from-files.md",
    "api/docs/statistics.md",
    "api/docs/streams.md",
    "api/docs/tables-and-invitations.md",
    "api/docs/tables.md",
    "api/docs/threat-model.md",
    "api/docs/time-limits.md",
    "api/docs/transparency-log.md",
    "api/docs/upgrading.md",
    "api/docs/webhooks.md",
    "api/docs/notices.md",
    "analytics/corpus/STATE.md",
    "engine/bots/STRENGTH.md",
    "openapi/VERSIONING.md",
    "openapi/quickstarts/generators.md",
    "openapi/quickstarts/league.md",
    "openapi/quickstarts/python.md",
    "openapi/quickstarts/typescript.md",
    "openapi/record-format.md",
];

/// Files that pages link to and that can be downloaded.
pub const FILES: &[PageSource] = sources![
    "analytics/corpus/annotated.txt",
    "analytics/notebooks/with_duckdb.py",
    "analytics/notebooks/with_pandas.py",
    "analytics/notebooks/with_r.R",
    "api/docs/board.svg",
    "tests/clients/rust/src/main.rs",
    "tests/verify_record.py",
];

/// Files that the service has under an address of its own.
const ELSEWHERE: &[(&str, &str)] = &[
    ("README.md", ROOT),
    ("api/docs", ROOT),
    ("engine/data/rules/antike.md", "/docs/rules-antike"),
    ("engine/data/rules/antike_ii.md", "/docs/rules-antike-ii"),
    (
        "engine/data/rules/antike_duellum.md",
        "/docs/rules-antike-duellum",
    ),
    ("openapi/openapi.json", "/openapi.json"),
    (
        "tests/clients/rust",
        "/docs/files/tests/clients/rust/src/main.rs",
    ),
];

/// A page in the order of the summary.
#[derive(Clone, Debug)]
pub struct PageEntry {
    /// The end of its address: empty for the first page.
    pub slug: String,
    /// Its name in the navigation.
    pub title: String,
    /// The title of its part; empty before the first.
    pub part: String,
    /// How deep it is nested: 0 is the top.
    pub depth: usize,
    /// Its file.
    pub source: PageSource,
}

impl PageEntry {
    /// Its address.
    pub fn address(&self) -> String {
        address(&self.slug)
    }
}

/// The address of a page.
pub fn address(slug: &str) -> String {
    match slug {
        "" => ROOT.to_owned(),
        slug => format!("{ROOT}/{slug}"),
    }
}

/// The end of the address of a file's page.
fn slug_of(path: &str) -> String {
    let stem = path.trim_end_matches(".md");
    let own = stem.strip_prefix(FOLDER);
    let own = own.or_else(|| {
        stem.strip_prefix("openapi/")
            .filter(|rest| rest.contains('/'))
    });
    match own {
        Some("index") => String::new(),
        Some(name) => name.to_owned(),
        None => stem.rsplit('/').next().unwrap_or(stem).to_lowercase(),
    }
}

/// An entry of a summary: the title of its part, its own title, the path as written, its depth.
type Entry = (String, String, String, usize);

/// Reads a summary: headings of the second level or more begin a part, links are pages.
fn entries(summary: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut part = String::new();
    let mut depth = 0_usize;
    let mut text = String::new();
    let mut target = None;
    let mut headings = 0;
    for event in parse(summary) {
        match event {
            Event::Start(Tag::List(_)) => depth += 1,
            Event::End(TagEnd::List(_)) => depth = depth.saturating_sub(1),
            Event::Start(Tag::Heading { .. }) => text.clear(),
            Event::End(TagEnd::Heading(_)) => {
                headings += 1;
                // The first heading is the title of the summary.
                if headings > 1 {
                    part = text.clone();
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                text.clear();
                target = Some(dest_url.to_string());
            }
            Event::End(TagEnd::Link) => {
                if let Some(target) = target.take() {
                    entries.push((part.clone(), text.clone(), target, depth.saturating_sub(1)));
                }
            }
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            _ => {}
        }
    }
    entries
}

/// A path relative to a file of the repository, as a path from the root.
fn joined(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The pages in the order of the summary.
/// Those without an embedded file are omitted; a test finds them.
pub fn pages() -> &'static [PageEntry] {
    static PAGES: LazyLock<Vec<PageEntry>> = LazyLock::new(|| {
        let listed = entries(SUMMARY).into_iter();
        let found = listed.filter_map(|(part, title, target, depth)| {
            let path = joined("api/docs/SUMMARY.md", &target);
            let source = *SOURCES.iter().find(|source| source.path == path)?;
            let slug = slug_of(&path);
            Some(PageEntry {
                slug,
                title,
                part,
                depth,
                source,
            })
        });
        found.collect()
    });
    &PAGES
}

/// The address of a file for download.
pub fn file_address(path: &str) -> String {
    format!("{ROOT}/files/{path}")
}

/// Returns the target of a link: a page, a file for download, or another site.
/// `None` if the site does not have the target.
pub fn resolve(from: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with(['#', '/']) || link.starts_with("mailto:") {
        return Some(link.to_owned());
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, format!("#{anchor}")),
        None => (link, String::new()),
    };
    let path = joined(from, path);
    let page = pages().iter().find(|page| page.source.path == path);
    let file = || {
        let file = FILES.iter().find(|file| file.path == path);
        file.map(|file| file_address(file.path))
    };
    let elsewhere = || {
        let other = ELSEWHERE.iter().find(|(own, _)| *own == path);
        other.map(|(_, address)| (*address).to_owned())
    };
    let target = page
        .map(PageEntry::address)
        .or_else(file)
        .or_else(elsewhere)?;
    Some(target + &anchor)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

    #[test]
    fn the_summary_lists_every_page_once() {
        let listed: Vec<String> = entries(SUMMARY)
            .iter()
            .map(|(_, _, target, _)| joined("api/docs/SUMMARY.md", target))
            .collect();
        let unique: BTreeSet<&String> = listed.iter().collect();
        assert_eq!(unique.len(), listed.len(), "{listed:?}");
        for path in &listed {
            assert!(Path::new(REPOSITORY).join(path).is_file(), "{path}");
        }
        let folder = Path::new(REPOSITORY).join(FOLDER);
        for entry in folder.read_dir().unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(
                    listed.contains(&format!("{FOLDER}{name}")),
                    "{name} is not in SUMMARY.md"
                );
            }
        }
        let embedded: BTreeSet<&str> = SOURCES.iter().map(|source| source.path).collect();
        let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
        assert_eq!(embedded, listed);
        let slugs: BTreeSet<&str> = pages().iter().map(|page| page.slug.as_str()).collect();
        assert_eq!(slugs.len(), pages().len());
    }

    #[test]
    fn links_between_files_become_links_between_pages() {
        let from = "api/docs/leagues.md";
        for (link, expected) in [
            ("ratings.md#the-formula", Some("/docs/ratings#the-formula")),
            ("index.md", Some("/docs")),
            ("../../openapi/VERSIONING.md", Some("/docs/versioning")),
            (
                "../../openapi/quickstarts/league.md",
                Some("/docs/quickstarts/league"),
            ),
            ("../../engine/src/lib.rs", None),
            ("board.svg", Some("/docs/files/api/docs/board.svg")),
            ("https://example.org", Some("https://example.org")),
            ("#here", Some("#here")),
        ] {
            assert_eq!(resolve(from, link).as_deref(), expected, "{link}");
        }
    }
}
