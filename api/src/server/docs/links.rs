//! Every relative link in the repository's Markdown leads to a file, and to a heading if it names one.

use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Tag};

use crate::site::markdown::{parse, sections};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns the Markdown files in a folder, without those of builds and installed packages.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                files.extend(markdown(&path));
            }
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
    files
}

/// Returns the anchors of a page, which are those of GitHub.
fn anchors(text: &str) -> Vec<String> {
    let sections = sections(text).into_iter();
    sections.map(|section| section.heading.id).collect()
}

/// Returns the relative links of a page that lead nowhere.
fn dead_links(page: &Path, text: &str) -> Vec<String> {
    let links = parse(text).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.to_string())
        }
        _ => None,
    });
    links
        .filter(|link| !link.contains("://") && !resolves(page, text, link))
        .map(|link| format!("{}: {link}", page.display()))
        .collect()
}

fn resolves(page: &Path, text: &str, link: &str) -> bool {
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return anchor.is_none_or(|anchor| anchors(text).contains(&anchor));
    }
    let target = page.with_file_name(path);
    match anchor {
        None => target.exists(),
        Some(anchor) => {
            std::fs::read_to_string(target).is_ok_and(|text| anchors(&text).contains(&anchor))
        }
    }
}

#[test]
fn links_in_markdown_resolve() {
    let pages = markdown(Path::new(ROOT));
    let dead = pages.iter().flat_map(|page| {
        let text = std::fs::read_to_string(page).expect("a page");
        dead_links(page, &text)
    });
    assert_eq!(dead.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn dead_links_are_found() {
    let text = "# The `one` page\n[a](README.md) [b](#the-one-page) [c](https://example.org/none)\n\
        ```\n[d](none.md)\n```\n\n| ![e](none.svg) [f](none.md) |\n| --- |\n\n[g](#none) [h](README.md#none)\n";
    let dead = dead_links(&Path::new(ROOT).join("page.md"), text);
    let dead: Vec<&str> = dead
        .iter()
        .filter_map(|dead| dead.rsplit_once(' '))
        .map(|(_, link)| link)
        .collect();
    assert_eq!(dead, ["none.svg", "none.md", "#none", "README.md#none"]);
}
