//! Markdown as HTML: whole pages, blocks and single lines.
//! Raw HTML in a text is shown as text. All of it is in English.

use std::collections::HashMap;

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A heading of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its level: 1 is the title of the page.
    pub level: u8,
    /// The anchor that GitHub gives it too.
    pub id: String,
    /// Its text without markup.
    pub text: String,
}

/// A heading and the plain text below it, up to the next heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownSection {
    /// The heading.
    pub heading: Heading,
    /// The text.
    pub text: String,
}

/// A page of Markdown as HTML.
#[derive(Clone, Debug)]
pub struct RenderedMarkdown {
    /// The HTML, with the title.
    pub html: Markup,
    /// Its sections, in order. Text before the first heading is in none.
    pub sections: Vec<MarkdownSection>,
}

/// Where a link leads: an address, or nowhere. A link that leads nowhere is shown as its text.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Parses Markdown with tables.
pub fn parse(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The anchor of a heading, as on GitHub: letters in lower case, digits, `-` for spaces.
fn anchor(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// Gives each heading its own anchor: a repeated one has a number behind it.
#[derive(Debug, Default)]
struct Anchors(HashMap<String, usize>);

impl Anchors {
    fn next(&mut self, text: &str) -> String {
        let anchor = anchor(text);
        let count = self.0.entry(anchor.clone()).or_default();
        *count += 1;
        match *count {
            1 => anchor,
            count => format!("{anchor}-{}", count - 1),
        }
    }
}

/// The headings and texts of a page.
pub fn sections(text: &str) -> Vec<MarkdownSection> {
    let mut anchors = Anchors::default();
    let mut sections: Vec<MarkdownSection> = Vec::new();
    let mut heading: Option<(u8, String)> = None;
    for event in parse(text) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((level as u8, String::new()))
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, text)) = heading.take() {
                    let id = anchors.next(&text);
                    let heading = Heading { level, id, text };
                    let text = String::new();
                    sections.push(MarkdownSection { heading, text });
                }
            }
            Event::Text(part) | Event::Code(part) => match (&mut heading, sections.last_mut()) {
                (Some((_, text)), _) => text.push_str(&part),
                (None, Some(section)) => section.text.push_str(&part),
                (None, None) => {}
            },
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                if let (None, Some(section)) = (&heading, sections.last_mut()) {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    sections
}

/// Renders a whole page.
/// Headings have anchors, tables can be scrolled, and links are resolved.
pub fn render(text: &str, resolve: Resolve<'_>) -> RenderedMarkdown {
    let sections = sections(text);
    let mut headings = sections.iter().map(|section| &section.heading);
    let mut events = Vec::new();
    let mut links = Vec::new();
    for event in parse(text) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let id = headings
                    .clone()
                    .next()
                    .map_or("", |heading| heading.id.as_str());
                events.push(markup(&format!("<{level} id=\"{id}\">")));
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some(heading) = headings.next().filter(|_| level != HeadingLevel::H1) {
                    events.push(markup(&permalink(&heading.id, &heading.text).into_string()));
                }
                events.push(markup(&format!("</{level}>")));
            }
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let target = resolve(&dest_url);
                links.push(target.is_some());
                if let Some(target) = target {
                    let dest_url = CowStr::from(target);
                    events.push(Event::Start(Tag::Link {
                        link_type,
                        dest_url,
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop().unwrap_or_default() {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let dest_url = resolve(&dest_url).map_or(dest_url, CowStr::from);
                events.push(Event::Start(Tag::Image {
                    link_type,
                    dest_url,
                    title,
                    id,
                }));
            }
            other => shared(&mut events, other),
        }
    }
    RenderedMarkdown {
        html: pushed(events),
        sections,
    }
}

/// The link of a heading to itself.
pub fn permalink(id: &str, text: &str) -> Markup {
    html! { " " a class="permalink" href={ "#" (id) } aria-label={ "Link to " (text) } { "#" } }
}

/// Paragraphs, lists, tables and blocks of code, with links as they are.
pub fn blocks(text: &str) -> Markup {
    let mut events = Vec::new();
    for event in parse(text) {
        shared(&mut events, event);
    }
    pushed(events)
}

/// Text with `code`, emphasis and links, without paragraphs.
pub fn inline(text: &str) -> Markup {
    let mut events = Vec::new();
    for event in parse(text) {
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
            other => shared(&mut events, other),
        }
    }
    pushed(events)
}

/// What all texts share: code and tables can be scrolled, and HTML is text. Comments are omitted.
fn shared<'a>(events: &mut Vec<Event<'a>>, event: Event<'a>) {
    match event {
        Event::Start(Tag::CodeBlock(kind)) => {
            let language = match &kind {
                CodeBlockKind::Fenced(info) => info.split(' ').next().unwrap_or_default(),
                CodeBlockKind::Indented => "",
            };
            let shown = html! { code class=[(!language.is_empty()).then(|| format!("language-{language}"))] {} };
            let shown = shown.into_string();
            events.push(markup("<pre tabindex=\"0\">"));
            events.push(markup(shown.trim_end_matches("</code>")));
        }
        Event::End(TagEnd::CodeBlock) => events.push(markup("</code></pre>")),
        Event::Start(Tag::Table(columns)) => {
            let open = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">";
            events.push(markup(open));
            events.push(Event::Start(Tag::Table(columns)));
        }
        Event::End(TagEnd::Table) => {
            events.push(Event::End(TagEnd::Table));
            events.push(markup("</div>"));
        }
        Event::Html(part) | Event::InlineHtml(part) => {
            if !part.starts_with("<!--") {
                events.push(Event::Text(part));
            }
        }
        other => events.push(other),
    }
}

fn markup<'a>(html: &str) -> Event<'a> {
    Event::InlineHtml(html.to_owned().into())
}

fn pushed(events: Vec<Event<'_>>) -> Markup {
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    PreEscaped(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_anchors_scrolled_tables_and_resolved_links() {
        let text = "# One `two`\n\nThree [four](four.md) [five](five.rs) <b>.\n\n## Six\n\n## Six\n\n\
            ```sh\nls <x>\n```\n\n| a |\n| --- |\n| 1 |\n";
        let resolve = |link: &str| link.strip_suffix(".md").map(str::to_owned);
        let page = render(text, &resolve);
        let html = page.html.into_string();
        for part in [
            "<h1 id=\"one-two\">One <code>two</code></h1>",
            "<p>Three <a href=\"four\">four</a> five &lt;b&gt;.</p>",
            "<h2 id=\"six\">Six",
            "<h2 id=\"six-1\">Six",
            "<pre tabindex=\"0\"><code class=\"language-sh\">ls &lt;x&gt;\n</code></pre>",
            "<div class=\"scroll\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let ids: Vec<&str> = page
            .sections
            .iter()
            .map(|section| section.heading.id.as_str())
            .collect();
        assert_eq!(ids, ["one-two", "six", "six-1"]);
        assert_eq!(page.sections[0].text.trim(), "Three four five .");
    }

    #[test]
    fn a_line_has_no_paragraph() {
        let html = inline("a `b < c`, d_e <f>").into_string();
        assert_eq!(html, "a <code>b &lt; c</code>, d_e &lt;f&gt;");
    }
}
